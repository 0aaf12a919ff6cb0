// Blocks on several host threads have the same effect on memory as on one thread.

import test from "ava";
import { rounds, sample } from "../../../sample.js";
import { abortAfter } from "../../abort-after.js";
import { allTookPart, crewOf, type Crew } from "./crew.js";

/** Every lane of 300 blocks changes each variable 40 times; the result does not depend on the order. */
const ATOMICS = `
.global .align 16 .b32 sums[16]; .global .align 16 .b64 wide[4]; .global .align 16 .b16 narrow[8];
.visible .entry count() {
  .reg .b32 %i, %t, %v; .reg .b64 %w; .reg .f32 %f; .reg .f64 %g; .reg .b16 %h, %k, %seen; .reg .pred %p, %q;
  .reg .b32 %ones; mov.u32 %i, 0; mov.u32 %t, %tid.x; mov.b32 %ones, 0x3C003C00;
again:
  atom.global.add.u32 %v, [sums], 1;
  red.global.add.u32 [sums+4], %t;
  atom.global.inc.u32 %v, [sums+8], 6;
  red.global.max.s32 [sums+12], %t;
  atom.global.add.f32 %f, [sums+16], 0f3F800000;
  red.global.xor.b32 [sums+20], 3;
  red.global.or.b32 [sums+24], %t;
  red.global.add.noftz.f16x2 [sums+28], %ones;
  red.global.add.u64 [wide], 0x100000001;
  atom.global.add.f64 %g, [wide+8], 0d3FF0000000000000;
  atom.global.min.s64 %w, [wide+16], -5;
  ld.volatile.global.u16 %h, [narrow+2];
swap:
  add.u16 %k, %h, 1;
  atom.global.cas.b16 %seen, [narrow+2], %h, %k;
  setp.ne.u16 %q, %seen, %h; mov.b16 %h, %seen; @%q bra swap;
  add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 40; @%p bra again;
  ret; }`;

for (const hotAfter of sample([0, Infinity], 2))
  test(`atomics of blocks on three threads are exact, ${hotAfter === 0 ? "compiled" : "interpreted"}`, async (t) => {
    const blocks = rounds(300, 2);
    const crew = await crewOf(ATOMICS, 3, hotAfter);
    const result = await crew.launch("count", { grid: [blocks, 1, 1] });
    t.is(result.fault, undefined);
    t.true(allTookPart(crew));
    const times = blocks * 32 * 40;
    const sums = crew.words("sums");
    t.deepEqual([...sums.subarray(0, 4)], [times, blocks * 40 * ((31 * 32) / 2), times % 7, 31]);
    t.is(new Float32Array(sums.buffer)[4], times);
    // Halves have 11 bits: 2048 + 1 is rounded to 2048.
    t.deepEqual([...sums.subarray(5, 8)], [0, 31, 0x68006800]);
    const wide = crew.words("wide");
    t.deepEqual([...wide.subarray(0, 2)], [times, times]);
    t.is(new Float64Array(wide.buffer)[1], times);
    t.is(new BigInt64Array(wide.buffer)[2], -5n);
    t.deepEqual([...new Uint16Array(crew.words("narrow").buffer).subarray(0, 3)], [0, times % 65536, 0]);
    await crew.close();
  });

