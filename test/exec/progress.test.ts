// Threads make progress independently of each other (PTX ISA 9.0 section 3.2; CUDA C++ programming guide, "independent
// thread scheduling"). A thread that waits for another lane, warp or block lets it run, whichever side of a branch each
// is on.

import test from "ava";
import { openDevice } from "../../lib/exec/device/device.js";
import { deviceOf, runBody, wordsOf } from "./kernel.js";

const lanes = (count: number, value: (lane: number) => number): readonly number[] =>
  Array.from({ length: count }, (_, i) => value(i));

const shared = ".shared .align 8 .b32 flag; .shared .align 8 .b32 data; .reg .pred %p, %q; .reg .b32 %v, %w, %i;";

/** A spin lock that every lane takes once. `who` tells which lanes take it. */
const locked = (who: string): string => `
  .reg .pred %p, %mine; .reg .b32 %v;
  ${who}
  @!%mine bra leave;
  again: atom.global.cas.b32 %v, [mutex], 0, 1; setp.ne.u32 %p, %v, 0; @%p bra again;
  ld.volatile.global.u32 %v, [count]; add.u32 %v, %v, 1; st.volatile.global.u32 [count], %v;
  membar.gl; atom.global.exch.b32 %v, [mutex], 0;
  leave:`;

const lock = ".global .u32 mutex; .global .u32 count;";

const lockings: readonly (readonly [name: string, who: string, grid: number, block: number, count: number])[] = [
  ["lanes of a warp", "setp.eq.u32 %mine, 0, 0;", 1, 32, 32],
  ["some lanes of a warp", "and.b32 %v, %t, 5; setp.eq.u32 %mine, %v, 4;", 1, 32, 8],
  ["one lane of each warp", "and.b32 %v, %t, 31; setp.eq.u32 %mine, %v, 9;", 1, 256, 8],
  ["one lane of each block", "setp.eq.u32 %mine, %t, 0;", 16, 64, 16],
  ["all lanes of several blocks", "setp.eq.u32 %mine, 0, 0;", 4, 96, 384],
];

for (const [name, who, grid, block, count] of lockings) {
  test(`a spin lock is handed over between ${name}`, async (t) => {
    const { result, device } = await runBody(locked(who), { before: lock, grid, block, maxInstructions: 2e7 });
    t.is(result.fault, undefined);
    t.is(device.read(device.symbol("count"), new Uint32Array(1))[0], count);
  });
}

test("a ticket lock serves in the order of the tickets", async (t) => {
  const body = `.reg .pred %p; .reg .b32 %mine, %now, %at2; .reg .b64 %a;
    atom.global.add.u32 %mine, [mutex], 1;
  wait: ld.volatile.global.u32 %now, [count]; setp.ne.u32 %p, %now, %mine; @%p bra wait;
    mad.wide.u32 %a, %mine, 4, %out; st.global.u32 [%a], %t; membar.gl;
    add.u32 %now, %now, 1; st.volatile.global.u32 [count], %now;`;
  const words = await wordsOf(body, 64, { before: lock, block: 64 });
  t.deepEqual(
    [...words].sort((a, b) => a - b),
    lanes(64, (i) => i),
  );
});

// The consumer spins before or after the producer's code; in both cases both make progress.
const handOver = (consumerFirst: boolean): string => {
  const consumer = `
    spin: ld.volatile.shared.u32 %v, [flag]; setp.eq.u32 %q, %v, 0; @%q bra spin;
    ld.volatile.shared.u32 %v, [data]; st.volatile.shared.u32 [flag], 0;
    st.global.u32 [%at], %v; add.u32 %i, %i, 1; setp.lt.u32 %q, %i, 10; @%q bra spin;`;
  const producer = `
    make: ld.volatile.shared.u32 %v, [flag]; setp.ne.u32 %q, %v, 0; @%q bra make;
    add.u32 %w, %i, 100; st.volatile.shared.u32 [data], %w; membar.cta; st.volatile.shared.u32 [flag], 1;
    add.u32 %i, %i, 1; setp.lt.u32 %q, %i, 10; @%q bra make;`;
  const [first, second] = consumerFirst ? [consumer, producer] : [producer, consumer];
  return `${shared} mov.u32 %i, 0; setp.eq.u32 %p, %t, 0;
    setp.gt.u32 %q, %t, 1; @%q bra done;
    @!%p bra second; ${first} bra done;
    second: ${second}
    done:`;
};

