// Arguments of the sampled records of testdata/hardware/h200/approx, as its README defines them: pairs for quotients,
// and arguments of reciprocal roots.

const MASK = 2n ** 64n - 1n;

function mix64(x: bigint): bigint {
  let z = (x * 0x9e3779b97f4a7c15n + 0x9e3779b97f4a7c15n) & MASK;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK;
  return z ^ (z >> 31n);
}

const random = (stream: number, i: number): bigint => mix64((BigInt(stream) << 40n) + BigInt(i));

export const PAIRS = 2 ** 20;

const withExponent = (word: number, field: number): number => ((word & 0x807fffff) | (field << 23)) >>> 0;

/** Dividend and divisor as bits, by quarters: any; moderate; large divisors; small ones. */
export function pairOf(i: number): readonly [a: number, b: number] {
  const [ra, rb] = [random(901, i), random(902, i)];
  const [a, b] = [Number(ra >> 32n), Number(rb >> 32n)];
  const [lowA, lowB] = [Number(ra & 0xffffn), Number(rb & 0xffffn)];
  switch (Math.floor((4 * i) / PAIRS)) {
    case 0:
      return [a, b];
    case 1:
      return [withExponent(a, 107 + ((lowA * 64) >> 16)), withExponent(b, 107 + ((lowB * 64) >> 16))];
    case 2:
      return [a, withExponent(b, 252 + ((lowB * 3) >> 16))];
    default:
      return [(ra & 1n) === 0n ? withExponent(a, (lowA * 27) >> 16) : a, withExponent(b, (lowB * 4) >> 16)];
  }
}

const RANDOM_ROOTS = 2 ** 17;

const positiveEdges = [
  0n,
  1n,
  0x000fffffffffffffn,
  0x0010000000000000n,
  0x7fefffffffffffffn,
  0x7ff0000000000000n,
  0x7ff0000000000001n,
  0x7ff8000000000000n,
  0x7fffffffffffffffn,
  0x7ff4567812345678n,
];
const edges = [...positiveEdges, ...positiveEdges.map((x) => x | (1n << 63n))];

export const ROOTS = RANDOM_ROOTS + edges.length;

/** The bits of an argument of rsqrt.approx.f64. */
export function rootArgument(i: number): bigint {
  if (i >= RANDOM_ROOTS) return edges[i - RANDOM_ROOTS]!;
  const r = random(900, i);
  if (i >= 2 ** 16) return r & (2n ** 63n - 1n);
  return ((r & (2n ** 52n - 1n)) | 0x3ff0000000000000n) + (BigInt(i & 1) << 52n);
}
