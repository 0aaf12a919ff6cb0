import test from "ava";
import { specialRegister } from "../../lib/exec/machine/special.js";
import { specialRegisters } from "../../lib/isa/special-registers.table.js";
import { deviceOfModule, wordsOf } from "./kernel.js";

/** PTX does not define where the memory of a block is, so such kernels are not executed. */
const unknown: ReadonlySet<string> = new Set(["%perctamemoryoffset", "%perctamemorysize"]);

test("every special register of the table has a value", (t) => {
  for (const { name } of specialRegisters.filter((register) => !unknown.has(register.name)))
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

test("up to sm_89 the system's shared memory follows the block's own, for kernels that read its registers", async (t) => {
  const kernel = (name: string, body: string): string =>
    `.visible .entry ${name}() { .shared .align 4 .b32 own[33]; .reg .b32 %s; mov.u32 %s, own; st.shared.u32 [own+128], 7; ${body} ret; }`;
  const device = deviceOfModule(`.version 8.0
.target sm_80
.address_size 64
.global .u32 kept;
${kernel("asks", "mov.u32 %s, %reserved_smem_offset_1; st.shared.u32 [%s], 1; st.shared.u32 [%s+1020], 1; ld.shared.u32 %s, [own+128]; st.global.u32 [kept], %s;")}
${kernel("asksNothing", "st.shared.u32 [%s+256], 1;")}`);
  t.is((await device.launch("asks", { grid: 1, block: 1 })).fault, undefined);
  t.deepEqual([...device.read(device.symbol("kept"), Uint32Array)], [7]);
  t.is((await device.launch("asksNothing", { grid: 1, block: 1 })).fault?.kind, "illegal-address");
});

test("%globaltimer continues from launch to launch, and is monotonic between threads", async (t) => {
  const device = deviceOfModule(`.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out) { .reg .b64 %out, %a, %b; .reg .b32 %low, %high; .reg .pred %p;
  ld.param.u64 %out, [out]; mov.u64 %a, %globaltimer; mov.u32 %low, %globaltimer_lo; mov.u32 %high, %globaltimer_hi; mov.b64 %b, {%low, %high};
  setp.lt.u64 %p, %a, %b; @!%p mov.u64 %a, 0; st.global.u64 [%out], %a; ret; }`);
  for (const engine of ["reference", "fast"] as const) {
    let last = -1n;
    for (let i = 0; i < 3; i++) {
      const out = device.alloc(8);
      await device.launch("k", { grid: 1, block: 1, args: [out], engine });
      const [now] = device.read(out, BigInt64Array);
      t.true(now! > last, `${engine}: ${now} after ${last}`);
      last = now!;
    }
  }
});

test("clocks advance from instruction to instruction, and their high words with them", async (t) => {
  const body = `.reg .b64 %a, %b; .reg .b32 %c, %d, %h; .reg .pred %p, %q; mov.u64 %a, %clock64; mov.u32 %c, %clock; mov.u32 %h, %clock_hi;
    mov.u64 %b, %clock64; mov.u32 %d, %clock; setp.lt.u64 %p, %a, %b; setp.lt.u32 %q, %c, %d; and.pred %p, %p, %q; setp.eq.u32 %q, %h, 0;
    and.pred %p, %p, %q; selp.u32 %c, 1, 0, %p; st.global.u32 [%at], %c;`;
  t.deepEqual(new Set(await wordsOf(body, 32)), new Set([1]));
});

test("%envreg1 and %envreg2 are the workspace of a cooperative launch, and zero otherwise", async (t) => {
  const body =
    ".reg .b32 %a, %b; mov.u32 %a, %envreg1; mov.u32 %b, %envreg2; or.b32 %a, %a, %b; st.global.u32 [%at], %a;";
  t.deepEqual(await wordsOf(body, 1, { block: 1 }), [0]);
  t.not((await wordsOf(body, 1, { block: 1, cooperative: true }))[0], 0);
});
