// What a type rule answers (rules.ts): the type and count of an operand, by the chosen modifiers.

import type { DataType } from "./types.table.js";

/** The required form of an operand: elements of `type`, in braces if `count` is given. */
export interface Shape {
  readonly type: DataType;
  readonly count: number | undefined;
  /** Where the elements' types differ: array index first, then coordinates. */
  readonly elements?: readonly DataType[];
  /** One element may be written without its braces. */
  readonly bare?: boolean;
  /** More elements may follow, to fill a vector of two or four; they are not read (section 9.7.10.3). */
  readonly padded?: boolean;
  /** Constants that each element may be; undefined: any. */
  readonly allowed?: readonly (readonly bigint[])[];
}

/** The chosen text of a slot, or undefined when it was left out; a slot that the form does not have is an InternalError. */
export type Chosen = (slot: string) => string | undefined;

export type Rule = (chosen: Chosen) => Shape;
