// Operands as bytes: a variable-length head whose low three bits say what it is and whose rest is the number that most
// operands consist of, so that a register below 16 takes one byte. docs/format.md, "Operands". Writer and reader side by
// side; nothing here depends on the instruction, so that a new row of the isa table needs no new encoding.

import { assertNever } from "../base/assert.js";
import { malformed } from "../../formats/bytes/malformed.js";
import type { ByteReader } from "../../formats/bytes/reader.js";
import {
  readVarS,
  readVarS64,
  readVarU,
  readVarU64,
  writeVarS,
  writeVarS64,
  writeVarU,
} from "../../formats/bytes/varint.js";
import { writeVarU64 } from "../../formats/bytes/varint.js";
import type { ByteWriter } from "../../formats/bytes/writer.js";
import type { Base, Operand } from "../isa/instruction.js";
import { isTellingRegister } from "./code-facts.js";
import { MAX_OPERAND_DEPTH } from "./slots.js";
import { readCount, readIndex, readText, type StringPool } from "./string-pool.js";

/** Low three bits of a head. `other` has an OTHER code above them. */
const HEAD = {
  other: 0,
  register: 1,
  immediate: 2,
  atRegister: 3,
  atVariable: 4,
  atSlot: 5,
  label: 6,
  vector: 7,
} as const;

const OTHER = {
  absent: 0,
  register: 1,
  special: 2,
  immediate: 3,
  addressOf: 4,
  address: 5,
  pair: 6,
  list: 7,
  table: 8,
  sink: 9,
} as const;

const BASE = { register: 0, slot: 1, variable: 2, absolute: 3 } as const;
const TABLES = ["branch-targets", "call-targets", "prototypes"] as const;
const NEGATED = 1;
const SELECTED = 2;

/** An immediate up to this stands in its head. */
const LARGEST_IN_HEAD = 2n ** 45n;

export interface OperandContext {
  readonly pool: StringPool;
  /** The slot of a symbol, made at its first use. */
  slot(symbol: number): number;
  /** Whether there was an operand that code-facts.ts asks about. */
  isTelling: boolean;
}

function writeHead(writer: ByteWriter, head: number, value: number): void {
  writeVarU(writer, value * 8 + head);
}

const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);

/** `at` is the index of the instruction, to which labels are relative. */
export function writeOperand(
  writer: ByteWriter,
  context: OperandContext,
  operand: Operand | undefined,
  at: number,
): void {
  if (operand === undefined) return writeHead(writer, HEAD.other, OTHER.absent);
  switch (operand.kind) {
    case "register": {
      const { register, selector, negated } = operand;
      if (selector === undefined && negated !== true) return writeHead(writer, HEAD.register, register);
      writeHead(writer, HEAD.other, OTHER.register);
      writeVarU(writer, register);
      writer.u8((negated === true ? NEGATED : 0) | (selector === undefined ? 0 : SELECTED));
      if (selector !== undefined) writeVarU(writer, context.pool.index(selector));
      return;
    }
    case "special":
      if (isTellingRegister(operand.name)) context.isTelling = true;
      writeHead(writer, HEAD.other, OTHER.special);
      return writeVarU(writer, context.pool.index(operand.name));
    case "immediate":
      if (operand.bits < LARGEST_IN_HEAD) return writeHead(writer, HEAD.immediate, Number(operand.bits));
      writeHead(writer, HEAD.other, OTHER.immediate);
      writeVarU64(writer, BigInt.asUintN(64, operand.bits));
      return writeVarU64(writer, operand.bits >> 64n);
    case "address-of":
      writeHead(writer, HEAD.other, OTHER.addressOf);
      writeBase(writer, context, operand.base);
      return writeVarS64(writer, BigInt.asIntN(64, operand.offset));
    case "address":
      return writeAddress(writer, context, operand, at);
    case "vector":
      writeHead(writer, HEAD.vector, operand.elements.length);
      for (const element of operand.elements) writeOperand(writer, context, element, at);
      return;
    case "pair":
      writeHead(writer, HEAD.other, OTHER.pair);
      writeOperand(writer, context, operand.first, at);
      return writeOperand(writer, context, operand.second, at);
    case "list":
      writeHead(writer, HEAD.other, OTHER.list);
      writeVarU(writer, operand.elements.length);
      for (const element of operand.elements) writeOperand(writer, context, element, at);
      return;
    case "label":
      return writeHead(writer, HEAD.label, zigzag(operand.target - at));
    case "table":
      context.isTelling = true;
      writeHead(writer, HEAD.other, OTHER.table);
      return writeVarU(writer, operand.index * TABLES.length + TABLES.indexOf(operand.table));
    case "sink":
      return writeHead(writer, HEAD.other, OTHER.sink);
    default:
      assertNever(operand);
  }
}

