// Fatbins in host objects, libraries and programs, as nvcc puts them there: `.nv_fatbin` holds what is loaded, `__nv_relfatbin`
// what -rdc=true leaves for device linking (and stays in the program). The sections are walked, not the pointers to them: a
// relocatable object has none yet. The wrappers in `.nvFatBinSegment` say which fatbin device linking has made (version 2).
import { decoding } from "../bytes/malformed.js";
import type { FormatError } from "../bytes/result.js";
import type { ElfFile } from "../elf/index.js";
import { relocationsOf, sectionNamed } from "../elf/index.js";
import { readFatbins, type Fatbin } from "./fatbin.js";
import { readWrappers, WRAPPER_SIZE } from "./header.js";

/** The PE name of .nv_fatbin is cut to eight bytes; ELF files have these two. */
const SECTIONS = ["__nv_relfatbin", ".nv_fatbin"] as const;
const WRAPPERS = ".nvFatBinSegment";

export interface HostFatbin extends Fatbin {
  readonly section: string;
  /** What nvlink made of the other fatbins of the program. */
  readonly isDeviceLinked: boolean;
}

export interface HostFatbins {
  readonly fatbins: readonly HostFatbin[];
  readonly faults: readonly FormatError[];
}

/** Whether any section of the file may hold fatbins. */
export function holdsFatbins(file: ElfFile): boolean {
  return file.sections.some(({ name, data }) => isFatbinSection(name) && data.length > 0);
}

const isFatbinSection = (name: string): boolean => SECTIONS.some((known) => known === name);

/** Every fatbin, in the order of the file; a damaged section gives those before the fault. */
export function readHostFatbins(file: ElfFile): HostFatbins {
  const linked = deviceLinkedOffsets(file);
  const fatbins = new Map<number, HostFatbin>();
  const faults: FormatError[] = [];
  let left = file.bytes.length;
  for (const section of file.sections) {
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

/** File offsets of the fatbins that have a wrapper of version 2. */
function deviceLinkedOffsets(file: ElfFile): ReadonlySet<number> {
  const section = sectionNamed(file, WRAPPERS);
  const offsets = new Set<number>();
  if (section === undefined) return offsets;
  const wrappers = decoding(() => readWrappers(section.data));
  if (!wrappers.ok || wrappers.value.every(({ version }) => version !== 2)) return offsets;
  const home = sectionNamed(file, ".nv_fatbin");
  if (home === undefined) return offsets;
  const addends = relocatedAddends(file, section.index);
  wrappers.value.forEach(({ version, address }, i) => {
    if (version !== 2) return;
    const addend = addends.get(i * WRAPPER_SIZE + 8);
    offsets.add(home.offset + (addend ?? Number(address - home.address)));
  });
  return offsets;
}

/** In a relocatable object: by place in the section, how far into its target a pointer leads. */
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
