// Module items: PTX ISA 9.0 chapters 5, 7 and 11. Each wrong item is reported and skipped; parsing continues after it. The body
// of a function with a wrong header is still parsed, to report its own errors.

import {
  type Cursor,
  endOf,
  expect,
  expectName,
  fail,
  failExpected,
  isSyntaxFault,
  peek,
  peekDirective,
  rangeOf,
  startOf,
  tokenText,
} from "./cursor.js";
import { parseDwarfLines, parseFile, parseSection } from "./debug.js";
import { parseVariables } from "./declaration.js";
import { parseFunction } from "./function.js";
import { parseHeader, parseHeaderDirective } from "./header.js";
import { parsePragmaStrings } from "./prototype.js";
import { beginsBareBody, type Head, resumeInModule } from "./recovery.js";
import { parseBlock, parseStatements } from "./statement.js";
import * as kind from "./token.js";
import type { AliasDirective, BlockStatement, ModuleItem, UnreadBody } from "./tree.js";
import { bodyStarters, declarationStarters, linkages } from "./words.table.js";

type Item = ModuleItem<BlockStatement | UnreadBody>;

/** Reads all items of a module; skipped bodies stay unread. */
export function parseItems(cursor: Cursor): readonly Item[] {
  const items: Item[] = [];
  const isOther = peekDirective(cursor) === undefined && !hasDirective(cursor);
  parseHeader(cursor, items, (parse) => attempt(cursor, parse));
  // A text without any directive is not PTX: one error is enough.
  if (isOther) return items;
  while (peek(cursor) !== kind.END) {
    if (cursor.unclosed > 0 && continuesBody(cursor)) {
      cursor.unclosed--;
      parseStatements(cursor);
    } else attempt(cursor, () => addItem(items, parseItem(cursor)));
  }
  return items;
}

/** A section that continues the last item replaces it. */
function addItem(items: Item[], item: Item): void {
  if (item.kind === "section" && items.at(-1)?.start === item.start) items.pop();
  items.push(item);
}

function hasDirective({ kinds, index }: Cursor): boolean {
  for (; kinds[index] !== kind.END; index++) if (kinds[index] === kind.DIRECTIVE) return true;
  return false;
}

/** Whether statements follow an item inside a body, so that the body had not ended after all. */
function continuesBody(cursor: Cursor): boolean {
  const word = peekDirective(cursor);
  return word === undefined ? peek(cursor) !== kind.DWARF_LINE : bodyStarters.has(word);
}

function attempt(cursor: Cursor, parse: () => void): void {
  const first = cursor.index;
  try {
    parse();
  } catch (error) {
    if (!isSyntaxFault(error)) throw error;
    cursor.depth = 0;
    const head = headOf(cursor, first);
    if (beginsBareBody(cursor, first)) parseStatements(cursor);
    else if (head === "function" && skipToBody(cursor)) parseBlock(cursor);
    else resumeInModule(cursor, first, head);
    if (cursor.index === first && peek(cursor) !== kind.END) cursor.index++;
  }
}

function headOf(cursor: Cursor, first: number): Head {
  const second = linkages.has(tokenText(cursor, first)) ? first + 1 : first;
  const word = tokenText(cursor, second);
  if (word === ".entry" || word === ".func") return "function";
  return cursor.kinds.subarray(second, cursor.index).includes(kind.EQUALS) ? "initializer" : "other";
}

/** Moves to the opening brace of the body of a function with a wrong header; false if there is none. */
function skipToBody(cursor: Cursor): boolean {
  for (let index = cursor.index; ; index++) {
    const token = cursor.kinds[index];
    if (token === kind.BRACE_OPEN) {
      cursor.index = index;
      return true;
    }
    if (token === kind.SEMICOLON || token === kind.BRACE_CLOSE || token === kind.END) return false;
  }
}

function parseItem(cursor: Cursor): Item {
  const start = startOf(cursor);
  const word = peekDirective(cursor);
  if (word === undefined) {
    if (peek(cursor) === kind.DWARF_LINE) return parseDwarfLines(cursor);
    return failExpected(cursor, "a declaration, a function or a directive");
  }
  const linkage = linkages.get(word);
  if (linkage !== undefined) {
    cursor.index++;
    const next = peekDirective(cursor);
    if (linkage !== "common" && (next === ".func" || next === ".entry")) return parseFunction(cursor, start, linkage);
    if (next === undefined || !declarationStarters.has(next)) {
      failExpected(cursor, `a state space${linkage === "common" ? "" : ", '.func' or '.entry'"} after '${word}'`);
    }
    return parseVariables(cursor, start, linkage);
  }
  if (declarationStarters.has(word)) return parseVariables(cursor, start);
  switch (word) {
    case ".func":
    case ".entry":
      return parseFunction(cursor, start);
    case ".file":
      return parseFile(cursor);
    case ".section":
      return parseSection(cursor);
    case ".pragma":
      return { kind: "pragma", start, strings: parsePragmaStrings(cursor), end: endOf(cursor) };
    case ".alias":
      return parseAlias(cursor);
    case ".version":
    case ".target":
    case ".address_size":
      if (cursor.headless) return parseHeaderDirective(cursor, word);
      return fail(cursor, rangeOf(cursor, cursor.index), `'${word}' belongs to the start of the module`);
    case ".loc":
      return fail(cursor, rangeOf(cursor, cursor.index), "'.loc' belongs inside a function");
    default:
      return failExpected(cursor, "a declaration, a function or a directive");
  }
}

function parseAlias(cursor: Cursor): AliasDirective {
  const start = startOf(cursor);
  cursor.index++;
  const alias = expectName(cursor, "the new name of a function");
  expect(cursor, kind.COMMA, "between the two names of '.alias'");
  const aliasee = expectName(cursor, "the function that gets another name");
  expect(cursor, kind.SEMICOLON, "after '.alias'");
  return { kind: "alias", start, end: endOf(cursor), alias, aliasee };
}
