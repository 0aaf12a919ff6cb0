// Archives (ar): the reader. There is no standard; this follows "The archive file format" of GNU binutils (include/aout/ar.h,
// bfd/archive.c) and ar(5) of the BSDs. Supported: System V/GNU names (`name/`, `/N` into the `//` table), BSD names (`#1/N`, in
// front of the data), thin archives (`!<thin>`, whose members are separate files), with and without a symbol index of any of the
// four kinds (index-table.ts). Members are views on the input, found by one walk over the headers: nothing is copied, and members
// are not read. Rejected: the `ar` package, which knows neither long names nor thin archives.
import { listing, type Listing } from "../bytes/listing.js";
import { hasMagic, magicBytes } from "../bytes/magic.js";
import { malformed } from "../bytes/malformed.js";

const MAGIC = magicBytes("!<arch>\n");
const THIN_MAGIC = magicBytes("!<thin>\n");
/** Bytes of a member's header: name[16] date[12] uid[6] gid[6] mode[8] size[10] end[2], all text. */
export const HEADER_SIZE = 60;
const END_MARK = "`\n";

export type IndexKind = "gnu32" | "gnu64" | "bsd32" | "bsd64";

/** The symbol index as bytes of the file; decode it with readSymbolIndex. */
export interface RawIndex {
  readonly kind: IndexKind;
  /** Where `data` begins in the file. */
  readonly offset: number;
  readonly data: Uint8Array;
}

export interface ArchiveMember {
  readonly name: string;
  /** Offset of the header, by which a symbol index names the member. */
  readonly headerOffset: number;
  /** Offset of the data; for members of a thin archive, of the next header. */
  readonly offset: number;
  /** Size in bytes, also of a thin archive's separate file. */
  readonly size: number;
  /** Seconds since 1970. */
  readonly date: number;
  /** Undefined for a member of a thin archive, whose data is the file `name`, relative to the archive. */
  readonly data: Uint8Array | undefined;
  /** Set if `name` is itself an archive (thin archives only): the offset of the member's header in it. */
  readonly nestedOffset?: number;
}

export interface Archive extends Listing<ArchiveMember> {
  readonly isThin: boolean;
  readonly index?: RawIndex;
}

export function looksLikeArchive(bytes: Uint8Array): boolean {
  return hasMagic(bytes, MAGIC) || hasMagic(bytes, THIN_MAGIC);
}

/** Reads the headers of an archive. Time and memory are linear in the number of its members. */
export function readArchive(bytes: Uint8Array): Archive {
  const isThin = hasMagic(bytes, THIN_MAGIC);
  const indexes: RawIndex[] = [];
  const found = listing(() => walk(bytes, isThin, indexes));
  return { ...found, isThin, ...(indexes[0] === undefined ? {} : { index: indexes[0] }) };
}

/**
 * Offset of the first member's data, not counting the symbol index and the table of names. Undefined for a thin archive, and if
 * `head`, the beginning of an archive, is too short. Callers align archives by it: members of one kind mostly have sizes that are
 * multiples of a word, so then all of them are aligned.
 */
export function firstDataOffset(head: Uint8Array): number | undefined {
  const { value: first } = memberPlaces(head, (end) => end <= head.length).next();
  return first?.offset;
}

/** Offset and size of a member's data. */
export interface MemberPlace {
  readonly offset: number;
  /** Size in bytes. */
  readonly length: number;
}

/**
 * Walks an archive's members like the reader, up to the first damage, without reading all bytes. Calls `reaches` before it reads
 * bytes up to `end`, except data. It does not read names stored before the data.
 */
