// Encodes the code of one function as the bytes of its `.text.<function>` section. docs/format.md, "Encoded functions". In order:
// header, symbol slots, texts, registers, frame variables, tables, locations, pragmas, opcodes, instructions, labels.
// Deterministic: texts, slots and opcodes are numbered in order of first use. Rejected: storing rows of the isa table by number
// (they move as rows are added; a form's id and a spelling do not), and a fixed-size record per instruction (three to four times
// the bytes).

import { writeVarU } from "../../../formats/bytes/varint.js";
import { ByteWriter } from "../../../formats/bytes/writer.js";
import type { Code, FrameVariable, ModuleRegister, SourceLocation } from "../../isa/code.js";
import type { Instruction } from "../../isa/instruction.js";
import type { Opcode } from "../../isa/opcode.js";
import { formHasProperties } from "../attributes/code-properties.js";
import { codePlaces, type CodePlaces } from "./code-places.js";
import { writeLayout, writePrototype } from "./layout-codec.js";
import { writeOperand, writeRelative, type OperandContext } from "./operand-codec.js";
import { collectReferences, type CodeReferences, type ReferenceCollector } from "./references.js";
import { writeRegisters } from "./register-runs.js";
import {
  FUNCTION_HEADER_SIZE,
  FUNCTION_MAGIC,
  FUNCTION_VERSION,
  HAS_MODULE_REGISTERS,
  HAS_NAMES,
  HAS_NO_LINES,
  LINELESS_VERSION,
  registerLimit,
  SLOT_SIZE,
  slotSpaces,
  type NewSlot,
  type SlotSpace,
} from "./slots.js";
import { createStringPool, type StringPool } from "./string-pool.js";

export interface EncodeOptions {
  /** Keep names of registers, frame variables, labels and tables; without them, a decoder generates names. */
  readonly names?: boolean;
  /** Keep lines and locations of instructions; without them, the line is 0 and the location -1. */
  readonly lines?: boolean;
}

export interface EncodedFunction {
  readonly bytes: Uint8Array;
  /** One per symbol that the code refers to, in order of first use. Relocations target `offset`. */
  readonly slots: readonly NewSlot[];
}

/** Encoded code, with data that the encoder collected. */
export interface WalkedFunction extends EncodedFunction {
  /** The same as the result of `referencesOf`. */
  readonly references: CodeReferences;
  /** Whether ../attributes/code-properties.ts may find properties besides taken addresses. */
  readonly hasProperties: boolean;
  /** Only for a function with `.loc` lines, and if lines and names are kept; for others, callers decode the code. */
  readonly places: CodePlaces | undefined;
}

/** `spaceOf`: the kind of a symbol of the code. */
export type FunctionEncoder = (code: Code, spaceOf: (symbol: number) => SlotSpace) => WalkedFunction;

/** Encodes one function. */
export function encodeFunction(
  code: Code,
  spaceOf: (symbol: number) => SlotSpace,
  options: EncodeOptions = {},
): EncodedFunction {
  return createFunctionEncoder(options)(code, spaceOf);
}

/** Creates an encoder that reuses its working memory: allocating it for each function took a tenth of the time. */
export function createFunctionEncoder({ names = true, lines = true }: EncodeOptions): FunctionEncoder {
  const encoder = createEncoder(names, lines);
  return (code, spaceOf) => {
    clear(encoder);
    encoder.isPlaced = names && lines && code.locations.length > 0;
    writeBody(encoder, code);
    const slots = writeFront(encoder, code, spaceOf);
    const bytes = join(encoder, code.registers.length);
    const places = encoder.isPlaced ? codePlaces(code, encoder.starts, encoder.head.length) : undefined;
    return { bytes, slots, references: encoder.references.all(code), hasProperties: encoder.hasProperties, places };
  };
}

