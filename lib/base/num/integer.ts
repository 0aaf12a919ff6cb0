// Integer multiplication, division, sums of differences and dot products (PTX ISA 9.7.1.3 to 9.7.1.9, 9.7.1.23, 9.7.1.24, 9.7.2).
// Other operations are one JavaScript operator: add.s32 is (a + b) | 0, mul.lo.s32 is Math.imul, add.u64 is BigInt.asUintN(64, a
// + b). Names end in the PTX type. Operands and results are in the type's range (see bits.ts); b32 operands may be int32 or
// uint32.
//
// Division by zero is unspecified in PTX (9.7.1.8, 9.7.1.9). Results are those of NVIDIA GPUs: all ones for the quotient and for
// the remainder. MININT / -1 wraps to MININT, with remainder 0.

const TWO_32 = 2 ** 32;
const TWO_31 = 2 ** 31;

// The double product is within 2^10 of the 64-bit product, so that without its low word it is within 2^-21 of a multiple of 2^32.
// BigInt was 20 times slower.
function highWord(a: number, b: number): number {
  return Math.round((a * b - (Math.imul(a, b) >>> 0)) / TWO_32);
}

/** mul.hi: bits 63..32 of the product. */
export function mulHiU32(a: number, b: number): number {
  return highWord(a, b) >>> 0;
}

export function mulHiS32(a: number, b: number): number {
  return highWord(a, b) | 0;
}

/** mul.hi: bits 127..64 of the product. */
export function mulHiU64(a: bigint, b: bigint): bigint {
  return (a * b) >> 64n;
}

export function mulHiS64(a: bigint, b: bigint): bigint {
  return (a * b) >> 64n;
}

/** mul.hi: bits 31..16 of the product; both operands fit in 16 bits, so that the double product is exact. */
export function mulHiU16(a: number, b: number): number {
  return Math.imul(a, b) >>> 16;
}

export function mulHiS16(a: number, b: number): number {
  return Math.imul(a, b) >> 16;
}

/** mul.wide.u32 and .s32: the whole product, in the range of u64 or s64 according to the operands. */
export function mulWide32(a: number, b: number): bigint {
  return BigInt(a) * BigInt(b);
}

/** x clamped to MININT..MAXINT: mad.hi.sat.s32, mad24.hi.sat.s32, add.sat.s32, sub.sat.s32 of an exact sum. */
export function saturateS32(x: number): number {
  return x < -TWO_31 ? -TWO_31 : x > TWO_31 - 1 ? TWO_31 - 1 : x;
}

/** mad.hi.sat.s32. */
export function madHiSatS32(a: number, b: number, c: number): number {
  return saturateS32(mulHiS32(a, b) + c);
}

// Products of 24-bit integers have at most 48 bits: exact in a double.
const low24Signed = (x: number): number => (x << 8) >> 8;
const low24Unsigned = (x: number): number => x & 0xffffff;

/** mul24.lo: bits 31..0 of the product of the operands' low 24 bits. */
export function mul24LoU32(a: number, b: number): number {
  return (low24Unsigned(a) * low24Unsigned(b)) >>> 0;
}

export function mul24LoS32(a: number, b: number): number {
  return (low24Signed(a) * low24Signed(b)) | 0;
}

/** mul24.hi: bits 47..16 of that product. */
export function mul24HiU32(a: number, b: number): number {
  return Math.floor((low24Unsigned(a) * low24Unsigned(b)) / 65536) >>> 0;
}

export function mul24HiS32(a: number, b: number): number {
  return Math.floor((low24Signed(a) * low24Signed(b)) / 65536) | 0;
}

/** sad: c + |a - b|, wrapping. The 16-bit types: truncate the result. */
export function sadU32(a: number, b: number, c: number): number {
  return (c + Math.abs(a - b)) >>> 0;
}

export function sadS32(a: number, b: number, c: number): number {
  return (c + Math.abs(a - b)) | 0;
}

export function sadU64(a: bigint, b: bigint, c: bigint): bigint {
  return BigInt.asUintN(64, c + (a < b ? b - a : a - b));
}

export function sadS64(a: bigint, b: bigint, c: bigint): bigint {
  return BigInt.asIntN(64, c + (a < b ? b - a : a - b));
}

/** div, rounded towards zero; all ones for division by zero. For the 16-bit types, truncate the 32-bit result. */
export function divU32(a: number, b: number): number {
  return b === 0 ? 0xffffffff : Math.trunc(a / b);
}

export function divS32(a: number, b: number): number {
  return b === 0 ? -1 : (a / b) | 0;
}

export function divU64(a: bigint, b: bigint): bigint {
  return b === 0n ? 0xffffffffffffffffn : a / b;
}

export function divS64(a: bigint, b: bigint): bigint {
  return b === 0n ? -1n : BigInt.asIntN(64, a / b);
}

/** rem: has the sign of the dividend; all ones for division by zero, as for the quotient (an H200's records). */
export function remU32(a: number, b: number): number {
  return b === 0 ? 0xffffffff : a % b;
}

export function remS32(a: number, b: number): number {
  return b === 0 ? -1 : (a % b) | 0;
}

/** rem.u64 and rem.s64. */
export function rem64(a: bigint, b: bigint): bigint {
  return b === 0n ? -1n : a % b;
}

function byteOf(x: number, index: number, isSigned: boolean): number {
  const byte = (x >>> (8 * index)) & 0xff;
  return isSigned ? (byte << 24) >> 24 : byte;
}

function halfOf(x: number, index: number, isSigned: boolean): number {
  const half = (x >>> (16 * index)) & 0xffff;
  return isSigned ? (half << 16) >> 16 : half;
}

/** dp4a: c plus the products of four bytes; as an int32 (u32 accumulators: >>> 0). */
export function dp4a(a: number, b: number, c: number, aSigned: boolean, bSigned: boolean): number {
  let sum = c | 0;
  for (let i = 0; i < 4; i++) sum = (sum + byteOf(a, i, aSigned) * byteOf(b, i, bSigned)) | 0;
  return sum;
}

/** dp2a: c plus the products of a's two halves with two bytes of b, from byte 0 (.lo) or byte 2 (.hi); as an int32. */
export function dp2a(a: number, b: number, c: number, half: "lo" | "hi", aSigned: boolean, bSigned: boolean): number {
  const first = half === "lo" ? 0 : 2;
  let sum = c | 0;
  for (let i = 0; i < 2; i++) sum = (sum + halfOf(a, i, aSigned) * byteOf(b, first + i, bSigned)) | 0;
  return sum;
}
