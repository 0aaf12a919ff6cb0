// Tables and constants of the special function unit in linear memory, as generated code reads them (interpolate.ts): one v128
// for each segment, so that a lane's coefficients are one load. ../../../base/num/mufu.ts is the reference.
//
// Constants are stored here too: a load is one instruction of the processor, whereas V8 needs three or four for a v128 constant.

import { type MufuTable, mufuTables } from "../../../base/num/mufu-tables.table.js";

const tables = mufuTables.sm_90;

type Words = readonly [number, number, number, number];
const words = (word: number): Words => [word, word, word, word];

/** Words of a segment: c0 >> 8 modulo 2^32, c1, c2 in both halves, and for tanh one more. */
type Segment = readonly [constant: number, linear: number, quadratic: number, more: number];

/** Bytes of a segment. */
const SEGMENT_BYTES = 16;

/** The segments of a table, all coefficients in units of 2^-(unit + shift). The lowest 8 bits of c0 are those of the bias. */
function segmentsOf({ unit, c0Unit, c2Unit, bias, c0, c1, c2 }: MufuTable, shift: number): readonly Segment[] {
  return c0.map((c, i) => {
    const constant = (c * 2 ** (unit - c0Unit) + bias) * 2 ** shift;
    const quadratic = c2[i]! * 2 ** (unit - c2Unit + shift);
    return [Math.floor(constant / 256) | 0, c1[i]! * 2 ** shift, (quadratic << 16) | (quadratic & 0xffff), 0];
  });
}

const lowestOf = ({ bias }: MufuTable, shift = 0): Words => words((bias * 2 ** shift) & 0xff);

/** Number of the fraction's upper bits that, with the exponent field, choose tanh's segment. */
const TANH_BITS = 4;

/**
 * Segments of tanh by exponent field and the upper four bits of the fraction, followed by one for all larger arguments: 1.0.
 * The last word is the factor that shifts the offset's bits into place; c2 is a word in units of 2^-38.
 */
function tanhSegments(): readonly Segment[] {
  const { tanh } = tables;
  const plain = segmentsOf(tanh, 0);
  const binades = tanh.segmentBits.map((bits, binade) =>
    Array.from({ length: 2 ** TANH_BITS }, (_, upper): Segment => {
      const segment = tanh.firstSegment[binade]! + (upper >> (TANH_BITS - bits));
      const [constant, linear] = plain[segment]!;
      return [constant, linear, tanh.c2[segment]!, 2 ** bits];
    }),
  );
  return [...binades.flat(), [(2 ** tanh.unit / 256) | 0, 0, 0, 0]];
}

/** Segments by the lowest bit of the exponent field and the upper six of the fraction. Even fields are odd exponents. */
const byParity = (odd: readonly Segment[], even: readonly Segment[]): readonly Segment[] => [...odd, ...even];

const { rsqrt1, rsqrt2, sqrt1, sqrt2 } = tables;

const segments = {
  rcp: segmentsOf(tables.rcp, 0),
  rsqrt: byParity(segmentsOf(rsqrt2, 0), segmentsOf(rsqrt1, 0)),
  sqrt: byParity(segmentsOf(sqrt2, sqrt1.unit - sqrt2.unit), segmentsOf(sqrt1, 0)),
  ex2: segmentsOf(tables.ex2, 40 - tables.ex2.unit),
  lg2: segmentsOf(tables.lg2, 0),
  sin: segmentsOf(tables.sin, 0),
  tanh: tanhSegments(),
} as const;

export type TableName = keyof typeof segments;