/** Working memory, and the current function's tables. */
interface Encoder extends OperandContext {
  readonly names: boolean;
  readonly lines: boolean;
  /** The bytes before the body, which is written first. */
  readonly head: ByteWriter;
  readonly body: ByteWriter;
  /** Slot of each symbol; `symbols`: symbol of each slot. */
  readonly slots: Map<number, number>;
  symbols: number[];
  readonly references: ReferenceCollector;
  readonly opcodes: OpcodeNumbers;
  /**
   * Whether to collect the function's places. `starts`: if so, the start of each instruction in `body`, and the end of the last
   * one.
   */
  isPlaced: boolean;
  readonly starts: number[];
  /** Line and location of the last instruction. */
  line: number;
  location: number;
  /** Memory for the encoded bytes of several functions, and the number of used bytes. */
  piece: Uint8Array;
  used: number;
}

function createEncoder(names: boolean, lines: boolean): Encoder {
  const slots = new Map<number, number>();
  const references = collectReferences();
  const encoder: Encoder = {
    names,
    lines,
    head: new ByteWriter(1024),
    body: new ByteWriter(4096),
    pool: createStringPool(),
    slots,
    symbols: [],
    slot(symbol) {
      let slot = slots.get(symbol);
      if (slot === undefined) slots.set(symbol, (slot = encoder.symbols.push(symbol) - 1));
      references.note(slot, symbol);
      return slot;
    },
    hasProperties: false,
    references,
    opcodes: { known: new Map(), turn: 0, ofInstructions: [] },
    isPlaced: false,
    starts: [],
    line: 0,
    location: -1,
    piece: new Uint8Array(0),
    used: 0,
  };
  return encoder;
}

function clear(encoder: Encoder): void {
  // Replace the array: emptying one is a call into the engine.
  if (encoder.symbols.length > 0) {
    encoder.slots.clear();
    encoder.symbols = [];
  }
  encoder.references.clear();
  encoder.hasProperties = false;
  encoder.pool.clear();
  encoder.body.clear();
  encoder.head.clear();
}

const hasModuleRegisters = ({ moduleRegisters }: Code): boolean =>
  moduleRegisters !== undefined && moduleRegisters.length > 0;

function writeBody(encoder: Encoder, code: Code): void {
  const { body, pool, names, lines } = encoder;
  writeRegisters(body, pool, code.registers, names);
  writeVariables(body, pool, code.variables, names);
  if (hasModuleRegisters(code)) writeModuleRegisters(body, encoder, code.moduleRegisters!);
  writeTables(body, encoder, code, names);
  writeLocations(body, pool, lines ? code.locations : []);
  writePragmas(body, pool, code.pragmas);
  writeInstructions(body, encoder, code.instructions);
  if (names) writeLabels(body, pool, code.labels);
}

/** Writes header, slots and texts. */
function writeFront(
  { head, pool, symbols, names, lines }: Encoder,
  code: Code,
  spaceOf: (symbol: number) => SlotSpace,
): readonly NewSlot[] {
  head.u32(FUNCTION_MAGIC);
  head.u8(lines ? FUNCTION_VERSION : LINELESS_VERSION);
  head.u8((names ? HAS_NAMES : 0) | (hasModuleRegisters(code) ? HAS_MODULE_REGISTERS : 0) | (lines ? 0 : HAS_NO_LINES));
  head.u16(0);
  head.u32(symbols.length);
  head.u32(0);
  head.zeros(SLOT_SIZE * symbols.length);
  const slots = slotsOf(symbols, spaceOf);
  for (let i = 0; i < slots.length; i++) head.u8(slotSpaces.indexOf(slots[i]!.space));
  pool.write(head);
  return slots;
}

function slotsOf(symbols: readonly number[], spaceOf: (symbol: number) => SlotSpace): readonly NewSlot[] {
  const slots: NewSlot[] = [];
  for (let i = 0; i < symbols.length; i++)
    slots.push({ symbol: symbols[i]!, space: spaceOf(symbols[i]!), offset: FUNCTION_HEADER_SIZE + SLOT_SIZE * i });
  return slots;
}

