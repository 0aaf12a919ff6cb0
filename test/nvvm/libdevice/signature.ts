// Types of libdevice's functions: how a kernel passes arguments and gets results.

import type { Function } from "../../../lib/nvvm/ir/global.js";
import type { Type } from "../../../lib/nvvm/ir/type.js";
import type { Module } from "../../../lib/nvvm/ir/module.js";

/** f32, f64, i32, i64; i16 in a 32-bit register; `p…` is a pointer to such a value, which the function writes. */
export type Slot = "f32" | "f64" | "i16" | "i32" | "i64" | "pf32" | "pf64" | "pi32" | "text" | "list32" | "list64";

export interface Signature {
  readonly name: string;
  readonly parameters: readonly Slot[];
  readonly result: Slot | undefined;
}

/** Functions that read through their pointer: a string, and the elements of a norm. */
const read: Readonly<Record<string, Slot>> = {
  __nv_nan: "text",
  __nv_nanf: "text",
  __nv_normf: "list32",
  __nv_rnormf: "list32",
  __nv_norm: "list64",
  __nv_rnorm: "list64",
};

function scalar(type: Type): "f32" | "f64" | "i16" | "i32" | "i64" {
  if (type.kind === "float") return type.name === "double" ? "f64" : "f32";
  if (type.kind !== "integer") throw new Error(`a parameter of ${type.kind}`);
  return type.bits === 64 ? "i64" : type.bits === 16 ? "i16" : "i32";
}

function slotOf(type: Type, name: string): Slot {
  if (type.kind !== "pointer") return scalar(type);
  const known = read[name];
  if (known !== undefined) return known;
  const pointee = scalar(type.pointee!);
  return pointee === "f64" ? "pf64" : pointee === "f32" ? "pf32" : "pi32";
}

const signatureOf = ({ name, valueType }: Function): Signature => ({
  name,
  parameters: valueType.parameters.map((type) => slotOf(type, name)),
  result: valueType.result.kind === "void" ? undefined : scalar(valueType.result),
});

/** All functions that other modules may call, by name. */
export const signaturesOf = (module: Module): readonly Signature[] =>
  module.functions
    .filter(({ name, body }) => name.startsWith("__nv_") && body !== undefined)
    .map(signatureOf)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
