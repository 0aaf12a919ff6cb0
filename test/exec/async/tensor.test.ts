// Tensor copies: tiles, swizzles, fills, im2col, rows, reductions, multicast, and maps that a kernel builds. Expected bytes are
// computed here from coordinates.

import test, { type ExecutionContext } from "ava";
import type { DeviceTensorMap } from "../../../lib/exec/device/interface.js";
import type { FaultKind } from "../../../lib/exec/state/result.js";
import { deviceOf } from "../kernel.js";

type Map = Omit<DeviceTensorMap, "buffer">;

const registers = `.reg .b64 %o, %m, %p, %q; .reg .b32 %t, %s, %b, %v, %w; .reg .pred %z, %done;
  .shared .align 1024 .b8 tile[4096]; .shared .align 8 .b64 bar;
  ld.param.u64 %o, [out]; mov.b64 %m, map; cvta.param.u64 %m, %m; mov.u32 %t, %tid.x; mov.u32 %s, tile; mov.u32 %b, bar;
  setp.eq.u32 %z, %t, 0;`;

/** Waits for the phase, then stores the first 1024 words of the tile. */
const show = `
W: mbarrier.try_wait.parity.shared.b64 %done, [%b], 0; @!%done bra W;
  mov.u32 %v, %t;
L: shl.b32 %w, %v, 2; cvt.u64.u32 %p, %w; add.u64 %p, %p, %o; add.u32 %w, %w, %s;
  ld.shared.b32 %w, [%w]; st.global.b32 [%p], %w;
  add.u32 %v, %v, 32; setp.lt.u32 %done, %v, 1024; @%done bra L;`;

const begin = (bytes: number): string => `@!%z bra W;
  mbarrier.init.shared.b64 [%b], 1; mbarrier.arrive.expect_tx.shared.b64 _, [%b], ${bytes};`;

const loadTo = "shared::cluster.global";
const bytesOf = "mbarrier::complete_tx::bytes";

/** Runs a kernel on memory of 16-bit numbers 0, 1, 2 and so on. Returns the output and that memory. */
async function ran(
  body: string,
  map: Map,
  launch: { readonly engine: "reference" | "fast"; readonly cluster?: number },
) {
  const device = deviceOf(
    `.visible .entry k(.param .u64 out, .param .align 64 .b8 map[128]) { ${registers} ${body}\n ret; }`,
  );
  const memory = device.alloc(Uint16Array.from({ length: 8192 }, (_, i) => i));
  const out = device.alloc(8192);
  const { cluster = 1, engine } = launch;
  const { fault } = await device.launch("k", {
    grid: cluster,
    block: 32,
    cluster,
    args: [out, device.tensorMap({ ...map, buffer: memory })],
    maxInstructions: 1_000_000,
    engine,
  });
  return { fault, out: device.read(out, Uint16Array), memory: device.read(memory, Uint16Array) };
}

const engines = ["reference", "fast"] as const;

/** Checks that both engines leave these 16-bit numbers at the beginning of the tile. */
async function shows(t: ExecutionContext, body: string, map: Map, expected: readonly number[]): Promise<void> {
  for (const engine of engines) {
    const { fault, out } = await ran(body, map, { engine });
    t.is(fault?.message, undefined);
    t.deepEqual([...out.subarray(0, expected.length)], [...expected], engine);
  }
}

const matrix: Map = { type: "u16", dims: [64, 64], box: [32, 4] };
const load = (bytes: number, coordinates: string, words = "2d"): string =>
  `${begin(bytes)} cp.async.bulk.tensor.${words}.${loadTo}.${bytesOf} [%s], [%m, {${coordinates}}], [%b]; ${show}`;

/** Element x, y of the matrix; the fill value outside. */
const at = (x: number, y: number, width = 64, height = 64): number =>
  x < 0 || y < 0 || x >= width || y >= height ? 0 : y * 64 + x;

