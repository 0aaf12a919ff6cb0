// State spaces, windows, widths of loads and stores, atomics, and system functions.

import test from "ava";
import { runBody, wordsOf } from "./kernel.js";

const one = (body: string, before = ""): Promise<readonly number[]> =>
  wordsOf(`${body} st.global.u32 [%at], %v;`, 1, { block: 1, before });

test("generic addresses reach every window, and back", async (t) => {
  const body = `.reg .pred %p, %q; .reg .b32 %v; .reg .b64 %g, %b; .shared .b32 s; .local .b32 l;
    mov.u64 %g, s; cvta.shared.u64 %g, %g; st.u32 [%g], 5; ld.shared.u32 %v, [s];
    mov.u64 %b, l; cvta.local.u64 %b, %b; st.u32 [%b], %v; ld.local.u32 %v, [l]; add.u32 %v, %v, 1;
    isspacep.shared %p, %g; isspacep.global %q, %at; and.pred %p, %p, %q; selp.b32 %v, %v, 0, %p;`;
  t.deepEqual(await one(body), [6]);
});

test("cvta.to of a function is its address, as mov has it", async (t) => {
  const body = `.reg .pred %p; .reg .b32 %v; .reg .b64 %a, %b;
    cvta.to.global.u64 %a, f; mov.u64 %b, f; setp.eq.u64 %p, %a, %b; selp.b32 %v, 3, 0, %p;`;
  t.deepEqual(await one(body, ".func f() { ret; }"), [3]);
});

test("constants by bank offset and by generic pointer in an initialiser", async (t) => {
  const before = ".const .u32 c[2] = {7, 8}; .global .u64 p = generic(c) + 4;";
  const body =
    ".reg .b32 %v, %w; .reg .b64 %g; ld.global.u64 %g, [p]; ld.u32 %v, [%g]; ld.const.u32 %w, [c]; add.u32 %v, %v, %w;";
  t.deepEqual(await one(body, before), [15]);
});

test("a store through a pointer to constants is refused", async (t) => {
  const before = ".const .u32 c = 7;";
  const { result } = await runBody(".reg .b64 %g; mov.u64 %g, c; cvta.const.u64 %g, %g; st.u32 [%g], 1;", { before });
  t.like(result.fault, { kind: "illegal-address" });
  t.regex(result.fault?.message ?? "", /read-only/);
});

test("mask() bytes and narrow holders are written without touching their neighbours", async (t) => {
  const before = ".global .u32 x = 1; .global .align 4 .u8 bytes[4] = {0xff(x), 0xFF00(x), 3, 4};";
  const body = `.reg .b32 %v, %w; .reg .b64 %x; mov.u64 %x, x; cvt.u32.u64 %w, %x; and.b32 %w, %w, 0xffff;
    ld.global.u32 %v, [bytes]; xor.b32 %v, %v, %w;`;
  t.deepEqual(await one(body, before), [0x04030000]);
});

test("loads extend by the sign of their type, into wider registers, too", async (t) => {
  const before = ".global .b32 m = 0x80ff;";
  const sum = (loads: string): string => `.reg .b32 %v; .reg .b64 %d; .reg .b16 %h; ${loads}`;
  t.deepEqual(await one(sum("ld.global.s8 %v, [m];"), before), [-1]);
  t.deepEqual(await one(sum("ld.global.u8 %v, [m];"), before), [255]);
  t.deepEqual(await one(sum("ld.global.s16 %d, [m]; shr.s64 %d, %d, 32; cvt.u32.u64 %v, %d;"), before), [-1]);
  t.deepEqual(await one(sum("ld.global.s8 %h, [m]; cvt.s32.s16 %v, %h;"), before), [-1]);
});

test("vectors load and store their elements in order, and must be aligned as a whole", async (t) => {
  const before = ".global .align 16 .b32 m[8] = {1, 2, 3, 4, 5, 6, 7, 8};";
  const body = `.reg .b32 %v, %a<4>; ld.global.v4.u32 {%a0, %a1, %a2, %a3}, [m+16]; st.global.v2.u32 [m], {%a3, %a0};
    ld.global.u32 %v, [m+4]; mad.lo.u32 %v, %v, 10, %a2;`;
  t.deepEqual(await one(body, before), [57]);
  const { result } = await runBody(".reg .b32 %a, %b; ld.global.v2.u32 {%a, %b}, [m+4];", { before });
  t.is(result.fault?.kind, "misaligned-address");
});

