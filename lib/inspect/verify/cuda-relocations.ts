// Rules of the relocations of cubins: their types, symbols and addends (relocation-shapes.table.ts). Other rules check offsets
// and widths; ptxkit's relocations are compared with the code and the declarations.

import {
  ET,
  relocationKind,
  relocationsOf,
  SHN,
  SHT_CUDA,
  STT,
  symbolsOf,
  type ElfSection,
  type RelocationTable,
  type SymbolTable,
} from "../../../formats/elf/index.js";
import { areApplied, relocatedIn, type Relocated } from "../context/applied.js";
import {
  COPIED_DATA,
  COPIED_TYPES,
  MERC_TYPES,
  PART_OF_KERNEL,
  relocationPlaces,
  type RelocationPlaces,
  type RelocationShape,
  type SymbolRole,
} from "./relocation-shapes.table.js";
import { isFromKnownToolkit } from "./cuda-sections.js";
import { named } from "./elf.js";
import { isOldGeneration, textSymbol } from "./symtab.js";
import type { Report, Rule, Subject } from "./rule.js";

const [FIRST_MERC, END_MERC] = MERC_TYPES;
const TYPE_FIELD = 8;
const SYMBOL_FIELD = 12;
const ADDEND_FIELD = 16;
const INSTRUCTION_BYTES = 16;
/** The first target whose relocations all have a record with addend. */
const FIRST_WITHOUT_REL = 90;
/** The first target whose instructions have 16 bytes. */
const FIRST_WIDE = 70;
const [IS_ENTRY, IS_GLOBAL, IS_SHARED, IS_CONST] = [0x10, 0x20, 0x40, 0x80];

const OPAQUE: ReadonlyMap<number, SymbolRole> = new Map([
  [STT.CUDA_TEXTURE, "texture"],
  [STT.CUDA_SAMPLER, "sampler"],
  [STT.CUDA_SURFACE, "surface"],
]);

const SHARED: readonly string[] = [".nv.shared.", ".nv_debug.shared", ".nv.merc.nv.shared."];
const CONSTANT: readonly string[] = [".nv.constant", ".nv.merc.nv.constant"];

/** The role of a symbol, from its type, its section and the state space in st_other. */
function roleOf({ sections }: Subject["file"], table: SymbolTable, index: number): SymbolRole {
  if (index === 0) return "none";
  const [type, other] = [table.type(index), table.other(index)];
  if (type === STT.SECTION) return "section";
  if (type === STT.FUNC) return (other & IS_ENTRY) === 0 ? "function" : "kernel";
  const opaque = OPAQUE.get(type);
  if (opaque !== undefined) return opaque;
  const section = sections[table.sectionIndex(index)];
  if (section === undefined || section.index === 0) {
    if (table.special(index) === SHN.COMMON || (other & IS_GLOBAL) !== 0) return "global";
    if ((other & IS_SHARED) !== 0) return "shared";
    return (other & IS_CONST) === 0 ? "system" : "const";
  }
  const isOneOf = (beginnings: readonly string[]): boolean =>
    beginnings.some((beginning) => section.name.startsWith(beginning));
  if (isOneOf(CONSTANT)) return "const";
  return isOneOf(SHARED) ? "shared" : "global";
}

export interface Records {
  readonly section: ElfSection;
  readonly target: ElfSection;
  /**
   * The sections that the records may relocate, including `target`. For the second copy of code, sizes are those before packing.
   */
  readonly relocated: Relocated;
  readonly table: RelocationTable;
  readonly symbols: SymbolTable;
}

/** The relocation tables with their sections and symbols; unreadable ones are omitted. */
export function recordsOf(subject: Subject): readonly Records[] {
  const { file } = subject;
  const tables = new Map<number, SymbolTable | undefined>();
  const symbolsIn = (index: number): SymbolTable | undefined => {
    const linked = file.sections[index];
    if (!tables.has(index) && linked !== undefined) {
      const read = symbolsOf(file, linked);
      tables.set(index, read.ok ? read.value : undefined);
    }
    return tables.get(index);
  };
  const relocated = relocatedIn(file, (section) =>
    section.type === SHT_CUDA.CAPMERC
      ? (symbolsIn(section.link)?.size(textSymbol(subject, section)) ?? 0)
      : section.size,
  );
  return file.sections.flatMap((section) => {
    const target = file.sections[section.info];
    if (relocationKind(file.header.machine, section.type) === undefined || target === undefined) return [];
    const table = relocationsOf(file, section);
    const symbols = symbolsIn(section.link);
    if (!table.ok || symbols === undefined) return [];
    return [{ section, target, relocated: relocated(section, target), table: table.value, symbols }];
  });
}

