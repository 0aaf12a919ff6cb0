// Instructions that were stepped over (ptx/brief.ts), straight from their tokens: the signature and the operands that
// signature.ts makes of a tree, without the tree, and names by their ids, without their texts. What has no precedent is read
// as a tree and goes the way of all others; so does what is at fault, so that there is one place for every message.

import { negatedGuard, plainGuard, sinkOperand, type Base, type Operand } from "../isa/instruction.js";
import { briefOpcode } from "../ptx/brief.js";
import { shortDecimal } from "../ptx/expression.js";
import { nameText } from "../ptx/names.js";
import type { BriefReader } from "../ptx/outline.js";
import * as kind from "../ptx/token.js";
import type { Instruction } from "../ptx/tree.js";
import type { FunctionContext } from "./builder.js";
import type { Constant } from "../ptx/constant.js";
import * as code from "./operand-codes.js";
import type { Learned } from "./memory.js";
import { follow, type Precedent } from "./precedents.js";
import type { NameContext } from "./resolve.js";
import { findById, type RegisterNames } from "./scope.js";
import {
  constant,
  constantCode,
  foldLiteral,
  isFunction,
  notSmall,
  push,
  readBase,
  readSpecial,
  setConstant,
  type Signature,
} from "./signature.js";

/** Of one module. */
export interface BriefContext {
  readonly reader: BriefReader;
  readonly steps: Learned["steps"];
  /**
   * The instruction that begins at a token, as a tree; undefined when it is at fault, and then the module's text must be read as a
   * whole.
   */
  whole(token: number): Instruction | undefined;
  /** Whether one was at fault. */
  hasFailed(): boolean;
}

export function createBriefContext(reader: BriefReader, { steps }: Learned): BriefContext {
  let failed = false;
  return {
    reader,
    steps,
    whole(token) {
      const instruction = reader.instruction(token);
      if (instruction === undefined) failed = true;
      return instruction;
    },
    hasFailed: () => failed,
  };
}

/**
 * Reads an instruction that has a precedent into the signature at hand; undefined where it has none, or none that its tokens
 * tell.
 */
export function readBrief(
  first: number,
  names: NameContext,
  { signature, precedents, brief }: FunctionContext,
): Precedent | undefined {
  const { reader, steps } = brief!;
  const { kinds, names: ids } = reader.tokens;
  const opcode = briefOpcode(kinds, first);
  const id = ids[opcode]!;
  signature.end = -1;
  while (steps.length <= id) steps.push(undefined);
  const step = (steps[id] ??= precedents.bySpelling.get(nameText(reader.names, id)));
  if (step === undefined) return undefined;
  signature.guard = undefined;
  if (opcode > first) {
    const binding = findById(names.scope, ids[opcode - 1]!, reader.names, names.registers);
    if (binding?.kind !== "register" || binding.register.type.class !== "predicate") return undefined;
    signature.guard = opcode - first === 3 ? negatedGuard(binding.index) : plainGuard(binding.index);
  }
  signature.count = readOperands(opcode + 1, names, signature, reader);
  return signature.count < 0 ? undefined : follow(step, signature);
}

/**
 * How many operands there are up to the semicolon; -1 when they have no signature. Registers of the function's outermost block, which
 * most operands are, are read here, the others apart: the engine compiles all of a function at once.
 */
function readOperands(first: number, names: NameContext, signature: Signature, reader: BriefReader): number {
  const { kinds, names: ids } = reader.tokens;
  const { codes, operands, registers } = signature;
  const { isOutermost, registers: file } = names;
  const { byId } = file.names;
  signature.length = 0;
  let count = 0;
  let at = first;
  for (;;) {
    const token = kinds[at]!;
    if (token === kind.SEMICOLON) break;
    if (token === kind.COMMA) {
      at++;
      continue;
    }
    const known = token === kind.WORD && isOutermost ? nameAt(byId, ids[at]!) : undefined;
    if (known?.file === file && known.code !== code.NONE && endsOperand(kinds[at + 1]!)) {
      codes[signature.length++] = known.code;
      operands[count] = known.operand;
      registers[count] = known.index;
      at++;
    } else {
      at = readOther(at, count, names, signature, reader);
      if (at < 0) return -1;
    }
    count++;
  }
  signature.end = at;
  return count;
}