test("an element '_' in a vector of 256 bits keeps its bytes", async (t) => {
  const before = ".global .align 32 .b32 m[8] = {1, 2, 3, 4, 5, 6, 7, 8};";
  const body = `.reg .b32 %v, %w; mov.u32 %v, 70; st.global.v8.b32 [m], {_, %v, _, _, _, _, _, _};
    mov.u32 %w, 9; ld.global.v8.b32 {_, %v, _, _, %w, _, _, _}, [m]; add.u32 %v, %v, %w;
    ld.global.u32 %w, [m]; mad.lo.u32 %v, %v, 10, %w;`;
  t.deepEqual(await one(body, before), [751]);
});

test("signalling NaNs keep their bits through loads, moves, selections and stores", async (t) => {
  const before = ".global .b32 m = 0x7f800001;";
  const body =
    ".reg .f32 %f, %g; .reg .b32 %v; ld.global.f32 %f, [m]; mov.f32 %g, %f; st.global.f32 [m], %g; ld.global.u32 %v, [m];";
  t.deepEqual(await one(body, before), [0x7f800001]);
});

const atom = (text: string): string =>
  `.reg .b32 %v, %o; ${text}; ld.global.u32 %v, [m]; shl.b32 %o, %o, 8; or.b32 %v, %v, %o;`;

for (const [text, expected] of [
  ["atom.global.add.u32 %o, [m], 3", 0x508],
  ["atom.global.inc.u32 %o, [m], 5", 0x500],
  ["atom.global.dec.u32 %o, [m], 3", 0x503],
  ["atom.global.cas.b32 %o, [m], 5, 9", 0x509],
  ["atom.global.cas.b32 %o, [m], 4, 9", 0x505],
  ["atom.global.exch.b32 %o, [m], 9", 0x509],
  ["atom.global.min.s32 %o, [m], -1; and.b32 %o, %o, 15; st.global.u8 [m+1], 0; st.global.u16 [m+2], 0", 0x5ff],
  ["atom.global.and.b32 %o, [m], 4", 0x504],
] as const) {
  test(text.split(";")[0]!, async (t) => {
    t.deepEqual(await one(atom(text), ".global .b32 m = 5;"), [expected]);
  });
}

test("atomic additions by all lanes to one word all count", async (t) => {
  const { device } = await runBody("red.global.add.u32 [m], 1; red.global.add.f64 [f], 0d3FE0000000000000;", {
    before: ".global .u32 m; .global .f64 f;",
    block: 96,
  });
  t.deepEqual([...device.read(device.symbol("m"), new Uint32Array(1))], [96]);
  t.deepEqual([...device.read(device.symbol("f"), new Float64Array(1))], [48]);
});

test("dynamic shared memory begins behind the static variables", async (t) => {
  const before = ".extern .shared .align 16 .b8 dynamic[];";
  const body =
    ".reg .b32 %v, %w; .shared .b32 fixed[4]; st.shared.u32 [fixed], 1; st.shared.u32 [dynamic+60], 2; mov.u32 %v, dynamic; mov.u32 %w, %dynamic_smem_size; add.u32 %v, %v, %w; st.global.u32 [%at], %v;";
  t.deepEqual(await wordsOf(body, 1, { before, block: 1, sharedBytes: 64 }), [1024 + 80]);
  // The hardware does not check accesses up to the end of the last KiB.
  t.deepEqual(await wordsOf(body, 1, { before, block: 1, sharedBytes: 32 }), [1024 + 48]);
  const far = body.replace("dynamic+60", "dynamic+1008");
  const { result } = await runBody(far, { before, block: 1, sharedBytes: 1008 });
  t.is(result.fault?.kind, "illegal-address");
});

/** The bytes of a C string, in PTX's form. */
const characters = (text: string): string => [...Buffer.from(`${text}\0`)].join(", ");

const externs = `
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.extern .func (.param .b64 r) malloc(.param .b64 n);
.extern .func free(.param .b64 p);
.extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s);
.global .align 1 .b8 format[] = {${characters("x=%d %5.1f|%s\n")}};
.global .align 1 .b8 word[] = {${characters("hey")}};`;

