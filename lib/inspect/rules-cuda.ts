// Rules of cubins and of our files, which are alike: what holds in every file that ptxas and nvlink 13.0 write for sm_75 to
// sm_121, seen in their output (docs/format.md), and in the generation before as far as public tables say.

import {
  decodeInfo,
  infoAttribute,
  knownSection,
  parsePrototype,
  readCallGraph,
  readCudaInfo,
  readInfo,
  readPrototypes,
  relocationFacts,
  targetFacts,
  type InfoEntry,
} from "../../formats/cuda/index.js";
import {
  ET,
  notesOf,
  relocationKind,
  relocationsOf,
  sectionNamed,
  SHN,
  SHT_CUDA,
  STB,
  STT,
  symbolsOf,
  SYMBOL_SIZE,
  type ElfFile,
  type ElfSection,
  type SymbolTable,
} from "../../formats/elf/index.js";
import { linkedStrings } from "../../formats/elf/file.js";
import { decoding } from "../../formats/bytes/malformed.js";
import { cudaHeaderRules } from "./rules-cuda-header.js";
import { cudaTableRules } from "./rules-cuda-tables.js";
import { named } from "./rules-elf.js";
import type { Rule, Subject } from "./verify.js";

type Report = Parameters<Rule["check"]>[1];

/** The table and its section; undefined where it cannot be read, which other rules tell. */
function symtab(file: ElfFile): SymbolTable | undefined {
  const section = sectionNamed(file, ".symtab");
  const table = section === undefined ? undefined : symbolsOf(file, section);
  return table?.ok === true ? table.value : undefined;
}

const symbolAt = (table: SymbolTable, index: number): number => table.section.offset + SYMBOL_SIZE * index;

/** The symbol that a section of code names in sh_info. */
export function textSymbol({ cuda }: Subject, { info }: ElfSection): number {
  // Up to sm_89 its top byte is the number of registers; in the older generation always.
  return cuda === undefined ? info : info & 0xff_ffff;
}

const isText = ({ name }: ElfSection): boolean => knownSection(name)?.facts.role === "text";

/** sh_size of NVIDIA's .nv.global is cut to 32 bits, and what the system keeps of shared memory is counted otherwise. */
const mayBeCut = ({ name, type }: ElfSection): boolean => name === ".nv.global" || type === SHT_CUDA.SHARED_RESERVED;

function checkSymbolPlace(subject: Subject, table: SymbolTable, i: number, report: Report): void {
  const { file } = subject;
  const isObject = file.header.type === ET.REL;
  const { name, type, special, sectionIndex, value, size } = table.at(i);
  const at = symbolAt(table, i);
  const isPowerOfTwo = value > 0 && Number.isInteger(Math.log2(value));
  if (special === SHN.COMMON) {
    if (!isPowerOfTwo) report(at + 8, `${name}: the alignment of a common symbol is ${value}`);
    return;
  }
  const section = file.sections[sectionIndex];
  if (section === undefined || sectionIndex === 0 || type === STT.SECTION) return;
  if (type === STT.FUNC) {
    if (!isText(section)) report(at + 6, `${name} is a function in ${named(section)}`);
    if (value + size > section.size)
      report(at + 16, `${name}: ${size} bytes at ${value} of a section of ${section.size}`);
    return;
  }
  if (type !== STT.OBJECT && type !== STT.CUDA_OBJECT) return;
  if (isObject && section.type === SHT_CUDA.SHARED) {
    if (!isPowerOfTwo) report(at + 8, `${name}: the alignment of a shared variable of an object is ${value}`);
    return;
  }
  if (value + size > section.size && !(mayBeCut(section) && !subject.ours))
    report(at + 16, `${name}: ${size} bytes at ${value} of a section of ${section.size}`);
}

