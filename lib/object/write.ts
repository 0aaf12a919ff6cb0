// An object or image -> the bytes of its ELF file. Sections stand in NVIDIA's order: names, symbols, notes, attributes, call
// graph, relocations, then the object's own sections, constant bank 0 of each kernel, and our declarations at the end.
// docs/format.md says what each holds. The bytes are a function of the object alone; its `name` is not in them.

import { currentFlags, encodeCudaInfo, targetFacts } from "../../formats/cuda/index.js";
import {
  ELFOSABI,
  EM,
  encodeNotes,
  encodeSymbols,
  ET,
  SHT,
  stringTableBuilder,
  SYMBOL_SIZE,
  writeElf,
  type ElfSectionSpec,
  type SectionContents,
  type StringTableBuilder,
} from "../../formats/elf/index.js";
import { callGraphBytes, prototypeBytes } from "./call-graph.js";
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
import { writeDeclarations } from "./declarations.js";
import { elfSymbols, type ElfSymbols, type ParameterSection } from "./elf-symbols.js";
import { functionInfo } from "./kernel-info.js";
import { moduleInfo } from "./module-info.js";
import type { CodeFacts, KernelInfo, ObjectFile, Section } from "./object.js";
import { parameterBase } from "./parameters.js";
import { undefinedCallees } from "./reached-facts.js";
import { encodeTable, relocationTables, tableShape, type RelocationTable } from "./relocation-tables.js";
import { segments } from "./segments.js";
import { roleShape, sectionShape, type SectionShape } from "./section-shape.js";

/** .shstrtab, .strtab and .symtab have these indices in every file. */
const STRINGS = 2;
const SYMBOLS = 3;

const NOTHING = new Uint8Array(0);

const bytes = (data: Uint8Array): SectionContents => ({ kind: "bytes", bytes: data });

const spec = (shape: SectionShape, contents: SectionContents, link = 0, info = 0): ElfSectionSpec => ({
  name: shape.name,
  type: shape.type,
  flags: shape.flags,
  entsize: shape.entsize,
  addralign: shape.addralign,
  link,
  info,
  contents,
});

