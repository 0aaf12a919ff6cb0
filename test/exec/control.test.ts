// How lanes diverge, reconverge, call and wait, and how a kernel stops.

import test from "ava";
import { abortAfter } from "./abort-after.js";
import { deviceOfModule, runBody, wordsOf } from "./kernel.js";

const lanes = (count: number, value: (lane: number) => number): readonly number[] =>
  Array.from({ length: count }, (_, i) => value(i));

test("lanes that diverged reconverge after the branch", async (t) => {
  const body = `
    .reg .pred %p; .reg .b32 %v, %m;
    setp.lt.u32 %p, %t, 10;
    @%p bra small;
    mov.u32 %v, 2;
    bra join;
  small: mov.u32 %v, 1;
  join: activemask.b32 %m;
    setp.eq.u32 %p, %m, 0xffffffff;
    selp.b32 %v, %v, 77, %p;
    st.global.u32 [%at], %v;`;
  t.deepEqual(
    await wordsOf(body, 32),
    lanes(32, (lane) => (lane < 10 ? 1 : 2)),
  );
});

test("a guard masks lanes, and an instruction whose guard is false in all lanes still counts", async (t) => {
  const { result } = await runBody(".reg .pred %p; setp.lt.u32 %p, %t, 3; @%p add.u32 %t, %t, 1; @!%p bra end; end:");
  // ld, mov, mul, add, setp, add, bra, ret
  t.is(result.warpInstructions, 8);
  t.is(result.threadInstructions, 6 * 32 + 3 + 29);
});

test("brx.idx sends each lane to its own label", async (t) => {
  const body = `
    .reg .b32 %i, %v;
    ts: .branchtargets a, b, c;
    rem.u32 %i, %t, 3;
    brx.idx %i, ts;
  a: mov.u32 %v, 10; bra done;
  b: mov.u32 %v, 20; bra done;
  c: mov.u32 %v, 30;
  done: st.global.u32 [%at], %v;`;
  t.deepEqual(
    await wordsOf(body, 32),
    lanes(32, (lane) => 10 * ((lane % 3) + 1)),
  );
});

const fibonacci = `
.func (.param .b32 r) fib(.param .b32 n) {
  .reg .pred %p; .reg .b32 %n, %a, %b;
  ld.param.b32 %n, [n];
  setp.lt.u32 %p, %n, 2;
  @%p bra base;
  sub.u32 %a, %n, 1;
  { .param .b32 x; .param .b32 y; st.param.b32 [x], %a; call (y), fib, (x); ld.param.b32 %a, [y]; }
  sub.u32 %b, %n, 2;
  { .param .b32 x; .param .b32 y; st.param.b32 [x], %b; call (y), fib, (x); ld.param.b32 %b, [y]; }
  add.u32 %n, %a, %b;
base: st.param.b32 [r], %n;
  ret;
}`;

test("recursion with a depth of its own in each lane", async (t) => {
  const body = `.reg .b32 %v; rem.u32 %v, %t, 11;
    { .param .b32 x; .param .b32 y; st.param.b32 [x], %v; call (y), fib, (x); ld.param.b32 %v, [y]; }
    st.global.u32 [%at], %v;`;
  const fib = [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55];
  t.deepEqual(
    await wordsOf(body, 32, { before: fibonacci }),
    lanes(32, (lane) => fib[lane % 11]!),
  );
});

test("unbounded recursion is a stack overflow at its source line", async (t) => {
  const before = ".func deep() {\n  .local .b32 x[8];\n  call deep;\n  ret;\n}";
  const { result } = await runBody("call deep;", { before });
  t.like(result.fault, { kind: "stack-overflow", kernel: "k", block: [0, 0, 0], file: "test.ptx", line: 6 });
});

test("an indirect call takes each lane to the function that it names", async (t) => {
  const before = `
.func (.reg .b32 r) one(.reg .b32 x) { add.u32 r, x, 100; ret; }
.func (.reg .b32 r) two(.reg .b32 x) { add.u32 r, x, 200; ret; }
.global .u64 table[2] = { one, two };`;
  const body = `.reg .b32 %i, %v; .reg .b64 %f, %a;
    and.b32 %i, %t, 1; mul.wide.u32 %a, %i, 8; mov.u64 %f, table; add.u64 %f, %f, %a; ld.global.u64 %f, [%f];
    proto: .callprototype (.reg .b32 _) _ (.reg .b32 _);
    call (%v), %f, (%t), proto;
    st.global.u32 [%at], %v;`;
  t.deepEqual(
    await wordsOf(body, 32, { before }),
    lanes(32, (lane) => lane + (lane % 2 === 0 ? 100 : 200)),
  );
});

test("a call through a value that is not a function's address is a fault that names the value", async (t) => {
  const body = ".reg .b64 %f; mov.u64 %f, 64; proto: .callprototype _ (); call %f, (), proto;";
  const { result } = await runBody(body);
  t.like(result.fault, { kind: "illegal-address", address: 64 });
});

