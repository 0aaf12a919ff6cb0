// Zstandard: what other rooms import.
export { decompressZstd } from "./frame.js";