/** Joins the parts. If a function has very many registers, zeros follow until its length allows them. */
function join(encoder: Encoder, registers: number): Uint8Array {
  const { head, body } = encoder;
  const length = head.length + body.length;
  const bytes = allocateBytes(encoder, length + Math.max(0, registers - registerLimit(length)));
  head.copyTo(bytes, 0);
  body.copyTo(bytes, head.length);
  return bytes;
}

/** Limit in bytes of a piece of memory for several functions: allocating memory for each takes longer than filling it. */
const LARGEST_PIECE = 1 << 15;

/** Allocates zeroed memory. */
function allocateBytes(encoder: Encoder, length: number): Uint8Array {
  if (encoder.used + length > encoder.piece.length) {
    encoder.piece = new Uint8Array(Math.max(length, Math.min(2 * encoder.piece.length, LARGEST_PIECE)));
    encoder.used = 0;
  }
  const start = encoder.used;
  encoder.used += length;
  return encoder.piece.subarray(start, encoder.used);
}

// ------------------------------------------------------------------------------------------------------------ the frame

const VARIABLE_KINDS = ["return", "parameter", "param", "local"] as const;

function writeVariables(
  writer: ByteWriter,
  pool: StringPool,
  variables: readonly FrameVariable[],
  names: boolean,
): void {
  writeVarU(writer, variables.length);
  for (const variable of variables) {
    const inRegister = variable.register !== undefined;
    writer.u8(VARIABLE_KINDS.indexOf(variable.kind) | (inRegister ? 4 : 0));
    if (names) writeVarU(writer, pool.index(variable.name));
    writeLayout(writer, pool, variable.layout);
    if (inRegister) writeVarU(writer, variable.register);
  }
}

function writeModuleRegisters(writer: ByteWriter, context: OperandContext, registers: readonly ModuleRegister[]): void {
  writeVarU(writer, registers.length);
  for (const { register, symbol } of registers) {
    writeVarU(writer, register);
    writeVarU(writer, context.slot(symbol));
  }
}

// ------------------------------------------------------------------------------------------------------ tables and lines

function writeTables(writer: ByteWriter, context: OperandContext, code: Code, names: boolean): void {
  const name = (text: string) => {
    if (names) writeVarU(writer, context.pool.index(text));
  };
  writeVarU(writer, code.branchTargets.length);
  for (const table of code.branchTargets) {
    name(table.name);
    writeVarU(writer, table.targets.length);
    for (const target of table.targets) writeVarU(writer, target);
  }
  writeVarU(writer, code.callTargets.length);
  for (const table of code.callTargets) {
    name(table.name);
    writeVarU(writer, table.symbols.length);
    for (const symbol of table.symbols) writeVarU(writer, context.slot(symbol));
  }
  writeVarU(writer, code.prototypes.length);
  for (const table of code.prototypes) {
    name(table.name);
    writePrototype(writer, context.pool, table.prototype);
  }
}

function writeLocations(writer: ByteWriter, pool: StringPool, locations: readonly SourceLocation[]): void {
  writeVarU(writer, locations.length);
  let line = 0;
  for (const location of locations) {
    const { functionName, inlinedAt } = location;
    writer.u8((functionName === undefined ? 0 : 1) | (inlinedAt === undefined ? 0 : 2));
    writeVarU(writer, location.file);
    writeRelative(writer, line, location.line);
    writeVarU(writer, location.column);
    line = location.line;
    if (functionName !== undefined) {
      writeVarU(writer, pool.index(functionName.label));
      writeVarU(writer, functionName.offset);
    }
    if (inlinedAt === undefined) continue;
    for (const number of [inlinedAt.file, inlinedAt.line, inlinedAt.column]) writeVarU(writer, number);
  }
}

function writePragmas(writer: ByteWriter, pool: StringPool, pragmas: Code["pragmas"]): void {
  writeVarU(writer, pragmas.length);
  for (const pragma of pragmas) {
    writeVarU(writer, pragma.before);
    writeVarU(writer, pool.index(pragma.text));
  }
}

