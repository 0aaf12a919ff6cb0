// mma and mma.sp of narrow floats and with block scales, compared with plain sums of products. Values are so small that
// all rounding rules agree. Positions of elements in registers are written out from the figures of PTX ISA 9.0 section
// 9.7.14.5.

import test from "ava";
import { deviceOfModule } from "../kernel.js";

/** Values of the bit patterns in these tests, by type. */
const values: Readonly<Record<string, readonly (readonly [bits: number, value: number])[]>> = {
  e4m3: [
    [0, 0],
    [0x38, 1],
    [0xb8, -1],
    [0x40, 2],
    [0x44, 3],
    [0xc8, -4],
  ],
  e5m2: [
    [0, 0],
    [0x3c, 1],
    [0xbc, -1],
    [0x40, 2],
    [0x42, 3],
    [0xc4, -4],
  ],
  e3m2: [
    [0, 0],
    [0x0c, 1],
    [0x2c, -1],
    [0x10, 2],
    [0x12, 3],
    [0x34, -4],
  ],
  e2m3: [
    [0, 0],
    [0x08, 1],
    [0x28, -1],
    [0x10, 2],
    [0x14, 3],
    [0x38, -4],
  ],
  e2m1: [
    [0, 0],
    [2, 1],
    [10, -1],
    [4, 2],
    [5, 3],
    [14, -4],
  ],
};

/** Bits of 1, 2, 1/2, 4. */
const scaleValues: Readonly<Record<string, readonly (readonly [bits: number, value: number])[]>> = {
  ue8m0: [
    [127, 1],
    [128, 2],
    [126, 0.5],
    [129, 4],
  ],
  ue4m3: [
    [0x38, 1],
    [0x40, 2],
    [0x30, 0.5],
    [0x44, 3],
  ],
};

let state = 1;
const next = (below: number): number => {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return (state >>> 16) % below;
};
const pick = <T>(from: readonly T[]): T => from[next(from.length)]!;

interface Form {
  readonly k: number;
  readonly kind: string;
  readonly a: string;
  readonly b: string;
  readonly isPacked?: boolean;
  readonly isSparse?: boolean;
  readonly scales?: { readonly type: string; readonly count: number; readonly vector: string };
  readonly sum?: "f16";
}

type Matrix = (readonly (readonly [bits: number, value: number])[])[];
const matrix = (rows: number, columns: number, from: Matrix[number]): Matrix =>
  Array.from({ length: rows }, () => Array.from({ length: columns }, () => pick(from)));

/**
 * Registers of 32 lanes: element (row, k) is in thread 4 (row % 8) + k / per % 4, in a register by halves of k and
 * eights of rows.
 */
function registers(rows: Matrix, bits: number, isA: boolean, shift: number): number[][] {
  const per = 32 / bits;
  const across = rows.length / 8;
  const halves = rows[0]!.length / (4 * per);
  const out = Array.from({ length: across * halves }, () => new Array<number>(32).fill(0));
  rows.forEach((row, r) =>
    row.forEach(([element], k) => {
      const [along, eight] = [Math.floor(k / (4 * per)), r >> 3];
      const register = isA ? eight + across * along : along;
      out[register]![4 * (r & 7) + (Math.floor(k / per) & 3)]! |= (element << shift) << (bits * (k % per));
    }),
  );
  return out;
}

