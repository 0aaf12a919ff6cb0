// The file header and the program headers. System V ABI, "ELF Header", "Program Header"; e_flags of EM_CUDA: formats/cuda.

import { nameOrNumber } from "../../../formats/bytes/named.js";
import { EF_CUDA, OLD_FLAGS, type CudaFlags } from "../../../formats/cuda/index.js";
import {
  fileTypeName,
  hasFileBytes,
  machineName,
  osAbiName,
  SEGMENT_FLAGS,
  segmentTypeName,
  SHF,
  type ElfFile,
  type ElfSection,
  type ElfSegment,
} from "../../../formats/elf/index.js";
import type { ElfContext } from "../context/elf-context.js";
import { flagsOf, named, wide, type Flags, type Named, type Wide } from "../context/values.js";

/** The contents of a CUDA file's e_flags. */
export interface TargetView {
  /** "sm_90"; with "a" if the flags contain it, which only the old generation's do. */
  readonly target: string;
  /** Target of the PTX that was compiled, if the flags contain it. */
  readonly virtualTarget?: string;
  readonly options: readonly string[];
}

export interface SegmentView {
  readonly index: number;
  readonly type: Named;
  readonly flags: Flags;
  /** Bytes from the start of the file. */
  readonly offset: number;
  readonly virtualAddress: Wide;
  readonly physicalAddress: Wide;
  /** Bytes. */
  readonly fileSize: number;
  readonly memorySize: number;
  readonly align: number;
  /** Names of the sections inside the segment, by file offset. */
  readonly sections: readonly string[];
}

export interface HeaderView {
  readonly class: "ELF64";
  readonly byteOrder: "little";
  readonly osAbi: Named;
  readonly abiVersion: number;
  readonly type: Named;
  readonly machine: Named;
  readonly version: number;
  readonly entry: Wide;
  /** e_flags */
  readonly flags: Wide;
  readonly cuda?: TargetView;
  /** Bytes from the start of the file; 0 when there is none. */
  readonly programHeaderOffset: number;
  readonly sectionHeaderOffset: number;
  readonly sectionCount: number;
  readonly sectionNameTable: number;
  readonly segments: readonly SegmentView[];
}

/** The target that e_flags encodes. */
export function targetView(flags: CudaFlags): TargetView {
  if (flags.kind === "current") return { target: `sm_${flags.sm}`, options: [] };
  const suffix = (flags.options & EF_CUDA.ACCELERATORS) === 0 ? "" : "a";
  return {
    target: `sm_${flags.sm}${suffix}`,
    ...(flags.virtualSm === 0 ? {} : { virtualTarget: `compute_${flags.virtualSm}` }),
    options: flagsOf(OLD_FLAGS, flags.options).flags,
  };
}

export function headerView({ file, cuda }: ElfContext): HeaderView {
  const { header, sections, segments } = file;
  return {
    class: "ELF64",
    byteOrder: "little",
    osAbi: named(osAbiName(header.osabi), header.osabi),
    abiVersion: header.abiVersion,
    type: named(fileTypeName(header.type), header.type),
    machine: named(machineName(header.machine), header.machine),
    version: header.version,
    entry: wide(header.entry),
    flags: wide(header.flags >>> 0),
    ...(cuda === undefined ? {} : { cuda: targetView(cuda) }),
    programHeaderOffset: header.programHeaderOffset,
    sectionHeaderOffset: header.sectionHeaderOffset,
    sectionCount: sections.length,
    sectionNameTable: header.sectionNameTable,
    segments: segments.map((segment, index) => segmentView(file, segment, index)),
  };
}

function segmentView(file: ElfFile, segment: ElfSegment, index: number): SegmentView {
  return {
    index,
    type: named(segmentTypeName(segment.type), segment.type),
    flags: flagsOf(SEGMENT_FLAGS, segment.flags),
    offset: segment.offset,
    virtualAddress: wide(segment.virtualAddress),
    physicalAddress: wide(segment.physicalAddress),
    fileSize: segment.fileSize,
    memorySize: segment.memorySize,
    align: segment.align,
    sections: sectionsIn(file, segment),
  };
}

/** Limit of segments for which the sections inside are found: the product of both counts could be huge. */
const MAX_MAPPED_SEGMENTS = 64;

/**
 * The sections in a segment by file offset, since cubins have no addresses. Sections without file bytes belong to it if they are
 * inside or at the end.
 */
function sectionsIn({ header, sections, segments }: ElfFile, segment: ElfSegment): readonly string[] {
  if (segments.length > MAX_MAPPED_SEGMENTS || segment.memorySize === 0) return [];
  const end = segment.offset + segment.fileSize;
  const lies = (section: ElfSection): boolean => {
    if (section.size === 0 || (section.flags & SHF.ALLOC) === 0 || section.offset < segment.offset) return false;
    if (hasFileBytes(header.machine, section.type)) return section.offset + section.size <= end;
    return segment.memorySize > segment.fileSize && section.offset <= end;
  };
  return sections.filter(lies).map(({ name, index }) => (name === "" ? nameOrNumber(undefined, index) : name));
}
