// The current instruction as flat records, in text order: operands before their parts. One object serves a whole module, so that
// reading an instruction allocates nothing. The checker matches most instructions by their records alone. For messages, and for
// callers that need a tree, nodes.ts makes it from the records.
//
// Rejected: nodes for every instruction (they die at once, and were half of the time of checking), and a second, smaller grammar
// for the common forms (two grammars of one language drift apart).

import type { Expression } from "./tree.js";

/** `%r1`, `foo`. */
export const NAME = 1;
/** `foo+8`: the literal is two tokens after the name. */
export const NAME_PLUS = 2;
/** `foo + (1 << 4)`, `foo+-4`; has a value. */
export const SUM = 3;
/** `foo - 4` as an index; the value is -4. */
export const DIFFERENCE = 4;
/** `%tid.x`: one token. */
export const DOTTED = 5;
/** `%v .x`: two tokens. */
export const SELECTED = 6;
/** A number literal: one token. */
export const LITERAL = 7;
/** An expression; has a value. */
export const CONSTANT = 8;
export const SINK = 9;
/** This kind and the following contain operands. */
export const VECTOR = 10;
/** The parenthesised lists of call. */
export const LIST = 11;
/** A parenthesised list of call. */
export const ADDRESS = 12;
export const UNIFIED_ADDRESS = 13;
export const PAIR = 14;
export const NOT = 15;
export const NEGATE = 16;
/** Contains the base, then further items in the brackets. */
export const ELEMENT = 17;

export interface InstructionRecords {
  /** Token indices: of the guard's name, or -1; of the opcode, and after it; of the first token, and of the semicolon. */
  guard: number;
  negated: boolean;
  opcode: number;
  opcodeEnd: number;
  start: number;
  semicolon: number;
  /** The opcode, if it has more than one token. */
  spelling: string | undefined;
  /** Number of records. */
  length: number;
  readonly kinds: number[];
  /** Token indices: of an operand's first token, and after its last. */
  readonly firsts: number[];
  readonly ends: number[];
  /** Index of the record after an operand and its parts. */
  readonly nexts: number[];
  readonly values: (Expression | undefined)[];
}

export const createRecords = (): InstructionRecords => ({
  guard: -1,
  negated: false,
  opcode: 0,
  opcodeEnd: 0,
  start: 0,
  semicolon: 0,
  spelling: undefined,
  length: 0,
  kinds: [],
  firsts: [],
  ends: [],
  nexts: [],
  values: [],
});

/** Adds an operand without parts, and returns its index. */
export function addRecord(records: InstructionRecords, kind: number, first: number, end: number): number {
  const at = records.length++;
  records.kinds[at] = kind;
  records.firsts[at] = first;
  records.ends[at] = end;
  records.nexts[at] = at + 1;
  return at;
}

/** Adds an operand with a computed value. */
export function addValue(
  records: InstructionRecords,
  kind: number,
  first: number,
  end: number,
  value: Expression,
): void {
  const at = addRecord(records, kind, first, end);
  while (records.values.length < at) records.values.push(undefined);
  records.values[at] = value;
}

/** Ends an operand: the records added after it are its parts. */
export function closeRecord(records: InstructionRecords, at: number, end: number): void {
  records.ends[at] = end;
  records.nexts[at] = records.length;
}

/** Encloses the operands from `at` on in a record. */
export function wrapRecords(records: InstructionRecords, at: number, kind: number, end: number): void {
  addRecord(records, kind, records.firsts[at]!, end);
  for (let to = records.length - 1; to > at; to--) {
    records.kinds[to] = records.kinds[to - 1]!;
    records.firsts[to] = records.firsts[to - 1]!;
    records.ends[to] = records.ends[to - 1]!;
    records.nexts[to] = records.nexts[to - 1]! + 1;
    if (to - 1 < records.values.length) {
      while (records.values.length <= to) records.values.push(undefined);
      records.values[to] = records.values[to - 1];
    }
  }
  records.kinds[at] = kind;
  records.ends[at] = end;
  records.nexts[at] = records.length;
}
