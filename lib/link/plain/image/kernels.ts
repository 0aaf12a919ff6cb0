// What foreign tools are told of the kernels of a plain link's image (../link.ts): `.nv.info.<kernel>`, made by
// object/attributes/kernel-info.ts from the kernel's shape, once for all kernels of one shape.

import { written } from "../../../../formats/bytes/writer.js";
import { LARGE_PARAMETERS, targetFacts, writeInfo } from "../../../../formats/cuda/index.js";
import { functionInfo } from "../../../object/attributes/kernel-info.js";
import { kernelInfo } from "../../../object/parameters.js";
import { parameterBytes, type ShapeId, type Shapes } from "../tables/shapes.js";
import { declaredFunction } from "../tables/values.js";

/** Where in the attributes of a kernel that has parameters their section's symbol stands: 4 bytes from here. */
export const PARAMETER_SYMBOL = 4;

/** Bytes of the constant bank in front of the parameters of a kernel. */
export function parameterBase(shapes: Shapes, shape: ShapeId, sm: number): number {
  const facts = targetFacts(sm);
  return parameterBytes(shapes, shape) > LARGE_PARAMETERS ? facts.largeParameterBase : facts.parameterBase;
}

/** Makes the attributes of kernels; the symbol of the parameters' section is 0 in them. */
export function kernelAttributes(shapes: Shapes, sm: number): (shape: ShapeId) => Uint8Array {
  const known = new Map<ShapeId, Uint8Array>();
  return (shape) => {
    const made = known.get(shape);
    if (made !== undefined) return made;
    const symbol = declaredFunction(shapes, shape, true);
    const info = functionInfo({
      symbol,
      kernel: kernelInfo(symbol, 0),
      parameterSymbol: 0,
      parameterBase: parameterBase(shapes, shape, sm),
      externs: [],
      code: undefined,
      sm,
    });
    const bytes = written((into) => writeInfo(into, info));
    known.set(shape, bytes);
    return bytes;
  };
}