const isCopy = ({ name }: ElfSection): boolean => name.startsWith(".nv.merc.");

/** The size of the symbol's section or of the symbol, which limits an addend. */
function bytesOf({ file }: Subject, symbols: SymbolTable, index: number): number {
  return symbols.type(index) === STT.SECTION
    ? (file.sections[symbols.sectionIndex(index)]?.size ?? 0)
    : symbols.size(index);
}

function isAddendRight(
  subject: Subject,
  { target, symbols }: Records,
  { addend: rule }: RelocationShape,
  [symbol, addend]: readonly [number, number],
): boolean {
  if (rule === "own-instruction" && symbol !== textSymbol(subject, target)) return false;
  if (rule === "any" || addend === 0) return true;
  if (rule === "zero" || addend < 0) return false;
  const bytes = bytesOf(subject, symbols, symbol);
  // The size of a function in another module is unknown.
  if (symbols.sectionIndex(symbol) === 0) return true;
  if (rule === "inside") return addend <= bytes;
  return symbols.type(symbol) === STT.FUNC && addend < bytes && addend % INSTRUCTION_BYTES === 0;
}

/** Checks one record against the rows for its section. */
function checkRecord(subject: Subject, places: RelocationPlaces, records: Records, i: number, report: Report): void {
  const { file, cuda } = subject;
  const { section, relocated, table, symbols } = records;
  const { offset, type, symbol, addend } = table.at(i);
  const at = section.offset + i * section.entsize;
  const what = `${named(section)}, record ${i}: `;
  const sm = cuda?.sm ?? 0;
  const role = roleOf(file, symbols, symbol);
  const ofType = places.rows.filter(({ types }) => types.includes(type));
  const row = ofType.find((candidate) => candidate.symbols.includes(role));
  const hasTarget = (candidate: RelocationShape): boolean => sm >= candidate.since && sm < candidate.until;
  // Code of the older generation has relocation types that are not in the table.
  if (ofType.length === 0 && isOldGeneration(subject)) return;
  if (relocated.mayBeLeftOver) {
    if (!places.rows.some(({ symbols: roles }) => roles.includes(role)))
      report(
        at + SYMBOL_FIELD,
        `${what}no relocation type is valid for ${symbols.name(symbol)}, symbol ${symbol} (${role})`,
      );
    return;
  }
  if (!ofType.some(hasTarget)) report(at + TYPE_FIELD, `${what}type ${type} is not valid in this section for sm_${sm}`);
  else if (row === undefined)
    report(
      at + SYMBOL_FIELD,
      `${what}type ${type} is not valid for ${symbols.name(symbol)}, symbol ${symbol} (${role})`,
    );
  else if (file.header.type === ET.EXEC && !row.inImages && !areApplied(section))
    report(at + TYPE_FIELD, `${what}type ${type} is not valid in images`);
  else if (!isAddendRight(subject, records, row, [symbol, addend]))
    report(at + ADDEND_FIELD, `${what}the addend ${addend} is not an offset in ${symbols.name(symbol)}`);
  const step = row?.step ?? places.step;
  const behind = row?.behind ?? (places.isPacked === true ? offset % step : 0);
  if (offset % step !== behind && sm >= FIRST_WIDE)
    report(at, `${what}the offset ${table.offset64(i)} modulo ${step} is not ${behind}`);
  if (places.isPacked === true && offset >= relocated.size)
    report(at, `${what}the offset ${table.offset64(i)} is past the end of the function`);
  const isSplit = places.splits && sm < FIRST_WITHOUT_REL && !areApplied(section);
  if (isSplit && table.kind === "rela" && addend === 0)
    report(at + ADDEND_FIELD, `${what}a relocation with the addend 0 must be in a REL section`);
}

/** Types that write the low half of an address; the type of the high half is the next number. */
const LOW_HALVES: ReadonlySet<number> = new Set([56, 62, 112, FIRST_MERC + 5, FIRST_MERC + 40, FIRST_MERC + 62]);
/** Types of texture and sampler references, which may write at one offset: a texture and its sampler share one number. */
const SHARING: ReadonlySet<number> = new Set([6, 7, 101]);

