// Arithmetic of the debugger's expressions: C's operators on numbers of PTX types, and the types of results.

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
/** Limits a shift count: negative and large ones become 64, which shifts every bit out. */
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

/**
 * The type of a result. A literal takes the other operand's type; otherwise the wider type wins, and floats win over integers.
 */
export function commonType(a: DataType, b: DataType): DataType {
  const [left, right] = [arithmeticType(a), arithmeticType(b)];
  const isFloat = (type: DataType): boolean => type.class === "float";
  if (isFloat(left) !== isFloat(right)) return isFloat(left) ? left : right;
  if (left.name === "s64" && !isFloat(right)) return right.bits === 64 ? right : left;
  return right.bits > left.bits ? right : left;
}

/** The signed type for arithmetic: s64 for integers of more than 32 bits, otherwise s32; floats stay as they are. */
export const signedOf = (type: DataType): DataType =>
  type.class === "float" ? type : dataType(type.bits > 32 ? "s64" : "s32")!;

export function arithmeticType(type: DataType): DataType {
  return type.class === "predicate" ? dataType("s32")! : type;
}