function writeLabels(writer: ByteWriter, pool: StringPool, labels: Code["labels"]): void {
  writeVarU(writer, labels.length);
  for (const label of labels) {
    writeVarU(writer, pool.index(label.name));
    writeVarU(writer, label.target);
  }
}

// --------------------------------------------------------------------------------------------------------- instructions

/** Flags in the first number of an instruction. */
const GUARDED = 1;
const MOVED = 2;

/** An opcode's number in the current function, if `turn` is current. */
interface OpcodeNumber {
  turn: number;
  number: number;
  /** The index of the operand that is the callee; -1 if there is none. */
  readonly callee: number;
  readonly hasProperties: boolean;
}

/** The opcode numbers of the current function. */
interface OpcodeNumbers {
  /** All opcodes so far, which are few. */
  readonly known: Map<Opcode, OpcodeNumber>;
  turn: number;
  readonly ofInstructions: OpcodeNumber[];
}

/** Numbers the opcodes of a function's instructions in order of first use. */
function numberOpcodes(numbers: OpcodeNumbers, instructions: readonly Instruction[]): readonly Opcode[] {
  const { known, ofInstructions } = numbers;
  const turn = ++numbers.turn;
  const used: Opcode[] = [];
  for (let i = 0; i < instructions.length; i++) {
    const { opcode } = instructions[i]!;
    let numbered = known.get(opcode);
    if (numbered === undefined) {
      numbered = newNumber(opcode);
      known.set(opcode, numbered);
    }
    if (numbered.turn !== turn) {
      numbered.turn = turn;
      numbered.number = used.push(opcode) - 1;
    }
    ofInstructions[i] = numbered;
  }
  return used;
}

function newNumber({ form }: Opcode): OpcodeNumber {
  const callee = form.operands.findIndex(({ kind }) => kind === "callee");
  return { turn: 0, number: 0, callee, hasProperties: formHasProperties(form) };
}

function writeInstructions(writer: ByteWriter, encoder: Encoder, instructions: readonly Instruction[]): void {
  const { references, pool, opcodes } = encoder;
  const used = numberOpcodes(opcodes, instructions);
  writeVarU(writer, used.length);
  for (const { form, spelling } of used) {
    writeVarU(writer, pool.index(form.id));
    writeVarU(writer, pool.index(spelling));
    writeVarU(writer, form.operands.length);
  }
  references.begin();
  writeVarU(writer, instructions.length);
  encoder.line = 0;
  encoder.location = -1;
  const { isPlaced, starts } = encoder;
  for (let i = 0; i < instructions.length; i++) {
    if (isPlaced) starts[i] = writer.length;
    writeInstruction(writer, encoder, instructions[i]!, opcodes.ofInstructions[i]!, i);
  }
  if (isPlaced) starts[instructions.length] = writer.length;
}

/** `at`: the instruction's index. */
function writeInstruction(
  writer: ByteWriter,
  encoder: Encoder,
  { guard, operands, line, location }: Instruction,
  { number, callee, hasProperties }: OpcodeNumber,
  at: number,
): void {
  if (hasProperties) encoder.hasProperties = true;
  const moved = encoder.lines && (line !== encoder.line + 1 || location !== encoder.location);
  writeVarU(writer, number * 4 + (guard === undefined ? 0 : GUARDED) + (moved ? MOVED : 0));
  if (moved) {
    writeRelative(writer, encoder.line, line);
    writeRelative(writer, encoder.location, location);
  }
  encoder.line = line;
  encoder.location = location;
  if (guard !== undefined) writeVarU(writer, guard.register * 2 + (guard.negated ? 1 : 0));
  for (let i = 0; i < operands.length; i++) {
    if (callee >= 0) encoder.references.isCallee = i === callee;
    writeOperand(writer, encoder, operands[i], at);
  }
  if (callee >= 0) encoder.references.isCallee = false;
}
