// Reads a ptxkit ELF file as an object or image, and checks every index. Sections stay views on the input and code is not
// decoded: reading costs the symbol table and the declarations. docs/format.md. NVIDIA's own files are rejected here (their .text
// is machine code); lib/inspect shows them without this reader.

import {
  callGraphLists,
  currentFlags,
  MAX_PARAMETER_BYTES,
  readCallGraph,
  targetFacts,
  type CallGraph,
} from "../../../formats/cuda/index.js";
import { decoding, malformed, need } from "../../../formats/bytes/malformed.js";
import type { Result } from "../../../formats/bytes/result.js";
import {
  EM,
  ET,
  notesOf,
  readElf,
  sectionNamed,
  SHT,
  SHT_CUDA,
  SYMBOL_SIZE,
  symbolsOf,
  type ElfFile,
  type ElfSection,
  type SymbolTable,
} from "../../../formats/elf/index.js";
import type { CodeName } from "../../diag/codes.table.js";
import type { DiagnosticSink } from "../../diag/sink.js";
import {
  cudaFileKind,
  CONTAINER_VERSION,
  DECLARATION_SECTION,
  NOTE_SECTION,
  PTXKIT_ABI_VERSION,
  PTXKIT_NOTE,
} from "./container.js";
import { readCodeProperties } from "../attributes/code-properties.js";
import { debugElfName } from "../dwarf/debug-layout.js";
import type { DebugSection } from "../dwarf/debug-sections.js";
import {
  readDeclarations,
  type DebugNote,
  type Declarations,
  type SectionNote,
  type SymbolNote,
} from "./read-declarations.js";
import {
  addressSizeOf,
  type KernelInfo,
  type ObjectFile,
  type ObjectSymbol,
  type Placement,
  type Section,
} from "../object.js";
import { kernelInfo } from "../parameters.js";
import { checkOverlap, checkFileLayout } from "./file-layout.js";
import { checkRole } from "./section-role.js";
import { checkDeclared, checkModules } from "./declared-checks.js";
import { appliedRelocations, mergeRelocations, relocationTables } from "./read-relocations.js";
import { checkPlace, checkShared, placementOf } from "./symbol-place.js";

/** Reads an object or image; undefined if that fails, which is reported. `name`: the file's name, for messages. */
export function readObject(bytes: Uint8Array, name: string, sink: DiagnosticSink): ObjectFile | undefined {
  if (cudaFileKind(bytes) === "nvidia") {
    sink.report(
      "machine-code",
      `machine code (SASS) of NVIDIA's; ptxkit links PTX and its own objects`,
      { kind: "bytes", file: name, offset: 0 },
      {
        remedy: "use the PTX from which it was compiled, for example from nvcc --ptx or cuobjdump -ptx",
      },
    );
    return undefined;
  }
  const result = decodeObject(bytes, name);
  if (result.ok) return result.value;
  const { code, offset, what } = result.error;
  const diagnostic: CodeName = code === "bad-magic" ? "unknown-format" : "malformed-file";
  sink.report(diagnostic, what, { kind: "bytes", file: name, offset });
  return undefined;
}

/** The same with the error as a value. */
export function decodeObject(bytes: Uint8Array, name: string): Result<ObjectFile> {
  return decoding(() => {
    const file = need(readElf(bytes));
    const { header } = file;
    if (header.machine !== EM.CUDA) malformed("bad-magic", 18, `e_machine ${header.machine}: not a file of CUDA's`);
    if (header.abiVersion !== PTXKIT_ABI_VERSION)
      malformed("bad-magic", 8, `EI_ABIVERSION ${header.abiVersion}: not an object of ptxkit`);
    if (header.type !== ET.REL && header.type !== ET.EXEC)
      malformed("malformed", 16, `e_type ${header.type} is neither an object's nor an image's`);
    checkVersion(file);
    const section = onlySection(file, DECLARATION_SECTION, SHT.PROGBITS);
    const declarations = need(readDeclarations(section.data, section.offset, Math.floor(bytes.length / 16)));
    if (header.flags >>> 0 !== currentFlags(declarations.target.sm, addressSizeOf(declarations)) >>> 0)
      malformed("malformed", 48, `e_flags 0x${header.flags.toString(16)} are not those of ${declarations.target.name}`);
    const object = assembleObject(
      file,
      section,
      declarations,
      name,
      header.type === ET.REL ? "relocatable" : "executable",
    );
    checkFileLayout(file);
    return object;
  });
}

/** The section with that name, of which a file must have exactly one: another reader might choose the other. */
function onlySection(file: ElfFile, name: string, type: number): ElfSection {
  const section = sectionNamed(file, name) ?? malformed("malformed", 0, `no ${name} section`);
  const second = file.sections.find((each) => each.name === name && each !== section);
  if (second !== undefined)
    malformed(
      "malformed",
      second.headerOffset,
      `section ${second.index} is a second ${name}; section ${section.index} has that name, which one section has`,
    );
  if (section.type !== type)
    malformed(
      "malformed",
      section.headerOffset,
      `section ${section.index}, ${name}, is of type ${section.type}, not ${type}`,
    );
  return section;
}

