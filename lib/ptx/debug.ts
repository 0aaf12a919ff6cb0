// Debugging directives: PTX ISA 9.0 section 11.5 (.file, .loc, .section, @@DWARF). Neither they nor their parts end with a
// semicolon; only the grammar separates them. The data of sections follows ptxas's grammar: a list of integers, or one label,
// with an offset or minus another label, never mixed.

import {
  accept,
  acceptDirective,
  type Cursor,
  endOf,
  enter,
  expect,
  expectName,
  fail,
  failExpected,
  peek,
  peekDirective,
  peekSecond,
  rangeOf,
  startOf,
  tokenText,
} from "./cursor.js";
import { parseCount, parseInteger, parseSmall } from "./expression.js";
import * as kind from "./token.js";
import { moduleStarters, statementStarters, types } from "./words.table.js";
import { createTextNumbers, scanSection, textNumber, type SectionStore } from "./scan-section.js";
import {
  addInteger,
  addIntegers,
  addLabel,
  addMisfit,
  addReference,
  addSection,
  createSectionData,
  endSection,
  fitsType,
  isBelowHalf,
  markOf,
  partSince,
  SECTION_TYPES,
  startOfPart,
  type SectionData,
} from "./section-data.js";
import type { FileDirective, Location, SectionDirective } from "./tree.js";

/** Reads a string token, without its quotes. */
export function parseString(cursor: Cursor, what: string): string {
  if (peek(cursor) !== kind.STRING) failExpected(cursor, what);
  const text = tokenText(cursor);
  cursor.index++;
  return text.slice(1, text.endsWith('"') && text.length > 1 ? -1 : undefined);
}

/** Reads `.file 1 "a.cu", 1234, 5678`. */
export function parseFile(cursor: Cursor): FileDirective {
  const start = startOf(cursor);
  cursor.index++;
  const index = parseSmall(cursor, "the file's index");
  const path = parseString(cursor, "the file's name as a string");
  const timestamp = accept(cursor, kind.COMMA) ? parseCount(cursor, "the file's time stamp") : undefined;
  const size =
    timestamp !== undefined && accept(cursor, kind.COMMA) ? parseCount(cursor, "the file's size") : undefined;
  return {
    kind: "file",
    start,
    end: endOf(cursor),
    index,
    path,
    ...(timestamp === undefined ? {} : { timestamp }),
    ...(size === undefined ? {} : { size }),
  };
}

/** Reads `.loc 1 20 3, function_name label + 4, inlined_at 1 40 5`. */
export function parseLocation(cursor: Cursor): Location {
  const start = startOf(cursor);
  cursor.index++;
  const { file, line, column } = parsePosition(cursor);
  if (!accept(cursor, kind.COMMA)) return { kind: "location", start, end: endOf(cursor), file, line, column };
  expectWord(cursor, "function_name");
  const label = expectName(cursor, "the label of the function's name").text;
  const offset = accept(cursor, kind.PLUS) ? parseCount(cursor, "an offset") : 0n;
  expect(cursor, kind.COMMA, "before 'inlined_at'");
  expectWord(cursor, "inlined_at");
  const inlinedAt = parsePosition(cursor);
  const functionName = { label, offset };
  return { kind: "location", start, end: endOf(cursor), file, line, column, functionName, inlinedAt };
}

function parsePosition(cursor: Cursor): { file: number; line: number; column: number } {
  const file = parseSmall(cursor, "the file's index");
  const line = parseSmall(cursor, "a line number");
  const column = parseSmall(cursor, "a column number");
  return { file, line, column };
}

function expectWord(cursor: Cursor, word: string): void {
  if (peek(cursor) !== kind.WORD || tokenText(cursor) !== word) failExpected(cursor, `'${word}'`);
  cursor.index++;
}

/**
 * Reads `.section .debug_info { ... }`. If it follows a section of the same name, the contents are added to that section: a text
 * may have a million sections of a few bytes.
 */
export function parseSection(cursor: Cursor): SectionDirective {
  const [start, first] = [startOf(cursor), cursor.index];
  cursor.index++;
  const name = parseSectionName(cursor);
  const store = sectionStore(cursor);
  const { data, numbers } = store;
  const before = sectionBefore(store, first, name);
  const begin = before === undefined ? markOf(data) : undefined;
  const row = before === undefined ? undefined : addSection(data, start);
  if (peek(cursor) === kind.BODY) {
    const [from, to] = [startOf(cursor) + 1, cursor.ends[cursor.index]! - 1];
    // Sections in an unusual format are parsed again from tokens.
    if (!scanSection(data, numbers, cursor.names, from, to)) failExpected(cursor, "a section's data");
    cursor.index++;
  } else {
    expect(cursor, kind.BRACE_OPEN, "after the section's name");
    enter(cursor);
    const firstRow = data.used;
    while (!accept(cursor, kind.BRACE_CLOSE)) parseItem(cursor, data, firstRow);
    cursor.depth--;
  }
  const end = endOf(cursor);
  if (row !== undefined) endSection(data, row, end);
  const part = partSince(data, begin ?? startOfPart(before!.part));
  const section: SectionDirective = { kind: "section", start: before?.start ?? start, end, name, part };
  store.latest = { section, next: cursor.index };
  return section;
}

