import test from "ava";
import { specialRegister } from "../../lib/exec/special.js";
import { specialRegisters } from "../../lib/isa/special-registers.table.js";
import { wordsOf } from "./kernel.js";

test("every special register of the table has a value", (t) => {
  for (const { name } of specialRegisters)
    t.true(specialRegister(name) !== undefined || specialRegister(`${name}.x`) !== undefined, name);
});

test("thread, block and lane numbers", async (t) => {
  const body = `.reg .b32 %v, %x, %y; mov.u32 %v, %tid.y; mov.u32 %x, %ntid.x; mov.u32 %y, %tid.x;
    mad.lo.u32 %x, %v, %x, %y; mul.wide.u32 %at, %x, 4; add.u64 %at, %at, %out;
    mov.u32 %y, %laneid; mad.lo.u32 %v, %v, 100, %y; mov.u32 %y, %lanemask_lt; popc.b32 %y, %y; mad.lo.u32 %v, %y, 10000, %v;
    st.global.u32 [%at], %v;`;
  t.deepEqual(
    await wordsOf(body, 40, { block: [8, 5] }),
    Array.from({ length: 40 }, (_, i) => 100 * Math.floor(i / 8) + (i % 32) * 10001),
  );
});

test("the clock counts instructions, the same on every run", async (t) => {
  const body =
    ".reg .b32 %a, %b; mov.u32 %a, %clock; add.u32 %t, %t, 1; mov.u32 %b, %clock; sub.u32 %a, %b, %a; st.global.u32 [%at], %a;";
  t.is((await wordsOf(body, 1))[0], 2);
});
