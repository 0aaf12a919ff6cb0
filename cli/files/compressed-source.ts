// A source that can be read only once, compressed in parts for the lines that messages show; parts are decompressed on demand.
// Rejected: a temporary file, which would have to be removed.

import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { ShownText } from "../../lib/diag/excerpt.js";

/** Bytes of a part before compression. */
const PART = 2 ** 18;
/** The fastest level: it compresses PTX to a quarter of its size. */
const LEAST = { level: 1 };

export function compressedSource(bytes: Uint8Array): ShownText {
  const { length } = bytes;
  const count = Math.ceil(length / PART);
  const parts = Array.from({ length: count }, (_, i) => {
    const part = deflateRawSync(bytes.subarray(PART * i, PART * (i + 1)), LEAST);
    // The result is a view of a larger buffer, so copy it.
    return Uint8Array.from(part);
  });
  let opened: { readonly number: number; readonly bytes: Uint8Array } | undefined;
  const open = (number: number): Uint8Array => {
    if (opened?.number !== number) opened = { number, bytes: inflateRawSync(parts[number]!) };
    return opened.bytes;
  };
  return {
    length,
    subarray(start, end) {
      const [first, last] = [Math.floor(start / PART), Math.floor((Math.min(end, length) - 1) / PART)];
      const found: Uint8Array[] = [];
      for (let i = first; i <= last; i++)
        found.push(open(i).subarray(Math.max(0, start - PART * i), Math.max(0, end - PART * i)));
      return found.length === 1 ? found[0]! : Buffer.concat(found);
    },
  };
}
