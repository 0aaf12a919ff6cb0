// Constant expressions: an instruction's opcode over constants in parentheses (LLVM Language Reference, "Constant
// Expressions"). All that any version had are read; which of them a dialect has is the verifier's.

import type { Constant, ConstantExpression } from "../ir/value.js";
import type { Type } from "../ir/type.js";
import { typeText } from "../ir/type.js";
import { readConstant, readTypedConstant } from "./constants.js";
import { fail, failExpected, failWith } from "./fault.js";
import {
  accept,
  acceptWord,
  enter,
  expect,
  expectWord,
  isWord,
  leave,
  noteFirst,
  readCount,
  readRaw,
  since,
} from "./read.js";
import { advance, tokenName } from "./scanner.js";
import type { Parser } from "./state.js";
import { kind } from "./token.js";
import { readType } from "./types.js";
import { compareType, elementPointerType, maskOf, memberType } from "./types-of.js";
import { binaryOpcodes, castOpcodes, comparePredicates, flagWords } from "./words.table.js";

/** What a constant expression begins with. */
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
  readonly indices?: readonly number[];
}

/** An expression that is to have a type. */
export function readExpression(p: Parser, type: Type): ConstantExpression {
  const s = p.scanner;
  const { start } = s;
  const opcode = tokenName(s);
  advance(s);
  enter(p);
  const parts = readParts(p, opcode);
  leave(p);
  const range = since(p, start);
  if (parts.type !== type)
    failWith(p, "nvvm-mismatch", `the constant is of type ${typeText(parts.type)}, not ${typeText(type)}`, range);
  return { kind: "expression", opcode, ...parts, ...range };
}

function readParts(p: Parser, opcode: string): Parts {
  if (opcode === "getelementptr") return readElementPointer(p);
  const predicate = opcode === "icmp" || opcode === "fcmp" ? readPredicate(p, opcode) : undefined;
  while (p.scanner.kind === kind.WORD && flagWords.has(tokenName(p.scanner))) advance(p.scanner);
  expect(p, kind.LEFT_PAREN);
  const { start } = p.scanner;
  const first = readTypedConstant(p);
  if (castOpcodes.has(opcode)) {
    expectWord(p, "to");
    const type = readType(p);
    expect(p, kind.RIGHT_PAREN);
    return { type, operands: [first] };
  }
  const operands = [first];
  const indices: number[] = [];
  const isAggregate = opcode === "extractvalue" || opcode === "insertvalue";
  while (accept(p, kind.COMMA)) {
    if (isAggregate && p.scanner.kind === kind.INTEGER) indices.push(readCount(p, "an index", 2 ** 32 - 1));
    else operands.push(readTypedConstant(p));
  }
  expect(p, kind.RIGHT_PAREN);
  const type = resultType(p, opcode, operands, indices);
  if (type === undefined) failWith(p, "nvvm-mismatch", `the operands of '${opcode}' do not fit it`, since(p, start));
  return {
    type,
    operands,
    ...(predicate === undefined ? {} : { predicate }),
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

function resultType(
  p: Parser,
  opcode: string,
  operands: readonly Constant[],
  indices: readonly number[],
): Type | undefined {
  const [first, second, third] = operands;
  if (first === undefined || operands.length !== (arity[opcode] ?? 2)) return undefined;
  switch (opcode) {
    case "icmp":
    case "fcmp":
      return first.type === second?.type ? compareType(p, first.type) : undefined;
    case "select":
      return second?.type === third?.type ? second?.type : undefined;
    case "extractelement":
      return first.type.kind === "vector" ? first.type.element : undefined;
    case "shufflevector": {
      const mask = third === undefined ? undefined : maskOf(third);
      if (mask === undefined || first.type.kind !== "vector" || third?.type.kind !== "vector") return undefined;
      return p.types.vector(third.type.count, first.type.element, third.type.scalable);
    }
    case "extractvalue":
      return indices.length > 0 ? memberType(first.type, indices) : undefined;
    case "insertvalue":
      return memberType(first.type, indices) === second?.type ? first.type : undefined;
    case "insertelement":
    case "fneg":
      return first.type;
    default:
      return first.type === second?.type ? first.type : undefined;
  }
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
  for (;;) {
    if (isWord(p, "inrange")) {
      advance(s);
      readRaw(p);
    } else if (!acceptWord(p, "inbounds") && !acceptWord(p, "nuw") && !acceptWord(p, "nusw")) break;
  }
  expect(p, kind.LEFT_PAREN);
  const { start } = s;
  const type = readType(p);
  const operands: Constant[] = [];
  let sourceType = type;
  if (accept(p, kind.COMMA)) {
    acceptWord(p, "inrange");
    operands.push(readTypedConstant(p));
  } else {
    const pointer = type.kind === "vector" ? type.element : type;
    if (pointer.kind !== "pointer" || pointer.pointee === undefined) failExpected(p, "','");
    noteFirst(p, "getelementptr without a type of its own", { start, end: s.before });
    sourceType = pointer.pointee;
    operands.push(readConstant(p, type));
  }
  while (accept(p, kind.COMMA)) {
    acceptWord(p, "inrange");
    operands.push(readTypedConstant(p));
  }
  expect(p, kind.RIGHT_PAREN);
  const made = elementPointerType(p, sourceType, operands);
  if (made === undefined) fail(p, `the indices do not fit ${typeText(sourceType)}`, since(p, start));
  return { type: made, operands, sourceType };
}
