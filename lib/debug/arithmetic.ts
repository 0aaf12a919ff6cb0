// Arithmetic of the debugger's expressions: C's operators on numbers of PTX types, and the type of a result.

import { dataType, type DataType } from "../isa/types.table.js";

type Number_ = number | bigint;
export const comparisons: Readonly<Record<string, ((a: Number_, b: Number_) => boolean) | undefined>> = {
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  "<": (a, b) => a < b,
  ">": (a, b) => a > b,
  "<=": (a, b) => a <= b,
  ">=": (a, b) => a >= b,
};
export const ofFloats: Readonly<Record<string, ((a: number, b: number) => number) | undefined>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
};
/** Shifts beyond 64 bits leave nothing. */
const shift = (b: bigint): bigint => (b < 0n || b > 64n ? 64n : b);
export const ofIntegers: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
  "<<": (a, b) => a << shift(b),
  ">>": (a, b) => a >> shift(b),
  "&": (a, b) => a & b,
  "|": (a, b) => a | b,
  "^": (a, b) => a ^ b,
};

/** Written constants take the other's type; else the wider one's, of floats before integers. */
export function commonType(a: DataType, b: DataType): DataType {
  const [left, right] = [arithmeticType(a), arithmeticType(b)];
  const isFloat = (type: DataType): boolean => type.class === "float";
  if (isFloat(left) !== isFloat(right)) return isFloat(left) ? left : right;
  if (left.name === "s64" && !isFloat(right)) return right.bits === 64 ? right : left;
  return right.bits > left.bits ? right : left;
}

/** Integers of 64 bits with a sign, where nothing else is known. */
export const signedOf = (type: DataType): DataType =>
  type.class === "float" ? type : dataType(type.bits > 32 ? "s64" : "s32")!;

export function arithmeticType(type: DataType): DataType {
  return type.class === "predicate" ? dataType("s32")! : type;
}