/** Kernels of the tests below that share a process and its threads. */
const SHARED = `
    .global .align 16 .b64 pair[2]; .global .u32 torn;
    .visible .entry trade() {
      .reg .b32 %i, %v; .reg .b64 %a, %b, %c; .reg .b128 %n, %o; .reg .pred %p, %q;
      mov.u32 %i, 0; mov.u32 %v, %ctaid.x; cvt.u64.u32 %a, %v; mov.b128 %n, {%a, %a};
    again: atom.global.exch.b128 %o, [pair], %n; mov.b128 {%b, %c}, %o; setp.ne.u64 %q, %b, %c; @%q red.global.add.u32 [torn], 1;
      st.relaxed.gpu.global.b128 [pair], %n; ld.relaxed.gpu.global.b128 %o, [pair]; mov.b128 {%b, %c}, %o;
      setp.ne.u64 %q, %b, %c; @%q red.global.add.u32 [torn], 1;
      add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 50; @%p bra again; ret; }

    .global .u32 mutex; .global .u32 total; .global .u32 other;
    .visible .entry locked() {
      .reg .b32 %i, %v; .reg .pred %p, %first; mov.u32 %v, %tid.x; setp.ne.u32 %first, %v, 0; @%first ret; mov.u32 %i, 0;
    again: atom.global.cas.b32 %v, [mutex], 0, 1; setp.ne.u32 %p, %v, 0; @%p bra again; membar.gl;
      ld.global.u32 %v, [total]; add.u32 %v, %v, 1; st.global.u32 [total], %v;
      ld.global.u32 %v, [other]; add.u32 %v, %v, 2; st.global.u32 [other], %v;
      membar.gl; st.volatile.global.u32 [mutex], 0;
      add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 30; @%p bra again; ret; }

    .global .u32 arrived;
    .visible .entry meet() { .reg .b32 %v, %n, %t; .reg .pred %p; mov.u32 %t, %tid.x; mov.u32 %n, %nctaid.x;
      setp.eq.u32 %p, %t, 0; @%p red.global.add.u32 [arrived], 1;
    wait: ld.volatile.global.u32 %v, [arrived]; setp.lt.u32 %p, %v, %n; @%p bra wait; ret; }

    .visible .entry endless() { again: bra again; }
    .visible .entry loop() { .reg .b32 %i; .reg .pred %p; mov.u32 %i, 0;
  again: add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 1000; @%p bra again; ret; }`;

let shared: Promise<Crew> | undefined;
const sharedCrew = (): Promise<Crew> => (shared ??= crewOf(SHARED, 3));
test.after.always(async () => (await shared)?.close());

test.serial("a pair of 64-bit words that are exchanged as one stays a pair", async (t) => {
  const crew = await sharedCrew();
  t.is((await crew.launch("trade", { grid: [100, 1, 1] })).fault, undefined);
  t.is(crew.words("torn")[0], 0);
});

test.serial("blocks on different threads hand over a lock, and never hold it together", async (t) => {
  const crew = await sharedCrew();
  const { fault } = await crew.launch("locked", { grid: [60, 1, 1] }, { maxInstructions: 1e9 });
  t.is(fault, undefined);
  t.deepEqual([crew.words("total")[0], crew.words("other")[0]], [1800, 3600]);
});

test.serial("a block that waits for the last one of the grid lets it start", async (t) => {
  const crew = await sharedCrew();
  const { fault } = await crew.launch("meet", { grid: [12, 1, 1] }, { maxInstructions: 1e9 });
  t.is(fault, undefined);
  t.is(crew.words("arrived")[0], 12);
});

/**
 * Each block counts up to a number that depends on its own, allocates memory, and prints; blocks from 70 on trap if
 * `from` is 70.
 */
const BLOCKS = `
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
.extern .func (.param .b64 r) malloc (.param .b64 n);
.extern .func free (.param .b64 p);
.global .align 1 .b8 text[4] = {37, 117, 32, 0};
.global .u32 from = 1000; .global .u32 results[200]; .global .u32 failed;
.visible .entry blocks() {
  .reg .b32 %i, %b, %t, %n, %v; .reg .b64 %p, %q, %s; .reg .pred %c; .local .align 4 .b8 stack[4];
  mov.u32 %b, %ctaid.x; mov.u32 %t, %tid.x; mov.u32 %i, 0; and.b32 %n, %b, 7; mul.lo.u32 %n, %n, 500; add.u32 %n, %n, 100;
again: add.u32 %i, %i, 1; setp.lt.u32 %c, %i, %n; @%c bra again;
  setp.ne.u32 %c, %t, 0; @%c ret;
  ld.global.u32 %v, [from]; setp.ge.u32 %c, %b, %v; @%c trap;
  { .param .b64 s; .param .b64 r; st.param.b64 [s], 64; call (r), malloc, (s); ld.param.b64 %p, [r]; }
  setp.eq.u64 %c, %p, 0; @%c red.global.add.u32 [failed], 1; @%c ret;
  st.u32 [%p+60], %b; ld.u32 %v, [%p+60];
  mul.wide.u32 %q, %b, 4; mov.u64 %s, results; add.s64 %s, %s, %q; add.u32 %v, %v, %i; st.global.u32 [%s], %v;
  { .param .b64 s; st.param.b64 [s], %p; call free, (s); }
  st.local.u32 [stack], %b; mov.u64 %p, stack; cvta.local.u64 %p, %p; mov.u64 %q, text; cvta.global.u64 %q, %q;
  { .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], %q; st.param.b64 [a], %p; call (r), vprintf, (f, a); }
  ret; }
.visible .entry from_70() { st.global.u32 [from], 70; ret; }`;

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);

