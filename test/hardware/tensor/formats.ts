// Number formats of the recordings' generator, and its instructions: the fields of instructions.json that suites use.

export interface Instruction {
  readonly id: number;
  readonly name: string;
  readonly kind: "mma" | "wgmma";
  readonly layout: "mma" | "m8" | "volta" | "wgmma" | "wgmma_reg";
  readonly ta: string;
  readonly tb: string;
  readonly tc: string;
  readonly M: number;
  readonly N: number;
  readonly K: number;
  readonly nA: number;
  readonly nB: number;
  readonly nC: number;
  readonly sparse: boolean;
  readonly tiles: number;
  readonly inputHash: readonly number[];
  readonly probeCrc?: readonly string[];
  readonly hashes: { readonly offset: number; readonly count: number };
  readonly outputs: { readonly offset: number; readonly words: number; readonly tiles: readonly number[] };
  readonly probes?: { readonly total: number; readonly offset: number; readonly count: number };
}

/** Exponent and mantissa bits. */
export const FORMATS: Readonly<Record<string, readonly [exponentBits: number, mantissaBits: number]>> = {
  f16: [5, 10],
  bf16: [8, 7],
  tf32: [8, 10],
  e4m3: [4, 3],
  e5m2: [5, 2],
  f64: [11, 52],
  f32: [8, 23],
};

export const BITS: Readonly<Record<string, number>> = {
  f16: 16,
  bf16: 16,
  tf32: 32,
  e4m3: 8,
  e5m2: 8,
  f64: 64,
  f32: 32,
  s32: 32,
  s8: 8,
  u8: 8,
  s4: 4,
  u4: 4,
  b1: 1,
};

export interface Limits {
  readonly bias: number;
  /** Exponents of the smallest normal and of the largest number. */
  readonly least: number;
  readonly most: number;
}

export function limitsOf(type: string): Limits {
  const bias = 2 ** (FORMATS[type]![0] - 1) - 1;
  return { bias, least: 1 - bias, most: type === "e4m3" ? 8 : bias };
}

/** Infinities, NaNs, -0 and the largest number: what the generator strews among others. */
export function specialsOf(type: string): readonly bigint[] {
  if (type === "e4m3") return [0x7fn, 0xffn, 0x80n, 0n, 0x7en, 0xfen, 1n, 0x81n];
  const [exponentBits, mantissaBits] = FORMATS[type]!;
  const sign = 1n << BigInt(exponentBits + mantissaBits);
  const top = ((1n << BigInt(exponentBits)) - 1n) << BigInt(mantissaBits);
  const quiet = 1n << BigInt(mantissaBits - 1);
  const payload = quiet > 1n ? quiet - 1n : 1n;
  return [top, top | sign, top | quiet, top | sign | quiet | 1n, top | 1n, top | sign | payload, sign, top - 1n];
}

export const threadsOf = ({ kind }: Pick<Instruction, "kind">): number => (kind === "wgmma" ? 128 : 32);

/** Words of a tile of A, B and C (f64: of 64 bits). */
export function wordCounts(instruction: Instruction): readonly [number, number, number] {
  const { kind, nA, nB, nC } = instruction;
  return kind === "wgmma" ? [nA, nB, nC * 128] : [nA * 32, nB * 32, nC * 32];
}

/** Words of the type: of 64 bits for f64. */
export const wordsFor = (type: string, count: number): Words =>
  BITS[type] === 64 ? new BigUint64Array(count) : new Uint32Array(count);

export type Words = Uint32Array | BigUint64Array;

export const as32 = (words: Words): Uint32Array =>
  new Uint32Array(words.buffer, words.byteOffset, words.byteLength / 4);
