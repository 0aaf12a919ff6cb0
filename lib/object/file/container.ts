// How our files differ from NVIDIA's, and the names of sections that only ours have. docs/format.md, "File header" and "Notes".
// Apart from the reader, because every command asks what a file is and few read objects: it loads no reader of ELF files.

import { EM } from "../../../formats/elf/constants.table.js";

/** EI_ABIVERSION: 'P'. NVIDIA's tools use 7 and 8 and refuse every other value ("abi does not match"). */
export const PTXKIT_ABI_VERSION = 0x50;

/** The one note in `.note.ptxkit`: its name, its type, and the version of the container in its description (u32). */
export const PTXKIT_NOTE = { name: "ptxkit", type: 1 } as const;
export const CONTAINER_VERSION = 1;

/** Up to version 8 declarations were variable-length integers: files of those versions are refused. */
export const DECLARATIONS_VERSION = 9;

/** The note of --build-id, as GNU tools have it: a hash in 20 bytes. */
export const GNU_BUILD_ID = { name: "GNU", type: 3 } as const;
export const BUILD_ID_SECTION = ".note.gnu.build-id";
export const BUILD_ID_BYTES = 20;

export const NOTE_SECTION = ".note.ptxkit";
export const DECLARATION_SECTION = ".ptxkit.decl";

/** 10 x major + minor of the CUDA toolkit whose container format is used; stored in .note.nv.cuinfo. */
export const FOLLOWED_TOOLKIT = 130;

/** What an ELF file of EM_CUDA is, by its first bytes. */
export function cudaFileKind(bytes: Uint8Array): "ptxkit" | "nvidia" | undefined {
  const isCuda =
    bytes.length >= 20 && bytes[0] === 0x7f && bytes[1] === 0x45 && bytes[18] === EM.CUDA && bytes[19] === 0;
  if (!isCuda) return undefined;
  return bytes[8] === PTXKIT_ABI_VERSION ? "ptxkit" : "nvidia";
}
