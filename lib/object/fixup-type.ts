// Which relocation a fix-up in an initialiser becomes: NVIDIA's choice by the kind of the target, and in modules of 64-bit
// addresses never by the width of the holder (observed in output of ptxas 13.0 -c; docs/format.md, "Relocations").

import { BYTE_RELOCATIONS, R_CUDA } from "../../formats/cuda/index.js";
import type { CheckedModule, Fixup, ModuleSymbol } from "../check/module.js";

/** From this architecture on, functions have a unified address and its own relocations. */
const FIRST_UNIFIED_SM = 90;

/** `whole` is the type for an address, `byte + n` that for byte n of it. */
interface Types {
  readonly whole: number;
  /** The same in 32 bits, of modules of 32-bit addresses. */
  readonly narrow: number;
  readonly byte: number;
}

const generic: Types = { whole: R_CUDA.G64, narrow: R_CUDA.G32, byte: BYTE_RELOCATIONS.generic };
const plain: Types = { whole: R_CUDA["64"], narrow: R_CUDA["32"], byte: BYTE_RELOCATIONS.bank };
const descriptor: Types = {
  whole: R_CUDA.FUNC_DESC_64,
  narrow: R_CUDA.FUNC_DESC_32,
  byte: BYTE_RELOCATIONS.descriptor,
};
const unified: Types = { whole: R_CUDA.UNIFIED, narrow: R_CUDA.UNIFIED_32, byte: BYTE_RELOCATIONS.unified };

const families = [generic, plain, descriptor, unified];

const holderTypes: ReadonlySet<number> = new Set(
  families.flatMap(({ whole, narrow, byte }) => [whole, narrow, ...Array.from({ length: 8 }, (_, i) => byte + i)]),
);

/** Whether objects and images of ours have relocations of this type in data; those of code are all R_CUDA_64. */
export const isHolderType = (type: number): boolean => holderTypes.has(type);

const wholeTypes: ReadonlyMap<number, number> = new Map(families.map(({ whole, narrow }) => [narrow, whole]));

/** The type for 64 bits that writes what a type for 32 bits does; other types as they are. */
export const wholeType = (type: number): number => wholeTypes.get(type) ?? type;

function typesFor(target: ModuleSymbol, kind: Fixup["kind"], sm: number): Types {
  switch (target.kind) {
    case "variable":
      return target.space === "const" && kind === "address" ? plain : generic;
    case "reference":
      return generic;
    case "function":
      return target.entry ? descriptor : sm >= FIRST_UNIFIED_SM ? unified : plain;
  }
}

/** The relocation type of `fixup`, whose symbol is `target`, in a module with that size of addresses. */
export function fixupType(
  fixup: Fixup,
  target: ModuleSymbol,
  { target: { sm }, addressSize }: Pick<CheckedModule, "target" | "addressSize">,
): number {
  const types = typesFor(target, fixup.kind, sm);
  if (fixup.byte !== undefined) return types.byte + fixup.byte;
  return addressSize === 32 && fixup.width === 4 ? types.narrow : types.whole;
}
