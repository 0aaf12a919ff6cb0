// Binary operations, compares, conversions, select, phi, vectors and aggregates (NVVM IR 1.0 sections 8.2 to 8.5, 8.7, 8.8).

import type { BasicBlock, BinaryOpcode, CastOpcode } from "../ir/instruction.js";
import { typeText, type Type } from "../ir/type.js";
import type { Value } from "../ir/value.js";
import { readPredicate } from "./expression.js";
import { failExpected, failWith } from "./fault.js";
import {
  acceptPart,
  finish,
  operandList,
  plain,
  readFlags,
  type Head,
  type Operands,
  type Reader,
} from "./instruction.js";
import { expect, expectWord, readCount, since } from "./read.js";
import type { Parser } from "./state.js";
import { kind } from "./token.js";
import { readAnyType, readType } from "./types.js";
import { compareType, maskOf, memberType } from "./types-of.js";
import { readBlockName, readValue } from "./values.js";
import { binaryOpcodes, castOpcodes } from "./words.table.js";

/** Reads a value of a type into a list. */
export function addOperand(p: Parser, list: Operands, type: Type): Value {
  const index = list.values.length;
  list.starts.push(p.scanner.start);
  const value = readValue(p, type, list.values, index);
  list.values[index] = value;
  return value;
}

/** Reads a type and a value of it into a list. */
export function addTypedOperand(p: Parser, list: Operands): Value {
  return addOperand(p, list, readType(p));
}

/** `type a, b`: two operands of one type. */
function readPair(p: Parser, list: Operands): Type {
  const type = readType(p);
  addOperand(p, list, type);
  expect(p, kind.COMMA);
  addOperand(p, list, type);
  return type;
}

const readBinary: Reader = (p, head) => {
  const list = operandList();
  const type = readPair(p, list);
  return plain(p, head, type, list, head.opcode as BinaryOpcode);
};

const readUnary: Reader = (p, head) => {
  const list = operandList();
  const { type } = addTypedOperand(p, list);
  return plain(p, head, type, list, head.opcode as "fneg" | "freeze");
};

const readCompare: Reader = (p, head) => {
  const opcode = head.opcode as "icmp" | "fcmp";
  const predicate = readPredicate(p, opcode);
  // Words of fast arithmetic have stood behind the predicate, too.
  const flags = head.flags | readFlags(p, opcode);
  const list = operandList();
  const type = readPair(p, list);
  finish(p, head);
  return {
    kind: "instruction",
    type: compareType(p, type),
    name: head.name,
    index: head.index,
    operands: list.values,
    operandStarts: list.starts,
    flags,
    attachments: head.attachments,
    start: head.start,
    end: head.end,
    opcode,
    predicate,
  };
};

const readCast: Reader = (p, head) => {
  const list = operandList();
  addTypedOperand(p, list);
  expectWord(p, "to");
  const type = readType(p);
  return plain(p, head, type, list, head.opcode as CastOpcode);
};

const readSelect: Reader = (p, head) => {
  const list = operandList();
  addTypedOperand(p, list);
  expect(p, kind.COMMA);
  const { type } = addTypedOperand(p, list);
  expect(p, kind.COMMA);
  const { start } = p.scanner;
  const other = addTypedOperand(p, list);
  if (other.type !== type)
    failWith(p, "nvvm-mismatch", `select is between ${typeText(type)} and ${typeText(other.type)}`, since(p, start));
  return plain(p, head, type, list, "select");
};

const readPhi: Reader = (p, head) => {
  const type = readType(p);
  const list = operandList();
  const incoming: BasicBlock[] = [];
  do {
    expect(p, kind.LEFT_BRACKET);
    addOperand(p, list, type);
    expect(p, kind.COMMA);
    incoming.push(readBlockName(p));
    expect(p, kind.RIGHT_BRACKET);
  } while (acceptPart(p, head));
  finish(p, head);
  return {
    kind: "instruction",
    type,
    name: head.name,
    index: head.index,
    operands: list.values,
    operandStarts: list.starts,
    flags: head.flags,
    attachments: head.attachments,
    start: head.start,
    end: head.end,
    opcode: "phi",
    incoming,
  };
};

function refuse(p: Parser, head: Head, list: Operands): never {
  const range = since(p, list.starts[0] ?? head.start);
  failWith(p, "nvvm-mismatch", `the operands of '${head.opcode}' do not fit it`, range);
}

const readExtractElement: Reader = (p, head) => {
  const list = operandList();
  const { type } = addTypedOperand(p, list);
  expect(p, kind.COMMA);
  const index = addTypedOperand(p, list);
  if (type.kind !== "vector" || index.type.kind !== "integer") return refuse(p, head, list);
  return plain(p, head, type.element, list, "extractelement");
};

const readInsertElement: Reader = (p, head) => {
  const list = operandList();
  const { type } = addTypedOperand(p, list);
  expect(p, kind.COMMA);
  const element = addTypedOperand(p, list);
  expect(p, kind.COMMA);
  const index = addTypedOperand(p, list);
  if (type.kind !== "vector" || type.element !== element.type || index.type.kind !== "integer")
    return refuse(p, head, list);
  return plain(p, head, type, list, "insertelement");
};

const readShuffle: Reader = (p, head) => {
  const list = operandList();
  const { type } = addTypedOperand(p, list);
  expect(p, kind.COMMA);
  const other = addTypedOperand(p, list);
  expect(p, kind.COMMA);
  const chosen = operandList();
  const { type: maskType } = addTypedOperand(p, chosen);
  const mask = maskOf(chosen.values[0]!);
  if (type.kind !== "vector" || other.type !== type || maskType.kind !== "vector" || mask === undefined)
    return refuse(p, head, list);
  if (mask.some((element) => element >= 2 * type.count))
    failWith(p, "nvvm-mismatch", "the mask chooses elements that the vectors have not", since(p, chosen.starts[0]!));
  const result = p.types.vector(maskType.count, type.element, maskType.scalable);
  return { ...plain(p, head, result, list, "shufflevector"), mask };
};

function readIndices(p: Parser, head: Head): readonly number[] {
  const indices: number[] = [];
  while (acceptPart(p, head)) indices.push(readCount(p, "an index", 2 ** 32 - 1));
  if (indices.length === 0) failExpected(p, "','");
  return indices;
}

const readExtractValue: Reader = (p, head) => {
  const list = operandList();
  const aggregate = addTypedOperand(p, list);
  const indices = readIndices(p, head);
  const type = memberType(aggregate.type, indices);
  if (type === undefined) return refuse(p, head, list);
  return { ...plain(p, head, type, list, "extractvalue"), indices };
};

const readInsertValue: Reader = (p, head) => {
  const list = operandList();
  const { type } = addTypedOperand(p, list);
  expect(p, kind.COMMA);
  const value = addTypedOperand(p, list);
  const indices = readIndices(p, head);
  if (memberType(type, indices) !== value.type) return refuse(p, head, list);
  return { ...plain(p, head, type, list, "insertvalue"), indices };
};

/** `va_arg ptr %p, i32`. */
const readVariadic: Reader = (p, head) => {
  const list = operandList();
  addTypedOperand(p, list);
  expect(p, kind.COMMA);
  return { ...plain(p, head, readAnyType(p), list, "va_arg"), targets: [] };
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
