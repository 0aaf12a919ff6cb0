// The signature of an instruction's operands: a sequence of small numbers with everything that the checks of resolve.ts, match.ts
// and spaces.ts depend on. Two instructions with one spelling and one signature differ only in the register of a type, the
// variable of a kind, the label and the number. A match of one is therefore valid for the other (match-cache.ts). The same walk
// over the records (ptx/records.ts) makes the operands, because these do not depend on the row either. Constants are the
// exception: they have the type of their place.
//
// Rare operands have no signature and take the slow path: selectors separated by white space, negations, array elements,
// constants that are computed or inside a vector or list, and wrong ones.
//
// Rejected: a string or a number for a whole signature (strings are made and hashed for every instruction; numbers are too small
// for the fragments of mma).

import {
  negatedGuard,
  plainGuard,
  sinkOperand,
  smallImmediates,
  symbolBase,
  variableBase,
  type Base,
  type Guard,
  type Operand,
} from "../isa/instruction.js";
import { specialName, specialRegister } from "../isa/special-registers.table.js";
import { shortDecimal } from "../ptx/expression.js";
import { nameText } from "../ptx/names.js";
import type { InstructionReader } from "../ptx/outline.js";
import * as record from "../ptx/records.js";
import type { Expression } from "../ptx/tree.js";
import { foldConstant, mostUnsigned, type Constant } from "../ptx/constant.js";
import * as code from "./operand-codes.js";
import { findBinding, findById, type Binding, type RegisterNames } from "./scope.js";
import type { NameContext } from "./symbols.js";

/** The signature of the current instruction; one object serves a whole module. */
export interface Signature {
  readonly codes: number[];
  /** Number of `codes` in use. */
  length: number;
  /** The instruction's guard; not a part of the signature. */
  guard: Guard | undefined;
  /** Number of operands. */
  count: number;
  /** The operands; a placeholder for those that depend on their place. */
  readonly operands: Operand[];
  /** The constants among the operands. */
  readonly values: (Constant | undefined)[];
  /** Small integer constants as numbers; `notSmall` for other operands. */
  readonly small: number[];
  /** By operand: the index of the register that it is; `noRegister` for a constant, -1 for other operands. */
  readonly registers: number[];
}

export const createSignature = (): Signature => ({
  codes: [],
  length: 0,
  guard: undefined,
  count: 0,
  operands: [],
  values: [],
  small: [],
  registers: [],
});

export const noRegister = -2;

const notSmall = smallImmediates;

/** Placeholder for a constant in `operands`, compared by identity. */
const constant: Operand = { kind: "immediate", bits: 0n };

/**
 * Reads the guard and the operands of the current instruction into `signature`. False if they have no signature. Registers of the
 * function's outermost block, which most operands are, are read here; others are in functions of their own, because the engine
 * compiles a function as a whole.
 */
export function readSignature(reader: InstructionReader, names: NameContext, signature: Signature): boolean {
  const { records, tokens } = reader;
  const { kinds, firsts, nexts, length } = records;
  const { codes, operands, registers } = signature;
  const { isOutermost, registers: file } = names;
  const { byId } = file.names;
  signature.length = 0;
  signature.guard = undefined;
  if (records.guard >= 0 && !readGuard(reader, names, signature)) return false;
  let count = 0;
  for (let at = 0; at < length; at = nexts[at]!, count++) {
    const known = isOutermost && kinds[at] === record.NAME ? nameAt(byId, tokens.names[firsts[at]!]!) : undefined;
    if (known?.file === file && known.code !== code.NONE) {
      codes[signature.length++] = known.code;
      operands[count] = known.operand;
      registers[count] = known.index;
    } else if (!readOther(at, count, names, signature, reader)) return false;
  }
  signature.count = count;
  return true;
}

/** Avoids reading beyond an array's end: the engine deoptimises code when it first does so. */
const nameAt = (byId: RegisterNames["byId"], id: number): RegisterNames["byId"][number] =>
  id < byId.length ? byId[id] : undefined;

function readGuard({ records, tokens, names: of }: InstructionReader, names: NameContext, signature: Signature) {
  const binding = findById(names.scope, tokens.names[records.guard]!, of, names.registers);
  if (binding?.kind !== "register" || binding.register.type.class !== "predicate") return false;
  signature.guard = records.negated ? negatedGuard(binding.index) : plainGuard(binding.index);
  return true;
}

