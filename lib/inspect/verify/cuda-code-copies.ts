// Compares the second copy (.nv.merc.*, sm_100 and later) of code and debug data with the original: relocations record for
// record, with other types and offsets, and the sizes of data sections that both have. Observed in 3,400 files of ptxas, nvlink
// and nvcc 13.0.88: objects, images and output of nvlink -r, with -g, -G and -lineinfo.

import { ET, sectionNamed, STT, symbolsOf, type ElfSection } from "../../../formats/elf/index.js";
import { MERC_TYPES } from "./relocation-shapes.table.js";
import { recordsOf, type Records } from "./cuda-relocations.js";
import { isFromKnownToolkit } from "./cuda-sections.js";
import { isUnlinked } from "./cuda-symbols.js";
import { named } from "./elf.js";
import { textSymbol } from "./symtab.js";
import type { Report, Rule, Subject } from "./rule.js";

const [FIRST_MERC] = MERC_TYPES;
const COPY = ".nv.merc";
const MERC_RELA = ".nv.merc.rela";

/** The copy's relocation types in code and debug data, and the types in the original that correspond to each. */
const TYPES: ReadonlyMap<number, readonly number[]> = new Map(
  (
    [
      [1, [4]],
      [2, [2, 75, 114]],
      [3, [1, 55, 115]],
      [4, [59, 66]],
      [5, [56, 62]],
      [6, [57, 63]],
      [8, [1]],
      [14, [73]],
      [40, [56]],
      [41, [57]],
      [61, [2]],
      [62, [62, 112]],
      [63, [63, 113]],
    ] as const
  ).map(([copy, own]) => [FIRST_MERC + copy, own]),
);

/** Prefix of symbols for reserved shared memory, to which only the copy refers. */
const OF_SYSTEM = ".nv.reservedSmem.";

interface Relocation {
  readonly at: number;
  readonly type: number;
  readonly offset: number;
  readonly addend: number;
  readonly symbol: string;
  readonly isCode: boolean;
}

const relocationsOf = ({ section, table, symbols }: Records): readonly Relocation[] =>
  Array.from({ length: table.count }, (_, i) => {
    const { type, offset, addend, symbol } = table.at(i);
    const at = section.offset + i * section.entsize;
    return { at, type, offset, addend, symbol: symbols.name(symbol), isCode: symbols.type(symbol) === STT.FUNC };
  }).filter(({ symbol }) => !symbol.startsWith(OF_SYSTEM));

interface Sameness {
  /** Whether offsets are equal, too. */
  readonly places: boolean;
  /** Which addends relative to functions must agree: all; only whether they are 0; or none. */
  readonly addends: "all" | "zero" | "none";
}

function isAddendSame(copy: Relocation, own: Relocation, addends: Sameness["addends"]): boolean {
  if (!copy.isCode || addends === "all") return copy.addend === own.addend;
  return addends === "none" || (copy.addend === 0) === (own.addend === 0);
}

/** Whether a record of the copy corresponds to a record of the original. */
const isSame = (copy: Relocation, own: Relocation, { places, addends }: Sameness): boolean =>
  copy.symbol === own.symbol &&
  TYPES.get(copy.type)?.includes(own.type) === true &&
  isAddendSame(copy, own, addends) &&
  (!places || copy.offset === own.offset);

function checkSame(copy: Records, own: readonly Relocation[], sameness: Sameness, report: Report): number {
  const { section } = copy;
  const mine = relocationsOf(copy);
  if (mine.length !== own.length)
    report(section.headerOffset, `${named(section)} has ${mine.length} records; the original has ${own.length}`);
  else
    for (const [i, record] of mine.entries())
      if (!isSame(record, own[i]!, sameness))
        report(record.at, `${named(section)} has a record of ${record.symbol} without a counterpart in the original`);
  return mine.length;
}

/** Records of code by the symbol of the function, which both copies name; records of debug data by section name. */
function ownRecords(subject: Subject, all: readonly Records[]): ReadonlyMap<number | string, readonly Relocation[]> {
  const records = new Map<number | string, Relocation[]>();
  for (const each of all) {
    const [, name] = /^\.rela?(\.text\.|\.debug_.*|\.nv_debug_.*)/.exec(each.section.name) ?? [];
    if (name === undefined) continue;
    const key = name === ".text." ? textSymbol(subject, each.target) : name;
    const known = records.get(key) ?? [];
    for (const record of relocationsOf(each)) known.push(record);
    records.set(key, known);
  }
  return records;
}

