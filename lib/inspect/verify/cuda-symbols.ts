// Rules of the symbols of cubins: names, st_other, and how variables and kernels fill their sections. Observed in 8,300 files of
// ptxas, nvlink and nvcc 13.0.88 for sm_75 to sm_121 (section-shapes.table.ts describes them).

import { readToolkitInfo } from "../../../formats/cuda/index.js";
import {
  ET,
  notesOf,
  sectionNamed,
  SHN,
  STB,
  STT,
  SYMBOL_SIZE,
  symbolsOf,
  type ElfSection,
  type SymbolTable,
} from "../../../formats/elf/index.js";
import { named } from "./elf.js";
import { isOldGeneration, symtab, symbolAt, textSymbol } from "./symtab.js";
import type { Report, Rule, Subject } from "./rule.js";

const OTHER_FIELD = 5;
const VALUE_FIELD = 8;
const SIZE_FIELD = 16;
const IS_ENTRY = 0x10;
/** Characters of PTX identifiers and of the tools' names. */
const NAME = /^[\w$.%]+$/;

/** Allowed values of st_other, by the prefix of the symbol's section, in objects and in images. */
const OTHERS: readonly (readonly [section: string, object: readonly number[], image: readonly number[]])[] = [
  [".nv.shared.reserved.", [0, 0xa0], [0, 0xa0]],
  [".nv.global", [0x20, 0x24, 0x30], [0, 0x04, 0x10]],
  [".nv.udt", [0x30], []],
  [".nv.constant0.", [0x81], [0x01]],
  [".nv.constant2.", [0x81], [0x01]],
  [".nv.constant4", [0x81], [0x01]],
  [".nv.constant3", [0x80], [0]],
  [".nv.shared.", [0x40], [0, 0x01]],
  [".nv_debug.shared", [0x40, 0x41], [0, 0x01]],
  [".nv.local.", [], [0, 0x01]],
];
/** st_other of variables without a section: of other modules, common ones, and the system's. */
const OTHERS_WITHOUT_PLACE: ReadonlySet<number> = new Set([0, 0x01, 0x20, 0x24, 0x30, 0x40, 0x41, 0x80]);
const OTHERS_OF_COMMON: ReadonlySet<number> = new Set([0x20, 0x24, 0x30]);
/** st_other of functions and kernels. */
const OTHERS_OF_CODE: ReadonlySet<number> = new Set([0, IS_ENTRY]);
const IS_UNIFIED = 0x04;

function isOtherRight({ file }: Subject, hasUnified: boolean, table: SymbolTable, i: number): boolean {
  const { type, other, sectionIndex, special } = table.at(i);
  if (type === STT.FUNC) return OTHERS_OF_CODE.has(other) || (other === IS_UNIFIED && hasUnified);
  // Memory that the system reserves, without a type.
  if (type === STT.NOTYPE) return [0, 0x01, 0xa0].includes(other);
  if (type !== STT.OBJECT && type !== STT.CUDA_OBJECT) return other === 0;
  if (special === SHN.COMMON) return OTHERS_OF_COMMON.has(other);
  if (sectionIndex === 0) return OTHERS_WITHOUT_PLACE.has(other);
  const name = file.sections[sectionIndex]?.name ?? "";
  const row = OTHERS.find(([beginning]) => name.startsWith(beginning));
  // Only STT.OBJECT symbols of images have an image's values; output of ptxas -ewp keeps those of an object.
  return row === undefined || row[file.header.type === ET.EXEC && type === STT.OBJECT ? 2 : 1].includes(other);
}

/** A symbol that nvlink -r writes for each kernel with dynamic shared memory. */
const DYNAMIC_SHARED = "externsharedinstance";

/** Whether a name starts at the beginning of a string in the table, as all names in NVIDIA's files do. */
function beginsString(strings: ElfSection | undefined, offset: number): boolean {
  return strings === undefined || offset === 0 || strings.data[offset - 1] === 0;
}

function checkNames({ file, bytes }: Subject, section: ElfSection, report: Report): number {
  const table = symbolsOf(file, section);
  if (!table.ok) return 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const strings = file.sections[section.link];
  const taken = new Set<string>();
  for (let i = 1; i < table.value.count; i++) {
    const at = section.offset + SYMBOL_SIZE * i;
    const type = table.value.type(i);
    if (!beginsString(strings, view.getUint32(at, true)))
      report(at, `the name of symbol ${i} begins inside another string`);
    const name = table.value.name(i);
    if (table.value.binding(i) !== STB.LOCAL) {
      if (taken.has(name) && name !== DYNAMIC_SHARED) report(at, `symbol ${i} (${name}) occurs twice`);
      taken.add(name);
    }
    const owner = file.sections[table.value.sectionIndex(i)];
    if (type === STT.SECTION && name !== owner?.name && !isCopied(owner, name))
      report(
        at,
        `symbol ${i} (${name}) does not have the name of its section, ${owner?.name ?? "which does not exist"}`,
      );
    if (name === "" ? type !== STT.NOTYPE : !NAME.test(name))
      report(at, `symbol ${i} has the name ${JSON.stringify(name.slice(0, 80))}`);
  }
  return table.value.count;
}

/** Whether `name` is the name of the section of which `section` is the second copy. */
const isCopied = (section: ElfSection | undefined, name: string): boolean =>
  section !== undefined && /^\.nv\.(cap)?merc\./.test(section.name) && name.startsWith(".");

