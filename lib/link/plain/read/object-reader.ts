// Object files -> rows of the tables of a plain link (../tables/tables.ts), by the reader in WebAssembly (wasm/main.ts): what it is told
// before, what files have few of afterwards, and what is looked at here, because it is about words: targets, options, prototypes.

import { currentFlags, MAX_PARAMETER_BYTES, parsePrototype } from "../../../../formats/cuda/index.js";
import { opaqueFields } from "../../../isa/opaque-fields.table.js";
import { parseTarget } from "../../../isa/requirement.js";
import { dataTypes } from "../../../isa/types.table.js";
import { debugElfName } from "../../../object/dwarf/debug-layout.js";
import { CONTAINER_VERSION } from "../../../object/file/container.js";
import { DECLARATIONS_VERSION, OLDEST_ALIKE } from "../../../object/file/declarations.js";
import { isHolderType } from "../../../object/relocation-types.js";
import { sectionShape } from "../../../object/section-shape.js";
import { isPlainOption } from "../tables/admitted.js";
import { plainRoles, ROLE } from "../tables/codes.js";
import { notPlain } from "../tables/cursor.js";
import { referenceTypes, type Tables } from "../tables/tables.js";
import { internText, textOf, type TextId } from "../tables/texts.js";
import { characters, checkDeclared } from "./declared-rules.js";
import { FIXED_NAMES, isNamed, type ElfFrame } from "./frame.js";
import type { ReaderMemory } from "./reader-memory.js";

export interface ObjectReader {
  /** Reads a file as number `index`, those before it having been read. */
  read(index: number, file: ElfFrame): void;
  /** Of a file no more than its modules and symbols, whose places are not found. */
  readSymbols(index: number, file: ElfFrame): void;
  /** Gives the tables what was read since it did so last. In between they learn no text and no shape. */
  handOver(): void;
  /** The same at the end, and looks at what all rows declare. */
  finish(): void;
}

/** For tables whose columns are in that memory. */
export function createObjectReader(memory: ReaderMemory, tables: Tables): ObjectReader {
  const { functions } = memory;
  setFacts(memory, tables);
  setColumns(memory, tables);
  lendTexts(memory, tables);
  lendShapes(memory, tables);
  const place = createPlace(memory);
  const checks = createChecks(tables);
  /** Nothing of a file that it leaves is handed over. */
  const attempt = (work: () => void): void => {
    try {
      memory.attempt(work);
    } catch (error) {
      forget(memory);
      throw error;
    }
  };
  const handOver = (): void =>
    attempt(() => {
      takeTexts(memory, tables);
      takeShapes(memory, tables);
      takeLists(memory, tables, checks);
    });
  return {
    read(index, file) {
      open(file);
      attempt(() => functions.readObject(index));
    },
    readSymbols(index, file) {
      open(file);
      attempt(() => functions.readSymbols(index));
    },
    handOver,
    finish() {
      handOver();
      attempt(() => functions.checkDeclared(tables.firstSymbol[tables.files.length]!));
      checkDeclared(tables, takeList(memory, "functions"));
    },
  };

  function open({ bytes, headers, sectionCount, symbolCount }: ElfFrame): void {
    functions.open(place(bytes), bytes.length, 4 * headers, sectionCount, symbolCount);
  }
}

/** Bytes that the next file may be larger by at most without new memory. */
const MOST_SPARE = 2 ** 20;
/** Bytes of zeros behind a file. */
const BEHIND = 16;

/** Puts a file where the one before it was, which the reader has read by then; where that is. */
function createPlace({ reserve, bytes }: ReaderMemory): (file: Uint8Array) => number {
  let at = 0;
  let room: Uint8Array = new Uint8Array(0);
  return (file) => {
    if (file.length + BEHIND > room.length) {
      const size = file.length + Math.min(file.length, MOST_SPARE) + BEHIND;
      at = reserve(size);
      room = bytes(at, size);
    }
    room.set(file);
    room.fill(0, file.length, file.length + BEHIND);
    return at;
  };
}

// ------------------------------------------------------------------------------------------------------- what it is told

const encoder = new TextEncoder();

/** What an ELF section of each role is called, up to the name of its function, and its type and alignment. */
const roleShapes = plainRoles.slice(0, ROLE.local).map((role, code) => {
  const { name, type, addralign } = sectionShape(role, "relocatable");
  const isOwned = code === ROLE.text || code === ROLE.shared;
  return { type, addralign, name: encoder.encode(isOwned ? `${name}.` : name) };
});

/** Relocations of data are of types below. */
const TYPES = 256;

