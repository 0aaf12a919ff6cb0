// The code of one function -> the bytes of its `.text.<function>` section. docs/format.md, "Encoded functions", in order:
// header, symbol slots, texts, registers, frame variables, tables, locations, pragmas, opcodes, instructions, labels.
// Deterministic: texts, slots and opcodes are numbered in order of first use.
// Rejected: storing rows of the isa table by number (they move as rows are added; a form's id and a spelling do not), and
// a fixed-size record per instruction (three to four times the bytes).

import { writeVarU } from "../../formats/bytes/varint.js";
import { ByteWriter } from "../../formats/bytes/writer.js";
import type { Code, FrameVariable, ModuleRegister, Register, SourceLocation } from "../isa/code.js";
import type { Instruction } from "../isa/instruction.js";
import type { Opcode } from "../isa/opcode.js";
import { isTellingForm } from "./code-facts.js";
import { writeLayout, writePrototype } from "./layout-codec.js";
import { writeOperand, writeRelative, type OperandContext } from "./operand-codec.js";
import { collectReferences, type CodeReferences, type ReferenceCollector } from "./references.js";
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
  /** Keep names of registers, frame variables, labels and tables; without them a decoder makes up its own. */
  readonly names?: boolean;
  /** Keep lines and locations of instructions; without them they are line 0 and location -1. */
  readonly lines?: boolean;
}

export interface EncodedFunction {
  readonly bytes: Uint8Array;
  /** One per symbol that the code refers to, in order of first use. Relocations target `offset`. */
  readonly slots: readonly NewSlot[];
}

/** What the encoder has seen of the code on its way. */
export interface WalkedFunction extends EncodedFunction {
  /** As `referencesOf` finds them. */
  readonly references: CodeReferences;
  /** Whether code-facts.ts may find anything in it but functions whose address it takes. */
  readonly isTelling: boolean;
}

/** `spaceOf` says what a symbol of the code is. */
export type FunctionEncoder = (code: Code, spaceOf: (symbol: number) => SlotSpace) => WalkedFunction;

/** Encodes one function. */
export function encodeFunction(
  code: Code,
  spaceOf: (symbol: number) => SlotSpace,
  options: EncodeOptions = {},
): EncodedFunction {
  return createFunctionEncoder(options)(code, spaceOf);
}

/** Encodes function after function in the same working memory: to get and to return some for each took a tenth of the time. */
export function createFunctionEncoder({ names = true, lines = true }: EncodeOptions): FunctionEncoder {
  const head = new ByteWriter(1024);
  const body = new ByteWriter(4096);
  const pool = createStringPool();
  const opcodes: OpcodeNumbers = { known: new Map(), turn: 0, ofInstructions: [] };
  return (code, spaceOf) => {
    const slots = new Map<number, number>();
    const references = collectReferences();
    const context: FunctionContext = {
      pool,
      slot(symbol) {
        let slot = slots.get(symbol);
        if (slot === undefined) slots.set(symbol, (slot = slots.size));
        references.note(slot, symbol);
        return slot;
      },
      isTelling: false,
      references,
      opcodes,
    };
    const moduleRegisters = code.moduleRegisters ?? [];

    pool.clear();
    body.clear();
    writeRegisters(body, pool, code.registers, names);
    writeVariables(body, pool, code.variables, names);
    if (moduleRegisters.length > 0) writeModuleRegisters(body, context, moduleRegisters);
    writeTables(body, context, code, names);
    writeLocations(body, pool, lines ? code.locations : []);
    writePragmas(body, pool, code.pragmas);
    writeInstructions(body, context, code.instructions, lines);
    if (names) writeLabels(body, pool, code.labels);

    head.clear();
    head.u32(FUNCTION_MAGIC);
    head.u8(lines ? FUNCTION_VERSION : LINELESS_VERSION);
    const flags = (names ? HAS_NAMES : 0) | (moduleRegisters.length > 0 ? HAS_MODULE_REGISTERS : 0);
    head.u8(flags | (lines ? 0 : HAS_NO_LINES));
    head.u16(0);
    head.u32(slots.size);
    head.u32(0);
    head.zeros(SLOT_SIZE * slots.size);
    const made: NewSlot[] = [];
    for (const symbol of slots.keys()) {
      const space = spaceOf(symbol);
      head.u8(slotSpaces.indexOf(space));
      made.push({ symbol, space, offset: FUNCTION_HEADER_SIZE + SLOT_SIZE * made.length });
    }
    pool.write(head);

    const length = head.length + body.length;
    const bytes = new Uint8Array(length + Math.max(0, code.registers.length - registerLimit(length)));
    head.copyTo(bytes, 0);
    body.copyTo(bytes, head.length);
    return { bytes, slots: made, references: references.all(code), isTelling: context.isTelling };
  };
}

