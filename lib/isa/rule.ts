// The result of a type rule (rules.ts): the type and count of an operand, from the chosen modifiers.

import type { DataType } from "./types.table.js";

/** The required form of an operand: elements of `type`, in braces if `count` is given. */
export interface Shape {
  readonly type: DataType;
  readonly count: number | undefined;
  /** The types of the elements, if they differ: array index first, then coordinates. */
  readonly elements?: readonly DataType[];
  /** A vector of one element may omit its braces. */
  readonly bare?: boolean;
  /** Further elements may fill a vector of two or four; they are not read (section 9.7.10.3). */
  readonly padded?: boolean;
  /** Constants that each element may be; undefined for any. */
  readonly allowed?: readonly (readonly bigint[])[];
}

/** Returns the chosen modifier of a slot, or undefined if it was omitted; an unknown slot is an InternalError. */
export type Chosen = (slot: string) => string | undefined;

export type Rule = (chosen: Chosen) => Shape;
