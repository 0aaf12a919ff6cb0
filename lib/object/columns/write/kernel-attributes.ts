// Attributes of the image's kernels for other tools: `.nv.info.<kernel>`, made by object/attributes/kernel-info.ts from the
// kernel's type, once for each type.

import { written } from "../../../../formats/bytes/writer.js";
import { writeInfo } from "../../../../formats/cuda/index.js";
import { kernelEntries } from "../../attributes/kernel-info.js";
import { kernelInfo, parameterBank, type ParameterBank } from "../../parameters.js";
import type { TypeId, TypeTable } from "../types.js";
import { declaredFunction } from "../values.js";

/** Byte offset, in the attributes of a kernel with parameters, of the symbol of the parameters' section (4 bytes). */
export const PARAMETER_SYMBOL = 4;

/** Returns a function that computes the place of a kernel's parameters in the constant bank, once for each type. */
export function parameterBanks(types: TypeTable, sm: number): (typeId: TypeId) => ParameterBank {
  const known = new Map<TypeId, ParameterBank>();
  return (typeId) => {
    const made = known.get(typeId) ?? parameterBank(declaredFunction(types, typeId, true).prototype, sm);
    known.set(typeId, made);
    return made;
  };
}

/** Returns a function that makes the attributes of a kernel, in which the symbol of the parameters' section is 0. */
export function kernelAttributes(types: TypeTable, sm: number): (typeId: TypeId) => Uint8Array {
  const known = new Map<TypeId, Uint8Array>();
  return (typeId) => {
    const made = known.get(typeId);
    if (made !== undefined) return made;
    const symbol = declaredFunction(types, typeId, true);
    const info = kernelEntries({
      symbol,
      kernel: kernelInfo(symbol, 0),
      parameterSymbol: 0,
      bank: parameterBank(symbol.prototype, sm),
      sm,
    });
    const bytes = written((into) => writeInfo(into, info));
    known.set(typeId, bytes);
    return bytes;
  };
}