/** Reads the record as the operand with that index. */
function readOther(
  at: number,
  index: number,
  names: NameContext,
  signature: Signature,
  reader: InstructionReader,
): boolean {
  const { kinds, firsts, values } = reader.records;
  if (kinds[at] === record.LITERAL) return readLiteral(firsts[at]!, index, signature, reader);
  if (kinds[at] === record.CONSTANT) return setConstant(signature, index, values[at]!);
  const operand = readOperand(at, names, signature, reader);
  if (operand === undefined) return false;
  signature.operands[index] = operand;
  signature.registers[index] = operand.kind === "register" ? operand.register : -1;
  return true;
}

function push(signature: Signature, one: number): void {
  signature.codes[signature.length++] = one;
}

// ----------------------------------------------------------------------------------------------------------- constants

function readLiteral(token: number, index: number, signature: Signature, reader: InstructionReader): boolean {
  const small = smallAt(token, reader);
  if (small < 0) return setConstant(signature, index, reader.literal(token));
  push(signature, code.INTEGER);
  noteConstant(signature, index, constantOf(small), small);
  return true;
}

/** False if the constant needs a message. */
function setConstant(signature: Signature, index: number, expression: Expression): boolean {
  const kind = constantCode(expression);
  const value = kind === code.NONE ? undefined : foldConstant(expression, () => undefined);
  if (value === undefined) return false;
  push(signature, kind);
  noteConstant(signature, index, value, notSmall);
  return true;
}

/** Adds the constant as the operand with that index. */
function noteConstant(
  { operands, values, small, registers }: Signature,
  index: number,
  value: Constant,
  number: number,
): void {
  operands[index] = constant;
  values[index] = value;
  small[index] = number;
  registers[index] = noRegister;
}

/** The value of a plain decimal; -1 for anything else. */
const smallAt = (token: number, { tokens: { starts, ends }, names }: InstructionReader): number =>
  shortDecimal(names.bytes, starts[token]!, ends[token]!);

const integer = (value: number): Constant => ({ kind: "integer", value: BigInt(value), unsigned: false });

const smallConstants: readonly Constant[] = Array.from({ length: notSmall }, (_, value) => integer(value));

const constantOf = (value: number): Constant => (value < notSmall ? smallConstants[value]! : integer(value));

/** The code of a literal, with or without a minus sign; NONE for other expressions. */
function constantCode(expression: Expression): number {
  switch (expression.kind) {
    case "integer":
      // The slow path warns of constants that lose bits.
      return expression.overflows === true || expression.value > mostUnsigned ? code.NONE : code.INTEGER;
    case "float":
      if (expression.overflows === true) return code.NONE;
      return expression.spelling === "f32-bits" ? code.FLOAT_BITS : code.FLOAT;
    case "unary": {
      if (expression.op !== "-") return code.NONE;
      const { kind } = expression.operand;
      const literal = kind === "integer" || kind === "float" ? constantCode(expression.operand) : code.NONE;
      return literal === code.FLOAT_BITS ? code.NONE : literal;
    }
    default:
      return code.NONE;
  }
}

// ------------------------------------------------------------------------------------------------------------ operands

/** Reads an operand that is no constant. */
function readOperand(
  at: number,
  names: NameContext,
  signature: Signature,
  reader: InstructionReader,
): Operand | undefined {
  const { kinds, firsts, nexts } = reader.records;
  const next = nexts[at]!;
  switch (kinds[at]) {
    case record.NAME:
    case record.NAME_PLUS:
    case record.SUM:
      return readName(at, names, signature, reader);
    case record.DOTTED: {
      const { text, selector } = reader.selected(firsts[at]!);
      return readSpecial(text, selector, names, signature);
    }
    case record.ADDRESS:
      return readAddress(at, names, signature, reader);
    case record.VECTOR: {
      // A vector of one element may be a scalar: match.ts.
      if (nexts[at + 1] === next) return undefined;
      const elements = readElements(at + 1, next, code.VECTOR, names, signature, reader);
      return elements && { kind: "vector", elements };
    }
    case record.LIST: {
      const elements = readElements(at + 1, next, code.LIST, names, signature, reader);
      return elements && { kind: "list", elements };
    }
    case record.PAIR: {
      push(signature, code.PAIR);
      const first = readOperand(at + 1, names, signature, reader);
      const second = readOperand(nexts[at + 1]!, names, signature, reader);
      return first && second && { kind: "pair", first, second };
    }
    case record.SINK:
      push(signature, code.SINK);
      return sinkOperand;
    default:
      return undefined;
  }
}

/** Reads operands in braces or parentheses, or after an address. */
function readElements(
  from: number,
  to: number,
  opening: number,
  names: NameContext,
  signature: Signature,
  reader: InstructionReader,
): readonly Operand[] | undefined {
  push(signature, opening);
  const elements: Operand[] = [];
  for (let at = from; at < to; at = reader.records.nexts[at]!) {
    const element = readOperand(at, names, signature, reader);
    if (element === undefined) return undefined;
    elements.push(element);
  }
  push(signature, code.END);
  return elements;
}