/** Beyond the end of an array nothing is asked: the engine throws away code that has not met that before. */
const nameAt = (byId: RegisterNames["byId"], id: number): RegisterNames["byId"][number] =>
  id < byId.length ? byId[id] : undefined;

const endsOperand = (token: number): boolean => token === kind.COMMA || token === kind.SEMICOLON;

/** The token behind the operand of that index, which begins at a token; -1 when it has no signature. */
function readOther(
  first: number,
  count: number,
  names: NameContext,
  signature: Signature,
  reader: BriefReader,
): number {
  const { kinds, names: ids } = reader.tokens;
  let at = first;
  let operand: Operand | undefined;
  signature.registers[count] = -1;
  switch (kinds[at]) {
    case kind.WORD:
      if (kinds[at + 1] === kind.OR) push(signature, code.PAIR);
      if (kinds[at + 1] === kind.PLUS) {
        operand = readAddressOf(at, names, signature, reader);
        at = endOfOffset(kinds, at + 1);
        break;
      }
      operand = readName(ids[at]!, names, signature, reader);
      at++;
      if (kinds[at] !== kind.OR) {
        if (operand?.kind === "register") signature.registers[count] = operand.register;
      } else {
        const second =
          kinds[at + 1] === kind.SINK ? readSink(signature) : readName(ids[at + 1]!, names, signature, reader);
        operand = operand && second && { kind: "pair", first: operand, second };
        at += 2;
      }
      break;
    case kind.BRACKET_OPEN:
      operand = readAddress(at + 1, names, signature, reader);
      at = endOfOffset(kinds, at + 2) + 1;
      break;
    case kind.BRACE_OPEN: {
      // One element may stand for a value: match.ts.
      if (kinds[at + 2] === kind.BRACE_CLOSE) return -1;
      const elements = readElements(at, code.VECTOR, names, signature, reader);
      operand = elements && { kind: "vector", elements };
      at = endOfElements(kinds, at);
      break;
    }
    case kind.PAREN_OPEN: {
      const elements = readElements(at, code.LIST, names, signature, reader);
      operand = elements && { kind: "list", elements };
      at = endOfElements(kinds, at);
      break;
    }
    case kind.SINK:
      operand = readSink(signature);
      at++;
      break;
    case kind.DOTTED: {
      const text = nameText(reader.names, ids[at]!);
      const dot = text.indexOf(".");
      operand = readSpecial(text.slice(0, dot), text.slice(dot + 1), names, signature);
      at++;
      break;
    }
    default:
      if (readConstant(at, count, signature, reader)) operand = constant;
      at += kinds[at] === kind.MINUS ? 2 : 1;
  }
  if (operand === undefined) return -1;
  signature.operands[count] = operand;
  return at;
}

/** The names between a bracket and its end; an end follows the bracket, or each name. */
function readElements(
  opening: number,
  sign: number,
  names: NameContext,
  signature: Signature,
  reader: BriefReader,
): readonly Operand[] | undefined {
  const { kinds, names: ids } = reader.tokens;
  push(signature, sign);
  const elements: Operand[] = [];
  for (let at = opening + 1; isElement(kinds[at]!); at += kinds[at + 1] === kind.COMMA ? 2 : 1) {
    const element = kinds[at] === kind.SINK ? readSink(signature) : readName(ids[at]!, names, signature, reader);
    if (element === undefined) return undefined;
    elements.push(element);
  }
  push(signature, code.END);
  return elements;
}

const isElement = (token: number): boolean => token === kind.WORD || token === kind.SINK;

/** Behind the bracket that ends them. */
function endOfElements(kinds: Uint8Array, opening: number): number {
  let at = opening + 1;
  while (isElement(kinds[at]!) || kinds[at] === kind.COMMA) at++;
  return at + 1;
}

function readSink(signature: Signature): Operand {
  push(signature, code.SINK);
  return sinkOperand;
}

