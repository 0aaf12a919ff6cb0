// The interpolator of the special function unit for four lanes, in integers: S = c0 + c1 * X + c2 * SQ(X) of a segment, whose
// words are laid out as in memory.ts. S has up to 41 bits, so it is computed in two parts; everything else fits in 32 bits.

import type { CodeWriter, Local } from "../../../../formats/wasm/index.js";
import { CONSTANT_AT, type ConstantName, TABLE_AT, type TableName } from "./memory.js";

/** The function being emitted, and the address of the unit's tables and constants. */
export interface UnitCode {
  readonly code: CodeWriter;
  readonly at: number;
}

export const pushConstant = ({ code, at }: UnitCode, name: ConstantName): CodeWriter =>
  code.i32(0).memory("v128.load", at + CONSTANT_AT[name]);

/** Words of a 4 by 4 transposition: of each pair of rows the lower halves, then the upper ones. */
const LOWER = [0, 4, 1, 5] as const;
const UPPER = [2, 6, 3, 7] as const;
const LOW_HALVES = [0, 1, 4, 5] as const;
const HIGH_HALVES = [2, 3, 6, 7] as const;

/** Loads the first `count` words of the lanes' segments, whose byte offsets in the table are on the stack. */
function loadSegments({ code, at }: UnitCode, table: TableName, count: 3 | 4): readonly Local[] {
  const { index, ...named } = code.named("v128", ["index", "row0", "row1", "row2", "row3", "first", "last"]);
  const rows = [named.row0, named.row1, named.row2, named.row3];
  code.set(index);
  rows.forEach((row, lane) =>
    code
      .get(index)
      .lane("i32x4.extract_lane", lane)
      .memory("v128.load", at + TABLE_AT[table])
      .set(row),
  );
  const columns: Local[] = [];
  for (const order of [LOWER, UPPER]) {
    code.get(rows[0]!).get(rows[1]!).shuffleWords(order).set(named.first);
    code.get(rows[2]!).get(rows[3]!).shuffleWords(order).set(named.last);
    for (const half of [LOW_HALVES, HIGH_HALVES]) {
      if (columns.length === count) break;
      const column = code.local("v128");
      code.get(named.first).get(named.last).shuffleWords(half).set(column);
      columns.push(column);
    }
  }
  return columns;
}

/**
 * Pushes SQ(X) in two parts, one in each half of a word. X = h * 2^10 + l * 4 + ... gives 2 h^2, and four products of two bits of
 * h with the bits of l that count for them, as in truncatedSquare of ../../../base/num/mufu.ts.
 */
function pushSquare(unit: UnitCode, x: Local): void {
  const { code } = unit;
  const { twice, h } = code.named("v128", ["twice", "h"]);
  code.get(x).i32(2).op("i32x4.shr_u").tee(h).get(h).i32(16).op("i32x4.shl", "v128.or").tee(twice);
  code.i32(8).op("i16x8.shr_u").tee(h).get(h).op("i16x8.mul");
  for (const [digits, part] of [
    ["upperDigits", "upperPart"],
    ["lowerDigits", "lowerPart"],
  ] as const) {
    code.get(h);
    pushConstant(unit, digits).op("v128.and").get(twice);
    pushConstant(unit, part).op("v128.and", "i16x8.mul").i32(6).op("i16x8.shr_u", "i16x8.add");
  }
}

/** S >> 8 modulo 2^32, and a word whose lowest 8 bits are those of S. */
export interface Interpolated {
  readonly upper: Local;
  readonly lower: Local;
}

/** The lowest 8 bits of c0, equal in all segments of a table; undefined for sin, which has none. */
const lowestOf: Readonly<Record<Exclude<TableName, "tanh">, ConstantName | undefined>> = {
  rcp: "rcpLowest",
  rsqrt: "rsqrtLowest",
  sqrt: "sqrtLowest",
  ex2: "ex2Lowest",
  lg2: "lg2Lowest",
  sin: undefined,
};

