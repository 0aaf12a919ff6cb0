// LZ4: the exports for other folders.
export { decompressLz4Block } from "./block.js";