for (const consumerFirst of [true, false]) {
  test(`two lanes of a warp hand over ten values, the consumer's code ${consumerFirst ? "first" : "last"}`, async (t) => {
    const words = await wordsOf(handOver(consumerFirst), 2);
    t.is(words[consumerFirst ? 0 : 1], 109);
  });
}

test("pairs of lanes wait for each other at bar.warp.sync, each pair with its own mask", async (t) => {
  const body = `.reg .b32 %m, %v, %s, %i; .reg .pred %p, %q; .shared .b32 cell[32]; .reg .b32 %c, %o;
    and.b32 %s, %t, 30; mov.u32 %m, 3; shl.b32 %m, %m, %s; and.b32 %v, %t, 1; setp.eq.u32 %p, %v, 0;
    shl.b32 %o, %t, 2; mov.u32 %c, cell; add.u32 %c, %c, %o; mov.u32 %i, 0;
    @%p bra even;
    st.shared.u32 [%c], %t; bar.warp.sync %m; ld.shared.u32 %v, [%c+-4]; bra end;
    even: add.u32 %i, %i, 1; setp.le.u32 %q, %i, %t; @%q bra even;
    st.shared.u32 [%c], %i; bar.warp.sync %m; ld.shared.u32 %v, [%c+4];
    end: st.global.u32 [%at], %v;`;
  const words = await wordsOf(body, 32);
  t.deepEqual(
    words,
    lanes(32, (lane) => (lane % 2 === 0 ? lane + 1 : lane)),
  );
});

// Two buffers, each with a barrier for "full" and one for "empty": the warps that fill never wait at "full", those that
// read never at "empty" (the example of barrier.arrive, PTX ISA 9.0 section 9.7.13.1).
test("producer and consumer warps alternate between two buffers with barrier.arrive and barrier.sync", async (t) => {
  const body = `.reg .pred %p, %q; .reg .b32 %i, %v, %full, %empty, %sum, %w, %a, %b; .shared .b32 tile[64];
    and.b32 %w, %t, 31; setp.ge.u32 %p, %t, 32; mov.u32 %i, 0; mov.u32 %sum, 0; mov.u32 %b, tile; @%p bra consume;
  produce: and.b32 %a, %i, 1; add.u32 %full, %a, 1; add.u32 %empty, %a, 3;
    setp.lt.u32 %q, %i, 2; @%q bra ready; barrier.sync %empty, 64;
  ready: shl.b32 %a, %a, 5; add.u32 %a, %a, %w; shl.b32 %a, %a, 2; add.u32 %a, %a, %b; mad.lo.u32 %v, %i, 100, %w;
    st.shared.u32 [%a], %v; membar.cta; barrier.arrive %full, 64;
    add.u32 %i, %i, 1; setp.lt.u32 %q, %i, 9; @%q bra produce; bra end;
  consume: and.b32 %a, %i, 1; add.u32 %full, %a, 1; add.u32 %empty, %a, 3; barrier.sync %full, 64;
    sub.u32 %v, 31, %w; shl.b32 %a, %a, 5; add.u32 %a, %a, %v; shl.b32 %a, %a, 2; add.u32 %a, %a, %b;
    ld.shared.u32 %v, [%a]; add.u32 %sum, %sum, %v; setp.gt.u32 %q, %i, 6; @%q bra last; barrier.arrive %empty, 64;
  last: add.u32 %i, %i, 1; setp.lt.u32 %q, %i, 9; @%q bra consume;
    st.global.u32 [%at], %sum;
  end:`;
  const words = await wordsOf(body, 64, { block: 64 });
  t.deepEqual(
    words.slice(32),
    lanes(32, (lane) => 3600 + 9 * (31 - lane)),
  );
});

