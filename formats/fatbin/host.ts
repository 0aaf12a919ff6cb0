// Fatbins in host objects, libraries and programs of nvcc. `.nv_fatbin` contains the fatbins to load, `__nv_relfatbin` those that
// -rdc=true leaves for device linking (and that remain in the program). The reader walks the sections, because the pointers to
// fatbins in a relocatable object are not resolved yet. The wrappers in `.nvFatBinSegment` mark the fatbin that device linking
// made (version 2).
// Names in ELF, COFF and Mach-O: fatbinary_section.h of the CUDA toolkit; Windows images truncate names to eight bytes.
import { decoding } from "../bytes/malformed.js";
import type { FormatError } from "../bytes/result.js";
import type { ElfFile } from "../elf/index.js";
import { relocationsOf, sectionNamed } from "../elf/index.js";
import type { MachOFile } from "../macho/index.js";
import { coffRelocations, coffSymbolOffset, type PeFile, type PeSection } from "../pe/index.js";
import { readFatbins, type Fatbin } from "./fatbin.js";
import { isFatbinSection } from "./magic.js";
import { readWrappers, WRAPPER_SIZE } from "./header.js";

const WRAPPERS = ".nvFatBinSegment";
/** The truncated names in a PE image. */
const CUT_WRAPPERS = ".nvFatBi";
const MACH_WRAPPERS = "__NV_CUDA,__fatbin";

/** Offset in bytes of the address in a wrapper. */
const ADDRESS_AT = 8;

export interface HostFatbin extends Fatbin {
  readonly section: string;
  /** Whether it is nvlink's output for the other fatbins of the program. */
  readonly isDeviceLinked: boolean;
}

export interface HostFatbins {
  readonly fatbins: readonly HostFatbin[];
  readonly faults: readonly FormatError[];
}

/** The common part of all formats: a name, a file offset, and bytes. */
interface HostSection {
  readonly name: string;
  /** Bytes from the start of the file. */
  readonly offset: number;
  readonly data: Uint8Array;
}

/** Whether any section of an ELF file may contain fatbins. */
export function holdsFatbins(file: ElfFile): boolean {
  return file.sections.some(({ name, data }) => isFatbinSection(name) && data.length > 0);
}

/** Every fatbin, in file order; a damaged section contributes those before the error. */
export function readHostFatbins(file: ElfFile): HostFatbins {
  return fatbinsOf(file.sections, file.bytes.length, deviceLinkedOffsets(file), []);
}

/** The same for an executable, DLL or object of Windows. */
export function readPeFatbins(file: PeFile): HostFatbins {
  return fatbinsOf(file.sections, file.bytes.length, peLinkedOffsets(file), file.faults);
}

/** The same for all architectures in a Mach-O file. */
export function readMachOFatbins(file: MachOFile): HostFatbins {
  const sections = file.slices.flatMap((slice) => slice.sections);
  return fatbinsOf(sections, file.bytes.length, machLinkedOffsets(file), file.faults);
}

/** `linked`: file offsets of the fatbins that have a wrapper of version 2. */
function fatbinsOf(
  sections: readonly HostSection[],
  fileSize: number,
  linked: ReadonlySet<number>,
  before: readonly FormatError[],
): HostFatbins {
  const fatbins = new Map<number, HostFatbin>();
  const faults: FormatError[] = [...before];
  let left = fileSize;
  for (const section of sections) {
    if (!isFatbinSection(section.name)) continue;
    left -= section.data.length;
    if (left < 0) {
      faults.push({ code: "limit", offset: section.offset, what: `sections named ${section.name} overlap` });
      break;
    }
    const { items, fault } = readFatbins(section.data, section.offset);
    for (const fatbin of items)
      fatbins.set(fatbin.offset, { ...fatbin, section: section.name, isDeviceLinked: linked.has(fatbin.offset) });
    if (fault !== undefined) faults.push(fault);
  }
  return { fatbins: [...fatbins.values()].sort((a, b) => a.offset - b.offset), faults };
}

