// Encodes operands as bytes, and decodes them. A variable-length head contains the kind in its low three bits, and in the rest
// the number that most operands consist of, so that a register below 16 takes one byte. docs/format.md, "Operands". Nothing here
// depends on the instruction, so a new row of the isa table needs no new encoding.

import { assertNever } from "../../base/assert.js";
import { malformed } from "../../../formats/bytes/malformed.js";
import type { ByteReader } from "../../../formats/bytes/reader.js";
import {
  readVarS,
  readVarS64,
  readVarU,
  readVarU64,
  writeVarS,
  writeVarS64,
  writeVarU,
} from "../../../formats/bytes/varint.js";
import { writeVarU64 } from "../../../formats/bytes/varint.js";
import type { ByteWriter } from "../../../formats/bytes/writer.js";
import type { Base, Operand } from "../../isa/instruction.js";
import { registerHasProperties } from "../attributes/code-properties.js";
import { MAX_OPERAND_DEPTH } from "./slots.js";
import { readCount, readIndex, readText, type StringPool } from "./string-pool.js";

/** Low three bits of a head. For `other`, the rest of the head is a second code. */
const HEAD_OTHER = 0;
const HEAD_REGISTER = 1;
const HEAD_IMMEDIATE = 2;
const HEAD_AT_REGISTER = 3;
const HEAD_AT_VARIABLE = 4;
const HEAD_AT_SLOT = 5;
const HEAD_LABEL = 6;
const HEAD_VECTOR = 7;

const OTHER_ABSENT = 0;
const OTHER_REGISTER = 1;
const OTHER_SPECIAL = 2;
const OTHER_IMMEDIATE = 3;
const OTHER_ADDRESS_OF = 4;
const OTHER_ADDRESS = 5;
const OTHER_PAIR = 6;
const OTHER_LIST = 7;
const OTHER_TABLE = 8;
const OTHER_SINK = 9;
/** `[a].unified`: an address, without further items. */
const OTHER_UNIFIED = 10;

const BASE_REGISTER = 0;
const BASE_SLOT = 1;
const BASE_VARIABLE = 2;
const BASE_ABSOLUTE = 3;
const TABLES = ["branch-targets", "call-targets", "prototypes"] as const;
const NEGATED = 1;
const SELECTED = 2;

/** Upper bound of an immediate stored in its head. */
const LARGEST_IN_HEAD = 2 ** 45;

export interface OperandContext {
  readonly pool: StringPool;
  /** The slot of a symbol; the first use creates it. */
  slot(symbol: number): number;
  /** Set if an operand has properties that ../attributes/code-properties.ts records. */
  hasProperties: boolean;
}

function writeHead(writer: ByteWriter, head: number, value: number): void {
  writeVarU(writer, value * 8 + head);
}

const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);