function writeAddress(
  writer: ByteWriter,
  context: OperandContext,
  operand: Operand & { kind: "address" },
  at: number,
): void {
  const { base, rest } = operand;
  const offset = BigInt.asIntN(64, operand.offset);
  if (rest.length === 0 && base.kind !== "absolute") {
    if (base.kind === "register") writeHead(writer, HEAD.atRegister, base.register);
    else if (base.kind === "variable") writeHead(writer, HEAD.atVariable, base.variable);
    else writeHead(writer, HEAD.atSlot, context.slot(base.symbol));
    return writeVarS64(writer, offset);
  }
  writeHead(writer, HEAD.other, OTHER.address);
  writeBase(writer, context, base);
  writeVarS64(writer, offset);
  writeVarU(writer, rest.length);
  for (const item of rest) writeOperand(writer, context, item, at);
}

function writeBase(writer: ByteWriter, context: OperandContext, base: Base): void {
  switch (base.kind) {
    case "register":
      return writeVarU(writer, base.register * 4 + BASE.register);
    case "symbol":
      return writeVarU(writer, context.slot(base.symbol) * 4 + BASE.slot);
    case "variable":
      return writeVarU(writer, base.variable * 4 + BASE.variable);
    case "absolute":
      return writeVarU(writer, BASE.absolute);
  }
}

// -------------------------------------------------------------------------------------------------------------- reading

/** What the indices of a decoded operand must stay below. */
export interface OperandLimits {
  readonly pool: readonly string[];
  readonly registers: number;
  readonly variables: number;
  readonly slots: number;
  readonly instructions: number;
  readonly tables: Readonly<Record<(typeof TABLES)[number], number>>;
}

export function readOperand(reader: ByteReader, limits: OperandLimits, at: number, depth = 0): Operand | undefined {
  const position = reader.position;
  if (depth > MAX_OPERAND_DEPTH) malformed("limit", position, `operands nested deeper than ${MAX_OPERAND_DEPTH}`);
  const coded = readVarU(reader, "operand");
  const value = Math.floor(coded / 8);
  const below = (limit: number, what: string): number =>
    value < limit ? value : malformed("out-of-range", position, `${what} ${value}: there are ${limit}`);
  const address = (base: Base): Operand => ({
    kind: "address",
    base,
    offset: readVarS64(reader, "address offset"),
    rest: [],
  });
  switch (coded % 8) {
    case HEAD.register:
      return { kind: "register", register: below(limits.registers, "register") };
    case HEAD.immediate:
      return { kind: "immediate", bits: BigInt(value) };
    case HEAD.atRegister:
      return address({ kind: "register", register: below(limits.registers, "register") });
    case HEAD.atVariable:
      return address({ kind: "variable", variable: below(limits.variables, "variable") });
    case HEAD.atSlot:
      return address({ kind: "symbol", symbol: below(limits.slots, "symbol slot") });
    case HEAD.label: {
      const target = at + (value % 2 === 0 ? value / 2 : -(value + 1) / 2);
      if (target < 0 || target > limits.instructions)
        malformed("out-of-range", position, `label at instruction ${target}`);
      return { kind: "label", target };
    }
    case HEAD.vector:
      return { kind: "vector", elements: readElements(reader, limits, value, at, depth) };
    default:
      return readOther(reader, limits, value, at, depth);
  }
}

