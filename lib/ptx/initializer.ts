// Initial values: PTX ISA 9.0 sections 5.3 (opaque types) and 5.4.4. As in ptxas, an offset follows a name or generic(name), and
// is never inside it; a mask encloses one value and has no operators; a list does not end with a comma.

import {
  accept,
  type Cursor,
  endOf,
  enter,
  expect,
  expectName,
  peek,
  peekSecond,
  startOf,
  tokenText,
} from "./cursor.js";
import { atMask, parseExpression, parseInteger } from "./expression.js";
import * as kind from "./token.js";
import type { Initializer } from "./tree.js";
import { RESERVED } from "./words.table.js";

/** Reads the initial value after `=`. */
export function parseInitializer(cursor: Cursor): Initializer {
  if (peek(cursor) === kind.BRACE_OPEN) return parseList(cursor);
  if (!atMask(cursor)) return parseValue(cursor);
  const start = startOf(cursor);
  const mask = parseInteger(cursor);
  expect(cursor, kind.PAREN_OPEN, "after the mask");
  const value = parseValue(cursor);
  expect(cursor, kind.PAREN_CLOSE, "after the masked value");
  return { kind: "mask", start, end: endOf(cursor), mask, value };
}

function parseList(cursor: Cursor): Initializer {
  const start = startOf(cursor);
  cursor.index++;
  enter(cursor);
  const elements: Initializer[] = [];
  if (!accept(cursor, kind.BRACE_CLOSE)) {
    do {
      const isField = peek(cursor) === kind.WORD && peekSecond(cursor) === kind.EQUALS;
      elements.push(isField ? parseField(cursor) : parseInitializer(cursor));
    } while (accept(cursor, kind.COMMA));
    expect(cursor, kind.BRACE_CLOSE, "or ',' in the list of initial values");
  }
  cursor.depth--;
  return { kind: "list", start, end: endOf(cursor), elements };
}

function parseValue(cursor: Cursor): Initializer {
  const start = startOf(cursor);
  if (peek(cursor) !== kind.WORD || tokenText(cursor) === RESERVED) {
    const value = parseExpression(cursor);
    return { kind: "constant", start, end: endOf(cursor), value };
  }
  const generic = peekSecond(cursor) === kind.PAREN_OPEN && tokenText(cursor) === "generic";
  if (generic) cursor.index += 2;
  const name = expectName(cursor, "the name of a variable");
  if (generic) expect(cursor, kind.PAREN_CLOSE, "after the name in generic()");
  if (!accept(cursor, kind.PLUS)) return { kind: "address", start, end: endOf(cursor), name, generic };
  const offset = parseExpression(cursor);
  return { kind: "address", start, end: endOf(cursor), name, generic, offset };
}

function parseField(cursor: Cursor): Initializer {
  const field = expectName(cursor, "a field");
  cursor.index++;
  if (peek(cursor) === kind.WORD && tokenText(cursor) !== RESERVED) {
    const value = { kind: "name", ...expectName(cursor, "a value") } as const;
    return { kind: "field", start: field.start, end: endOf(cursor), field, value };
  }
  const value = parseExpression(cursor);
  return { kind: "field", start: field.start, end: endOf(cursor), field, value };
}
