// tcgen05.mma, compared with plain sums of products of small integers, on which all rounding rules agree. Matrices are
// stored in shared and tensor memory, and D is read, by the figures of PTX ISA 9.0 sections 9.7.16.10.4 to 9.7.16.10.8,
// written out here.

import test from "ava";
import { sample } from "../../sample.js";
import { commitAndWait, copyOut, describe, runTensor, SHARED_BYTES } from "./tensor-kernel.js";

const WHOLE = [0, 1, -1, 2, 3, -4] as const;

/**
 * Bit patterns of those integers, and bits of an element in shared memory, in chunks of 16 bytes with `per` elements.
 */
const types: Readonly<
  Record<
    string,
    { readonly bits: readonly number[]; readonly width: number; readonly per: number; readonly code: number }
  >
> = {
  f16: { bits: [0, 0x3c00, 0xbc00, 0x4000, 0x4200, 0xc400], width: 16, per: 8, code: 0 },
  bf16: { bits: [0, 0x3f80, 0xbf80, 0x4000, 0x4040, 0xc080], width: 16, per: 8, code: 1 },
  tf32: { bits: [0, 0x3f800000, 0xbf800000, 0x40000000, 0x40400000, 0xc0800000], width: 32, per: 4, code: 2 },
  e4m3: { bits: [0, 0x38, 0xb8, 0x40, 0x44, 0xc8], width: 8, per: 16, code: 0 },
  e5m2: { bits: [0, 0x3c, 0xbc, 0x40, 0x42, 0xc4], width: 8, per: 16, code: 1 },
  e2m3: { bits: [0, 0x08, 0x28, 0x10, 0x14, 0x38], width: 6, per: 16, code: 3 },
  e3m2: { bits: [0, 0x0c, 0x2c, 0x10, 0x12, 0x34], width: 6, per: 16, code: 4 },
  e2m1: { bits: [0, 2, 10, 4, 5, 14], width: 4, per: 16, code: 5 },
  fp4: { bits: [0, 2, 10, 4, 5, 14], width: 4, per: 32, code: 1 },
  s8: { bits: [0, 1, 255, 2, 3, 252], width: 8, per: 16, code: 1 },
};

let state = 7;
const next = (below: number): number => {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return (state >>> 16) % below;
};

interface Form {
  readonly kind: string;
  readonly a: string;
  readonly b?: string;
  readonly m: number;
  readonly n: number;
  readonly group?: 1 | 2;
  readonly ws?: boolean;
  readonly sparse?: boolean;
  readonly mode?: 0 | 1 | 2 | 4 | 6;
  readonly transposed?: boolean;
  readonly inTensor?: boolean;
  readonly half?: boolean;
  readonly scales?: { readonly vector: string; readonly count: number; readonly type: "ue8m0" | "ue4m3" };
  readonly k96?: boolean;
}

/** Offset of a chunk of 16 bytes: `line` counts rows (k if transposed), `piece` chunks in the other dimension. */
function pieceOffset(mode: number, transposed: boolean, lines: number, line: number, piece: number): number {
  const row = { 0: 16, 1: 128, 2: 128, 4: 64, 6: 32 }[mode]!;
  if (mode === 0) return 16 * line + 16 * lines * piece;
  if (!transposed) {
    const linear = row * line + 16 * piece;
    return mode === 1 ? linear ^ (((line >> 0) & 3) << 5) : linear ^ (((linear >> 7) & (row / 16 - 1)) << 4);
  }
  const inRow = row / 16;
  const linear = Math.floor(piece / inRow) * row * lines + row * line + 16 * (piece % inRow);
  return mode === 1 ? linear ^ ((line & 3) << 5) : linear ^ (((linear >> 7) & (row / 16 - 1)) << 4);
}

