// LLVM bitstreams: the exports for other folders.
export { openCursor, type BitCursor, type BitRecord, type BlockInfo, type BlockStart } from "./cursor.js";
export { openBits, readVariable } from "./bits.js";
export { findBitcode, type BitcodePlace } from "./container.js";
