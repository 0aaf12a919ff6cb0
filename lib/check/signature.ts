// What an instruction's operands are, as far as the checks of resolve.ts, match.ts and spaces.ts ask: a row of small numbers,
// its signature. Two instructions with one spelling and one signature differ only in which register of a type, which variable
// of a kind, which label and which number they name, so that what was found right for one is right for the other
// (precedents.ts). The same walk makes the operands, for what an operand becomes does not depend on the row either, with the
// exception of constants, which have the type of their place.
//
// What is rare has no signature and goes the long way: selectors, negations, array elements, constants
// that are computed or stand inside a vector or list, and whatever is at fault.
//
// Rejected: a string or a number for a whole signature (strings are made and hashed for every instruction; numbers are too
// small for the fragments of mma).

import { assert } from "../base/assert.js";
import {
  sinkOperand,
  smallImmediates,
  symbolBase,
  variableBase,
  type Base,
  type Guard,
  type Operand,
} from "../isa/instruction.js";
import { specialName, specialRegister } from "../isa/special-registers.table.js";
import type { Expression, NameOperand, Operand as OperandNode } from "../ptx/tree.js";
import { foldConstant, mostUnsigned, type Constant } from "../ptx/constant.js";
import * as code from "./operand-codes.js";
import type { NameContext } from "./resolve.js";
import { findBinding, type Binding } from "./scope.js";

/** The signature of the instruction at hand; one object serves a whole module. */
export interface Signature {
  readonly codes: number[];
  /** How many of `codes` are in use. */
  length: number;
  /** Of the instruction; not a part of its signature. */
  guard: Guard | undefined;
  /** How many operands the instruction has. */
  count: number;
  /** Of an instruction that was stepped over, the token of its semicolon; -1 where its operands were not read so far. */
  end: number;
  /** Those operands; `constant` where one depends on its place. */
  readonly operands: Operand[];
  /** The constants among them. */
  readonly values: (Constant | undefined)[];
  /** Those that are small integers, as numbers; `notSmall` for the others. */
  readonly small: number[];
  /** By operand: the register that it is; -1 where it is something else, `noRegister` where there is none in it. */
  readonly registers: number[];
}

export const createSignature = (): Signature => ({
  codes: [],
  length: 0,
  guard: undefined,
  count: 0,
  end: -1,
  operands: [],
  values: [],
  small: [],
  registers: [],
});

export const noRegister = -2;

export const notSmall = smallImmediates;

/** Stands for a constant in `operands`. Compared by identity. */
export const constant: Operand = { kind: "immediate", bits: 0n };

/** Reads the operands of an instruction into `signature`. False when they have none. */
export function readSignature(
  guard: Guard | undefined,
  nodes: readonly OperandNode[],
  names: NameContext,
  signature: Signature,
): boolean {
  signature.length = 0;
  signature.guard = guard;
  signature.count = nodes.length;
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i]!;
    const operand = readOperand(node, names, signature);
    if (operand === undefined) return false;
    signature.operands[i] = operand;
    signature.registers[i] = operand.kind === "register" ? operand.register : -1;
    if (node.kind === "constant") setConstant(signature, i, foldLiteral(node.value), notSmall);
  }
  return true;
}

/** What the constant at that place of the instruction is. */
export function setConstant(
  { values, small, registers }: Signature,
  index: number,
  value: Constant,
  number: number,
): void {
  values[index] = value;
  small[index] = number;
  registers[index] = noRegister;
}

export function push(signature: Signature, one: number): void {
  signature.codes[signature.length++] = one;
}

function readOperand(node: OperandNode, names: NameContext, signature: Signature): Operand | undefined {
  switch (node.kind) {
    case "name":
      return readName(node, names, signature);
    case "address":
      return readAddress(node, names, signature);
    case "constant": {
      const kind = constantCode(node.value);
      if (kind === code.NONE) return undefined;
      push(signature, kind);
      return constant;
    }
    case "vector": {
      // One element may stand for a value: match.ts.
      if (node.elements.length < 2) return undefined;
      const elements = readElements(node.elements, code.VECTOR, names, signature);
      return elements && { kind: "vector", elements };
    }
    case "list": {
      const elements = readElements(node.elements, code.LIST, names, signature);
      return elements && { kind: "list", elements };
    }
    case "pair": {
      push(signature, code.PAIR);
      const first = readPart(node.first, names, signature);
      const second = readPart(node.second, names, signature);
      return first && second && { kind: "pair", first, second };
    }
    case "sink":
      push(signature, code.SINK);
      return sinkOperand;
    default:
      return undefined;
  }
}

