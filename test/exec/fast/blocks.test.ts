// Consecutive blocks in generated code: each begins in the initial state, whatever the previous one left in shared and
// local memory and in registers, and reports name the right block.

import test from "ava";
import { onBothEngines } from "./both.js";

/**
 * %id is the block's number in the grid, %t the thread's in the block, %at the address of the thread's words in the
 * buffer.
 */
const kernel = (body: string, declarations = ""): string => `
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
.global .align 1 .b8 text[7] = {37, 117, 32, 37, 117, 10, 0};
.global .u32 ticket;
.visible .entry k(.param .u64 buffer) {
  .reg .b64 %base, %at, %far, %s; .reg .b32 %id, %t, %x, %y, %z; .reg .pred %p, %q;
  .shared .align 8 .b8 tile[1024]; .local .align 8 .b8 own[64]; ${declarations}
  ld.param.u64 %base, [buffer];
  mov.u32 %id, %ctaid.z; mov.u32 %x, %nctaid.y; mov.u32 %y, %ctaid.y; mad.lo.u32 %id, %id, %x, %y;
  mov.u32 %x, %nctaid.x; mov.u32 %y, %ctaid.x; mad.lo.u32 %id, %id, %x, %y;
  mov.u32 %t, %tid.x; mov.u32 %x, %ntid.x; mad.lo.u32 %x, %id, %x, %t; mad.wide.u32 %at, %x, 8, %base;
  ${body}
  ret;
}`;

const bodies: Readonly<Record<string, string>> = {
  "see zeros in shared and local memory": `
    mov.u32 %x, tile; mad.lo.u32 %x, %t, 4, %x; ld.shared.u32 %y, [%x]; add.u32 %y, %y, %id; st.shared.u32 [%x], %y;
    ld.local.u32 %z, [own+8]; add.u32 %z, %z, %t; st.local.u32 [own+8], %z; bar.sync 0;
    xor.b32 %x, %x, 64; ld.shared.u32 %y, [%x]; st.global.v2.u32 [%at], {%y, %z};`,
  "see zeros in registers": `
    setp.gt.u32 %p, %t, 40; @%p add.u32 %z, %z, 5; @%p add.u64 %far, %far, 3; cvt.u32.u64 %y, %far; st.global.v2.u32 [%at], {%y, %z};`,
  "part, and meet at barriers": `
    mov.u32 %z, 64;
  again: bar.sync 0; setp.ge.u32 %p, %t, %z; @%p bra skip; add.u32 %y, %y, %z;
    mov.u32 %x, tile; mad.lo.u32 %x, %t, 4, %x; st.shared.u32 [%x], %y;
  skip: shr.u32 %z, %z, 1; setp.ne.u32 %p, %z, 0; @%p bra again; ld.shared.u32 %x, [tile+12]; st.global.v2.u32 [%at], {%x, %y};`,
  "exit lane by lane": `
    and.b32 %x, %id, 31; setp.lt.u32 %p, %t, %x; @%p ret; bar.sync 0; mov.u32 %x, %clock; st.global.u32 [%at], %x;`,
  "print, some of them": `
    and.b32 %x, %id, 7; setp.ne.u32 %p, %x, 5; setp.ne.or.u32 %p, %t, 33, %p; st.global.u32 [%at], %id; @%p bra quiet;
    st.local.v2.u32 [own], {%id, %t}; mov.u64 %far, own; cvta.local.u64 %far, %far; mov.u64 %s, text; cvta.global.u64 %s, %s;
    { .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], %s; st.param.b64 [a], %far; call (r), vprintf, (f, a); }
  quiet:`,
  "take tickets, in order": `
    setp.ne.u32 %p, %t, 0; @%p bra wait; atom.global.add.u32 %x, [ticket], 3; st.shared.u32 [tile], %x;
  wait: bar.sync 0; ld.shared.u32 %y, [tile]; mov.u32 %z, %clock; st.global.v2.u32 [%at], {%y, %z};`,
  "stand before a fault in the middle": `
    st.global.u32 [%at], %id; setp.eq.u32 %p, %id, 61; setp.eq.and.u32 %p, %t, 37, %p; mov.u64 %far, %at; @%p mov.u64 %far, 16;
    ld.global.u32 %x, [%far]; st.global.u32 [%at+4], %x;`,
  "stand before a trap in the middle": `
    st.global.u32 [%at], %id; setp.eq.u32 %p, %id, 77; setp.eq.and.u32 %p, %t, 70, %p; @%p trap; st.global.u32 [%at+4], %t;`,
  "wait for lanes that never come": `
    st.global.u32 [%at], %id; setp.eq.u32 %p, %id, 50; setp.lt.and.u32 %p, %t, 32, %p; @%p bra past; bar.sync 0; bra out;
  past: bar.sync 1, 64; out:`,
  "wait for one that comes after them": `
    setp.ne.u32 %p, %id, 21; @%p bra go;
  again: ld.volatile.global.u32 %x, [%base+24000]; setp.eq.u32 %q, %x, 0; @%q bra again;
  go: add.u32 %y, %id, 1; st.volatile.global.u32 [%at], %y;`,
};

for (const [name, body] of Object.entries(bodies))
  test(`both engines: blocks that ${name}`, async (t) => {
    const launch = { grid: [5, 4, 6], block: 75 } as const;
    const [[fast, reference] = []] = await onBothEngines(kernel(body), new Uint8Array(8 * 75 * 120), launch);
    t.deepEqual(fast!.result, reference!.result);
    t.true(Buffer.compare(fast!.memory, reference!.memory) === 0);
    t.is(reference!.result.fault !== undefined, name.startsWith("stand") || name.endsWith("never come"));
    t.true(reference!.memory.some((byte) => byte !== 0));
  });

test("a limit is met in the same block", async (t) => {
  const body = bodies["part, and meet at barriers"]!;
  for (const maxInstructions of [500, 20_000, 50_000, 60_001]) {
    const launch = { grid: [5, 4, 60], block: 75, maxInstructions } as const;
    const [[fast, reference] = []] = await onBothEngines(kernel(body), new Uint8Array(8 * 75 * 1200), launch);
    t.is(reference!.result.fault?.kind, "instruction-limit");
    t.deepEqual(fast!.result, reference!.result);
    t.true(Buffer.compare(fast!.memory, reference!.memory) === 0);
  }
});

test("stacks that grow inside generated code", async (t) => {
  const body = `
    mov.u32 %z, 0;
  again: ld.local.u32 %x, [own]; add.u32 %x, %x, %t; st.local.u32 [own], %x; alloca.u64 %s, 160, 8; st.local.u32 [%s], %z;
    ld.local.u32 %y, [own]; add.u32 %y, %y, %z; st.local.u32 [own], %y; add.u32 %z, %z, 1; setp.lt.u32 %p, %z, 9; @%p bra again;
    ld.local.u32 %y, [%s]; ld.local.u32 %x, [own]; st.global.v2.u32 [%at], {%y, %x};`;
  const launch = { grid: [5, 4, 2], block: 75 } as const;
  const [[fast, reference] = []] = await onBothEngines(kernel(body), new Uint8Array(8 * 75 * 40), launch);
  t.is(reference!.result.fault, undefined);
  t.deepEqual(fast!.result, reference!.result);
  t.true(Buffer.compare(fast!.memory, reference!.memory) === 0);
});
