// Declarations of variables and parameters: PTX ISA 9.0 chapter 5 and section 7.1. As in ptxas, alignments, attributes and the
// state space come first in any order, then the vector size, the type, and the names.

import {
  accept,
  acceptDirective,
  type Cursor,
  endOf,
  expect,
  expectName,
  fail,
  failExpected,
  peek,
  peekDirective,
  rangeOf,
  startOf,
  tokenText,
} from "./cursor.js";
import { foldConstant } from "./constant.js";
import { atExpression, parseCount, parseExpression } from "./expression.js";
import { parseInitializer } from "./initializer.js";
import * as kind from "./token.js";
import type {
  Attribute,
  DeclarationType,
  Declarator,
  Dimension,
  Linkage,
  Name,
  Parameter,
  VariableDeclaration,
} from "./tree.js";
import { failBefore } from "./recovery.js";
import { pointedSpaces, spaces, types, vectors } from "./words.table.js";

/** Reads a declaration including its semicolon; `start` is the start of its linkage, if it has one. */
export function parseVariables(cursor: Cursor, start: number, linkage?: Linkage): VariableDeclaration {
  const type = parseDeclarationType(cursor);
  const declarators: Declarator[] = [];
  if (peek(cursor) !== kind.SEMICOLON) {
    do declarators.push(parseDeclarator(cursor));
    while (accept(cursor, kind.COMMA));
  }
  if (!accept(cursor, kind.SEMICOLON))
    failBefore(cursor, "';' or ',' after the declared name", "';' after the declaration");
  const end = endOf(cursor);
  return linkage === undefined
    ? { kind: "variable", start, end, type, declarators }
    : { kind: "variable", start, end, linkage, type, declarators };
}

type Alignment = DeclarationType["alignments"][number];

/** One shared list for all empty ones, which most are. */
const none: never[] = [];

function parseDeclarationType(cursor: Cursor): DeclarationType {
  const start = startOf(cursor);
  let alignments: Alignment[] | undefined;
  let attributes: Attribute[] | undefined;
  let space: string | undefined;
  let bank: bigint | undefined;
  for (;;) {
    const word = peekDirective(cursor);
    if (word === undefined) break;
    if (word === ".align") (alignments ??= []).push(parseAlignment(cursor));
    else if (word === ".attribute") (attributes ??= []).push(...parseAttributes(cursor));
    else {
      const known = space === undefined ? spaces.get(word) : undefined;
      if (known === undefined) break;
      space = known;
      cursor.index++;
      if (space === "const" && accept(cursor, kind.BRACKET_OPEN)) {
        bank = parseCount(cursor, "the number of a constant bank");
        expect(cursor, kind.BRACKET_CLOSE, "after the number of the constant bank");
      }
    }
  }
  if (space === undefined) failExpected(cursor, "a state space such as '.global'");
  const vector = peekVector(cursor);
  if (vector !== undefined) cursor.index++;
  const type = parseType(cursor);
  const { end } = type;
  alignments ??= none;
  attributes ??= none;
  if (bank === undefined && vector === undefined) return { start, end, space, alignments, type, attributes };
  return {
    start,
    end,
    space,
    ...(bank === undefined ? {} : { bank }),
    alignments,
    ...(vector === undefined ? {} : { vector }),
    type,
    attributes,
  };
}

const LOWER_V = 0x76;

/** The length in `.v4`. Compares a letter first: few declarations have one, and a lookup costs more. */
function peekVector(cursor: Cursor): DeclarationType["vector"] {
  const word = peekDirective(cursor);
  return word?.charCodeAt(1) === LOWER_V ? vectors.get(word) : undefined;
}

function parseType(cursor: Cursor): Name {
  const word = peekDirective(cursor);
  const text = word === undefined ? undefined : types.get(word);
  if (text === undefined) return failExpected(cursor, "a type such as '.u32'");
  const start = startOf(cursor);
  cursor.index++;
  return { start, end: endOf(cursor), text };
}

function parseAlignment(cursor: Cursor): Alignment {
  const start = startOf(cursor);
  cursor.index++;
  const value = parseCount(cursor, "an alignment in bytes");
  return { start, end: endOf(cursor), value };
}

/** Reads `.attribute(.managed, .unified(19, 95))`. */
export function parseAttributes(cursor: Cursor): readonly Attribute[] {
  const attributes: Attribute[] = [];
  cursor.index++;
  expect(cursor, kind.PAREN_OPEN, "after '.attribute'");
  do {
    const start = startOf(cursor);
    const word = peekDirective(cursor);
    if (word === undefined) failExpected(cursor, "an attribute such as '.managed'");
    cursor.index++;
    const values: bigint[] = [];
    if (accept(cursor, kind.PAREN_OPEN)) {
      do values.push(parseCount(cursor, "an integer"));
      while (accept(cursor, kind.COMMA));
      expect(cursor, kind.PAREN_CLOSE, "after the attribute's values");
    }
    attributes.push({ start, end: endOf(cursor), name: word.slice(1), arguments: values });
  } while (accept(cursor, kind.COMMA));
  expect(cursor, kind.PAREN_CLOSE, "after the attributes");
  return attributes;
}