test("named barriers with counts let two halves of a block synchronise apart", async (t) => {
  const body = `.reg .pred %p; .reg .b32 %n, %v, %o, %s; .shared .b32 tile[128];
    shr.u32 %n, %t, 6; add.u32 %n, %n, 1; mov.u32 %s, tile; shl.b32 %o, %t, 2; add.u32 %o, %s, %o; st.shared.u32 [%o], %t;
    barrier.sync %n, 64; xor.b32 %v, %t, 63; shl.b32 %o, %v, 2; add.u32 %o, %s, %o; ld.shared.u32 %v, [%o];
    st.global.u32 [%at], %v;`;
  t.deepEqual(
    await wordsOf(body, 128, { block: 128 }),
    lanes(128, (i) => i ^ 63),
  );
});

test("barrier.red counts the threads of its barrier alone", async (t) => {
  const body = `.reg .pred %p, %q, %all, %any; .reg .b32 %n, %v, %c;
    shr.u32 %n, %t, 5; and.b32 %v, %t, 3; setp.eq.u32 %p, %v, 0; setp.ne.u32 %q, %n, 0; or.pred %q, %p, %q;
    barrier.red.popc.u32 %c, %n, 32, %q; barrier.red.and.pred %all, %n, 32, %q; barrier.red.or.pred %any, %n, 32, %p;
    selp.u32 %v, 1000, 0, %all; add.u32 %c, %c, %v; selp.u32 %v, 100, 0, %any; add.u32 %c, %c, %v;
    st.global.u32 [%at], %c;`;
  t.deepEqual(
    await wordsOf(body, 64, { block: 64 }),
    lanes(64, (i) => (i < 32 ? 108 : 1132)),
  );
});

test("lanes come to one barrier from different instructions", async (t) => {
  const body = `${shared} setp.lt.u32 %p, %t, 7; @%p bra some;
    st.volatile.shared.u32 [data], 5; barrier.sync 2; bra join;
    some: barrier.sync 2;
    join: ld.volatile.shared.u32 %v, [data]; st.global.u32 [%at], %v;`;
  t.deepEqual(
    await wordsOf(body, 64, { block: 64 }),
    lanes(64, () => 5),
  );
});

test("two blocks pass a token back and forth", async (t) => {
  const body = `.reg .pred %p; .reg .b32 %b, %v, %w, %i; mov.u32 %b, %ctaid.x; setp.ne.u32 %p, %t, 0; @%p bra end; mov.u32 %i, 0;
    wait: ld.acquire.gpu.global.u32 %v, [mutex]; and.b32 %w, %v, 1; setp.ne.u32 %p, %w, %b; @%p bra wait;
    add.u32 %v, %v, 1; st.release.gpu.global.u32 [mutex], %v; add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 20; @%p bra wait;
    end:`;
  const { result, device } = await runBody(body, { before: lock, grid: 2, maxInstructions: 2e7 });
  t.is(result.fault, undefined);
  t.is(device.read(device.symbol("mutex"), new Uint32Array(1))[0], 40);
});

test("a thread that waits with nanosleep, or by counting, lets the others proceed", async (t) => {
  for (const pause of [
    "nanosleep.u32 1000;",
    "mov.u32 %w, 0; more: add.u32 %w, %w, 1; setp.lt.u32 %q, %w, 50; @%q bra more;",
  ]) {
    const body = `${shared} setp.eq.u32 %p, %t, 31; @%p bra set;
      wait: ${pause} ld.volatile.shared.u32 %v, [flag]; setp.eq.u32 %q, %v, 0; @%q bra wait; bra end;
      set: st.volatile.shared.u32 [flag], 3; mov.u32 %v, 3;
      end: st.global.u32 [%at], %v;`;
    t.deepEqual(
      await wordsOf(body, 32),
      lanes(32, () => 3),
    );
  }
});

// ------------------------------------------------------------------------------------------------------ the whole grid

/**
 * nvcc's grid.sync(): thread 0 of each block counts in the workspace, and the first block's increment flips the top
 * bit.
 */
