// Writes the file of an object or image, with sections in NVIDIA's order. Names, symbols, notes, attributes, call graph,
// relocations, then the file's own sections, constant bank 0 of each kernel, debug sections, and declarations at the end.
// docs/format.md describes the contents. The bytes depend on the rows alone.

import { SHF, SHT, SHT_CUDA } from "../../../../formats/elf/constants.table.js";
import { NO_BYTES } from "../../../../formats/elf/file-writer.js";
import { DECLARATION_SECTION } from "../../file/container.js";
import { putKernel, putSections, putSymbol } from "../../file/declaration-rows.js";
import { sectionShape } from "../../section-shape.js";
import { bytesWithCode, fileFinder, RELA_WORDS, startOfCode, type Columns, type SectionRow } from "../columns.js";
import { roleNames, ROLE } from "../codes.js";
import { bytesOf, createGrowable, createNames, putBytes, setWord, type NameTable } from "../growable-bytes.js";
import type { ParameterBank } from "../../parameters.js";
import { internString } from "../strings.js";
import { callGraphPairs, prototypePairs, type CallGraph } from "./call-graph.js";
import type { DebugLayout } from "./debug-layout.js";
import { declareDebug, putDebugRelocations } from "./debug-sections.js";
import { createDeclarations, declareModules, declareType, declareText, finishDeclarations, type Declarations } from "./declarations.js"; // prettier-ignore
import { createFile, type ElfWriter, type FileType, type FileTarget, type SegmentRun } from "./elf-writer.js";
import { bytesIn, DEBUG_FRAME, FRAME_NAME, HEADER_SECTIONS, sectionFields, UNTYPED_BYTES, putBuildId, putExtended, putHeaderSections, SYMBOLS, WORDS } from "./header-sections.js"; // prettier-ignore
import { kernelAttributes, parameterBanks, PARAMETER_SYMBOL } from "./kernel-attributes.js";
import type { OutputKernel, OutputRelocations, OutputSections, OutputSymbols } from "./output-rows.js";
import { createSymbolTable, parameterNames, sectionNames, type FileIndices, type SymbolNumbers, type SymbolTable } from "./symbol-table.js"; // prettier-ignore

export interface OutputFile {
  readonly type: FileType;
  readonly target: FileTarget;
  readonly columns: Columns;
  readonly symbols: OutputSymbols;
  readonly numbers: SymbolNumbers;
  /** The file's own sections: those that `.ptxkit.decl` lists. */
  readonly sections: OutputSections;
  readonly kernels: readonly OutputKernel[];
  readonly relocations: OutputRelocations;
  readonly graph: CallGraph;
  /** Its relocations refer to symbols by number. */
  readonly debug: DebugLayout;
  /** Attributes of the file (`.nv.info`). */
  readonly info: Uint8Array;
  /** Attributes of the code in a section, besides those of a kernel's parameters. */
  attributesOf(section: number): Uint8Array;
  /** Contents, by row, that replace those in the columns. */
  readonly replaced: ReadonlyMap<SectionRow, Uint8Array>;
  /** The bytes of a section of initialised data. */
  dataOf(section: number): SectionBytes;
}

/** Bytes from `start` on. */
export interface SectionBytes {
  readonly from: Uint8Array;
  readonly start: number;
}

/** Computes the build ID from the file, in which the ID's bytes are zero. */
export type Identify = (unidentified: readonly Uint8Array[]) => Uint8Array;

/** Upper bound of the sections that are not counted: debug sections with their relocations, declarations, ID, indices. */
const OTHERS = 64;

/** A file with what follows from its contents. */
interface Plan extends OutputFile {
  /** Constant bank 0 of each kernel. */
  readonly banks: readonly ParameterBank[];
  readonly indices: FileIndices;
  readonly debugIndices: readonly number[];
  /** Names of symbols. */
  readonly names: NameTable;
  readonly table: SymbolTable;
}