function checkVersion(file: ElfFile): void {
  const section = onlySection(file, NOTE_SECTION, SHT.NOTE);
  const note = need(notesOf(file, section)).find(
    ({ name, type }) => name === PTXKIT_NOTE.name && type === PTXKIT_NOTE.type,
  );
  if (note === undefined || note.description.length < 4)
    malformed("malformed", section.offset, `${NOTE_SECTION} holds no version`);
  const { description } = note;
  const version = new DataView(description.buffer, description.byteOffset, description.byteLength).getUint32(0, true);
  if (version !== CONTAINER_VERSION)
    malformed(
      "unsupported",
      note.offset,
      `container version ${version}: this ptxkit reads ${CONTAINER_VERSION}; use the one that wrote the file`,
    );
}

/** A file being read, with its symbols and sections. */
interface Reading {
  readonly file: ElfFile;
  readonly type: ObjectFile["type"];
  readonly declarations: Declarations;
  readonly table: SymbolTable;
  readonly symtab: ElfSection;
  /** The object's symbol for each ELF symbol. */
  readonly indices: ReadonlyMap<number, number>;
  /** The ELF section of each section of the object. */
  readonly elfSections: readonly ElfSection[];
  /** The object's section for each ELF section. */
  readonly sectionOf: ReadonlyMap<number, number>;
}

function assembleObject(
  file: ElfFile,
  declared: ElfSection,
  declarations: Declarations,
  name: string,
  type: ObjectFile["type"],
): ObjectFile {
  const symtab = onlySection(file, ".symtab", SHT.SYMTAB);
  const table = need(symbolsOf(file, symtab));
  const indices = elfIndices(declarations, table, symtab);
  const elfSections = declarations.sections.map((note) => ownSection(file, note));
  const sectionOf = new Map(elfSections.map((section, i) => [section.index, i]));
  if (sectionOf.size !== elfSections.length)
    malformed("malformed", symtab.offset, "two sections of the object in one of the file");
  const reading = { file, type, declarations, table, symtab, indices, elfSections, sectionOf };
  const symbols = readSymbols(reading);
  if (type === "relocatable") checkModules(declarations.modules, declared.offset);
  checkOverlap(symbols, symtab.offset);
  const sections = readSections(reading, symbols);
  return {
    type,
    name,
    target: declarations.target,
    version: declarations.version,
    modules: declarations.modules,
    sections,
    symbols,
    kernels: readKernels(reading, symbols, sections),
    ...readGraph(reading, symbols),
    ...(declarations.debug.length === 0
      ? {}
      : { debugSections: declarations.debug.map((note) => debugSection(file, note)) }),
  };
}

function readSymbols({ type, declarations, table, symtab, elfSections, sectionOf }: Reading): readonly ObjectSymbol[] {
  const sharedStart = type === "executable" ? targetFacts(declarations.target.sm).reservedSharedBytes : 0;
  return declarations.symbols.map(({ elf, symbol }): ObjectSymbol => {
    // Shared variables of an object have no offset: their value is their alignment.
    const hasOffset = type === "executable" || symbol.kind !== "variable" || symbol.space !== "shared";
    const placement = placementOf(table, elf, sectionOf, hasOffset, symtab);
    const named = placed(symbol, table.name(elf), placement);
    const at = symtab.offset + SYMBOL_SIZE * elf;
    checkPlace(named, hasOffset, elfSections, declarations.sections, sharedStart, at);
    if (type === "relocatable") checkDeclared(named, at);
    return named;
  });
}

function readSections(
  { file, type, declarations, indices, elfSections }: Reading,
  symbols: readonly ObjectSymbol[],
): readonly Section[] {
  const relocations = relocationTables(file);
  const applications = new Map(
    file.sections.filter(({ type: each }) => each === SHT_CUDA.RESOLVED_RELA).map((each) => [each.info, each]),
  );
  return declarations.sections.map((note, i): Section => {
    const section = elfSections[i]!;
    checkRole(section, note, i, { type, symbols });
    const hasBytes = note.role.kind === "text" || note.role.kind === "global-init" || note.role.kind === "constant";
    const common = {
      role: note.role,
      align: Math.max(1, section.addralign),
      size: section.size,
      relocations: mergeRelocations(section, note, relocations, indices, symbols),
    };
    const applied = appliedRelocations(file, applications.get(section.index), indices);
    const contents = hasBytes ? { data: section.data, fileOffset: section.offset } : {};
    return { ...common, ...contents, ...(applied === undefined ? {} : { applied }) };
  });
}