/** Behind an offset, if one is there. */
function endOfOffset(kinds: Uint8Array, at: number): number {
  if (kinds[at] !== kind.PLUS) return at;
  return kinds[at + 1] === kind.MINUS ? at + 3 : at + 2;
}

/** A register, label, function or the address of a variable. */
function readName(id: number, names: NameContext, signature: Signature, reader: BriefReader): Operand | undefined {
  const binding = findById(names.scope, id, reader.names, names.registers);
  if (binding?.kind === "register") {
    if (binding.code === code.NONE) return undefined;
    push(signature, binding.code);
    return binding.operand;
  }
  if (binding?.kind === "label") {
    push(signature, code.LABEL);
    return { kind: "label", target: binding.target };
  }
  if (binding?.kind === "table") {
    push(signature, code.tables[binding.table]);
    return { kind: "table", table: binding.table, index: binding.index };
  }
  const text = nameText(reader.names, id);
  const base = readBase(binding, text, names, signature);
  return base ? { kind: "address-of", base, offset: 0n } : readSpecial(text, undefined, names, signature);
}

/** `name+8` of a variable. */
function readAddressOf(at: number, names: NameContext, signature: Signature, reader: BriefReader): Operand | undefined {
  const base = readBaseAt(at, names, signature, reader);
  const offset = readOffset(at + 1, reader);
  // An address in a register has an offset in brackets only, a function has none.
  if (base === undefined || base.kind === "register" || offset === undefined) return undefined;
  return offset !== 0n && isFunction(base, names) ? undefined : { kind: "address-of", base, offset };
}

function readAddress(at: number, names: NameContext, signature: Signature, reader: BriefReader): Operand | undefined {
  push(signature, code.ADDRESS);
  const base = readBaseAt(at, names, signature, reader);
  const offset = readOffset(at + 1, reader);
  if (base === undefined || offset === undefined) return undefined;
  push(signature, code.END);
  return { kind: "address", base, offset, rest: none };
}

const none: readonly never[] = [];

function readBaseAt(at: number, names: NameContext, signature: Signature, reader: BriefReader): Base | undefined {
  const id = reader.tokens.names[at]!;
  const binding = findById(names.scope, id, reader.names, names.registers);
  return readBase(binding, nameText(reader.names, id), names, signature);
}

/** What follows the base of an address. */
function readOffset(at: number, reader: BriefReader): bigint | undefined {
  if (reader.tokens.kinds[at] !== kind.PLUS) return 0n;
  const small = readSmall(at + 1, reader);
  const value = small >= 0 ? constantOf(small) : readLiteral(at + 1, reader);
  return value?.kind === "integer" ? BigInt.asIntN(64, value.value) : undefined;
}

/** Reads the constant that is the operand of that index; false where its spelling needs a message. */
function readConstant(at: number, index: number, signature: Signature, reader: BriefReader): boolean {
  const small = readSmall(at, reader);
  if (small >= 0) {
    push(signature, code.INTEGER);
    setConstant(signature, index, constantOf(small), small);
    return true;
  }
  const value = readLiteral(at, reader);
  if (value === undefined) return false;
  push(signature, value.kind === "integer" ? code.INTEGER : value.kind === "float" ? code.FLOAT : code.FLOAT_BITS);
  setConstant(signature, index, value, notSmall);
  return true;
}

/** A plain decimal; -1 for anything else. */
function readSmall(at: number, { tokens: { kinds, starts, ends }, names }: BriefReader): number {
  return kinds[at] === kind.INTEGER ? shortDecimal(names.bytes, starts[at]!, ends[at]!) : -1;
}

const smallConstants: readonly Constant[] = Array.from({ length: notSmall }, (_, value) => integerConstant(value));

const constantOf = (value: number): Constant => (value < notSmall ? smallConstants[value]! : integerConstant(value));

function integerConstant(value: number): Constant {
  return { kind: "integer", value: BigInt(value), unsigned: false };
}

/** What a literal is worth; undefined where its spelling needs a message. */
function readLiteral(at: number, reader: BriefReader): Constant | undefined {
  const literal = reader.literal(at);
  return literal === undefined || constantCode(literal) === code.NONE ? undefined : foldLiteral(literal);
}
