// Writes the file of an object, or of an image held as a value, with sections in NVIDIA's order. Names, symbols, notes,
// attributes, call graph, relocations, then the object's own sections, constant bank 0 of each kernel, debug sections, and
// declarations at the end. docs/format.md describes the contents. The bytes depend on the object alone.

import { SHF, SHT, SHT_CUDA } from "../../../../formats/elf/index.js";
import { targetFacts } from "../../../../formats/cuda/index.js";
import { DECLARATION_SECTION } from "../../file/container.js";
import { putKernel, putSection, putSymbol } from "../../file/declaration-rows.js";
import type { AppliedRelocation } from "../../object.js";
import { sectionShape } from "../../section-shape.js";
import { codeIn, CODE_PROPERTY, fileFinder, RELA_WORDS, type Columns } from "../columns.js";
import { roleNames, ROLE } from "../codes.js";
import { contentsOf } from "../contents.js";
import { bytesOf, createGrowable, createNames, putBytes, setWord } from "../growable-bytes.js";
import { putLong } from "../../../../formats/bytes/long-words.js";
import { internString } from "../strings.js";
import { callGraphPairs, objectGraph, prototypePairs, undefinedCallees, type ObjectGraph } from "./call-graph.js";
import { createCodeAttributes, moduleInfoBytes } from "./code-attributes.js";
import type { DebugLayout } from "./debug-layout.js";
import { declareDebug, objectDebug, putDebugRelocations } from "./debug-sections.js";
import { createDeclarations, declareModules, declareType, declareText, finishDeclarations, type Declarations } from "./declarations.js"; // prettier-ignore
import { createFile, type ElfWriter, type FileType, type FileTarget, type SegmentRun } from "./elf-writer.js";
import { bytesIn, DEBUG_FRAME, FRAME_NAME, HEADER_SECTIONS, sectionFields, UNTYPED_BYTES, putBuildId, putExtended, putHeaderSections, SYMBOLS, WORDS } from "./header-sections.js"; // prettier-ignore
import { kernelAttributes, parameterBanks, PARAMETER_SYMBOL } from "./kernel-attributes.js";
import { fileTypeOf, type OutputObject } from "./output-object.js";
import { objectRelocations, type ObjectRelocations } from "./relocations.js";
import { numberSymbols, objectSymbols, parameterNames, sectionNames, type KernelParameters, type ObjectIndices, type ObjectSymbols, type SymbolNumbers } from "./symbol-table.js"; // prettier-ignore

/** Upper bound of the sections that are not counted: debug sections with their relocations, declarations, ID, indices. */
const OTHERS = 64;

/** Everything except the bytes of the sections. */
interface Plan {
  readonly object: OutputObject;
  readonly file: FileType;
  readonly target: FileTarget;
  readonly relocations: ObjectRelocations;
  readonly parameters: readonly KernelParameters[];
  readonly indices: ObjectIndices;
  readonly numbers: SymbolNumbers;
  readonly symbols: ObjectSymbols;
  readonly graph: ObjectGraph;
  readonly debug: DebugLayout;
  readonly debugIndices: readonly number[];
  /** Names of symbols. */
  readonly names: ReturnType<typeof createNames>;
}

/** Computes the build ID from the file, in which the ID's bytes are zero. */
export type Identify = (unidentified: readonly Uint8Array[]) => Uint8Array;

/** The file in parts, some of which are ranges of the columns' files. */
export function objectFile(object: OutputObject, target: FileTarget, identify?: Identify): readonly Uint8Array[] {
  const { columns } = object;
  const targetText = internString(columns.strings, target.target.name);
  const plan = planFile(object, target);
  const { file, indices, parameters, debug, debugIndices, numbers, symbols } = plan;
  const output = createFile(file, target, columns.strings, indices.firstParameters + parameters.length + OTHERS);
  const graph = callGraphPairs(plan.graph, numbers.elfOf, symbols.nameOf);
  const prototypes = file === "relocatable" ? prototypePairs(plan.graph, numbers.elfOf, symbols.nameOf) : undefined;
  putHeader(output, plan);
  putFunctionInfo(output, plan);
  output.bytes(".nv.callgraph", { ...sectionFields("callgraph", file), link: SYMBOLS }, bytesIn(graph));
  if (prototypes !== undefined)
    output.bytes(".nv.prototype", { ...sectionFields("prototype", file), link: SYMBOLS }, bytesIn(prototypes));
  putRelocations(output, plan);
  putDebugRelocations(output, debug, debugIndices, numbers.elfOf);
  putOwn(output, plan);
  putParameters(output, plan);
  for (const { name, bytes } of debug.sections) if (name !== FRAME_NAME) output.bytes(name, UNTYPED_BYTES, bytes);
  const declarations = createDeclarations(columns.strings, columns.types.count, object.symbols.length);
  const header = { target: declareText(declarations, targetText), version: target.version };
  declare(plan, declarations);
  const modules = columns.moduleStart.length;
  output.bytes(DECLARATION_SECTION, WORDS, finishDeclarations(declarations, { ...header, modules }));
  const buildId = identify === undefined ? undefined : putBuildId(output);
  putExtended(output, symbols.extended);
  const parts = output.finish(file === "executable" ? segmentRuns(plan) : []);
  if (identify !== undefined) buildId!.set(identify(parts));
  return parts;
}

