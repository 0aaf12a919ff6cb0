// Decodes Zstandard frames (RFC 8878, section 3.1.1): fatbinary writes one for each compressed entry. Node has a decoder from
// version 22.15 on, which Node 20 lacks. The caller knows the exact size of the output. Unsupported: dictionaries, for which an
// entry has no field; the checksum's four bytes are skipped.
import { decoding, malformed } from "../bytes/malformed.js";
import { ByteReader } from "../bytes/reader.js";
import type { Result } from "../bytes/result.js";
import { checkRoom, decodeBlock, MAX_BLOCK_BYTES, newFrame, put } from "./block.js";

const MAGIC = 0xfd2fb528;
/** Frames with user data, which are skipped: 16 magic numbers. */
const SKIPPABLE_MAGIC = 0x184d2a50;

/** Limit of output bytes per input byte: an RLE block encodes a whole block in four bytes. */
const MAX_EXPANSION = MAX_BLOCK_BYTES / 4;

/** Decodes the frames in `bytes` to `size` bytes. Offsets of errors count from the start of `bytes`. */
export function decompressZstd(bytes: Uint8Array, size: number): Result<Uint8Array> {
  return decoding(() => {
    if (size > bytes.length * MAX_EXPANSION)
      malformed("limit", 0, `${bytes.length} bytes of Zstandard cannot decompress to ${size} bytes`);
    const reader = new ByteReader(bytes);
    // Check before memory is allocated: nearly every frame contains its content size.
    const promised = new ByteReader(bytes);
    const content = promised.u32("magic") === MAGIC ? readFrameHeader(promised) : undefined;
    if (content !== undefined && content > size)
      malformed("out-of-range", 4, `Zstandard: a frame of ${content} bytes where ${size} are expected`);
    const out = new Uint8Array(size);
    let made = 0;
    while (reader.remaining > 0) made = decodeFrame(reader, out, made);
    if (made !== size)
      malformed("malformed", bytes.length, `Zstandard: the frames hold ${made} bytes instead of ${size}`);
    return out;
  });
}

/** Decodes one frame into `out` from `start` on; returns its end there. */
function decodeFrame(reader: ByteReader, out: Uint8Array, start: number): number {
  const at = reader.position;
  const magic = reader.u32("Zstandard magic");
  if (magic >>> 4 === SKIPPABLE_MAGIC >>> 4) {
    reader.skip(reader.u32("size of a skippable frame"), "skippable frame");
    return start;
  }
  if (magic !== MAGIC) malformed("bad-magic", at, "no Zstandard frame begins here");
  const hasChecksum = (reader.bytes[reader.offset] ?? 0) & 4;
  const content = readFrameHeader(reader);
  const state = newFrame(out, start);
  for (let last = false; !last;) {
    const here = reader.position;
    const head = reader.u16("block header") | (reader.u8("block header") << 16);
    last = (head & 1) !== 0;
    const [kind, size] = [(head >> 1) & 3, head >> 3];
    if (kind === 3) malformed("malformed", here, "Zstandard: a block of the reserved kind");
    if (size > MAX_BLOCK_BYTES) malformed("limit", here, `Zstandard: a block of ${size} bytes`);
    if (kind === 0) put(state, reader.view8(size, "raw block"), here);
    else if (kind === 1) {
      const byte = reader.u8("repeated byte");
      checkRoom(state, size, here);
      out.fill(byte, state.made, state.made + size);
      state.made += size;
    } else decodeBlock(state, reader.view8(size, "compressed block"), here + 3);
  }
  if (hasChecksum !== 0) reader.skip(4, "checksum");
  if (content !== undefined && content !== state.made - start)
    malformed("malformed", at, `Zstandard: a frame of ${content} bytes made ${state.made - start}`);
  return state.made;
}

/** Reads the header after the magic; returns the content size, if it is stored. */
function readFrameHeader(reader: ByteReader): number | undefined {
  const at = reader.position;
  const descriptor = reader.u8("frame header");
  const single = (descriptor & 0x20) !== 0;
  if ((descriptor & 8) !== 0) malformed("malformed", at, "Zstandard: a reserved bit of the frame header is set");
  if (!single) reader.skip(1, "window size");
  const dictionary = [0, 1, 2, 4][descriptor & 3]!;
  if (reader.view8(dictionary, "dictionary").some((byte) => byte !== 0))
    malformed("unsupported", at, "Zstandard: the frame needs a dictionary");
  switch (descriptor >> 6) {
    case 0:
      return single ? reader.u8("content size") : undefined;
    case 1:
      return reader.u16("content size") + 256;
    case 2:
      return reader.u32("content size");
    default:
      return reader.size64("content size");
  }
}
