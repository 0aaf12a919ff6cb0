// An object or image -> the bytes of its ELF file. Sections stand in NVIDIA's order: names, symbols, notes, attributes, call
// graph, relocations, then the object's own sections, constant bank 0 of each kernel, and our declarations at the end.
// docs/format.md says what each holds. The bytes are a function of the object alone; its `name` is not in them.

import { ByteWriter } from "../../formats/bytes/writer.js";
import {
  currentFlags,
  encodeCudaInfo,
  targetFacts,
  writeCallGraph,
  writeInfo,
  writePrototypes,
} from "../../formats/cuda/index.js";
import {
  ELFOSABI,
  EM,
  encodeNotes,
  encodeExtended,
  ET,
  SHT,
  stringTableBuilder,
  SYMBOL_SIZE,
  writeElf,
  writeSymbols,
  type ElfSectionSpec,
  type SectionContents,
  type StringTableBuilder,
} from "../../formats/elf/index.js";
import { callGraph, prototypes } from "./call-graph.js";
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
import { layOutDebug, type DebugElfSection, type DebugLayout } from "./debug-layout.js";
import { createDeclarationWriter, type DeclarationWriter } from "./declarations.js";
import { elfSymbols, type ElfSymbols, type ParameterSection } from "./elf-symbols.js";
import { functionInfo } from "./kernel-info.js";
import { moduleInfo } from "./module-info.js";
import type { KernelInfo, ObjectFile, Section } from "./object.js";
import { parameterBase } from "./parameters.js";
import { undefinedCallees } from "./reached-facts.js";
import { relocationTables, tableShape, writeTable, type RelocationTable } from "./relocation-tables.js";
import { segments } from "./segments.js";
import { roleShape, sectionShape, type SectionShape } from "./section-shape.js";

/** .shstrtab, .strtab and .symtab have these indices in every file. */
const STRINGS = 2;
const SYMBOLS = 3;

const bytes = (data: Uint8Array): SectionContents => ({ kind: "bytes", bytes: data });

const spec = (
  { name, type, flags, entsize, addralign }: SectionShape,
  contents: SectionContents,
  link = 0,
  info = 0,
): ElfSectionSpec => ({ name, type, flags, entsize, addralign, link, info, contents });

const NOTHING = bytes(new Uint8Array(0));

/** Working memory: what the next file is written with again. */
interface Memory {
  /** Contents of the sections that are made here, one behind the other. */
  readonly contents: ByteWriter;
  readonly sectionNames: StringTableBuilder;
  /** Names of symbols. */
  readonly strings: StringTableBuilder;
  readonly declare: DeclarationWriter;
}

/** Constant bank 0 of a kernel. */
interface KernelParameters extends ParameterSection {
  readonly kernel: KernelInfo;
}