function planFile(object: OutputObject, target: FileTarget): Plan {
  const { columns } = object;
  const { sm } = target.target;
  const kernels = columns.kernels.filter((row) => object.definitionOf(row) >= 0);
  const bankOf = parameterBanks(columns.types, sm);
  const parameters = kernels.map((kernel): KernelParameters => ({ kernel, ...bankOf(columns.typeId[kernel]!) }));
  // These intern strings, so they precede the tables of names.
  const debug = objectDebug(object, kernels, sm);
  const graph = objectGraph(object);
  const ofParameters = parameterNames(columns);
  const numbers = numberSymbols(object, kernels.length);
  const relocations = objectRelocations(object, numbers.elfOf, targetFacts(sm).writesRel);
  const [indices, debugIndices] = indicesOf(object, relocations, kernels.length, debug);
  const names = createNames(columns.strings, indices.firstParameters + kernels.length + object.symbols.length);
  const symbols = objectSymbols(object, parameters, numbers, indices, ofParameters, names);
  const file = fileTypeOf(object.image);
  return {
    object,
    file,
    target,
    relocations,
    parameters,
    indices,
    numbers,
    symbols,
    graph,
    debug,
    debugIndices,
    names,
  };
}

function indicesOf(
  { columns, sections, image }: OutputObject,
  { relStart, relaStart }: ObjectRelocations,
  kernels: number,
  debug: DebugLayout,
): readonly [ObjectIndices, debugIndices: readonly number[]] {
  let [functions, tables] = [0, 0];
  sections.forEach(({ row }, i) => {
    if (columns.role[row] === ROLE.text) functions++;
    tables += (relStart[i + 1]! > relStart[i]! ? 1 : 0) + (relaStart[i + 1]! > relaStart[i]! ? 1 : 0);
    if (image !== undefined && image.applied[i]!.length > 0) tables++;
  });
  for (const { records } of debug.sections) if (records.length > 0) tables++;
  const graph = HEADER_SECTIONS + 1 + functions;
  // After the call graph; in an object also after the prototypes.
  const firstOwn = graph + (image === undefined ? 2 : 1) + tables;
  const firstParameters = firstOwn + sections.length;
  let next = firstParameters + kernels;
  const debugIndices = debug.sections.map(({ name }) => (name === FRAME_NAME ? DEBUG_FRAME : next++));
  return [{ graph, firstOwn, firstParameters }, debugIndices];
}

/** The ELF section of a symbol of the object; 0 for none. */
const elfSection = ({ object, indices }: Plan, number: number): number =>
  object.outputSectionOf[number]! < 0 ? 0 : indices.firstOwn + object.outputSectionOf[number]!;

// ----------------------------------------------------------------------------------------------------------- attributes

function putHeader(output: ElfWriter, { object, file, target, debug, names, numbers, symbols }: Plan): void {
  const { columns } = object;
  const { elfOf, firstGlobal } = numbers;
  const recursive = object.sections.flatMap(({ row, owner }) =>
    (columns.codeProperties[row]! & CODE_PROPERTY.recursive) === 0 ? [] : [owner],
  );
  const ofStacks = recursive.sort((a, b) => a - b).map((number) => elfOf[number]!);
  putHeaderSections(output, bytesOf(names.strings), {
    file,
    sm: target.target.sm,
    debug,
    symbols: { records: symbols.records, firstGlobal },
    info: moduleInfoBytes(columns, object.symbols, elfOf, ofStacks),
  });
}

