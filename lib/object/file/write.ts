// An object or image -> the bytes of its ELF file. Sections stand in NVIDIA's order: names, symbols, notes, attributes, call
// graph, relocations, then the object's own sections, constant bank 0 of each kernel, and our declarations at the end.
// docs/format.md says what each holds. The bytes are a function of the object alone; its `name` is not in them.

import { heldFile } from "./lazy-image.js";
import type { ByteWriter } from "../../../formats/bytes/writer.js";
import {
  currentFlags,
  encodeCudaInfo,
  targetFacts,
  writeCallGraph,
  writeInfo,
  writePrototypes,
} from "../../../formats/cuda/index.js";
import {
  createElfDraft,
  ELFOSABI,
  EM,
  encodeExtended,
  encodeNotes,
  ET,
  SHT,
  stringTableBuilder,
  SYMBOL_SIZE,
  writeSymbols,
  type ElfDraft,
  type ElfFrame,
  type StringTableBuilder,
} from "../../../formats/elf/index.js";
import { callGraph, prototypes } from "../attributes/call-graph.js";
import {
  BUILD_ID_SECTION,
  CONTAINER_VERSION,
  DECLARATION_SECTION,
  FOLLOWED_TOOLKIT,
  GNU_BUILD_ID,
  NOTE_SECTION,
  PTXKIT_ABI_VERSION,
  PTXKIT_NOTE,
} from "./container.js";
import { layOutDebug, type DebugElfSection, type DebugLayout } from "../dwarf/debug-layout.js";
import { encodeDeclarations } from "./declarations.js";
import { elfSymbols, type ElfSymbols, type NamedSection, type ParameterSection } from "./elf-symbols.js";
import { functionInfo } from "../attributes/kernel-info.js";
import { moduleInfo } from "../attributes/module-info.js";
import { addressSizeOf, type CodeSymbol, type KernelInfo, type ObjectFile, type Section } from "../object.js";
import { parameterBank, type ParameterBank } from "../parameters.js";
import { undefinedCallees } from "../attributes/reached-properties.js";
import { relocationTables, tableShape, writeTable, type RelocationTable } from "./relocation-tables.js";
import { segments } from "./segments.js";
import { roleShape, sectionShape, type SectionShape } from "../section-shape.js";

/** .shstrtab, .strtab and .symtab have these indices in every file. */
const STRINGS = 2;
const SYMBOLS = 3;

/** What the file is written with. */
interface Means {
  readonly draft: ElfDraft;
  /** Names of symbols. */
  readonly strings: StringTableBuilder;
}

/** Constant bank 0 of a kernel. */
interface KernelParameters extends ParameterSection {
  readonly kernel: KernelInfo;
  readonly bank: ParameterBank;
}

/** Where everything stands in the file: ELF section indices. */
interface Plan extends Means {
  readonly object: ObjectFile;
  /** Of the object's sections. */
  readonly shapes: readonly SectionShape[];
  /** Those with code, by symbol, in the order of their sections. */
  readonly functions: readonly number[];
  readonly tables: readonly RelocationTable[];
  readonly parameters: readonly KernelParameters[];
  readonly symbols: ElfSymbols;
  readonly debug: DebugLayout;
  /** ELF sections of `debug.sections`. */
  readonly debugIndices: readonly number[];
  elfSection(section: number): number;
  isRela(addend: bigint): boolean;
}

/** Also where a file has no call frames. */
const FRAME_NAME = ".debug_frame";
const DEBUG_FRAME = 4;

/** Sections in front of the attributes of functions. */
const HEADS = 7;

export interface WriteOptions {
  /** Stands in a note of its own; 20 bytes (build-id.ts). */
  readonly buildId?: Uint8Array;
}

/** The bytes of an object or an image: an ELF file (docs/format.md). */
export function writeObject(object: ObjectFile, options: WriteOptions = {}): Uint8Array {
  const held = options.buildId === undefined ? heldFile(object) : undefined;
  if (held !== undefined) return held.slice();
  const { draft, frame } = draftOf(object, options);
  return draft.finish(frame);
}