/** The last section of the store, if it ends before `token` and has that name. */
function sectionBefore({ data, latest }: SectionStore, token: number, name: string): SectionDirective | undefined {
  if (latest?.next !== token || latest.section.name !== name) return undefined;
  return latest.section.part.endRow === data.used ? latest.section : undefined;
}

const sectionStore = (cursor: Cursor): SectionStore =>
  (cursor.sections ??= { data: createSectionData(), numbers: createTextNumbers(), latest: undefined });

function parseSectionName(cursor: Cursor): string {
  const name = peekDirective(cursor);
  if (name === undefined || statementStarters.has(name) || moduleStarters.has(name) || types.has(name))
    return failExpected(cursor, "a section's name such as '.debug_info'");
  cursor.index++;
  return name;
}

/** Log2 of the size in bytes, by type. */
const dataTypes: ReadonlyMap<string, number> = new Map(SECTION_TYPES.map((type, i) => [`.${type}`, i]));

function parseItem(cursor: Cursor, data: SectionData, firstRow: number): void {
  if (peek(cursor) === kind.WORD && peekSecond(cursor) === kind.COLON) return parseSectionLabel(cursor, data);
  const start = startOf(cursor);
  const type = dataTypes.get(peekDirective(cursor) ?? "");
  if (type === undefined) return failExpected(cursor, "'.b8', '.b16', '.b32', '.b64', a label or '}'");
  cursor.index++;
  parseValues(cursor, data, firstRow, start, type);
}

function parseSectionLabel(cursor: Cursor, data: SectionData): void {
  const { start } = expectName(cursor, "a label");
  const text = lastText(cursor);
  cursor.index++;
  addLabel(data, text, start, endOf(cursor));
}

/** The number in the store of the last name that was read. */
function lastText(cursor: Cursor): number {
  const { data, numbers } = sectionStore(cursor);
  return textNumber(data, numbers, cursor.names, cursor.ids[cursor.index - 1]!);
}

function parseValues(cursor: Cursor, data: SectionData, firstRow: number, start: number, type: number): void {
  const token = peek(cursor);
  if (token === kind.DIRECTIVE || token === kind.WORD) return parseReference(cursor, data, start, type);
  let [each, hasNegative, isSigned] = [0, false, true];
  let misfit: bigint | undefined;
  do {
    const negative = accept(cursor, kind.MINUS);
    const { value: size } = parseInteger(cursor, "an integer or a label");
    const value = negative ? -size : size;
    addInteger(data, type, value);
    if (value < 0n) hasNegative = true;
    if (!fitsType(value, type)) misfit ??= value;
    if (!isBelowHalf(value, type)) isSigned = false;
    each++;
  } while (accept(cursor, kind.COMMA));
  addIntegers(data, firstRow, type, each, 1, hasNegative && isSigned);
  if (misfit !== undefined) addMisfit(data, { start, end: endOf(cursor), value: misfit, type });
}

function parseReference(cursor: Cursor, data: SectionData, start: number, type: number): void {
  const isSection = peek(cursor) === kind.DIRECTIVE;
  if (isSection) parseSectionName(cursor);
  else expectName(cursor, "a label");
  const text = lastText(cursor);
  let minus = -1;
  let offset: bigint | undefined;
  if (accept(cursor, kind.PLUS)) offset = parseCount(cursor, "an offset");
  else if (!isSection && accept(cursor, kind.MINUS)) {
    expectName(cursor, "the label to subtract");
    minus = lastText(cursor);
  }
  addReference(data, type, text, minus, offset, start, endOf(cursor));
}

/** Assembler words of the old form, with log2 of the equivalent size in bytes. */
const legacyTypes: ReadonlyMap<string, number> = new Map([
  [".byte", 0],
  [".2byte", 1],
  [".4byte", 2],
  [".8byte", 3],
  [".quad", 3],
]);

/** Reads the `@@DWARF` lines of one section: the line with its name, and the lines up to the next name. */
export function parseDwarfLines(cursor: Cursor): SectionDirective {
  const start = startOf(cursor);
  cursor.index++;
  if (!acceptDirective(cursor, ".section")) failExpected(cursor, "'.section' on the first @@DWARF line");
  const name = parseSectionName(cursor);
  if (accept(cursor, kind.COMMA)) {
    parseString(cursor, "the section's flags as a string");
    if (accept(cursor, kind.COMMA)) {
      expect(cursor, kind.AT, "before the section's type");
      expectWord(cursor, "progbits");
    }
  }
  const { data } = sectionStore(cursor);
  const begin = markOf(data);
  while (peek(cursor) === kind.DWARF_LINE && tokenText(cursor, cursor.index + 1) !== ".section") {
    cursor.index++;
    parseDwarfItem(cursor, data, begin.row);
  }
  return { kind: "section", start, end: endOf(cursor), name, legacy: true, part: partSince(data, begin) };
}

function parseDwarfItem(cursor: Cursor, data: SectionData, firstRow: number): void {
  if (peek(cursor) === kind.WORD && peekSecond(cursor) === kind.COLON) return parseSectionLabel(cursor, data);
  const start = startOf(cursor);
  const type = legacyTypes.get(peekDirective(cursor) ?? "");
  if (type === undefined) {
    const message = "expected '.byte', '.2byte', '.4byte', '.8byte', '.quad' or a label on an @@DWARF line";
    return fail(cursor, rangeOf(cursor, cursor.index), message);
  }
  cursor.index++;
  parseValues(cursor, data, firstRow, start, type);
}