test("printf prints in block order and answers its argument count", async (t) => {
  const body = `.reg .b32 %v, %b; .reg .b64 %a, %f; .reg .f64 %d; .local .align 8 .b8 block[24];
    mov.u32 %b, %ctaid.x; cvt.rn.f64.u32 %d, %b; mov.u64 %a, word; cvta.global.u64 %a, %a;
    st.local.u32 [block], %b; st.local.f64 [block+8], %d; st.local.u64 [block+16], %a;
    mov.u64 %a, block; cvta.local.u64 %a, %a; mov.u64 %f, format; cvta.global.u64 %f, %f;
    { .param .b64 p; .param .b64 q; .param .b32 r; st.param.b64 [p], %f; st.param.b64 [q], %a;
      call (r), vprintf, (p, q); ld.param.b32 %v, [r]; }
    st.global.u32 [%at], %v;`;
  const { result, out } = await runBody(body, { before: externs, block: 1, grid: 3 });
  t.is(result.printf, "x=0   0.0|hey\nx=1   1.0|hey\nx=2   2.0|hey\n");
  t.is(out.getInt32(0, true), 3);
});

test("memory from malloc can be freed once", async (t) => {
  const freeing = "{ .param .b64 p; st.param.b64 [p], %a; call free, (p); }";
  const body = `.reg .b64 %a;
    { .param .b64 n; .param .b64 r; st.param.b64 [n], 64; call (r), malloc, (n); ld.param.b64 %a, [r]; }
    st.u32 [%a+60], 1; ${freeing}`;
  t.is((await runBody(body, { before: externs })).result.fault, undefined);
  t.is((await runBody(body + freeing, { before: externs })).result.fault?.kind, "illegal-address");
});

test("a failed assertion reports its message", async (t) => {
  const body = `.reg .b64 %a; mov.u64 %a, word; cvta.global.u64 %a, %a;
    { .param .b64 m; .param .b64 f; .param .b32 l; .param .b64 n; .param .b64 s;
      st.param.b64 [m], %a; st.param.b64 [f], %a; st.param.b32 [l], 12; st.param.b64 [n], %a; st.param.b64 [s], 1;
      call __assertfail, (m, f, l, n, s); }`;
  const { result } = await runBody(body, { before: externs });
  t.like(result.fault, { kind: "assert", message: "hey:12: hey: assertion `hey` failed" });
});

test("an address in 32 bits wraps: a register below 0 and an offset above it meet in between", async (t) => {
  const body = (space: string): string => `.${space} .b32 s[8]; .reg .b32 %v, %r; st.${space}.u32 [s], 7; mov.u32 %r, s;
    sub.u32 %r, %r, 16; ld.${space}.u32 %v, [%r+16];`;
  t.deepEqual(await one(body("shared")), [7]);
  t.deepEqual(await one(body("local")), [7]);
});

test("f32 additions flush subnormals in global memory, and keep them in shared, through generic addresses, too", async (t) => {
  const before = ".global .b32 m = 1;";
  const sum = (space: string, at: string): string => `.shared .b32 s; .reg .f32 %f; .reg .b64 %g; .reg .b32 %v;
    st.shared.u32 [s], 1; cvta.shared.u64 %g, s; mov.b32 %f, 1; red${space}.add.f32 [${at}], %f;
    ld.shared.u32 %v, [s];`;
  t.deepEqual(await one(sum(".shared", "s")), [2]);
  t.deepEqual(await one(sum("", "%g")), [2]);
  t.deepEqual(await one(`${sum(".global", "m")} ld.global.u32 %v, [m];`, before), [0]);
});

test("a vector's results may overlap its address operands", async (t) => {
  const body = `.reg .f32 %a, %b; .reg .b32 %v; mov.f32 %a, 1.0; mov.f32 %b, 2.0;
    atom.global.v2.f32.add {%a, %b}, [m], {%b, %a}; ld.global.u32 %v, [m+4];`;
  t.deepEqual(await one(body, ".global .align 8 .f32 m[2] = {4.0, 8.0};"), [0x41100000]);
});

const heap = ".extern .func free(.param .b64 p); .extern .func (.param .b64 r) malloc(.param .b64 size);";

