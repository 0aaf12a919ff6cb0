// A sample of the records of scalar operations on both engines; `npm run hardware -- scalar` tries all of them.

import { fileURLToPath } from "node:url";
import test from "ava";
import { deviceOfModule } from "../exec/kernel.js";
import { scalar } from "./scalar.js";

const folder = fileURLToPath(new URL("../../../testdata/hardware/h200/scalar", import.meta.url));

test("a sample of one in 23 operations gives an H200's results", async (t) => {
  let groups = 0;
  for await (const outcome of scalar.run({ folder, engines: ["reference", "fast"], filter: "", every: 23 })) {
    groups++;
    if (outcome.optional !== true) t.is(outcome.difference, undefined, outcome.name);
  }
  t.true(groups > 50);
});

/**
 * Where an H200's results differ from the text of the ISA: the instructions of each word, and the hardware's result.
 */
const differing: readonly (readonly [body: string, word: number])[] = [
  // Text: abcd1234; CC.CF is an inverted borrow.
  ["mov.u32 %a, 0xabcd1235; add.cc.u32 %b, 0, 0; subc.u32 %d, %a, 1;", 0xabcd1233],
  ["mov.u32 %a, 5; sub.cc.u32 %b, %a, 3; addc.u32 %d, 0, 0;", 1],
  // Text: a position of 292 counts as 36.
  ["mov.u64 %x, 0xabcdef1234567890; mov.u32 %a, 292; bfe.u64 %y, %x, %a, 28; cvt.u32.u64 %d, %y;", 0],
  [
    "mov.u64 %x, 0xabcdef1234567890; mov.u64 %y, 7; mov.u32 %a, 292; bfi.b64 %y, %x, %y, %a, 28; shr.u64 %x, %y, 32; cvt.u32.u64 %d, %x;",
    0,
  ],
  // Text: .ftz flushes the operand, 8000.
  ["mov.b32 %f, 0x80000001; cvt.rm.ftz.f16.f32 %h, %f; cvt.u32.u16 %d, %h;", 0x8001],
  // Text: rounded up before it is flushed, 00800000.
  ["mov.b32 %f, 0x7e800001; rcp.rp.ftz.f32 %f, %f; mov.b32 %d, %f;", 0],
];

for (const engine of ["reference", "fast"] as const)
  test(`where the chip and the ISA's text differ, the chip's result counts: ${engine} engine`, async (t) => {
    const stores = differing.map(([body], i) => `${body} st.global.u32 [%out+${4 * i}], %d;`).join("\n    ");
    const device = deviceOfModule(
      `.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out) {
    .reg .b64 %out, %x, %y; .reg .b32 %a, %b, %d; .reg .b16 %h; .reg .f32 %f;
    ld.param.u64 %out, [out];
    ${stores}
    ret;
}`,
      { hotAfter: 0 },
    );
    const out = device.alloc(4 * differing.length);
    const { fault } = await device.launch("k", { grid: 1, block: 32, args: [out], engine });
    t.is(fault, undefined);
    t.deepEqual(
      [...device.read(out, new Uint32Array(differing.length))],
      differing.map(([, word]) => word),
    );
  });