/** `at`: the index of the instruction, to which labels are relative. */
export function writeOperand(
  writer: ByteWriter,
  context: OperandContext,
  operand: Operand | undefined,
  at: number,
): void {
  if (operand === undefined) return writeHead(writer, HEAD_OTHER, OTHER_ABSENT);
  switch (operand.kind) {
    case "register": {
      const { register, selector, negated } = operand;
      if (selector === undefined && negated !== true) return writeHead(writer, HEAD_REGISTER, register);
      writeHead(writer, HEAD_OTHER, OTHER_REGISTER);
      writeVarU(writer, register);
      writer.u8((negated === true ? NEGATED : 0) | (selector === undefined ? 0 : SELECTED));
      if (selector !== undefined) writeVarU(writer, context.pool.index(selector));
      return;
    }
    case "special":
      if (registerHasProperties(operand.name)) context.hasProperties = true;
      writeHead(writer, HEAD_OTHER, OTHER_SPECIAL);
      return writeVarU(writer, context.pool.index(operand.name));
    case "immediate": {
      const small = Number(operand.bits);
      if (small < LARGEST_IN_HEAD) return writeHead(writer, HEAD_IMMEDIATE, small);
      writeHead(writer, HEAD_OTHER, OTHER_IMMEDIATE);
      writeVarU64(writer, BigInt.asUintN(64, operand.bits));
      return writeVarU64(writer, operand.bits >> 64n);
    }
    case "address-of":
      writeHead(writer, HEAD_OTHER, OTHER_ADDRESS_OF);
      writeBase(writer, context, operand.base);
      return writeOffset(writer, operand.offset);
    case "address":
      return writeAddress(writer, context, operand, at);
    case "vector":
      writeHead(writer, HEAD_VECTOR, operand.elements.length);
      return writeOperands(writer, context, operand.elements, at);
    case "pair":
      writeHead(writer, HEAD_OTHER, OTHER_PAIR);
      writeOperand(writer, context, operand.first, at);
      return writeOperand(writer, context, operand.second, at);
    case "list":
      writeHead(writer, HEAD_OTHER, OTHER_LIST);
      writeVarU(writer, operand.elements.length);
      return writeOperands(writer, context, operand.elements, at);
    case "label":
      return writeHead(writer, HEAD_LABEL, zigzag(operand.target - at));
    case "table":
      context.hasProperties = true;
      writeHead(writer, HEAD_OTHER, OTHER_TABLE);
      return writeVarU(writer, operand.index * TABLES.length + TABLES.indexOf(operand.table));
    case "sink":
      return writeHead(writer, HEAD_OTHER, OTHER_SINK);
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
  const { base, rest, offset, unified } = operand;
  if (unified === true) {
    writeHead(writer, HEAD_OTHER, OTHER_UNIFIED);
    writeBase(writer, context, base);
    return writeOffset(writer, offset);
  }
  if (rest.length === 0 && base.kind !== "absolute") {
    if (base.kind === "register") writeHead(writer, HEAD_AT_REGISTER, base.register);
    else if (base.kind === "variable") writeHead(writer, HEAD_AT_VARIABLE, base.variable);
    else writeHead(writer, HEAD_AT_SLOT, context.slot(base.symbol));
    return writeOffset(writer, offset);
  }
  writeHead(writer, HEAD_OTHER, OTHER_ADDRESS);
  writeBase(writer, context, base);
  writeOffset(writer, offset);
  writeVarU(writer, rest.length);
  writeOperands(writer, context, rest, at);
}

function writeOperands(writer: ByteWriter, context: OperandContext, operands: readonly Operand[], at: number): void {
  for (let i = 0; i < operands.length; i++) writeOperand(writer, context, operands[i], at);
}

/** Most offsets are 0. */
function writeOffset(writer: ByteWriter, offset: bigint): void {
  if (offset === 0n) writer.u8(0);
  else writeVarS64(writer, BigInt.asIntN(64, offset));
}

function writeBase(writer: ByteWriter, context: OperandContext, base: Base): void {
  switch (base.kind) {
    case "register":
      return writeVarU(writer, base.register * 4 + BASE_REGISTER);
    case "symbol":
      return writeVarU(writer, context.slot(base.symbol) * 4 + BASE_SLOT);
    case "variable":
      return writeVarU(writer, base.variable * 4 + BASE_VARIABLE);
    case "absolute":
      return writeVarU(writer, BASE_ABSOLUTE);
  }
}

// -------------------------------------------------------------------------------------------------------------- reading

/** Upper bounds of the indices in an operand. */
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
    case HEAD_REGISTER:
      return { kind: "register", register: below(limits.registers, "register") };
    case HEAD_IMMEDIATE:
      return { kind: "immediate", bits: BigInt(value) };
    case HEAD_AT_REGISTER:
      return address({ kind: "register", register: below(limits.registers, "register") });
    case HEAD_AT_VARIABLE:
      return address({ kind: "variable", variable: below(limits.variables, "variable") });
    case HEAD_AT_SLOT:
      return address({ kind: "symbol", symbol: below(limits.slots, "symbol slot") });
    case HEAD_LABEL: {
      const target = at + (value % 2 === 0 ? value / 2 : -(value + 1) / 2);
      if (target < 0 || target > limits.instructions)
        malformed("out-of-range", position, `label at instruction ${target}`);
      return { kind: "label", target };
    }
    case HEAD_VECTOR:
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

/** Reads a nested operand, which cannot be omitted. */
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
    case OTHER_ABSENT:
      return undefined;
    case OTHER_REGISTER: {
      const register = readIndex(reader, limits.registers, "register");
      const flags = reader.u8("register flags");
      return {
        kind: "register",
        register,
        ...(flags & SELECTED ? { selector: readText(reader, limits.pool, "selector") } : {}),
        ...(flags & NEGATED ? { negated: true } : {}),
      };
    }
    case OTHER_SPECIAL:
      return { kind: "special", name: readText(reader, limits.pool, "special register") };
    case OTHER_IMMEDIATE: {
      const low = readVarU64(reader, "immediate");
      return { kind: "immediate", bits: low | (readVarU64(reader, "immediate") << 64n) };
    }
    case OTHER_ADDRESS_OF: {
      const base = readBase(reader, limits);
      return { kind: "address-of", base, offset: readVarS64(reader, "offset") };
    }
    case OTHER_ADDRESS: {
      const base = readBase(reader, limits);
      const offset = readVarS64(reader, "address offset");
      const count = readCount(reader, "items of an address");
      return { kind: "address", base, offset, rest: readElements(reader, limits, count, at, depth) };
    }
    case OTHER_UNIFIED: {
      const base = readBase(reader, limits);
      return { kind: "address", base, offset: readVarS64(reader, "address offset"), rest: [], unified: true };
    }
    case OTHER_PAIR: {
      const first = readPresent(reader, limits, at, depth);
      return { kind: "pair", first, second: readPresent(reader, limits, at, depth) };
    }
    case OTHER_LIST:
      return { kind: "list", elements: readElements(reader, limits, readCount(reader, "list"), at, depth) };
    case OTHER_TABLE: {
      const coded = readVarU(reader, "table");
      const table = TABLES[coded % TABLES.length]!;
      const index = Math.floor(coded / TABLES.length);
      if (index >= limits.tables[table]) malformed("out-of-range", position, `${table} ${index} does not exist`);
      return { kind: "table", table, index };
    }
    case OTHER_SINK:
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
    case BASE_REGISTER:
      return { kind: "register", register: below(limits.registers, "register") };
    case BASE_SLOT:
      return { kind: "symbol", symbol: below(limits.slots, "symbol slot") };
    case BASE_VARIABLE:
      return { kind: "variable", variable: below(limits.variables, "variable") };
    default:
      return { kind: "absolute" };
  }
}

/** Inside a decoder: a signed difference to `from`; the result must be from 0 to `limit`. */
export function readRelative(reader: ByteReader, from: number, limit: number, what: string): number {
  const position = reader.position;
  const value = from + readVarS(reader, what);
  if (value < 0 || value > limit) malformed("out-of-range", position, `${what}: ${value} is outside 0 to ${limit}`);
  return value;
}

/** The inverse of `readRelative`. */
export function writeRelative(writer: ByteWriter, from: number, value: number): void {
  writeVarS(writer, value - from);
}