/** The same 64 bits twice. */
const longs = (high: number, low: number): Words => [low, high, low, high];
/** The same halves in each word. */
const halves = (high: number, low: number): Words => words((high << 16) | low);
const constants = {
  byte: words(0xff),
  sevenBits: words(0x7f),
  fraction: words(0x7fffff),
  exponent: words(0x7f800000),
  magnitude: words(0x7fffffff),
  sign: words(-0x80000000),
  one: words(0x3f800000),
  /** Masks of the truncated square (interpolate.ts). */
  upperDigits: halves(0x60, 0x18),
  lowerDigits: halves(0x06, 0x01),
  upperPart: halves(0xff, 0xfc),
  lowerPart: halves(0xf0, 0xc0),
  ones: halves(1, 1),
  /** The lowest bits of c0, by table. */
  rcpLowest: lowestOf(tables.rcp),
  rsqrtLowest: lowestOf(rsqrt1),
  sqrtLowest: lowestOf(sqrt1),
  ex2Lowest: lowestOf(tables.ex2, 40 - tables.ex2.unit),
  lg2Lowest: lowestOf(tables.lg2),
  /** Byte offsets of segments, by seven and by six bits. */
  index7: words(0x7f0),
  index6: words(0x3f0),
  rcpBias: words(254 << 23),
  rsqrtBias: words(191 << 23),
  sqrtBias: words(63 << 23),
  ex2Bias: words(127 << 23),
  /** 2^23 as f32; 128 and -126 in units of 2^-23. */
  ex2Unit: words(0x4b000000),
  ex2Most: words(128 << 23),
  minus126: words(-0x3d040000),
  half: words(0x3f000000),
  /**
   * `fromNormal` is added to move arguments without a special case to the lowest numbers; the others are upper limits after that.
   */
  fromNormal: words(0x7f800000),
  lastNormal: words(-0x01000001),
  lastModerate: words(-0x02000000),
  leastNormal: words(0x00800000),
  lastSubnormal: words(0x007fffff),
  powersOfFour: words(0x00ffffff),
  twoTo24: words(0x4b800000),
  twoTo12: words(0x45800000),
  twoToMinus12: words(0x39800000),
  twoToMinus2: words(0x3e800000),
  minus24: words(-0x3e400000),
  minusInfinity: words(-0x00800000),
  /** Mask of the bits of a double that an f32 keeps. */
  single: longs(-1, -0x20000000),
  /** 1 / (2 pi) in units of 2^-25; 2^52; the upper limit of turns, 2^51. */
  turns: longs(0x41545f30, 0x60000000),
  two52: longs(0x43300000, 0),
  wholeTurns: longs(0x43200000, 0),
  turn4: words(1 << 23),
  /** 2^15, 2^13 and 1.5 * 2^16 as doubles, and their upper words. */
  two15: longs(0x40e00000, 0),
  two15High: words(0x40e00000),
  two13: longs(0x40c00000, 0),
  two13High: words(0x40c00000),
  lg2Base: longs(0x40f80000, 0),
  lg2High: words(0x40f80000 - (127 << 4)),
  lg2Unit: longs(0x3db00000, 0),
  /** For quotients: 2^126, and the least product of doubles that rounds to 2^-126. */
  large: words(0x7e800000),
  leastRounded: longs(0x380fffff, -0x10000000),
  /** For upper words of doubles. */
  doubleExponent: words(0x7ff00000),
  leastNormalHigh: words(0x00100000),
  lastSubnormalHigh: words(0x000fffff),
  rcpHighBias: words((2 * 1023 - 127) << 20),
  rsqrtHighBias: words((1023 - 127 + 512) << 20),
  two: words(0x40000000),
  /** Doubles. */
  leastDouble: longs(0x00100000, 0),
  infiniteDouble: longs(0x7ff00000, 0),
  oneDouble: longs(0x3ff00000, 0),
  halfDouble: longs(0x3fe00000, 0),
  threeEighths: longs(0x3fd80000, 0),
  two54: longs(0x43500000, 0),
  two27: longs(0x41a00000, 0),
  doubleNaN: longs(-0x00080000, 0),
  quietBit: longs(0x00080000, 0),
  tanhFirst: words((tables.tanh.firstExponent << TANH_BITS) | 0),
  tanhLast: words(segments.tanh.length - 1),
  tanhLeast: words(tables.tanh.firstExponent << 23),
} as const satisfies Readonly<Record<string, Words>>;

export type ConstantName = keyof typeof constants;

const vectors: readonly Words[] = [...Object.values(segments).flat(), ...Object.values(constants)] as never;

/** Size of the tables and constants. */
export const MUFU_BYTES = SEGMENT_BYTES * vectors.length;

/** Byte offsets of the tables, and of the constants after them. */
export const TABLE_AT = offsetsOf<TableName>(segments, 0, ({ length }) => length);
export const CONSTANT_AT = offsetsOf<ConstantName>(constants, Object.values(segments).flat().length, () => 1);

function offsetsOf<Name extends string>(
  lists: Readonly<Record<Name, readonly unknown[]>>,
  before: number,
  lengthOf: (list: readonly unknown[]) => number,
): Readonly<Record<Name, number>> {
  let at = before;
  const offsets = Object.entries<readonly unknown[]>(lists).map(([name, list]) => {
    const offset = SEGMENT_BYTES * at;
    at += lengthOf(list);
    return [name, offset];
  });
  return Object.fromEntries(offsets) as Record<Name, number>;
}

/** Writes the tables and constants. */
export function putMufu(view: DataView): void {
  vectors.forEach((vector, i) => vector.forEach((word, j) => view.setInt32(SEGMENT_BYTES * i + 4 * j, word, true)));
}