/** Stores the matrix into shared memory as its descriptor says. Returns the descriptor's strides. */
function place(
  bytes: Uint8Array,
  base: number,
  values: readonly (readonly number[])[],
  type: string,
  mode: number,
  transposed: boolean,
): { leading: number; stride: number; mode: number } {
  const { width, per, bits } = types[type]!;
  const [rows, k] = [values.length, values[0]!.length];
  const lines = transposed ? k : rows;
  values.forEach((row, r) =>
    row.forEach((which, i) => {
      const [line, along] = transposed ? [i, r] : [r, i];
      const at = base + pieceOffset(mode, transposed, lines, line, Math.floor(along / per));
      for (let bit = 0; bit < width; bit++) {
        const position = (along % per) * width + bit;
        bytes[at + (position >> 3)]! |= ((bits[which]! >>> bit) & 1) << (position & 7);
      }
    }),
  );
  const row = { 0: 16, 1: 128, 2: 128, 4: 64, 6: 32 }[mode]!;
  if (transposed && mode === 0) return { stride: 16 * lines, leading: 128, mode };
  if (transposed) return { leading: row * lines, stride: (mode === 1 ? 4 : 8) * row, mode };
  return mode === 0 ? { leading: 16 * lines, stride: 128, mode } : { leading: 16, stride: 8 * row, mode };
}

/** Block, lane and column of D's element: layouts A to G. */
function cellOf(
  { m, n, group = 1, ws = false, sparse = false }: Form,
  row: number,
  column: number,
): readonly [number, number, number] {
  if (group === 2) {
    const block = Math.floor(row / (m / 2));
    const local = row % (m / 2);
    if (m === 256) return [block, local, column];
    if (sparse) return [block, 32 * Math.floor(local / 16) + (local % 16), column];
    return column < n / 2 ? [block, local, column] : [block, 64 + local, column - n / 2];
  }
  if (m === 128) return [0, row, column];
  if (!ws) return [0, 32 * Math.floor(row / 16) + (row % 16), column];
  const each = m === 64 ? n / 2 : n / 4;
  return [0, row + m * Math.floor(column / each), column % each];
}

const scaleBits = { ue8m0: [127, 128, 126], ue4m3: [0x38, 0x40, 0x30] } as const;
const SCALES = [1, 2, 0.5] as const;

