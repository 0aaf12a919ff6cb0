// Mach-O: the exports for other folders.
export { MACH_FILE_TYPES, MACH_MACHINES, MH } from "./constants.table.js";
export { readMachO, type MachOFile, type MachSection, type MachSlice } from "./file.js";
export { looksLikeMachO } from "./magic.js";
