// Inputs of the timing records' kernels: values are a hash of the index, so that no file needs to be kept. The name of a file
// describes its contents (testdata/hardware/h200/timing/README.md, "Inputs").

import { writeNpy, type NpyType } from "../../formats/npy/index.js";

/** A sparse matrix. `starts`: the first entry of each row; `columns`: the column of each entry. */
interface SparseMatrix {
  readonly starts: Uint32Array;
  readonly columns: Uint32Array;
}

/** The upper half of a 64-bit finaliser (SplitMix64) of index + seed. */
export function hashes(count: number, seed: number): Uint32Array {
  const out = new Uint32Array(count);
  const start = BigInt(seed * 0x9e3779b9 + 1);
  const [startHigh, startLow] = [Number(start >> 32n), Number(start & 0xffffffffn)];
  const product = new Uint32Array(2);
  for (let i = 0; i < count; i++) {
    const sum = startLow + i;
    multiply((startHigh + Math.floor(sum / 2 ** 32)) >>> 0, sum >>> 0, 0x9e3779b9, 0x7f4a7c15, product);
    shifted(product, 30);
    multiply(product[0]!, product[1]!, 0xbf58476d, 0x1ce4e5b9, product);
    shifted(product, 27);
    multiply(product[0]!, product[1]!, 0x94d049bb, 0x133111eb, product);
    shifted(product, 31);
    out[i] = product[0]!;
  }
  return out;
}

/** x ^= x >> bits, for bits below 32. */
function shifted(words: Uint32Array, bits: number): void {
  const [high, low] = [words[0]!, words[1]!];
  words[1] = low ^ ((high << (32 - bits)) | (low >>> bits));
  words[0] = high ^ (high >>> bits);
}

/** 64-bit product, as [high, low]. */
function multiply(high: number, low: number, otherHigh: number, otherLow: number, into: Uint32Array): void {
  const [a, b, c, d] = [low & 0xffff, low >>> 16, otherLow & 0xffff, otherLow >>> 16];
  const [ac, bc, ad] = [a * c, b * c, a * d];
  const middle = bc + (ac >>> 16);
  const carried = (middle % 65536) + ad;
  const upper = (b * d + Math.floor(middle / 65536) + Math.floor(carried / 65536)) % 2 ** 32;
  into[0] = upper + Math.imul(high, otherLow) + Math.imul(low, otherHigh);
  into[1] = ((carried % 65536) << 16) | (ac & 0xffff);
}

function reals(count: number, low: number, high: number, seed: number): Float64Array {
  return Float64Array.from(hashes(count, seed), (hash) => low + ((high - low) * (hash >>> 8)) / 2 ** 24);
}

function toEven(x: number): number {
  const floor = Math.floor(x);
  const rest = x - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 !== 0) ? floor + 1 : floor;
}

/** Bits of the f16 nearest to a number of f16's range. */
function halfBits(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size === 0) return sign;
  let exponent = Math.floor(Math.log2(size));
  if (2 ** exponent > size) exponent--;
  if (2 ** (exponent + 1) <= size) exponent++;
  if (exponent < -14) return sign | toEven(size / 2 ** -24);
  return sign | (((exponent + 15) << 10) + toEven(size / 2 ** (exponent - 10)) - 1024);
}

function sparse(rows: number, kind: string, seed: number): SparseMatrix {
  const hash = hashes(rows, seed);
  const starts = new Uint32Array(rows + 1);
  for (let row = 0; row < rows; row++) {
    const skewed = Math.min(4 + (hash[row]! & 7) + ((hash[row]! >>> 8) % 64 === 0 ? 128 : 0), 140);
    starts[row + 1] = starts[row]! + (kind === "skew" ? skewed : 8 + (hash[row]! & 15));
  }
  return { starts, columns: hashes(starts[rows]!, seed + 7).map((x) => x % rows) };
}

/** Levels of a breadth-first search, up to level `upTo`. */
function levels(count: number, upTo: number): Uint32Array {
  const { starts, columns } = sparse(count, "even", 5);
  const level = new Uint32Array(count).fill(0xffffffff);
  level[0] = 0;
  for (let depth = 0; depth < upTo; depth++)
    for (let from = 0; from < count; from++) {
      if (level[from] !== depth) continue;
      for (let at = starts[from]!; at < starts[from + 1]!; at++) {
        const to = columns[at]!;
        if (level[to] === 0xffffffff) level[to] = depth + 1;
      }
    }
  return level;
}

/** One random cycle through all indices. */
function cycle(count: number): Uint32Array {
  const keys = hashes(count, 11);
  const order = Uint32Array.from(keys, (_, i) => i).sort((a, b) => keys[a]! - keys[b]! || a - b);
  const next = new Uint32Array(count);
  for (let i = 0; i < count; i++) next[order[i]!] = order[(i + 1) % count]!;
  return next;
}

/** The start of each block's share for each of 16 digits. */
function radixOffsets(count: number): Uint32Array {
  const hash = hashes(count, 1);
  const blocks = count / 256;
  const counts = new Uint32Array(16 * blocks);
  for (let i = 0; i < count; i++) counts[((hash[i]! >>> 8) & 15) * blocks + (i >> 8)]!++;
  let sum = 0;
  return counts.map((n) => {
    const at = sum;
    sum += n;
    return at;
  });
}

/** Numbers in names, in which "m" means minus. */
const number = (word: string | undefined): number => Number((word ?? "").replace("m", "-"));

type Values = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

function valuesOf(name: string): readonly [type: NpyType, values: Values] {
  const [kind, ...words] = name.split("_");
  const [first, second, third, fourth] = words.map(number) as [number, number, number, number];
  switch (kind) {
    case "f32":
      return ["f4", Float32Array.from(reals(first, second, third, fourth))];
    case "f64":
      return ["f8", reals(first, second, third, fourth)];
    case "f16":
      return ["f2", Uint16Array.from(reals(first, second, third, fourth), halfBits)];
    case "u32":
      return ["u4", hashes(first, third).map((x) => (x & second) >>> 0)];
    case "u8":
      return ["u1", Uint8Array.from(hashes(first, third), (x) => x & second)];
    case "csr": {
      const matrix = sparse(first, words[1]!, third);
      if (words[3] === "rp") return ["u4", matrix.starts];
      if (words[3] === "ci") return ["u4", matrix.columns];
      return ["f4", Float32Array.from(reals(matrix.columns.length, 0, 1, 9))];
    }
    case "bfs":
      return ["u4", levels(first, second)];
    case "cycle":
      return ["u4", cycle(first)];
    case "radix":
      return ["u4", radixOffsets(words[1] === "a" ? 2 ** 19 : 2 ** 16)];
    default:
      throw new Error(`${name}: no rule says what is in this file`);
  }
}

/** The bytes of the .npy file with that name. */
export function inputFile(name: string): Uint8Array {
  const [type, values] = valuesOf(name.replace(/\.npy$/, ""));
  const data = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return writeNpy({ type, shape: [values.length], data });
}
