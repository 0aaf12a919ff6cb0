// The operands of an instruction: functions that the readers of all opcodes share.

import type { Attachment } from "../ir/metadata.js";
import { typeText, type Type } from "../ir/type.js";
import type { Value } from "../ir/value.js";
import { failWith } from "./fault.js";
import { pointeeOf } from "./pointee.js";
import { accept, expect, noteFirst, since } from "./read.js";
import type { BodyState, Parser } from "./state.js";
import { kind } from "./token.js";
import { readType } from "./types.js";
import { readValue } from "./values.js";

/** The operands of an instruction, and the offset of each. */
export interface Operands {
  readonly values: readonly Value[];
  readonly starts: readonly number[];
  readonly count: number;
}

/** A list of operands that is filled while they are read; `count` of them are. */
export interface OpenOperands {
  readonly values: Value[];
  readonly starts: number[];
  count: number;
}

/** An unfilled entry of a list. */
const open = undefined as unknown as Value;

/**
 * A list for a known number of operands. Its arrays have that length from the start: a growing array gets room for seventeen,
 * and the operands would be most of a module's memory.
 */
export function operandList(count: 0 | 1 | 2 | 3): OpenOperands {
  switch (count) {
    case 0:
      return { values: [], starts: [], count: 0 };
    case 1:
      return { values: [open], starts: [0], count: 0 };
    case 2:
      return { values: [open, open], starts: [0, 0], count: 0 };
    case 3:
      return { values: [open, open, open], starts: [0, 0, 0], count: 0 };
  }
}

/** The body's list for an instruction with any number of operands, until `endOperands`. */
export function beginOperands(body: BodyState): OpenOperands {
  const { spare } = body;
  spare.count = 0;
  spare.forwardUses = body.forwardUses;
  return spare;
}

/** The operands in arrays of their own: copies, or those of the list if something refers to places in them. */
export function endOperands(body: BodyState, list: OpenOperands): Operands {
  const { values, starts, count } = list;
  if (body.forwardUses === body.spare.forwardUses)
    return { values: values.slice(0, count), starts: starts.slice(0, count), count };
  body.spare = spareOperands();
  values.length = count;
  starts.length = count;
  return { values, starts, count };
}

export const spareOperands = (): BodyState["spare"] => ({ values: [], starts: [], count: 0, forwardUses: 0 });

/** Reads a value of a type into a list. */
export function addOperand(p: Parser, list: OpenOperands, type: Type): Value {
  const index = list.count++;
  list.starts[index] = p.scanner.start;
  const value = readValue(p, type, list.values, index);
  list.values[index] = value;
  return value;
}

/** Reads a type and a value of it into a list. */
export const addTypedOperand = (p: Parser, list: OpenOperands): Value => addOperand(p, list, readType(p));

/** Reads a comma, a type and a value of it into a list; `what` is the operand's name in a message. */
export function addNextOperand(p: Parser, list: OpenOperands, what: string): Value {
  expect(p, kind.COMMA, what);
  return addTypedOperand(p, list);
}

/** `type a, b`: two operands of one type. */
export function addPair(p: Parser, list: OpenOperands): Type {
  const type = readType(p);
  addOperand(p, list, type);
  expect(p, kind.COMMA, "the second operand");
  addOperand(p, list, type);
  return type;
}

/** `T, T* %p`: the first type. Dialect A writes only the pointer, and the type is its pointee. */
export function addAddress(p: Parser, list: OpenOperands, opcode: string): Type {
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

/** The operands do not match the opcode. */
export function refuseOperands(p: Parser, head: Head, list: Operands): never {
  const range = since(p, list.starts[0] ?? head.start);
  const types = list.values.map(({ type }) => typeText(type)).join(", ");
  failWith(p, "nvvm-mismatch", `'${head.opcode}' does not take operands of the types ${types}`, range);
}

/** The part of an instruction before its opcode's reader. */
export interface Head {
  /** Offset of its result's name, or of its opcode. */
  readonly start: number;
  readonly name: string | undefined;
  readonly index: number;
  readonly opcode: string;
  readonly flags: number;
  attachments: readonly Attachment[];
  /** Offset after the instruction, when it has been finished. */
  end: number;
}
