// What a table of meanings holds. A meaning is found by the form's id or, where all forms of an opcode are read alike, by
// the base opcode; it looks at the chosen modifiers and answers what the instruction does, or undefined for an opcode that
// is not its business (add.f32 in the integer table).

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

/** The first reading that answers. */
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

/** The view of integers and bits of that type; b32 reads as s32, other bits as unsigned. */
export function integerView(type: DataType): IntegerView {
  const sign = type.class === "signed" || type.name === "b32" ? "s" : "u";
  return `${sign}${type.bits}` as IntegerView;
}
