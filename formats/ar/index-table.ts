// The symbol index of an archive (what ranlib writes), which maps a name to the member that defines it. There are four kinds.
// GNU's (`/`, `/SYM64/`) has big-endian offsets of 32 or 64 bits, followed by the names. BSD's (`__.SYMDEF`, and `_64`) has
// little-endian pairs of a name's and a member's offset. nvcc's host objects are indexed by host symbols only, so a member may
// define a device symbol that is in no index.
import { decoding, malformed } from "../bytes/malformed.js";
import { ByteReader } from "../bytes/reader.js";
import type { Result } from "../bytes/result.js";
import type { Archive, RawIndex } from "./read.js";

export interface IndexedSymbol {
  readonly name: string;
  /** Position of the defining member in the archive. */
  readonly member: number;
}

/** Reads the symbol index; undefined if the archive has none. Linear in the size of the index. */
export function readSymbolIndex(archive: Archive): Result<readonly IndexedSymbol[]> | undefined {
  const { index, items } = archive;
  if (index === undefined) return undefined;
  return decoding(() => {
    const members = new Map(items.map(({ headerOffset }, i) => [headerOffset, i]));
    if (index.data.length === 0) return [];
    const entries = index.kind.startsWith("gnu") ? gnuEntries(index) : bsdEntries(index);
    return entries.map(({ name, offset }) => {
      const member = members.get(offset);
      if (member === undefined)
        malformed("out-of-range", index.offset, `symbol index: ${name} is at ${offset}, where no member begins`);
      return { name, member };
    });
  });
}

interface Entry {
  readonly name: string;
  readonly offset: number;
}

/** A word of either width. Converting 64 bits to a number is exact, because valid offsets are below 2^53. */
function word(view: DataView, at: number, width: 4 | 8, little: boolean): number {
  return width === 4 ? view.getUint32(at, little) : Number(view.getBigUint64(at, little));
}

function gnuEntries({ kind, data, offset }: RawIndex): readonly Entry[] {
  const width = kind === "gnu64" ? 8 : 4;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const count = data.length < width ? 0 : word(view, 0, width, false);
  // Each symbol takes an offset and at least the zero byte of its name.
  if (count > (data.length - width) / (width + 1))
    malformed("truncated", offset, `symbol index: ${count} symbols in ${data.length} bytes`);
  const names = new ByteReader(data, offset);
  names.seek(width * (count + 1), "names of the symbol index");
  return Array.from({ length: count }, (_, i) => ({
    name: names.cstring("symbol index"),
    offset: word(view, width * (i + 1), width, false),
  }));
}

/** Names are stored by offset, and many may share one, so the sum of their lengths is bounded. */
function bsdEntries({ kind, data, offset }: RawIndex): readonly Entry[] {
  const width = kind === "bsd64" ? 8 : 4;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const size = data.length < width ? 0 : word(view, 0, width, true);
  if (size > data.length - 2 * width || size % (2 * width) !== 0)
    malformed("truncated", offset, `symbol index: a table of ${size} bytes in ${data.length}`);
  const names = data.subarray(2 * width + size);
  const decoder = new TextDecoder();
  let left = 4 * data.length;
  return Array.from({ length: size / (2 * width) }, (_, i) => {
    const at = width + 2 * width * i;
    const start = word(view, at, width, true);
    const end = start < names.length ? names.indexOf(0, start) : -1;
    left -= end - start;
    if (end < 0 || left < 0) malformed("out-of-range", offset + at, `symbol index: no name ends after offset ${start}`);
    return { name: decoder.decode(names.subarray(start, end)), offset: word(view, at + width, width, true) };
  });
}
