// The view of Windows and macOS files: machine and sections of each program in them. GPU code inside is shown as in other
// containers.

import { namesOf } from "../../../formats/bytes/named.js";
import type { Result } from "../../../formats/bytes/result.js";
import { isFatbinSection } from "../../../formats/fatbin/index.js";
import { MACH_FILE_TYPES, MACH_MACHINES, MH, readMachO, type MachSlice } from "../../../formats/macho/index.js";
import { PE_FILE_FLAGS, PE_MACHINES, PE_SECTION_FLAGS, readPe, type PeFile } from "../../../formats/pe/index.js";
import type { Budget } from "../context/budget.js";
import { flagsOf, named, wide, type Flags, type Named, type Wide } from "../context/values.js";
import { hexOf, type HexView } from "./hex.js";

export interface HostSectionView {
  /** Counts from 1. */
  readonly index: number;
  /** Name; for Mach-O with the segment: "__NV_CUDA,__nv_fatbin". */
  readonly name: string;
  /** Address; in a Windows image relative to the image base. */
  readonly address: Wide;
  /** Byte offset in the file, and size in the file. */
  readonly offset: number;
  readonly size: number;
  readonly flags: Flags;
  /** Whether it contains fatbins. */
  readonly deviceCode: boolean;
}

/** The program, library or object of one machine. */
export interface HostView {
  readonly format: "PE" | "COFF" | "Mach-O";
  readonly machine: Named;
  /** "object", "program", "library", or another type of the format. */
  readonly type: string;
  /** Characteristics of a Windows file. */
  readonly flags?: Flags;
  /** Byte offset in a universal file, and size. */
  readonly offset: number;
  readonly size: number;
  readonly sections: readonly HostSectionView[];
}

/** The contents of a Windows or macOS file. */
export interface HostFile {
  readonly kind: "pe-object" | "pe-image" | "macho-object" | "macho-image" | "macho-universal";
  readonly hosts: readonly HostView[];
  /** The bytes of a section. */
  readonly sections: readonly { readonly name: string; readonly offset: number; readonly data: Uint8Array }[];
}

const peMachine = namesOf(PE_MACHINES);
const machMachine = namesOf(MACH_MACHINES);
const machType = namesOf(MACH_FILE_TYPES);

/** Cost of a section, in characters that an inspection may show. */
const SECTION_COST = 300;

export function readHostFile(bytes: Uint8Array, kind: "pe" | "mach-o", budget: Budget): Result<HostFile> {
  return kind === "pe" ? readWindows(bytes, budget) : readMac(bytes, budget);
}

function readWindows(bytes: Uint8Array, budget: Budget): Result<HostFile> {
  const read = readPe(bytes);
  if (!read.ok) return read;
  const { value: file } = read;
  const isObject = file.kind === "object";
  return {
    ok: true,
    value: {
      kind: isObject ? "pe-object" : "pe-image",
      hosts: [peView(file, budget)],
      sections: file.sections,
    },
  };
}

function peView(file: PeFile, budget: Budget): HostView {
  const { machine, characteristics } = file.header;
  return {
    format: file.kind === "object" ? "COFF" : "PE",
    machine: named(peMachine(machine), machine),
    type: file.kind,
    flags: flagsOf(PE_FILE_FLAGS, characteristics),
    offset: 0,
    size: file.bytes.length,
    sections: file.sections.flatMap((section) =>
      budget.spend(SECTION_COST + section.name.length)
        ? [
            {
              index: section.index,
              name: section.name,
              address: wide(section.virtualAddress),
              offset: section.offset,
              size: section.data.length,
              flags: flagsOf(PE_SECTION_FLAGS, withoutAlignment(section.characteristics)),
              deviceCode: isFatbinSection(section.name),
            },
          ]
        : [],
    ),
  };
}

/** Four bits of a section's characteristics in an object are its alignment. */
const ALIGNMENT_BITS = 0x00f0_0000;
const withoutAlignment = (characteristics: number): number => (characteristics & ~ALIGNMENT_BITS) >>> 0;

function readMac(bytes: Uint8Array, budget: Budget): Result<HostFile> {
  const read = readMachO(bytes);
  if (!read.ok) return read;
  const { isUniversal, slices } = read.value;
  const isObject = slices.every(({ header }) => header.fileType === MH.OBJECT);
  return {
    ok: true,
    value: {
      kind: isUniversal ? "macho-universal" : isObject ? "macho-object" : "macho-image",
      hosts: slices.map((slice) => machView(slice, budget)),
      sections: slices.flatMap(({ sections }) => sections),
    },
  };
}

const machTypes: Readonly<Record<number, string>> = {
  [MH.OBJECT]: "object",
  [MH.EXECUTE]: "program",
  [MH.DYLIB]: "library",
};

function machView({ header, offset, size, sections }: MachSlice, budget: Budget): HostView {
  const { cpuType, fileType } = header;
  return {
    format: "Mach-O",
    machine: named(machMachine(cpuType), cpuType),
    type: machTypes[fileType] ?? machType(fileType) ?? `0x${fileType.toString(16)}`,
    offset,
    size,
    sections: sections.flatMap((section, i) =>
      budget.spend(SECTION_COST + section.name.length)
        ? [
            {
              index: i + 1,
              name: section.name,
              address: wide(section.address),
              offset: section.offset,
              size: section.data.length,
              flags: flagsOf([], section.flags),
              deviceCode: isFatbinSection(section.name),
            },
          ]
        : [],
    ),
  };
}

/** The bytes of sections, selected by number or by name. */
export function hostHexViews({ sections }: HostFile, wanted: readonly string[], budget: Budget): readonly HexView[] {
  return sections.flatMap(({ name, offset, data }, i): readonly HexView[] => {
    const index = i + 1;
    if (!wanted.includes(name) && !wanted.includes(`${index}`)) return [];
    const shown = budget.spend(2 * data.length) ? data : new Uint8Array();
    return [{ section: { index, name }, offset, size: data.length, hex: hexOf(shown) }];
  });
}
