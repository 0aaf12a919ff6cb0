// Operand values for the rows' tests: columns of COUNT values for each kind of operand and position. Edge cases of the
// kind come first, each at least once and in changing combinations, then random bits; for floats then moderate
// magnitudes, and moderate magnitudes with few bits, whose sums and conversions are often ties.

export const COUNT = 256;

const EDGES_END = 128;
const BITS_END = 176;
const MODERATE_END = 216;

const whole = [
  0, 1, 2, 3, 7, 8, 15, 31, 32, 33, 63, 64, 127, 128, 129, 255, 256, 0x3210, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffff,
  0xffffff, 0x7fffffff, 0x80000000, 0x80000001, 0xaaaaaaaa, 0xfffffffe, 0xffffffff,
].map(BigInt);

const long = [
  0x100000000n,
  0x7fffffffffffffffn,
  0x8000000000000000n,
  0x8000000080000000n,
  0xffffffff80000000n,
  0xffffffffffffff80n,
  0xfffffffffffffffen,
  0xffffffffffffffffn,
];

const f32 = [
  // Zeros, one, halves between integers, infinities, NaNs.
  0, 0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000, 0x3fc00000, 0x40200000, 0xc0200000, 0x7f800000,
  0xff800000, 0x7fc00000, 0x7f800001, 0xffc12345,
  // Ends of the subnormal, normal and integer ranges.
  1, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000, 0x7f7fffff, 0xff7fffff, 0x4b800001, 0x4effffff,
  0x4f000000, 0xcf000000, 0xcf000001, 0x4f800000, 0x5f000000, 0xdf000000, 0x5f800000, 0x3f7fffff, 0x3f800001,
  0x3dcccccd,
  // Close to the ends of 8- and 16-bit integers.
  0x42ff0000, 0x43000000, 0xc3008000, 0x437f8000, 0x43800000, 0x46fffeff, 0x477fff80,
  // Close to the ends of f16, e4m3, e5m2, e3m2, e2m3, e2m1 and ue8m0.
  0x477fe000, 0x477fefff, 0x477ff000, 0x33000000, 0x33800000, 0x38800000, 0x387fe000, 0x43e00000, 0x43e80000,
  0x43f00000, 0x47600000, 0x47700000, 0x41e00000, 0x41f00000, 0x40f00000, 0x40f80000, 0x40c00000, 0x40a00000,
  0x3e800000, 0x3f400000, 0x3a800000, 0x7f000000, 0x7f000001, 0x00400000, 0x00200000,
  // Angles, and exponents at the ends of 2^x.
  0x40490fdb, 0x43fa0000, 0xc3150000, 0xc2fc0000, 0x4d000000,
].map(BigInt);

const f64 = [
  0n,
  0x8000000000000000n,
  0x3ff0000000000000n,
  0xbff0000000000000n,
  0x3fe0000000000000n,
  0x3ff8000000000000n,
  0x4004000000000000n,
  0xc004000000000000n,
  1n,
  0x800fffffffffffffn,
  0x0010000000000000n,
  0x8010000000000001n,
  0x7fefffffffffffffn,
  0xffefffffffffffffn,
  0x7ff0000000000000n,
  0xfff0000000000000n,
  0x7ff8000000000000n,
  0x7ff0000000000001n,
  0xfff8000012345678n,
  0x7ff4000080000000n,
  0x41dfffffffe00000n,
  0x41e0000000000000n,
  0xc1e0000000000000n,
  0xc1e0000000100000n,
  0x41efffffffe00000n,
  0x41f0000000000000n,
  0x43dfffffffffffffn,
  0x43e0000000000000n,
  0xc3e0000000000000n,
  0x43efffffffffffffn,
  0x43f0000000000000n,
  0x36a0000000000000n,
  0x3690000000000000n,
  0x3690000000000001n,
  0x380fffffffffffffn,
  0x47efffffe0000000n,
  0x47effffff0000000n,
  0x40f0000000000000n,
  0x40effc0000000000n,
  0x406fe80000000000n,
  0x3fb999999999999an,
  0x3ca0000000000000n,
  0x3e60000000000000n,
  0x4330000000000001n,
  0x0350000000000000n,
  0x7cc0000000000000n,
];

const f16 = [
  0, 0x8000, 0x3c00, 0xbc00, 0x3800, 0x3e00, 0x4100, 0xc100, 1, 0x8001, 0x3ff, 0x83ff, 0x400, 0x8400, 0x7bff, 0xfbff,
  0x7c00, 0xfc00, 0x7e00, 0x7c01, 0xfe12, 0x7fff, 0xffff, 0x5bf8, 0x3bff, 0x3c01, 0x1400, 0x6400, 0x5f00, 0x7b00,
  0x57f8,
].map(BigInt);

