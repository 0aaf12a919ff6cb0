// Kernels stop alike on both engines: kind, place, lane, counts, and memory contents. Loops run often enough that
// generated code meets the fault.

import test from "ava";
import { onBothEngines } from "./both.js";

/**
 * A loop that executes `body` 40 times: %n counts, %at is the address of the lane's part of the buffer, %lane its
 * number.
 */
const loop = (body: string): string => `
.visible .entry k(.param .u64 buffer) {
  .reg .b64 %base, %at, %far; .reg .b32 %n, %lane, %x, %y; .reg .pred %more, %p, %q; .shared .align 8 .b8 tile[256];
  ld.param.u64 %base, [buffer]; mov.u32 %lane, %laneid; mad.wide.u32 %at, %lane, 4, %base; mov.u32 %n, 0; mov.u32 %x, 1;
again:
  ${body}
  add.u32 %n, %n, 1; setp.lt.u32 %more, %n, 40; @%more bra again;
  ret;
}`;

const bodies: Readonly<Record<string, string>> = {
  "a load far away, in one lane": `
    mad.lo.u32 %y, %n, %lane, 0; st.global.u32 [%at], %y;
    setp.eq.u32 %p, %y, 465; mov.u64 %far, %at; @%p add.s64 %far, %at, 100000; ld.global.u32 %x, [%far]; st.global.u32 [%at+128], %x;`,
  "a store far away, in the upper lanes": `
    shl.b32 %y, %n, 7; mad.wide.u32 %far, %y, 1, %at; st.global.u32 [%far], %n;`,
  "a misaligned load": `
    setp.eq.u32 %p, %n, 33; mov.u64 %far, %at; @%p add.s64 %far, %at, 2; add.u32 %x, %x, 1; st.global.u32 [%at], %x; ld.global.u32 %x, [%far];`,
  "a guarded store, of one lane, through null": `
    setp.ge.u32 %p, %n, 30; setp.eq.and.u32 %q, %lane, 17, %p; mov.u64 %far, 0; st.global.u32 [%at], %n; @%q st.global.u32 [%far], %n;`,
  "beyond shared memory": `
    mov.u32 %y, tile; mad.lo.u32 %y, %n, 64, %y; mad.lo.u32 %y, %lane, 4, %y; st.shared.u32 [%y], %n; ld.shared.u32 %x, [%y]; st.global.u32 [%at], %x;`,
  "a misaligned shared access": `
    mov.u32 %y, tile; setp.eq.u32 %p, %n, 31; @%p add.u32 %y, %y, 1; ld.shared.u32 %x, [%y]; st.global.u32 [%at], %n;`,
  "a trap in a branch": `
    setp.eq.u32 %p, %n, %lane; setp.eq.and.u32 %p, %lane, 29, %p; st.global.u32 [%at], %n; @%p trap;`,
  "a fault in a branch that few take": `
    setp.eq.u32 %p, %n, %lane; st.global.u32 [%at], %n; @!%p bra skip; setp.eq.u32 %q, %n, 30; mov.u64 %far, %at;
    @%q mov.u64 %far, 64; ld.global.u32 %x, [%far]; skip: add.u32 %x, %x, %n;`,
};

for (const [name, body] of Object.entries(bodies))
  test(`both stop at ${name}`, async (t) => {
    const [[fast, reference] = []] = await onBothEngines(loop(body), new Uint8Array(4096));
    t.not(reference!.result.fault, undefined);
    t.deepEqual(fast!.result, reference!.result);
    t.true(Buffer.compare(fast!.memory, reference!.memory) === 0);
  });

