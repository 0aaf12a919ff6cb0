// Decodes LZ4 blocks (lz4_Block_format.md of the LZ4 project): fatbinary writes them with --compress-mode=speed, without the
// frame around them. The caller knows the exact size of the output; nothing is written beyond it, and memory is allocated only if
// the block is long enough to encode that many bytes. Rejected: the lz4js package, which has no types and checks no bounds.
import { decoding, malformed } from "../bytes/malformed.js";
import type { Result } from "../bytes/result.js";

/** Limit of output bytes per input byte: a token followed by bytes of 255 encodes the most. */
const MAX_EXPANSION = 255;

/** Decodes a block of `size` bytes. Offsets of errors count from the start of the block. */
export function decompressLz4Block(block: Uint8Array, size: number): Result<Uint8Array> {
  return decoding(() => {
    if (size > block.length * MAX_EXPANSION)
      malformed("limit", 0, `${block.length} bytes of LZ4 cannot decompress to ${size} bytes`);
    return decode(block, new Uint8Array(size));
  });
}

function decode(block: Uint8Array, out: Uint8Array): Uint8Array {
  let at = 0;
  let made = 0;
  const next = (what: string): number => {
    if (at >= block.length) malformed("truncated", at, `LZ4: the block ends where ${what} is expected`);
    return block[at++]!;
  };
  /** A length of four bits, continued in bytes as long as they are 255. */
  const length = (start: number): number => {
    let total = start;
    for (let more = start === 15 ? 255 : 0; more === 255; total += more) more = next("a length");
    return total;
  };
  const room = (bytes: number, what: string): void => {
    if (bytes > out.length - made)
      malformed("out-of-range", at, `LZ4: ${bytes} bytes of ${what} where ${out.length - made} are left`);
  };
  while (at < block.length) {
    const token = next("a token");
    const literals = length(token >> 4);
    room(literals, "literals");
    if (literals > block.length - at) malformed("truncated", at, `LZ4: ${literals} literals reach past the end`);
    out.set(block.subarray(at, at + literals), made);
    at += literals;
    made += literals;
    // The last sequence has literals only.
    if (at === block.length) break;
    const offset = next("an offset") | (next("an offset") << 8);
    if (offset === 0 || offset > made)
      malformed("out-of-range", at - 2, `LZ4: an offset of ${offset} where ${made} bytes precede it`);
    const match = length(token & 15) + 4;
    room(match, "a match");
    copyMatch(out, made, offset, match);
    made += match;
  }
  if (made !== out.length) malformed("malformed", at, `LZ4: the block holds ${made} bytes instead of ${out.length}`);
  return out;
}

const SHORT = 32;

/** Repeats the bytes `offset` before `at`; a match may overlap its own output. */
export function copyMatch(out: Uint8Array, at: number, offset: number, length: number): void {
  // A copyWithin call costs more than copying a few bytes.
  if (length < SHORT) for (let end = at + length, to = at; to < end; to++) out[to] = out[to - offset]!;
  else if (offset >= length) out.copyWithin(at, at - offset, at - offset + length);
  else if (offset === 1) out.fill(out[at - 1]!, at, at + length);
  else for (let end = at + length, to = at; to < end; to++) out[to] = out[to - offset]!;
}