/** Whether ptxas wrote the file from one module. The linker adds a note, and keeps the bytes of discarded variables. */
export function isUnlinked({ file }: Subject): boolean {
  const section = sectionNamed(file, ".note.nv.tkinfo");
  const notes = section === undefined ? undefined : notesOf(file, section);
  const [note, second] = notes?.ok === true ? notes.value : [];
  const info = note === undefined || second !== undefined ? undefined : readToolkitInfo(note);
  return info?.ok === true && info.value.tool === "ptxas";
}

const FILLED: readonly string[] = [".nv.global", ".nv.global.init", ".nv.constant3"];

/** Checks that variables of a section do not overlap; in output of ptxas the last one ends at the section's end. */
function checkVariables(subject: Subject, table: SymbolTable, section: ElfSection, report: Report): void {
  const places = [];
  for (let i = 1; i < table.count; i++) {
    const isVariable = table.type(i) === STT.OBJECT || table.type(i) === STT.CUDA_OBJECT;
    if (isVariable && table.sectionIndex(i) === section.index) places.push(table.at(i));
  }
  places.sort((a, b) => a.value - b.value || a.size - b.size);
  let end = 0;
  for (const { index, name, value, size } of places) {
    if (value < end && size > 0)
      report(
        symbolAt(table, index) + VALUE_FIELD,
        `${name} at ${table.value64(index)} overlaps the variable before it, which ends at ${end}`,
      );
    end = Math.max(end, value + size);
  }
  // sh_size of .nv.global is cut to 32 bits.
  if (isUnlinked(subject) && end !== section.size && end < 2 ** 32)
    report(section.headerOffset + 32, `${named(section)} has ${section.size} bytes, but its variables end at ${end}`);
}

/** Checks that kernels have parameters, and other functions have none. */
function checkKernels(subject: Subject, table: SymbolTable, report: Report): number {
  const { sections } = subject.file;
  const withParameters = new Set<number>();
  const names = new Set<string>();
  for (const { name, info } of sections)
    if (name.startsWith(".nv.constant0.")) {
      withParameters.add(info);
      names.add(name);
    }
  const texts = sections.filter(({ name }) => name.startsWith(".text."));
  for (const section of texts) {
    const i = textSymbol(subject, section);
    if (i >= table.count || table.type(i) !== STT.FUNC) continue;
    const isKernel = (table.other(i) & IS_ENTRY) !== 0;
    // nvlink keeps only one parameter section for static kernels of one name.
    if (isKernel ? !names.has(`.nv.constant0.${table.name(i)}`) : withParameters.has(section.index))
      report(
        symbolAt(table, i) + OTHER_FIELD,
        isKernel
          ? `the kernel ${table.name(i)} has no .nv.constant0`
          : `${table.name(i)} is not a kernel, but has .nv.constant0`,
      );
  }
  return texts.length;
}

export const cudaSymbolRules: readonly Rule[] = [
  {
    name: "symbol-name",
    about:
      "names are whole strings, valid in PTX, and unique unless LOCAL; a section symbol has the name of its section",
    check(subject, report) {
      const { file, ours, bytes } = subject;
      if (ours) return 0;
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const strings = file.sections[file.header.sectionNameTable];
      for (const section of file.sections.slice(1))
        if (!beginsString(strings, view.getUint32(section.headerOffset, true)))
          report(section.headerOffset, `the name of ${named(section)} begins inside another string`);
      return [".symtab", ".nv.merc.symtab"]
        .map((name) => sectionNamed(file, name))
        .filter((section) => section !== undefined)
        .reduce((count, section) => count + checkNames(subject, section, report), file.sections.length);
    },
  },
  {
    name: "symbol-other",
    about:
      "st_other matches the symbol's section or kind of function; kernels have a parameter section, other functions none",
    check(subject, report) {
      const table = symtab(subject.file);
      if (table === undefined || subject.ours) return 0;
      const hasUnified = sectionNamed(subject.file, ".nv.uft.entry") !== undefined;
      for (let i = 1; i < table.count; i++)
        if (!isOtherRight(subject, hasUnified, table, i))
          report(
            symbolAt(table, i) + OTHER_FIELD,
            `symbol ${i} (${table.name(i)}) has unexpected st_other 0x${table.other(i).toString(16)}`,
          );
      return table.count + checkKernels(subject, table, report);
    },
  },
  {
    name: "symbol-size",
    about: "variables fill their section without overlap; symbols without bytes in the file have size 0",
    check(subject, report) {
      const { file, ours } = subject;
      const table = symtab(file);
      if (table === undefined || ours) return 0;
      for (let i = 1; i < table.count; i++) {
        const type = table.type(i);
        const hasNone = type === STT.SECTION || (type === STT.FUNC && table.sectionIndex(i) === 0);
        if ((hasNone || (type >= STT.CUDA_TEXTURE && type <= STT.CUDA_SURFACE)) && table.size(i) !== 0)
          report(symbolAt(table, i) + SIZE_FIELD, `symbol ${i} (${table.name(i)}) has ${table.size(i)} bytes`);
      }
      if (!isOldGeneration(subject))
        for (const name of FILLED) {
          const section = sectionNamed(file, name);
          if (section !== undefined) checkVariables(subject, table, section, report);
        }
      return table.count;
    },
  },
];