/** Adds `.nv.info.<function>` for each function. */
function putFunctionInfo(output: ElfWriter, plan: Plan): void {
  const { object, file, target, numbers, parameters } = plan;
  const { columns, symbols, sections } = object;
  const { sm } = target.target;
  const reported = targetFacts(sm).marksBlockZ ? ~0 : ~CODE_PROPERTY.blockZ;
  const callees = undefinedCallees(object, plan.graph);
  const attributes = kernelAttributes(columns.types, sm);
  const kernelAt = new Map(parameters.map(({ kernel }, i) => [object.definitionOf(kernel), i]));
  const put = output.perFunction(".nv.info.", { ...sectionFields("function-info", file), link: SYMBOLS });
  const ofCode = createCodeAttributes();
  // Consecutive, because the file is copied in runs.
  const all = createGrowable(1 << 12);
  const functions = sections.filter(({ row }) => columns.role[row] === ROLE.text);
  const starts = functions.map(({ row, owner }) => {
    const start = all.length;
    const kernel = kernelAt.get(owner);
    if (kernel !== undefined) {
      const bytes = attributes(columns.typeId[symbols[owner]!]!);
      putBytes(all, bytes, 0, bytes.length);
      if (parameters[kernel]!.hasAttribute) setWord(all, start + PARAMETER_SYMBOL, numbers.firstParameters + kernel);
    }
    const bits = columns.codeProperties[row]! & reported;
    const bytes = ofCode(
      bits,
      callees.get(owner)?.map((callee) => numbers.elfOf[callee]!),
    );
    putBytes(all, bytes, 0, bytes.length);
    return start;
  });
  functions.forEach(({ owner }, i) => {
    const end = starts[i + 1] ?? all.length;
    put(columns.name[symbols[owner]!]!, elfSection(plan, owner), all.bytes, starts[i]!, end - starts[i]!);
  });
}

// ---------------------------------------------------------------------------------------------------------- relocations

type BytesOf = readonly [from: Uint8Array, start: number, size: number];

/** Adds relocation sections; the names of those for a function's section end with its name. */
function tablePutter(
  output: ElfWriter,
  { object, file, indices }: Plan,
  prefix: string,
  type: number,
  entsize: number,
) {
  const { columns, symbols, sections } = object;
  const how = { type, flags: SHF.INFO_LINK, align: 8, entsize, link: SYMBOLS };
  const ofRole = sectionNames[file].map((name, role) =>
    role === ROLE.text || role === ROLE.shared ? output.perFunction(`${prefix}${name}`, how) : undefined,
  );
  return (section: number, ...of: BytesOf): void => {
    if (of[2] === 0) return;
    const { row, owner } = sections[section]!;
    const role = columns.role[row]!;
    const info = indices.firstOwn + section;
    if (owner >= 0) ofRole[role]!(columns.name[symbols[owner]!]!, info, ...of);
    else output.bytes(`${prefix}${sectionNames[file][role]!}`, { ...how, info }, ...of);
  };
}

function putRelocations(output: ElfWriter, plan: Plan): void {
  const { object, relocations, numbers } = plan;
  const putRel = tablePutter(output, plan, ".rel", SHT.REL, 16);
  const putRela = tablePutter(output, plan, ".rela", SHT.RELA, 24);
  const putApplied = tablePutter(output, plan, ".nv.resolvedrela", SHT_CUDA.RESOLVED_RELA, 24);
  const [rel, rela] = [bytesIn(relocations.rel), bytesIn(relocations.rela)];
  const { relStart, relaStart } = relocations;
  for (let i = 0; i < object.sections.length; i++) {
    putRel(i, rel, 4 * relStart[i]!, 4 * (relStart[i + 1]! - relStart[i]!));
    putRela(i, rela, 4 * relaStart[i]!, 4 * (relaStart[i + 1]! - relaStart[i]!));
    const applied = object.image === undefined ? NOTHING : recordsOf(object.image.applied[i]!, numbers.elfOf);
    putApplied(i, applied, 0, applied.length);
  }
}

/** RELA records. */
function recordsOf(relocations: readonly AppliedRelocation[], elfOf: Int32Array): Uint8Array {
  const words = new Uint32Array(RELA_WORDS * relocations.length);
  relocations.forEach(({ offset, type, symbol, addend }, i) => {
    const at = RELA_WORDS * i;
    putLong(words, at, offset);
    words[at + 2] = type;
    words[at + 3] = elfOf[symbol]!;
    words[at + 4] = Number(BigInt.asUintN(32, addend));
    words[at + 5] = Number(BigInt.asUintN(32, addend >> 32n));
  });
  return bytesIn(words);
}

// ------------------------------------------------------------------------------------------------------------- sections

const NOTHING = new Uint8Array(0);