test("a tile, and the fill outside of the tensor", async (t) => {
  const tile = (x: number, y: number): readonly number[] =>
    Array.from({ length: 128 }, (_, i) => at(x + (i % 32), y + (i >> 5)));
  await shows(t, load(256, "8, 3"), matrix, tile(8, 3));
  await shows(t, load(256, "-8, -2"), matrix, tile(-8, -2));
  await shows(t, load(256, "40, 62"), matrix, tile(40, 62));
});

test("rows of a swizzled tile lie in spans, 16 bytes at the place that address bits say", async (t) => {
  for (const [swizzle, span] of [
    ["32B", 32],
    ["64B", 64],
    ["128B", 128],
  ] as const) {
    const rows = 16;
    const expected = new Array<number>((rows * span) / 2).fill(0);
    for (let y = 0; y < rows; y++)
      for (let x = 0; x < span / 2; x++) {
        const place = y * span + 2 * x;
        expected[(place ^ (((place >> 7) & (span / 16 - 1)) << 4)) / 2] = at(x, y);
      }
    await shows(t, load(rows * span, "0, 0"), { ...matrix, box: [span / 2, rows], swizzle }, expected);
  }
});

test("element strides skip elements, and only existing elements count", async (t) => {
  const expected = Array.from({ length: 64 }, (_, i) => at(i % 16, 2 * (i >> 4)));
  await shows(t, load(128, "0, 0"), { ...matrix, box: [16, 8], elementStrides: [1, 2] }, expected);
});

test("im2col: pixels run over w, h and n within the bounding box", async (t) => {
  // 8 channels, 4 wide, 3 high, 2 images.
  const map: Map = {
    mode: "im2col",
    type: "u16",
    dims: [8, 4, 3, 2],
    lowerCorner: [-1, 0],
    upperCorner: [-1, -1],
    channelsPerPixel: 8,
    pixelsPerColumn: 12,
  };
  const pixels: number[] = [];
  let [w, h, n] = [1, 1, 0];
  for (let i = 0; i < 12; i++) {
    const [x, y] = [w + 1, h + 1];
    for (let c = 0; c < 8; c++) pixels.push(x < 0 || x > 3 || y > 2 || n > 1 ? 0 : ((n * 3 + y) * 4 + x) * 8 + c);
    if (++w > 2) [w, h] = [-1, h + 1];
    if (h > 1) [h, n] = [0, n + 1];
  }
  const body = `${begin(192)} .reg .b16 %x; mov.b16 %x, 1;
  cp.async.bulk.tensor.4d.${loadTo}.im2col.${bytesOf} [%s], [%m, {0, 1, 1, 0}], [%b], {%x, %x}; ${show}`;
  await shows(t, body, map, pixels);
});

test("four rows of a matrix", async (t) => {
  const rows = [9, 2, 70, 5];
  const expected = Array.from({ length: 128 }, (_, i) => at(8 + (i % 32), rows[i >> 5]!));
  await shows(
    t,
    load(256, "8, 9, 2, 70, 5", "2d").replace("global.", "global.tile::gather4."),
    { ...matrix, box: [32, 1] },
    expected,
  );
});

test("stores write whole units of 16 bytes, and reductions combine", async (t) => {
  const body = (instruction: string): string => `@!%z bra END;
  mov.u32 %v, 0;
F: add.u32 %w, %s, %v; st.shared.b32 [%w], 0x00010001; add.u32 %v, %v, 4; setp.lt.u32 %done, %v, 256; @%done bra F;
  ${instruction} [%m, {24, 1}], [%s];
  cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
END:`;
  const map: Map = { ...matrix, dims: [42, 3], strides: [128] };
  for (const engine of engines) {
    const stored = await ran(body("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group"), map, { engine });
    const added = await ran(body("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group"), map, { engine });
    t.is(stored.fault, undefined);
    // Column 42 is outside, but its 16 bytes begin at column 40.
    const isWritten = (i: number): boolean => i % 64 >= 24 && i % 64 < 48 && i >> 6 >= 1 && i >> 6 < 3;
    t.true(
      stored.memory.every((value, i) => value === (isWritten(i) ? 1 : i)),
      engine,
    );
    t.true(
      added.memory.every((value, i) => value === i + (isWritten(i) ? 1 : 0)),
      engine,
    );
  }
});

