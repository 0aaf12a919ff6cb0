// Rules of cubins and of ptxkit's files, which have the same structure: properties of every file that ptxas and nvlink 13.0 write
// for sm_75 to sm_121, observed in their output (docs/format.md). For the generation before, as far as public tables document it.

import {
  decodeInfo,
  infoAttribute,
  knownSection,
  parsePrototype,
  readCallGraph,
  readCudaInfo,
  readInfo,
  readPrototypes,
  readToolkitInfo,
  relocationFacts,
  targetFacts,
  type InfoEntry,
} from "../../../formats/cuda/index.js";
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
  type ElfFile,
  type ElfSection,
  type SymbolTable,
} from "../../../formats/elf/index.js";
import { linkedStrings } from "../../../formats/elf/file.js";
import { decoding } from "../../../formats/bytes/malformed.js";
import { relocatedIn } from "../context/applied.js";
import { cudaAppliedRules } from "./cuda-applied.js";
import { cudaCodeCopyRules } from "./cuda-code-copies.js";
import { cudaHeaderRules } from "./cuda-header.js";
import { cudaInfoCopyRules } from "./cuda-info-copies.js";
import { cudaLayoutRules } from "./cuda-layout.js";
import { cudaFrameRules } from "./cuda-frames.js";
import { cudaRelocationRules } from "./cuda-relocations.js";
import { cudaSectionRules } from "./cuda-sections.js";
import { cudaSymbolRules, isUnlinked } from "./cuda-symbols.js";
import { cudaSymbolCopyRules } from "./cuda-symbol-copies.js";
import { cudaTableRules } from "./cuda-tables.js";
import { named } from "./elf.js";
import { isOldGeneration, symbolAt, symtab } from "./symtab.js";
import type { Rule, Subject } from "./rule.js";

type Report = Parameters<Rule["check"]>[1];

const isText = ({ name }: ElfSection): boolean => knownSection(name)?.facts.role === "text";

/**
 * Sections whose sh_size may be too small: NVIDIA's .nv.global is cut to 32 bits, and reserved shared memory is counted
 * differently.
 */
const mayBeTruncated = ({ name, type }: ElfSection): boolean =>
  name === ".nv.global" || type === SHT_CUDA.SHARED_RESERVED;

/** Bytes that the system reserves before shared memory from sm_90 on. */
const SYSTEM_BYTES = 1024;

/** nvlink adds SYSTEM_BYTES twice to the address of a shared variable that replaced a .weak one (docs/differences.md). */
const countsTwice = ({ file, cuda, ours }: Subject, { name }: ElfSection, binding: number): boolean =>
  !ours &&
  file.header.type === ET.EXEC &&
  (cuda?.sm ?? 0) >= 90 &&
  binding === STB.GLOBAL &&
  (name.startsWith(".nv.shared.") || name === ".nv_debug.shared");

function checkSymbolPlace(subject: Subject, table: SymbolTable, i: number, report: Report): void {
  const { file } = subject;
  const isObject = file.header.type === ET.REL;
  const { name, type, binding, special, sectionIndex, value, size } = table.at(i);
  const at = symbolAt(table, i);
  const isPowerOfTwo = value > 0 && Number.isInteger(Math.log2(value));
  if (special === SHN.COMMON) {
    if (!isPowerOfTwo) report(at + 8, `${name}: the alignment of a common symbol is ${table.value64(i)}`);
    return;
  }
  const section = file.sections[sectionIndex];
  if (section === undefined || sectionIndex === 0 || type === STT.SECTION) return;
  if (type === STT.FUNC) {
    if (!isText(section) && !section.name.startsWith(".nv.uft.rel."))
      report(at + 6, `${name} is a function in ${named(section)}`);
    if (value + size > section.size)
      report(at + 16, `${name}: ${table.size64(i)} bytes at ${table.value64(i)} of a section of ${section.size}`);
    return;
  }
  if (type !== STT.OBJECT && type !== STT.CUDA_OBJECT) return;
  // Dynamic shared memory begins at the end of static shared memory.
  if (size === 0 && (section.name.startsWith(".nv.shared.") || section.name === ".nv_debug.shared")) return;
  if (section.type === SHT_CUDA.SHARED) {
    // In output of nvlink -r a variable declared without a size has no alignment.
    if (isObject && !isPowerOfTwo && size > 0)
      report(at + 8, `${name}: the alignment of a shared variable of an object is ${table.value64(i)}`);
    return;
  }
  const twice = countsTwice(subject, section, binding) && value >= 2 * SYSTEM_BYTES ? SYSTEM_BYTES : 0;
  if (value - twice + size > section.size && !(mayBeTruncated(section) && !subject.ours))
    report(at + 16, `${name}: ${table.size64(i)} bytes at ${table.value64(i)} of a section of ${section.size}`);
}