test("barriers order the warps' writes and reads", async (t) => {
  const body = `.reg .b32 %s, %o, %v; .shared .b32 tile[128];
    mov.u32 %s, tile; shl.b32 %o, %t, 2; add.u32 %o, %s, %o; st.shared.u32 [%o], %t;
    bar.sync 0;
    sub.u32 %v, 127, %t; shl.b32 %o, %v, 2; add.u32 %o, %s, %o; ld.shared.u32 %v, [%o];
    st.global.u32 [%at], %v;`;
  t.deepEqual(
    await wordsOf(body, 128, { block: 128 }),
    lanes(128, (lane) => 127 - lane),
  );
});

test("bar.red counts the threads of the whole block, without the missing lanes of the last warp", async (t) => {
  const body = `.reg .pred %p; .reg .b32 %v; setp.lt.u32 %p, %t, 37; bar.red.popc.u32 %v, 0, %p; st.global.u32 [%at], %v;`;
  t.deepEqual(
    await wordsOf(body, 40, { block: 40 }),
    lanes(40, () => 37),
  );
});

test("a barrier waits for no thread that has exited", async (t) => {
  const body = ".reg .pred %p; setp.gt.u32 %p, %t, 20; @%p exit; bar.sync 0; st.global.u32 [%at], 5;";
  t.deepEqual(
    await wordsOf(body, 22, { block: 64 }),
    lanes(22, (lane) => (lane <= 20 ? 5 : 0)),
  );
});

test("threads that wait at different barriers are a deadlock, reported with the place of every warp", async (t) => {
  const body = `.reg .pred %p; setp.lt.u32 %p, %t, 32;
    @%p bar.sync 1, 64;
    @!%p bar.sync 2, 64;`;
  const { result } = await runBody(body, { block: 64 });
  t.is(result.fault?.kind, "deadlock");
  t.deepEqual(result.fault?.details, [
    "warp 0 of block 0, lanes 0xffffffff: bar.sync in k (test.ptx:10), barrier 1 has 32 of 64 threads",
    "warp 1 of block 0, lanes 0xffffffff: bar.sync in k (test.ptx:11), barrier 2 has 32 of 64 threads",
  ]);
});

test("bar.warp.sync synchronises lanes of diverged paths", async (t) => {
  const body = `.reg .pred %p; .reg .b32 %v; .shared .b32 flag; setp.eq.u32 %p, %t, 0;
    @%p bra leader;
    bar.warp.sync 0xffffffff; ld.shared.u32 %v, [flag]; bra done;
  leader: st.shared.u32 [flag], 9; bar.warp.sync 0xffffffff; mov.u32 %v, 9;
  done: st.global.u32 [%at], %v;`;
  t.deepEqual(
    await wordsOf(body, 32),
    lanes(32, () => 9),
  );
});

const lock = `.global .u32 mutex; .global .u32 count;`;
const locked = `.reg .pred %p; .reg .b32 %v;
  again: atom.global.cas.b32 %v, [mutex], 0, 1; setp.ne.u32 %p, %v, 0; @%p bra again;
    ld.volatile.global.u32 %v, [count]; add.u32 %v, %v, 1; st.volatile.global.u32 [count], %v;
    membar.gl; atom.global.exch.b32 %v, [mutex], 0;`;

test("a spin lock between lanes, warps and blocks is passed on", async (t) => {
  const { result, device } = await runBody(locked, { before: lock, grid: 3, block: 64, maxInstructions: 20_000_000 });
  t.is(result.fault, undefined);
  t.deepEqual([...device.read(device.symbol("count"), new Uint32Array(1))], [192]);
});

test("a block that waits for a later one lets it start", async (t) => {
  const body = `.reg .pred %p; .reg .b32 %b, %v; mov.u32 %b, %ctaid.x;
    setp.eq.u32 %p, %b, 3; @%p bra set;
  wait: ld.acquire.gpu.global.u32 %v, [mutex]; setp.eq.u32 %p, %v, 0; @%p bra wait;
    st.global.u32 [%at], %v; bra done;
  set: st.global.u32 [mutex], 4;
  done:`;
  const words = await wordsOf(body, 32, { before: lock, grid: 4, maxInstructions: 50_000_000 });
  t.deepEqual(
    words,
    lanes(32, () => 4),
  );
});

test("the instruction limit stops an endless loop at its current instruction", async (t) => {
  const { result } = await runBody("forever: bra forever;", { maxInstructions: 1000 });
  t.like(result.fault, { kind: "instruction-limit", line: 9 });
  t.is(result.warpInstructions, 1000);
});

test("an abort signal ends an endless loop", async (t) => {
  const { result } = await runBody("forever: bra forever;", { maxInstructions: 1e12, signal: abortAfter(20) });
  t.is(result.fault?.kind, "interrupted");
});

test("trap names the thread that executed it", async (t) => {
  const { result } = await runBody(".reg .pred %p; setp.eq.u32 %p, %t, 37; @%p trap;", { block: 64, grid: 2 });
  t.like(result.fault, { kind: "trap", thread: [37, 0, 0], block: [0, 0, 0] });
});