/** The file in parts, some of which are ranges of the columns' files. */
export function writeFile(file: OutputFile, identify?: Identify): readonly Uint8Array[] {
  const { columns, type, target, symbols, graph, numbers, debug } = file;
  const targetText = internString(columns.strings, target.target.name);
  const plan = planFile(file);
  const { table, debugIndices } = plan;
  const output = createFile(type, target, columns.strings, plan.indices.firstParameters + plan.kernels.length + OTHERS);
  // These add names of symbols.
  const pairs = callGraphPairs(graph, numbers.elfOf, table.nameOf);
  const prototypes = type === "relocatable" ? prototypePairs(graph, numbers.elfOf, table.nameOf) : undefined;
  putHeader(output, plan);
  putFunctionInfo(output, plan);
  output.bytes(".nv.callgraph", { ...sectionFields("callgraph", type), link: SYMBOLS }, bytesIn(pairs));
  if (prototypes !== undefined)
    output.bytes(".nv.prototype", { ...sectionFields("prototype", type), link: SYMBOLS }, bytesIn(prototypes));
  putRelocations(output, plan);
  putDebugRelocations(output, debug, debugIndices, numbers.elfOf);
  putOwn(output, plan);
  putParameters(output, plan);
  for (const { name, bytes } of debug.sections) if (name !== FRAME_NAME) output.bytes(name, UNTYPED_BYTES, bytes);
  const declarations = createDeclarations(columns.strings, columns.types.count, symbols.count);
  const header = { target: declareText(declarations, targetText), version: target.version };
  declare(plan, declarations);
  const modules = columns.moduleStart.length;
  output.bytes(DECLARATION_SECTION, WORDS, finishDeclarations(declarations, { ...header, modules }));
  const buildId = identify === undefined ? undefined : putBuildId(output);
  putExtended(output, table.extended);
  const parts = output.finish(type === "executable" ? segmentRuns(plan) : []);
  if (identify !== undefined) buildId!.set(identify(parts));
  return parts;
}

function planFile(file: OutputFile): Plan {
  const { columns, target, kernels, symbols, numbers } = file;
  const bankOf = parameterBanks(columns.types, target.target.sm);
  const banks = kernels.map(({ row }) => bankOf(columns.typeId[row]!));
  const ofParameters = parameterNames(columns);
  const [indices, debugIndices] = indicesOf(file);
  const names = createNames(columns.strings, indices.firstParameters + kernels.length + symbols.count);
  const table = createSymbolTable({ ...file, banks, indices }, numbers, ofParameters, names);
  return { ...file, banks, indices, debugIndices, names, table };
}

function indicesOf({
  type,
  sections,
  relocations,
  kernels,
  debug,
}: OutputFile): readonly [FileIndices, debugIndices: readonly number[]] {
  const { start, relaStart, appliedStart } = relocations;
  let [functions, tables] = [0, 0];
  for (let i = 0; i < sections.count; i++) {
    if (sections.role[i] === ROLE.text) functions++;
    if (relaStart[i]! > start[i]!) tables++;
    if (start[i + 1]! > relaStart[i]!) tables++;
    if (appliedStart[i + 1]! > appliedStart[i]!) tables++;
  }
  for (const { records } of debug.sections) if (records.length > 0) tables++;
  const graph = HEADER_SECTIONS + 1 + functions;
  // After the call graph; in an object also after the prototypes.
  const firstOwn = graph + (type === "relocatable" ? 2 : 1) + tables;
  const firstParameters = firstOwn + sections.count;
  let next = firstParameters + kernels.length;
  const debugIndices = debug.sections.map(({ name }) => (name === FRAME_NAME ? DEBUG_FRAME : next++));
  return [{ graph, firstOwn, firstParameters }, debugIndices];
}

/** The ELF section of a symbol; 0 for none. */
const elfSection = ({ symbols, indices }: Plan, number: number): number =>
  symbols.section[number]! < 0 ? 0 : indices.firstOwn + symbols.section[number]!;

// ----------------------------------------------------------------------------------------------------------- attributes

function putHeader(output: ElfWriter, { type, target, debug, names, numbers, table, info }: Plan): void {
  const { firstGlobal } = numbers;
  const symbols = { records: table.records, firstGlobal };
  putHeaderSections(output, bytesOf(names.strings), { file: type, sm: target.target.sm, debug, symbols, info });
}

