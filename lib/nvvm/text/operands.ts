// The operands of an instruction: the steps that the readers of all opcodes share.

import type { Attachment } from "../ir/metadata.js";
import { typeText, type Type } from "../ir/type.js";
import type { Value } from "../ir/value.js";
import { failWith } from "./fault.js";
import { pointeeOf } from "./pointee.js";
import { accept, expect, noteFirst, since } from "./read.js";
import type { Parser } from "./state.js";
import { kind } from "./token.js";
import { readType } from "./types.js";
import { readValue } from "./values.js";

/** A list of operands that is filled while they are read. */
export interface Operands {
  readonly values: Value[];
  readonly starts: number[];
}

export const operandList = (): Operands => ({ values: [], starts: [] });

/** Reads a value of a type into a list. */
export function addOperand(p: Parser, list: Operands, type: Type): Value {
  const index = list.values.length;
  list.starts.push(p.scanner.start);
  const value = readValue(p, type, list.values, index);
  list.values[index] = value;
  return value;
}

/** Reads a type and a value of it into a list. */
export const addTypedOperand = (p: Parser, list: Operands): Value => addOperand(p, list, readType(p));

/** Reads a comma, a type and a value of it into a list; `what` is the operand's name in a message. */
export function addNextOperand(p: Parser, list: Operands, what: string): Value {
  expect(p, kind.COMMA, what);
  return addTypedOperand(p, list);
}

/** `type a, b`: two operands of one type. */
export function addPair(p: Parser, list: Operands): Type {
  const type = readType(p);
  addOperand(p, list, type);
  expect(p, kind.COMMA, "the second operand");
  addOperand(p, list, type);
  return type;
}

/** `T, T* %p`: the first type. Dialect A writes the pointer alone, and the type is what it points to. */
export function addAddress(p: Parser, list: Operands, opcode: string): Type {
  const { start } = p.scanner;
  const type = readType(p);
  if (accept(p, kind.COMMA)) {
    addTypedOperand(p, list);
    return type;
  }
  const pointee = pointeeOf(p, type);
  noteFirst(p, `'${opcode}' without a type of its own`, since(p, start));
  addOperand(p, list, type);
  return pointee;
}

/** The operands are not those of the opcode. */
export function refuseOperands(p: Parser, head: Head, list: Operands): never {
  const range = since(p, list.starts[0] ?? head.start);
  const types = list.values.map(({ type }) => typeText(type)).join(", ");
  failWith(p, "nvvm-mismatch", `'${head.opcode}' does not take operands of the types ${types}`, range);
}

/** What is known of an instruction before its opcode's reader. */
export interface Head {
  /** Of its result's name, or of its opcode. */
  readonly start: number;
  readonly name: string | undefined;
  readonly index: number;
  readonly opcode: string;
  readonly flags: number;
  attachments: readonly Attachment[];
  /** Behind the instruction, when it has been finished. */
  end: number;
}
