// Generic addresses of any state space at run time: the same or different ones in each lane, of known and unknown
// origin, and every way to stop. Both engines leave and report the same.

import test from "ava";
import { type Outcome, onBothEngines, words } from "./both.js";

const ROUNDS = 12;
/** The buffer has a random word for each round and lane, then a slice of 64 bytes for each lane, then results. */
const SLICES = 4 * 32 * ROUNDS;
const RESULTS = SLICES + 64 * 32;
const BYTES = RESULTS + 4 * 32;

/**
 * In each round a lane's random word chooses the target of its pointer %to: its 64 bytes of global (0), shared (1) or
 * local memory (2), constants (3) or the parameter (4), and an offset. %store is true if the target is writable.
 */
const kernelOf = (body: string): string => `
.const .align 16 .b8 table[64] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 128, 129, 255, 254};
.visible .entry k(.param .u64 buffer) {
  .reg .b64 %base, %at, %to, %global, %shared, %local, %slice, %x, %y, %c, %param, %s1, %l1, %p1, %c1;
  .reg .b32 %n, %lane, %which, %v, %u, %sum; .reg .b16 %h; .reg .pred %more, %p, %store;
  .shared .align 16 .b8 tile[2048]; .local .align 16 .b8 depot[80];
  ld.param.u64 %base, [buffer]; mov.u32 %lane, %laneid; mov.u32 %n, 0; mov.u32 %sum, 0;
  mad.wide.u32 %at, %lane, 4, %base; mad.wide.u32 %global, %lane, 64, %base; add.s64 %global, %global, ${SLICES};
  mov.u64 %s1, tile; cvta.shared.u64 %shared, %s1; mad.wide.u32 %shared, %lane, 64, %shared;
  mov.u64 %l1, depot; cvta.local.u64 %local, %l1; mov.u64 %c1, table; cvta.const.u64 %c, %c1;
  mov.u64 %p1, buffer; cvta.param.u64 %param, %p1;
again:
  ld.global.u32 %which, [%at]; and.b32 %u, %which, 48; shr.u32 %which, %which, 8; setp.lt.u32 %store, %which, 3;
  mov.u64 %to, %global; setp.eq.u32 %p, %which, 1; selp.b64 %to, %shared, %to, %p; setp.eq.u32 %p, %which, 2; selp.b64 %to, %local, %to, %p;
  setp.eq.u32 %p, %which, 3; selp.b64 %to, %c, %to, %p; cvt.u64.u32 %x, %u; add.s64 %to, %to, %x;
  setp.eq.u32 %p, %which, 4; selp.b64 %to, %param, %to, %p;
  ${body}
  add.s64 %at, %at, 128; add.u32 %n, %n, 1; setp.lt.u32 %more, %n, ${ROUNDS}; @%more bra again;
  mad.wide.u32 %at, %lane, 4, %base; st.global.u32 [%at+${RESULTS}], %sum;
  ret;
}`;

/** The space of each lane in a round: one for all, two alternating, or random. */
function choices(spaces: number): Uint8Array {
  const next = words(977);
  const bytes = new Uint8Array(BYTES).map(next);
  const view = new DataView(bytes.buffer);
  for (let round = 0; round < ROUNDS; round++)
    for (let lane = 0; lane < 32; lane++) {
      const any = (next() >>> 7) % spaces;
      const all = round % spaces;
      const which = round < 5 ? all : round < 9 ? (lane % 4 === round - 5 ? any : all) : any;
      view.setInt32(4 * (32 * round + lane), (which << 8) | (16 * ((next() >>> 9) % 4)), true);
    }
  return bytes;
}

async function agree(text: string, input: Uint8Array): Promise<{ readonly t: Outcome; readonly same: boolean }> {
  const [[fast, reference] = []] = await onBothEngines(text, input);
  const same = Buffer.compare(fast!.memory, reference!.memory) === 0;
  return { t: fast!, same: same && JSON.stringify(fast!.result) === JSON.stringify(reference!.result) };
}