test("counts, memory and printf output equal those of one thread; device malloc works across threads", async (t) => {
  const [alone, shared] = [await crewOf(BLOCKS, 1), await crewOf(BLOCKS, 3)];
  const before = shared.allocatedBytes;
  const [one, three] = [
    await alone.launch("blocks", { grid: [200, 1, 1] }),
    await shared.launch("blocks", { grid: [200, 1, 1] }),
  ];
  t.is(
    one.printf,
    numbers(200)
      .map((i) => `${i} `)
      .join(""),
  );
  t.deepEqual(three, one);
  t.true(allTookPart(shared));
  t.deepEqual(shared.words("results"), alone.words("results"));
  t.is(shared.words("failed")[0], 0);
  t.is(shared.allocatedBytes, before);
  await shared.close();
});

test("the lowest-numbered faulting block determines the result, whichever is found first", async (t) => {
  const crew = await crewOf(BLOCKS, 3);
  await crew.launch("from_70", {});
  for (let again = 0; again < 5; again++) {
    const { fault, printf } = await crew.launch("blocks", { grid: [200, 1, 1] });
    t.is(fault?.kind, "trap");
    t.deepEqual(fault?.block, [70, 0, 0]);
    t.deepEqual(fault?.thread, [0, 0, 0]);
    t.is(
      printf,
      numbers(70)
        .map((i) => `${i} `)
        .join(""),
    );
  }
  await crew.close();
});

test.serial("a limit holds for all threads together, to the instruction", async (t) => {
  const crew = await sharedCrew();
  const grid = [100, 1, 1] as const;
  const { warpInstructions } = await crew.launch("loop", { grid });
  t.is(warpInstructions, 100 * 3002);
  t.is((await crew.launch("loop", { grid }, { maxInstructions: warpInstructions })).fault, undefined);
  const less = await crew.launch("loop", { grid }, { maxInstructions: warpInstructions - 1 });
  t.is(less.fault?.kind, "instruction-limit");
  t.regex(less.fault!.message, /limit of 300199 /);
  t.is(less.warpInstructions, warpInstructions - 1);
  const endless = await crew.launch("endless", { grid }, { maxInstructions: 5_000_000 });
  t.is(endless.fault?.kind, "instruction-limit");
  t.is(endless.warpInstructions, 5_000_000);
});

test.serial("an abort stops all threads of the launch, which report where their blocks are", async (t) => {
  const crew = await sharedCrew();
  const { fault } = await crew.launch("endless", { grid: [100, 1, 1] }, { signal: abortAfter(300) });
  t.is(fault?.kind, "interrupted");
  // Every block is at the same place, so all are on one line.
  t.is(fault!.threadLocations!.length, 1);
  t.regex(fault!.details!.join("\n"), /^warp 0 of blocks? 0.*, lanes 0x0*[1f]+: bra in endless \(test\.ptx:\d+\)$/);
  t.is((await crew.launch("loop", { grid: [10, 1, 1] })).warpInstructions, 10 * 3002);
});

const COUNTED = `.global .u32 blocks; .visible .entry counted() { .reg .b32 %i; .reg .pred %p; red.global.add.u32 [blocks], 1;
  mov.u32 %i, 0; again: add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 20000; @%p bra again; ret; }`;

test("a thread that exits during a launch is reported, and not waited for", async (t) => {
  const crew = await crewOf(COUNTED, 2);
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  let closing: Promise<void> | undefined;
  const onProgress = (): void => {
    if (closing !== undefined) return;
    // While this thread waits, only the other one begins blocks, so it is ended in the middle of the launch.
    const before = crew.words("blocks")[0]!;
    for (let rests = 0; rests < 10_000 && crew.words("blocks")[0] === before; rests++) Atomics.wait(nobody, 0, 0, 1);
    closing = crew.close();
  };
  const running = crew.launch("counted", { grid: [500, 1, 1] }, { onProgress });
  await t.throwsAsync(running, { message: /a thread of a launch has ended/ });
  await closing;
});