test("wild and misaligned addresses are faults with the address, the thread and the line", async (t) => {
  const wild = await runBody(".reg .b64 %a; add.u64 %a, %at, 4000;\n  ld.global.u32 %t, [%a];");
  t.like(wild.result.fault, { kind: "illegal-address", thread: [24, 0, 0], line: 10 });
  const odd = await runBody(".reg .b64 %a; add.u64 %a, %at, 2; ld.global.u32 %t, [%a];");
  t.like(odd.result.fault, { kind: "misaligned-address", thread: [0, 0, 0] });
  const nothing = await runBody(".reg .b64 %a; mov.u64 %a, 0; st.u32 [%a], 1;");
  t.regex(nothing.result.fault?.message ?? "", /null pointer/);
});

test("a fault is reported at the .loc in force", async (t) => {
  const { result } = await runBody(".loc 1 42 3\n  trap;", { before: '.file 1 "kernel.cu"' });
  t.like(result.fault, { file: "kernel.cu", line: 42 });
});

test("an instruction that is not executed is refused by name before anything runs", async (t) => {
  const device = deviceOfModule(`.version 9.4
.target sm_107a
.address_size 64
.visible .entry k() { .reg .b32 %a; mov.b32 %a, 0; tcgen05.dealloc.exclusive.cta_group::1.sync.aligned.b32 %a, 32; ret; }`);
  await t.throwsAsync(() => device.launch("k", { grid: 1, block: 32, args: [] }), {
    name: "BindError",
    message: /'tcgen05\.dealloc\.exclusive\S+' is not executed yet/,
  });
});

test("bar.warp.sync with a mask for each half: lanes wait for their own half and for no other", async (t) => {
  const body = `.reg .b32 %m, %v, %i; .reg .pred %low, %q; .shared .b32 s; setp.lt.u32 %low, %t, 16;
    selp.b32 %m, 0xffff, 0xffff0000, %low; mov.u32 %v, 9; mov.u32 %i, 0;
    setp.ge.u32 %q, %t, 24; @%q bra late;
    bar.warp.sync %m; ld.shared.u32 %v, [s]; bra end;
    late: add.u32 %i, %i, 1; st.shared.u32 [s], 5; setp.lt.u32 %q, %i, 10; @%q bra late; bar.warp.sync %m;
    end: st.global.u32 [%at], %v;`;
  const words = await wordsOf(body, 32);
  t.deepEqual(words.slice(16), [...new Array<number>(8).fill(5), ...new Array<number>(8).fill(9)]);
});

test("elements of a vector register are registers of their own", async (t) => {
  const body = `
    .reg .v4 .u32 %v;
    .reg .v2 .u64 %w;
    .reg .u32 %u;
    add.u32 %v.x, %t, 1;
    add.u32 %v.y, %v.x, 10;
    add.u32 %v.b, %v.g, 100;
    sub.u32 %v.a, %v.z, %v.r;
    cvt.u64.u32 %w.x, %v.w;
    mul.wide.u32 %w.y, %v.x, 3;
    add.u64 %w.x, %w.x, %w.y;
    cvt.u32.u64 %u, %w.x;
    st.global.u32 [%at], %u;`;
  t.deepEqual(
    await wordsOf(body, 32),
    lanes(32, (lane) => 110 + 3 * (lane + 1)),
  );
});

test("whole vector registers are passed to and from vectors, other partitions of their bits, and single values", async (t) => {
  const before = `
    .func (.reg .v2 .u32 %r) swap(.reg .v2 .u32 %p) { mov.u32 %r.x, %p.y; mov.u32 %r.y, %p.x; ret; }
    .func (.reg .u64 %r) join(.reg .v4 .u16 %p) { mov.b64 %r, {%p.x, %p.y, %p.z, %p.w}; ret; }
    .func (.param .b64 r) same(.param .b64 p) { .reg .b64 %v; ld.param.b64 %v, [p]; st.param.b64 [r], %v; ret; }`;
  const body = `
    .reg .v2 .u32 %v; .reg .v4 .u16 %h; .reg .u64 %w; .param .b64 a;
    mov.u32 %v.x, 1; mov.u32 %v.y, 0x20003;
    call (%v), swap, (%v);
    mov.b64 {%h.x, %h.y, %h.z, %h.w}, 0x4000300020001;
    call (%w), join, (%h);
    st.global.v2.u32 [%at], %v;
    st.global.u64 [%at+8], %w;
    P: .callprototype (.param .v2 .u32 r) _ (.param .v2 .u32 p);
    mov.u64 %w, same;
    call (%v), %w, (%v), P;
    st.global.v2.u32 [%at+16], %v;`;
  t.deepEqual([...(await wordsOf(body, 6, { block: 1, before }))], [0x20003, 1, 0x20001, 0x40003, 0x20003, 1]);
});