function setFacts({ names, reserve, bytes, words, columns }: ReaderMemory, { shapes, texts }: Tables): void {
  const set = (name: string, value: number): void => void (names[name]!.value = value);
  /** Of each its address and its bytes, two words. */
  const lendNames = (names: readonly Uint8Array[]): number => {
    const rows = words(reserve(8 * names.length), 2 * names.length);
    names.forEach((name, i) => {
      const at = reserve(name.length);
      bytes(at, name.length).set(name);
      rows.set([at, name.length], 2 * i);
    });
    return rows.byteOffset;
  };
  set("oldestVersion", OLDEST_ALIKE);
  set("version", DECLARATIONS_VERSION);
  set("referenceTypes", referenceTypes.length);
  set("fieldCount", opaqueFields.length);
  set("mostParameterBytes", MAX_PARAMETER_BYTES);
  const holders = reserve(TYPES);
  bytes(holders, TYPES).set(Array.from({ length: TYPES }, (_, type) => (isHolderType(type) ? 1 : 0)));
  set("holderTypes", holders);
  const roleNames = lendNames(roleShapes.map(({ name }) => name));
  const roles = words(reserve(16 * roleShapes.length), 4 * roleShapes.length);
  roleShapes.forEach(({ type, addralign }, i) => {
    roles.set([type, addralign, ...words(roleNames + 8 * i, 2)], 4 * i);
  });
  set("roleShapes", roles.byteOffset);
  set("roleCount", roleShapes.length);
  set("containerVersion", CONTAINER_VERSION);
  set("fixedNames", lendNames(FIXED_NAMES.map((name) => encoder.encode(name))));
  set("characters", columns.bytes(characters.length).byteOffset);
  bytes(names["characters"]!.value, characters.length).set(characters);
  // Texts of types are known before those of files.
  const types = dataTypes.map(({ name }) => internText(texts, name));
  const limit = Math.max(...types) + 1;
  const facts = columns.halves(limit);
  dataTypes.forEach((type, i) => {
    const isSized = type.class !== "opaque" && type.class !== "predicate";
    facts[types[i]!] = names["IS_TYPE"]!.value | (isSized ? names["HAS_SIZE"]!.value : 0) | type.bits;
    shapes.typeOf.set(types[i]!, i);
  });
  set("typeFacts", facts.byteOffset);
  set("typeLimit", limit);
}

const columnNames = [
  "align", "at", "code", "column", "facts", "firstElf", "firstModule", "firstSection", "firstSymbol", "flags", "line", "module", "name",
  "offset", "owner", "place", "rel", "relEnd", "rela", "relaEnd", "role", "runs", "shape", "size", "symbolOf",
] as const satisfies readonly (keyof Tables)[]; // prettier-ignore

function setColumns({ names }: ReaderMemory, tables: Tables): void {
  for (const name of columnNames) names[name]!.value = tables[name].byteOffset;
}

// ------------------------------------------------------------------------------------------------------ texts and shapes

/** Puts a column into the reader's memory, with as much room as it has; where it is. */
function lend({ columns }: ReaderMemory, column: Int32Array): number {
  const lent = columns.words(column.length);
  lent.set(column);
  return lent.byteOffset;
}

function lendTexts(memory: ReaderMemory, { texts }: Tables): void {
  const { names, columns } = memory;
  const bytes = columns.bytes(texts.bytes.length);
  bytes.set(texts.bytes);
  names["textBytes"]!.value = bytes.byteOffset;
  names["textRoom"]!.value = bytes.length;
  names["textStart"]!.value = lend(memory, texts.start);
  names["textStarts"]!.value = texts.start.length;
  names["textSlots"]!.value = lend(memory, texts.slots);
  names["textSlotWords"]!.value = texts.slots.length;
  names["textCount"]!.value = texts.count;
  names["textSalt"]!.value = texts.salt;
}

function takeTexts({ names, bytes, words }: ReaderMemory, { texts }: Tables): void {
  const valueOf = (name: string): number => names[name]!.value;
  texts.bytes = bytes(valueOf("textBytes"), valueOf("textRoom"));
  texts.start = words(valueOf("textStart"), valueOf("textStarts"));
  texts.slots = words(valueOf("textSlots"), valueOf("textSlotWords"));
  texts.count = valueOf("textCount");
}

function lendShapes(memory: ReaderMemory, { shapes }: Tables): void {
  const { names } = memory;
  names["shapeWords"]!.value = lend(memory, shapes.words);
  names["shapeWordRoom"]!.value = shapes.words.length;
  names["shapeStart"]!.value = lend(memory, shapes.start);
  names["shapeHash"]!.value = lend(memory, shapes.hash);
  names["shapeRoom"]!.value = shapes.start.length;
  names["shapeSlots"]!.value = lend(memory, shapes.slots);
  names["shapeSlotWords"]!.value = shapes.slots.length;
  names["shapeCount"]!.value = shapes.count;
}

