// Operands of tcgen05.mma other than matrices, its completion, and its faults.

import test from "ava";
import { commitAndWait, copyOut, describe, runTensor } from "./tensor-kernel.js";

/** A is 128 x 16 and B 16 x 16 of f16 ones, without swizzle; the descriptor is for sums of f32. */
const ones = new Uint8Array(8192).map((_, i) => (i & 1 ? 0x3c : 0));
const prepared = (descriptor = "0x8040010"): string =>
  `${describe("%da", 0, { leading: 2048, stride: 128 })} ${describe("%db", 4096, { leading: 256, stride: 128 })} mov.b32 %i, ${descriptor};`;
const multiply = (rest: string): string => `@%one tcgen05.mma.cta_group::1.kind::f16 [%tm], %da, %db, %i, ${rest};`;

test("lanes that are disabled, a scaled D, and rows of A that are shifted", async (t) => {
  const lanes = `mov.b32 %v1, 0; mov.b32 %v2, 5; ${multiply("%no")} ${multiply("{%v2, %v1, %v1, %v1}, %yes")}`;
  const first = await runTensor({ body: `${prepared()} ${lanes} ${commitAndWait()} ${copyOut(32)}`, input: ones });
  const floats = new Float32Array(first.out.buffer);
  t.deepEqual(
    [0, 1, 2, 3].map((lane) => floats[1024 * lane]!),
    [16, 32, 16, 32],
  );
  const scaled = `${multiply("%no")} ${multiply("%yes, 3")}`;
  const second = await runTensor({ body: `${prepared()} ${scaled} ${commitAndWait()} ${copyOut(32)}`, input: ones });
  t.is(new Float32Array(second.out.buffer)[0], 18);
  // All elements of row r of A are r.
  const shifted = `cvt.rn.f16.u32 %h, %t; mov.b32 %v0, {%h, %h}; add.u32 %x, %tm, %lanes;
    ${[0, 1, 2, 3, 4, 5, 6, 7].map((i) => `tcgen05.st.sync.aligned.32x32b.x1.b32 [%x+${256 + i}], {%v0};`).join(" ")}
    tcgen05.wait::st.sync.aligned; bar.sync 0; add.u32 %x, %tm, 256;
    @%one tcgen05.mma.cta_group::1.kind::f16.ashift [%tm], [%x], %db, %i, %no;`;
  const third = await runTensor({
    body: `.reg .b16 %h; ${prepared()} ${shifted} ${commitAndWait()} ${copyOut(32)}`,
    input: ones,
  });
  const rows = new Float32Array(third.out.buffer);
  t.deepEqual(
    [0, 31, 126, 127].map((lane) => rows[1024 * lane]!),
    [16, 512, 2032, 2032],
  );
});

test("columns of zeros, by the manual's second example, and a shift of B", async (t) => {
  // 64 columns; all elements of column n of B are n.
  const input = new Uint8Array(16384);
  const view = new DataView(input.buffer);
  for (let i = 0; i < 2048; i++) view.setUint16(2 * i, 0x3c00, true);
  const half = (n: number): number => [0x3c00, 0x4000, 0x4200][n % 3]!;
  for (let n = 0; n < 80; n++)
    for (let k = 0; k < 16; k++)
      view.setUint16(4096 + (n >> 3) * 256 + (k >> 3) * 128 + (n & 7) * 16 + (k & 7) * 2, half(n), true);
  const body = (mask: bigint): string => `${describe("%da", 0, { leading: 2048, stride: 128 })}
    ${describe("%db", 4096, { leading: 128, stride: 256 })} mov.b32 %i, ${0x8000010 | (8 << 17)}; mov.b64 %dc, ${mask};
    @%one tcgen05.mma.ws.cta_group::1.kind::f16 [%tm], %da, %db, %i, %no, %dc; ${commitAndWait()} ${copyOut(64)}`;
  const value = (n: number): number => 16 * [1, 2, 3][n % 3]!;
  const masked = await runTensor({ body: body((1n << 39n) | (2n << 40n) | (3n << 48n)), input });
  const columns = (out: Int32Array): number[] => [...new Float32Array(out.buffer).subarray(0, 64)];
  t.deepEqual(
    columns(masked.out),
    Array.from({ length: 64 }, (_, n) => (n % 7 < 4 ? value(n) : 0)),
  );
  const moved = await runTensor({ body: body(2n << 56n), input });
  t.deepEqual(
    columns(moved.out),
    Array.from({ length: 64 }, (_, n) => value(n + 2)),
  );
});