const gridSync = (label: string): string => `
  barrier.sync 0; setp.ne.u32 %p, %t, 0; @%p bra ${label}done;
  mov.u32 %v, %nctaid.x; sub.u32 %v, 0x80000001, %v; mov.u32 %w, %ctaid.x; setp.eq.u32 %p, %w, 0; selp.b32 %v, %v, 1, %p;
  atom.add.release.gpu.u32 %w, [%ws], %v;
  ${label}: ld.acquire.gpu.u32 %v, [%ws]; xor.b32 %v, %v, %w; setp.gt.s32 %p, %v, -1; @%p bra ${label};
  ${label}done: barrier.sync 0;`;

const gridSum = `
  .reg .pred %p; .reg .b32 %v, %w, %hi, %lo, %sum, %n; .reg .b64 %ws, %a;
  mov.u32 %hi, %envreg1; mov.u32 %lo, %envreg2; mov.b64 %ws, {%lo, %hi}; add.s64 %ws, %ws, 4;
  mov.u32 %w, %ctaid.x; add.u32 %w, %w, 1; atom.global.add.u32 %v, [count], %w;
  ${gridSync("one")}
  ld.volatile.global.u32 %sum, [count];
  ${gridSync("two")}
  mov.u32 %w, %ctaid.x; mul.wide.u32 %a, %w, 4; add.s64 %a, %a, %out; st.global.u32 [%a], %sum;`;

test("a cooperative launch has a workspace, and its blocks wait for each other", async (t) => {
  const words = await wordsOf(gridSum, 24, {
    before: lock,
    grid: 24,
    block: 64,
    cooperative: true,
    maxInstructions: 2e7,
  });
  t.deepEqual(
    words,
    lanes(24, () => (64 * 24 * 25) / 2),
  );
});

test("each cooperative launch has a workspace of its own, and frees it", async (t) => {
  const text = `${lock}
.visible .entry k(.param .u64 out) { .reg .b64 %out; .reg .b32 %t; ld.param.u64 %out, [out]; mov.u32 %t, %tid.x; ${gridSum} ret; }`;
  const device = openDevice(deviceOf(text).process.image);
  const out = device.alloc(64);
  const before = device.process.memory.allocatedBytes;
  for (const expected of [96, 192]) {
    const { fault } = await device.launch("k", { grid: 2, block: 32, args: [out], cooperative: true });
    t.is(fault, undefined);
    t.deepEqual([...device.read(out, new Uint32Array(2))], [expected, expected]);
  }
  t.is(device.process.memory.allocatedBytes, before);
});

test("a kernel without its workspace gets an error that names cooperative launches", async (t) => {
  const body = `.reg .pred %p; .reg .b32 %v; mov.u32 %v, %envreg2; setp.eq.u32 %p, %v, 0; @%p trap;`;
  const { result } = await runBody(body);
  t.is(result.fault?.kind, "trap");
  t.regex(result.fault?.details?.[0] ?? "", /cooperative/);
});

// Lanes that leave the inner loop early return to the vote, with all lanes in their mask, while others are still inside
// with fewer: these continue among themselves.
test("votes of different masks at one instruction are separate", async (t) => {
  const body = `.reg .pred %p; .reg .b32 %k, %m, %n, %v; mov.u32 %n, 0; mov.u32 %v, 0;
    outer: and.b32 %k, %t, 7; mov.u32 %m, 0xffffffff;
    inner: setp.ne.u32 %p, %k, 0; vote.sync.ballot.b32 %m, %p, %m; @!%p bra leave;
    sub.u32 %k, %k, 1; add.u32 %v, %v, %m; bra inner;
    leave: add.u32 %n, %n, 1; setp.lt.u32 %p, %n, 3; @%p bra outer;
    st.global.u32 [%at], %v;`;
  const staying = (turn: number): number =>
    lanes(32, (lane) => lane % 8).reduce((mask, turns, lane) => (turns > turn ? mask | (1 << lane) : mask), 0);
  const sum = (turns: number): number => Array.from({ length: turns }, (_, i) => staying(i)).reduce((a, b) => a + b, 0);
  t.deepEqual(
    await wordsOf(body, 32),
    lanes(32, (lane) => (3 * sum(lane % 8)) | 0),
  );
});