/**
 * Computes S for the segments at byte offsets on the stack and the offsets `x`. `pushMore`, if given, pushes one more summand.
 */
export function interpolate(
  unit: UnitCode,
  table: Exclude<TableName, "tanh">,
  x: Local,
  pushMore?: () => void,
): Interpolated {
  const { code } = unit;
  const [constant, linear, quadratic] = loadSegments(unit, table, 3) as [Local, Local, Local];
  const { upper, lower } = code.named("v128", ["upper", "lower"]);
  pushSquare(unit, x);
  // c2 fits in 16 bits, as the parts of SQ do.
  code.get(quadratic).op("i32x4.dot_i16x8_s").get(x);
  pushConstant(unit, "byte").op("v128.and").get(linear).op("i32x4.mul", "i32x4.add");
  const lowest = lowestOf[table];
  if (lowest !== undefined) pushConstant(unit, lowest).op("i32x4.add");
  if (pushMore !== undefined) {
    pushMore();
    code.op("i32x4.add");
  }
  code.tee(lower).i32(8).op("i32x4.shr_s").get(constant).op("i32x4.add");
  code.get(x).i32(8).op("i32x4.shr_u").get(linear).op("i32x4.mul", "i32x4.add").set(upper);
  return { upper, lower };
}

/** The same for tanh, whose c2 has 17 bits. `fraction` has the 23 bits of a significand. */
export function interpolateTanh(unit: UnitCode, fraction: Local): Interpolated {
  const { code } = unit;
  const [constant, linear, quadratic, factor] = loadSegments(unit, "tanh", 4) as [Local, Local, Local, Local];
  const { x, square, upper, lower } = code.named("v128", ["x", "square", "upper", "lower"]);
  // 17 bits of the fraction, from the segment's first on.
  code.get(fraction).get(factor).op("i32x4.mul").i32(9).op("i32x4.shl").i32(15).op("i32x4.shr_u").set(x);
  pushSquare(unit, x);
  pushConstant(unit, "ones").op("i32x4.dot_i16x8_s").get(quadratic).op("i32x4.mul").tee(square);
  pushConstant(unit, "sevenBits").op("v128.and").i32(1).op("i32x4.shl").get(x);
  pushConstant(unit, "byte").op("v128.and").get(linear).op("i32x4.mul", "i32x4.add");
  code.tee(lower).i32(8).op("i32x4.shr_s").get(constant).op("i32x4.add");
  code.get(square).i32(7).op("i32x4.shr_s", "i32x4.add");
  code.get(x).i32(8).op("i32x4.shr_u").get(linear).op("i32x4.mul", "i32x4.add").set(upper);
  return { upper, lower };
}

/** Pushes the offsets of 23-bit fractions in their segments, one of 64; upper bits do not count. */
export function pushOffset(code: CodeWriter, fraction: Local): void {
  code.get(fraction).i32(15).op("i32x4.shl").i32(15).op("i32x4.shr_u");
}

/** Pushes the byte offsets of the segments of 23-bit fractions, one of 64. */
export function pushIndex(unit: UnitCode, fraction: Local): void {
  unit.code.get(fraction).i32(13).op("i32x4.shr_u");
  pushConstant(unit, "index6").op("v128.and");
}

/**
 * Pushes f32 values, truncated to 24 bits, of doubles minus `base`. `high` and `low` are the doubles' upper and lower words.
 * `adjust` takes two of the differences from the stack and leaves the values to truncate.
 */
export function pushCutOff(unit: UnitCode, high: Local, low: Local, base: ConstantName, adjust?: () => void): void {
  const { code } = unit;
  for (const order of [LOWER, UPPER]) {
    code.get(low).get(high).shuffleWords(order);
    pushConstant(unit, base).op("f64x2.sub");
    adjust?.();
    pushConstant(unit, "single").op("v128.and", "f32x4.demote_f64x2_zero");
  }
  code.shuffleWords(LOW_HALVES);
}