/** Adds `.nv.info.<function>` for each function: the attributes of a kernel's parameters, and those of its code. */
function putFunctionInfo(output: ElfWriter, plan: Plan): void {
  const { columns, type, target, sections, symbols, numbers, kernels, banks, indices } = plan;
  const attributes = kernelAttributes(columns.types, target.target.sm);
  const kernelAt = new Int32Array(symbols.count).fill(-1);
  for (let i = 0; i < kernels.length; i++) kernelAt[kernels[i]!.number] = i;
  const put = output.perFunction(".nv.info.", { ...sectionFields("function-info", type), link: SYMBOLS });
  // Consecutive, because the file is copied in runs.
  const all = createGrowable(1 << 12);
  const { count, role, owner } = sections;
  const starts = new Int32Array(count + 1);
  for (let i = 0; i < count; i++) {
    starts[i] = all.length;
    if (role[i] !== ROLE.text) continue;
    const kernel = kernelAt[owner[i]!]!;
    if (kernel >= 0) {
      const bytes = attributes(columns.typeId[kernels[kernel]!.row]!);
      putBytes(all, bytes, 0, bytes.length);
      if (banks[kernel]!.hasAttribute) setWord(all, starts[i]! + PARAMETER_SYMBOL, numbers.firstParameters + kernel);
    }
    const bytes = plan.attributesOf(i);
    if (bytes.length > 0) putBytes(all, bytes, 0, bytes.length);
  }
  starts[count] = all.length;
  for (let i = 0; i < count; i++) {
    if (role[i] !== ROLE.text) continue;
    put(symbols.name[owner[i]!]!, indices.firstOwn + i, all.bytes, starts[i]!, starts[i + 1]! - starts[i]!);
  }
}

// ---------------------------------------------------------------------------------------------------------- relocations

/** Adds relocation sections; the names of those for a function's section end with its name. */
function tablePutter(
  output: ElfWriter,
  { type: file, symbols, sections, indices }: Plan,
  prefix: string,
  type: number,
  entsize: number,
) {
  const how = { type, flags: SHF.INFO_LINK, align: 8, entsize, link: SYMBOLS };
  const putOfCode = output.perFunction(`${prefix}${sectionNames[file][ROLE.text]!}`, how);
  const { role, owner } = sections;
  return (section: number, from: Uint8Array, start: number, size: number): void => {
    const info = indices.firstOwn + section;
    if (role[section] === ROLE.text) putOfCode(symbols.name[owner[section]!]!, info, from, start, size);
    else output.bytes(`${prefix}${sectionNames[file][role[section]!]!}`, { ...how, info }, from, start, size);
  };
}

function putRelocations(output: ElfWriter, plan: Plan): void {
  const { start, relaStart, appliedStart, ...words } = plan.relocations;
  const putRel = tablePutter(output, plan, ".rel", SHT.REL, 16);
  const putRela = tablePutter(output, plan, ".rela", SHT.RELA, 4 * RELA_WORDS);
  const putApplied = tablePutter(output, plan, ".nv.resolvedrela", SHT_CUDA.RESOLVED_RELA, 4 * RELA_WORDS);
  const [records, applied] = [bytesIn(words.records), bytesIn(words.applied)];
  for (let i = 0; i < plan.sections.count; i++) {
    const rel = start[i]!;
    const rela = relaStart[i]!;
    const end = start[i + 1]!;
    if (rela > rel) putRel(i, records, 4 * rel, 4 * (rela - rel));
    if (end > rela) putRela(i, records, 4 * rela, 4 * (end - rela));
    const first = appliedStart[i]!;
    const last = appliedStart[i + 1]!;
    if (last > first) putApplied(i, applied, 4 * first, 4 * (last - first));
  }
}

// ------------------------------------------------------------------------------------------------------------- sections

const NOTHING = new Uint8Array(0);

