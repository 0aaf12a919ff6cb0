// Packs an object, made by the assembler or read from a file, to a packed object (packed-object.ts).

import { putLong } from "../../../../formats/bytes/long-words.js";
import { codeOf, flagsOf, roleCode } from "../../file/declaration-codes.js";
import { targetWordsOf } from "../../target-words.js";
import type { CodeProperties, ObjectSymbol, Relocation, ObjectFile, Section } from "../../object.js";
import { alignUp } from "../../place.js";
import { unsupported } from "../cursor.js";
import { COUNT, COUNTS, SECTION_WORDS, SYMBOL_WORDS, type PackedObject } from "./packed-object.js";
import { addToRuns, createRuns, type Runs } from "../relocation-runs.js";
import { typeOfFunction, typeOfReference, typeOfVariable } from "../type-of-symbol.js";
import type { TypeTable } from "../types.js";
import { COMMON, CODE_PROPERTY, REL_WORDS, RELA_WORDS } from "../columns.js";
import { internString } from "../strings.js";

/** Packs an object; entries that `dictionary` lacks are added. */
export type Packer = (object: ObjectFile, dictionary: TypeTable) => PackedObject;

/** Memory that is reused for the next object. */
interface Memory {
  rows: Int32Array;
  records: Uint32Array;
  readonly runs: Runs;
}

/** Creates a packer that processes object after object in the same working memory. */
export function createPacker(): Packer {
  const memory = {
    rows: new Int32Array(1024),
    records: new Uint32Array(1024),
    runs: createRuns(),
  };
  return (object, dictionary) => pack(memory, object, dictionary);
}

function pack(memory: Memory, object: ObjectFile, dictionary: TypeTable): PackedObject {
  const { symbols, sections, debugSections = [] } = object;
  const rowWords = putRows(memory, object, dictionary);
  const contents = contentBytes(sections);
  const recordWords = putSections(memory, object, COUNTS + SYMBOL_WORDS * symbols.length);
  // All parts share one buffer.
  const { rows, records } = memory;
  const start = 4 * (rowWords + recordWords);
  const buffer = new ArrayBuffer(start + contents);
  const packed: PackedObject = {
    dictionary,
    rows: new Int32Array(buffer, 0, rowWords),
    records: new Uint32Array(buffer, 4 * rowWords, recordWords),
    bytes: new Uint8Array(buffer, start),
    debug: debugSections.map(({ name, module, data, record }) => ({
      name: internString(dictionary.strings, name),
      module,
      data,
      record,
    })),
  };
  packed.rows.set(rows.subarray(0, rowWords));
  packed.records.set(records.subarray(0, recordWords));
  putContents(packed.bytes, sections);
  return packed;
}

// ----------------------------------------------------------------------------------------------------------------- rows

/** The counter of each list after the rows, in order. */
const LISTS = [
  COUNT.module,
  COUNT.kernels,
  COUNT.calls,
  COUNT.addressTaken,
  COUNT.addressUses,
  COUNT.indirectCalls,
] as const;

/**
 * Writes all rows except those of sections, for which space is reserved. Returns the number of words. Loops are functions of
 * their own, here and below, because the engine compiles a function with a loop as a whole.
 */
function putRows(memory: Memory, object: ObjectFile, dictionary: TypeTable): number {
  const { symbols, sections, kernels, calls, addressTaken, codeProperties } = object;
  const lists = [
    modulesWords(object, dictionary),
    kernels.map(({ symbol }) => symbol),
    pairsOf(calls),
    addressTaken,
    usesOf(codeProperties),
    indirectCallsOf(codeProperties, dictionary),
  ];
  const first = COUNTS + SYMBOL_WORDS * symbols.length + SECTION_WORDS * sections.length;
  const total = lists.reduce((sum, list) => sum + list.length, first);
  if (total > memory.rows.length) memory.rows = new Int32Array(2 * total);
  const { rows } = memory;
  rows.fill(0, 0, COUNTS);
  rows[COUNT.symbols] = symbols.length;
  rows[COUNT.sections] = sections.length;
  rows[COUNT.modules] = object.modules.length;
  rows[COUNT.target] = internString(dictionary.strings, object.target.name);
  rows[COUNT.version] = object.version;
  putSymbols(rows, object, dictionary);
  putLists(rows, lists, first);
  return total;
}

