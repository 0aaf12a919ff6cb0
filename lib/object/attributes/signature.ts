// A prototype in the terms of `.nv.prototype`, which record only the width of types, and whether they are floats. Observed in
// output of ptxas 13.0 -c; docs/format.md, "Attributes, call graph, prototypes".

import type { Prototype as Signature, PrototypeType } from "../../../formats/cuda/index.js";
import type { Layout, Prototype } from "../../isa/code.js";
import type { DataType } from "../../isa/types.table.js";

const integers: Readonly<Record<number, PrototypeType["kind"]>> = {
  8: "int8",
  16: "int16",
  32: "int32",
  64: "int64",
  128: "int128",
};

/** Halves, pairs and vectors are passed as integers of their size. */
export const isPassedAsFloat = (type: DataType, vector: number): boolean =>
  type.class === "float" && type.bits >= 32 && type.lanes === 1 && vector === 1;

function kindOf({ type, vector }: Layout): PrototypeType["kind"] {
  if (isPassedAsFloat(type, vector)) return type.bits === 64 ? "float64" : "float32";
  // Predicates can be declared as parameters, but not passed.
  return integers[type.bits * vector] ?? "int8";
}

function signatureType(layout: Layout): PrototypeType {
  const { dimensions } = layout;
  if (dimensions.length === 0) return { kind: kindOf(layout) };
  return { kind: kindOf(layout), count: dimensions[0] ?? 0 };
}

export function prototypeSignature(prototype: Prototype): Signature {
  const returned = prototype.returns[0];
  return {
    returns: returned === undefined ? undefined : signatureType(returned.layout),
    parameters: prototype.parameters.map(({ layout }) => signatureType(layout)),
  };
}
