// Constant expressions: an instruction's opcode over constants in parentheses (LLVM Language Reference, "Constant
// Expressions"). The expressions of all versions are read; the verifier checks which of them a dialect has.

import type { Constant, ConstantExpression } from "../ir/value.js";
import type { Type } from "../ir/type.js";
import { typeText } from "../ir/type.js";
import { readConstant } from "./constants.js";
import { failExpected, failWith } from "./fault.js";
import { pointeeOf } from "./pointee.js";
import { accept, acceptWord, enter, expect, expectWord, leave, noteFirst, readCount, readRaw, since } from "./read.js";
import { advance, tokenName } from "./scanner.js";
import type { Parser } from "./state.js";
import { kind } from "./token.js";
import { readType } from "./types.js";
import { compareType, elementPointerType, maskOf, memberType } from "./types-of.js";
import { binaryOpcodes, castOpcodes, comparePredicates, flagWords } from "./words.table.js";

/** First words of constant expressions. */
export const constantOpcodes: ReadonlySet<string> = new Set([
  ...binaryOpcodes,
  ...castOpcodes,
  ..."fneg icmp fcmp select getelementptr extractelement insertelement shufflevector extractvalue insertvalue".split(
    " ",
  ),
]);

interface Parts {
  readonly type: Type;
  readonly operands: readonly Constant[];
  readonly predicate?: string;
  readonly sourceType?: Type;
  readonly flags?: number;
  readonly indices?: readonly number[];
}

/** An expression that is to have a type. */
export function readExpression(p: Parser, type: Type): ConstantExpression {
  const made = readAnyExpression(p);
  if (made.type !== type)
    failWith(p, "nvvm-mismatch", `the constant is of type ${typeText(made.type)}, not ${typeText(type)}`, made);
  return made;
}

/** An expression of any type. */
export function readAnyExpression(p: Parser): ConstantExpression {
  const s = p.scanner;
  const { start } = s;
  const opcode = tokenName(s);
  advance(s);
  enter(p);
  const parts = readParts(p, opcode);
  leave(p);
  return { kind: "expression", opcode, ...parts, ...since(p, start) };
}

function readParts(p: Parser, opcode: string): Parts {
  if (opcode === "getelementptr") return readElementPointer(p);
  const predicate = opcode === "icmp" || opcode === "fcmp" ? readPredicate(p, opcode) : undefined;
  const flags = readFlagWords(p);
  expect(p, kind.LEFT_PAREN, "the operands");
  const { start } = p.scanner;
  const list: Operands = { values: [], types: [] };
  addConstant(p, list);
  if (castOpcodes.has(opcode)) {
    expectWord(p, "to", "a type");
    const type = readType(p);
    expect(p, kind.RIGHT_PAREN);
    return { type, operands: list.values };
  }
  const indices: number[] = [];
  const isAggregate = opcode === "extractvalue" || opcode === "insertvalue";
  while (accept(p, kind.COMMA)) {
    if (isAggregate && p.scanner.kind === kind.INTEGER) indices.push(readCount(p, "an index", 2 ** 32 - 1));
    else addConstant(p, list);
  }
  expect(p, kind.RIGHT_PAREN);
  const type = resultType(p, opcode, list, indices);
  if (type === undefined) failWith(p, "nvvm-mismatch", `the operands do not fit '${opcode}'`, since(p, start));
  return {
    type,
    operands: list.values,
    ...(predicate === undefined ? {} : { predicate }),
    ...(flags === 0 ? {} : { flags }),
    ...(isAggregate ? { indices } : {}),
  };
}

/** Numbers of operands; those not listed have two. */
const arity: Readonly<Record<string, number>> = {
  fneg: 1,
  select: 3,
  insertelement: 3,
  shufflevector: 3,
  extractvalue: 1,
};

/** Operands with their types as written: a global that comes later in the text has no known type yet. */
interface Operands {
  readonly values: Constant[];
  readonly types: Type[];
}

function addConstant(p: Parser, { values, types }: Operands): void {
  const type = readType(p);
  types.push(type);
  values.push(readConstant(p, type));
}

function resultType(
  p: Parser,
  opcode: string,
  { values, types }: Operands,
  indices: readonly number[],
): Type | undefined {
  const [first, second, third] = types;
  if (first === undefined || types.length !== (arity[opcode] ?? 2)) return undefined;
  switch (opcode) {
    case "icmp":
    case "fcmp":
      return first === second ? compareType(p, first) : undefined;
    case "select":
      return second === third ? second : undefined;
    case "extractelement":
      return first.kind === "vector" ? first.element : undefined;
    case "shufflevector":
      if (first.kind !== "vector" || third?.kind !== "vector" || maskOf(values[2]!) === undefined) return undefined;
      return p.types.vector(third.count, first.element, third.scalable);
    case "extractvalue":
      return indices.length > 0 ? memberType(first, indices) : undefined;
    case "insertvalue":
      return memberType(first, indices) === second ? first : undefined;
    case "insertelement":
    case "fneg":
      return first;
    default:
      return first === second ? first : undefined;
  }
}

/** `inbounds`, `nsw` and similar, any of them. */
function readFlagWords({ scanner }: Parser): number {
  let flags = 0;
  for (; scanner.kind === kind.WORD; advance(scanner)) {
    const bits = flagWords.get(tokenName(scanner));
    if (bits === undefined) break;
    flags |= bits;
  }
  return flags;
}

export function readPredicate(p: Parser, opcode: "icmp" | "fcmp"): string {
  const s = p.scanner;
  const known = comparePredicates[opcode];
  if (s.kind !== kind.WORD || !known.has(tokenName(s))) failExpected(p, `a predicate of ${opcode}`, [...known]);
  const predicate = tokenName(s);
  advance(s);
  return predicate;
}

/** `getelementptr inbounds (i32, ptr @a, i64 1)`; dialect A writes no type of its own. */
function readElementPointer(p: Parser): Parts {
  const s = p.scanner;
  let flags = readFlagWords(p);
  if (acceptWord(p, "inrange")) {
    readRaw(p);
    flags |= readFlagWords(p);
  }
  expect(p, kind.LEFT_PAREN, "a type");
  const { start } = s;
  const type = readType(p);
  const list: Operands = { values: [], types: [] };
  let sourceType = type;
  if (accept(p, kind.COMMA)) {
    acceptWord(p, "inrange");
    addConstant(p, list);
  } else {
    sourceType = pointeeOf(p, type);
    noteFirst(p, "'getelementptr' without a type of its own", { start, end: s.before });
    list.types.push(type);
    list.values.push(readConstant(p, type));
  }
  while (accept(p, kind.COMMA)) {
    acceptWord(p, "inrange");
    addConstant(p, list);
  }
  expect(p, kind.RIGHT_PAREN);
  const made = elementPointerType(p, sourceType, list.types[0]!, list.values.slice(1));
  if (made === undefined)
    failWith(p, "nvvm-mismatch", `the indices do not fit ${typeText(sourceType)}`, since(p, start));
  return { type: made, operands: list.values, sourceType, ...(flags === 0 ? {} : { flags }) };
}
