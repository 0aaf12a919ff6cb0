// Tensor memory: allocation, moves, copies and shifts. Layouts are those of the figures of PTX ISA 9.0 section 9.7.16.2.3.

import test from "ava";
import { deviceOfModule } from "../kernel.js";
import { commitAndWait, copyOut, describe, runTensor } from "./tensor-kernel.js";

/** Each cell of columns 0 to 31 gets 1000 lane + column. */
const fill = `
  mul.lo.u32 %i, %t, 1000; add.u32 %x, %tm, %lanes;
  ${Array.from({ length: 32 }, (_, i) => `add.u32 %v${i}, %i, ${i};`).join(" ")}
  tcgen05.st.sync.aligned.32x32b.x32.b32 [%x], {${Array.from({ length: 32 }, (_, i) => `%v${i}`).join(", ")}};
  tcgen05.wait::st.sync.aligned;`;

const list = (count: number, first = 0): string => Array.from({ length: count }, (_, i) => `%v${first + i}`).join(", ");
const store = (count: number): string =>
  Array.from({ length: count }, (_, i) => `st.global.b32 [%out+${4 * i}], %v${i};`).join(" ");

/** Lane within a quarter, and column, of register r of thread t. */
const shapes: Readonly<
  Record<string, readonly [count: number, cell: (r: number, t: number) => readonly [number, number]]>
> = {
  "32x32b.x4": [4, (r, t) => [t, r]],
  "16x64b.x2": [2, (r, t) => [(t >> 2) + ((t & 1) === 1 ? 8 : 0), 2 * r + ((t & 2) === 2 ? 1 : 0)]],
  "16x128b.x2": [4, (r, t) => [(t >> 2) + (r % 2 === 1 ? 8 : 0), (t & 3) + (r >= 2 ? 4 : 0)]],
  // The fragment of C of mma.m16n8.
  "16x256b.x2": [8, (r, t) => [(t >> 2) + (r % 4 >= 2 ? 8 : 0), 2 * (t & 3) + (r & 1) + (r >= 4 ? 8 : 0)]],
};

for (const [shape, [count, cell]] of Object.entries(shapes))
  test(`ld and st of ${shape}`, async (t) => {
    const rows = shape.startsWith("16") ? 16 : 0;
    const lower = shape.startsWith("16") ? "add.u32 %x, %x, 0x100000;" : "";
    const load = `add.u32 %x, %tm, %lanes; ${lower} tcgen05.ld.sync.aligned.${shape}.b32 {${list(count)}}, [%x+3];
      tcgen05.wait::ld.sync.aligned;`;
    const { result, out } = await runTensor({ body: `${fill} ${load} ${store(count)}` });
    t.is(result.fault, undefined);
    const at = (thread: number, r: number): number => out[1024 * thread + r]!;
    for (let thread = 0; thread < 128; thread++)
      for (let r = 0; r < count; r++) {
        const [row, column] = cell(r, thread & 31);
        t.is(at(thread, r), 1000 * ((thread & ~31) + rows + row) + column + 3, `${thread} ${r}`);
      }
    // What is stored with a shape is loaded with the same shape, elsewhere.
    const again = await runTensor({
      body: `${fill} ${load} tcgen05.st.sync.aligned.${shape}.b32 [%x+40], {${list(count)}}; tcgen05.wait::st.sync.aligned;
        mov.b32 %v0, 0; tcgen05.ld.sync.aligned.${shape}.b32 {${list(count)}}, [%x+40]; ${store(count)}`,
    });
    t.deepEqual(again.out, out);
  });

test("16x32bx2 places its upper threads at a second offset", async (t) => {
  const load = `add.u32 %x, %tm, %lanes; tcgen05.ld.sync.aligned.16x32bx2.x2.b32 {%v0, %v1}, [%x], 12;`;
  const { out } = await runTensor({ body: `${fill} ${load} ${store(2)}` });
  t.deepEqual([...out.subarray(1024 * 37, 1024 * 37 + 2)], [37000, 37001]);
  t.deepEqual([...out.subarray(1024 * 53, 1024 * 53 + 2)], [37012, 37013]);
});