async function check(t: { deepEqual(a: unknown, b: unknown, message?: string): unknown }, form: Form): Promise<void> {
  const {
    kind,
    a,
    b = a,
    m,
    n,
    group = 1,
    ws = false,
    sparse = false,
    mode = 0,
    transposed = false,
    inTensor = false,
  } = form;
  const { half = false, scales, k96 = false } = form;
  const per = types[a]!.per;
  const stored = k96 ? 96 : 2 * per;
  const k = sparse ? 2 * stored : stored;
  const random = (rows: number, columns: number): number[][] =>
    Array.from({ length: rows }, () => Array.from({ length: columns }, () => next(WHOLE.length)));
  const [A, B] = [random(m, stored), random(n, k)];
  const input = new Uint8Array(SHARED_BYTES * group);
  const [baseB, baseMeta] = [24576, 49152];
  let [strideA, strideB] = [
    { leading: 0, stride: 0, mode: 0 },
    { leading: 0, stride: 0, mode: 0 },
  ];
  for (let block = 0; block < group; block++) {
    const own = (rows: readonly number[][]): readonly number[][] =>
      rows.slice((block * rows.length) / group, ((block + 1) * rows.length) / group);
    strideA = place(input, SHARED_BYTES * block, own(A), a, mode, transposed);
    strideB = place(input, SHARED_BYTES * block + baseB, own(B), b, mode, transposed);
  }

  const body: string[] = [describe("%da", 0, strideA), describe("%db", baseB, strideB)];
  /** Each thread stores words of its own lane, from a table in the input. */
  const view = new DataView(input.buffer);
  let tables = 0;
  const setLanes = (
    column: number,
    words: number,
    value: (block: number, lane: number, word: number) => number,
  ): void => {
    const base = baseMeta + 512 * tables;
    tables += words;
    for (let block = 0; block < group; block++)
      for (let lane = 0; lane < 128; lane++)
        for (let word = 0; word < words; word++)
          view.setInt32(SHARED_BYTES * block + base + 512 * word + 4 * lane, value(block, lane, word), true);
    body.push(`mov.u32 %y, m; shl.b32 %x, %t, 2; add.u32 %y, %y, %x; add.u32 %x, %tm, %lanes;`);
    for (let word = 0; word < words; word++)
      body.push(`ld.shared.b32 %v0, [%y+${base + 512 * word}];
        tcgen05.st.sync.aligned.32x32b.x1.b32 [%x+${column + word}], {%v0}; tcgen05.wait::st.sync.aligned;`);
  };

  /** The row of D, relative to the block's first, in a lane; layouts repeat or skip lanes. */
  const local = m / group;
  const isHalf = group === 2 ? m === 128 && sparse : m === 64 && !ws;
  const rowOfLane = (lane: number): number => (isHalf ? 16 * (lane >> 5) + (lane & 15) : lane % local);

  if (inTensor) {
    const width = Math.max(8, types[a]!.width);
    const each = a === "fp4" ? 8 : 32 / width;
    const words = stored / each;
    setLanes(256, words, (block, lane, word) => {
      const row = A[block * local + rowOfLane(lane)]!;
      let value = 0;
      for (let i = 0; i < each; i++)
        value |= (types[a]!.bits[row[word * each + i]!]! << (a === "e2m1" ? 2 : 0)) << (i * (32 / each));
      return value;
    });
  }

  const chunks = A.map(() =>
    Array.from({ length: stored / (a === "tf32" ? 1 : a === "fp4" ? 4 : 2) }, () =>
      a === "tf32" ? [4, 14][next(2)]! : [4, 8, 9, 12, 13, 14][next(6)]!,
    ),
  );
  if (sparse) {
    if (types[a]!.width >= 16)
      setLanes(288, 1, (block, lane) => {
        // Lane l of sixteen: row l % 8 in the low half, the row eight further in the high half, half l / 8 of k.
        const first = rowOfLane(lane & ~15) + (lane & 7);
        const bits = (row: number): number =>
          [0, 1, 2, 3].reduce(
            (all, i) => all | (chunks[block * local + row]![4 * ((lane >> 3) & 1) + i]! << (4 * i)),
            0,
          );
        return isHalf && (lane & 16) !== 0 ? 0 : bits(first) | (bits(first + 8) << 16);
      });
    else
      setLanes(288, 2, (block, lane, word) =>
        chunks[block * local + rowOfLane(lane)]!.slice(8 * word, 8 * word + 8).reduce(
          (all, nibble, i) => all | (nibble << (4 * i)),
          0,
        ),
      );
  }
  const origin = (row: number, s: number): number => {
    if (!sparse) return s;
    if (a === "tf32") return 2 * s + (chunks[row]![s] === 14 ? 1 : 0);
    if (a === "fp4") return 8 * (s >> 2) + 2 * ((chunks[row]![s >> 2]! >> (2 * ((s >> 1) & 1))) & 3) + (s & 1);
    return 4 * (s >> 1) + ((chunks[row]![s >> 1]! >> (2 * (s & 1))) & 3);
  };

  const count = scales?.count ?? 1;
  const factor = (rows: number): number[][] =>
    Array.from({ length: rows }, () => Array.from({ length: count }, () => (scales === undefined ? 0 : next(3))));
  const [scaleA, scaleB] = [factor(m), factor(n)];
  const id = scales === undefined ? 0 : k96 ? (count === 3 ? 2 : 0) : count === 1 ? 3 : count === 2 ? 2 : 0;
  if (scales !== undefined) {
    // Four bytes of each row, rows r, r + 32 and so on in adjacent columns; further bytes follow those of all rows.
    const byteOf = (rows: number[][], row: number, byte: number): number => {
      const which = rows[row]?.[byte - id];
      return which === undefined ? 0xff : scaleBits[scales.type][which]!;
    };
    const word = (rows: number[][], row: number, first: number): number =>
      [0, 1, 2, 3].reduce((all, i) => all | (byteOf(rows, row, first + i) << (8 * i)), 0);
    const twoByTwo = group === 2 && m === 128;
    const groups = id + count > 4 ? 2 : 1;
    setLanes(320, 4 * groups, (block, lane, column) =>
      word(scaleA.slice(block * local, (block + 1) * local), 32 * (column & 3) + (lane & 31), 4 * (column >> 2)),
    );
    const wide = (twoByTwo ? n / 2 : n) > 128 ? 8 : 4;
    setLanes(352, wide * groups, (_, lane, column) => {
      const inHalf = 32 * (column % wide) + (lane & 31);
      return word(scaleB, twoByTwo && lane >= 64 ? n / 2 + inHalf : inHalf, 4 * Math.floor(column / wide));
    });
  }

  const code = (type: string): number => types[type]!.code;
  const flags = (sparse ? 4 : 0) | (transposed ? 3 << 15 : 0) | (code(a) << 7) | (code(b) << 10) | ((n >> 3) << 17);
  const descriptor =
    scales === undefined
      ? flags | ((half ? 0 : a === "s8" ? 2 : 1) << 4) | ((m >> 4) << 24)
      : flags |
        ((m >> 7) << 27) |
        (id << 29) |
        (id << 4) |
        (scales.type === "ue8m0" ? 1 << 23 : 0) |
        (k96 ? 1 << 31 : 0);
  const operands = [
    "[%tm]",
    inTensor ? "[%x]" : "%da",
    "%db",
    ...(sparse ? ["[%y]"] : []),
    "%i",
    ...(scales === undefined ? [] : ["[%v1]", "[%v2]"]),
  ];
  const suffix = scales === undefined ? "" : `.block_scale.${scales.vector}`;
  const spelling = `tcgen05.mma${ws ? ".ws" : ""}${sparse ? ".sp" : ""}.cta_group::${group}.kind::${kind}${suffix}`;
  const issue = (enable: string): string => `@%one ${spelling} ${operands.join(", ")}, ${enable};`;
  body.push(
    `bar.sync 0; add.u32 %x, %tm, 256; add.u32 %y, %tm, 288; add.u32 %v1, %tm, 320; add.u32 %v2, %tm, 352; mov.b32 %i, ${descriptor};`,
    group === 2 ? "barrier.cluster.arrive; barrier.cluster.wait; setp.eq.and.u32 %one, %rank, 0, %one;" : "",
    // Twice: the second adds to the result of the first.
    issue("%no"),
    issue("%yes"),
    commitAndWait(group).replace(
      "bra WAIT;\n",
      `bra WAIT;\n  ${group === 2 ? "barrier.cluster.arrive; barrier.cluster.wait;" : ""}\n`,
    ),
    copyOut(n),
  );
  if (group === 2) body[body.length - 2] = pairWait;
  const { result, out } = await runTensor(
    { body: body.join("\n"), input, group, target: k96 ? "sm_103a" : "sm_100a" },
    group === 2 ? { grid: 2, cluster: 2 } : {},
  );
  const message = JSON.stringify(form);
  t.deepEqual(result.fault, undefined, message);
  const floats = new Float32Array(out.buffer, out.byteOffset, out.length);
  const got: number[] = [];
  const expected: number[] = [];
  for (let row = 0; row < m; row++)
    for (let column = 0; column < n; column++) {
      const [block, lane, at] = cellOf(form, row, column);
      const index = 131072 * block + 1024 * lane + at;
      got.push(half ? halfValue(out[index]!) : a === "s8" ? out[index]! : floats[index]!);
      let sum = 0;
      for (let s = 0; s < stored; s++) {
        const which = Math.floor((s * count) / stored);
        const scale = SCALES[scaleA[row]![which]!]! * SCALES[scaleB[column]![which]!]!;
        sum += WHOLE[A[row]![s]!]! * WHOLE[B[column]![origin(row, s)]!]! * scale;
      }
      expected.push(2 * sum);
    }
  t.deepEqual(got, expected, message);
}