const bodies: Readonly<Record<string, string>> = {
  "loads of words": "ld.u32 %v, [%to]; add.u32 %sum, %sum, %v; ld.u32 %v, [%to+4]; xor.b32 %sum, %sum, %v;",
  "loads of bytes": "ld.s8 %v, [%to+1]; add.u32 %sum, %sum, %v; ld.u8 %v, [%to+2]; mad.lo.u32 %sum, %sum, 31, %v;",
  "words back and forth":
    "ld.u32 %v, [%to]; add.u32 %v, %v, %lane; @%store st.u32 [%to], %v; ld.u32 %u, [%to]; mad.lo.u32 %sum, %sum, 31, %u;",
  "long words":
    "ld.u64 %x, [%to]; add.s64 %x, %x, %to; @%store st.u64 [%to], %x; ld.u64 %y, [%to]; cvt.u32.u64 %u, %y; xor.b32 %sum, %sum, %u;",
  "halves by a guard":
    "setp.lt.u32 %p, %lane, 20; @%p ld.u16 %h, [%to+6]; add.u16 %h, %h, 3; @%store st.u16 [%to+2], %h; cvt.u32.u16 %u, %h; add.u32 %sum, %sum, %u;",
  "a store between loads of a variable":
    "st.local.u32 [depot+16], %n; ld.local.u32 %v, [depot+16]; @%store st.u32 [%to], %sum; ld.local.u32 %u, [depot+16]; mad.lo.u32 %sum, %v, 31, %u; ld.u32 %v, [%to]; add.u32 %sum, %sum, %v;",
  "what space each is of":
    "isspacep.shared %p, %to; selp.u32 %v, 1, 0, %p; isspacep.local %p, %to; selp.u32 %u, 2, 0, %p; add.u32 %v, %v, %u; isspacep.const %p, %to; selp.u32 %u, 4, 0, %p; add.u32 %v, %v, %u; isspacep.param %p, %to; selp.u32 %u, 8, 0, %p; add.u32 %v, %v, %u; isspacep.global %p, %to; selp.u32 %u, 16, 0, %p; add.u32 %v, %v, %u; isspacep.shared::cluster %p, %to; selp.u32 %u, 32, 0, %p; add.u32 %v, %v, %u; mad.lo.u32 %sum, %sum, 31, %v;",
  atomics: "@%store atom.add.u32 %v, [%to], %lane; mad.lo.u32 %sum, %sum, 31, %v; @%store red.xor.b64 [%to], %base;",
};

for (const [name, body] of Object.entries(bodies))
  test(`generic addresses anywhere: ${name}`, async (t) => {
    const { t: ran, same } = await agree(kernelOf(body), choices(5));
    t.is(ran.result.fault, undefined);
    t.true(same);
  });

test("vectors at generic addresses anywhere", async (t) => {
  const body = `ld.v4.u32 {%v, %u, _, %which}, [%to]; add.u32 %sum, %sum, %v; xor.b32 %sum, %sum, %u;
    add.u32 %sum, %sum, %which; @%store st.v2.u32 [%to+8], {%sum, %v};`;
  const { t: ran, same } = await agree(kernelOf(body), choices(4));
  t.is(ran.result.fault, undefined);
  t.true(same);
});

test("lanes whose addresses are in several allocations", async (t) => {
  // Some lanes allocate; then all lanes go through those blocks, which are twice as many as the cache of regions holds.
  for (const leaders of [1, 3, 31]) {
    const text = `.extern .func (.param .b64 r) malloc (.param .b64 n); .extern .func free (.param .b64 p);
.visible .entry k(.param .u64 buffer) {
  .reg .b64 %base, %at, %own, %to; .reg .b32 %n, %lane, %from, %v, %sum, %lo, %hi; .reg .pred %p, %more;
  ld.param.u64 %base, [buffer]; mov.u32 %lane, %laneid; mad.wide.u32 %at, %lane, 4, %base; mov.u32 %n, 0; mov.u32 %sum, 0; mov.u64 %own, %base;
  setp.le.u32 %p, %lane, ${leaders}; @!%p bra have;
  { .param .b64 n; .param .b64 r; st.param.b64 [n], 256; call (r), malloc, (n); ld.param.b64 %own, [r]; }
have: bar.warp.sync -1;
again: add.u32 %from, %lane, %n; and.b32 %from, %from, ${leaders}; mov.b64 {%lo, %hi}, %own;
  shfl.sync.idx.b32 %lo, %lo, %from, 31, -1; shfl.sync.idx.b32 %hi, %hi, %from, 31, -1; mov.b64 %to, {%lo, %hi};
  setp.eq.u32 %p, %n, 9; selp.b64 %to, %base, %to, %p; mad.wide.u32 %to, %lane, 4, %to;
  ld.global.u32 %v, [%to]; add.u32 %v, %v, %n; st.global.u32 [%to], %v; ld.u32 %v, [%to]; mad.lo.u32 %sum, %sum, 31, %v;
  add.u32 %v, %v, 1; st.u32 [%to], %v; atom.global.add.u32 %v, [%to], %lane; add.u32 %sum, %sum, %v;
  add.u32 %n, %n, 1; setp.lt.u32 %more, %n, 40; @%more bra again;
  st.global.u32 [%at], %sum;
  setp.ne.u32 %p, %lane, 0; @%p bra end;
  { .param .b64 p; st.param.b64 [p], %own; call free, (p); }
  ld.global.u32 %v, [%own];
end: ret; }`;
    const { t: ran, same } = await agree(text, choices(3));
    t.is(ran.result.fault?.kind, "illegal-address");
    t.true(same);
  }
});

