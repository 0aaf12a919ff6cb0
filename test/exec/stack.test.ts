// alloca, stacksave and stackrestore: PTX ISA 9.0 section 9.7.17.

import test from "ava";
import { runBody, wordsOf } from "./kernel.js";

const lanes = (value: (lane: number) => number): readonly number[] => Array.from({ length: 32 }, (_, i) => value(i));

test("every lane allocates what it requests, and its contents survive calls", async (t) => {
  const before = `.func fill(.param .b32 n) { .local .b32 x[64]; .reg .b32 %n, %i; .reg .pred %p;
    ld.param.b32 %n, [n]; mov.u32 %i, 0;
    more: st.local.u32 [x], 0xdead; add.u32 %i, %i, 1; setp.lt.u32 %p, %i, %n; @%p bra more; ret; }`;
  const body = `.reg .b32 %n, %p, %q, %i, %v, %sum; .reg .pred %c;
    add.u32 %n, %t, 1; shl.b32 %v, %n, 2;
    alloca.u32 %p, %v; alloca.u32 %q, 8, 64;
    mov.u32 %i, 0; st.local.v2.u32 [%q], {%t, %n};
    write: shl.b32 %v, %i, 2; add.u32 %v, %v, %p; st.local.u32 [%v], %i;
    add.u32 %i, %i, 1; setp.lt.u32 %c, %i, %n; @%c bra write;
    { .param .b32 a; st.param.b32 [a], %n; call fill, (a); }
    mov.u32 %i, 0; mov.u32 %sum, 0;
    read: shl.b32 %v, %i, 2; add.u32 %v, %v, %p; ld.local.u32 %v, [%v]; add.u32 %sum, %sum, %v;
    add.u32 %i, %i, 1; setp.lt.u32 %c, %i, %n; @%c bra read;
    ld.local.u32 %v, [%q+4]; and.b32 %q, %q, 63; add.u32 %sum, %sum, %q; mad.lo.u32 %sum, %v, 1000, %sum;
    st.global.u32 [%at], %sum;`;
  t.deepEqual(
    await wordsOf(body, 32, { before }),
    lanes((l) => (l * (l + 1)) / 2 + 1000 * (l + 1)),
  );
});

test("the stack pointer is the last allocation's address, and restoring it frees the later ones", async (t) => {
  const body = `.reg .b64 %s, %p, %q, %r, %m; .reg .pred %c; .reg .b32 %ok, %one;
    stacksave.u64 %s; alloca.u64 %p, 100; stacksave.u64 %q; setp.eq.u64 %c, %p, %q; selp.u32 %ok, 1, 0, %c;
    alloca.u64 %r, 5, 128; and.b64 %m, %r, 127; setp.eq.u64 %c, %m, 0; selp.u32 %one, 2, 0, %c; add.u32 %ok, %ok, %one;
    stackrestore.u64 %q; alloca.u64 %m, 5, 128; setp.eq.u64 %c, %m, %r; selp.u32 %one, 4, 0, %c; add.u32 %ok, %ok, %one;
    stackrestore.u64 %s; alloca.u64 %m, 8; setp.eq.u64 %c, %m, %p; selp.u32 %one, 8, 0, %c; add.u32 %ok, %ok, %one;
    st.global.u32 [%at], %ok;`;
  t.deepEqual(
    await wordsOf(body, 32),
    lanes(() => 15),
  );
});

test("an allocation beyond the stack, and restoring a stack pointer that was never saved, are faults", async (t) => {
  const { result: big } = await runBody(".reg .b64 %p; alloca.u64 %p, 600000;");
  t.is(big.fault?.kind, "stack-overflow");
  const { result: huge } = await runBody(".reg .b64 %p; alloca.u64 %p, 0xffffffffffffffff;");
  t.is(huge.fault?.kind, "stack-overflow");
  const { result: wrong } = await runBody(".reg .b32 %p; alloca.u32 %p, 64; add.u32 %p, %p, 8; stackrestore.u32 %p;");
  t.is(wrong.fault?.kind, "trap");
});