const NONE: ReadonlySet<number> = new Set();

/** For each wrapper of version 2: its offset in the section, and its address. */
function linkedWrappers(data: Uint8Array): readonly { readonly at: number; readonly address: bigint }[] {
  const wrappers = decoding(() => readWrappers(data));
  if (!wrappers.ok) return [];
  return wrappers.value.flatMap(({ version, address }, i) =>
    version === 2 ? [{ at: i * WRAPPER_SIZE, address }] : [],
  );
}

function deviceLinkedOffsets(file: ElfFile): ReadonlySet<number> {
  const section = sectionNamed(file, WRAPPERS);
  const home = sectionNamed(file, ".nv_fatbin");
  if (section === undefined || home === undefined) return NONE;
  const wrappers = linkedWrappers(section.data);
  if (wrappers.length === 0) return NONE;
  const addends = relocatedAddends(file, section.index);
  return new Set(
    wrappers.map(({ at, address }) => home.offset + (addends.get(at + ADDRESS_AT) ?? Number(address - home.address))),
  );
}

/** In a relocatable object: the addend of each pointer to `target`, by its offset in the section. */
function relocatedAddends(file: ElfFile, target: number): ReadonlyMap<number, number> {
  const addends = new Map<number, number>();
  const section = file.sections.find(({ info, name }) => info === target && name === `.rela${WRAPPERS}`);
  const table = section === undefined ? undefined : relocationsOf(file, section);
  if (table?.ok !== true) return addends;
  for (let i = 0; i < table.value.count; i++) {
    const { offset, addend } = table.value.at(i);
    addends.set(offset, addend);
  }
  return addends;
}

function peLinkedOffsets(file: PeFile): ReadonlySet<number> {
  // Wrappers of 32-bit programs have other sizes, and CUDA no longer makes them.
  if (!file.isWide) return NONE;
  const section = file.sections.find(({ name }) => name === WRAPPERS || name === CUT_WRAPPERS);
  const wrappers = section === undefined ? [] : linkedWrappers(section.data);
  if (wrappers.length === 0) return NONE;
  return new Set(file.kind === "object" ? objectOffsets(file, section!, wrappers) : imageOffsets(file, wrappers));
}

/** The targets of pointers in an object: the symbol of the relocation plus the addend stored in place. */
function objectOffsets(
  file: PeFile,
  section: PeSection,
  wrappers: ReturnType<typeof linkedWrappers>,
): readonly number[] {
  const symbols = new Map(coffRelocations(file, section).map(({ offset, symbol }) => [offset, symbol]));
  return wrappers.flatMap(({ at, address }) => {
    const symbol = symbols.get(at + ADDRESS_AT);
    const target = symbol === undefined ? undefined : coffSymbolOffset(file, symbol);
    return target === undefined ? [] : [target + Number(address)];
  });
}

function imageOffsets({ sections, imageBase }: PeFile, wrappers: ReturnType<typeof linkedWrappers>): readonly number[] {
  return wrappers.flatMap(({ address }) => {
    const relative = Number(address - imageBase);
    return sections.flatMap(({ virtualAddress, data, offset }) =>
      relative >= virtualAddress && relative < virtualAddress + data.length ? [offset + relative - virtualAddress] : [],
    );
  });
}

/** Pointers in Mach-O are addresses, also in objects. Chained fixups, which dyld unpacks, are not supported. */
function machLinkedOffsets({ slices }: MachOFile): ReadonlySet<number> {
  return new Set(
    slices.flatMap(({ sections }) =>
      sections
        .filter(({ name }) => name === MACH_WRAPPERS)
        .flatMap(({ data }) => linkedWrappers(data))
        .flatMap(({ address: pointer }) =>
          sections.flatMap(({ address, data, offset }) =>
            pointer >= address && pointer < address + BigInt(data.length) ? [offset + Number(pointer - address)] : [],
          ),
        ),
    ),
  );
}