const stops: Readonly<Record<string, string>> = {
  "a store to constants": "setp.ge.u32 %p, %n, 8; @!%p setp.lt.u32 %p, %which, 3; @%p st.u32 [%to], %n;",
  "a load that is not aligned": "setp.eq.u32 %p, %n, 7; @%p add.s64 %to, %to, 2; ld.u32 %v, [%to];",
  "a load from behind shared memory":
    "setp.eq.u32 %p, %n, 7; @%p add.s64 %to, %shared, 4096; st.global.u32 [%at], %n; ld.u32 %v, [%to];",
  "a store before a window": "setp.eq.u32 %p, %n, 7; @%p sub.s64 %local, %local, 16; st.u32 [%local], %n;",
  "a store behind the stack": "setp.eq.u32 %p, %n, 7; @%p add.s64 %local, %local, 4096; st.u32 [%local], %n;",
  "a vector that ends behind shared memory":
    "add.s64 %x, %shared, 56; st.v2.u32 [%x], {%n, %n}; setp.eq.u32 %p, %lane, 31; add.s64 %x, %x, 4; @%p ld.v2.u32 {%u, %v}, [%x];",
};

for (const [name, body] of Object.entries(stops))
  test(`both engines stop at ${name}`, async (t) => {
    const { t: ran, same } = await agree(kernelOf(body), choices(4));
    t.not(ran.result.fault, undefined);
    t.true(same);
  });

// ------------------------------------------------------------------------------------------- addresses whose origin is known

/** %v is a variable of 32 bytes after one of 16, %g its generic address, %gc the same as a cluster address. */
const depots = (body: string): string => `
.global .align 4 .u32 counter[4];
.visible .entry k(.param .u64 buffer) {
  .reg .b64 %base, %at, %v, %g, %h, %i, %w; .reg .b32 %x, %y, %lane, %sum; .reg .b16 %s; .reg .pred %p;
  .local .align 16 .b8 before[16]; .local .align 16 .b8 depot[32]; .shared .align 16 .b8 tile[64];
  ld.param.u64 %base, [buffer]; mov.u32 %lane, %laneid; mad.wide.u32 %at, %lane, 4, %base; ld.global.u32 %x, [%at]; mov.u32 %sum, 0;
  mov.u64 %v, depot; cvta.local.u64 %g, %v; and.b32 %y, %lane, 3; setp.eq.u32 %p, %y, 1;
  ${body}
  st.global.u32 [%at], %sum; ret;
}`;

const known: Readonly<Record<string, string>> = {
  "stores and loads of all sizes": `st.u32 [%g], %x; st.u8 [%g+5], %x; st.u16 [%g+6], %lane; ld.u32 %sum, [%g+4]; ld.s8 %y, [%g+5];
    add.u32 %sum, %sum, %y; ld.u16 %y, [%g+6]; xor.b32 %sum, %sum, %y; st.v2.u32 [%g+8], {%x, %sum}; ld.u64 %w, [%g+8]; ld.u32 %y, [%g+12];
    add.u32 %sum, %sum, %y; cvt.u32.u64 %y, %w; add.u32 %sum, %sum, %y; st.u64 [%g+16], %w; ld.v2.u32 {%y, %x}, [%g+16]; add.u32 %sum, %sum, %x;`,
  "a part stored over": `st.u32 [%g], %x; ld.u32 %sum, [%g]; st.u8 [%g+1], %lane; ld.u32 %y, [%g]; mad.lo.u32 %sum, %sum, 31, %y;
    st.v2.u32 [%g], {%y, %sum}; ld.v2.u32 {%x, %sum}, [%g]; st.u32 [%g+4], %x; ld.v2.u32 {%x, %y}, [%g]; add.u32 %sum, %sum, %y;`,
  "a guarded store between": `st.u32 [%g], %x; @%p st.u32 [%g], %lane; ld.u32 %sum, [%g]; @!%p st.u32 [%g+4], %sum; ld.u32 %y, [%g+4]; add.u32 %sum, %sum, %y;`,
  "a store by an index between": `st.u32 [%g+8], %x; ld.u32 %sum, [%g+8]; mul.wide.u32 %w, %y, 4; add.s64 %h, %g, %w; st.u32 [%h], %lane;
    ld.u32 %y, [%g+8]; mad.lo.u32 %sum, %sum, 31, %y; ld.u32 %y, [%h]; add.u32 %sum, %sum, %y; add.s64 %i, %v, %w; ld.local.u32 %y, [%i]; add.u32 %sum, %sum, %y;`,
  "a register of several values": `mov.u64 %h, %g; @%p add.s64 %h, %g, 4; st.u32 [%h], %x; ld.u32 %sum, [%g+4]; mov.u64 %i, %g; @%p bra one;
    bra two; one: add.s64 %i, %g, 8; two: st.u32 [%i], %lane; ld.u32 %y, [%g]; add.u32 %sum, %sum, %y; ld.u32 %y, [%g+8]; add.u32 %sum, %sum, %y;`,
  "another variable by an offset": `st.u32 [%g+-16], %x; ld.local.u32 %sum, [before]; sub.s64 %h, %g, 4; st.u32 [%h], %lane; ld.local.u32 %y, [before+12]; add.u32 %sum, %sum, %y;`,
  "shared memory and a module's variable": `mov.u64 %h, tile; cvta.shared.u64 %i, %h; st.u32 [%i+8], %x; ld.u32 %sum, [%i+8]; ld.shared.u32 %y, [tile+8];
    add.u32 %sum, %sum, %y; mov.u64 %w, counter; atom.add.u32 %y, [%w+4], 1; add.u32 %sum, %sum, %y; ld.u32 %y, [%w+4]; add.u32 %sum, %sum, %y;
    ld.global.u32 %y, [%w+4]; add.u32 %sum, %sum, %y; st.u32 [%w+8], %lane; ld.u32 %y, [counter+8]; add.u32 %sum, %sum, %y;`,
};

