// Functions: PTX ISA 9.0 sections 7.1, 11.1.3 to 11.1.5 and 11.4. As in ptxas, a device function's prototype may lack its
// semicolon; a kernel's may not.

import { accept, type Cursor, endOf, failExpected, peek, startOf } from "./cursor.js";
import { parsePrototype } from "./prototype.js";
import { parseBlock } from "./statement.js";
import * as kind from "./token.js";
import type { BlockStatement, FunctionDeclaration, Linkage, UnreadBody } from "./tree.js";

/** Reads a function that begins at `.entry` or `.func`; `start` is the start of its linkage, if it has one. */
export function parseFunction(
  cursor: Cursor,
  start: number,
  linkage?: Linkage,
): FunctionDeclaration<BlockStatement | UnreadBody> {
  const prototype = parsePrototype(cursor, start, linkage);
  if (peek(cursor) === kind.BODY) {
    const body: UnreadBody = { kind: "unread", start: startOf(cursor), end: cursor.ends[cursor.index]! };
    cursor.index++;
    return withBody(prototype, body, body.end);
  }
  if (peek(cursor) === kind.BRACE_OPEN) {
    // Instructions are skipped only when reading an outline.
    const body = parseBlock(cursor) as BlockStatement;
    return withBody(prototype, body, endOf(cursor));
  }
  if (prototype.entry && prototype.directives.length > 0) failExpected(cursor, "the kernel's body");
  if (!accept(cursor, kind.SEMICOLON) && prototype.entry) failExpected(cursor, "the kernel's body or ';'");
  return { ...prototype, end: endOf(cursor) };
}

/**
 * Copies the fields one by one. For `{ ...prototype, body }` V8 creates a hidden class for each object, which takes ten times as
 * long and defeats the inline caches of the readers.
 */
function withBody<Body>(
  { kind, start, linkage, entry, attributes, returns, name, parameters, directives }: FunctionDeclaration,
  body: Body,
  end: number,
): FunctionDeclaration<Body> {
  return linkage === undefined
    ? { kind, start, end, entry, attributes, returns, name, parameters, directives, body }
    : { kind, start, end, linkage, entry, attributes, returns, name, parameters, directives, body };
}