/** The file in parts, of which each is made when it is asked for: a large one need not be held whole beside its object. */
export function objectParts(object: ObjectFile, options: WriteOptions = {}): Iterable<Uint8Array> {
  const { draft, frame } = draftOf(object, options);
  return draft.parts(frame);
}

function draftOf(
  object: ObjectFile,
  { buildId }: WriteOptions,
): { readonly draft: ElfDraft; readonly frame: ElfFrame } {
  const [draft, strings] = [createElfDraft(), stringTableBuilder()];
  const plan = makePlan(object, { draft, strings });
  putSections(plan, buildId);
  draft.take(STRINGS, strings.bytes());
  const frame = {
    type: object.type === "relocatable" ? ET.REL : ET.EXEC,
    machine: EM.CUDA,
    osabi: ELFOSABI.CUDA_V2,
    abiVersion: PTXKIT_ABI_VERSION,
    flags: currentFlags(object.target.sm, addressSizeOf(object)),
    segments: object.type === "executable" ? segments(plan.shapes, plan.elfSection) : [],
  };
  return { draft, frame };
}

/** In the order of the file. */
function putSections(plan: Plan, buildId: Uint8Array | undefined): void {
  const { object, debug, debugIndices, tables, parameters, shapes } = plan;
  putHead(plan);
  putFunctionInfo(plan);
  putGraph(plan);
  for (let i = 0; i < tables.length; i++) putTable(plan, tables[i]!);
  for (const { section, index } of relocated(debug)) putDebugRelocations(plan, section, debugIndices[index]!);
  for (let i = 0; i < shapes.length; i++) putData(plan, object.sections[i]!, shapes[i]!);
  for (const section of parameters) putParameters(plan, section);
  for (const { name, bytes } of debug.sections)
    if (name !== FRAME_NAME) plan.draft.take(plan.draft.add(name, DEBUG), bytes);
  putDeclarations(plan);
  if (buildId !== undefined)
    begin(plan, shape(BUILD_ID_SECTION, SHT.NOTE, 4)).put(encodeNotes([{ ...GNU_BUILD_ID, description: buildId }]));
  const extended = encodeExtended(plan.symbols.symbols);
  if (extended !== undefined) begin(plan, shape(".symtab_shndx", SHT.SYMTAB_SHNDX, 4, 4), SYMBOLS).put(extended);
}

/** Begins a section. Returns what its contents are written to. */
const begin = ({ draft }: Means, shaped: SectionShape, link = 0, info = 0): ByteWriter =>
  draft.fill(draft.add(shaped.name, shaped, link, info));

// ----------------------------------------------------------------------------------------------------------------- plan

function makePlan(object: ObjectFile, means: Means): Plan {
  const { writesRel } = targetFacts(object.target.sm);
  const isRela = (addend: bigint): boolean => !writesRel || addend !== 0n;
  const functions = attributedFunctions(object);
  const tables = allTables(object.sections, isRela);
  const shapes = shapesOf(object);
  const debug = layOutDebug(object);
  const graph = HEADS + 1 + functions.length;
  const graphSections = object.type === "relocatable" ? 2 : 1;
  const firstOwn = graph + graphSections + tables.length + relocated(debug).length;
  const elfSection = (section: number): number => firstOwn + section;
  const firstParameters = firstOwn + shapes.length;
  const parameters = parametersOf(object, firstParameters);
  const named = namedSections(shapes, firstOwn, graph);
  const symbols = elfSymbols(object, named, parameters, elfSection, means.strings);
  let nextDebug = firstParameters + parameters.length;
  const debugIndices = debug.sections.map(({ name }) => (name === FRAME_NAME ? DEBUG_FRAME : nextDebug++));
  return {
    draft: means.draft,
    strings: means.strings,
    object,
    shapes,
    functions,
    tables,
    parameters,
    symbols,
    debug,
    debugIndices,
    elfSection,
    isRela,
  };
}