interface FunctionContext extends OperandContext {
  readonly references: ReferenceCollector;
  readonly opcodes: OpcodeNumbers;
}

// ------------------------------------------------------------------------------------------------ registers and the frame

/** Digits of the number at a name's end, at most. */
const MOST_DIGITS = 9;
const ZERO = 48;

/** Where in a name the number begins that it ends in: `%r12`, and not the zeros in front of it; its length when there is none. */
function numberStart(name: string): number {
  let start = name.length;
  const least = Math.max(0, name.length - MOST_DIGITS);
  for (let at = name.length - 1; at >= least; at--) {
    const digit = name.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) break;
    if (digit > 0 || start === name.length) start = at;
  }
  return start;
}

/** Registers of one type whose names count up, as `.reg .b32 %r<5>` declares them. */
interface Run {
  readonly register: Register;
  readonly stem: string;
  /** The first name's number; -1 where it has none. */
  readonly first: number;
  count: number;
}

function writeRegisters(writer: ByteWriter, pool: StringPool, registers: readonly Register[], names: boolean): void {
  const runs: Run[] = [];
  let last: Run | undefined;
  for (const register of registers) {
    const { name, type, vector } = register;
    const digits = names ? numberStart(name) : 0;
    const number = digits < name.length ? Number(name.slice(digits)) : -1;
    if (
      last !== undefined &&
      last.register.type === type &&
      last.register.vector === vector &&
      (!names ||
        (last.first >= 0 &&
          number === last.first + last.count &&
          digits === last.stem.length &&
          name.startsWith(last.stem)))
    )
      last.count++;
    else runs.push((last = { register, stem: name.slice(0, digits), first: number, count: 1 }));
  }
  writeVarU(writer, runs.length);
  for (const { register, stem, first, count } of runs) {
    writeVarU(writer, pool.index(register.type.name));
    writeVarU(writer, count * 4 + 31 - Math.clz32(register.vector));
    if (!names) continue;
    writeVarU(writer, pool.index(stem));
    writeVarU(writer, first + 1);
  }
}

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

/** Bits of an instruction's head. */
const GUARDED = 1;
const MOVED = 2;

/** What an opcode is called in the function at hand. */
interface OpcodeNumber {
  turn: number;
  number: number;
  /** The operand that says whom the instruction calls; -1 where none does. */
  readonly callee: number;
  readonly isTelling: boolean;
}

/** Of the function at hand. */
interface OpcodeNumbers {
  /** All that were ever met: they are few. */
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
      const callee = opcode.form.operands.findIndex(({ kind }) => kind === "callee");
      numbered = { turn: 0, number: 0, callee, isTelling: isTellingForm(opcode.form) };
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

function writeInstructions(
  writer: ByteWriter,
  context: FunctionContext,
  instructions: readonly Instruction[],
  lines: boolean,
): void {
  const { references, pool, opcodes } = context;
  const used = numberOpcodes(opcodes, instructions);
  writeVarU(writer, used.length);
  for (const { form, spelling } of used) {
    writeVarU(writer, pool.index(form.id));
    writeVarU(writer, pool.index(spelling));
    writeVarU(writer, form.operands.length);
  }
  references.begin();
  writeVarU(writer, instructions.length);
  let line = 0;
  let location = -1;
  for (let i = 0; i < instructions.length; i++) {
    const instruction = instructions[i]!;
    const { guard, operands } = instruction;
    const { number, callee, isTelling } = opcodes.ofInstructions[i]!;
    if (isTelling) context.isTelling = true;
    const moved = lines && (instruction.line !== line + 1 || instruction.location !== location);
    writeVarU(writer, number * 4 + (guard === undefined ? 0 : GUARDED) + (moved ? MOVED : 0));
    if (moved) {
      writeRelative(writer, line, instruction.line);
      writeRelative(writer, location, instruction.location);
    }
    line = instruction.line;
    location = instruction.location;
    if (guard !== undefined) writeVarU(writer, guard.register * 2 + (guard.negated ? 1 : 0));
    for (let j = 0; j < operands.length; j++) {
      references.isCallee = j === callee;
      writeOperand(writer, context, operands[j], i);
    }
  }
}
