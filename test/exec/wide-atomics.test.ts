// Atomics on 128 bits: PTX ISA 9.0 section 9.7.13.6, of sm_90.

import test from "ava";
import { createLaunch } from "../../lib/exec/launch/launch.js";
import { variableBytes } from "../../lib/load/load.js";
import { loadText } from "./pipeline.js";

const text = `.version 8.4
.target sm_90
.address_size 64
.visible .global .align 16 .b64 cells[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
.visible .global .align 16 .b64 old[8];
.visible .entry swap()
{
  .reg .b32 %t; .reg .b64 %p, %q, %x, %y; .reg .b128 %new, %was;
  mov.u32 %t, %tid.x;
  mov.u64 %p, cells;
  mov.u64 %q, old;
  mad.wide.u32 %p, %t, 16, %p;
  mad.wide.u32 %q, %t, 16, %q;
  cvt.u64.u32 %x, %t;
  add.u64 %x, %x, 100;
  mov.b128 %new, {%x, %x};
  atom.global.exch.b128 %was, [%p], %new;
  mov.b128 {%x, %y}, %was;
  st.global.v2.b64 [%q], {%x, %y};
  ret;
}
`;

test("atom.exch.b128 gives each lane the cell that it replaced", async (t) => {
  const process = loadText(text);
  const shape = { grid: [1, 1, 1], block: [4, 1, 1], sharedBytes: 0, parameters: new Uint8Array() } as const;
  const { fault } = await createLaunch(process, process.kernels.get("swap")!, shape).run();
  t.is(fault, undefined);
  const values = (name: string): readonly bigint[] => {
    const bytes = Uint8Array.from(
      variableBytes(
        process,
        process.variables.find((variable) => variable.name === name)!,
      ),
    );
    return [...new BigUint64Array(bytes.buffer)];
  };
  t.deepEqual(values("old"), [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n]);
  t.deepEqual(values("cells"), [100n, 100n, 101n, 101n, 102n, 102n, 103n, 103n]);
});