export function* memberPlaces(bytes: Uint8Array, reaches: (end: number) => boolean): Generator<MemberPlace, undefined> {
  if (!reaches(MAGIC.length) || !hasMagic(bytes, MAGIC)) return;
  for (let at = MAGIC.length; reaches(at + HEADER_SIZE);) {
    const name = latin1.decode(bytes.subarray(at, at + 16)).trimEnd();
    const size = Number(latin1.decode(bytes.subarray(at + 48, at + 58)));
    const data = at + HEADER_SIZE;
    const skipped = Number(/^#1\/(\d+)$/.exec(name)?.[1] ?? 0);
    if (!isTable(name) && !indexKinds.has(name)) yield { offset: data + skipped, length: size - skipped };
    if (!(size >= 0)) return;
    at = data + size + (size % 2);
  }
}

/** Whether a member is the table of long names. */
const isTable = (name: string): boolean => name === "//" || name === "ARFILENAMES/";

interface RawHeader {
  readonly name: string;
  readonly date: number;
  readonly size: number;
}

const latin1 = new TextDecoder("latin1");
const utf8 = new TextDecoder();

/** Names of the members that contain a symbol index. */
const indexKinds: ReadonlyMap<string, IndexKind> = new Map([
  ["/", "gnu32"],
  ["/SYM64/", "gnu64"],
  ["__.SYMDEF", "bsd32"],
  ["__.SYMDEF SORTED", "bsd32"],
  ["__.SYMDEF_64", "bsd64"],
  ["__.SYMDEF_64 SORTED", "bsd64"],
]);

function* walk(bytes: Uint8Array, isThin: boolean, indexes: RawIndex[]): Generator<ArchiveMember> {
  if (!looksLikeArchive(bytes)) malformed("bad-magic", 0, "not an archive: it does not begin with !<arch> or !<thin>");
  let longNames: Uint8Array | undefined;
  let at = MAGIC.length;
  while (at < bytes.length) {
    const headerOffset = at;
    const raw = readHeader(bytes, at);
    let offset = at + HEADER_SIZE;
    const isNames = isTable(raw.name);
    const isOutside = isThin && !indexKinds.has(raw.name) && !isNames;
    const here = isOutside ? 0 : raw.size;
    if (here > bytes.length - offset)
      malformed(
        "truncated",
        headerOffset + 48,
        `archive member ${JSON.stringify(raw.name)}: ${here} bytes at ${offset} reach past the end of ${bytes.length} bytes`,
      );
    const end = offset + here;
    // Data begins at even offsets; the byte before is a newline.
    at = end + (end % 2);
    if (isNames) {
      longNames = bytes.subarray(offset, end);
      continue;
    }
    const { name, skipped, nestedOffset } = nameOf(raw, bytes.subarray(offset, end), longNames, headerOffset);
    offset += skipped;
    const data = bytes.subarray(offset, end);
    // Compare the raw name: a short name has lost its slash, so "/" would be empty.
    const kind = indexKinds.get(skipped > 0 ? name : raw.name);
    if (kind !== undefined) {
      indexes.push({ kind, offset, data });
      continue;
    }
    yield {
      name,
      headerOffset,
      offset,
      size: raw.size - skipped,
      date: raw.date,
      data: isOutside ? undefined : data,
      ...(nestedOffset === undefined ? {} : { nestedOffset }),
    };
  }
}

function readHeader(bytes: Uint8Array, at: number): RawHeader {
  if (bytes.length - at < HEADER_SIZE)
    malformed("truncated", at, `archive member header: ${HEADER_SIZE} bytes needed, ${bytes.length - at} left`);
  const text = latin1.decode(bytes.subarray(at, at + HEADER_SIZE));
  if (text.slice(58) !== END_MARK)
    malformed("malformed", at + 58, "archive member header: it does not end with a back quote and a newline");
  const size = text.slice(48, 58).trim();
  if (!/^\d+$/.test(size))
    malformed("malformed", at + 48, `archive member header: the size is ${JSON.stringify(size)}, not a number`);
  const date = text.slice(16, 28).trim();
  // Names may be UTF-8; only blanks at the end are padding.
  const name = utf8.decode(bytes.subarray(at, at + 16)).trimEnd();
  return { name, date: /^\d+$/.test(date) ? Number(date) : 0, size: Number(size) };
}

interface Name {
  readonly name: string;
  /** Bytes of the data that the name occupies. */
  readonly skipped: number;
  readonly nestedOffset?: number;
}

function nameOf(
  { name, size }: RawHeader,
  data: Uint8Array,
  longNames: Uint8Array | undefined,
  headerOffset: number,
): Name {
  const bsd = /^#1\/(\d+)$/.exec(name);
  if (bsd !== null) {
    const length = Number(bsd[1]);
    if (length > data.length)
      malformed("out-of-range", headerOffset, `archive member: a name of ${length} bytes in a member of ${size}`);
    return { name: utf8.decode(data.subarray(0, length)).replace(/\0+$/, ""), skipped: length };
  }
  // `/5`, or in thin archives `/5:132` for a member of an archive.
  const long = /^\/(\d+)(?::(\d+))?$/.exec(name);
  if (long === null) return { name: name.replace(/\/$/, ""), skipped: 0 };
  if (longNames === undefined)
    malformed("malformed", headerOffset, `archive member ${name}: there is no table of long names before it`);
  const start = Number(long[1]);
  if (start >= longNames.length)
    malformed(
      "out-of-range",
      headerOffset,
      `archive member ${name}: its name is outside the ${longNames.length} bytes of long names`,
    );
  return {
    name: longName(longNames, start),
    skipped: 0,
    ...(long[2] === undefined ? {} : { nestedOffset: Number(long[2]) }),
  };
}

/** The longest path on any system. It bounds the work on a table without line ends. */
const MAX_NAME_BYTES = 4096;

/** Long names end with a newline (in GNU's tables after a slash) or, from Microsoft's tools, with a zero byte. */
function longName(table: Uint8Array, start: number): string {
  const window = table.subarray(start, start + MAX_NAME_BYTES);
  const end = window.findIndex((byte) => byte === 0x0a || byte === 0);
  return utf8.decode(end < 0 ? window : window.subarray(0, end)).replace(/\/$/, "");
}
