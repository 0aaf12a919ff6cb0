// Debugging directives: PTX ISA 9.0 section 11.5 (.file, .loc, .section, @@DWARF). They end without a semicolon, and so
// do their parts; the grammar is what keeps them apart. Section data is ptxas' grammar: a list of integers, or one label
// with an offset or another label to subtract, never mixed.

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
import { sectionInteger } from "./section-values.js";
import type { FileDirective, Location, SectionDirective, SectionItem, SectionValue } from "./tree.js";

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

/** Reads `.section .debug_info { ... }`. */
export function parseSection(cursor: Cursor): SectionDirective {
  const start = startOf(cursor);
  cursor.index++;
  const name = parseSectionName(cursor);
  expect(cursor, kind.BRACE_OPEN, "after the section's name");
  enter(cursor);
  const items: SectionItem[] = [];
  while (!accept(cursor, kind.BRACE_CLOSE)) items.push(parseItem(cursor));
  cursor.depth--;
  return { kind: "section", start, end: endOf(cursor), name, items };
}

function parseSectionName(cursor: Cursor): string {
  const name = peekDirective(cursor);
  if (name === undefined || statementStarters.has(name) || moduleStarters.has(name) || types.has(name))
    return failExpected(cursor, "a section's name such as '.debug_info'");
  cursor.index++;
  return name;
}

/** As a tree names them: one text for all items, because a file has millions. */
const dataTypes: ReadonlyMap<string, string> = new Map([
  [".b8", "b8"],
  [".b16", "b16"],
  [".b32", "b32"],
  [".b64", "b64"],
]);

function parseItem(cursor: Cursor): SectionItem {
  if (peek(cursor) === kind.WORD && peekSecond(cursor) === kind.COLON) return parseSectionLabel(cursor);
  const start = startOf(cursor);
  const type = dataTypes.get(peekDirective(cursor) ?? "");
  if (type === undefined) return failExpected(cursor, "'.b8', '.b16', '.b32', '.b64', a label or '}'");
  cursor.index++;
  const values = parseValues(cursor);
  return { kind: "data", start, end: endOf(cursor), type, values };
}

function parseSectionLabel(cursor: Cursor): SectionItem {
  const name = expectName(cursor, "a label");
  cursor.index++;
  return { kind: "label", start: name.start, end: endOf(cursor), name: name.text };
}

function parseValues(cursor: Cursor): readonly SectionValue[] {
  const token = peek(cursor);
  if (token === kind.DIRECTIVE || token === kind.WORD) return [parseReference(cursor)];
  const values: SectionValue[] = [];
  do {
    const negative = accept(cursor, kind.MINUS);
    const { value } = parseInteger(cursor, "an integer or a label");
    values.push(sectionInteger(negative ? -value : value));
  } while (accept(cursor, kind.COMMA));
  return values;
}

function parseReference(cursor: Cursor): SectionValue {
  const isSection = peek(cursor) === kind.DIRECTIVE;
  const name = isSection ? parseSectionName(cursor) : expectName(cursor, "a label").text;
  if (accept(cursor, kind.PLUS)) return { kind: "label", name, offset: parseCount(cursor, "an offset") };
  if (isSection || !accept(cursor, kind.MINUS)) return { kind: "label", name };
  return { kind: "label", name, minus: expectName(cursor, "the label to subtract").text };
}

/** Assembler words of the old form, with the data types that say the same. */
const legacyTypes: ReadonlyMap<string, string> = new Map([
  [".byte", "b8"],
  [".2byte", "b16"],
  [".4byte", "b32"],
  [".8byte", "b64"],
  [".quad", "b64"],
]);

/** Reads the `@@DWARF` lines of one section: the line that names it, and those that follow until another is named. */
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
  const items: SectionItem[] = [];
  while (peek(cursor) === kind.DWARF_LINE && tokenText(cursor, cursor.index + 1) !== ".section") {
    cursor.index++;
    items.push(parseDwarfItem(cursor));
  }
  return { kind: "section", start, end: endOf(cursor), name, legacy: true, items };
}

function parseDwarfItem(cursor: Cursor): SectionItem {
  if (peek(cursor) === kind.WORD && peekSecond(cursor) === kind.COLON) return parseSectionLabel(cursor);
  const start = startOf(cursor);
  const type = legacyTypes.get(peekDirective(cursor) ?? "");
  if (type === undefined) {
    const message = "expected '.byte', '.2byte', '.4byte', '.8byte', '.quad' or a label on an @@DWARF line";
    return fail(cursor, rangeOf(cursor, cursor.index), message);
  }
  cursor.index++;
  return { kind: "data", start, end: endOf(cursor), type, values: parseValues(cursor) };
}
