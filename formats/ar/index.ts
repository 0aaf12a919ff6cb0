// Archives: the exports for other folders.
export { readSymbolIndex, type IndexedSymbol } from "./index-table.js";
export {
  firstDataOffset,
  looksLikeArchive,
  readArchive,
  type Archive,
  type ArchiveMember,
  type IndexKind,
} from "./read.js";
export { writeArchive, type MemberToWrite } from "./write.js";