function putSymbols(rows: Int32Array, object: ObjectFile, dictionary: TypeTable): void {
  for (let i = 0; i < object.symbols.length; i++) putSymbol(rows, object, i, dictionary);
}

function putLists(rows: Int32Array, lists: readonly (readonly number[])[], first: number): void {
  let at = first;
  for (let i = 0; i < lists.length; i++) {
    rows[LISTS[i]!] = lists[i]!.length;
    at = putList(rows, lists[i]!, at);
  }
}

/** Appends a list; returns its end. */
function putList(rows: Int32Array, list: readonly number[], start: number): number {
  for (let i = 0; i < list.length; i++) rows[start + i] = list[i]!;
  return start + list.length;
}

/** The words of the modules, as in columns. */
const modulesWords = ({ modules }: ObjectFile, { strings }: TypeTable): readonly number[] =>
  modules.flatMap((module) => {
    const { name, version, target, targetLine, files } = module;
    const text = (of: string): number => -internString(strings, of) - 1;
    const options = targetWordsOf(module).map(text);
    const listed = files.flatMap(({ index, path }) => [index, text(path)]);
    return [text(name), version, text(target.name), options.length, ...options, targetLine, files.length, ...listed];
  });

/** Most modules have calls: a loop takes a fraction of the time of flatMap. */
function pairsOf(calls: ObjectFile["calls"]): readonly number[] {
  const pairs: number[] = [];
  for (let i = 0; i < calls.length; i++) pairs.push(calls[i]!.caller, calls[i]!.callee);
  return pairs;
}

const usesOf = (facts: readonly CodeProperties[]): readonly number[] =>
  facts.flatMap(({ symbol, addressUses }) => addressUses.flatMap((target) => [symbol, target]));

const indirectCallsOf = (facts: readonly CodeProperties[], { strings }: TypeTable): readonly number[] =>
  facts.flatMap(({ symbol, indirectCalls }) =>
    indirectCalls.flatMap((prototype) => [symbol, internString(strings, prototype)]),
  );

function putSymbol(rows: Int32Array, { symbols, sections }: ObjectFile, index: number, dictionary: TypeTable): void {
  const symbol = symbols[index]!;
  const { name, placement, origin } = symbol;
  const at = COUNTS + SYMBOL_WORDS * index;
  rows[at] = internString(dictionary.strings, name);
  rows[at + 1] = codeOf(symbol) + 256 * flagsOf(symbol);
  rows[at + 2] = shapeOf(symbol, dictionary);
  rows[at + 3] = placement.kind === "section" ? placement.section : placement.kind === "common" ? COMMON : -1;
  putLong(rows, at + 4, placement.kind === "section" ? placement.offset : 0);
  rows[at + 6] = origin.line;
  rows[at + 7] = origin.column ?? 0;
  rows[at + 8] = origin.module;
  if (placement.kind === "common") rows[COUNT.common]!++;
  if (symbol.kind === "variable") {
    if (symbol.space === "shared") rows[COUNT.shared]!++;
    if (symbol.aliasOf !== undefined) rows[COUNT.aliases]!++;
  }
  if (symbol.kind === "reference") rows[COUNT.references]!++;
  if (symbol.kind !== "function" || placement.kind !== "section") return;
  const { role } = sections[placement.section]!;
  if (role.kind === "text" && role.symbol !== index) rows[COUNT.functionAliases]!++;
}

function shapeOf(symbol: ObjectSymbol, dictionary: TypeTable): number {
  if (symbol.kind === "function") return typeOfFunction(dictionary, symbol);
  return symbol.kind === "variable" ? typeOfVariable(dictionary, symbol) : typeOfReference(dictionary, symbol);
}

// ------------------------------------------------------------------------------------------------------------- sections

/** Offset of the code in an image; equal code is stored once per file. */
const CODE_ALIGN = 128;

const startOf = (at: number, { role }: Section): number => (role.kind === "text" ? alignUp(at, CODE_ALIGN) : at);

