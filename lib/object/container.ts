// What tells a file of ours from NVIDIA's, and the names of what only we have. docs/format.md, "File header" and "Notes".

/** EI_ABIVERSION: 'P'. NVIDIA's tools use 7 and 8 and refuse every other value ("abi does not match"). */
export const PTXKIT_ABI_VERSION = 0x50;

/** The one note in `.note.ptxkit`: its name, its type, and the version of the container in its description (u32). */
export const PTXKIT_NOTE = { name: "ptxkit", type: 1 } as const;
export const CONTAINER_VERSION = 1;

export const NOTE_SECTION = ".note.ptxkit";
export const DECLARATION_SECTION = ".ptxkit.decl";

/** 10 x major + minor of the CUDA toolkit whose container is followed; stands in .note.nv.cuinfo. */
export const FOLLOWED_TOOLKIT = 130;