// A link of texts goes through these once for each: in small functions, which the engine seldom has to optimise.

/** Those that have code. */
function attributedFunctions({ sections }: ObjectFile): readonly number[] {
  const functions: number[] = [];
  for (let i = 0; i < sections.length; i++) {
    const { role } = sections[i]!;
    if (role.kind === "text") functions.push(role.symbol);
  }
  return functions;
}

function allTables(sections: readonly Section[], isRela: Plan["isRela"]): readonly RelocationTable[] {
  const all: RelocationTable[] = [];
  for (let i = 0; i < sections.length; i++) {
    const tables = relocationTables(sections[i]!, i, isRela);
    for (let j = 0; j < tables.length; j++) all.push(tables[j]!);
  }
  return all;
}

function shapesOf(object: ObjectFile): readonly SectionShape[] {
  const shapes: SectionShape[] = [];
  for (let i = 0; i < object.sections.length; i++) shapes.push(roleShape(object.sections[i]!.role, object));
  return shapes;
}

function namedSections(shapes: readonly SectionShape[], first: number, graph: number): readonly NamedSection[] {
  const named: NamedSection[] = [];
  for (let i = 0; i < shapes.length; i++) named.push({ index: first + i, name: shapes[i]!.name });
  named.push({ index: graph, name: ".nv.callgraph" });
  return named;
}

const parametersOf = ({ kernels, symbols, target }: ObjectFile, first: number): readonly KernelParameters[] =>
  kernels.map((kernel, i) => {
    const { name, prototype } = symbols[kernel.symbol] as CodeSymbol;
    const bank = parameterBank(prototype, target.sm);
    return { kernel, index: first + i, name: `.nv.constant0.${name}`, bytes: bank.bytes, base: bank.base, bank };
  });

/** The ELF section of the text of function `symbol`, 0 when it has none. */
function textSection({ object, elfSection }: Plan, symbol: number): number {
  const { placement } = object.symbols[symbol]!;
  return placement.kind === "section" ? elfSection(placement.section) : 0;
}

// ------------------------------------------------------------------------------------------------------------- sections

const shape = (name: string, type: number, addralign: number, entsize = 0): SectionShape => ({
  name,
  type,
  flags: 0,
  entsize,
  addralign,
});

const DEBUG = { type: SHT.PROGBITS, flags: 0, addralign: 1, entsize: 0 } as const;

const containerNote = encodeNotes([
  { ...PTXKIT_NOTE, description: new Uint8Array(Uint32Array.of(CONTAINER_VERSION).buffer) },
]);

/** The tables, notes, and attributes of the file. */
function putHead(plan: Plan): void {
  const { object, symbols, debug, draft } = plan;
  begin(plan, shape(".shstrtab", SHT.STRTAB, 1));
  // Further names come.
  begin(plan, shape(".strtab", SHT.STRTAB, 1));
  writeSymbols(
    begin(plan, shape(".symtab", SHT.SYMTAB, 8, SYMBOL_SIZE), STRINGS, symbols.firstGlobal),
    symbols.symbols,
  );
  draft.add(FRAME_NAME, DEBUG);
  for (const { name, bytes } of debug.sections) if (name === FRAME_NAME) draft.take(DEBUG_FRAME, bytes);
  begin(plan, shape(NOTE_SECTION, SHT.NOTE, 4)).put(containerNote);
  // e_flags says where it is.
  const cuda = encodeCudaInfo({ virtualSm: object.target.sm, toolkit: FOLLOWED_TOOLKIT });
  begin(plan, sectionShape("cuinfo", object.type)).put(encodeNotes([cuda]));
  writeInfo(begin(plan, sectionShape("info", object.type), SYMBOLS), moduleInfo(object, symbols.indexOf));
}