test(".pack::16b and .unpack::16b use 16 bits of a cell", async (t) => {
  const body = `${fill} add.u32 %x, %tm, %lanes;
    tcgen05.ld.sync.aligned.32x32b.x2.pack::16b.b32 {%v0, %v1}, [%x+2];
    tcgen05.st.sync.aligned.32x32b.x2.unpack::16b.b32 [%x+20], {%v0, %v1}; tcgen05.wait::st.sync.aligned;
    tcgen05.ld.sync.aligned.32x32b.x4.b32 {%v2, %v3, %v4, %v5}, [%x+20]; ${store(6)}`;
  const { out } = await runTensor({ body });
  const low = (i: number): number => (3000 + i) & 0xffff;
  t.deepEqual(
    [...out.subarray(3072, 3078)],
    [low(2) | (low(3) << 16), low(4) | (low(5) << 16), low(2), low(3), low(4), low(5)],
  );
});

test("ld.red reduces what a thread loads", async (t) => {
  const body = `${fill} add.u32 %x, %tm, %lanes; tcgen05.ld.red.sync.aligned.32x32b.x4.max.u32 {${list(4)}}, %v4, [%x+1];
    tcgen05.ld.red.sync.aligned.32x32b.x2.min.s32 {%v5, %v6}, %v7, [%x+9]; ${store(8)}`;
  const { result, out } = await runTensor({ body, target: "sm_103a" });
  t.is(result.fault, undefined);
  t.deepEqual([...out.subarray(2048, 2056)], [2001, 2002, 2003, 2004, 2004, 2009, 2010, 2009]);
});

test("a store is visible after its wait, not before", async (t) => {
  const body = `add.u32 %x, %tm, %lanes; mov.b32 %v0, 7; tcgen05.st.sync.aligned.32x32b.x1.b32 [%x], {%v0};
    tcgen05.ld.sync.aligned.32x32b.x1.b32 {%v1}, [%x]; tcgen05.wait::st.sync.aligned;
    tcgen05.ld.sync.aligned.32x32b.x1.b32 {%v2}, [%x]; ${store(3)}`;
  t.deepEqual([...(await runTensor({ body })).out.subarray(0, 3)], [7, 0, 7]);
  t.deepEqual([...(await runTensor({ body }, { async: "early" })).out.subarray(0, 3)], [7, 7, 7]);
});

/** 64 rows of 32 different bytes, row r at 32 r. */
const bytes = Uint8Array.from({ length: 8192 }, (_, i) => (i * 7 + (i >> 8)) & 0xff);
const wordAt = (at: number): number => new DataView(bytes.buffer).getInt32(at, true);
const plain = describe("%da", 0, { leading: 4096, stride: 128 });

for (const [shape, rows, columns, rowOf] of [
  ["128x256b", 128, 8, (lane: number) => lane],
  ["128x128b", 128, 4, (lane: number) => lane],
  ["64x128b.warpx2::02_13", 64, 4, (lane: number) => lane % 64],
  ["64x128b.warpx2::01_23", 64, 4, (lane: number) => (lane % 32) + (lane >= 64 ? 32 : 0)],
  ["32x128b.warpx4", 32, 4, (lane: number) => lane % 32],
] as const)
  test(`cp of ${shape}`, async (t) => {
    const copy = `${plain} @%one tcgen05.cp.cta_group::1.${shape} [%tm], %da;`;
    const { result, out } = await runTensor({ body: `${copy} ${commitAndWait()} ${copyOut(32)}`, input: bytes });
    t.is(result.fault, undefined);
    t.true(rows <= 128);
    for (let lane = 0; lane < 128; lane++)
      for (let column = 0; column < columns; column++) {
        const at = 16 * rowOf(lane) + 4096 * (column >> 2) + 4 * (column & 3);
        t.is(out[1024 * lane + column], wordAt(at), `${lane} ${column}`);
      }
  });