/** Part of an operand, which cannot be a constant. */
function readPart(node: OperandNode, names: NameContext, signature: Signature): Operand | undefined {
  const operand = readOperand(node, names, signature);
  return operand === constant ? undefined : operand;
}

/** Operands in braces, parentheses or behind an address. */
function readElements(
  nodes: readonly OperandNode[],
  opening: number,
  names: NameContext,
  signature: Signature,
): readonly Operand[] | undefined {
  push(signature, opening);
  const elements = new Array<Operand>(nodes.length);
  for (let i = 0; i < nodes.length; i++) {
    const element = readPart(nodes[i]!, names, signature);
    if (element === undefined) return undefined;
    elements[i] = element;
  }
  push(signature, code.END);
  return elements;
}

const none: readonly never[] = [];

function readName(node: NameOperand, names: NameContext, signature: Signature): Operand | undefined {
  const { text } = node.name;
  if (node.selector !== undefined) return readSpecial(text, node.selector, names, signature);
  const binding = findBinding(names.scope, text, names.registers);
  if (binding?.kind === "label") {
    if (node.offset !== undefined) return undefined;
    push(signature, code.LABEL);
    return { kind: "label", target: binding.target };
  }
  if (binding?.kind === "table") {
    push(signature, code.tables[binding.table]);
    return { kind: "table", table: binding.table, index: binding.index };
  }
  const base = readBase(binding, text, names, signature);
  if (base === undefined) return node.offset === undefined ? readSpecial(text, undefined, names, signature) : undefined;
  // An address in a register has an offset in brackets only, a function has none.
  if (base.kind === "register") return node.offset === undefined ? base : undefined;
  const offset = offsetOf(node);
  if (offset === undefined || (offset !== 0n && isFunction(base, names))) return undefined;
  return { kind: "address-of", base, offset };
}

/** `%laneid`, `%tid.x`, unless such a name has been declared. */
export function readSpecial(
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

export const isFunction = (base: Base, { module }: NameContext): boolean =>
  base.kind === "symbol" && module.symbols[base.symbol]!.kind === "function";

function readAddress(
  { base: of, rest: nodes, unified }: OperandNode & { kind: "address" },
  names: NameContext,
  signature: Signature,
): Operand | undefined {
  if (of.kind !== "name" || of.selector !== undefined || unified === true) return undefined;
  push(signature, code.ADDRESS);
  const offset = offsetOf(of);
  const { text } = of.name;
  const base = readBase(findBinding(names.scope, text, names.registers), text, names, signature);
  const rest = nodes.length === 0 ? none : readElements(nodes, code.REST, names, signature);
  if (offset === undefined || base === undefined || rest === undefined) return undefined;
  push(signature, code.END);
  return { kind: "address", base, offset, rest };
}

export function readBase(
  binding: Binding | undefined,
  name: string,
  names: NameContext,
  signature: Signature,
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
      const found = names.module.find(name);
      if (found === undefined) return undefined;
      push(signature, code.symbolCode(found.symbol));
      return symbolBase(found.index);
    }
    default:
      return undefined;
  }
}

function offsetOf({ offset }: NameOperand): bigint | undefined {
  if (offset === undefined) return 0n;
  const value = constantCode(offset) === code.INTEGER ? foldLiteral(offset) : undefined;
  return value?.kind === "integer" ? BigInt.asIntN(64, value.value) : undefined;
}

/** Literals, with or without a minus sign. */
export function constantCode(expression: Expression): number {
  switch (expression.kind) {
    case "integer":
      // What loses bits is warned of the long way.
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

/** The value of what `constantCode` has a code for: nothing can be wrong with it. */
export function foldLiteral(expression: Expression): Constant {
  const value = foldConstant(expression, () => undefined);
  assert(value !== undefined, "a literal without a value");
  return value;
}