function takeShapes({ names, words }: ReaderMemory, { shapes }: Tables): void {
  const valueOf = (name: string): number => names[name]!.value;
  shapes.words = words(valueOf("shapeWords"), valueOf("shapeWordRoom"));
  shapes.start = words(valueOf("shapeStart"), valueOf("shapeRoom"));
  shapes.hash = words(valueOf("shapeHash"), valueOf("shapeRoom"));
  shapes.slots = words(valueOf("shapeSlots"), valueOf("shapeSlotWords"));
  shapes.count = valueOf("shapeCount");
}

// ---------------------------------------------------------------------------------------------------------------- lists

/** What is held against tables of words, each once. */
interface Checks {
  option(text: TextId): void;
  target(text: TextId, flags: number): void;
  prototype(text: TextId): void;
}

function createChecks({ texts }: Tables): Checks {
  const once = (check: (text: TextId) => void): ((text: TextId) => void) => {
    const known = new Set<TextId>();
    return (text) => {
      if (known.has(text)) return;
      check(text);
      known.add(text);
    };
  };
  return {
    option: once((text) => {
      if (!isPlainOption(textOf(texts, text))) notPlain("a target option");
    }),
    target(text, flags) {
      if (flags !== currentFlags(parseTarget(textOf(texts, text))?.sm ?? 0) >>> 0) notPlain("flags");
    },
    prototype: once((text) => {
      if (!parsePrototype(textOf(texts, text)).ok) notPlain("a prototype");
    }),
  };
}

/** Words of an entry of the list of debug sections. */
const DEBUG_WORDS = 8;

/** The words of a list, which is empty then. */
function takeList({ names, words }: ReaderMemory, name: string): Int32Array {
  const list = words(names[name]!.value, 3);
  const [at, length] = [list[0]!, list[1]!];
  list[1] = 0;
  return words(at >>> 0, length);
}

const lists = [
  "options", "targets", "modules", "moduleStart", "moduleVersion", "kernels", "calls", "taken", "addressUses",
  "indirectCalls", "debug",
] as const; // prettier-ignore
const counts = ["shared", "common", "references", "secondNames"] as const;

/** What was read since the last handing over. */
function forget(memory: ReaderMemory): void {
  for (const name of lists) takeList(memory, name);
  for (const name of counts) memory.names[name]!.value = 0;
}

function takeLists(memory: ReaderMemory, tables: Tables, checks: Checks): void {
  const { names } = memory;
  const { modules, moduleStart, moduleVersion, targets, kernels, rare } = tables;
  const taken = (name: (typeof lists)[number]): Int32Array => takeList(memory, name);
  for (const text of taken("options")) checks.option(text);
  const ofObjects = taken("targets");
  for (let i = 0; i < ofObjects.length; i += 2) checks.target(ofObjects[i]!, ofObjects[i + 1]! >>> 0);
  const first = modules.length;
  putAll(modules, taken("modules"));
  for (const start of taken("moduleStart")) {
    moduleStart.push(first + start);
    targets.add(-modules[first + start + 2]! - 1);
  }
  putAll(moduleVersion, taken("moduleVersion"));
  putAll(kernels, taken("kernels"));
  putAll(tables.calls, taken("calls"));
  putAll(tables.taken, taken("taken"));
  putAll(tables.addressUses, taken("addressUses"));
  const indirect = taken("indirectCalls");
  for (let i = 1; i < indirect.length; i += 2) checks.prototype(indirect[i]!);
  putAll(tables.indirectCalls, indirect);
  const debug = taken("debug");
  for (let i = 0; i < debug.length; i += DEBUG_WORDS) takeDebug(tables, debug.subarray(i, i + DEBUG_WORDS));
  for (const name of counts) {
    rare[name] += names[name]!.value;
    names[name]!.value = 0;
  }
}

function putAll(into: number[], words: Int32Array): void {
  for (let i = 0; i < words.length; i++) into.push(words[i]!);
}

function takeDebug({ files, texts, debug }: Tables, entry: Int32Array): void {
  const [file, name, module, elf, at, size, shapeAt, shapeSize] = entry as unknown as [number, number, number, number, number, number, number, number]; // prettier-ignore
  const frame = files[file]! as ElfFrame;
  if (!isNamed(frame, elf, encoder.encode(debugElfName(textOf(texts, name))))) notPlain("name of a debug section");
  const data = frame.bytes.subarray(at, at + size);
  debug.push({ file, name, module, data, shape: frame.bytes.subarray(shapeAt, shapeAt + shapeSize) });
}