/** Adds the object's own sections. */
function putOwn(output: ElfWriter, plan: Plan): void {
  const { object, file, numbers } = plan;
  const { columns, symbols, sections, large } = object;
  const names = sectionNames[file];
  const fileOf = fileFinder(columns);
  const hows = roleNames.map((role) => sectionFields(role, file));
  const putText = output.perFunction(names[ROLE.text]!, { ...hows[ROLE.text]!, link: SYMBOLS });
  const putShared = output.perFunction(names[ROLE.shared]!, hows[ROLE.shared]!);
  for (const { row, owner, size, align } of sections) {
    const role = columns.role[row]!;
    if (role === ROLE.text) {
      const given = large?.get(row);
      const [from, start] = given === undefined ? codeIn(columns, fileOf(row), row) : [given, 0];
      putText(columns.name[symbols[owner]!]!, numbers.elfOf[owner]!, from, start, size, align);
    } else if (role === ROLE.shared)
      putShared(columns.name[symbols[owner]!]!, elfSection(plan, owner), NOTHING, -1, size, align);
    else if (role === ROLE.globalInit || role === ROLE.constant) {
      const given = large?.get(row);
      const contents: BytesOf = given === undefined ? contentsIn(columns, fileOf(row), row, size) : [given, 0, size];
      output.bytes(names[role]!, { ...hows[role]!, align }, ...contents);
    } else output.noBytes(names[role]!, { ...hows[role]!, align }, size);
  }
}

/** The bytes of a data section: in their file, unless some of them were discarded. */
function contentsIn(columns: Columns, file: number, row: number, size: number): BytesOf {
  if (columns.keptRanges.has(row)) return [contentsOf(columns, file, row), 0, size];
  return [columns.files[file]!.bytes, columns.contentsAt[row]!, size];
}

/** Adds constant bank 0 of each kernel. */
function putParameters(output: ElfWriter, plan: Plan): void {
  const { columns } = plan.object;
  const put = output.perFunction(".nv.constant0.", sectionFields("parameters", plan.file));
  const most = plan.parameters.reduce((most, { base, bytes }) => Math.max(most, base + bytes), 0);
  const zeros = new Uint8Array(most);
  for (const { kernel, base, bytes } of plan.parameters)
    put(columns.name[kernel]!, elfSection(plan, plan.object.definitionOf(kernel)), zeros, 0, base + bytes);
}

/** Runs of own sections that are all writable or all not. */
function segmentRuns({ object, file, indices }: Plan): readonly SegmentRun[] {
  const runs: [first: number, last: number, isWritable: boolean][] = [];
  object.sections.forEach(({ row }, i) => {
    const index = indices.firstOwn + i;
    const isWritable = (sectionShape(roleNames[object.columns.role[row]!]!, file).flags & SHF.WRITE) !== 0;
    const last = runs.at(-1);
    if (last?.[2] === isWritable) last[1] = index;
    else runs.push([index, index, isWritable]);
  });
  return runs;
}

// --------------------------------------------------------------------------------------------------------- declarations

/** Writes `.ptxkit.decl`. */
function declare(
  { object, relocations, parameters, indices, numbers, debugIndices, debug }: Plan,
  declarations: Declarations,
): void {
  const { rows } = declarations;
  const { columns, symbols, sections, commons, undefinedTypes, shared } = object;
  declareModules(declarations, columns);
  symbols.forEach((row, number) => {
    const common = commons.get(number);
    const from = common?.first ?? row;
    const { module, line, column } = columns;
    const typeId = common?.typeId ?? undefinedTypes.get(number) ?? columns.typeId[row]!;
    const type = declareType(declarations, columns.types, typeId);
    const [elf, code, flags] = [numbers.elfOf[number]!, columns.code[row]!, columns.flags[row]!];
    putSymbol(rows, elf, code, flags, type, module[from]!, line[from]!, column[from]!);
  });
  const { runs, runStart } = relocations;
  sections.forEach(({ row, owner }, i) => {
    putSection(rows, indices.firstOwn + i, columns.role[row]!, owner, runs.words, runStart[i]!, runStart[i + 1]!);
  });
  parameters.forEach(({ kernel }, i) => {
    const { sharedBytes, dynamicSharedOffset } = shared[i] ?? NO_SHARED;
    putKernel(rows, object.definitionOf(kernel), sharedBytes, dynamicSharedOffset);
  });
  declareDebug(columns, debug, debugIndices, declarations);
}

/** Shared memory of a kernel in an object: the link lays it out. */
const NO_SHARED = { sharedBytes: 0, dynamicSharedOffset: 0 } as const;