test("a product completes when its commit signals, and reads shared memory then", async (t) => {
  const stale = `${prepared()} ${multiply("%no")} ${copyOut(32)}`;
  const late = await runTensor({ body: stale, input: ones });
  t.is(late.out[0], 0);
  const early = await runTensor({ body: stale, input: ones }, { async: "early" });
  t.is(new Float32Array(early.out.buffer)[0], 16);
  const changed = `${prepared()} ${multiply("%no")} mov.u32 %y, m; @%one st.shared.b32 [%y], 0; ${commitAndWait()} ${copyOut(32)}`;
  t.is(new Float32Array((await runTensor({ body: changed, input: ones })).out.buffer)[0], 14);
});

for (const [name, body, message] of [
  ["M = 48", prepared("0x3040010"), /M is 48/],
  ["N = 0", prepared("0x8000010"), /N is 0/],
  ["a sparse descriptor", prepared("0x8040014"), /bit 2 is 1/],
  ["a type that the kind has not", prepared("0x8040110"), /does not support this type of A/],
  ["D of integers", prepared("0x8040020"), /does not support this type of D/],
  ["D in lane 1", `${prepared()} add.u32 %tm, %tm, 0x10000;`, /the lane of D at 0x[0-9a-f]+ must be 0/],
  ["D beyond the last column", `${prepared()} add.u32 %tm, %tm, 500;`, /columns 500 to 515/],
  ["A beyond shared memory", `${prepared()} add.u64 %da, %da, 4000;`, /outside shared memory/],
] as const)
  test(`${name}: a fault`, async (t) => {
    const { result } = await runTensor({ body: `${body} ${multiply("%no")}`, input: ones });
    t.regex(result.fault?.message ?? "none", message);
  });

test("64 rows may be in the upper lanes of each 32", async (t) => {
  const body = `${prepared("0x4040010")} add.u32 %y, %tm, 0x100000;
    @%one tcgen05.mma.cta_group::1.kind::f16 [%y], %da, %db, %i, %no; ${commitAndWait()} ${copyOut(32)}`;
  const floats = new Float32Array((await runTensor({ body, input: ones })).out.buffer);
  t.deepEqual(
    [0, 15, 16, 31, 32, 48, 127].map((lane) => floats[1024 * lane]!),
    [0, 0, 16, 16, 0, 16, 16],
  );
});

test("generic addresses of the allocation's word and of the mbarrier", async (t) => {
  const body = `mov.u64 %wide, control; cvta.shared.u64 %wide, %wide; setp.lt.u32 %q, %t, 32;
    @%q tcgen05.dealloc.cta_group::1.sync.aligned.b32 %tm, 512;
    @%q tcgen05.alloc.cta_group::1.sync.aligned.b32 [%wide+8], 512;
    ${prepared()} ${multiply("%no")} mov.u64 %wide, control; cvta.shared.u64 %wide, %wide;
    @%one tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%wide];
    WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p, [%bar], 0; @!%p bra WAIT; ${copyOut(32)}`;
  const { result, out } = await runTensor({ body, input: ones });
  t.is(result.fault, undefined);
  t.is(new Float32Array(out.buffer)[0], 16);
});

test("an allocation of a pair that one block alone asks for is a deadlock", async (t) => {
  const body = `setp.eq.u32 %q, %rank, 0; setp.lt.and.u32 %p, %t, 32, %q;
    @%p tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%a], 32;`;
  const { result } = await runTensor({ body, isAllocated: false }, { grid: 2, cluster: 2 });
  t.is(result.fault?.kind, "deadlock");
});