test("cp of 4x256b copies a row to each quarter, and shift moves 31 rows down", async (t) => {
  const body = `${fill} ${describe("%da", 0, { leading: 4096, stride: 128 })} bar.sync 0;
    add.u32 %x, %tm, 0x200000; @%one tcgen05.shift.cta_group::1.down [%x];
    add.u32 %x, %tm, 0x1f0000; @%one tcgen05.cp.cta_group::1.4x256b [%x], %da; ${commitAndWait()} ${copyOut(32)}`;
  const { result, out } = await runTensor({ body, input: bytes });
  t.is(result.fault, undefined);
  const at = (lane: number, column: number): number => out[1024 * lane + column]!;
  t.deepEqual([at(30, 0), at(32, 0), at(62, 7), at(62, 8)], [30000, 33000, 63007, 62008]);
  t.deepEqual(
    [31, 63, 95, 127].map((lane) => at(lane, 5)),
    [0, 1, 2, 3].map((row) => wordAt(4096 + 16 * row + 4)),
  );
});

test("cp decompresses elements of 4 and 6 bits to bytes", async (t) => {
  const body = `${plain} @%one tcgen05.cp.cta_group::1.128x128b.b8x16.b4x16_p64 [%tm], %da;
    add.u32 %x, %tm, 4; @%one tcgen05.cp.cta_group::1.128x128b.b8x16.b6x16_p32 [%x], %da; ${commitAndWait()} ${copyOut(32)}`;
  const { out } = await runTensor({ body, input: bytes });
  const big = (row: number): bigint =>
    Array.from({ length: 16 }, (_, i) => BigInt(bytes[16 * row + i]!) << BigInt(8 * i)).reduce((x, y) => x | y);
  for (const row of [0, 77])
    for (let i = 0; i < 16; i++) {
      const byte = (first: number): number => (out[1024 * row + first + (i >> 2)]! >>> (8 * (i & 3))) & 0xff;
      t.is(byte(0), Number((big(row) >> BigInt(4 * i)) & 15n) << 2);
      t.is(byte(4), Number((big(row) >> BigInt(6 * i)) & 63n));
    }
});

test("an allocation waits until columns are free", async (t) => {
  // Warp 1 allocates while warp 0 has all columns.
  const body = `setp.lt.u32 %p, %t, 32; @%p bra FIRST; setp.lt.u32 %p, %t, 64; @!%p bra DONE;
    tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%a], 256; ld.shared.b32 %v0, [%a]; st.global.b32 [%out], %v0;
    tcgen05.dealloc.cta_group::1.sync.aligned.b32 %v0, 256;
    bra DONE;
    FIRST: tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%a], 32; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%bar+4], 32;
    mov.u32 %i, 0; SPIN: add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 100; @%p bra SPIN;
    ld.shared.b32 %v1, [%bar+4]; st.global.b32 [%out], %v1;
    DONE: bar.sync 1;`;
  const { result, out } = await runTensor({ body, isAllocated: false });
  t.is(result.fault, undefined);
  t.is(out[0], 32);
  t.is(out[32 * 1024], 64);
  const full = `setp.lt.u32 %p, %t, 32; @%p tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%a], 32;`;
  const stuck = await runTensor({ body: full });
  t.is(stuck.result.fault?.kind, "deadlock");
  const freed = `setp.ge.u32 %p, %t, 96; @!%p bra OTHERS; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%a], 128;
    ld.shared.b32 %x, [%a]; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %x, 128; bra DONE;
    OTHERS: setp.lt.u32 %p, %t, 32; @!%p bra DONE; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %tm, 512; exit; DONE: exit;`;
  t.is((await runTensor({ body: freed })).result.fault, undefined);
});

