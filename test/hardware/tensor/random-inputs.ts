// Random tiles of the first recording: random_inputs of its tensor_inputs.py, element by element. README of
// testdata/hardware/h200/tensor describes the sixteen kinds of tiles.

import {
  BITS,
  FORMATS,
  type Instruction,
  limitsOf,
  specialsOf,
  threadsOf,
  wordCounts,
  type Words,
  wordsFor,
} from "./formats.js";
import { mix64, type Mixed } from "./mix.js";

type Bound = number | "two" | "sub" | "csub" | "halfmin" | "cmin" | "halfmax" | "cmax";

/** Lowest and highest exponent, non-zero elements of 256, mantissas: 0 any, 1 zero, 3 at the edges. */
type Role = readonly [low: Bound, high: number, nonZero: number, mantissas: 0 | 1 | 3];

const KINDS: Readonly<Record<number, readonly [a: Role, b: Role, c: Role]>> = {
  0: [
    [0, 0, 256, 0],
    [0, 0, 256, 0],
    [0, 3, 256, 0],
  ],
  1: [
    [-3, 3, 256, 0],
    [-3, 3, 256, 0],
    [-6, 6, 256, 0],
  ],
  2: [
    [-8, 8, 256, 0],
    [-8, 8, 256, 0],
    [-16, 16, 256, 0],
  ],
  5: [
    [-8, 8, 32, 0],
    [-6, 6, 256, 0],
    [-24, 24, 256, 0],
  ],
  6: [
    [-10, 10, 48, 3],
    [-3, 3, 256, 1],
    [0, 0, 0, 0],
  ],
  7: [
    [-10, 10, 128, 1],
    [-4, 4, 256, 1],
    [-14, 14, 256, 1],
  ],
  8: [
    ["two", 12, 256, 1],
    [0, 0, 256, 1],
    [-12, 12, 256, 0],
  ],
  9: [
    ["sub", 2, 256, 0],
    [-2, 2, 256, 0],
    ["csub", 4, 192, 0],
  ],
  10: [
    ["halfmin", 4, 128, 0],
    ["halfmin", 4, 256, 0],
    ["cmin", 8, 192, 0],
  ],
  11: [
    ["halfmax", 1, 256, 0],
    ["halfmax", 1, 256, 0],
    ["cmax", 3, 192, 0],
  ],
  13: [
    [-1, 1, 256, 3],
    [-1, 1, 256, 3],
    [-28, 28, 256, 3],
  ],
  14: [
    [-1, 1, 256, 3],
    [-1, 1, 256, 3],
    [-2, 8, 256, 3],
  ],
};

function range([low, high]: Role, type: string, typeA: string): readonly [low: number, high: number] {
  const { least, most } = limitsOf(type);
  const a = limitsOf(typeA);
  switch (low) {
    case "sub":
      return [least - FORMATS[type]![1], least + high];
    case "csub":
      return [a.least - FORMATS[typeA]![1], a.least + high];
    case "halfmin":
      return [Math.floor(least / 2) - high, Math.floor(least / 2) + high];
    case "cmin":
      return [a.least - high, a.least + Math.floor(high / 2)];
    case "halfmax":
      return [Math.floor(most / 2) - high, Math.floor(most / 2) + high];
    case "cmax":
      return [most - high, most];
    case "two":
      return [0, high];
    default:
      return [low, high];
  }
}

/** Mantissas and bits of an element: numbers up to 32 bits, bigints for f64. */
interface Width<T> {
  any(r: Mixed): T;
  upper(r: Mixed, width: number): T;
  assemble(sign: number, exponent: number, mantissa: T): T;
  edges: readonly T[];
  specials: readonly T[];
  zero: T;
}

/** Formats of up to 32 bits. */
function narrow(type: string): Width<number> {
  const [exponentBits, mantissaBits] = FORMATS[type]!;
  const { bias, most } = limitsOf(type);
  const ones = 2 ** mantissaBits - 1;
  const half = 2 ** (mantissaBits - 1);
  const big = type === "e4m3" ? 0x7e : (most + bias) * 2 ** mantissaBits + ones;
  return {
    any: ({ high, low }) => (((high & 0xfffff) << 12) | (low >>> 20)) >>> (32 - mantissaBits),
    upper: ({ high }, width) => high >>> (32 - width),
    assemble: (sign, exponent, mantissa) => {
      const biased = exponent + bias;
      const subnormal =
        1 - biased > mantissaBits + 1 ? 0 : Math.floor((mantissa + 2 ** mantissaBits) / 2 ** (1 - biased));
      const normal = Math.min(biased, 2 ** exponentBits - 1) * 2 ** mantissaBits + mantissa;
      const value = exponent > most ? big : biased <= 0 ? subnormal : normal;
      return (type === "e4m3" ? Math.min(value, big) : value) + sign * 2 ** (exponentBits + mantissaBits);
    },
    edges: [0, 1, ones, half, half - 1],
    specials: specialsOf(type).map(Number),
    zero: 0,
  };
}

const wide: Width<bigint> = {
  any: ({ high, low }) => (BigInt(high & 0xfffff) << 32n) | BigInt(low >>> 0),
  upper: ({ high, low }) => (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0),
  assemble: (sign, exponent, mantissa) => {
    const biased = exponent + 1023;
    const subnormal = 1 - biased > 53 ? 0n : (mantissa | (1n << 52n)) >> BigInt(Math.min(Math.max(1 - biased, 0), 63));
    const value =
      exponent > 1023
        ? 0x7fefffffffffffffn
        : biased <= 0
          ? subnormal
          : (BigInt(Math.min(biased, 2047)) << 52n) | mantissa;
    return value | (BigInt(sign) << 63n);
  },
  edges: [0n, 1n, (1n << 52n) - 1n, 1n << 51n, (1n << 51n) - 1n],
  specials: specialsOf("f64"),
  zero: 0n,
};