/** `.nv.info.<function>` of each. */
function putFunctionInfo(plan: Plan): void {
  const { object, symbols, parameters } = plan;
  const callees = undefinedCallees(object);
  const facts = new Map(object.codeFacts.map((each) => [each.symbol, each]));
  const kernels = new Map(parameters.map(({ kernel }, i) => [kernel.symbol, i]));
  for (const symbol of plan.functions) {
    const declared = object.symbols[symbol]!;
    const shaped = sectionShape("function-info", object.type, declared.name);
    const into = begin(plan, shaped, SYMBOLS, textSection(plan, symbol));
    const kernel = kernels.get(symbol);
    const code = facts.get(symbol);
    const externs = callees.get(symbol);
    const isSilent = kernel === undefined && code === undefined && externs === undefined;
    if (declared.kind !== "function" || isSilent) continue;
    const own = kernel === undefined ? undefined : parameters[kernel]!;
    const info = functionInfo({
      symbol: declared,
      sm: object.target.sm,
      kernel: own?.kernel,
      parameterSymbol: kernel === undefined ? 0 : symbols.firstParameters + kernel,
      bank: own?.bank,
      externs: externs?.map((callee) => symbols.indexOf[callee]!) ?? [],
      code,
    });
    writeInfo(into, info);
  }
}

/** .nv.callgraph, and in an object .nv.prototype. They add to the names. */
function putGraph(plan: Plan): void {
  const { object, symbols, strings } = plan;
  const names = { indexOf: symbols.indexOf, strings };
  writeCallGraph(begin(plan, sectionShape("callgraph", object.type), SYMBOLS), callGraph(object, names));
  if (object.type === "executable") return;
  writePrototypes(begin(plan, sectionShape("prototype", object.type), SYMBOLS), prototypes(object, names));
}

function putTable(plan: Plan, table: RelocationTable): void {
  const shaped = tableShape(table, plan.shapes[table.of]!.name);
  writeTable(begin(plan, shaped, SYMBOLS, plan.elfSection(table.of)), table, plan.symbols.indexOf);
}

function putData(plan: Plan, { role, align, data, size }: Section, base: SectionShape): void {
  const { draft, symbols } = plan;
  const { type, flags, entsize } = base;
  const isText = role.kind === "text";
  const info = isText ? symbols.indexOf[role.symbol]! : role.kind === "shared" ? textSection(plan, role.symbol) : 0;
  const section = draft.add(base.name, { type, flags, entsize, addralign: align }, isText ? SYMBOLS : 0, info);
  if (data === undefined) draft.setSize(section, size);
  else draft.take(section, data);
}

function putParameters(plan: Plan, { kernel, base, bytes }: KernelParameters): void {
  const { object } = plan;
  const shaped = sectionShape("parameters", object.type, object.symbols[kernel.symbol]!.name);
  begin(plan, shaped, 0, textSection(plan, kernel.symbol)).zeros(base + bytes);
}

/** Debug sections that places in code and data are relocated in. */
function relocated({ sections }: DebugLayout): readonly Relocated[] {
  const found: Relocated[] = [];
  for (let index = 0; index < sections.length; index++) {
    const section = sections[index]!;
    if (section.relocations.length > 0) found.push({ section, index });
  }
  return found;
}

interface Relocated {
  readonly section: DebugElfSection;
  readonly index: number;
}

/** Records with an addend for every target, because the bytes are not 0. */
function putDebugRelocations(plan: Plan, { name, relocations }: DebugElfSection, info: number): void {
  const table = { of: info, rela: true, applied: false, relocations };
  writeTable(begin(plan, tableShape(table, name), SYMBOLS, info), table, plan.symbols.indexOf);
}

function putDeclarations(plan: Plan): void {
  const { object, symbols, isRela, elfSection, debugIndices } = plan;
  const debug = plan.debug.parts.map(({ section, offset }) => ({ elf: debugIndices[section]!, offset }));
  const bytes = encodeDeclarations(object, { elfSection, symbols: symbols.indexOf, debug, isRela });
  plan.draft.take(plan.draft.add(DECLARATION_SECTION, shape(DECLARATION_SECTION, SHT.PROGBITS, 4)), bytes);
}
