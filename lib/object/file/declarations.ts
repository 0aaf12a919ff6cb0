// `.ptxkit.decl`: what NVIDIA's symbol table cannot hold. Per module its name, version, target and files; per section and
// symbol of the object which ELF section and symbol it is; per symbol its declaration; per relocation the bytes of its
// holder and which table it stands in. docs/format.md, "Declarations". Writer and reader side by side.

import { decoding, malformed } from "../../../formats/bytes/malformed.js";
import { ByteReader } from "../../../formats/bytes/reader.js";
import type { Result } from "../../../formats/bytes/result.js";
import { readVarU, readVarU64, writeVarU, writeVarU64 } from "../../../formats/bytes/varint.js";
import { ByteWriter } from "../../../formats/bytes/writer.js";
import { parseTarget, type Target } from "../../isa/requirement.js";
import {
  codeOf,
  flagsOf,
  HAS_SCOPE,
  INITIALISED,
  IS_ALIAS,
  IS_ENTRY,
  IS_UNIFIED,
  KINDS,
  LINKAGES,
  MANAGED,
  REFERENCES,
  roleCode,
  ROLES,
  SPACES,
  type WithoutPlace,
} from "./declaration-codes.js";
import { readDebugNote, writeDebugParts, type DebugNote } from "../dwarf/debug-note.js";
import { readFields, writeFields } from "../code/reference-fields.js";
import {
  noTypes,
  readLayout,
  readPrototype,
  writeLayout,
  writePrototype,
  type KnownTypes,
} from "../code/layout-codec.js";
import { fromTargetWords, targetWordsOf } from "../target-words.js";
import type { CodeSymbol, ModuleOrigin, ObjectFile, ObjectSymbol, Origin, Section, SectionRole } from "../object.js";
import {
  createStringPool,
  readCount,
  readIndex,
  readItems,
  readStringPool,
  readText,
  type StringPool,
} from "../code/string-pool.js";

/** The bytes "PTXd" as a little-endian word. */
const DECLARATIONS_MAGIC = 0x64585450;
/**
 * Version 2 knows the columns of names, and variables that are names for a place in another; version 3 debug sections;
 * version 4 the lines of .target; version 5 initial values of references; version 6 places of labels in debug sections;
 * version 7 references of line programs; version 8 several sections in one shape. Older ones are read, later ones are refused.
 */
export const DECLARATIONS_VERSION = 8;
/** From this one on versions differ in what debug sections may refer to alone. */
export const OLDEST_ALIKE = 5;

/** A relocation's part in the table: bytes of its holder, and whether it is a RELA record. */
export interface RelocationNote {
  readonly width: number;
  readonly rela: boolean;
}

/** One section of the object. */
export interface SectionNote {
  /** Index in the ELF file. */
  readonly elf: number;
  readonly role: SectionRole;
  /** One per relocation, in the object's order. */
  readonly relocations: readonly RelocationNote[];
}

/** One symbol of the object: all but its name and place, which the ELF symbol has. */
export interface SymbolNote {
  /** Index in .symtab. */
  readonly elf: number;
  readonly symbol: WithoutPlace<ObjectSymbol>;
}

export interface Declarations {
  readonly target: Target;
  readonly version: number;
  readonly modules: readonly ModuleOrigin[];
  readonly sections: readonly SectionNote[];
  readonly symbols: readonly SymbolNote[];
  readonly kernels: readonly {
    readonly symbol: number;
    readonly sharedBytes: number;
    readonly dynamicSharedOffset: number;
  }[];
  readonly debug: readonly DebugNote[];
}

/** What the writer of the file knows and the object does not. */
export interface ElfIndices {
  /** ELF section of one of the object's sections. */
  elfSection(section: number): number;
  /** ELF symbol of each of the object's symbols. */
  readonly symbols: ArrayLike<number>;
  /** Where each part of a debug section is: the ELF section, and the offset of the part in it. */
  readonly debug: readonly Pick<DebugNote, "elf" | "offset">[];
  isRela(addend: bigint): boolean;
}

// -------------------------------------------------------------------------------------------------------------- writing

export type DeclarationWriter = (writer: ByteWriter, object: ObjectFile, elf: ElfIndices) => void;