function readElements(reader: ByteReader, limits: OperandLimits, count: number, at: number, depth: number): Operand[] {
  if (count > reader.remaining)
    malformed("truncated", reader.position, `${count} operands, ${reader.remaining} bytes left`);
  return Array.from({ length: count }, () => readPresent(reader, limits, at, depth));
}

/** An operand inside another, which cannot be left out. */
function readPresent(reader: ByteReader, limits: OperandLimits, at: number, depth: number): Operand {
  const position = reader.position;
  return readOperand(reader, limits, at, depth + 1) ?? malformed("malformed", position, "an element without a value");
}

function readOther(
  reader: ByteReader,
  limits: OperandLimits,
  code: number,
  at: number,
  depth: number,
): Operand | undefined {
  const position = reader.position;
  switch (code) {
    case OTHER.absent:
      return undefined;
    case OTHER.register: {
      const register = readIndex(reader, limits.registers, "register");
      const flags = reader.u8("register flags");
      return {
        kind: "register",
        register,
        ...(flags & SELECTED ? { selector: readText(reader, limits.pool, "selector") } : {}),
        ...(flags & NEGATED ? { negated: true } : {}),
      };
    }
    case OTHER.special:
      return { kind: "special", name: readText(reader, limits.pool, "special register") };
    case OTHER.immediate: {
      const low = readVarU64(reader, "immediate");
      return { kind: "immediate", bits: low | (readVarU64(reader, "immediate") << 64n) };
    }
    case OTHER.addressOf: {
      const base = readBase(reader, limits);
      return { kind: "address-of", base, offset: readVarS64(reader, "offset") };
    }
    case OTHER.address: {
      const base = readBase(reader, limits);
      const offset = readVarS64(reader, "address offset");
      const count = readCount(reader, "items of an address");
      return { kind: "address", base, offset, rest: readElements(reader, limits, count, at, depth) };
    }
    case OTHER.pair: {
      const first = readPresent(reader, limits, at, depth);
      return { kind: "pair", first, second: readPresent(reader, limits, at, depth) };
    }
    case OTHER.list:
      return { kind: "list", elements: readElements(reader, limits, readCount(reader, "list"), at, depth) };
    case OTHER.table: {
      const coded = readVarU(reader, "table");
      const table = TABLES[coded % TABLES.length]!;
      const index = Math.floor(coded / TABLES.length);
      if (index >= limits.tables[table]) malformed("out-of-range", position, `${table} ${index} does not exist`);
      return { kind: "table", table, index };
    }
    case OTHER.sink:
      return { kind: "sink" };
    default:
      return malformed("malformed", position, `operand kind ${code} is unknown`);
  }
}

function readBase(reader: ByteReader, limits: OperandLimits): Base {
  const position = reader.position;
  const coded = readVarU(reader, "base of an address");
  const index = Math.floor(coded / 4);
  const below = (limit: number, what: string): number =>
    index < limit ? index : malformed("out-of-range", position, `${what} ${index}: there are ${limit}`);
  switch (coded % 4) {
    case BASE.register:
      return { kind: "register", register: below(limits.registers, "register") };
    case BASE.slot:
      return { kind: "symbol", symbol: below(limits.slots, "symbol slot") };
    case BASE.variable:
      return { kind: "variable", variable: below(limits.variables, "variable") };
    default:
      return { kind: "absolute" };
  }
}

/** Inside a decoder: a signed difference to `from`, which must give a number from 0 to `limit`. */
export function readRelative(reader: ByteReader, from: number, limit: number, what: string): number {
  const position = reader.position;
  const value = from + readVarS(reader, what);
  if (value < 0 || value > limit) malformed("out-of-range", position, `${what}: ${value} is outside 0 to ${limit}`);
  return value;
}

/** The other direction of `readRelative`. */
export function writeRelative(writer: ByteWriter, from: number, value: number): void {
  writeVarS(writer, value - from);
}
