// Registers that a kernel's directives allow: PTX ISA 9.0 section 11.4. They decide how many blocks an SM holds.

import test from "ava";
import { atOnce } from "../../lib/base/steps.js";
import { createLaunch } from "../../lib/exec/launch/launch.js";
import { timeLaunch } from "../../lib/timing/time-launch.js";
import { loadText } from "../exec/pipeline.js";
import { a100 } from "./kernels.js";

/** A kernel with 64 floats live at once. */
function hungry(directives: string): string {
  const each = (line: (i: number) => string): string => Array.from({ length: 64 }, (_, i) => line(i)).join("\n");
  return `.version 8.0
.target sm_80
.address_size 64
.visible .global .f32 data[64];
.visible .entry k() ${directives}
{
  .reg .f32 %f<64>;
${each((i) => `  ld.global.f32 %f${i}, [data+${4 * i}];`)}
${each((i) => `  st.global.f32 [data+${4 * i}], %f${63 - i};`)}
  ret;
}
`;
}

function occupancyOf(directives: string): { registers: number; blocksPerSm: number; limitedBy: string } {
  const process = loadText(hungry(directives));
  const kernel = process.kernels.get("k")!;
  const shape = { grid: [1, 1, 1], block: [256, 1, 1], sharedBytes: 0 } as const;
  const launch = createLaunch(process, kernel, { ...shape, parameters: new Uint8Array() });
  const { registers, blocksPerSm, limitedBy } = atOnce(timeLaunch(launch, kernel, shape, a100)).occupancy;
  return { registers, blocksPerSm, limitedBy };
}

test("registers without a directive are estimated from live values", (t) => {
  t.deepEqual(occupancyOf(""), { registers: 80, blocksPerSm: 3, limitedBy: "registers" });
});

test(".maxnreg is their upper bound", (t) => {
  t.deepEqual(occupancyOf(".maxnreg 40"), { registers: 40, blocksPerSm: 6, limitedBy: "registers" });
});

test(".minnctapersm bounds them, so that as many blocks fit", (t) => {
  t.deepEqual(occupancyOf(".maxntid 256 .minnctapersm 8"), { registers: 32, blocksPerSm: 8, limitedBy: "warps" });
  t.deepEqual(occupancyOf(".maxntid 256 .minnctapersm 4"), { registers: 64, blocksPerSm: 4, limitedBy: "registers" });
});
