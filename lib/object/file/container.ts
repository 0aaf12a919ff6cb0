// Differences between ptxkit's files and NVIDIA's, and the names of ptxkit's own sections. docs/format.md, "File header" and
// "Sections". Separate from the reader, because every command detects formats and few read objects: this file imports no reader of
// ELF files.

import { EM } from "../../../formats/elf/constants.table.js";

/** EI_ABIVERSION: 'P'. NVIDIA's tools use 7 and 8 and refuse every other value ("abi does not match"). */
export const PTXKIT_ABI_VERSION = 0x50;

/** The note in `.note.ptxkit`: its name, its type, and the version of the container, which is its description (u32). */
export const PTXKIT_NOTE = { name: "ptxkit", type: 1 } as const;
export const CONTAINER_VERSION = 1;

/** Files of versions up to 8, in which declarations were variable-length integers, are rejected. */
export const DECLARATIONS_VERSION = 9;

/** The note of --build-id, as in GNU tools: a hash of 20 bytes. */
export const GNU_BUILD_ID = { name: "GNU", type: 3 } as const;
export const BUILD_ID_SECTION = ".note.gnu.build-id";
export const BUILD_ID_BYTES = 20;

export const NOTE_SECTION = ".note.ptxkit";
export const DECLARATION_SECTION = ".ptxkit.decl";

/** 10 x major + minor of the CUDA toolkit whose container format is used; stored in .note.nv.cuinfo. */
export const FOLLOWED_TOOLKIT = 130;

/** The kind of an ELF file with EM_CUDA, by its first bytes; undefined for other files. */
export function cudaFileKind(bytes: Uint8Array): "ptxkit" | "nvidia" | undefined {
  const isCuda =
    bytes.length >= 20 && bytes[0] === 0x7f && bytes[1] === 0x45 && bytes[18] === EM.CUDA && bytes[19] === 0;
  if (!isCuda) return undefined;
  return bytes[8] === PTXKIT_ABI_VERSION ? "ptxkit" : "nvidia";
}