/** Writes declarations of file after file in the same memory. */
export function createDeclarationWriter(): DeclarationWriter {
  const pool = createStringPool();
  const body = new ByteWriter(1024);
  return (writer, object, elf) => {
    pool.clear();
    body.clear();
    writeBody(body, pool, object, elf);
    writer.u32(DECLARATIONS_MAGIC);
    writer.u8(DECLARATIONS_VERSION);
    writer.zeros(3);
    pool.write(writer);
    writer.put(body.view(0));
  };
}

/** All behind the texts, to which it adds. */
function writeBody(body: ByteWriter, pool: StringPool, object: ObjectFile, elf: ElfIndices): void {
  writeVarU(body, pool.index(object.target.name));
  writeVarU(body, object.version);
  writeVarU(body, object.modules.length);
  for (const module of object.modules) writeModule(body, pool, module);
  writeSymbols(body, pool, object.symbols, elf);
  writeSections(body, object.sections, elf);
  writeVarU(body, object.kernels.length);
  for (const kernel of object.kernels) {
    writeVarU(body, kernel.symbol);
    writeVarU(body, kernel.sharedBytes);
    writeVarU(body, kernel.dynamicSharedOffset);
  }
  writeDebugParts(body, pool, object.debugSections ?? [], elf.debug);
}

function writeSymbols(body: ByteWriter, pool: StringPool, symbols: readonly ObjectSymbol[], elf: ElfIndices): void {
  writeVarU(body, symbols.length);
  for (let i = 0; i < symbols.length; i++) writeSymbol(body, pool, symbols[i]!, elf.symbols[i]!);
}

function writeSections(body: ByteWriter, sections: readonly Section[], elf: ElfIndices): void {
  writeVarU(body, sections.length);
  for (let i = 0; i < sections.length; i++) writeSection(body, sections[i]!, elf.elfSection(i), elf);
}

function writeModule(writer: ByteWriter, pool: StringPool, module: ModuleOrigin): void {
  writeVarU(writer, pool.index(module.name));
  writeVarU(writer, module.version);
  writeVarU(writer, pool.index(module.target.name));
  const words = targetWordsOf(module);
  writeVarU(writer, words.length);
  for (const word of words) writeVarU(writer, pool.index(word));
  writeVarU(writer, module.targetLine);
  writeVarU(writer, module.files.length);
  for (const file of module.files) {
    writeVarU(writer, file.index);
    writeVarU(writer, pool.index(file.path));
  }
}

function writeSection(writer: ByteWriter, section: Section, index: number, elf: ElfIndices): void {
  writeVarU(writer, index);
  writer.u8(roleCode(section.role.kind));
  if (section.role.kind === "text" || section.role.kind === "shared") writeVarU(writer, section.role.symbol);
  const runs = relocationRuns(section.relocations, elf);
  writeVarU(writer, runs.length / 2);
  for (let i = 0; i < runs.length; i++) writeVarU(writer, runs[i]!);
}

/** Count and code of each run, one behind the other. */
function relocationRuns(relocations: Section["relocations"], elf: ElfIndices): readonly number[] {
  const runs: number[] = [];
  for (let i = 0; i < relocations.length; i++) {
    const { width, addend } = relocations[i]!;
    const code = width * 2 + (elf.isRela(addend) ? 1 : 0);
    if (runs.length > 0 && runs[runs.length - 1] === code) runs[runs.length - 2]!++;
    else runs.push(1, code);
  }
  return runs;
}

function writeSymbol(writer: ByteWriter, pool: StringPool, symbol: ObjectSymbol, index: number): void {
  writeVarU(writer, index);
  writer.u8(codeOf(symbol));
  writeVarU(writer, symbol.origin.module);
  writeVarU(writer, symbol.origin.line);
  writeVarU(writer, symbol.origin.column ?? 0);
  writer.u8(flagsOf(symbol));
  switch (symbol.kind) {
    case "variable": {
      const { scope, unified } = symbol;
      writeLayout(writer, pool, symbol.layout);
      if (scope !== undefined) writeVarU(writer, pool.index(scope));
      return writeUnified(writer, unified);
    }
    case "function":
      writePrototype(writer, pool, symbol.prototype);
      writeVarU(writer, symbol.directives.length);
      for (const { name, values, strings } of symbol.directives) {
        writeVarU(writer, pool.index(name));
        writeVarU(writer, values.length);
        for (const value of values) writeVarU(writer, value);
        writeVarU(writer, strings.length);
        for (const text of strings) writeVarU(writer, pool.index(text));
      }
      return writeUnified(writer, symbol.unified);
    case "reference":
      return writeFields(writer, symbol.fields ?? []);
  }
}

