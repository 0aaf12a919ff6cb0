// A prototype in the terms of `.nv.prototype`: only what a register or a byte array in the call's parameter space needs.
// Observed in output of ptxas 13.0 -c; docs/format.md, "Prototypes".

import type { Prototype as Signature, PrototypeType } from "../../../formats/cuda/index.js";
import type { Layout, Prototype } from "../../isa/code.js";

function signatureType(layout: Layout): PrototypeType {
  const { type, dimensions, size } = layout;
  if (dimensions.length > 0 || layout.vector > 1 || type.bits > 64) return { kind: "bytes", size };
  if (type.class === "float" && type.bits >= 32 && type.lanes === 1)
    return { kind: type.bits === 64 ? "float64" : "float32" };
  return { kind: type.bits === 64 ? "int64" : "int32" };
}

export function prototypeSignature(prototype: Prototype): Signature {
  const returned = prototype.returns[0];
  return {
    returns: returned === undefined ? undefined : signatureType(returned.layout),
    parameters: prototype.parameters.map(({ layout }) => signatureType(layout)),
  };
}