/** The bytes that a record of each shape has, where that is fixed. */
function checkInfo(subject: Subject, section: ElfSection, table: SymbolTable | undefined, report: Report): number {
  const records = readInfo(section.data, section.offset);
  if (!records.ok) {
    report(records.error.offset, records.error.what);
    return 0;
  }
  const entries = records.value.map((record) => ({ offset: record.offset, entry: decodeInfo(record) }));
  const count = table?.count ?? Infinity;
  for (const { offset, entry } of entries) {
    const { attribute, payload } = entry;
    const row = infoAttribute(attribute);
    if (row !== undefined && row.shape !== "bytes" && payload.kind === "bytes")
      report(offset, `${row.name}: ${payload.bytes.length} bytes in format ${entry.format} are not what it holds`);
    for (const symbol of symbolsIn(entry))
      if (symbol >= count) report(offset + 4, `${row?.name ?? attribute}: there is no symbol ${symbol}`);
  }
  checkParameters(subject, section, entries, table, report);
  return entries.length;
}

function symbolsIn({ payload }: InfoEntry): readonly number[] {
  if (payload.kind === "symbols") return payload.symbols;
  return payload.kind === "symbol-value" || payload.kind === "parameter-bank" ? [payload.symbol] : [];
}

/** Parameters stand side by side in their bank, and the bank is where the attributes say. */
function checkParameters(
  { file, cuda }: Subject,
  section: ElfSection,
  entries: readonly { readonly offset: number; readonly entry: InfoEntry }[],
  table: SymbolTable | undefined,
  report: Report,
): void {
  const parameters = entries.flatMap(({ offset, entry: { payload } }) =>
    payload.kind === "parameter" || payload.kind === "parameter-v2" ? [{ at: offset, ...payload }] : [],
  );
  const bank = entries.find(({ entry }) => entry.payload.kind === "parameter-bank");
  if (bank?.entry.payload.kind !== "parameter-bank") {
    if (parameters.length > 0) report(section.offset, `${named(section)} has parameters, and no bank for them`);
    return;
  }
  const { symbol, offset: base, size } = bank.entry.payload;
  const sorted = parameters.toSorted((a, b) => a.ordinal - b.ordinal);
  let end = 0;
  for (const [i, parameter] of sorted.entries()) {
    if (parameter.ordinal !== i) report(parameter.at + 8, `parameter ${parameter.ordinal} stands in the place of ${i}`);
    if (parameter.offset < end)
      report(parameter.at + 10, `parameter ${parameter.ordinal} begins inside the one before`);
    end = parameter.offset + parameter.size;
    if (end > size) report(parameter.at + 10, `parameter ${parameter.ordinal} ends at ${end} of ${size} bytes`);
  }
  const constants = file.sections[table?.sectionIndex(Math.min(symbol, table.count - 1)) ?? 0];
  if (constants !== undefined && constants.index !== 0 && constants.size !== base + size)
    report(
      bank.offset + 8,
      `${size} bytes of parameters from ${base} on are not ${named(constants)}, of ${constants.size}`,
    );
  const facts = targetFacts(cuda?.sm ?? 0);
  if (cuda?.kind === "current" && base !== facts.parameterBase && base !== facts.largeParameterBase)
    report(bank.offset + 8, `parameters of sm_${cuda.sm} begin at ${facts.parameterBase}, not at ${base}`);
}

/** A string of a prototype; NVIDIA notes registers behind a bar. */
function checkPrototype(text: string | undefined, at: number, report: Report): void {
  const parsed = text === undefined ? undefined : parsePrototype(text.replace(/\|.*$/s, ""), at);
  if (parsed?.ok !== true)
    report(at, text === undefined ? "no prototype is there" : `${JSON.stringify(text.slice(0, 80))} is no prototype`);
}

/** Reads strings of .strtab, of which those that are too long are none: a file may point at one a million times. */
function stringsOf(file: ElfFile, table: SymbolTable): (offset: number) => string | undefined {
  const strings = decoding(() => linkedStrings(file, table.section));
  if (!strings.ok) return () => undefined;
  return (offset) => ((strings.value.lengthAt(offset) ?? Infinity) < 0x1_0000 ? strings.value.at(offset) : undefined);
}

