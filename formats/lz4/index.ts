// LZ4: what other rooms import.
export { decompressLz4Block } from "./block.js";