/** Checks the attributes of a section: the size of each payload, the symbols, and the parameters. */
function checkInfo(
  subject: Subject,
  section: ElfSection,
  table: SymbolTable | undefined,
  withReferences: ReadonlySet<number>,
  report: Report,
): number {
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
      report(offset, `${row.name}: ${payload.bytes.length} bytes in format ${entry.format} are not a valid payload`);
    for (const symbol of symbolsIn(entry))
      if (symbol >= count) report(offset + 4, `${row?.name ?? attribute}: there is no symbol ${symbol}`);
  }
  checkParameters(subject, section, entries, table, withReferences, report);
  return entries.length;
}

function symbolsIn({ payload }: InfoEntry): readonly number[] {
  if (payload.kind === "symbols") return payload.symbols;
  return payload.kind === "symbol-value" || payload.kind === "parameter-bank" ? [payload.symbol] : [];
}

/** Relocation sections for references in the parameters of a kernel, whose parameter section sh_info names. */
const PARAMETER_RELOCATIONS = /^\.rela?\.nv\.constant0\./;

/** Texture, sampler and surface references are parameters without an offset in the bank. */
const isReference = ({ offset, size }: { readonly offset: number; readonly size: number }): boolean =>
  offset === 0xffff && size === 0;

/** Checks that parameters are adjacent in their bank, and that the bank is where the attributes place it. */
function checkParameters(
  { file, cuda }: Subject,
  section: ElfSection,
  entries: readonly { readonly offset: number; readonly entry: InfoEntry }[],
  table: SymbolTable | undefined,
  withReferences: ReadonlySet<number>,
  report: Report,
): void {
  const parameters = entries.flatMap(({ offset, entry: { payload } }) =>
    (payload.kind === "parameter" || payload.kind === "parameter-v2") && !isReference(payload)
      ? [{ at: offset, ...payload }]
      : [],
  );
  const count = entries.filter(
    ({ entry: { payload } }) => payload.kind.startsWith("parameter") && payload.kind !== "parameter-bank",
  ).length;
  const bank = entries.find(({ entry }) => entry.payload.kind === "parameter-bank");
  if (bank?.entry.payload.kind !== "parameter-bank") {
    if (parameters.length > 0)
      report(section.offset, `${named(section)} has parameters, but no constant bank for them`);
    return;
  }
  const { symbol, offset: base, size } = bank.entry.payload;
  const sorted = parameters.toSorted((a, b) => a.ordinal - b.ordinal);
  let end = 0;
  const ordinals = new Set<number>();
  for (const parameter of sorted) {
    if (parameter.ordinal >= count || ordinals.has(parameter.ordinal))
      report(parameter.at + 8, `parameter ${parameter.ordinal} of ${count} occurs twice or is out of range`);
    ordinals.add(parameter.ordinal);
    if (parameter.offset < end)
      report(parameter.at + 10, `parameter ${parameter.ordinal} overlaps the previous parameter`);
    end = parameter.offset + parameter.size;
    if (end > size)
      report(
        parameter.at + 10,
        `parameter ${parameter.ordinal} ends at ${end}, past the ${size} bytes of all parameters`,
      );
  }
  const constants = file.sections[table?.sectionIndex(Math.min(symbol, table.count - 1)) ?? 0];
  // The numbers of a kernel's textures and surfaces follow its parameters, each with a relocation.
  const hasReferences = constants !== undefined && withReferences.has(constants.index);
  const isOther = hasReferences ? constants.size < base + size : constants?.size !== base + size;
  if (constants !== undefined && constants.index !== 0 && isOther)
    report(
      bank.offset + 8,
      `${size} bytes of parameters at ${base} do not match ${named(constants)}, of ${constants.size} bytes`,
    );
  const facts = targetFacts(cuda?.sm ?? 0);
  if (cuda?.kind === "current" && base !== facts.parameterBase && base !== facts.largeParameterBase)
    report(bank.offset + 8, `parameters of sm_${cuda.sm} begin at ${facts.parameterBase}, not at ${base}`);
}

