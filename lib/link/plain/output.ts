// An ELF file that is put together of sections in their order (formats/elf/write.ts lays it out the same way), without an
// object for each section: their headers are words, and their contents wait in a list. The file is not put into one buffer,
// which would take as much memory again as all objects do: what is written are parts of what was read.

import { currentFlags } from "../../../formats/cuda/index.js";
import { ByteWriter } from "../../../formats/bytes/writer.js";
import { ELFOSABI, EM, ET, PF, PT, SHN, SHT } from "../../../formats/elf/constants.table.js";
import { ELF_HEADER_SIZE, writeHeader } from "../../../formats/elf/header.js";
import { PROGRAM_HEADER_SIZE, writeSegment } from "../../../formats/elf/segment.js";
import { PTXKIT_ABI_VERSION } from "../../object/container.js";
import { alignUp } from "../../object/place.js";
import { bytesOf as bytesOfGrowing, createNames } from "./bytes.js";
import { notPlain } from "./cursor.js";
import { larger32, type TextId, type Texts } from "./texts.js";

/** ELF asks for alignment in memory only. */
const MAX_FILE_ALIGNMENT = 4096;

/** What a section's header says besides name, place and size. */
export interface HowSection {
  readonly type: number;
  readonly flags?: number;
  readonly link?: number;
  readonly info?: number;
  readonly align: number;
  readonly entsize?: number;
}

export interface PlainOutput {
  /** Puts the table of section names, which is filled at the end. */
  names(): void;
  /** Puts a section of bytes from `start` on, all of them unless told how many; its index. */
  bytes(name: string, how: HowSection, from: Uint8Array, start?: number, size?: number): number;
  noBytes(name: string, how: HowSection, size: number): number;
  /** Puts sections of one function each: with its name, sh_info, the alignment where it is not the common one. */
  perFunction(prefix: string, how: HowSection): PutOfFunction;
  /** The file in parts, with a segment for each run of sections: the first, the last, whether they are writable. */
  finish(runs?: readonly SegmentRun[]): readonly Uint8Array[];
}

/** An object has no segments. */
export type FileType = "executable" | "relocatable";

export type SegmentRun = readonly [first: number, last: number, isWritable: boolean];

export type PutOfFunction = (
  name: TextId,
  info: number,
  from: Uint8Array,
  start: number,
  size: number,
  align?: number,
) => number;

/** Words of a section header, and those of its fields. */
const WORDS = 16;
const NAME = 0;
const TYPE = 1;
const FLAGS = 2;
const OFFSET = 6;
const SIZE = 8;
const LINK = 10;
const INFO = 11;
const ALIGN = 12;
const ENTSIZE = 14;

const NOTHING = new Uint8Array(0);

/** `expected`: how many sections there will be, or more. */
export function createFile(type: FileType, sm: number, texts: Texts, expected: number): PlainOutput {
  const names = createNames(texts, 1 << 16);
  let headers = new Int32Array(WORDS * expected);
  // Section 0 is empty.
  let count = 1;
  const sources: Uint8Array[] = [NOTHING];
  const starts: number[] = [0];
  let nameTable = 0;

  const put = (
    nameAt: number,
    how: HowSection,
    info: number,
    align: number,
    from: Uint8Array,
    start: number,
    size: number,
  ) => {
    const at = WORDS * count;
    if (at === headers.length) headers = larger32(headers);
    headers[at + NAME] = nameAt;
    headers[at + TYPE] = how.type;
    headers[at + FLAGS] = how.flags ?? 0;
    headers[at + SIZE] = size;
    headers[at + LINK] = how.link ?? 0;
    headers[at + INFO] = info;
    headers[at + ALIGN] = align;
    headers[at + ENTSIZE] = how.entsize ?? 0;
    sources.push(from);
    starts.push(start);
    return count++;
  };
  const hasBytes = (section: number): boolean => starts[section]! >= 0;
  const bytesOf = (section: number): number => (hasBytes(section) ? headers[WORDS * section + SIZE]! : 0);

  return {
    names() {
      nameTable = put(names.fixed(".shstrtab"), { type: SHT.STRTAB, align: 1 }, 0, 1, NOTHING, 0, 0);
    },
    bytes: (name, how, from, start = 0, size = from.length) =>
      put(names.fixed(name), how, how.info ?? 0, how.align, from, start, size),
    noBytes: (name, how, size) => put(names.fixed(name), how, how.info ?? 0, how.align, NOTHING, -1, size),
    perFunction(prefix, how) {
      const nameOf = names.prefixed(prefix);
      return (name, info, from, start, size, align = how.align) =>
        put(nameOf(name), how, info, align, from, start, size);
    },
    finish(runs = []) {
      sources[nameTable] = bytesOfGrowing(names.strings);
      headers[WORDS * nameTable + SIZE] = names.strings.length;
      let end = ELF_HEADER_SIZE;
      for (let section = 1; section < count; section++) {
        const align = headers[WORDS * section + ALIGN]!;
        // Sections without bytes are aligned too and move what follows, as in NVIDIA's files.
        if (align > 1) end = alignUp(end, Math.min(align, MAX_FILE_ALIGNMENT));
        headers[WORDS * section + OFFSET] = end;
        end += bytesOf(section);
      }
      const shoff = alignUp(end, 8);
      const phoff = shoff + 4 * WORDS * count;
      if (phoff >= 2 ** 31) notPlain("a large image");
      const segments = type === "executable" ? segmentsOf(runs, phoff, headers, bytesOf) : NOTHING;
      const header = fileHeader({ type, sm, shoff, phoff, segments, count, nameTable });
      if (count >= SHN.LORESERVE) headers[SIZE] = count;
      return [
        header,
        ...sectionParts({ count, headers, sources, starts, bytesOf }, shoff),
        new Uint8Array(headers.buffer, 0, 4 * WORDS * count),
        segments,
      ];
    },
  };
}

