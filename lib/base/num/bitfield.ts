// Counts, finds, reverses, extracts and inserts bits (PTX ISA 9.7.1.14 to 9.7.1.22). b32 operands may be int32 or uint32; results
// are uint32, except int32 for s32 forms. b64 operands are any bigint (only their low 64 bits count); results are unsigned,
// except signed for s64 forms.

const NOT_FOUND = 0xffffffff;
const MIN_OFFSET = -0x80000000;

const low32 = (x: bigint): number => Number(x & 0xffffffffn);
const high32 = (x: bigint): number => Number((x >> 32n) & 0xffffffffn);

/** popc.b32. */
export function popc32(x: number): number {
  const pairs = x - ((x >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export function popc64(x: bigint): number {
  return popc32(low32(x)) + popc32(high32(x));
}

/** clz.b32: 32 for zero. */
export const clz32: (x: number) => number = Math.clz32;

export function clz64(x: bigint): number {
  const high = high32(x);
  return high === 0 ? 32 + Math.clz32(low32(x)) : Math.clz32(high);
}

/** bfind: position of the most significant bit that differs from the sign or, with .shiftamt, its distance from the top. */
export function bfindU32(x: number, asShift: boolean): number {
  const zeros = Math.clz32(x);
  return zeros === 32 ? NOT_FOUND : asShift ? zeros : 31 - zeros;
}

export function bfindS32(x: number, asShift: boolean): number {
  return bfindU32((x | 0) < 0 ? ~x : x, asShift);
}

export function bfindU64(x: bigint, asShift: boolean): number {
  const zeros = clz64(x);
  return zeros === 64 ? NOT_FOUND : asShift ? zeros : 63 - zeros;
}

export function bfindS64(x: bigint, asShift: boolean): number {
  return bfindU64(BigInt.asIntN(64, x) < 0n ? ~x : x, asShift);
}

/**
 * fns.b32: position of the |offset|-th set bit from `base` on, upwards or, for offset < 0, downwards. The smallest offset, which
 * has no positive counterpart, gives 0 (an H200's records).
 */
export function fns32(mask: number, base: number, offset: number): number {
  const isSet = (place: number): boolean => ((mask >>> place) & 1) === 1;
  const start = base >>> 0;
  if (offset === MIN_OFFSET) return 0;
  if (start > 31) return NOT_FOUND;
  if (offset === 0) return isSet(start) ? start : NOT_FOUND;
  let left = Math.abs(offset);
  for (let place = start; place >= 0 && place < 32; place += Math.sign(offset)) {
    if (isSet(place) && --left === 0) return place;
  }
  return NOT_FOUND;
}

function swapBits(x: number, distance: number, mask: number): number {
  return ((x >>> distance) & mask) | ((x & mask) << distance);
}

/** brev.b32. */
export function brev32(x: number): number {
  const pairs = swapBits(x, 1, 0x55555555);
  const nibbles = swapBits(pairs, 2, 0x33333333);
  const bytes = swapBits(nibbles, 4, 0x0f0f0f0f);
  const halves = swapBits(bytes, 8, 0x00ff00ff);
  return swapBits(halves, 16, 0xffff) >>> 0;
}

export function brev64(x: bigint): bigint {
  return (BigInt(brev32(low32(x))) << 32n) | BigInt(brev32(high32(x)));
}

const ones32 = (length: number): number => (length >= 32 ? -1 : (1 << length) - 1);

/** bfe: `length` bits from `start` on; the 32-bit forms use the low 8 bits of both. Fields beyond the top are extended. */
export function bfeU32(x: number, start: number, length: number): number {
  const place = start & 0xff;
  return place > 31 ? 0 : ((x >>> place) & ones32(length & 0xff)) >>> 0;
}

export function bfeS32(x: number, start: number, length: number): number {
  const place = start & 0xff;
  const width = Math.min(length & 0xff, 32 - place);
  if ((length & 0xff) === 0) return 0;
  return width <= 0 ? x >> 31 : (x << (32 - place - width)) >> (32 - width);
}

/**
 * The start or length of a 64-bit field, limited to 64. The 64-bit forms use their whole operands, not the low 8 bits as in the
 * pseudo-code of 9.7.1.19 and 9.7.1.20 (an H200's records).
 */
const within64 = (count: number): bigint => BigInt(Math.min(count >>> 0, 64));

export function bfeU64(x: bigint, start: number, length: number): bigint {
  return BigInt.asUintN(Number(within64(length)), BigInt.asUintN(64, x) >> within64(start));
}

export function bfeS64(x: bigint, start: number, length: number): bigint {
  return BigInt.asIntN(Number(within64(length)), BigInt.asIntN(64, x) >> within64(start));
}

/** bfi: `into` with its `length` bits from `start` on replaced by the low bits of `field`. */
export function bfi32(field: number, into: number, start: number, length: number): number {
  const place = start & 0xff;
  if (place > 31) return into >>> 0;
  const mask = ones32(length & 0xff) << place;
  return ((into & ~mask) | ((field << place) & mask)) >>> 0;
}

export function bfi64(field: bigint, into: bigint, start: number, length: number): bigint {
  const place = within64(start);
  const mask = ((1n << within64(length)) - 1n) << place;
  return BigInt.asUintN(64, (into & ~mask) | ((field << place) & mask));
}

/** Whether a position or width of 32 or more counts as 32, or by its low 5 bits. */
export type OutOfRange = "clamp" | "wrap";

/** szext: the low `width` bits, zero-extended; `width` is a u32. */
export function szextU32(x: number, width: number, mode: OutOfRange): number {
  if (mode === "clamp" && width >>> 0 > 31) return x >>> 0;
  return x & ones32(width & 31);
}

/** szext: the low `width` bits, sign-extended. */
export function szextS32(x: number, width: number, mode: OutOfRange): number {
  if (mode === "clamp" && width >>> 0 > 31) return x | 0;
  const shift = 32 - (width & 31);
  return shift === 32 ? 0 : (x << shift) >> shift;
}

/** bmsk: a mask of `width` ones from `start` on; both are u32. */
export function bmsk32(start: number, width: number, mode: OutOfRange): number {
  if (mode === "clamp" && start >>> 0 > 31) return 0;
  const count = mode === "clamp" ? Math.min(width >>> 0, 32) : width & 31;
  return (ones32(count) << (start & 31)) >>> 0;
}
