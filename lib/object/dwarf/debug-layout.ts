// Targets of references in a file's debug sections: names of ELF sections, symbols and parameters, types of relocations.
// docs/format.md, "Debug sections". ../columns/write/debug-layout.ts lays out the sections and writes the references.

import { R_CUDA } from "../../../formats/cuda/index.js";
import type { ObjectFile } from "../object.js";

/**
 * The ELF section for a debug section. Names that do not belong to debuggers get a prefix, so that they cannot be mistaken for
 * another section's.
 */
export const debugElfName = (name: string): string => (/^\.(nv_)?debug_/.test(name) ? name : `.ptxkit.debug${name}`);

/** A kernel's parameter: it has a place in bank 0, and no symbol. */
export interface FoundParameter {
  readonly index?: undefined;
  /** Offset in bytes from the start of the bank. */
  readonly offset: number;
  readonly isOwn: true;
}

export interface FoundSymbol {
  /** Index of the symbol in relocations. */
  readonly index: number;
  /** Offset in bytes from the start of its section, if that is known. */
  readonly offset: number;
  /** Whether this module defines it. */
  readonly isOwn: boolean;
  /** Type of a relocation to it; undefined if there is none. */
  readonly relocation: number | undefined;
}

/** A variable's name in its source text: in a file, names of variables in functions contain a number. */
export const debugName = (name: string, isScoped: boolean): string =>
  isScoped ? name.replace(/^\$__(.*)__\d+$/s, "$1") : name;

/**
 * The relocation type, as in NVIDIA's files, where references to shared variables are resolved in images; `space`: of a variable.
 */
export function debugRelocation(type: ObjectFile["type"], space: string | undefined): number | undefined {
  if (space === "const") return R_CUDA.G64;
  return space === "shared" && type === "executable" ? undefined : R_CUDA["64"];
}
