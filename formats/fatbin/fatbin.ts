// Fatbins: one program for several architectures, as nvcc embeds it in host objects. A section may contain several, one after
// another, as `ld -r` and a link of a program leave them. Everything is a view on the input; payloads are decompressed on demand
// (payload.ts).
import { listing, type Listing } from "../bytes/listing.js";
import { malformed } from "../bytes/malformed.js";
import { present } from "../bytes/sparse.js";
import { ENTRY_FLAG } from "./entry.table.js";
import { ENTRY_HEADER_SIZE, FATBIN_HEADER_SIZE, readEntryHeader, readFatbinHeader, type RawEntry } from "./header.js";
import { startsFatbin } from "./magic.js";

export type Compression = "none" | "lz4" | "zstd";

export interface FatbinEntry {
  /** File offsets of the entry and of its payload. */
  readonly offset: number;
  readonly payloadOffset: number;
  /** See ENTRY_KINDS. */
  readonly kind: number;
  /** "sm_90", "sm_90a", "sm_100f". */
  readonly target: string;
  /** Version of the PTX text, or of the cubin format. */
  readonly version: { readonly major: number; readonly minor: number };
  /** See ENTRY_FLAGS. */
  readonly flags: number;
  /** The text of `fatbinary --ident`: mostly the source's name, with -g. */
  readonly identifier: string | undefined;
  /** Options for ptxas, unchanged; undefined if the record is not text. */
  readonly options: string | undefined;
  readonly compression: Compression;
  /** The stored bytes, without padding if their size is known. `present` reads them if the file is large. */
  readonly stored: Uint8Array;
  /** Size of the decompressed payload in bytes. */
  readonly size: number;
}

export interface Fatbin {
  /** File offset, and size in bytes. */
  readonly offset: number;
  readonly size: number;
  readonly entries: readonly FatbinEntry[];
}

/**
 * The fatbins in `bytes`, one after another, with at most zeros between them. `base`: offset of `bytes` in the file. A fatbin
 * with a damaged entry keeps the entries before it, a truncated one its complete entries. Linear in `bytes.length`.
 */
export function readFatbins(bytes: Uint8Array, base = 0): Listing<Fatbin> {
  return listing(function* () {
    for (let at = nextStart(bytes, 0, base); at < bytes.length;) {
      const { headerSize, size } = readFatbinHeader(window(bytes, at, FATBIN_HEADER_SIZE), base + at);
      const end = at + headerSize + size;
      const entries = readEntries(bytes, at + headerSize, Math.min(end, bytes.length), base);
      yield { offset: base + at, size: end - at, entries: entries.items };
      if (end > bytes.length) {
        const there = Math.max(0, bytes.length - at - headerSize);
        const what = `fatbin: ${size} bytes of entries reach past the end, ${there} are there`;
        malformed("truncated", base + at + 8, what);
      }
      if (entries.fault !== undefined) malformed("malformed", entries.fault.offset, entries.fault.what);
      at = nextStart(bytes, end, base);
    }
  });
}

/** Offset of the next fatbin at or after `from`; the end if only zeros follow. */
function nextStart(bytes: Uint8Array, from: number, base: number): number {
  for (let start = from; start < bytes.length; start += ZEROS_AT_ONCE) {
    const part = window(bytes, start, ZEROS_AT_ONCE);
    const found = part.findIndex((byte) => byte !== 0);
    if (found < 0) continue;
    const at = start + found;
    if (!startsFatbin(window(bytes, at, 4)))
      malformed("bad-magic", base + at, "no fatbin begins here: its first four bytes are 50 ed 55 ba");
    return at;
  }
  return bytes.length;
}

/** Step, in bytes, of the search for the next fatbin. */
const ZEROS_AT_ONCE = 64;

/** At most `size` bytes from `at` on; for a large file, they are read first. */
const window = (bytes: Uint8Array, at: number, size: number): Uint8Array => present(bytes.subarray(at, at + size));

function readEntries(bytes: Uint8Array, start: number, end: number, base: number): Listing<FatbinEntry> {
  return listing(function* () {
    for (let at = start; at < end;) {
      const raw = readEntryHeader(window(bytes, at, ENTRY_HEADER_SIZE), end - at, base + at);
      yield entryOf(raw, bytes, at, base);
      at += raw.headerSize + raw.payloadSize;
    }
  });
}

function entryOf(raw: RawEntry, bytes: Uint8Array, at: number, base: number): FatbinEntry {
  const flags = Number(raw.flags);
  const has = (flag: number): boolean => Math.floor(flags / flag) % 2 === 1;
  const payload = at + raw.headerSize;
  // Only name and options follow the fixed part.
  const hasMore = raw.nameOffset !== 0 || raw.optionsOffset !== 0;
  const head = hasMore ? window(bytes, at, raw.headerSize) : bytes.subarray(at, payload);
  const compression = has(ENTRY_FLAG.zstd) ? "zstd" : has(ENTRY_FLAG.lz4) ? "lz4" : "none";
  const storedSize = compression === "none" ? raw.payloadSize : raw.compressedSize;
  const suffix = has(ENTRY_FLAG["arch-specific"]) ? "a" : has(ENTRY_FLAG["family-specific"]) ? "f" : "";
  return {
    offset: base + at,
    payloadOffset: base + payload,
    kind: raw.kind,
    target: `sm_${raw.arch}${suffix}`,
    version: { major: raw.major, minor: raw.minor },
    flags,
    identifier: identifierOf(raw, head, base + at),
    options: optionsOf(raw, head, base + at),
    compression,
    stored: bytes.subarray(payload, payload + storedSize),
    size: compression === "none" ? raw.payloadSize : raw.size,
  };
}

const utf8 = new TextDecoder();

function identifierOf({ nameOffset, nameLength }: RawEntry, head: Uint8Array, offset: number): string | undefined {
  if (nameOffset === 0 || nameLength === 0) return undefined;
  if (nameOffset + nameLength > head.length)
    malformed(
      "out-of-range",
      offset + 32,
      `fatbin entry: its name reaches past the ${head.length} bytes of its header`,
    );
  return utf8.decode(head.subarray(nameOffset, nameOffset + nameLength)).replace(/\0+$/, "");
}

/** The record with the offset and length of the options. On cubins of sm_100 and later it is not text. */
function optionsOf({ optionsOffset }: RawEntry, head: Uint8Array, offset: number): string | undefined {
  if (optionsOffset === 0) return undefined;
  const outside = (): never =>
    malformed(
      "out-of-range",
      offset + 20,
      `fatbin entry: its options reach past the ${head.length} bytes of its header`,
    );
  if (optionsOffset + 8 > head.length) outside();
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const [start, length] = [view.getUint32(optionsOffset, true), view.getUint32(optionsOffset + 4, true)];
  if (start + length > head.length) outside();
  const text = utf8.decode(head.subarray(start, start + length)).replace(/\0+$/, "");
  return /[\x00-\x1f\x7f\ufffd]/.test(text) ? undefined : text.trim() || undefined;
}