test("a sufficient limit changes nothing, though lanes wait for each other", async (t) => {
  // Two sides alternate by means of a word in memory, so the scheduling decides how often each of them reads it.
  const text = `.visible .entry k(.param .u64 p) {
    .reg .pred %q; .reg .b32 %t, %v, %i; .reg .b64 %p; ld.param.u64 %p, [p]; mov.u32 %t, %tid.x; mov.u32 %i, %t;
    setp.gt.u32 %q, %t, 1; @%q bra end;
    again: ld.volatile.global.u32 %v, [%p]; setp.ne.u32 %q, %v, %i; @%q bra again;
    add.u32 %v, %v, 1; st.volatile.global.u32 [%p], %v;
    add.u32 %i, %i, 2; setp.lt.u32 %q, %i, 12; @%q bra again;
    end: ret; }`;
  const input = new Uint8Array(4);
  for (const free of (await onBothEngines(text, input))[0]!) {
    const { warpInstructions, threadInstructions } = free.result;
    for (const outcome of (await onBothEngines(text, input, { maxInstructions: warpInstructions }))[0]!)
      t.like(outcome, { memory: free.memory, result: { fault: undefined, warpInstructions, threadInstructions } });
    for (const { result } of (await onBothEngines(text, input, { maxInstructions: warpInstructions - 1 }))[0]!)
      t.like(result, { fault: { kind: "instruction-limit" }, warpInstructions: warpInstructions - 1 });
  }
});

test("both engines stop at the same instruction for every limit", async (t) => {
  const body =
    "setp.lt.u32 %p, %lane, %n; @%p bra skip; add.u32 %x, %x, %n; st.global.u32 [%at], %x; skip: xor.b32 %x, %x, %n;";
  for (const maxInstructions of [1, 7, 50, 51, 52, 53, 54, 55, 56, 57, 58, 200, 333]) {
    const [[fast, reference] = []] = await onBothEngines(loop(body), new Uint8Array(4096), {
      maxInstructions,
      block: 96,
    });
    t.is(reference!.result.fault!.kind, "instruction-limit");
    t.deepEqual(fast!.result, reference!.result);
    t.true(Buffer.compare(fast!.memory, reference!.memory) === 0);
  }
});

test("clocks read the same inside generated code", async (t) => {
  const body =
    "mov.u32 %x, %clock; st.global.u32 [%at], %x; mov.u64 %far, %globaltimer; st.global.u64 [%base+512], %far; setp.lt.u32 %p, %lane, %n; @%p add.u32 %x, %x, 1; @%p bra skip; mov.u32 %y, %clock; st.global.u32 [%at+256], %y; skip:";
  const [[fast, reference] = []] = await onBothEngines(loop(body), new Uint8Array(4096), { block: 64 });
  t.deepEqual(fast!.result, reference!.result);
  t.true(Buffer.compare(fast!.memory, reference!.memory) === 0);
});

test("memory that a kernel frees and allocates again is not cached", async (t) => {
  const text = `
.extern .func (.param .b64 r) malloc (.param .b64 size);
.extern .func free (.param .b64 p);
.visible .entry k(.param .u64 buffer) {
  .reg .b64 %base, %at, %p; .reg .b32 %n, %x; .reg .pred %more;
  ld.param.u64 %base, [buffer]; mov.u32 %x, %laneid; mad.wide.u32 %at, %x, 4, %base; mov.u32 %n, 0;
again:
  { .param .b64 size; .param .b64 r; st.param.b64 [size], 64; call (r), malloc, (size); ld.param.b64 %p, [r]; }
  st.global.u32 [%p], %n; ld.global.u32 %x, [%p]; st.global.u32 [%at], %x;
  { .param .b64 q; st.param.b64 [q], %p; call free, (q); }
  add.u32 %n, %n, 1; setp.lt.u32 %more, %n, 20; @%more bra again;
  ld.global.u32 %x, [%p];
  ret;
}`;
  const [[fast, reference] = []] = await onBothEngines(text, new Uint8Array(4096));
  t.is(fast!.result.fault?.kind, "illegal-address");
  t.deepEqual(fast!.result, reference!.result);
  t.true(Buffer.compare(fast!.memory, reference!.memory) === 0);
});
