// Makes the syntax tree of an instruction from its records (records.ts).

import type { Cursor } from "./cursor.js";
import { parseExpression } from "./expression.js";
import { nameText } from "./names.js";
import { selectedAt } from "./operand.js";
import * as record from "./records.js";
import type { Expression, Instruction, Name, NameOperand, Operand } from "./tree.js";

/** The node of the last instruction that was read. */
export function makeInstruction(cursor: Cursor): Instruction {
  const { records, starts, ends } = cursor;
  const start = starts[records.start]!;
  const end = ends[records.semicolon]!;
  const text = records.spelling ?? nameText(cursor.names, cursor.ids[records.opcode]!);
  const opcode = { start: starts[records.opcode]!, end: ends[records.opcodeEnd - 1]!, text };
  const operands = makeOperands(cursor, 0, records.length);
  if (records.guard < 0) return { kind: "instruction", start, end, opcode, operands };
  const name = nameAt(cursor, records.guard);
  const guard = { start, end: name.end, negated: records.negated, name };
  return { kind: "instruction", start, end, guard, opcode, operands };
}

function nameAt(cursor: Cursor, token: number): Name {
  const { starts, ends, names, ids } = cursor;
  return { start: starts[token]!, end: ends[token]!, text: nameText(names, ids[token]!) };
}

const none: readonly never[] = [];

/**
 * The operand records as an array of exact size: an array grown by push has room for seventeen elements, which was a third of a
 * tree's memory.
 */
function makeOperands(cursor: Cursor, from: number, to: number): readonly Operand[] {
  if (from === to) return none;
  const { nexts } = cursor.records;
  let count = 0;
  for (let at = from; at < to; at = nexts[at]!) count++;
  const made = new Array<Operand>(count);
  for (let at = from, i = 0; at < to; at = nexts[at]!) made[i++] = makeOperand(cursor, at);
  return made;
}

function makeOperand(cursor: Cursor, at: number): Operand {
  const { records, starts, ends } = cursor;
  const first = records.firsts[at]!;
  const start = starts[first]!;
  const end = ends[records.ends[at]! - 1]!;
  const next = records.nexts[at]!;
  switch (records.kinds[at]) {
    case record.NAME:
      return { kind: "name", start, end, name: nameAt(cursor, first) };
    case record.NAME_PLUS:
      return { kind: "name", start, end, name: nameAt(cursor, first), offset: literalAt(cursor, first + 2) };
    case record.SUM:
      return { kind: "name", start, end, name: nameAt(cursor, first), offset: records.values[at]! };
    case record.DIFFERENCE: {
      const name = nameAt(cursor, first);
      return { kind: "name", start, end, name, offset: records.values[at]!, subtracted: true };
    }
    case record.DOTTED:
      return dottedName(cursor, first);
    case record.SELECTED: {
      const selector = nameText(cursor.names, cursor.ids[first + 1]!).slice(1);
      return { kind: "name", start, end, name: nameAt(cursor, first), selector };
    }
    case record.LITERAL:
      return { kind: "constant", start, end, value: literalAt(cursor, first) };
    case record.CONSTANT:
      return { kind: "constant", start, end, value: records.values[at]! };
    case record.VECTOR:
      return { kind: "vector", start, end, elements: makeOperands(cursor, at + 1, next) };
    case record.LIST:
      return { kind: "list", start, end, elements: makeOperands(cursor, at + 1, next) };
    case record.ADDRESS:
    case record.UNIFIED_ADDRESS: {
      const base = makeOperand(cursor, at + 1);
      const rest = makeOperands(cursor, records.nexts[at + 1]!, next);
      const address = { kind: "address", start, end, base, rest } as const;
      return records.kinds[at] === record.ADDRESS ? address : { ...address, unified: true };
    }
    case record.PAIR: {
      const second = makeOperand(cursor, records.nexts[at + 1]!);
      return { kind: "pair", start, end, first: makeOperand(cursor, at + 1), second };
    }
    case record.NOT:
      return { kind: "not", start, end, operand: makeOperand(cursor, at + 1) };
    case record.NEGATE:
      return { kind: "negate", start, end, operand: makeOperand(cursor, at + 1) };
    case record.ELEMENT:
      return { kind: "element", start, end, array: nameAt(cursor, first), index: makeOperand(cursor, at + 1) };
    default:
      return { kind: "sink", start, end };
  }
}

function dottedName(cursor: Cursor, token: number): NameOperand {
  const { text, selector } = selectedAt(cursor, token);
  const [start, end] = [cursor.starts[token]!, cursor.ends[token]!];
  return { kind: "name", start, end, name: { start, end: start + text.length, text }, selector };
}

/** The literal of a token. */
export function literalAt(cursor: Cursor, token: number): Expression {
  const { index } = cursor;
  cursor.index = token;
  const value = parseExpression(cursor);
  cursor.index = index;
  return value;
}