export const cudaRules: readonly Rule[] = [
  ...cudaHeaderRules,
  ...cudaTableRules,
  {
    name: "section-type",
    about: "a section of a known name has the type that NVIDIA's have",
    check({ file, cuda }, report) {
      if (cuda?.kind !== "current") return 0;
      const isObject = file.header.type === ET.REL;
      let count = 0;
      for (const section of file.sections) {
        const known = knownSection(section.name)?.facts;
        const type = isObject ? known?.object : known?.image;
        // What the system reserves of shared memory is NOBITS in images of some targets.
        if (known === undefined || type === undefined || known.role === "reserved-shared") continue;
        count++;
        if (section.type !== type)
          report(
            section.headerOffset + 4,
            `${named(section)} has type 0x${section.type.toString(16)}, not 0x${type.toString(16)}`,
          );
      }
      return count;
    },
  },
  {
    name: "symbol-order",
    about: "no LOCAL symbol stands from sh_info of .symtab on, and in a file of ours no GLOBAL one below",
    check({ file, ours }, report) {
      const table = symtab(file);
      if (table === undefined) return 0;
      const first = table.section.info;
      for (let i = 1; i < table.count; i++) {
        const binding = table.binding(i);
        if (i < first ? ours && binding === STB.GLOBAL : binding === STB.LOCAL)
          report(symbolAt(table, i) + 4, `symbol ${i} (${table.name(i)}) is on the wrong side of sh_info ${first}`);
      }
      return table.count;
    },
  },
  {
    name: "symbol-place",
    about: "a symbol lies inside its section, and what has no offset yet has an alignment",
    check(subject, report) {
      const table = symtab(subject.file);
      if (table === undefined) return 0;
      for (let i = 1; i < table.count; i++) checkSymbolPlace(subject, table, i, report);
      return table.count;
    },
  },
  {
    name: "text-symbol",
    about: "sh_info of .text.<f> is the symbol of f, a function at the start of that section",
    check(subject, report) {
      const table = symtab(subject.file);
      const texts = subject.file.sections.filter(isText);
      if (table === undefined) return 0;
      for (const section of texts) {
        const index = textSymbol(subject, section);
        const fits =
          index < table.count && table.type(index) === STT.FUNC && table.sectionIndex(index) === section.index;
        if (!fits) report(section.headerOffset + 44, `${named(section)}: symbol ${index} is no function of it`);
      }
      return texts.length;
    },
  },
  {
    name: "owner",
    about: "a section of one function names its .text section in sh_info",
    check({ file }, report) {
      let count = 0;
      for (const section of file.sections) {
        const known = knownSection(section.name);
        const role = known?.facts.role;
        if (
          known?.functionName === undefined ||
          (role !== "function-info" && role !== "parameters" && role !== "shared")
        )
          continue;
        count++;
        const owner = file.sections[section.info];
        if (owner?.name !== `.text.${known.functionName}` && section.info !== 0)
          report(
            section.headerOffset + 44,
            `${named(section)} belongs to section ${section.info}, ${owner?.name ?? "which is not there"}`,
          );
      }
      return count;
    },
  },
  {
    name: "relocations",
    about: "relocations have symbols that are there and places inside their section, and ours a type of data",
    check({ file, ours }, report) {
      let count = 0;
      for (const section of file.sections) {
        if (relocationKind(file.header.machine, section.type) === undefined) continue;
        const table = relocationsOf(file, section);
        if (!table.ok) {
          report(table.error.offset, table.error.what);
          continue;
        }
        count += table.value.count;
        // Those of .nv.merc are places in code before it was packed.
        const target = section.type === SHT_CUDA.MERC_RELA ? undefined : file.sections[section.info];
        for (let i = 0; i < table.value.count; i++) {
          const at = section.offset + i * section.entsize;
          const [type, offset] = [table.value.type(i), table.value.offset(i)];
          if (ours && relocationFacts(type)?.fields[0]?.[0] !== 0)
            report(at + 8, `${named(section)}, record ${i}: type ${type} is none of ours`);
          if (target !== undefined && offset >= target.size)
            report(at, `${named(section)}, record ${i}: ${offset} is past the end of ${named(target)}`);
        }
      }
      return count;
    },
  },
  {
    name: "info",
    about: "attributes have the payloads of their kind, and parameters lie side by side in their bank",
    check(subject, report) {
      const { file } = subject;
      const table = symtab(file);
      return file.sections
        .filter(({ type, name }) => type === SHT_CUDA.INFO && name.startsWith(".nv.info"))
        .reduce((count, section) => count + checkInfo(subject, section, table, report), 0);
    },
  },
  {
    name: "call-graph",
    about: "the call graph opens lists 1 to 4 in order, of functions and prototypes that are there",
    check({ file }, report) {
      const section = sectionNamed(file, ".nv.callgraph");
      const table = symtab(file);
      if (section === undefined || table === undefined) return 0;
      const { data, offset } = section;
      const graph = readCallGraph(data, offset);
      if (!graph.ok) {
        report(graph.error.offset, graph.error.what);
        return 0;
      }
      const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
      const strings = stringsOf(file, table);
      let list = 0;
      const isFunction = (symbol: number): boolean => symbol < table.count && table.type(symbol) === STT.FUNC;
      for (let at = 0; at < data.length; at += 8) {
        const [first, second] = [view.getUint32(at, true), view.getInt32(at + 4, true)];
        if (first === 0 && second < 0) {
          if (-second !== list + 1) report(offset + at, `list ${-second} of the call graph stands behind list ${list}`);
          list = -second;
          continue;
        }
        if (!isFunction(first)) report(offset + at, `call graph: symbol ${first} is no function`);
        if ((list === 1 || list === 4) && !isFunction(second))
          report(offset + at + 4, `call graph: symbol ${second} is no function`);
        // A kernel has none.
        if (list === 3 || (list === 2 && (table.other(Math.min(first, table.count - 1)) & 0x10) === 0))
          checkPrototype(strings(second), offset + at + 4, report);
      }
      if (list !== 4) report(offset, `the call graph ends with list ${list}`);
      return data.length / 8;
    },
  },
  {
    name: "prototypes",
    about: ".nv.prototype has functions and prototypes that are there",
    check({ file }, report) {
      const section = sectionNamed(file, ".nv.prototype");
      const table = symtab(file);
      if (section === undefined || table === undefined) return 0;
      const entries = readPrototypes(section.data, section.offset);
      if (!entries.ok) return 0;
      const strings = stringsOf(file, table);
      entries.value.forEach(({ symbol, prototype }, i) => {
        const at = section.offset + 8 * i;
        if (symbol >= table.count || table.type(symbol) !== STT.FUNC) report(at, `symbol ${symbol} is no function`);
        checkPrototype(strings(prototype), at + 4, report);
      });
      return entries.value.length;
    },
  },
  {
    name: "toolkit",
    about: ".note.nv.cuinfo says what the file was compiled for: a virtual target no newer than the file's",
    check({ file, cuda }, report) {
      const section = sectionNamed(file, ".note.nv.cuinfo");
      const notes = section === undefined ? undefined : notesOf(file, section);
      if (notes?.ok !== true) return 0;
      for (const note of notes.value) {
        const info = readCudaInfo(note);
        if (!info.ok) report(info.error.offset, info.error.what);
        else if (cuda !== undefined && info.value.virtualSm > cuda.sm)
          report(note.offset, `compute_${info.value.virtualSm} in a file for sm_${cuda.sm}`);
      }
      return notes.value.length;
    },
  },
];
