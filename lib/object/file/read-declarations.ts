// Decodes `.ptxkit.decl` to declarations (../columns/write/declarations.ts writes them; docs/format.md, "Declarations"). Every
// number is checked against the table that it counts or refers to; ELF indices are left to the reader of the file.

import { decoding } from "../../../formats/bytes/malformed.js";
import type { Result } from "../../../formats/bytes/result.js";
import type { Target } from "../../isa/requirement.js";
import type { AliasTarget, ModuleOrigin, ObjectSymbol, Origin, SectionRole } from "../object.js";
import { fromTargetWords } from "../target-words.js";
import {
  HAS_SCOPE,
  INITIALISED,
  IS_ALIAS,
  IS_ENTRY,
  IS_UNIFIED,
  KINDS,
  LINKAGES,
  MANAGED,
  REFERENCES,
  ROLES,
  SPACES,
  type WithoutPlace,
} from "./declaration-codes.js";
import { DEBUG_WORDS, HEADER, KERNEL_WORDS, NO_OWNER, SECTION_WORDS, SYMBOL_WORDS } from "./declaration-rows.js";
import {
  failAt,
  indexAt,
  numberAt,
  openDeclarations,
  readList,
  readNumber,
  readText,
  readWide,
  targetAt,
  textAt,
  type Cursor,
  type DeclarationReader,
} from "./declaration-words.js";
import { readDirectives, readFields, readLayout, readPrototype } from "./declared-types.js";

/** A relocation's entry in the declarations: bytes of its holder, and whether it is a RELA record. */
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

/** One symbol of the object, except its name and place, which are in the ELF symbol. */
export interface SymbolNote {
  /** Index in .symtab. */
  readonly elf: number;
  readonly symbol: WithoutPlace<ObjectSymbol>;
}