function writeUnified(writer: ByteWriter, unified: readonly [bigint, bigint] | undefined): void {
  if (unified !== undefined) for (const number of unified) writeVarU64(writer, BigInt.asUintN(64, number));
}

// -------------------------------------------------------------------------------------------------------------- reading

/**
 * `base`: the section's offset in its file, for errors; `relocationLimit`: how many relocations the whole file can hold.
 * ELF indices are not checked here; the others are.
 */
export function readDeclarations(bytes: Uint8Array, base: number, relocationLimit: number): Result<Declarations> {
  return decoding(() => {
    let relocationsLeft = relocationLimit;
    const takeRelocations = (count: number): boolean => (relocationsLeft -= count) >= 0;
    const reader = new ByteReader(bytes, base);
    if (reader.u32("declarations") !== DECLARATIONS_MAGIC)
      malformed("malformed", base, ".ptxkit.decl holds no declarations");
    const layoutVersion = reader.u8("version of the declarations");
    if (layoutVersion < 1 || layoutVersion > DECLARATIONS_VERSION)
      malformed(
        "unsupported",
        base + 4,
        `declarations of version ${layoutVersion}: this reader knows those up to ${DECLARATIONS_VERSION}; use the ptxkit that wrote the file`,
      );
    reader.skip(3, "header");
    const pool = readStringPool(reader);
    const target = readTarget(reader, pool);
    const version = readVarU(reader, "PTX version");
    const list = <T>(what: string, least: number, item: () => T): readonly T[] =>
      readItems(readCount(reader, what, least), item);
    const types = noTypes();
    const modules = list("modules", 5, () => readModule(reader, pool, layoutVersion));
    const symbols = list("symbols", 5, () => readSymbol(reader, pool, types, modules.length, layoutVersion));
    const sections = list("sections", 3, () => readSection(reader, symbols.length, takeRelocations));
    const kernels = list("kernels", 3, () => ({
      symbol: readIndex(reader, symbols.length, "symbol of a kernel"),
      sharedBytes: readVarU(reader, "shared memory"),
      dynamicSharedOffset: readVarU(reader, "offset of dynamic shared memory"),
    }));
    const debug = layoutVersion < 3 ? [] : list("debug sections", 6, () => readDebugNote(reader, pool, modules.length));
    return { target, version, modules, symbols, sections, kernels, debug };
  });
}

function readTarget(reader: ByteReader, pool: readonly string[]): Target {
  const at = reader.position;
  const name = readText(reader, pool, "target");
  return parseTarget(name) ?? malformed("malformed", at, `${JSON.stringify(name.slice(0, 40))} is no target`);
}

function readModule(reader: ByteReader, pool: readonly string[], layoutVersion: number): ModuleOrigin {
  const name = readText(reader, pool, "name of a module");
  const version = readVarU(reader, "PTX version");
  const target = readTarget(reader, pool);
  const options = readCount(reader, "target options");
  const words = readItems(options, () => readText(reader, pool, "target option"));
  const targetLine = layoutVersion < 4 ? 0 : readVarU(reader, "line of .target");
  const files = readItems(readCount(reader, "files", 2), () => ({
    index: readVarU(reader, "number of a file"),
    path: readText(reader, pool, "path of a file"),
  }));
  return { name, version, target, ...fromTargetWords(words), targetLine, files };
}

