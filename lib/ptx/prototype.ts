// A function's prototype: attributes, results, name, parameters and directives. PTX ISA 9.0 sections 5.6 and 11.1 to 11.4.

import * as kind from "./token.js";
import {
  type Cursor,
  accept,
  endOf,
  expect,
  expectName,
  fail,
  failExpected,
  peek,
  peekDirective,
  rangeOf,
  startOf,
} from "./cursor.js";
import { parseString } from "./debug.js";
import { parseAttributes, parseParameters } from "./declaration.js";
import { parseCount } from "./expression.js";
import type { Attribute, FunctionDeclaration, FunctionDirective, Linkage } from "./tree.js";
import { functionDirectives } from "./words.table.js";

/** Reads a function up to its body or semicolon. */
export function parsePrototype(cursor: Cursor, start: number, linkage?: Linkage): FunctionDeclaration {
  const entry = peekDirective(cursor) === ".entry";
  cursor.index++;
  const attributes: Attribute[] = [];
  while (!entry && peekDirective(cursor) === ".attribute") {
    for (const attribute of parseAttributes(cursor)) {
      if (attribute.name !== "unified") fail(cursor, attribute, `a function has no attribute '.${attribute.name}'`);
      attributes.push(attribute);
    }
  }
  const returns = entry ? [] : parseParameters(cursor);
  const name = expectName(cursor, entry ? "the kernel's name" : "the function's name");
  const parameters = parseParameters(cursor);
  if (peek(cursor) === kind.PAREN_OPEN) {
    const remedy = `write .func (...) ${name.text} (...)`;
    fail(cursor, rangeOf(cursor, cursor.index), "the results of a function stand before its name", remedy);
  }
  const directives = parseFunctionDirectives(cursor, entry ? "entry" : "func");
  const end = endOf(cursor);
  return linkage === undefined
    ? { kind: "function", start, end, entry, attributes, returns, name, parameters, directives }
    : { kind: "function", start, end, linkage, entry, attributes, returns, name, parameters, directives };
}

/** Reads the directives between parameters and body. */
export function parseFunctionDirectives(cursor: Cursor, on: "entry" | "func"): readonly FunctionDirective[] {
  const directives: FunctionDirective[] = [];
  for (;;) {
    const start = startOf(cursor);
    const word = peekDirective(cursor);
    if (word === ".pragma" && on === "entry") {
      const strings = parsePragmaStrings(cursor);
      directives.push({ start, end: endOf(cursor), name: "pragma", values: [], strings });
      continue;
    }
    const shape = word === undefined ? undefined : functionDirectives.get(word);
    if (word === undefined || shape === undefined) return directives;
    if (shape.on !== on) {
      failExpected(
        cursor,
        on === "entry" ? "a directive for kernels, '{' or ';'" : "a directive for functions, '{' or ';'",
      );
    }
    if (word === ".noreturn" && directives.length > 0) failExpected(cursor, "'.noreturn' before the other directives");
    cursor.index++;
    const values: bigint[] = [];
    const [least, most] = shape.values;
    while (values.length < most && (values.length < least || peek(cursor) === kind.COMMA)) {
      if (values.length > 0) expect(cursor, kind.COMMA, "between the values");
      values.push(parseCount(cursor, `an integer after '${word}'`));
    }
    directives.push({ start, end: endOf(cursor), name: word.slice(1), values, strings: [] });
  }
}

/** Reads `.pragma "a", "b";` and returns its strings. */
export function parsePragmaStrings(cursor: Cursor): readonly string[] {
  cursor.index++;
  const strings: string[] = [];
  do strings.push(parseString(cursor, "a string after '.pragma'"));
  while (accept(cursor, kind.COMMA));
  expect(cursor, kind.SEMICOLON, "or ',' after the pragma");
  return strings;
}