/** One module's part of a debug section. */
export interface DebugNote {
  readonly name: string;
  readonly module: number;
  /** Index in the ELF file. */
  readonly elf: number;
  /** Offset in bytes from that section's start. */
  readonly offset: number;
  /** Size in bytes. */
  readonly size: number;
  /** Layout record: ../dwarf/debug-sections.ts. */
  readonly shape: Uint8Array;
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

/** `base`: the section's file offset, for errors; `relocationLimit`: upper bound of the relocations in the file. */
export function readDeclarations(bytes: Uint8Array, base: number, relocationLimit: number): Result<Declarations> {
  return decoding(() => {
    const state = openDeclarations(bytes, base);
    const { words } = state;
    const target = targetAt(state, HEADER.target, textAt(state, HEADER.target, words[HEADER.target]!));
    const modules = readModules(state);
    const symbols = readSymbols(state, modules.length);
    return {
      target,
      version: numberAt(state, HEADER.ptx, "PTX version"),
      modules,
      symbols,
      sections: readSections(state, symbols.length, relocationLimit),
      kernels: readKernels(state, symbols.length),
      debug: readDebug(state, modules.length),
    };
  });
}

// -------------------------------------------------------------------------------------------------------------- modules

function readModules(state: DeclarationReader): readonly ModuleOrigin[] {
  const { moduleWords, symbols } = state.places;
  const cursor = { state, at: moduleWords, end: symbols };
  const count = indexAt(state, HEADER.modules, (symbols - moduleWords) / 5 + 1, "modules");
  const modules: ModuleOrigin[] = [];
  for (let i = 0; i < count; i++) modules.push(readModule(cursor));
  if (cursor.at !== cursor.end) failAt(state, cursor.at, "malformed", "words after the last module");
  return modules;
}

function readModule(cursor: Cursor): ModuleOrigin {
  const name = readText(cursor, "name of a module");
  const version = readNumber(cursor, "PTX version");
  const target = targetAt(cursor.state, cursor.at, readText(cursor, "target"));
  const words = readList(cursor, "target options", 1, () => readText(cursor, "target option"));
  const targetLine = readNumber(cursor, "line of .target");
  const files = readList(cursor, "files", 2, () => ({
    index: readNumber(cursor, "number of a file"),
    path: readText(cursor, "path of a file"),
  }));
  return { name, version, target, ...fromTargetWords(words), targetLine, files };
}

// -------------------------------------------------------------------------------------------------------------- symbols

function readSymbols(state: DeclarationReader, modules: number): readonly SymbolNote[] {
  const { symbols, sections } = state.places;
  const typeOf = createTypes(state);
  const notes: SymbolNote[] = [];
  for (let at = symbols; at < sections; at += SYMBOL_WORDS) notes.push(readSymbol(state, at, modules, typeOf));
  return notes;
}

type TypeReader = <T>(at: number, what: string, read: (cursor: Cursor) => T) => T;

/** Caches types, by the way of decoding: an object uses few types many times. */
function createTypes(state: DeclarationReader): TypeReader {
  const { words, places } = state;
  const { typeEnds, typeWords, moduleWords } = places;
  const known = new Map<string, unknown>();
  return <T>(at: number, what: string, read: (cursor: Cursor) => T): T => {
    const index = indexAt(state, at, typeWords - typeEnds, "type");
    const key = `${what} ${index}`;
    const before = known.get(key);
    if (before !== undefined) return before as T;
    const start = typeWords + (index === 0 ? 0 : words[typeEnds + index - 1]! >>> 0);
    const end = typeWords + (words[typeEnds + index]! >>> 0);
    if (start > end || end > moduleWords)
      failAt(state, typeEnds + index, "out-of-range", "a type ends outside of the types");
    const cursor = { state, at: start, end };
    const value = read(cursor);
    if (cursor.at !== end) failAt(state, cursor.at, "malformed", `words after the type of a ${what}`);
    known.set(key, value);
    return value;
  };
}

function readSymbol(state: DeclarationReader, at: number, modules: number, typeOf: TypeReader): SymbolNote {
  const elf = numberAt(state, at, "symbol");
  const coded = numberAt(state, at + 1, "kind of a symbol");
  const [code, flags] = [coded & 0xff, coded >> 8];
  const kind = KINDS[code >> 4];
  const isAlias = kind === "variable" && (code & IS_ALIAS) !== 0;
  const linkage = LINKAGES[(code & 15) - (isAlias ? IS_ALIAS : 0)];
  if (kind === undefined || linkage === undefined || flags > 0xff)
    failAt(state, at + 1, "malformed", `a symbol of kind ${code}`);
  const origin = readOrigin(state, at, modules);
  const hasScope = (flags & HAS_SCOPE) !== 0;
  const isUnified = (flags & IS_UNIFIED) !== 0;
  const readUnified = (cursor: Cursor): readonly [bigint, bigint] | undefined =>
    isUnified ? [readWide(cursor, "unified identifier"), readWide(cursor, "unified identifier")] : undefined;
  switch (kind) {
    case "variable": {
      const space = SPACES[flags >> 4] ?? failAt(state, at + 1, "malformed", `space ${flags >> 4}`);
      const as = `${isAlias ? "alias" : "variable"} ${flags & (HAS_SCOPE | IS_UNIFIED)}`;
      const { layout, scope, aliasOf, unified } = typeOf(at + 2, as, (cursor) => ({
        layout: readLayout(cursor),
        scope: hasScope ? readText(cursor, "scope of a variable") : undefined,
        // An image contains only the layout of an alias, which has a place there.
        aliasOf: isAlias && !hasScope && !isUnified && cursor.at < cursor.end ? readAliasTarget(cursor) : undefined,
        unified: readUnified(cursor),
      }));
      const managed = (flags & MANAGED) !== 0;
      const initialised = (flags & INITIALISED) !== 0;
      const variable = { kind, linkage, origin, space, layout, managed, initialised };
      if (unified === undefined && scope === undefined && !isAlias) return { elf, symbol: variable };
      const rest = { ...(unified && { unified }), ...(scope === undefined ? {} : { scope }) };
      const alias = aliasOf !== undefined ? { aliasOf } : isAlias ? { alias: true as const } : {};
      return { elf, symbol: { ...variable, ...rest, ...alias } };
    }
    case "function": {
      const { prototype, directives, unified } = typeOf(at + 2, `function ${flags & IS_UNIFIED}`, (cursor) => ({
        prototype: readPrototype(cursor),
        directives: readDirectives(cursor),
        unified: readUnified(cursor),
      }));
      const code = { kind, linkage, origin, entry: (flags & IS_ENTRY) !== 0, prototype, directives };
      return { elf, symbol: unified === undefined ? code : { ...code, unified } };
    }
    case "reference": {
      const type =
        REFERENCES[flags] ??
        failAt(state, at + 1, "out-of-range", `reference ${flags}: there are ${REFERENCES.length}`);
      const fields = typeOf(at + 2, "reference", readFields);
      return { elf, symbol: { kind, linkage, origin, type, ...(fields.length === 0 ? {} : { fields }) } };
    }
  }
}

const readAliasTarget = (cursor: Cursor): AliasTarget => ({
  base: readText(cursor, "variable of an alias"),
  offset: readNumber(cursor, "offset of an alias"),
});

function readOrigin(state: DeclarationReader, at: number, modules: number): Origin {
  const module = indexAt(state, at + 3, modules, "module of a symbol");
  const line = numberAt(state, at + 4, "line of a symbol");
  const column = numberAt(state, at + 5, "column of a symbol");
  return column === 0 ? { module, line } : { module, line, column };
}

// ------------------------------------------------------------------------------------------- sections, kernels and debug

function readSections(state: DeclarationReader, symbols: number, relocationLimit: number): readonly SectionNote[] {
  const { places } = state;
  const notes: SectionNote[] = [];
  const cursor = { state, at: places.runs, end: places.kernels };
  let left = relocationLimit;
  for (let at = places.sections; at < places.runs; at += SECTION_WORDS) {
    const elf = numberAt(state, at, "section");
    const kind = ROLES[indexAt(state, at + 1, ROLES.length, "role of a section")]!;
    const hasOwner = kind === "text" || kind === "shared";
    const symbol = hasOwner ? indexAt(state, at + 2, symbols, "symbol of a section") : state.words[at + 2]!;
    if (!hasOwner && symbol !== NO_OWNER) failAt(state, at + 2, "malformed", `a function of a section of role ${kind}`);
    const role = (hasOwner ? { kind, symbol } : { kind }) as SectionRole;
    if (places.runs + state.words[at + 3]! !== cursor.at)
      failAt(state, at + 3, "malformed", "relocations that do not follow those of the section before");
    const relocations = readRuns(cursor, left);
    left -= relocations.length;
    notes.push({ elf, role, relocations });
  }
  if (cursor.at !== cursor.end) failAt(state, cursor.at, "malformed", "words after the last relocations");
  return notes;
}

function readRuns(cursor: Cursor, limit: number): readonly RelocationNote[] {
  const relocations: RelocationNote[] = [];
  for (let runs = readNumber(cursor, "relocations"); runs > 0; runs--) {
    const at = cursor.at;
    const count = readNumber(cursor, "relocations of a run");
    const code = readNumber(cursor, "width of a relocation");
    const note = { width: Math.floor(code / 2), rela: code % 2 === 1 };
    if (![1, 2, 4, 8].includes(note.width)) failAt(cursor.state, at, "malformed", `a holder of ${note.width} bytes`);
    if (relocations.length + count > limit)
      failAt(cursor.state, at, "limit", `${count} more relocations than the file can hold`);
    for (let i = 0; i < count; i++) relocations.push(note);
  }
  return relocations;
}

function readKernels(state: DeclarationReader, symbols: number): Declarations["kernels"] {
  const { kernels, debug } = state.places;
  return Array.from({ length: (debug - kernels) / KERNEL_WORDS }, (_, i) => {
    const at = kernels + KERNEL_WORDS * i;
    return {
      symbol: indexAt(state, at, symbols, "symbol of a kernel"),
      sharedBytes: state.words[at + 1]! >>> 0,
      dynamicSharedOffset: state.words[at + 2]! >>> 0,
    };
  });
}

function readDebug(state: DeclarationReader, modules: number): readonly DebugNote[] {
  const { bytes, words, places } = state;
  let start = places.shapeBytes;
  const notes = Array.from({ length: (places.textBytes / 4 - places.debug) / DEBUG_WORDS }, (_, i) => {
    const at = places.debug + DEBUG_WORDS * i;
    const end = start + (words[at + 5]! >>> 0);
    if (end > places.end) failAt(state, at + 5, "truncated", "shape of a debug section");
    const record = bytes.subarray(start, end);
    start = end;
    return {
      name: textAt(state, at, words[at]!),
      module: indexAt(state, at + 1, modules, "module of a debug section"),
      elf: numberAt(state, at + 2, "debug section"),
      offset: numberAt(state, at + 3, "offset of a debug section"),
      size: numberAt(state, at + 4, "size of a debug section"),
      shape: record,
    };
  });
  if (start !== places.end) failAt(state, places.debug, "malformed", "bytes after the last debug section");
  return notes;
}
