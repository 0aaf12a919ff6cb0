// PE and COFF: the exports for other folders.
export { PE_FILE_FLAGS, PE_MACHINES, PE_SECTION_FLAGS } from "./constants.table.js";
export { coffRelocations, coffSymbolOffset, readPe, type PeFile, type PeSection } from "./file.js";
export { looksLikeCoff, looksLikePe } from "./magic.js";