const warp = "setp.lt.u32 %p, %t, 32; @%p ";
for (const [name, body, kind, message] of [
  [
    "columns nobody has allocated",
    "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%v0}, [%lanes];",
    "illegal-address",
    /not all allocated/,
  ],
  [
    "columns beyond the last",
    "tcgen05.ld.sync.aligned.32x32b.x2.b32 {%v0, %v1}, [%lanes+511];",
    "illegal-address",
    /columns 511 to 512/,
  ],
  [
    "the lanes of another warp",
    "mov.u32 %i, 0; tcgen05.ld.sync.aligned.32x32b.x1.b32 {%v0}, [%i];",
    "illegal-address",
    /warp [123] accesses lanes/,
  ],
  [
    "a lane that the shape cannot begin at",
    `mov.u32 %i, 0x80000; ${warp}tcgen05.ld.sync.aligned.16x64b.x1.b32 {%v0}, [%i];`,
    "misaligned-address",
    /lane 8/,
  ],
  [
    "a dealloc of another size",
    `${warp}tcgen05.dealloc.cta_group::1.sync.aligned.b32 0, 32;`,
    "trap",
    /alloc allocated 512/,
  ],
  [
    "a dealloc of no allocation",
    `${warp}tcgen05.dealloc.cta_group::1.sync.aligned.b32 32, 32;`,
    "trap",
    /alloc did not return/,
  ],
  [
    "three columns",
    `mov.u32 %x, 96; ${warp}tcgen05.dealloc.cta_group::1.sync.aligned.b32 0, %x;`,
    "trap",
    /power of two/,
  ],
  [
    "an alloc after the permit",
    `${warp}tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned; ${warp}tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%a], 32;`,
    "trap",
    /after relinquish/,
  ],
  ["a pair without a peer", "@%one tcgen05.shift.cta_group::2.down [%tm];", "trap", /no peer/],
  [
    "a shift from lane 1",
    "mov.u32 %i, 0x10000; @%one tcgen05.shift.cta_group::1.down [%i];",
    "trap",
    /0, 32, 64 or 96/,
  ],
  [
    "a descriptor without its constant",
    "mov.b64 %da, 0; @%one tcgen05.cp.cta_group::1.128x128b [%tm], %da;",
    "trap",
    /bits 46 to 48/,
  ],
  [
    "a copy from beyond shared memory",
    `${describe("%da", 65000, { leading: 4096, stride: 128 })} @%one tcgen05.cp.cta_group::1.128x128b [%tm], %da;`,
    "illegal-address",
    /matrix descriptor/,
  ],
] as const)
  test(`${name}: a fault`, async (t) => {
    const isAllocated = name !== "columns nobody has allocated";
    const { result } = await runTensor({ body, isAllocated });
    t.is(result.fault?.kind, kind);
    t.regex(result.fault!.message, message);
  });

for (const engine of ["reference", "fast"] as const)
  test(`each block starts with its own tensor memory, on the ${engine} engine`, async (t) => {
    const device = deviceOfModule(`.version 8.8
.target sm_100a
.address_size 64
.visible .entry k(.param .u64 out) {
  .shared .align 4 .b32 a; .reg .b32 %a, %t, %v; .reg .b64 %out, %at;
  ld.param.u64 %out, [out]; mov.u32 %t, %ctaid.x; mad.wide.u32 %at, %t, 4, %out;
  tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [a], 32;
  tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
  ld.shared.b32 %a, [a]; tcgen05.ld.sync.aligned.32x32b.x1.b32 {%v}, [%a]; tcgen05.wait::ld.sync.aligned;
  add.u32 %v, %v, 1; st.global.b32 [%at], %v;
  tcgen05.st.sync.aligned.32x32b.x1.b32 [%a], {%v}; tcgen05.wait::st.sync.aligned;
  ret;
}`);
    const out = device.alloc(64);
    const { fault } = await device.launch("k", { grid: 16, block: 32, args: [out], engine });
    t.is(fault, undefined);
    t.deepEqual([...device.read(out, Int32Array)], new Array(16).fill(1));
  });