/** Checks the string of a prototype; NVIDIA adds registers after a `|`. */
function checkPrototype(text: string | undefined, at: number, report: Report): void {
  const parsed = text === undefined ? undefined : parsePrototype(text.replace(/\|.*$/s, ""), at);
  if (parsed?.ok !== true)
    report(
      at,
      text === undefined ? "there is no prototype" : `${JSON.stringify(text.slice(0, 80))} is not a prototype`,
    );
}

/** Reads strings of .strtab. Very long strings are rejected: a file may refer to one a million times. */
function stringsOf(file: ElfFile, table: SymbolTable): (offset: number) => string | undefined {
  const strings = decoding(() => linkedStrings(file, table.section));
  if (!strings.ok) return () => undefined;
  return (offset) => ((strings.value.lengthAt(offset) ?? Infinity) < 0x1_0000 ? strings.value.at(offset) : undefined);
}

/** 10 x major + minor of the first tool in .note.nv.tkinfo; undefined if it names none. */
function releaseOf(file: ElfFile): number | undefined {
  const section = sectionNamed(file, ".note.nv.tkinfo");
  const notes = section === undefined ? undefined : notesOf(file, section);
  const info = notes?.ok === true && notes.value[0] !== undefined ? readToolkitInfo(notes.value[0]) : undefined;
  const release = info?.ok === true ? /release (\d{1,3})\.(\d)/.exec(info.value.toolVersion) : undefined;
  return release === undefined || release === null ? undefined : 10 * Number(release[1]) + Number(release[2]);
}

