// What the debug sections of a file refer to: names of ELF sections, symbols and parameters, types of relocations. docs/format.md,
// "Debug sections". ../columns/write/debug-layout.ts lays the sections out and writes the references.

import { R_CUDA } from "../../../formats/cuda/index.js";
import type { ObjectFile } from "../object.js";

/** The ELF section that a debug section goes into; a name that is no debugger's cannot pass for another section's. */
export const debugElfName = (name: string): string => (/^\.(nv_)?debug_/.test(name) ? name : `.ptxkit.debug${name}`);

/** A kernel's parameter has a place in bank 0, and no symbol. */
export interface FoundParameter {
  readonly index?: undefined;
  /** Bytes from the start of the bank. */
  readonly offset: number;
  readonly isOwn: true;
}

export interface FoundSymbol {
  /** Of the symbol, as relocations name it. */
  readonly index: number;
  /** Bytes from the start of its section, where that is known. */
  readonly offset: number;
  /** Whether it is this module's own definition. */
  readonly isOwn: boolean;
  /** Type of a relocation to it; undefined where there is none. */
  readonly relocation: number | undefined;
}

/** A variable's name in its text: those of functions have a number in the file's names. */
export const debugName = (name: string, isScoped: boolean): string =>
  isScoped ? name.replace(/^\$__(.*)__\d+$/s, "$1") : name;

/** As in NVIDIA's files, where those of shared variables are resolved in images; `space`: a variable's. */
export function debugRelocation(type: ObjectFile["type"], space: string | undefined): number | undefined {
  if (space === "const") return R_CUDA.G64;
  return space === "shared" && type === "executable" ? undefined : R_CUDA["64"];
}