/** One thread of the pair commits for both blocks. */
const pairWait = `
  @%one tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%bar], 3;
WAIT:
  mbarrier.try_wait.parity.shared::cta.b64 %p, [%bar], 0;
  @!%p bra WAIT;
  tcgen05.fence::after_thread_sync;`;

function halfValue(bits: number): number {
  const size = (bits & 0x7c00) === 0 ? 0 : (1 + (bits & 0x3ff) / 1024) * 2 ** (((bits >> 10) & 31) - 15);
  return (bits & 0x8000) === 0 ? size : -size;
}

const kinds: readonly Form[] = [
  { kind: "f16", a: "f16", m: 128, n: 32 },
  { kind: "f16", a: "bf16", m: 128, n: 16 },
  { kind: "f16", a: "f16", m: 128, n: 16, half: true },
  { kind: "tf32", a: "tf32", m: 128, n: 24 },
  { kind: "f8f6f4", a: "e4m3", b: "e2m3", m: 128, n: 16 },
  { kind: "f8f6f4", a: "e2m1", b: "e5m2", m: 64, n: 16 },
  { kind: "f8f6f4", a: "e3m2", b: "e2m1", m: 64, n: 16, half: true },
  { kind: "i8", a: "s8", m: 128, n: 16 },
];

for (const form of sample(kinds, 8, { name: (each) => JSON.stringify(each), kind: (each) => each.kind })) {
  const name = `kind::${form.kind}, ${form.a}, M = ${form.m}${form.half ? ", sums of 16 bits" : ""}`;
  test(`${name}: A in shared memory and in tensor memory, dense and sparse`, async (t) => {
    await check(t, form);
    await check(t, { ...form, inTensor: true });
    await check(t, { ...form, sparse: true });
    await check(t, { ...form, sparse: true, inTensor: true });
  });
}