/** Adds the file's own sections. */
function putOwn(output: ElfWriter, plan: Plan): void {
  const { columns, type, symbols, sections, numbers, replaced } = plan;
  const names = sectionNames[type];
  const hows = roleNames.map((role) => sectionFields(role, type));
  const putText = output.perFunction(names[ROLE.text]!, { ...hows[ROLE.text]!, link: SYMBOLS });
  const putShared = output.perFunction(names[ROLE.shared]!, hows[ROLE.shared]!);
  const { count, role, row, owner, size, align } = sections;
  const fileOf = fileFinder(columns);
  for (let i = 0; i < count; i++) {
    const of = role[i]!;
    const alignment = align[i]!;
    if (of === ROLE.text) {
      const own = row[i]!;
      const given = replaced.size === 0 ? undefined : replaced.get(own);
      const from = given ?? bytesWithCode(columns, fileOf(own), own);
      const start = given === undefined ? startOfCode(columns, own) : 0;
      putText(symbols.name[owner[i]!]!, numbers.elfOf[owner[i]!]!, from, start, size[i]!, alignment);
    } else if (of === ROLE.shared)
      putShared(symbols.name[owner[i]!]!, elfSection(plan, owner[i]!), NOTHING, NO_BYTES, size[i]!, alignment);
    else if (of === ROLE.globalInit || of === ROLE.constant) {
      const { from, start } = plan.dataOf(i);
      output.bytes(names[of]!, { ...hows[of]!, align: alignment }, from, start, size[i]);
    } else output.noBytes(names[of]!, { ...hows[of]!, align: alignment }, size[i]!);
  }
}

/** Adds constant bank 0 of each kernel. */
function putParameters(output: ElfWriter, plan: Plan): void {
  const { symbols, type, kernels, banks } = plan;
  const put = output.perFunction(".nv.constant0.", sectionFields("parameters", type));
  // Zeros are one array, because the file is copied in runs.
  const zeros = new Uint8Array(banks.reduce((sum, { base, bytes }) => sum + base + bytes, 0));
  let at = 0;
  kernels.forEach(({ number }, i) => {
    const size = banks[i]!.base + banks[i]!.bytes;
    put(symbols.name[number]!, elfSection(plan, number), zeros, at, size);
    at += size;
  });
}

/** Runs of own sections that are all writable or all not. */
function segmentRuns({ type, sections, indices }: Plan): readonly SegmentRun[] {
  const isWritable = roleNames.map((role) => (sectionShape(role, type).flags & SHF.WRITE) !== 0);
  const runs: SegmentRun[] = [];
  const { count, role } = sections;
  let first = 0;
  for (let i = 1; i <= count; i++) {
    const own = isWritable[role[first]!]!;
    if (i < count && isWritable[role[i]!] === own) continue;
    runs.push([indices.firstOwn + first, indices.firstOwn + i - 1, own]);
    first = i;
  }
  return runs;
}

// --------------------------------------------------------------------------------------------------------- declarations

/** Writes `.ptxkit.decl`. */
function declare(plan: Plan, declarations: Declarations): void {
  const { columns, sections, relocations, kernels, indices, debug, debugIndices } = plan;
  const { rows } = declarations;
  declareModules(declarations, columns);
  declareSymbols(plan, declarations);
  const { runs, runStart } = relocations;
  putSections(rows, indices.firstOwn, sections, runs, runStart);
  for (const { number, sharedBytes, dynamicSharedOffset } of kernels)
    putKernel(rows, number, sharedBytes, dynamicSharedOffset);
  declareDebug(columns, debug, debugIndices, declarations);
}

function declareSymbols({ columns, symbols, numbers }: Plan, declarations: Declarations): void {
  const { types, flags, module, line, column } = columns;
  const { count, row, code, typeId, declaredBy } = symbols;
  const { elfOf } = numbers;
  for (let number = 0; number < count; number++) {
    const type = declareType(declarations, types, typeId[number]!);
    const from = declaredBy[number]!;
    const own = flags[row[number]!]!;
    putSymbol(declarations.rows, elfOf[number]!, code[number]!, own, type, module[from]!, line[from]!, column[from]!);
  }
}