function contentBytes(sections: readonly Section[]): number {
  let at = 0;
  for (let i = 0; i < sections.length; i++) {
    const { data } = sections[i]!;
    if (data !== undefined) at = startOf(at, sections[i]!) + data.length;
  }
  return at < 2 ** 31 ? at : unsupported("an object of 2 GiB or more");
}

function putContents(bytes: Uint8Array, sections: readonly Section[]): void {
  let at = 0;
  for (let i = 0; i < sections.length; i++) {
    const { data } = sections[i]!;
    if (data === undefined) continue;
    at = startOf(at, sections[i]!);
    bytes.set(data, at);
    at += data.length;
  }
}

/**
 * Writes the rows of sections, from `first` on, with their relocation records, each followed by its runs. Returns the number of
 * words.
 */
function putSections(memory: Memory, { sections, codeProperties }: ObjectFile, first: number): number {
  const { rows } = memory;
  const facts =
    codeProperties.length === 0 ? undefined : new Map(codeProperties.map((of) => [of.symbol, codePropertyBits(of)]));
  let start = 0;
  // Records start at 1, because in columns 0 means none.
  let records = 1;
  for (let i = 0, at = first; i < sections.length; i++, at += SECTION_WORDS) {
    const section = sections[i]!;
    const { role, size, align, data, relocations } = section;
    const code = roleCode(role.kind);
    if (data !== undefined) start = startOf(start, section);
    rows[at] = code + 256 * (role.kind === "text" ? (facts?.get(role.symbol) ?? 0) : 0);
    rows[at + 1] = role.kind === "text" || role.kind === "shared" ? role.symbol : -1;
    rows[at + 2] = start;
    putLong(rows, at + 3, size);
    putLong(rows, at + 5, align);
    const isRela = hasAddends(relocations);
    const words = relocations.length * (isRela ? RELA_WORDS : REL_WORDS);
    rows[at + 7] = records;
    rows[at + 8] = records + words;
    rows[at + 9] = isRela ? 1 : 0;
    rows[at + 10] = records + words;
    records = putRelocations(memory, records, relocations, isRela);
    if (data !== undefined) start += data.length;
  }
  return records;
}

function hasAddends(relocations: readonly Relocation[]): boolean {
  for (let i = 0; i < relocations.length; i++) if (relocations[i]!.addend !== 0n) return true;
  return false;
}

/** Writes records and their runs; returns the end. */
function putRelocations(memory: Memory, from: number, relocations: readonly Relocation[], isRela: boolean): number {
  const { runs } = memory;
  const stride = isRela ? RELA_WORDS : REL_WORDS;
  // In the worst case, each relocation is a run of its own.
  const most = from + 1 + (stride + 2) * relocations.length;
  if (most > memory.records.length) {
    const larger = new Uint32Array(2 * most);
    larger.set(memory.records);
    memory.records = larger;
  }
  const { records } = memory;
  runs.length = 0;
  for (let i = 0, at = from; i < relocations.length; i++, at += stride) {
    const { offset, type, symbol, addend, width } = relocations[i]!;
    records[at] = offset;
    records[at + 1] = 0;
    records[at + 2] = type;
    records[at + 3] = symbol;
    addToRuns(runs, 2 * width + (isRela ? 1 : 0));
    if (!isRela) continue;
    records[at + 4] = addend === 0n ? 0 : Number(BigInt.asUintN(32, addend));
    records[at + 5] = addend === 0n ? 0 : Number(BigInt.asUintN(32, addend >> 32n));
  }
  let end = from + stride * relocations.length;
  records[end++] = runs.length / 2;
  for (let i = 0; i < runs.length; i++) records[end++] = runs.words[i]!;
  return end;
}

/** The properties of a function's code, encoded as in columns. */
const codePropertyBits = ({ barriers, readsBlockZ, usesMatrices, isRecursive }: CodeProperties): number =>
  barriers +
  (readsBlockZ ? CODE_PROPERTY.blockZ : 0) +
  (usesMatrices ? CODE_PROPERTY.matrices : 0) +
  (isRecursive ? CODE_PROPERTY.recursive : 0);
