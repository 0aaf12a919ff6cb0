// Converts between floating-point values and their bits. Representation of values in base/num (PTX ISA 5.2.1 fundamental types):
//   f32, f64        JS numbers; an f32 is a number that Math.fround does not change
//   f16, bf16, fp8  integers with the value's bits
//   8..32-bit ints  numbers: s* in the signed range, u* and b* in the unsigned range
//   64-bit ints     bigints: s64 in the signed range, u64 and b64 in the unsigned range
// A JS number has only one NaN (engines change payloads: a signalling NaN copied through a Float32Array becomes quiet), so that
// NaN payloads exist only as bits: mov, ld, st, selp and the like move integers, never numbers. Converting a number to bits makes
// NaN the canonical NaN of its format: 0x7fffffff for f32 (as on NVIDIA GPUs; the ISA, 9.7.3, does not define it) and
// 0xfff8000000000000 for f64 (CUDA's own NaN constant). The scratch buffer below is private and not used between calls.

const scratch = new ArrayBuffer(8);
const F64 = new Float64Array(scratch);
const F32 = new Float32Array(scratch);
const U64 = new BigUint64Array(scratch);
const I32 = new Int32Array(scratch);
F64[0] = 1;
/** Index of the word with a double's sign: 1 on little-endian machines, 0 on others. */
const HIGH = I32[1] === 0 ? 0 : 1;
const LOW = 1 - HIGH;

/** Bits of the NaN that f32 arithmetic returns. */
export const F32_NAN_BITS = 0x7fffffff;
/** Bits of the NaN that f64 arithmetic without a NaN operand returns. */
export const F64_NAN_BITS = 0xfff8000000000000n;

/** Bits of an f32 value, as an int32; NaN gives the canonical NaN. */
export function f32ToBits(x: number): number {
  if (x !== x) return F32_NAN_BITS;
  F32[0] = x;
  return I32[0]!;
}

/** The f32 value with these bits (an int32 or a uint32); every NaN gives NaN. */
export function f32FromBits(bits: number): number {
  I32[0] = bits;
  return F32[0]!;
}

/** Bits of an f64 value, as an unsigned 64-bit integer; NaN gives the canonical NaN. */
export function f64ToBits(x: number): bigint {
  if (x !== x) return F64_NAN_BITS;
  F64[0] = x;
  return U64[0]!;
}

/** The f64 value with these bits; every NaN gives NaN. */
export function f64FromBits(bits: bigint): number {
  U64[0] = bits;
  return F64[0]!;
}

/** Bits 63..32 of an f64 value that is not NaN, as an int32. */
export function f64HighWord(x: number): number {
  F64[0] = x;
  return I32[HIGH]!;
}

/** Bits 31..0 of an f64 value that is not NaN, as an int32. */
export function f64LowWord(x: number): number {
  F64[0] = x;
  return I32[LOW]!;
}

/** The f64 value of two 32-bit words. */
export function f64FromWords(high: number, low: number): number {
  I32[HIGH] = high;
  I32[LOW] = low;
  return F64[0]!;
}

const MIN_POWER = -1022;
// A table, because storing two words and reading them as one double stalls the processor for longer than a lookup.
const POWERS = Float64Array.from({ length: 1024 - MIN_POWER }, (_, i) => f64FromWords((i + 1) << 20, 0));

/** 2^exponent, for -1022 <= exponent <= 1023. */
export function powerOfTwo(exponent: number): number {
  return POWERS[exponent - MIN_POWER]!;
}

/** floor(log2 |x|) for a finite x; zero and subnormal doubles give -1023. */
export function exponentOf(x: number): number {
  return ((f64HighWord(x) >>> 20) & 0x7ff) - 1023;
}

/** The smallest f32 above x; x is an f32 other than NaN and +Infinity. */
export function nextUpF32(x: number): number {
  if (x === 0) return 2 ** -149;
  F32[0] = x;
  I32[0]! += x > 0 ? 1 : -1;
  return F32[0]!;
}

/** The largest f32 below x; x is an f32 other than NaN and -Infinity. */
export function nextDownF32(x: number): number {
  return -nextUpF32(-x);
}

/** The smallest f64 above x; x is neither NaN nor +Infinity. */
export function nextUpF64(x: number): number {
  if (x === 0) return Number.MIN_VALUE;
  F64[0] = x;
  const low = I32[LOW]!;
  if (x > 0) {
    I32[LOW] = low + 1;
    if (low === -1) I32[HIGH]! += 1;
  } else {
    I32[LOW] = low - 1;
    if (low === 0) I32[HIGH]! -= 1;
  }
  return F64[0]!;
}

/** The largest f64 below x; x is neither NaN nor -Infinity. */
export function nextDownF64(x: number): number {
  return -nextUpF64(-x);
}

/** Whether the sign bit is set; false for NaN, whose sign exists only as bits. */
export function isNegative(x: number): boolean {
  return x < 0 || (x === 0 && 1 / x < 0);
}