const bf16 = [
  0, 0x8000, 0x3f80, 0xbf80, 0x3f00, 0x3fc0, 0x4020, 0xc020, 1, 0x8001, 0x7f, 0x807f, 0x80, 0x8080, 0x7f7f, 0xff7f,
  0x7f80, 0xff80, 0x7fc0, 0x7f81, 0xffc1, 0x7fff, 0xffff, 0x3f7f, 0x3f81, 0x4f00, 0xcf00, 0x3380, 0x437f, 0x5f00,
  0x7f00, 0x0040,
].map(BigInt);

const count = [
  0, 1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 17, 24, 28, 31, 32, 33, 40, 48, 62, 63, 64, 65, 127, 128, 255, 256, 257,
  0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffd,
].map(BigInt);

interface FloatKind {
  readonly bits: 16 | 32 | 64;
  readonly edges: readonly bigint[];
  readonly mantissa: number;
  /** Exponent field and span of moderate values. */
  readonly least: number;
  readonly span: number;
}

const floats: Readonly<Record<string, FloatKind>> = {
  f16: { bits: 16, edges: f16, mantissa: 10, least: 10, span: 8 },
  bf16: { bits: 16, edges: bf16, mantissa: 7, least: 120, span: 16 },
  f32: { bits: 32, edges: f32, mantissa: 23, least: 116, span: 32 },
  f64: { bits: 64, edges: f64, mantissa: 52, least: 1008, span: 32 },
};

const u64 = (x: bigint): bigint => BigInt.asUintN(64, x);

/** splitmix64: random numbers, the same everywhere. */
export function mix(seed: bigint): bigint {
  let x = u64(seed + 0x9e3779b97f4a7c15n);
  x = u64((x ^ (x >> 30n)) * 0xbf58476d1ce4e5b9n);
  x = u64((x ^ (x >> 27n)) * 0x94d049bb133111ebn);
  return x ^ (x >> 31n);
}

/** The first operand takes the edge cases in turn, the others random ones. */
function edge(list: readonly bigint[], place: number, i: number, random: bigint): bigint {
  return list[place === 0 ? i % list.length : Number(random % BigInt(list.length))]!;
}

function floatValue({ bits, edges, mantissa, least, span }: FloatKind, place: number, i: number, r: bigint): bigint {
  if (i < EDGES_END) return edge(edges, place, i, r);
  if (i < BITS_END) return BigInt.asUintN(bits, r);
  const sign = ((r >> 60n) & 1n) << BigInt(bits - 1);
  const exponent = BigInt(least) + ((r >> 52n) % BigInt(span));
  const places = i < MODERATE_END ? mantissa : Math.min(mantissa, 1 + (i % 12));
  const fraction = BigInt.asUintN(mantissa, r) >> BigInt(mantissa - places);
  return sign | (exponent << BigInt(mantissa)) | (fraction << BigInt(mantissa - places));
}

/** 16-bit kinds, whose values can all be tried: seed -1 has the first COUNT, seed -2 the next and so on. */
export const HALVES: ReadonlySet<string> = new Set(["f16", "bf16", "bytes", "i16"]);
export const HALF_SEEDS = 65536 / COUNT;

/** Value number i of an operand of that kind and position. */
function valueOf(kind: string, place: number, i: number, seed: number): bigint {
  if (seed < 0 && place === 0 && HALVES.has(kind)) return BigInt(COUNT * (-1 - seed) + i);
  const r = mix(BigInt(seed) * 0x10000n + BigInt(16 * i + place));
  const float = floats[kind.replace(/x2$/, "")];
  if (float !== undefined && kind.endsWith("x2")) {
    const [low, high] = [floatValue(float, place, i, r), floatValue(float, 1, i, mix(r))];
    return low | (high << BigInt(float.bits));
  }
  if (float !== undefined) return floatValue(float, place, i, r);
  switch (kind) {
    case "pred":
      return r & 1n;
    case "count":
      return i < EDGES_END ? edge(count, place, i, r) : r & 63n;
    // Every byte once: all values of the small formats.
    case "bytes":
      return BigInt(i) | (((r & 0xffn) ^ BigInt(i)) << 8n);
    default: {
      const bits = Number(kind.slice(1));
      return BigInt.asUintN(bits, i < EDGES_END ? edge(bits === 64 ? [...whole, ...long] : whole, place, i, r) : r);
    }
  }
}

// A memo of a pure function.
const columns = new Map<string, BigUint64Array>();

/** Values of an operand of that kind ("i32", "f16x2", "count" ...) and position; the record was made with `seed` 0. */
export function columnOf(kind: string, place: number, seed = 0): BigUint64Array {
  const key = `${kind} ${place} ${seed}`;
  let column = columns.get(key);
  if (column === undefined) {
    column = BigUint64Array.from({ length: COUNT }, (_, i) => valueOf(kind, place, i, seed));
    columns.set(key, column);
  }
  return column;
}

/** Bits of the register that holds an operand of a kind. */
export function bitsOf(kind: string): number {
  if (kind === "pred") return 1;
  if (kind === "bytes") return 16;
  if (kind === "count") return 32;
  const float = floats[kind.replace(/x2$/, "")];
  return float === undefined ? Number(kind.slice(1)) : float.bits * (kind.endsWith("x2") ? 2 : 1);
}