const none: readonly never[] = [];

/** A register, label, function or the address of a variable. */
function readName(
  at: number,
  names: NameContext,
  signature: Signature,
  reader: InstructionReader,
): Operand | undefined {
  const isAlone = reader.records.kinds[at] === record.NAME;
  const id = reader.tokens.names[reader.records.firsts[at]!]!;
  const binding = findById(names.scope, id, reader.names, names.registers);
  if (binding?.kind === "label" || binding?.kind === "table") {
    if (!isAlone) return undefined;
    push(signature, binding.kind === "label" ? code.LABEL : code.tables[binding.table]);
    return binding.kind === "label"
      ? { kind: "label", target: binding.target }
      : { kind: "table", table: binding.table, index: binding.index };
  }
  const base = readBase(binding, id, names, signature, reader);
  if (base === undefined)
    return isAlone ? readSpecial(nameText(reader.names, id), undefined, names, signature) : undefined;
  // A register with an offset must be in brackets; a function has no offset.
  if (base.kind === "register") return isAlone ? base : undefined;
  const offset = offsetAt(at, reader);
  if (offset === undefined || (offset !== 0n && isFunction(base, names))) return undefined;
  return { kind: "address-of", base, offset };
}

/** Reads `%laneid` or `%tid.x`, unless the name has been declared. */
function readSpecial(
  name: string,
  component: string | undefined,
  { scope, registers, module }: NameContext,
  signature: Signature,
): Operand | undefined {
  const special = specialRegister(name);
  if (special === undefined || findBinding(scope, name, registers) !== undefined || module.find(name) !== undefined)
    return undefined;
  const kind = code.specialCode(special, component);
  if (kind === code.NONE) return undefined;
  push(signature, kind);
  return { kind: "special", name: specialName(special, component) };
}

const isFunction = (base: Base, { module }: NameContext): boolean =>
  base.kind === "symbol" && module.symbols[base.symbol]!.kind === "function";

function readAddress(
  at: number,
  names: NameContext,
  signature: Signature,
  reader: InstructionReader,
): Operand | undefined {
  const { kinds, firsts, nexts } = reader.records;
  const kind = kinds[at + 1]!;
  if (kind !== record.NAME && kind !== record.NAME_PLUS && kind !== record.SUM) return undefined;
  push(signature, code.ADDRESS);
  const id = reader.tokens.names[firsts[at + 1]!]!;
  const binding = findById(names.scope, id, reader.names, names.registers);
  const base = readBase(binding, id, names, signature, reader);
  const offset = offsetAt(at + 1, reader);
  const [from, to] = [nexts[at + 1]!, nexts[at]!];
  const rest = from === to ? none : readElements(from, to, code.REST, names, signature, reader);
  if (offset === undefined || base === undefined || rest === undefined) return undefined;
  push(signature, code.END);
  return { kind: "address", base, offset, rest };
}

function readBase(
  binding: Binding | undefined,
  id: number,
  names: NameContext,
  signature: Signature,
  reader: InstructionReader,
): Base | undefined {
  switch (binding?.kind) {
    case "register":
      if (binding.code === code.NONE) return undefined;
      push(signature, binding.code);
      return binding.operand;
    case "variable":
      push(signature, code.variableCode(binding.variable));
      return variableBase(binding.index);
    case "symbol":
      push(signature, code.symbolCode(names.module.symbols[binding.index]!));
      return symbolBase(binding.index);
    case undefined: {
      const found = names.module.find(nameText(reader.names, id));
      if (found === undefined) return undefined;
      push(signature, code.symbolCode(found.symbol));
      return symbolBase(found.index);
    }
    default:
      return undefined;
  }
}

/** The offset after a record's name; undefined if it is not a plain integer. */
function offsetAt(at: number, reader: InstructionReader): bigint | undefined {
  const { kinds, firsts, values } = reader.records;
  if (kinds[at] === record.NAME) return 0n;
  const token = firsts[at]! + 2;
  const small = kinds[at] === record.NAME_PLUS ? smallAt(token, reader) : -1;
  if (small >= 0) {
    const value = constantOf(small);
    return value.kind === "integer" ? value.value : undefined;
  }
  const expression = kinds[at] === record.SUM ? values[at]! : reader.literal(token);
  const value = constantCode(expression) === code.INTEGER ? foldConstant(expression, () => undefined) : undefined;
  return value?.kind === "integer" ? BigInt.asIntN(64, value.value) : undefined;
}