async function check(t: { deepEqual(a: unknown, b: unknown, message?: string): unknown }, form: Form): Promise<void> {
  const { k, kind, a, b, isPacked = false, isSparse = false, scales, sum } = form;
  const stored = isSparse ? k / 2 : k;
  const [A, B] = [matrix(16, stored, values[a]!), matrix(8, k, values[b]!)];
  const width = isPacked ? 4 : 8;
  const shiftOf = (type: string): number => (type === "e2m1" && !isPacked ? 2 : 0);
  const inputs = [...registers(A, width, true, shiftOf(a)), ...registers(B, width, false, shiftOf(b))];
  const names = inputs.map((_, i) => `%r${i}`);
  const countA = names.length - (k * width) / 128;
  const vector = (list: readonly string[]): string => `{${list.join(", ")}}`;
  const operands = [
    sum === "f16" ? "{%d0, %d1}" : "{%d0, %d1, %d2, %d3}",
    vector(names.slice(0, countA)),
    vector(names.slice(countA)),
    sum === "f16" ? "{%z, %z}" : "{%z, %z, %z, %z}",
  ];

  // Each chunk of four (of pairs: eight) keeps two; the metadata of a row is in threads of its quad, 32 bits each.
  const indices = A.map(() => Array.from({ length: k / (isPacked ? 8 : 4) }, () => pick([4, 8, 9, 12, 13, 14])));
  if (isSparse) {
    const e = new Array<number>(32).fill(0);
    indices.forEach((row, r) =>
      row.forEach((nibble, chunk) => {
        e[4 * (r & 7) + (r >> 3) + 2 * (chunk >> 3)]! |= nibble << (4 * (chunk & 7));
      }),
    );
    operands.push(`%r${inputs.length}`, "0");
    inputs.push(e);
  }
  const place = (r: number, s: number): number => {
    if (!isSparse) return s;
    const [chunk, i] = isPacked ? [s >> 2, (s >> 1) & 1] : [s >> 1, s & 1];
    const index = (indices[r]![chunk]! >> (2 * i)) & 3;
    return isPacked ? 8 * chunk + 2 * index + (s & 1) : 4 * chunk + index;
  };

  const count = scales?.count ?? 1;
  const from = scales === undefined ? [[0, 1] as const] : scaleValues[scales.type]!;
  const [scaleA, scaleB] = [matrix(16, count, from), matrix(8, count, from)];
  if (scales !== undefined) {
    const byte = count === 1 ? 3 : count === 2 ? 2 : 0;
    const word = (row: Matrix[number]): number => row.reduce((all, [bits], i) => all | (bits << (8 * (byte + i))), 0);
    const [sa, sb] = [new Array<number>(32).fill(-1), new Array<number>(32).fill(-1)];
    scaleA.forEach((row, r) => (sa[4 * (r & 7) + 2 + (r >> 3)] = word(row)));
    scaleB.forEach((row, n) => (sb[4 * n + 3] = word(row)));
    operands.push(`%r${inputs.length}`, `{${byte}, 1}`, `%r${inputs.length + 1}`, `{${byte}, 3}`);
    inputs.push(sa, sb);
  }

  const type = sum ?? "f32";
  const scaled = scales === undefined ? "" : `.block_scale.scale_vec::${scales.vector}`;
  const stype = scales === undefined ? "" : `.${scales.type}`;
  const spelling =
    `mma${isSparse ? ".sp::ordered_metadata" : ""}.sync.aligned.m16n8k${k}.row.col.kind::${kind}${scaled}` +
    `.${type}.${a}.${b}.${type}${stype}`;
  const device = deviceOfModule(`.version 8.8
.target sm_120a
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out) {
  .reg .b64 %in, %out; .reg .b32 %t, %r<${inputs.length}>; .reg .${sum === "f16" ? "b32" : "f32"} %d<4>, %z;
  ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %t, %tid.x;
  mad.wide.u32 %in, %t, 4, %in; mad.wide.u32 %out, %t, 4, %out; mov.b32 %z, 0;
  ${inputs.map((_, i) => `ld.global.b32 %r${i}, [%in+${128 * i}];`).join("\n  ")}
  ${spelling} ${operands.join(", ")};
  ${(sum === "f16" ? [0, 1] : [0, 1, 2, 3]).map((i) => `st.global.b32 [%out+${128 * i}], %d${i};`).join("\n  ")}
  ret;
}`);
  const out = device.alloc(512);
  const { fault } = await device.launch("k", {
    grid: 1,
    block: 32,
    args: [device.alloc(Int32Array.from(inputs.flat())), out],
  });
  t.deepEqual(fault, undefined, spelling);
  const words = device.read(out, new Uint32Array(128));
  const floats = new Float32Array(words.buffer);
  const got = Array.from({ length: 128 }, (_, i) => {
    const [row, column] = [i >> 3, i & 7];
    const lane = 4 * (row & 7) + (column >> 1);
    if (sum !== "f16") return floats[32 * ((column & 1) + 2 * (row >> 3)) + lane]!;
    const bits = (words[32 * (row >> 3) + lane]! >>> (16 * (column & 1))) & 0xffff;
    const size = (bits & 0x7c00) === 0 ? 0 : (1 + (bits & 0x3ff) / 1024) * 2 ** (((bits >> 10) & 31) - 15);
    return bits >= 0x8000 ? -size : size;
  });
  const expected = got.map((_, i) => {
    const [row, column] = [i >> 3, i & 7];
    let total = 0;
    for (let s = 0; s < stored; s++) {
      const block = Math.floor((s * count) / stored);
      const scale = scaleA[row]![block]![1] * scaleB[column]![block]![1];
      total += A[row]![s]![1] * B[column]![place(row, s)]![1] * scale;
    }
    return total;
  });
  t.deepEqual(got, expected, spelling);
}

const small = Object.keys(values);

test("kind::f8f6f4: every pair of types, with both types of sums", async (t) => {
  for (const a of small)
    for (const b of small) {
      await check(t, { k: 32, kind: "f8f6f4", a, b });
      await check(t, { k: 64, kind: "f8f6f4", a, b, isSparse: true });
    }
  await check(t, { k: 32, kind: "f8f6f4", a: "e3m2", b: "e4m3", sum: "f16" });
  await check(t, { k: 16, kind: "f8f6f4", a: "e5m2", b: "e4m3" });
});

test("kind::mxf8f6f4: one scale a row", async (t) => {
  const scales = { type: "ue8m0", count: 1, vector: "1X" };
  for (const a of small)
    for (const b of small) {
      await check(t, { k: 32, kind: "mxf8f6f4", a, b, scales });
      await check(t, { k: 64, kind: "mxf8f6f4", a, b, scales, isSparse: true });
    }
});

for (const [kind, type, count] of [
  ["mxf4", "ue8m0", 2],
  ["mxf4nvf4", "ue8m0", 2],
  ["mxf4nvf4", "ue4m3", 4],
] as const)
  test(`kind::${kind}: ${count} scales of ${type} a row`, async (t) => {
    const scales = { type, count, vector: `${count}X` };
    for (let i = 0; i < 4; i++) {
      await check(t, { k: 64, kind, a: "e2m1", b: "e2m1", scales, isPacked: true });
      await check(t, { k: 128, kind, a: "e2m1", b: "e2m1", scales, isPacked: true, isSparse: true });
    }
  });
