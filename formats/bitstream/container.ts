// Locates the bitcode in a file: after the magic of a bitstream of LLVM IR, or inside the wrapper around one ("LLVM Bitcode File
// Format", "Bitcode Wrapper Format").
import { hasMagic } from "../bytes/magic.js";
import { malformed } from "../bytes/malformed.js";
import { ByteReader } from "../bytes/reader.js";
import { bitcode, wrapper } from "./magic.js";

export interface BitcodePlace {
  /** Bytes of the file: the first word after the magic, and the end of the stream. */
  readonly start: number;
  readonly end: number;
}

/** Locates the stream of blocks in a file. */
export function findBitcode(bytes: Uint8Array): BitcodePlace {
  let start = 0;
  let end = bytes.length;
  if (hasMagic(bytes, wrapper)) {
    const header = new ByteReader(bytes);
    header.u32("magic");
    header.u32("version of the wrapper");
    start = header.u32("offset of the bitcode");
    const size = header.u32("size of the bitcode");
    if (start + size > end)
      malformed("truncated", 12, `${size} bytes of bitcode at ${start} reach past the file's end`);
    end = start + size;
  }
  if (!hasMagic(bytes.subarray(start, end), bitcode)) malformed("bad-magic", start, "no LLVM bitcode is here");
  return { start: start + bitcode.length, end };
}
