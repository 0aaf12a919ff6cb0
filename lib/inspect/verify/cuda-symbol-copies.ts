// Compares the symbols of the second copy (.nv.merc.symtab, sm_100 and later) with those of .symtab. They correspond one to one;
// only the section symbols of parameters, the last of .symtab, have no copy. Observed in 3,400 files of ptxas, nvlink and nvcc
// 13.0.88: objects, images and output of nvlink -r.

import {
  ET,
  sectionNamed,
  STB,
  STT,
  symbolsOf,
  type ElfFile,
  type ElfSymbol,
  type SymbolTable,
} from "../../../formats/elf/index.js";
import { isUnlinked } from "./cuda-symbols.js";
import { isFromKnownToolkit } from "./cuda-sections.js";
import { symbolAt, symtab } from "./symtab.js";
import type { Report, Rule, Subject } from "./rule.js";

const PARAMETERS = ".nv.constant0.";
const SHARED = /^\.nv\.shared\.|^\.nv_debug\.shared$/;
const RESERVED = ".nv.shared.reserved.";

/** Prefixes of section names whose copies are not named `.nv.merc` and the name. */
const COPIES: readonly (readonly [beginning: string, copy: string])[] = [
  [".text.", ".nv.capmerc.text."],
  [".nv.uft.rel.", ".nv.capmerc.nv.uft.rel."],
  [PARAMETERS, ".nv.merc.nv.constant.entry_image_header_indices."],
  [".nv.constant2.", ".nv.merc.nv.constant.optimizer."],
  [".nv.constant3", ".nv.merc.nv.constant.user"],
  [".nv.constant4", ".nv.merc.nv.constant.pic"],
];

/** The name of a copied symbol's section: the section's copy, or the section itself if it has none. */
function copyOf(name: string, sectionNames: ReadonlySet<string>): string {
  const row = COPIES.find(([beginning]) => name.startsWith(beginning));
  const copy = row === undefined ? `.nv.merc${name}` : row[1] + name.slice(row[0].length);
  return sectionNames.has(copy) ? copy : name;
}

/** Bits of st_other that hold the state space of a variable; in images only the copy's symbols have them. */
const SPACE = 0xe0;
/** The state space of a section's variables, by the prefix of its name. */
const SPACES: readonly (readonly [beginning: string, space: number])[] = [
  [RESERVED, 0xa0],
  [".nv.global", 0x20],
  [".nv.constant", 0x80],
  [".nv", 0x40],
];
const spaceOf = (section: string): number => SPACES.find(([beginning]) => section.startsWith(beginning))?.[1] ?? 0;

/** Differences of addresses in bytes: of shared variables in images, and of the tools' symbols for reserved memory. */
const [SYSTEM_BYTES, ALIGNED_SYSTEM] = [1024, 64];

interface Pair {
  readonly own: ElfSymbol;
  readonly copy: ElfSymbol;
  /** The section's name; "" if `own` has none. */
  readonly section: string;
  readonly isImage: boolean;
}

function isTypeRight({ own, copy, section, isImage }: Pair): boolean {
  const isVariable = isImage && own.type === STT.OBJECT && section !== "";
  return (
    copy.binding === own.binding &&
    copy.type === (isVariable ? STT.CUDA_OBJECT : own.type) &&
    (isVariable
      ? (copy.other & ~SPACE) === own.other && (copy.other & SPACE) === spaceOf(section)
      : copy.other === own.other)
  );
}

function isValueRight({ own, copy, section, isImage }: Pair): boolean {
  if (own.type === STT.FUNC && section !== "") return copy.value % 16 === 0;
  const further = own.value - copy.value;
  const isSystem = section === "" || section.startsWith(RESERVED);
  if (isSystem && own.name.includes("reserved")) return [0, ALIGNED_SYSTEM, SYSTEM_BYTES].includes(further);
  return further === (isImage && own.type === STT.OBJECT && SHARED.test(section) ? SYSTEM_BYTES : 0);
}

const isSizeRight = ({ own, copy, section }: Pair): boolean =>
  own.type === STT.FUNC && section !== "" ? copy.size % 16 === 0 : copy.size === own.size;

/** The fault of a copied symbol, and its byte offset in the record. */
function faultOf(
  file: ElfFile,
  pair: Pair,
  isThere: ReadonlySet<string>,
): readonly [at: number, what: string] | undefined {
  const { own, copy, section } = pair;
  const where = file.sections[copy.sectionIndex]?.name ?? "";
  if (copy.special !== own.special || (section === "" ? copy.sectionIndex !== 0 : where !== copyOf(section, isThere)))
    return [6, `is in ${where === "" ? "no section" : where}`];
  // A section symbol has the name of its own section.
  if (own.type !== STT.SECTION && copy.name !== own.name) return [0, `is named ${copy.name}`];
  if (!isTypeRight(pair)) return [4, `has type ${copy.type}, binding ${copy.binding} and st_other ${copy.other}`];
  if (!isValueRight(pair)) return [8, `has the value ${copy.value}, not ${own.value}`];
  return isSizeRight(pair) ? undefined : [16, `has ${copy.size} bytes, not ${own.size}`];
}

function checkCopies({ file }: Subject, own: SymbolTable, copies: SymbolTable, report: Report): void {
  const isThere: ReadonlySet<string> = new Set(file.sections.map(({ name }) => name));
  const isImage = file.header.type === ET.EXEC;
  for (let i = 1; i < Math.min(own.count, copies.count); i++) {
    const symbol = own.at(i);
    const section = symbol.sectionIndex === 0 ? "" : (file.sections[symbol.sectionIndex]?.name ?? "");
    const fault = faultOf(file, { own: symbol, copy: copies.at(i), section, isImage }, isThere);
    if (fault !== undefined)
      report(symbolAt(copies, i) + fault[0], `symbol ${i} (${symbol.name}) ${fault[1]} in the second copy`);
  }
}

export const cudaSymbolCopyRules: readonly Rule[] = [
  {
    name: "symbol-copy",
    about: "the second copy has the symbols of .symtab in its own sections, except section symbols of parameters",
    check(subject, report) {
      const { file } = subject;
      const section = sectionNamed(file, ".nv.merc.symtab");
      const own = symtab(file);
      if (section === undefined || own === undefined || !isFromKnownToolkit(subject)) return 0;
      const read = symbolsOf(file, section);
      if (!read.ok) {
        report(read.error.offset, read.error.what);
        return 0;
      }
      const copies = read.value;
      checkCopies(subject, own, copies, report);
      const isOfParameters = (i: number): boolean =>
        own.type(i) === STT.SECTION && file.sections[own.sectionIndex(i)]?.name.startsWith(PARAMETERS) === true;
      let end = own.count;
      while (end > copies.count && isOfParameters(end - 1)) end--;
      if (end !== copies.count)
        report(section.headerOffset + 32, `${section.name} has ${copies.count} symbols; .symtab has ${own.count}`);
      let lastLocal = 0;
      for (let i = 1; i < copies.count; i++) if (copies.binding(i) === STB.LOCAL) lastLocal = i;
      const isJoined = file.header.type === ET.REL && !isUnlinked(subject);
      if (section.info !== lastLocal + 1 && !isJoined)
        report(
          section.headerOffset + 44,
          `sh_info ${section.info} of ${section.name} is not one past the last LOCAL symbol, ${lastLocal}`,
        );
      return copies.count;
    },
  },
];