test("memory that a kernel freed is inaccessible to loads that had found it before", async (t) => {
  const body = `.reg .b64 %p; .reg .b32 %v, %i; .reg .pred %q; mov.u32 %i, 0;
    { .param .b64 a; .param .b64 r; st.param.b64 [a], 16; call.uni (r), malloc, (a); ld.param.b64 %p, [r]; }
    again: ld.global.u32 %v, [%p]; setp.eq.u32 %q, %i, 1; @%q bra end;
    { .param .b64 a; st.param.b64 [a], %p; call.uni free, (a); }
    add.u32 %i, %i, 1; bra again; end:`;
  const { result } = await runBody(body, { block: 1, before: heap });
  t.is(result.fault?.kind, "illegal-address");
});

test("a kernel cannot free what the host allocated", async (t) => {
  const body = "{ .param .b64 a; st.param.b64 [a], %out; call.uni free, (a); }";
  const { result } = await runBody(body, { block: 1, before: heap });
  t.regex(result.fault?.message ?? "", /free of a pointer that malloc did not return/);
});

test("a kernel with more local memory than a thread may have is a fault before anything runs", async (t) => {
  const { result } = await runBody(".local .b8 big[600000]; .reg .b16 %h; ld.local.u8 %h, [big];");
  t.like(result, { warpInstructions: 0, fault: { kind: "stack-overflow" } });
});

test("isspacep.shared::cta is false for the shared memory of another block of the cluster", async (t) => {
  const body = `.shared .b32 s; .reg .b64 %g, %o; .reg .pred %p; .reg .b32 %v, %r; cvta.shared.u64 %g, s;
    mov.u32 %r, %cluster_ctarank; mapa.u64 %o, %g, %r; isspacep.shared::cta %p, %o; selp.b32 %v, 1, 0, %p;
    xor.b32 %r, %r, 1; mapa.u64 %o, %g, %r; isspacep.shared %p, %o; @%p or.b32 %v, %v, 2;
    isspacep.shared::cluster %p, %o; @%p or.b32 %v, %v, 4; st.global.u32 [%at], %v;`;
  t.deepEqual(await wordsOf(body, 1, { grid: 2, cluster: 2, block: 1 }), [5]);
});

test("an illegal address is reported with all of its bits", async (t) => {
  const { result } = await runBody(".reg .b64 %g; .reg .b32 %v; mov.u64 %g, 0xdeadbeefdeadbeef; ld.u32 %v, [%g];");
  t.regex(result.fault?.message ?? "", /at 0xdeadbeefdeadbeef, where no memory is allocated/);
});

test("elements of arrays, by constants and by registers, with and without offset", async (t) => {
  const before = ".global .u32 g[4] = {10, 20, 30, 40}; .shared .align 8 .b64 s[4];";
  const element = (body: string): Promise<readonly number[]> =>
    one(`.reg .b32 %v, %i, %j; .reg .s16 %h; .reg .b64 %d; .reg .pred %p; mov.u32 %i, 1; ${body}`, before);
  t.deepEqual(await element("ld.global.u32 %v, g[3];"), [40]);
  t.deepEqual(await element("ld.global.u32 %v, g[%i];"), [20]);
  t.deepEqual(await element("mov.u64 %d, 2; ld.global.u32 %v, g[%d+1];"), [40]);
  t.deepEqual(await element("mov.u16 %h, -1; ld.global.u32 %v, g[%h+1];"), [10]);
  t.deepEqual(await element("mov.u64 %d, g[%i+1]; ld.global.u32 %v, [%d];"), [30]);
  t.deepEqual(await element("mov.u32 %v, s[%i]; mov.u32 %j, s; sub.u32 %v, %v, %j;"), [8]);
  t.deepEqual(await element("st.shared.u32 s[%i+1], %i; ld.shared.u32 %v, [s+16];"), [1]);
  // A guard and a label in front of the statement apply to all of it.
  const loop = "mov.u32 %v, 0; L: ld.global.u32 %j, g[%i]; add.u32 %v, %v, %j; add.u32 %i, %i, 1;";
  t.deepEqual(await element(`${loop} setp.lt.u32 %p, %i, 4; @%p bra L; @%p ld.global.u32 %v, g[%i];`), [90]);
});