for (const mode of sample([2, 4, 6] as const, 3))
  test(`swizzle mode ${mode}, along k and along the rows`, async (t) => {
    for (const transposed of [false, true]) {
      await check(t, { kind: "f16", a: "f16", m: 128, n: 64, mode, transposed });
      await check(t, { kind: "i8", a: "s8", m: 128, n: 128, mode, transposed });
    }
  });

test("matrices without swizzle along their rows; tf32 along its rows in atoms of 32 bytes", async (t) => {
  await check(t, { kind: "f16", a: "f16", m: 64, n: 16, transposed: true });
  await check(t, { kind: "tf32", a: "tf32", m: 128, n: 32, mode: 1, transposed: true });
});

test("stationary weights: layouts E, G and D", async (t) => {
  for (const m of sample([32, 64, 128], 3)) {
    await check(t, { kind: "f16", a: "f16", m, n: 64, ws: true });
    await check(t, { kind: "f16", a: "f16", m, n: 64, ws: true, inTensor: true });
    await check(t, { kind: "f16", a: "f16", m, n: 64, ws: true, sparse: true });
    await check(t, { kind: "i8", a: "s8", m, n: 64, ws: true, sparse: true, inTensor: true });
  }
});

test("a pair of blocks: layouts A, B and C", async (t) => {
  for (const m of [128, 256])
    for (const sparse of [false, true])
      for (const inTensor of sample([false, true], 2, { name: (each) => `${m} ${sparse} ${each}` }))
        await check(t, { kind: "f16", a: "f16", m, n: 32, group: 2, sparse, inTensor });
});

const mx = { vector: "scale_vec::1X", count: 1, type: "ue8m0" } as const;
const mx4 = { vector: "scale_vec::2X", count: 2, type: "ue8m0" } as const;
const nv4 = { vector: "block16", count: 4, type: "ue4m3" } as const;

test("block scales", async (t) => {
  for (const sparse of [false, true]) {
    await check(t, { kind: "mxf8f6f4", a: "e4m3", b: "e2m1", m: 128, n: 64, scales: mx, sparse });
    await check(t, { kind: "mxf4", a: "fp4", m: 128, n: 48, scales: mx4, sparse });
    await check(t, { kind: "mxf4nvf4", a: "fp4", m: 128, n: 32, scales: nv4, sparse, inTensor: true });
  }
  await check(t, { kind: "mxf4nvf4", a: "fp4", m: 128, n: 160, scales: nv4 });
});

test("block scales of a pair", async (t) => {
  await check(t, { kind: "mxf4nvf4", a: "fp4", m: 256, n: 32, group: 2, scales: nv4 });
  await check(t, { kind: "mxf8f6f4", a: "e5m2", m: 128, n: 32, group: 2, scales: mx });
});

test("K = 96", async (t) => {
  await check(t, { kind: "mxf4", a: "fp4", m: 128, n: 16, k96: true, scales: { ...mx4, vector: "block32", count: 3 } });
  await check(t, { kind: "mxf4nvf4", a: "fp4", m: 128, n: 16, k96: true, scales: { ...nv4, count: 6 } });
});