/** What the file's parts are of: by section, bytes and where in them. */
interface Contents {
  readonly count: number;
  readonly headers: Int32Array;
  readonly sources: readonly Uint8Array[];
  readonly starts: readonly number[];
  bytesOf(section: number): number;
}

/**
 * The sections' bytes up to `end` in the file. Sections that lie in one source as they lie in the file, with zeros between them,
 * are one part.
 */
function sectionParts({ count, headers, sources, starts, bytesOf }: Contents, end: number): readonly Uint8Array[] {
  const parts: Uint8Array[] = [];
  let source: Uint8Array = NOTHING;
  let from = 0;
  let to = ELF_HEADER_SIZE;
  let length = 0;
  const begin = (next: number): void => {
    if (length > 0) parts.push(length === source.length ? source : source.subarray(from, from + length));
    if (next > to + length) parts.push(new Uint8Array(next - to - length));
    to = next;
  };
  for (let section = 1; section < count; section++) {
    const size = bytesOf(section);
    if (size === 0) continue;
    const start = starts[section]!;
    const offset = headers[WORDS * section + OFFSET]!;
    if (sources[section] === source && offset - start === to - from && isZero(source, from + length, start)) {
      length = start + size - from;
      continue;
    }
    begin(offset);
    source = sources[section]!;
    from = start;
    length = size;
  }
  begin(end);
  return parts;
}

/** Whether there are only zeros from `start` up to `end`, which are few, and which does not come first. */
function isZero(bytes: Uint8Array, start: number, end: number): boolean {
  if (end < start || end - start >= MAX_FILE_ALIGNMENT) return false;
  for (let at = start; at < end; at++) if (bytes[at] !== 0) return false;
  return true;
}

interface Frame {
  readonly type: FileType;
  readonly sm: number;
  readonly shoff: number;
  readonly phoff: number;
  readonly segments: Uint8Array;
  readonly count: number;
  readonly nameTable: number;
}

function fileHeader({ type, sm, shoff, phoff, segments, count, nameTable }: Frame): Uint8Array {
  const writer = new ByteWriter(ELF_HEADER_SIZE);
  writeHeader(writer, {
    osabi: ELFOSABI.CUDA_V2,
    abiVersion: PTXKIT_ABI_VERSION,
    type: type === "executable" ? ET.EXEC : ET.REL,
    machine: EM.CUDA,
    version: 1,
    entry: 0n,
    flags: currentFlags(sm),
    phoff: segments.length === 0 ? 0 : phoff,
    shoff,
    phentsize: PROGRAM_HEADER_SIZE,
    phnum: segments.length / PROGRAM_HEADER_SIZE,
    shentsize: 4 * WORDS,
    shnum: count >= SHN.LORESERVE ? 0 : count,
    shstrndx: nameTable,
  });
  return writer.finish();
}

/** The program headers: their table, each run of sections, and their table again (object/segments.ts). */
function segmentsOf(
  runs: readonly SegmentRun[],
  phoff: number,
  headers: Int32Array,
  bytesOf: (section: number) => number,
): Uint8Array {
  const count = runs.length + 2;
  const writer = new ByteWriter(PROGRAM_HEADER_SIZE * count);
  const put = (type: number, flags: number, offset: number, fileSize: number, memorySize: number): void =>
    writeSegment(writer, {
      type,
      flags,
      offset,
      virtualAddress: 0n,
      physicalAddress: 0n,
      fileSize,
      memorySize,
      align: 8,
    });
  const table = PROGRAM_HEADER_SIZE * count;
  put(PT.PHDR, PF.R | PF.X, phoff, table, table);
  for (const [first, last, isWritable] of runs) {
    const offset = headers[WORDS * first + OFFSET]!;
    const size = headers[WORDS * last + OFFSET]! + bytesOf(last) - offset;
    let inMemory = size;
    for (let section = first; section <= last; section++)
      inMemory += headers[WORDS * section + SIZE]! - bytesOf(section);
    put(PT.LOAD, isWritable ? PF.R | PF.W : PF.R | PF.X, offset, size, inMemory);
  }
  put(PT.LOAD, PF.R | PF.X, phoff, table, table);
  return writer.finish();
}
