// Types and helpers of the tables of meanings. A meaning is found by the form's id or, if all forms of an opcode are read alike,
// by the base opcode. A reading inspects the chosen modifiers and returns the instruction's meaning, or undefined for an opcode
// that its table does not cover (add.f32 in the integer table).

import type { DataType } from "../../isa/types.table.js";
import type { Opcode } from "../../isa/opcode.js";
import type { Binder, Bound } from "../operands/binder.js";
import type { Scalar, ScalarFunction, View, WordMoves } from "../machine/lanes.js";

export interface Custom {
  readonly kind: "custom";
  readonly bind: (binder: Binder) => Bound;
}

export type Meaning = Scalar | WordMoves | Custom;

export type Reading = (opcode: Opcode) => Meaning | undefined;

export type Meanings = Readonly<Record<string, Reading>>;

export const scalar = (write: Scalar["write"], reads: readonly View[], fn: ScalarFunction): Scalar => ({
  kind: "scalar",
  write,
  reads,
  fn,
});

export const words = (bits: readonly number[], fn: WordMoves["fn"]): WordMoves => ({ kind: "words", bits, fn });

export const custom = (bind: (binder: Binder) => Bound): Custom => ({ kind: "custom", bind });

/** Returns the result of the first reading that has one. */
export const either =
  (...readings: readonly Reading[]): Reading =>
  (opcode) => {
    for (const reading of readings) {
      const meaning = reading(opcode);
      if (meaning !== undefined) return meaning;
    }
    return undefined;
  };

export function isInteger(type: DataType): boolean {
  return type.class === "unsigned" || type.class === "signed" || type.class === "bits";
}

export type IntegerView = Exclude<View, "pair64" | "pred" | "f32" | "f64">;

/** The view of an integer or bit type; b32 reads as s32, other bit types as unsigned. */
export function integerView(type: DataType): IntegerView {
  const sign = type.class === "signed" || type.name === "b32" ? "s" : "u";
  return `${sign}${type.bits}` as IntegerView;
}