/** An element from its two random words. */
type Draw<T> = (r: Mixed, r2: Mixed) => T;

/** Of `role` (A 0, B 1, C 2) in tiles of that number. */
function drawFloat<T>(type: string, typeA: string, role: number, tile: number, width: Width<T>): Draw<T> {
  const [exponentBits, mantissaBits] = FORMATS[type]!;
  const kind = tile % 16;
  const total = exponentBits + mantissaBits + 1;
  if (kind === 3 || kind === 4) {
    return (r) => {
      const isTop = ((r.high >>> (31 - exponentBits)) & (2 ** exponentBits - 1)) === 2 ** exponentBits - 1;
      if (kind === 4 && isTop) {
        // The upper bit of the exponent field.
        const high = r.high & ~(1 << 30);
        return width.upper({ high, low: r.low }, total);
      }
      return width.upper(r, total);
    };
  }
  if (kind === 15) {
    const zeros = (sign: number): T => width.assemble(sign, -5000, width.zero);
    const ones = (sign: number): T =>
      role < 2 ? width.assemble(sign, 0, width.zero) : leastSubnormal(type, sign, width);
    const table = [zeros(0), zeros(1), ones(0), ones(1)];
    return (_, r2) => {
      const pick = (r2.low >>> 8) & 3;
      return table[(r2.low & 0xff) < (role < 2 ? 200 : 224) ? pick & 1 : pick]!;
    };
  }
  const spec = KINDS[kind === 12 ? 1 : kind]![role]!;
  const [low, high] = range(spec, type, typeA);
  const [first, , nonZero, mantissas] = spec;
  return (r, r2) => {
    const x = (r.high >>> 20) & 0x7ff;
    const pick = (r2.low >>> 8) & 0xff;
    if (kind === 12 && r2.low >>> 16 < 0x10000 / 32) return width.specials[pick & 7]!;
    if ((r2.low & 0xff) >= nonZero) return width.zero;
    const exponent =
      first === "two" ? ((x & 1) === 0 ? 0 : type === "e4m3" ? 6 : 12) : low + ((x * (high - low + 1)) >> 11);
    const mantissa =
      mantissas === 0 ? width.any(r) : mantissas === 1 ? width.zero : (width.edges[pick % 6] ?? width.any(r));
    return width.assemble(r.high >>> 31, exponent, mantissa);
  };
}

function leastSubnormal<T>(type: string, sign: number, { assemble, zero }: Width<T>): T {
  return assemble(sign, limitsOf(type).least - FORMATS[type]![1], zero);
}

function drawInteger(type: string, role: number, tile: number): Draw<number> {
  if (role < 2) return (r) => r.high >>> (32 - BITS[type]!);
  return (r) => {
    const small = r.low & 0xffff;
    return [(small - 0x8000) >>> 0, r.high >>> 0, 0x7fffffff - small, 0x80000000 + small][tile % 4]!;
  };
}

/** One matrix: `count` words of elements from the key's role and tile on. */
export function randomWords(id: number, role: number, tile: number, type: string, typeA: string, count: number): Words {
  const bits = BITS[type]!;
  const words = wordsFor(type, count);
  const [r, r2] = [
    { high: 0, low: 0 },
    { high: 0, low: 0 },
  ];
  // id << 52 | role << 48 | tile << 24 | element
  const high = (id << 20) | (role << 16) | (tile >>> 8);
  const draw = (element: number): void => {
    const low = (tile << 24) | element;
    mix64(high, low, r);
    mix64(high ^ 0x55550000, low, r2);
  };
  if (words instanceof BigUint64Array) {
    const of = drawFloat(type, typeA, role, tile, wide);
    for (let i = 0; i < count; i++) {
      draw(i);
      words[i] = of(r, r2);
    }
    return words;
  }
  const isFloat = FORMATS[type] !== undefined;
  const of = isFloat ? drawFloat(type, typeA, role, tile, narrow(type)) : drawInteger(type, role, tile);
  const hasLowBits = type === "tf32" && (tile % 16 === 3 || tile % 16 === 4);
  const per = Math.max(1, 32 / bits);
  for (let i = 0; i < count; i++) {
    let word = 0;
    for (let j = 0; j < per; j++) {
      draw(i * per + j);
      let value = of(r, r2);
      if (type === "tf32") value = (value << 13) | (hasLowBits ? r2.high >>> 19 : 0);
      word |= value << (j * bits);
    }
    words[i] = word;
  }
  return words;
}

const NIBBLES = [4, 8, 9, 0xc, 0xd, 0xe, 4, 0xe];

function metadata(id: number, tile: number, threads: number, type: string): Uint32Array {
  const words = new Uint32Array(threads);
  const r = { high: 0, low: 0 };
  for (let i = 0; i < threads * 8; i++) {
    mix64((id << 20) | (3 << 16) | (tile >>> 8), (tile << 24) | i, r);
    const nibble = type === "tf32" ? ((r.low & 1) === 1 ? 0xe : 4) : NIBBLES[r.low & 7]!;
    words[i >> 3]! |= nibble << (4 * (i & 7));
  }
  return words;
}

/** A, B, C and metadata (one word without) of a tile. */
export function randomTile(instruction: Instruction, tile: number): readonly [Words, Words, Words, Uint32Array] {
  const { id, ta, tb, tc, sparse } = instruction;
  const counts = wordCounts(instruction);
  const [a, b, c] = [ta, tb, tc].map((type, role) => randomWords(id, role, tile, type, ta, counts[role]!));
  return [a!, b!, c!, sparse ? metadata(id, tile, threadsOf(instruction), ta) : new Uint32Array(1)];
}