/** Where everything stands in the file: ELF section indices. */
interface Plan {
  readonly object: ObjectFile;
  /** Of the object's sections. */
  readonly shapes: readonly SectionShape[];
  readonly functions: readonly number[];
  readonly tables: readonly RelocationTable[];
  readonly parameters: readonly (ParameterSection & { readonly kernel: KernelInfo })[];
  /** By symbol of the kernel. */
  readonly parametersOf: ReadonlyMap<number, ParameterSection & { readonly kernel: KernelInfo }>;
  /** ELF symbols of the undefined functions that a function calls, by its symbol. */
  readonly externs: ReadonlyMap<number, readonly number[]>;
  /** By symbol of the function. */
  readonly codeFacts: ReadonlyMap<number, CodeFacts>;
  readonly elfSection: (section: number) => number;
  readonly symbols: ElfSymbols;
  readonly debug: DebugLayout;
  /** ELF sections of `debug.sections`. */
  readonly debugIndices: readonly number[];
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

export function writeObject(object: ObjectFile, { buildId }: WriteOptions = {}): Uint8Array {
  const strings = stringTableBuilder();
  const plan = makePlan(object, strings);
  // These add to the names.
  const graph = graphSections(plan, strings);
  const encoded = encodeSymbols(plan.symbols.symbols);
  const sections = [
    ...headSections(plan, strings.bytes(), encoded.data),
    ...plan.functions.map((symbol) => functionInfoSection(plan, symbol)),
    ...graph,
    ...plan.tables.map((table) => relocationSection(plan, table)),
    ...relocated(plan.debug).map(({ section, index }) =>
      debugRelocationSection(plan, section, plan.debugIndices[index]!),
    ),
    ...object.sections.map((section, i) => dataSection(plan, section, plan.shapes[i]!)),
    ...plan.parameters.map((section) => parameterSection(plan, section)),
    ...plan.debug.sections.filter(({ name }) => name !== FRAME_NAME).map(debugSection),
    declarationSection(plan),
    ...(buildId === undefined ? [] : [buildIdSection(buildId)]),
  ];
  const extended: readonly ElfSectionSpec[] =
    encoded.extendedIndices === undefined
      ? []
      : [
          {
            name: ".symtab_shndx",
            type: SHT.SYMTAB_SHNDX,
            link: SYMBOLS,
            addralign: 4,
            entsize: 4,
            contents: bytes(encoded.extendedIndices),
          },
        ];
  return writeElf({
    type: object.type === "relocatable" ? ET.REL : ET.EXEC,
    machine: EM.CUDA,
    osabi: ELFOSABI.CUDA_V2,
    abiVersion: PTXKIT_ABI_VERSION,
    flags: currentFlags(object.target.sm),
    sections: [...sections, ...extended],
    segments: object.type === "executable" ? segments(plan.shapes, plan.elfSection) : [],
  });
}

// ----------------------------------------------------------------------------------------------------------------- plan

function makePlan(object: ObjectFile, strings: StringTableBuilder): Plan {
  const { writesRel } = targetFacts(object.target.sm);
  const isRela = (addend: bigint): boolean => !writesRel || addend !== 0n;
  const functions = object.sections.flatMap(({ role }) => (role.kind === "text" ? [role.symbol] : []));
  const shapes = object.sections.map(({ role }) => roleShape(role, object));
  const tables = object.sections.flatMap((section, of) => relocationTables(section, of, isRela));
  const graphSections = object.type === "relocatable" ? 2 : 1;
  const debug = layOutDebug(object);
  const firstOwn = FIRST_OF_FUNCTIONS + 1 + functions.length + graphSections + tables.length + relocated(debug).length;
  const elfSection = (section: number): number => firstOwn + section;
  const firstParameters = firstOwn + object.sections.length;
  const parameters = object.kernels.map((kernel, i) => ({
    kernel,
    index: firstParameters + i,
    name: `.nv.constant0.${object.symbols[kernel.symbol]!.name}`,
    bytes: kernel.parameterBytes,
    base: parameterBase(object.target.sm, kernel.parameterBytes),
  }));
  const sections = shapes.map(({ name }, i) => ({ index: elfSection(i), name }));
  const graph = FIRST_OF_FUNCTIONS + 1 + functions.length;
  const named = [...sections, { index: graph, name: ".nv.callgraph" }];
  const symbols = elfSymbols(object, named, parameters, elfSection, strings);
  const missing = [...undefinedCallees(object)];
  const externs = new Map(missing.map(([caller, callees]) => [caller, callees.map((i) => symbols.indexOf[i]!)]));
  const parametersOf = new Map(parameters.map((section) => [section.kernel.symbol, section]));
  const codeFacts = new Map(object.codeFacts.map((facts) => [facts.symbol, facts]));
  let nextDebug = firstParameters + parameters.length;
  const debugIndices = debug.sections.map(({ name }) => (name === FRAME_NAME ? DEBUG_FRAME : nextDebug++));
  return {
    object,
    shapes,
    functions,
    tables,
    parameters,
    parametersOf,
    externs,
    codeFacts,
    elfSection,
    symbols,
    debug,
    debugIndices,
    isRela,
  };
}

/** The ELF section of the text of function `symbol`, 0 when it has none. */
function textSection(plan: Plan, symbol: number): number {
  const { placement } = plan.object.symbols[symbol]!;
  return placement.kind === "section" ? plan.elfSection(placement.section) : 0;
}

// ------------------------------------------------------------------------------------------------------------- sections

const shape = (name: string, type: number, addralign: number, entsize = 0, flags = 0): SectionShape => ({
  name,
  type,
  flags,
  entsize,
  addralign,
});

const containerNote = encodeNotes([
  { ...PTXKIT_NOTE, description: new Uint8Array(Uint32Array.of(CONTAINER_VERSION).buffer) },
]);

function headSections(
  { object, symbols, debug }: Plan,
  names: Uint8Array,
  table: Uint8Array,
): readonly ElfSectionSpec[] {
  const frames = debug.sections.find(({ name }) => name === FRAME_NAME)?.bytes ?? NOTHING;
  const cuda = encodeCudaInfo({ virtualSm: object.target.sm, toolkit: FOLLOWED_TOOLKIT });
  return [
    spec(shape(".shstrtab", SHT.STRTAB, 1), { kind: "section-names" }),
    spec(shape(".strtab", SHT.STRTAB, 1), bytes(names)),
    spec(shape(".symtab", SHT.SYMTAB, 8, SYMBOL_SIZE), bytes(table), STRINGS, symbols.firstGlobal),
    spec(shape(FRAME_NAME, SHT.PROGBITS, 1), bytes(frames)),
    spec(shape(NOTE_SECTION, SHT.NOTE, 4), bytes(containerNote)),
    // e_flags says where it is.
    spec(sectionShape("cuinfo", object.type), bytes(encodeNotes([cuda]))),
    spec(sectionShape("info", object.type), bytes(moduleInfo(object, symbols.indexOf)), SYMBOLS),
  ];
}

function functionInfoSection(plan: Plan, symbol: number): ElfSectionSpec {
  const { object, symbols } = plan;
  const declared = object.symbols[symbol]!;
  const parameters = plan.parametersOf.get(symbol);
  const info =
    declared.kind !== "function"
      ? NOTHING
      : functionInfo({
          symbol: declared,
          sm: object.target.sm,
          ...(parameters === undefined ? {} : { kernel: parameters.kernel }),
          parameterSymbol: parameters === undefined ? 0 : symbols.sectionSymbol.get(parameters.index)!,
          parameterBase: parameters?.base ?? 0,
          externs: plan.externs.get(symbol) ?? [],
          code: plan.codeFacts.get(symbol),
        });
  const shaped = sectionShape("function-info", object.type, declared.name);
  return spec(shaped, bytes(info), SYMBOLS, textSection(plan, symbol));
}

/** .nv.callgraph, and in an object .nv.prototype. */
function graphSections({ object, symbols }: Plan, strings: StringTableBuilder): readonly ElfSectionSpec[] {
  const names = { indexOf: symbols.indexOf, strings };
  const graph = spec(sectionShape("callgraph", object.type), bytes(callGraphBytes(object, names)), SYMBOLS);
  if (object.type === "executable") return [graph];
  return [graph, spec(sectionShape("prototype", object.type), bytes(prototypeBytes(object, names)), SYMBOLS)];
}

function relocationSection({ symbols, shapes, elfSection }: Plan, table: RelocationTable): ElfSectionSpec {
  const contents = bytes(encodeTable(table, symbols.indexOf));
  return spec(tableShape(table, shapes[table.of]!.name), contents, SYMBOLS, elfSection(table.of));
}

function dataSection(plan: Plan, { role, align, data, size }: Section, base: SectionShape): ElfSectionSpec {
  const contents: SectionContents = data === undefined ? { kind: "no-bytes", size } : bytes(data);
  const shaped = { ...base, addralign: align };
  if (role.kind === "text") return spec(shaped, contents, SYMBOLS, plan.symbols.indexOf[role.symbol]!);
  return spec(shaped, contents, 0, role.kind === "shared" ? textSection(plan, role.symbol) : 0);
}

function parameterSection(plan: Plan, section: Plan["parameters"][number]): ElfSectionSpec {
  const { symbol } = section.kernel;
  const shaped = sectionShape("parameters", plan.object.type, plan.object.symbols[symbol]!.name);
  return spec(shaped, bytes(new Uint8Array(section.base + section.bytes)), 0, textSection(plan, symbol));
}

/** Debug sections that places in code and data are relocated in. */
const relocated = ({
  sections,
}: DebugLayout): readonly { readonly section: DebugElfSection; readonly index: number }[] =>
  sections.flatMap((section, index) => (section.relocations.length === 0 ? [] : [{ section, index }]));

/** Records with an addend for every target, because the bytes are not 0. */
function debugRelocationSection(
  { symbols }: Plan,
  { name, relocations }: DebugElfSection,
  info: number,
): ElfSectionSpec {
  const table = { of: info, rela: true, applied: false, relocations };
  return spec(tableShape(table, name), bytes(encodeTable(table, symbols.indexOf)), SYMBOLS, info);
}

const debugSection = ({ name, bytes: data }: DebugLayout["sections"][number]): ElfSectionSpec =>
  spec(shape(name, SHT.PROGBITS, 1), bytes(data));

function declarationSection(plan: Plan): ElfSectionSpec {
  const { object, symbols, isRela } = plan;
  const debug = plan.debug.parts.map(({ section, offset }) => ({ elf: plan.debugIndices[section]!, offset }));
  const sections = object.sections.map((_, i) => plan.elfSection(i));
  const declarations = writeDeclarations(object, { sections, symbols: symbols.indexOf, debug, isRela });
  return spec(shape(DECLARATION_SECTION, SHT.PROGBITS, 1), bytes(declarations));
}

const buildIdSection = (id: Uint8Array): ElfSectionSpec =>
  spec(shape(BUILD_ID_SECTION, SHT.NOTE, 4), bytes(encodeNotes([{ ...GNU_BUILD_ID, description: id }])));