/** Where everything stands in the file: ELF section indices. */
interface Plan extends Memory {
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

/** Sections in front of those of functions: 4 notes and attributes behind the three tables. */
const FIRST_OF_FUNCTIONS = 7;

export interface WriteOptions {
  /** Stands in a note of its own; 20 bytes (build-id.ts). */
  readonly buildId?: Uint8Array;
}

export type ObjectWriter = (object: ObjectFile, options?: WriteOptions) => Uint8Array;

export const writeObject: ObjectWriter = (object, options) => createObjectWriter()(object, options);

/** Writes object after object, all in the same working memory. */
export function createObjectWriter(): ObjectWriter {
  const memory: Memory = {
    contents: new ByteWriter(1 << 13),
    sectionNames: stringTableBuilder(),
    strings: stringTableBuilder(),
    declare: createDeclarationWriter(),
  };
  return (object, { buildId } = {}) => {
    memory.contents.clear();
    memory.strings.clear();
    const plan = makePlan(object, memory);
    const file = {
      type: object.type === "relocatable" ? ET.REL : ET.EXEC,
      machine: EM.CUDA,
      osabi: ELFOSABI.CUDA_V2,
      abiVersion: PTXKIT_ABI_VERSION,
      flags: currentFlags(object.target.sm),
      sections: sectionsOf(plan, buildId),
      segments: object.type === "executable" ? segments(plan.shapes, plan.elfSection) : [],
    };
    return writeElf(file, memory.sectionNames);
  };
}

function sectionsOf(plan: Plan, buildId: Uint8Array | undefined): readonly ElfSectionSpec[] {
  const { object, debug, debugIndices, tables, parameters, shapes } = plan;
  const { symbols } = plan.symbols;
  // This adds to the names.
  const graph = graphSections(plan);
  const sections = [...headSections(plan), ...functionSections(plan), ...graph];
  for (const table of tables) sections.push(relocationSection(plan, table));
  for (const { section, index } of relocated(debug))
    sections.push(debugRelocationSection(plan, section, debugIndices[index]!));
  object.sections.forEach((section, i) => sections.push(dataSection(plan, section, shapes[i]!)));
  for (const section of parameters) sections.push(parameterSection(plan, section));
  for (const section of debug.sections) if (section.name !== FRAME_NAME) sections.push(debugSection(section));
  sections.push(declarationSection(plan));
  if (buildId !== undefined) sections.push(buildIdSection(buildId));
  const extended = encodeExtended(symbols);
  if (extended !== undefined)
    sections.push(spec(shape(".symtab_shndx", SHT.SYMTAB_SHNDX, 4, 4), bytes(extended), SYMBOLS));
  return sections;
}

/** What `write` writes. */
function made({ contents }: Memory, write: (into: ByteWriter) => void): SectionContents {
  const start = contents.length;
  write(contents);
  return contents.length === start ? NOTHING : bytes(contents.view(start));
}

// ----------------------------------------------------------------------------------------------------------------- plan

function makePlan(object: ObjectFile, memory: Memory): Plan {
  const { sm } = object.target;
  const { writesRel } = targetFacts(sm);
  const isRela = (addend: bigint): boolean => !writesRel || addend !== 0n;
  const functions: number[] = [];
  const tables: RelocationTable[] = [];
  object.sections.forEach((section, of) => {
    if (section.role.kind === "text") functions.push(section.role.symbol);
    for (const table of relocationTables(section, of, isRela)) tables.push(table);
  });
  const shapes = object.sections.map(({ role }) => roleShape(role, object));
  const debug = layOutDebug(object);
  const graph = FIRST_OF_FUNCTIONS + 1 + functions.length;
  const graphSections = object.type === "relocatable" ? 2 : 1;
  const firstOwn = graph + graphSections + tables.length + relocated(debug).length;
  const elfSection = (section: number): number => firstOwn + section;
  const firstParameters = firstOwn + object.sections.length;
  const parameters = object.kernels.map((kernel, i) => ({
    kernel,
    index: firstParameters + i,
    name: `.nv.constant0.${object.symbols[kernel.symbol]!.name}`,
    bytes: kernel.parameterBytes,
    base: parameterBase(sm, kernel.parameterBytes),
  }));
  const named = shapes.map(({ name }, i) => ({ index: elfSection(i), name }));
  named.push({ index: graph, name: ".nv.callgraph" });
  const symbols = elfSymbols(object, named, parameters, elfSection, memory.strings);
  let nextDebug = firstParameters + parameters.length;
  const debugIndices = debug.sections.map(({ name }) => (name === FRAME_NAME ? DEBUG_FRAME : nextDebug++));
  const layout = { shapes, functions, tables, parameters, elfSection, symbols, debug, debugIndices };
  return { ...memory, ...layout, object, isRela };
}

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

const containerNote = bytes(
  encodeNotes([{ ...PTXKIT_NOTE, description: new Uint8Array(Uint32Array.of(CONTAINER_VERSION).buffer) }]),
);

function headSections(plan: Plan): readonly ElfSectionSpec[] {
  const { object, symbols, debug, strings } = plan;
  const frames = debug.sections.find(({ name }) => name === FRAME_NAME);
  const cuda = encodeCudaInfo({ virtualSm: object.target.sm, toolkit: FOLLOWED_TOOLKIT });
  const table = made(plan, (into) => writeSymbols(into, symbols.symbols));
  const info = made(plan, (into) => writeInfo(into, moduleInfo(object, symbols.indexOf)));
  return [
    spec(shape(".shstrtab", SHT.STRTAB, 1), { kind: "section-names" }),
    spec(shape(".strtab", SHT.STRTAB, 1), bytes(strings.bytes())),
    spec(shape(".symtab", SHT.SYMTAB, 8, SYMBOL_SIZE), table, STRINGS, symbols.firstGlobal),
    spec(shape(FRAME_NAME, SHT.PROGBITS, 1), frames === undefined ? NOTHING : bytes(frames.bytes)),
    spec(shape(NOTE_SECTION, SHT.NOTE, 4), containerNote),
    // e_flags says where it is.
    spec(sectionShape("cuinfo", object.type), bytes(encodeNotes([cuda]))),
    spec(sectionShape("info", object.type), info, SYMBOLS),
  ];
}

/** `.nv.info.<function>` of each. */
function functionSections(plan: Plan): readonly ElfSectionSpec[] {
  const { object, symbols, parameters, functions } = plan;
  const callees = undefinedCallees(object);
  const facts = new Map(object.codeFacts.map((each) => [each.symbol, each]));
  const kernels = new Map(parameters.map(({ kernel }, i) => [kernel.symbol, i]));
  return functions.map((symbol) => {
    const declared = object.symbols[symbol]!;
    const kernel = kernels.get(symbol);
    const bank = kernel === undefined ? undefined : parameters[kernel]!;
    const code = facts.get(symbol);
    const externs = callees.get(symbol);
    const isSilent = bank === undefined && code === undefined && externs === undefined;
    const contents =
      declared.kind !== "function" || isSilent
        ? NOTHING
        : made(plan, (into) =>
            writeInfo(
              into,
              functionInfo({
                symbol: declared,
                sm: object.target.sm,
                kernel: bank?.kernel,
                parameterSymbol: kernel === undefined ? 0 : symbols.firstParameters + kernel,
                parameterBase: bank?.base ?? 0,
                externs: externs?.map((callee) => symbols.indexOf[callee]!) ?? [],
                code,
              }),
            ),
          );
    return spec(
      sectionShape("function-info", object.type, declared.name),
      contents,
      SYMBOLS,
      textSection(plan, symbol),
    );
  });
}

/** .nv.callgraph, and in an object .nv.prototype. */
function graphSections(plan: Plan): readonly ElfSectionSpec[] {
  const { object, symbols, strings } = plan;
  const names = { indexOf: symbols.indexOf, strings };
  const calls = made(plan, (into) => writeCallGraph(into, callGraph(object, names)));
  const graph = spec(sectionShape("callgraph", object.type), calls, SYMBOLS);
  if (object.type === "executable") return [graph];
  const types = made(plan, (into) => writePrototypes(into, prototypes(object, names)));
  return [graph, spec(sectionShape("prototype", object.type), types, SYMBOLS)];
}

function relocationSection(plan: Plan, table: RelocationTable): ElfSectionSpec {
  const contents = made(plan, (into) => writeTable(into, table, plan.symbols.indexOf));
  return spec(tableShape(table, plan.shapes[table.of]!.name), contents, SYMBOLS, plan.elfSection(table.of));
}

function dataSection(plan: Plan, { role, align, data, size }: Section, base: SectionShape): ElfSectionSpec {
  const contents: SectionContents = data === undefined ? { kind: "no-bytes", size } : bytes(data);
  const { name, type, flags, entsize } = base;
  const shaped = { name, type, flags, entsize, addralign: align };
  if (role.kind === "text") return spec(shaped, contents, SYMBOLS, plan.symbols.indexOf[role.symbol]!);
  return spec(shaped, contents, 0, role.kind === "shared" ? textSection(plan, role.symbol) : 0);
}

function parameterSection(plan: Plan, { kernel, base, bytes: size }: KernelParameters): ElfSectionSpec {
  const { object } = plan;
  const zeros = made(plan, (into) => into.zeros(base + size));
  const shaped = sectionShape("parameters", object.type, object.symbols[kernel.symbol]!.name);
  return spec(shaped, zeros, 0, textSection(plan, kernel.symbol));
}

/** Debug sections that places in code and data are relocated in. */
const relocated = ({
  sections,
}: DebugLayout): readonly { readonly section: DebugElfSection; readonly index: number }[] =>
  sections.flatMap((section, index) => (section.relocations.length === 0 ? [] : [{ section, index }]));

/** Records with an addend for every target, because the bytes are not 0. */
function debugRelocationSection(plan: Plan, { name, relocations }: DebugElfSection, info: number): ElfSectionSpec {
  const table = { of: info, rela: true, applied: false, relocations };
  const contents = made(plan, (into) => writeTable(into, table, plan.symbols.indexOf));
  return spec(tableShape(table, name), contents, SYMBOLS, info);
}

const debugSection = ({ name, bytes: data }: DebugElfSection): ElfSectionSpec =>
  spec(shape(name, SHT.PROGBITS, 1), bytes(data));

function declarationSection(plan: Plan): ElfSectionSpec {
  const { object, symbols, isRela, debugIndices } = plan;
  const debug = plan.debug.parts.map(({ section, offset }) => ({ elf: debugIndices[section]!, offset }));
  const sections = object.sections.map((_, i) => plan.elfSection(i));
  const indices = { sections, symbols: symbols.indexOf, debug, isRela };
  return spec(
    shape(DECLARATION_SECTION, SHT.PROGBITS, 1),
    made(plan, (into) => plan.declare(into, object, indices)),
  );
}

const buildIdSection = (id: Uint8Array): ElfSectionSpec =>
  spec(shape(BUILD_ID_SECTION, SHT.NOTE, 4), bytes(encodeNotes([{ ...GNU_BUILD_ID, description: id }])));