function readSection(reader: ByteReader, symbols: number, take: (count: number) => boolean): SectionNote {
  const elf = readVarU(reader, "section");
  const kind = ROLES[readIndex(reader, ROLES.length, "role of a section")]!;
  const role: SectionRole =
    kind === "text" || kind === "shared"
      ? { kind, symbol: readIndex(reader, symbols, "symbol of a section") }
      : { kind };
  const relocations: RelocationNote[] = [];
  for (let runs = readCount(reader, "relocations", 2); runs > 0; runs--) {
    const at = reader.position;
    const count = readVarU(reader, "relocations of a run");
    const code = readVarU(reader, "width of a relocation");
    const note = { width: Math.floor(code / 2), rela: code % 2 === 1 };
    if (![1, 2, 4, 8].includes(note.width)) malformed("malformed", at, `a holder of ${note.width} bytes`);
    if (!take(count)) malformed("limit", at, `${count} more relocations than the file can hold`);
    for (let i = 0; i < count; i++) relocations.push(note);
  }
  return { elf, role, relocations };
}

function readSymbol(
  reader: ByteReader,
  pool: readonly string[],
  types: KnownTypes,
  modules: number,
  layoutVersion: number,
): SymbolNote {
  const elf = readVarU(reader, "symbol");
  const at = reader.position;
  const code = reader.u8("kind of a symbol");
  const kind = KINDS[code >> 4];
  const isAlias = layoutVersion > 1 && kind === "variable" && (code & IS_ALIAS) !== 0;
  const linkage = LINKAGES[(code & 15) - (isAlias ? IS_ALIAS : 0)];
  if (kind === undefined || linkage === undefined) malformed("malformed", at, `a symbol of kind ${code}`);
  const origin = readOrigin(reader, modules, layoutVersion);
  switch (kind) {
    case "variable": {
      const coded = reader.u8("space of a variable");
      const space = SPACES[coded >> 4] ?? malformed("malformed", reader.position - 1, `space ${coded >> 4}`);
      const layout = readLayout(reader, pool, types);
      const scope = coded & HAS_SCOPE ? readText(reader, pool, "scope of a variable") : undefined;
      const managed = (coded & MANAGED) !== 0;
      const initialised = (coded & INITIALISED) !== 0;
      const variable = { kind, linkage, origin, space, layout, managed, initialised };
      const unified = readUnified(reader, coded);
      if (unified === undefined && scope === undefined && !isAlias) return { elf, symbol: variable };
      const rest = { ...(unified && { unified }), ...(scope === undefined ? {} : { scope }) };
      return { elf, symbol: { ...variable, ...rest, ...(isAlias ? { alias: true } : {}) } };
    }
    case "function": {
      const flags = reader.u8("kind of a function");
      const prototype = readPrototype(reader, pool, types);
      const directives = readDirectives(reader, pool);
      const code = { kind, linkage, origin, entry: (flags & IS_ENTRY) !== 0, prototype, directives };
      const unified = readUnified(reader, flags);
      return { elf, symbol: unified === undefined ? code : { ...code, unified } };
    }
    case "reference": {
      const type = REFERENCES[readIndex(reader, REFERENCES.length, "reference")]!;
      const fields = layoutVersion > 4 ? readFields(reader) : [];
      return { elf, symbol: { kind, linkage, origin, type, ...(fields.length === 0 ? {} : { fields }) } };
    }
  }
}

function readOrigin(reader: ByteReader, modules: number, layoutVersion: number): Origin {
  const module = readIndex(reader, modules, "module of a symbol");
  const line = readVarU(reader, "line of a symbol");
  const column = layoutVersion > 1 ? readVarU(reader, "column of a symbol") : 0;
  return column === 0 ? { module, line } : { module, line, column };
}

function readDirectives(reader: ByteReader, pool: readonly string[]): CodeSymbol["directives"] {
  return readItems(readCount(reader, "directives", 3), () => {
    const name = readText(reader, pool, "directive");
    const values = readItems(readCount(reader, "values"), () => readVarU(reader, "value of a directive"));
    const texts = readCount(reader, "texts of a directive");
    return {
      name,
      values,
      strings: readItems(texts, () => readText(reader, pool, "text of a directive")),
    };
  });
}

function readUnified(reader: ByteReader, flags: number): readonly [bigint, bigint] | undefined {
  if ((flags & IS_UNIFIED) === 0) return undefined;
  return [readVarU64(reader, "unified identifier"), readVarU64(reader, "unified identifier")];
}