export const cudaRules: readonly Rule[] = [
  ...cudaHeaderRules,
  ...cudaTableRules,
  ...cudaLayoutRules,
  ...cudaSectionRules,
  ...cudaSymbolRules,
  ...cudaSymbolCopyRules,
  ...cudaInfoCopyRules,
  ...cudaCodeCopyRules,
  ...cudaRelocationRules,
  ...cudaAppliedRules,
  ...cudaFrameRules,
  {
    name: "symbol-order",
    about:
      "sh_info of .symtab is one past the last LOCAL symbol, and in files that ptxkit wrote no GLOBAL symbol comes before it",
    check(subject, report) {
      const { file, ours } = subject;
      const table = symtab(file);
      if (table === undefined) return 0;
      const first = table.section.info;
      let lastLocal = 0;
      for (let i = table.count - 1; i > 0; i--) {
        const binding = table.binding(i);
        if (binding === STB.LOCAL) lastLocal = Math.max(lastLocal, i);
        // In the older generation sh_info does not count the symbol of the last section.
        if (isOldGeneration(subject) && i === first && table.type(i) === STT.SECTION) continue;
        if (i < first ? ours && binding === STB.GLOBAL : binding === STB.LOCAL)
          report(symbolAt(table, i) + 4, `symbol ${i} (${table.name(i)}) is on the wrong side of sh_info ${first}`);
      }
      // sh_info of nvlink -r also counts symbols that it has discarded.
      const mayCountMore = file.header.type === ET.REL && !isUnlinked(subject);
      if (!ours && !isOldGeneration(subject) && first !== lastLocal + 1 && !mayCountMore)
        report(
          table.section.headerOffset + 44,
          `sh_info ${first} of .symtab is not one past the last LOCAL symbol, ${lastLocal}`,
        );
      return table.count;
    },
  },
  {
    name: "symbol-place",
    about: "symbols are inside their section; symbols without an offset have a valid alignment",
    check(subject, report) {
      const table = symtab(subject.file);
      if (table === undefined) return 0;
      for (let i = 1; i < table.count; i++) checkSymbolPlace(subject, table, i, report);
      return table.count;
    },
  },
  {
    name: "relocations",
    about: "relocations have existing symbols and offsets inside their section, and in ptxkit's files data types",
    check({ file, ours }, report) {
      const relocatedTo = relocatedIn(file);
      let count = 0;
      for (const section of file.sections) {
        if (relocationKind(file.header.machine, section.type) === undefined) continue;
        const table = relocationsOf(file, section);
        if (!table.ok) {
          report(table.error.offset, table.error.what);
          continue;
        }
        count += table.value.count;
        const relocated = file.sections[section.info];
        // For .nv.capmerc, offsets count in the code before it was packed.
        const target = relocated?.type === SHT_CUDA.CAPMERC ? undefined : relocated;
        const places = target === undefined ? undefined : relocatedTo(section, target);
        const end = places === undefined || places.mayBeLeftOver ? Infinity : places.size;
        for (let i = 0; i < table.value.count; i++) {
          const at = section.offset + i * section.entsize;
          const [type, offset] = [table.value.type(i), table.value.offset(i)];
          if (ours && relocationFacts(type)?.fields[0]?.[0] !== 0)
            report(at + 8, `${named(section)}, record ${i}: ptxkit does not write relocations of type ${type}`);
          if (target !== undefined && offset >= end)
            report(
              at,
              `${named(section)}, record ${i}: the offset ${table.value.offset64(i)} is past the end of ${named(target)}`,
            );
        }
      }
      return count;
    },
  },
  {
    name: "info",
    about: "attributes have valid payloads, and parameters are adjacent in their constant bank",
    check(subject, report) {
      const { file } = subject;
      const table = symtab(file);
      const withReferences = new Set(
        file.sections.filter(({ name }) => PARAMETER_RELOCATIONS.test(name)).map(({ info }) => info),
      );
      return file.sections
        .filter(({ type, name }) => type === SHT_CUDA.INFO && name.startsWith(".nv.info"))
        .reduce((count, section) => count + checkInfo(subject, section, table, withReferences, report), 0);
    },
  },
  {
    name: "call-graph",
    about: "the call graph has the lists 1 to 4 in order, with existing functions and valid prototypes",
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
          if (-second !== list + 1) report(offset + at, `list ${-second} of the call graph follows list ${list}`);
          list = -second;
          continue;
        }
        if (!isFunction(first)) report(offset + at, `call graph: symbol ${first} is not a function`);
        if ((list === 1 || list === 4) && !isFunction(second))
          report(offset + at + 4, `call graph: symbol ${second} is not a function`);
        // A kernel has no prototype.
        if (list === 3 || (list === 2 && (table.other(Math.min(first, table.count - 1)) & 0x10) === 0))
          checkPrototype(strings(second), offset + at + 4, report);
      }
      if (list !== 4) report(offset, `the call graph ends with list ${list}`);
      return data.length / 8;
    },
  },
  {
    name: "prototypes",
    about: ".nv.prototype has existing functions and valid prototypes",
    check({ file }, report) {
      const section = sectionNamed(file, ".nv.prototype");
      const table = symtab(file);
      if (section === undefined || table === undefined) return 0;
      const entries = readPrototypes(section.data, section.offset);
      if (!entries.ok) return 0;
      const strings = stringsOf(file, table);
      entries.value.forEach(({ symbol, prototype }, i) => {
        const at = section.offset + 8 * i;
        if (symbol >= table.count || table.type(symbol) !== STT.FUNC) report(at, `symbol ${symbol} is not a function`);
        checkPrototype(strings(prototype), at + 4, report);
      });
      return entries.value.length;
    },
  },
  {
    name: "toolkit",
    about:
      ".note.nv.cuinfo has a virtual target that is not newer than the file's target, and the toolkit of .note.nv.tkinfo",
    check({ file, cuda, ours }, report) {
      const section = sectionNamed(file, ".note.nv.cuinfo");
      const notes = section === undefined ? undefined : notesOf(file, section);
      if (notes?.ok !== true) return 0;
      const release = ours ? undefined : releaseOf(file);
      for (const note of notes.value) {
        const info = readCudaInfo(note);
        if (!info.ok) report(info.error.offset, info.error.what);
        else if (cuda !== undefined && info.value.virtualSm > cuda.sm)
          report(note.offset, `compute_${info.value.virtualSm} in a file for sm_${cuda.sm}`);
        else if (release !== undefined && release !== info.value.toolkit)
          report(note.offset, `toolkit ${info.value.toolkit} differs from ${release} in .note.nv.tkinfo`);
      }
      return notes.value.length;
    },
  },
];
