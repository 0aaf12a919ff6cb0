// Which relocation a fix-up in an initialiser becomes: NVIDIA's choice by the kind of the target, never by the width of
// the holder (observed in output of ptxas 13.0 -c; docs/format.md, "Relocations").

import { BYTE_RELOCATIONS, R_CUDA } from "../../formats/cuda/index.js";
import type { Fixup, ModuleSymbol } from "../check/module.js";

/** From this architecture on, functions have a unified address and its own relocations. */
const FIRST_UNIFIED_SM = 90;

/** `whole` is the type for an address, `byte + n` that for byte n of it. */
interface Types {
  readonly whole: number;
  readonly byte: number;
}

const generic: Types = { whole: R_CUDA.G64, byte: BYTE_RELOCATIONS.generic };
const plain: Types = { whole: R_CUDA["64"], byte: BYTE_RELOCATIONS.bank };
const descriptor: Types = { whole: R_CUDA.FUNC_DESC_64, byte: BYTE_RELOCATIONS.descriptor };
const unified: Types = { whole: R_CUDA.UNIFIED, byte: BYTE_RELOCATIONS.unified };

const holderTypes: ReadonlySet<number> = new Set(
  [generic, plain, descriptor, unified].flatMap(({ whole, byte }) => [
    whole,
    ...Array.from({ length: 8 }, (_, i) => byte + i),
  ]),
);

/** Whether objects and images of ours have relocations of this type in data; those of code are all R_CUDA_64. */
export const isHolderType = (type: number): boolean => holderTypes.has(type);

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

/** The relocation type of `fixup`, whose symbol is `target`. */
export function fixupType(fixup: Fixup, target: ModuleSymbol, sm: number): number {
  const types = typesFor(target, fixup.kind, sm);
  return fixup.byte === undefined ? types.whole : types.byte + fixup.byte;
}