function parseDeclarator(cursor: Cursor): Declarator {
  const start = startOf(cursor);
  if (peek(cursor) === kind.DOTTED) failDotted(cursor);
  const name = expectName(cursor, "a name to declare");
  if (accept(cursor, kind.LESS)) {
    const count = parseCount(cursor, "the number of names");
    expect(cursor, kind.GREATER, "after the number of names");
    return { start, end: endOf(cursor), name, dimensions: none, count };
  }
  const dimensions = parseDimensions(cursor);
  if (!accept(cursor, kind.EQUALS)) return { start, end: endOf(cursor), name, dimensions };
  const initializer = parseInitializer(cursor);
  return { start, end: endOf(cursor), name, dimensions, initializer };
}

/** LLVM's names may contain dots. */
function failDotted(cursor: Cursor): never {
  const message = `'${tokenText(cursor)}' is not a name: names hold letters, digits, '_', '$' and '%'`;
  return fail(cursor, rangeOf(cursor, cursor.index), message, "write '_' for the dots, here and where it is used");
}

function parseDimensions(cursor: Cursor): readonly Dimension[] {
  if (peek(cursor) !== kind.BRACKET_OPEN) return none;
  const dimensions: Dimension[] = [];
  for (let start = startOf(cursor); accept(cursor, kind.BRACKET_OPEN); start = startOf(cursor)) {
    const open = dimensions.length === 0 && peek(cursor) === kind.BRACKET_CLOSE;
    const isLiteral = open || cursor.kinds[cursor.index + 1] === kind.BRACKET_CLOSE;
    const size = open ? undefined : isLiteral ? parseCount(cursor, elements) : parseBound(cursor);
    expect(cursor, kind.BRACKET_CLOSE, "after the number of elements");
    dimensions.push(
      isLiteral ? { start, end: endOf(cursor), size } : { start, end: endOf(cursor), size, computed: true },
    );
  }
  return dimensions;
}

const elements = "the number of elements";

/** A bound that is not a single literal: "the size of each dimension is a constant expression" (section 5.4.3). */
function parseBound(cursor: Cursor): bigint {
  if (!atExpression(cursor)) failExpected(cursor, elements);
  const expression = parseExpression(cursor);
  const value = foldConstant(expression, (at, message, oddity) => {
    if (oddity === undefined) fail(cursor, at, message);
  });
  if (value?.kind === "integer" && value.value >= 0n) return value.value;
  return fail(cursor, expression, "the number of elements is an integer that is not negative");
}

/** Reads `(.param .u64 a, .param .align 8 .b8 b[16])`, if there is a parenthesis. */
export function parseParameters(cursor: Cursor): readonly Parameter[] {
  if (!accept(cursor, kind.PAREN_OPEN)) return none;
  if (accept(cursor, kind.PAREN_CLOSE)) return none;
  const parameters: Parameter[] = [];
  do parameters.push(parseParameter(cursor));
  while (accept(cursor, kind.COMMA));
  expect(cursor, kind.PAREN_CLOSE, "or ',' after the parameter");
  return parameters;
}

/** A parameter's type may be followed by `.ptr` with its target, or by one more alignment. */
function parseParameter(cursor: Cursor): Parameter {
  const start = startOf(cursor);
  let type = parseDeclarationType(cursor);
  if (acceptDirective(cursor, ".ptr")) {
    const word = peekDirective(cursor);
    const space = word !== undefined && pointedSpaces.has(word) ? word.slice(1) : undefined;
    if (space !== undefined) cursor.index++;
    const align = peekDirective(cursor) === ".align" ? parseAlignment(cursor).value : undefined;
    const pointer = { ...(space === undefined ? {} : { space }), ...(align === undefined ? {} : { align }) };
    type = { ...type, end: endOf(cursor), pointer };
  } else if (peekDirective(cursor) === ".align") {
    const alignment = parseAlignment(cursor);
    type = { ...type, end: endOf(cursor), alignments: [...type.alignments, alignment] };
  }
  const name = parseParameterName(cursor);
  const dimensions = parseDimensions(cursor);
  if (dimensions.length > 1) fail(cursor, dimensions[1]!, "a parameter has at most one array bound");
  const end = endOf(cursor);
  return { start, end, type, declarator: { start: name.start, end, name, dimensions } };
}

function parseParameterName(cursor: Cursor): Name {
  if (peek(cursor) !== kind.SINK) return expectName(cursor, "a parameter's name");
  const { start, end } = rangeOf(cursor, cursor.index);
  const text = tokenText(cursor);
  cursor.index++;
  return { start, end, text };
}