test("multicast brings a tile to each block of the mask, and signals each one's barrier", async (t) => {
  const body = `.reg .b16 %k; .reg .b32 %rank; mov.u32 %rank, %cluster_ctarank; mov.b16 %k, 3;
  @!%z bra GO; mbarrier.init.shared.b64 [%b], 1; mbarrier.arrive.expect_tx.shared.b64 _, [%b], 256;
  fence.mbarrier_init.release.cluster;
GO: barrier.cluster.arrive; barrier.cluster.wait;
  setp.ne.u32 %done, %rank, 0; mul.wide.u32 %p, %rank, 4096; add.u64 %o, %o, %p;
  @%done bra W; @!%z bra W;
  cp.async.bulk.tensor.2d.${loadTo}.${bytesOf}.multicast::cluster [%s], [%m, {0, 1}], [%b], %k; ${show}
  barrier.cluster.arrive; barrier.cluster.wait;`;
  for (const engine of engines) {
    const { fault, out } = await ran(body, matrix, { engine, cluster: 2 });
    t.is(fault?.message, undefined);
    for (const rank of [0, 1]) t.is(out[2048 * rank + 33], 128 + 1);
  }
});

test("a map that a kernel builds field by field, copied to global memory", async (t) => {
  const replaced: readonly (readonly [field: string, value: string])[] = [
    ["global_address", "%q"],
    ["rank", "1"],
    ["box_dim", "0, 16"],
    ["box_dim", "1, 2"],
    ["global_dim", "0, 64"],
    ["global_dim", "1, 64"],
    ["element_stride", "0, 1"],
    ["element_stride", "1, 1"],
    ["elemtype", "1"],
    ["interleave_layout", "0"],
    ["swizzle_mode", "0"],
    ["fill_mode", "0"],
  ];
  const wide = (field: string): string => (field === "global_address" || field === "global_stride" ? "b64" : "b32");
  const fields = replaced
    .map(([field, value]) => `@%z tensormap.replace.tile.${field}.shared::cta.b1024.${wide(field)} [%s], ${value};`)
    .join("\n");
  // The first field of the kernel's map is the memory's address.
  const body = `ld.param.u64 %q, [map];
  @%z tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%s], 0, 128;
  ${fields}
  bar.warp.sync -1;
  add.u64 %p, %o, 4096;
  tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%p], [%s], 128;
  fence.proxy.tensormap::generic.acquire.gpu [%p], 128;
  bar.warp.sync -1;
  ${begin(64)} cp.async.bulk.tensor.2d.${loadTo}.${bytesOf} [%s], [%p, {16, 2}], [%b]; ${show}`;
  await shows(
    t,
    body,
    matrix,
    Array.from({ length: 32 }, (_, i) => at(16 + (i % 16), 2 + (i >> 4))),
  );
});

const faults: readonly (readonly [what: string, kind: FaultKind, body: string])[] = [
  ["a crooked innermost coordinate", "trap", load(256, "4, 0")],
  [
    "a negative coordinate of a store",
    "trap",
    "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%m, {0, -1}], [%s];",
  ],
  ["a tile that is not 128-byte aligned", "misaligned-address", `add.u32 %s, %s, 64; ${load(256, "0, 0")}`],
  ["another number of dimensions", "trap", load(256, "0, 0, 0", "3d")],
  ["a tile beyond shared memory", "illegal-address", `add.u32 %s, %s, 3968; add.u32 %s, %s, 128; ${load(256, "0, 0")}`],
];

for (const [what, kind, body] of faults)
  test(`${what} faults`, async (t) => {
    for (const engine of engines) t.is((await ran(body, matrix, { engine })).fault?.kind, kind, engine);
  });

test("a map that breaks a limit is refused", (t) => {
  const device = deviceOf(".visible .entry k() { ret; }");
  const buffer = device.alloc(1024);
  t.throws(() => device.tensorMap({ ...matrix, buffer }), { instanceOf: RangeError, message: /its buffer has 1024/ });
});