/**
 * Checks that the halves of an address occur in pairs, and that no offset has more records than there are sections to relocate.
 */
function checkPairs(
  { section, table, relocated }: Records,
  places: RelocationPlaces | undefined,
  report: Report,
): void {
  const halves = new Map<string, { balance: number; readonly at: number }>();
  const seen = new Map<number, number>();
  for (let i = 0; i < table.count; i++) {
    const { type, offset, symbol, addend } = table.at(i);
    const at = section.offset + i * section.entsize;
    const times = (seen.get(offset) ?? 0) + 1;
    if (!relocated.mayBeLeftOver && times > relocated.count && !SHARING.has(type))
      report(at, `${named(section)}, record ${i}: another record relocates the offset ${table.offset64(i)}`);
    seen.set(offset, times);
    const low = LOW_HALVES.has(type) ? type : LOW_HALVES.has(type - 1) ? type - 1 : undefined;
    if (low === undefined || places?.hasHalves !== true) continue;
    const key = `${low} ${symbol} ${addend}`;
    const half = halves.get(key) ?? { balance: 0, at };
    half.balance += low === type ? 1 : -1;
    halves.set(key, half);
  }
  for (const { balance, at } of halves.values())
    if (balance !== 0)
      report(at, `${named(section)} has ${Math.abs(balance)} low or high halves of an address without the other half`);
}

/** The content of a record, as a key for comparing tables. */
const recordText = (type: number, { offset, addend }: { offset: number; addend: number }, name: string): string =>
  `${offset} ${type} ${addend} ${name}`;

/** Compares the records of the second copy of data with those of the data. */
function checkCopies(copies: readonly Records[], own: readonly Records[], report: Report): void {
  const known = new Map<string, number>();
  for (const { table, symbols } of own)
    for (let i = 0; i < table.count; i++) {
      const record = table.at(i);
      const text = recordText(record.type, record, symbols.name(record.symbol));
      known.set(text, (known.get(text) ?? 0) + 1);
    }
  for (const { section, target, table, symbols } of copies)
    for (let i = 0; i < table.count; i++) {
      const record = table.at(i);
      if (record.type === PART_OF_KERNEL && symbols.type(record.symbol) === STT.FUNC) continue;
      const type = COPIED_TYPES.get(record.type);
      const text = type === undefined ? "" : recordText(type, record, symbols.name(record.symbol));
      const left = known.get(text) ?? 0;
      known.set(text, left - 1);
      if (left <= 0)
        report(
          section.offset + i * section.entsize,
          `${named(section)}, record ${i} of ${target.name} has no counterpart in ${COPIED_DATA.get(target.name)}`,
        );
    }
  const missing = [...known.values()].filter((left) => left > 0).length;
  const [first] = copies;
  if (missing > 0 && first !== undefined)
    report(first.section.headerOffset, `${named(first.section)} lacks ${missing} relocations of the data`);
}

export const cudaRelocationRules: readonly Rule[] = [
  {
    name: "relocation-type",
    about: "relocations have a type that is valid for their section, symbol and target, and a valid addend",
    check(subject, report) {
      if (!isOldGeneration(subject) && !isFromKnownToolkit(subject)) return 0;
      let count = 0;
      for (const records of recordsOf(subject)) {
        const { section, target, table } = records;
        count += table.count;
        const places = relocationPlaces(target.name);
        checkPairs(records, places, report);
        for (let i = 0; i < table.count; i++) {
          if (places !== undefined) checkRecord(subject, places, records, i, report);
          const type = table.type(i);
          if (isCopy(section) && (type < FIRST_MERC || type >= END_MERC))
            report(
              section.offset + i * section.entsize + TYPE_FIELD,
              `${named(section)}, record ${i}: type ${type} is not valid in a second copy`,
            );
        }
      }
      return count;
    },
  },
  {
    name: "relocation-copy",
    about: "the second copy of data has the relocations of the data",
    check(subject, report) {
      if (!isFromKnownToolkit(subject)) return 0;
      const all = recordsOf(subject);
      for (const [copy, own] of COPIED_DATA)
        checkCopies(
          all.filter(({ target }) => target.name === copy),
          all.filter(({ target }) => target.name === own),
          report,
        );
      return all.length;
    },
  },
];