function readKernels(
  { type, declarations, symtab }: Reading,
  symbols: readonly ObjectSymbol[],
  sections: readonly Section[],
): readonly KernelInfo[] {
  const sharedSizes = new Map(
    sections.flatMap(({ role, size }) => (role.kind === "shared" ? [[role.symbol, size]] : [])),
  );
  return declarations.kernels.map(({ symbol, ...shared }) => {
    const kernel = symbols[symbol]!;
    if (kernel.kind !== "function" || !kernel.entry || kernel.placement.kind !== "section")
      malformed("malformed", symtab.offset, `symbol ${symbol} is not a kernel of the object`);
    const size = type === "executable" ? (sharedSizes.get(symbol) ?? 0) : undefined;
    checkShared(kernel.name, shared, size, symtab.offset);
    const info = kernelInfo(kernel, symbol, shared);
    if (!(info.parameterBytes <= MAX_PARAMETER_BYTES))
      malformed(
        "limit",
        symtab.offset,
        `${info.parameterBytes} bytes of parameters; a kernel may have ${MAX_PARAMETER_BYTES}`,
      );
    return info;
  });
}

/** Reads calls, functions whose address is taken, and properties of code. */
function readGraph(
  { file, declarations, indices, sectionOf }: Reading,
  symbols: readonly ObjectSymbol[],
): Pick<ObjectFile, "calls" | "addressTaken" | "codeProperties"> {
  const functionAt = (elf: number, at: number): number => {
    const index = indices.get(elf);
    return index !== undefined && symbols[index]!.kind === "function"
      ? index
      : malformed("malformed", at, `symbol ${elf} is not a function of the object`);
  };
  const section = onlySection(file, ".nv.callgraph", SHT_CUDA.CALLGRAPH);
  const lists = wholeGraph(section);
  return {
    calls: lists.calls.map(({ caller, callee }) => ({
      caller: functionAt(caller, section.offset),
      callee: functionAt(callee, section.offset),
    })),
    addressTaken: lists.addressTaken.map(({ symbol }) => functionAt(symbol, section.offset)),
    codeProperties: readCodeProperties(file, { section, lists }, functionAt, (index) => {
      const role = declarations.sections[sectionOf.get(index) ?? -1]?.role;
      return role?.kind === "text" ? role.symbol : undefined;
    }),
  };
}

/** Checks that the graph is complete: a truncated one would be read as one with fewer calls. */
function wholeGraph({ data, offset }: ElfSection): CallGraph {
  const lists = callGraphLists(data).join(", ");
  if (lists !== GRAPH_LISTS)
    malformed("malformed", offset, `lists of the call graph: ${lists || "none"}, not ${GRAPH_LISTS}`);
  return need(readCallGraph(data, offset));
}

const GRAPH_LISTS = "1, 2, 3, 4";

// -------------------------------------------------------------------------------------------------------------- symbols

/** The object's symbol for each ELF symbol. */
function elfIndices(declarations: Declarations, table: SymbolTable, symtab: ElfSection): ReadonlyMap<number, number> {
  const indices = new Map<number, number>();
  declarations.symbols.forEach(({ elf }, i) => {
    if (elf >= table.count) malformed("out-of-range", symtab.offset, `symbol ${elf}: there are ${table.count}`);
    indices.set(elf, i);
  });
  if (indices.size !== declarations.symbols.length)
    malformed("malformed", symtab.offset, "two declarations of one symbol");
  return indices;
}

/**
 * The complete symbol. Written out per kind, because spreading `symbol` creates objects with overflow arrays, of which a link of
 * a thousand modules keeps 40,000 alive.
 */
function placed(symbol: SymbolNote["symbol"], name: string, placement: Placement): ObjectSymbol {
  const { linkage, origin } = symbol;
  switch (symbol.kind) {
    case "variable": {
      const { kind, space, layout, managed, initialised, unified, scope, alias, aliasOf } = symbol;
      const variable = { kind, name, linkage, placement, origin, space, layout, managed, initialised };
      if (unified === undefined && scope === undefined && alias === undefined && aliasOf === undefined) return variable;
      return {
        ...variable,
        ...(unified && { unified }),
        ...(scope === undefined ? {} : { scope }),
        ...(alias && { alias }),
        ...(aliasOf && { aliasOf }),
      };
    }
    case "function": {
      const { kind, entry, prototype, directives, unified } = symbol;
      const code = { kind, name, linkage, placement, origin, entry, prototype, directives };
      return unified === undefined ? code : { ...code, unified };
    }
    case "reference": {
      const { kind, type, fields } = symbol;
      const reference = { kind, name, linkage, placement, origin, type };
      return fields === undefined ? reference : { ...reference, fields };
    }
  }
}

// ------------------------------------------------------------------------------------------------------------- sections

function ownSection(file: ElfFile, note: SectionNote): ElfSection {
  return (
    file.sections[note.elf] ?? malformed("out-of-range", 0, `section ${note.elf}: there are ${file.sections.length}`)
  );
}

function debugSection(file: ElfFile, { name, module, elf, offset, size, shape: record }: DebugNote): DebugSection {
  const section = file.sections[elf];
  if (section?.name !== debugElfName(name)) malformed("malformed", 0, `section ${elf} is not ${debugElfName(name)}`);
  if (offset + size > section.data.length)
    malformed(
      "out-of-range",
      section.offset,
      `${size} bytes at ${offset} of ${name}, which has ${section.data.length}`,
    );
  return { name, module, data: section.data.subarray(offset, offset + size), record };
}
