// Binary operations, compares, conversions, select, phi, vectors and aggregates (NVVM IR 1.0 sections 8.2 to 8.5, 8.7, 8.8).

import type { BinaryOpcode, CastOpcode, CompareInstruction, PhiInstruction } from "../ir/instruction.js";
import { typeText } from "../ir/type.js";
import { readPredicate } from "./expression.js";
import { failExpected, failWith } from "./fault.js";
import { acceptPart, partial, plain, readFlags, type Reader } from "./instruction.js";
import {
  addNextOperand,
  addOperand,
  addPair,
  addTypedOperand,
  beginOperands,
  endOperands,
  operandList,
  refuseOperands,
  type Head,
} from "./operands.js";
import { expect, expectWord, readCount, since } from "./read.js";
import type { Parser } from "./state.js";
import { kind } from "./token.js";
import { readType } from "./types.js";
import { compareType, maskOf, memberType } from "./types-of.js";
import { readBlockName } from "./values.js";
import { binaryOpcodes, castOpcodes } from "./words.table.js";

const readBinary: Reader = (p, head) => {
  const list = operandList(2);
  const type = addPair(p, list);
  return plain(p, head, type, list, head.opcode as BinaryOpcode);
};

const readUnary: Reader = (p, head) => {
  const list = operandList(1);
  const { type } = addTypedOperand(p, list);
  return plain(p, head, type, list, head.opcode as "fneg" | "freeze");
};

const readCompare: Reader = (p, head) => {
  const opcode = head.opcode as "icmp" | "fcmp";
  const predicate = readPredicate(p, opcode);
  // In older text the fast-math flags follow the predicate.
  const flags = head.flags | readFlags(p, opcode);
  const list = operandList(2);
  const type = addPair(p, list);
  const made = partial<CompareInstruction>(p, head, compareType(p, type), list, opcode);
  made.flags = flags;
  made.predicate = predicate;
  return made;
};

const readCast: Reader = (p, head) => {
  const list = operandList(1);
  addTypedOperand(p, list);
  expectWord(p, "to", "a type");
  const type = readType(p);
  return plain(p, head, type, list, head.opcode as CastOpcode);
};

const readSelect: Reader = (p, head) => {
  const list = operandList(3);
  addTypedOperand(p, list);
  const { type } = addNextOperand(p, list, "the value where the condition is true");
  const { start } = p.scanner;
  const other = addNextOperand(p, list, "the value where the condition is false");
  if (other.type !== type)
    failWith(p, "nvvm-mismatch", `select is between ${typeText(type)} and ${typeText(other.type)}`, since(p, start));
  return plain(p, head, type, list, "select");
};

const readPhi: Reader = (p, head, body) => {
  const type = readType(p);
  const list = beginOperands(body);
  const { incoming } = body;
  let count = 0;
  do {
    expect(p, kind.LEFT_BRACKET, "a value with the block that it comes from");
    addOperand(p, list, type);
    expect(p, kind.COMMA, "the block that the value comes from");
    incoming[count++] = readBlockName(p);
    expect(p, kind.RIGHT_BRACKET);
  } while (acceptPart(p, head));
  const made = partial<PhiInstruction>(p, head, type, endOperands(body, list), "phi");
  made.incoming = incoming.slice(0, count);
  return made;
};

const readExtractElement: Reader = (p, head) => {
  const list = operandList(2);
  const { type } = addTypedOperand(p, list);
  const index = addNextOperand(p, list, "an index");
  if (type.kind !== "vector" || index.type.kind !== "integer") return refuseOperands(p, head, list);
  return plain(p, head, type.element, list, "extractelement");
};

const readInsertElement: Reader = (p, head) => {
  const list = operandList(3);
  const { type } = addTypedOperand(p, list);
  const element = addNextOperand(p, list, "the element");
  const index = addNextOperand(p, list, "an index");
  if (type.kind !== "vector" || type.element !== element.type || index.type.kind !== "integer")
    return refuseOperands(p, head, list);
  return plain(p, head, type, list, "insertelement");
};

const readShuffle: Reader = (p, head) => {
  const list = operandList(2);
  const { type } = addTypedOperand(p, list);
  const other = addNextOperand(p, list, "the second vector");
  expect(p, kind.COMMA, "the mask");
  const chosen = operandList(1);
  const { type: maskType } = addTypedOperand(p, chosen);
  const mask = maskOf(chosen.values[0]!);
  if (type.kind !== "vector" || other.type !== type || maskType.kind !== "vector" || mask === undefined)
    return refuseOperands(p, head, list);
  if (mask.some((element) => element >= 2 * type.count))
    failWith(p, "nvvm-mismatch", "the mask chooses elements that the vectors have not", since(p, chosen.starts[0]!));
  const result = p.types.vector(maskType.count, type.element, maskType.scalable);
  return { ...plain(p, head, result, list, "shufflevector"), mask };
};

function readIndices(p: Parser, head: Head): readonly number[] {
  const indices: number[] = [];
  while (acceptPart(p, head)) indices.push(readCount(p, "an index", 2 ** 32 - 1));
  if (indices.length === 0) failExpected(p, "',' and an index");
  return indices;
}

const readExtractValue: Reader = (p, head) => {
  const list = operandList(1);
  const aggregate = addTypedOperand(p, list);
  const indices = readIndices(p, head);
  const type = memberType(aggregate.type, indices);
  if (type === undefined) return refuseOperands(p, head, list);
  return { ...plain(p, head, type, list, "extractvalue"), indices };
};

const readInsertValue: Reader = (p, head) => {
  const list = operandList(2);
  const { type } = addTypedOperand(p, list);
  const value = addNextOperand(p, list, "the value");
  const indices = readIndices(p, head);
  if (memberType(type, indices) !== value.type) return refuseOperands(p, head, list);
  return { ...plain(p, head, type, list, "insertvalue"), indices };
};

/** `va_arg ptr %p, i32`. */
const readVariadic: Reader = (p, head) => {
  const list = operandList(1);
  addTypedOperand(p, list);
  expect(p, kind.COMMA, "the argument's type");
  return { ...plain(p, head, readType(p), list, "va_arg"), targets: [] };
};

export const arithmeticReaders: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...[...binaryOpcodes].map((opcode) => [opcode, readBinary] as const),
  ...[...castOpcodes].map((opcode) => [opcode, readCast] as const),
  ["fneg", readUnary],
  ["freeze", readUnary],
  ["icmp", readCompare],
  ["fcmp", readCompare],
  ["select", readSelect],
  ["phi", readPhi],
  ["extractelement", readExtractElement],
  ["insertelement", readInsertElement],
  ["shufflevector", readShuffle],
  ["extractvalue", readExtractValue],
  ["insertvalue", readInsertValue],
  ["va_arg", readVariadic],
]);