for (const [name, body] of Object.entries(known))
  test(`addresses whose origin is known: ${name}`, async (t) => {
    const { t: ran, same } = await agree(depots(body), choices(4));
    t.is(ran.result.fault, undefined);
    t.true(same);
  });

test("a loaded value is restored for a lane that reaches a fault", async (t) => {
  // The sum is stored over its summands, and then a lane faults.
  const body = `st.u32 [%g], %x; bar.warp.sync -1; ld.u32 %y, [%g]; add.u32 %y, %y, 5; st.u32 [%g], %y;
    setp.gt.u32 %p, %lane, 13; @%p add.s64 %at, %at, 65536; ld.global.u32 %sum, [%at]; ld.u32 %y, [%g]; add.u32 %sum, %sum, %y;`;
  const { t: ran, same } = await agree(depots(body), choices(4));
  t.is(ran.result.fault?.kind, "illegal-address");
  t.true(same);
});

const strange: Readonly<Record<string, string>> = {
  "the upper half of one":
    "mov.b64 {%y, %z}, %v; ld.local.u32 %sum, [%z]; st.local.u32 [before], %x; add.u32 %sum, %sum, %z;",
  "one that a sum of floats has made another": "add.f64 %h, %g, 0d0010000000000000; ld.u32 %sum, [%h];",
  "one and its double": "add.s64 %h, %g, %g; ld.u32 %sum, [%h];",
};

for (const [name, body] of Object.entries(strange))
  test(`addresses that look like known ones: ${name}`, async (t) => {
    const input = new Uint8Array(4096).fill(1);
    const { same } = await agree(depots(`.reg .b32 %z; st.local.u32 [depot], 77; ${body}`), input);
    t.true(same);
  });

test("a pointer that is unset on this path is null", async (t) => {
  const body = "@%p bra far; bra.uni near; far: mov.u64 %h, %g; near: st.u32 [%h], %x;";
  const { t: ran, same } = await agree(depots(body), choices(4));
  t.is(ran.result.fault?.kind, "illegal-address");
  t.true(same);
});

test("a generic access that names a shared variable is in shared memory", async (t) => {
  const text = `.visible .entry k(.param .u64 buffer) {
    .reg .b64 %at; .reg .b32 %v, %w; .shared .b32 s[2];
    ld.param.u64 %at, [buffer]; st.b32 [s+4], 5; bar.warp.sync -1; atom.add.u32 %v, [s+4], 2; bar.warp.sync -1;
    ld.b32 %v, [s+4]; ld.shared.b32 %w, [s+4]; st.global.v2.b32 [%at], {%v, %w}; ret; }`;
  const [[fast, reference]] = (await onBothEngines(text, new Uint8Array(8))) as [[Outcome, Outcome]];
  t.deepEqual([...new Int32Array(reference.memory.buffer)], [69, 69]);
  t.deepEqual(fast.memory, reference.memory);
});
