// Writes a ptxkit ELF file: sections by name, in order, with formats/elf/file-writer.ts. Names are strings of the columns.

import type { AddressSize } from "../../../check/address-size.js";
import { currentFlags } from "../../../../formats/cuda/index.js";
import { createElfFileWriter, NO_BYTES, type ElfSegmentSpec } from "../../../../formats/elf/file-writer.js";
import { ELFOSABI, EM, ET, PF, PT, SHT } from "../../../../formats/elf/constants.table.js";
import type { Target } from "../../../isa/requirement.js";
import type { PtxVersion } from "../../../isa/targets.table.js";
import { PTXKIT_ABI_VERSION } from "../../file/container.js";
import { unsupported } from "../cursor.js";
import { bytesOf, createNames } from "../growable-bytes.js";
import type { StringId, StringTable } from "../strings.js";

/** The fields of a section's header besides name, place and size. */
export interface SectionFields {
  readonly type: number;
  readonly flags?: number;
  readonly link?: number;
  readonly info?: number;
  readonly align: number;
  readonly entsize?: number;
}

export interface ElfWriter {
  /** Adds the table of section names, which is filled at the end. */
  names(): void;
  /** Adds a section with the bytes of `from` from `start` on; default: all. Returns its index. */
  bytes(name: string, how: SectionFields, from: Uint8Array, start?: number, size?: number): number;
  noBytes(name: string, how: SectionFields, size: number): number;
  /**
   * Returns a function that adds sections of one function each: with its name, sh_info, and the alignment if it differs from
   * `how`.
   */
  perFunction(prefix: string, how: SectionFields): PutFunctionAttribute;
  /** The file in parts, with a segment for each run of sections: the first, the last, whether they are writable. */
  finish(runs?: readonly SegmentRun[]): readonly Uint8Array[];
}

/** The target for which a file is made. */
export interface FileTarget {
  readonly target: Target;
  readonly version: PtxVersion;
  /** Bits per address. */
  readonly addressSize: AddressSize;
}

/** An object has no segments. */
export type FileType = "executable" | "relocatable";

export type SegmentRun = readonly [first: number, last: number, isWritable: boolean];

export type PutFunctionAttribute = (
  name: StringId,
  info: number,
  from: Uint8Array,
  start: number,
  size: number,
  align?: number,
) => number;

const NOTHING = new Uint8Array(0);

/** `expected`: probable number of sections; more are allowed. */
export function createFile(
  type: FileType,
  { target, addressSize }: Pick<FileTarget, "target" | "addressSize">,
  strings: StringTable,
  expected: number,
): ElfWriter {
  const names = createNames(strings, expected);
  const writer = createElfFileWriter(expected);
  let sectionNameTable = 0;
  const put = (name: string, given: SectionFields, from: Uint8Array, start: number, size: number): number =>
    writer.add(names.fixed(name), kindOf(given), given.info ?? 0, given.align, from, start, size);
  return {
    names() {
      sectionNameTable = put(".shstrtab", { type: SHT.STRTAB, align: 1 }, NOTHING, 0, 0);
    },
    bytes: (name, how, from, start = 0, size = from.length) => put(name, how, from, start, size),
    noBytes: (name, how, size) => put(name, how, NOTHING, NO_BYTES, size),
    perFunction(prefix, given) {
      const nameOf = names.prefixed(prefix);
      const kind = kindOf(given);
      return (name, info, from, start, size, align = given.align) =>
        writer.add(nameOf(name), kind, info, align, from, start, size);
    },
    finish(runs = []) {
      writer.setContents(sectionNameTable, bytesOf(names.strings));
      const parts = writer.finish({
        type: type === "executable" ? ET.EXEC : ET.REL,
        machine: EM.CUDA,
        osabi: ELFOSABI.CUDA_V2,
        abiVersion: PTXKIT_ABI_VERSION,
        flags: currentFlags(target.sm, addressSize),
        sectionNameTable,
        segments: type === "executable" ? segmentsOf(runs) : [],
      });
      if (parts.reduce((sum, { length }) => sum + length, 0) >= 2 ** 31) unsupported("an output of 2 GiB or more");
      return parts;
    },
  };
}

/** All have the same properties in the same order, so that the engine gives them one hidden class. */
const kindOf = ({ type, flags = 0, link = 0, entsize = 0 }: SectionFields) => ({ type, flags, link, entsize });

/** The segments in nvlink's order: the header table, each run of sections, and the header table again. */
function segmentsOf(runs: readonly SegmentRun[]): readonly ElfSegmentSpec[] {
  const table = { covers: { kind: "program-headers" }, flags: PF.R | PF.X } as const;
  return [
    { ...table, type: PT.PHDR },
    ...runs.map(([first, last, isWritable]): ElfSegmentSpec => ({
      type: PT.LOAD,
      flags: isWritable ? PF.R | PF.W : PF.R | PF.X,
      covers: { kind: "sections", first, last },
    })),
    { ...table, type: PT.LOAD },
  ];
}
