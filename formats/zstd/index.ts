// Zstandard: the exports for other folders.
export { decompressZstd } from "./frame.js";
