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

/** A section of the file before its contents are known: they need the indices of the others. */
interface Draft {
  readonly shape: SectionShape;
  readonly link?: number;
  readonly info?: number;
  readonly contents: () => SectionContents;
}

const NOTHING = new Uint8Array(0);

const bytes = (data: Uint8Array): SectionContents => ({ kind: "bytes", bytes: data });

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
  const drafts = [
    ...headDrafts(plan),
    ...plan.functions.map((symbol) => functionInfoDraft(plan, symbol)),
    ...graphDrafts(plan, strings),
    ...plan.tables.map((table) => relocationDraft(plan, table)),
    ...relocated(plan.debug).map(({ section, index }) =>
      debugRelocationDraft(plan, section, plan.debugIndices[index]!),
    ),
    ...object.sections.map((section, i) => dataDraft(plan, section, plan.shapes[i]!)),
    ...plan.parameters.map((section) => parameterDraft(plan, section)),
    ...plan.debug.sections.filter(({ name }) => name !== FRAME_NAME).map(debugDraft),
    declarationDraft(plan),
    ...(buildId === undefined ? [] : [buildIdDraft(buildId)]),
  ];
  const encoded = encodeSymbols(plan.symbols.symbols);
  const sections = drafts.map((draft): ElfSectionSpec => ({
    name: draft.shape.name,
    type: draft.shape.type,
    flags: draft.shape.flags,
    entsize: draft.shape.entsize,
    addralign: draft.shape.addralign,
    link: draft.link ?? 0,
    info: draft.info ?? 0,
    contents: draft.contents(),
  }));
  // The contents of these two are complete only now: every name has been added.
  sections[STRINGS - 1] = { ...sections[STRINGS - 1]!, contents: bytes(strings.bytes()) };
  sections[SYMBOLS - 1] = { ...sections[SYMBOLS - 1]!, contents: bytes(encoded.data) };
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

// --------------------------------------------------------------------------------------------------------------- drafts

const shape = (name: string, type: number, addralign: number, entsize = 0, flags = 0): SectionShape => ({
  name,
  type,
  flags,
  entsize,
  addralign,
});

function headDrafts({ object, symbols, debug }: Plan): readonly Draft[] {
  const note = new Uint8Array(Uint32Array.of(CONTAINER_VERSION).buffer);
  const frames = debug.sections.find(({ name }) => name === FRAME_NAME)?.bytes ?? NOTHING;
  const cuda = encodeCudaInfo({ virtualSm: object.target.sm, toolkit: FOLLOWED_TOOLKIT });
  return [
    { shape: shape(".shstrtab", SHT.STRTAB, 1), contents: () => ({ kind: "section-names" }) },
    { shape: shape(".strtab", SHT.STRTAB, 1), contents: () => bytes(NOTHING) },
    {
      shape: shape(".symtab", SHT.SYMTAB, 8, SYMBOL_SIZE),
      link: STRINGS,
      info: symbols.firstGlobal,
      contents: () => bytes(NOTHING),
    },
    { shape: shape(FRAME_NAME, SHT.PROGBITS, 1), contents: () => bytes(frames) },
    {
      shape: shape(NOTE_SECTION, SHT.NOTE, 4),
      contents: () => bytes(encodeNotes([{ ...PTXKIT_NOTE, description: note }])),
    },
    // e_flags says where it is.
    { shape: sectionShape("cuinfo", object.type), contents: () => bytes(encodeNotes([cuda])) },
    {
      shape: sectionShape("info", object.type),
      link: SYMBOLS,
      contents: () => bytes(moduleInfo(object, symbols.indexOf)),
    },
  ];
}

function functionInfoDraft(plan: Plan, symbol: number): Draft {
  const { object, symbols } = plan;
  const declared = object.symbols[symbol]!;
  const parameters = plan.parametersOf.get(symbol);
  return {
    shape: sectionShape("function-info", object.type, declared.name),
    link: SYMBOLS,
    info: textSection(plan, symbol),
    contents: () =>
      bytes(
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
            }),
      ),
  };
}

/** .nv.callgraph, and in an object .nv.prototype. */
function graphDrafts({ object, symbols }: Plan, strings: StringTableBuilder): readonly Draft[] {
  const names = { indexOf: symbols.indexOf, strings };
  const graph: Draft = {
    shape: sectionShape("callgraph", object.type),
    link: SYMBOLS,
    contents: () => bytes(callGraphBytes(object, names)),
  };
  if (object.type === "executable") return [graph];
  return [
    graph,
    {
      shape: sectionShape("prototype", object.type),
      link: SYMBOLS,
      contents: () => bytes(prototypeBytes(object, names)),
    },
  ];
}

function relocationDraft(plan: Plan, table: RelocationTable): Draft {
  const { indexOf } = plan.symbols;
  return {
    shape: tableShape(table, plan.shapes[table.of]!.name),
    link: SYMBOLS,
    info: plan.elfSection(table.of),
    contents: () => bytes(encodeTable(table, (symbol) => indexOf[symbol]!)),
  };
}

function dataDraft(plan: Plan, section: Section, base: SectionShape): Draft {
  const { role, align, data, size } = section;
  const contents = (): SectionContents => (data === undefined ? { kind: "no-bytes", size } : bytes(data));
  const shaped = { ...base, addralign: align };
  if (role.kind === "text") return { shape: shaped, link: SYMBOLS, info: plan.symbols.indexOf[role.symbol]!, contents };
  if (role.kind === "shared") return { shape: shaped, info: textSection(plan, role.symbol), contents };
  return { shape: shaped, contents };
}

function parameterDraft(plan: Plan, section: Plan["parameters"][number]): Draft {
  const { symbol } = section.kernel;
  return {
    shape: { ...sectionShape("parameters", plan.object.type, plan.object.symbols[symbol]!.name) },
    info: textSection(plan, symbol),
    contents: () => bytes(new Uint8Array(section.base + section.bytes)),
  };
}

/** Debug sections that places in code and data are relocated in. */
const relocated = ({
  sections,
}: DebugLayout): readonly { readonly section: DebugElfSection; readonly index: number }[] =>
  sections.flatMap((section, index) => (section.relocations.length === 0 ? [] : [{ section, index }]));

/** Records with an addend for every target, because the bytes are not 0. */
function debugRelocationDraft({ symbols }: Plan, { name, relocations }: DebugElfSection, info: number): Draft {
  const table = { of: info, rela: true, applied: false, relocations };
  return {
    shape: tableShape(table, name),
    link: SYMBOLS,
    info,
    contents: () => bytes(encodeTable(table, (symbol) => symbols.indexOf[symbol]!)),
  };
}

const debugDraft = ({ name, bytes: data }: DebugLayout["sections"][number]): Draft => ({
  shape: shape(name, SHT.PROGBITS, 1),
  contents: () => bytes(data),
});

function declarationDraft(plan: Plan): Draft {
  const { object, symbols, isRela } = plan;
  const debug = plan.debug.parts.map(({ section, offset }) => ({ elf: plan.debugIndices[section]!, offset }));
  const sections = object.sections.map((_, i) => plan.elfSection(i));
  return {
    shape: shape(DECLARATION_SECTION, SHT.PROGBITS, 1),
    contents: () => bytes(writeDeclarations(object, { sections, symbols: symbols.indexOf, debug, isRela })),
  };
}

function buildIdDraft(id: Uint8Array): Draft {
  return {
    shape: shape(BUILD_ID_SECTION, SHT.NOTE, 4),
    contents: () => bytes(encodeNotes([{ ...GNU_BUILD_ID, description: id }])),
  };
}