/** Debug data whose copy has the same relocations. In images some relocations are applied in one copy only. */
const DEBUG: readonly (Sameness & { readonly name: string; readonly inImages: boolean })[] = [
  { name: ".debug_frame", places: false, addends: "all", inImages: true },
  { name: ".debug_info", places: true, addends: "none", inImages: false },
  { name: ".debug_pubnames", places: true, addends: "all", inImages: false },
  { name: ".debug_pubtypes", places: true, addends: "all", inImages: false },
];
const OF_CODE: Sameness = { places: false, addends: "zero" };

/** Line tables, whose copy has the functions in another order. */
const LINES: readonly string[] = [".nv_debug_line_sass"];

/** Checks that the copy's records name the same symbols as the original's. */
function checkSymbols(copy: Records, own: readonly Relocation[], report: Report): number {
  const left = new Map<string, number>();
  for (const { symbol } of own) left.set(symbol, (left.get(symbol) ?? 0) + 1);
  const mine = relocationsOf(copy);
  for (const { at, symbol } of mine) {
    const times = left.get(symbol) ?? 0;
    left.set(symbol, times - 1);
    if (times <= 0) report(at, `${named(copy.section)} refers to ${symbol} more often than the original`);
  }
  return mine.length;
}

/** Sections whose copy has the same size: prefixes of their names and of the copy's names. */
const EQUALLY_LARGE: readonly (readonly [own: string, copy: string])[] = [
  [".nv.global.init", `${COPY}.nv.global.init`],
  [".nv.constant3", `${COPY}.nv.constant.user`],
  [".nv.constant4", `${COPY}.nv.constant.pic`],
  [".nv.constant2.", `${COPY}.nv.constant.optimizer.`],
  ...[".debug_abbrev", ".debug_info", ".debug_loc", ".debug_pubnames", ".debug_pubtypes", ".debug_str"].map(
    (name) => [name, COPY + name] as const,
  ),
  ...[".nv_debug_info_reg_sass", ".nv_debug_info_reg_type", ".nv_debug_ptx_txt."].map(
    (name) => [name, COPY + name] as const,
  ),
];

function ownName(copy: string): string | undefined {
  const row = EQUALLY_LARGE.find(([own, name]) => copy === name || (own.endsWith(".") && copy.startsWith(name)));
  return row === undefined ? undefined : row[0] + copy.slice(row[1].length);
}

export const cudaCodeCopyRules: readonly Rule[] = [
  {
    name: "code-copy",
    about:
      "the second copy of code and debug data has the relocations of the original: the same symbols in the same order",
    check(subject, report) {
      const { file } = subject;
      const isImage = file.header.type === ET.EXEC;
      const symbols = sectionNamed(file, ".nv.merc.symtab");
      // Whole-program and extensible output of ptxas is skipped: it has applied relocations in the code that remain in the copy.
      if (symbols === undefined || !symbolsOf(file, symbols).ok || !isFromKnownToolkit(subject)) return 0;
      if (file.header.type !== ET.REL && (!isImage || isUnlinked(subject))) return 0;
      const all = recordsOf(subject);
      const own = ownRecords(subject, all);
      let count = 0;
      for (const records of all) {
        const { name } = records.section;
        const rest = name.startsWith(MERC_RELA) ? name.slice(MERC_RELA.length) : "";
        if (rest.startsWith(".text."))
          count += checkSame(records, own.get(textSymbol(subject, records.target)) ?? [], OF_CODE, report);
        if (LINES.includes(rest)) count += checkSymbols(records, own.get(rest) ?? [], report);
        const debug = DEBUG.find((row) => rest === row.name && (row.inImages || !isImage));
        if (debug !== undefined) count += checkSame(records, own.get(rest) ?? [], debug, report);
      }
      return count;
    },
  },
  {
    name: "copy-size",
    about: "the second copy of data and of debug tables has the size of the original",
    check(subject, report) {
      if (!isFromKnownToolkit(subject)) return 0;
      const own = new Map<string, ElfSection>(subject.file.sections.map((section) => [section.name, section]));
      let count = 0;
      for (const section of subject.file.sections) {
        const name = ownName(section.name);
        if (name === undefined) continue;
        count++;
        const size = own.get(name)?.size;
        if (size !== section.size)
          report(
            section.headerOffset + 32,
            `${named(section)} has ${section.size} bytes; ${name} has ${size ?? "none"}`,
          );
      }
      return count;
    },
  },
];
