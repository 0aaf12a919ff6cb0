// Decodes the bytes of `.text.<function>` to the code of that function; the inverse of encode.ts. The bytes are not trusted:
// every count is checked against the remaining bytes, every index against its range, and memory is linear in the size of the
// section. docs/format.md, "Encoded functions".

import { decoding, malformed } from "../../../formats/bytes/malformed.js";
import { ByteReader } from "../../../formats/bytes/reader.js";
import type { Result } from "../../../formats/bytes/result.js";
import { readVarU } from "../../../formats/bytes/varint.js";
import type { Code, FrameVariable, ModuleRegister, Register, SourceLocation } from "../../isa/code.js";
import type { Instruction } from "../../isa/instruction.js";
import { opcodeOf, type Opcode } from "../../isa/opcode.js";
import type { DataType } from "../../isa/types.table.js";
import { readLayout, readPrototype, readType } from "./layout-codec.js";
import { readOperand, readRelative, type OperandLimits } from "./operand-codec.js";
import {
  FUNCTION_HEADER_SIZE,
  FUNCTION_MAGIC,
  FUNCTION_VERSION,
  HAS_MODULE_REGISTERS,
  HAS_NAMES,
  HAS_NO_LINES,
  LINELESS_VERSION,
  MAX_INSTRUCTIONS,
  registerLimit,
  SLOT_SIZE,
  slotSpaces,
  type StoredSlot,
} from "./slots.js";
import { isWellFormed, type VerifyContext } from "./verify.js";
import { readCount, readIndex, readStringPool, readText } from "./string-pool.js";

export interface DecodedFunction {
  /** `symbol` in its operands and call-target tables is an index into `slots`. */
  readonly code: Code;
  readonly slots: readonly StoredSlot[];
  /** Whether names of registers and labels are stored; otherwise they are generated. */
  readonly names: boolean;
}

/**
 * Reads only the slots, which is cheap, for callers that need only a function's references. `base`: the section's file offset.
 */
export function readSlots(bytes: Uint8Array, base = 0): Result<readonly StoredSlot[]> {
  return decoding(() => readHeader(new ByteReader(bytes, base)).slots);
}

/**
 * Decodes a whole function. `base`: the section's file offset, for errors. `onStart` is called with the start of each
 * instruction, and finally with the end of the last one, both relative to the same origin as `base`.
 */
export function decodeFunction(
  bytes: Uint8Array,
  base = 0,
  onStart?: (position: number) => void,
): Result<DecodedFunction> {
  return decoding(() => {
    const reader = new ByteReader(bytes, base);
    const { slots, lines, names, hasModuleRegisters } = readHeader(reader);
    const pool = readStringPool(reader);
    const registers = readRegisters(reader, pool, names, registerLimit(bytes.length));
    const variables = readVariables(reader, pool, names, registers.length);
    const moduleRegisters = hasModuleRegisters ? readModuleRegisters(reader, registers.length, slots) : undefined;
    const branchTargets = readTables(reader, pool, names, "$branches", () => readVarU(reader, "branch target"));
    const callTargets = readTables(reader, pool, names, "$callees", () =>
      readIndex(reader, slots.length, "symbol slot"),
    );
    const prototypes = Array.from({ length: readCount(reader, "prototypes", 3) }, (_, i) => ({
      name: names ? readText(reader, pool, "name of a prototype") : `$prototype${i}`,
      prototype: readPrototype(reader, pool),
    }));
    const locations = readLocations(reader, pool);
    const pragmas = readPragmas(reader, pool);
    const instructions = readInstructions(
      reader,
      lines ? locations.length : -1,
      { registers, slots },
      {
        pool,
        registers: registers.length,
        variables: variables.length,
        slots: slots.length,
        instructions: 0,
        tables: {
          "branch-targets": branchTargets.length,
          "call-targets": callTargets.length,
          prototypes: prototypes.length,
        },
      },
      onStart,
    );
    const labels = names ? readLabels(reader, pool, instructions.length) : [];
    for (const target of [...branchTargets.flatMap((t) => t.items), ...pragmas.map((p) => p.before)])
      if (target > instructions.length) malformed("out-of-range", base, `a place at instruction ${target}`);
    const code: Code = {
      registers,
      variables,
      ...(moduleRegisters === undefined ? {} : { moduleRegisters }),
      instructions,
      labels,
      branchTargets: branchTargets.map(({ name, items }) => ({ name, targets: items })),
      callTargets: callTargets.map(({ name, items }) => ({ name, symbols: items })),
      prototypes,
      locations,
      pragmas,
    };
    return { code, slots, names };
  });
}

interface Header {
  readonly slots: readonly StoredSlot[];
  readonly lines: boolean;
  readonly names: boolean;
  readonly hasModuleRegisters: boolean;
}

function readHeader(reader: ByteReader): Header {
  if (reader.u32("encoded function") !== FUNCTION_MAGIC)
    malformed("bad-magic", reader.base, "the section holds no encoded PTX");
  const version = reader.u8("version of the encoding");
  if (version !== FUNCTION_VERSION && version !== LINELESS_VERSION)
    malformed(
      "unsupported",
      reader.base + 4,
      `encoding version ${version}: this reader knows up to ${LINELESS_VERSION}`,
    );
  const flags = reader.u8("flags");
  const lines = (flags & HAS_NO_LINES) === 0;
  if (lines !== (version === FUNCTION_VERSION))
    malformed("malformed", reader.base + 5, `flags ${flags} in an encoding of version ${version}`);
  reader.skip(2, "header");
  const count = reader.u32("number of symbol slots");
  reader.skip(4, "header");
  if (count * (SLOT_SIZE + 1) > reader.remaining)
    malformed("truncated", reader.position, `${count} symbol slots, with ${reader.remaining} bytes left`);
  const words = Array.from({ length: count }, () => reader.u64("symbol slot"));
  const slots = words.map((word, i) => {
    const at = reader.position;
    const code = reader.u8("space of a symbol slot");
    const space = slotSpaces[code] ?? malformed("malformed", at, `symbol space ${code} is unknown`);
    return { space, offset: FUNCTION_HEADER_SIZE + SLOT_SIZE * i, word };
  });
  return { slots, lines, names: (flags & HAS_NAMES) !== 0, hasModuleRegisters: (flags & HAS_MODULE_REGISTERS) !== 0 };
}

// ------------------------------------------------------------------------------------------------ registers and the frame

/** Prefixes of generated register names. */
function registerPrefix(type: DataType): string {
  if (type.class === "predicate") return "%p";
  if (type.class === "float") return type.bits === 64 ? "%fd" : type.bits === 32 ? "%f" : "%h";
  return { 8: "%rc", 16: "%rs", 64: "%rd", 128: "%rq" }[type.bits] ?? "%r";
}

function readRegisters(
  reader: ByteReader,
  pool: readonly string[],
  names: boolean,
  limit: number,
): readonly Register[] {
  const registers: Register[] = [];
  for (let runs = readCount(reader, "runs of registers", 2); runs > 0; runs--) {
    const type = readType(reader, pool);
    const at = reader.position;
    const packed = readVarU(reader, "registers of a run");
    const count = Math.floor(packed / 4);
    const vector = ([1, 2, 4, 8] as const)[packed % 4]!;
    if (count > limit - registers.length)
      malformed("limit", at, `${count} more registers; a function of this size may have ${limit}`);
    const stem = names ? readText(reader, pool, "name of a register") : registerPrefix(type);
    const first = names ? readVarU(reader, "number of a register") - 1 : registers.length;
    for (let i = 0; i < count; i++) registers.push({ name: first < 0 ? stem : `${stem}${first + i}`, type, vector });
  }
  return registers;
}

const VARIABLE_KINDS = ["return", "parameter", "param", "local"] as const;

function readVariables(
  reader: ByteReader,
  pool: readonly string[],
  names: boolean,
  registers: number,
): readonly FrameVariable[] {
  return Array.from({ length: readCount(reader, "frame variables", 5) }, (_, i) => {
    const kindAndPlace = reader.u8("kind of a frame variable");
    const kind = VARIABLE_KINDS[kindAndPlace & 3]!;
    const name = names ? readText(reader, pool, "name of a frame variable") : `$${kind}${i}`;
    const layout = readLayout(reader, pool);
    const register = kindAndPlace & 4 ? readIndex(reader, registers, "register") : undefined;
    return { name, kind, layout, ...(register === undefined ? {} : { register }) };
  });
}

function readModuleRegisters(
  reader: ByteReader,
  registers: number,
  slots: readonly StoredSlot[],
): readonly ModuleRegister[] {
  return Array.from({ length: readCount(reader, "registers of the module", 2) }, () => {
    const register = readIndex(reader, registers, "register");
    const at = reader.position;
    const symbol = readIndex(reader, slots.length, "symbol slot");
    if (slots[symbol]!.space !== "local") malformed("malformed", at, `slot ${symbol} is not a register of the module`);
    return { register, symbol };
  });
}

// ------------------------------------------------------------------------------------------------------ tables and lines

function readTables(reader: ByteReader, pool: readonly string[], names: boolean, stem: string, item: () => number) {
  return Array.from({ length: readCount(reader, "tables") }, (_, i) => {
    const name = names ? readText(reader, pool, "name of a table") : `${stem}${i}`;
    return { name, items: Array.from({ length: readCount(reader, "targets") }, item) };
  });
}

function readLocations(reader: ByteReader, pool: readonly string[]): readonly SourceLocation[] {
  let line = 0;
  return Array.from({ length: readCount(reader, "locations", 4) }, () => {
    const parts = reader.u8("kind of a location");
    const file = readVarU(reader, "file of a location");
    line = readRelative(reader, line, 2 ** 32, "line of a location");
    const column = readVarU(reader, "column of a location");
    const functionName =
      parts & 1 ? { label: readText(reader, pool, "label"), offset: readVarU(reader, "offset of a label") } : undefined;
    const [inFile, inLine, inColumn] = [0, 1, 2].map(() => (parts & 2 ? readVarU(reader, "inlined at") : 0));
    return {
      file,
      line,
      column,
      ...(functionName === undefined ? {} : { functionName }),
      ...(parts & 2 ? { inlinedAt: { file: inFile!, line: inLine!, column: inColumn! } } : {}),
    };
  });
}

function readPragmas(reader: ByteReader, pool: readonly string[]): Code["pragmas"] {
  return Array.from({ length: readCount(reader, "pragmas", 2) }, () => ({
    before: readVarU(reader, "place of a pragma"),
    text: readText(reader, pool, "pragma"),
  }));
}

function readLabels(reader: ByteReader, pool: readonly string[], instructions: number): Code["labels"] {
  return Array.from({ length: readCount(reader, "labels", 2) }, () => ({
    name: readText(reader, pool, "label"),
    target: readIndex(reader, instructions + 1, "target of a label"),
  }));
}

// --------------------------------------------------------------------------------------------------------- instructions

function readOpcodes(reader: ByteReader, pool: readonly string[]): readonly Opcode[] {
  return Array.from({ length: readCount(reader, "opcodes", 3) }, () => {
    const at = reader.position;
    const [form, spelling] = [readText(reader, pool, "instruction form"), readText(reader, pool, "opcode")];
    const opcode = opcodeOf(form, spelling);
    const operands = readVarU(reader, "number of operands");
    if (opcode === undefined || opcode.form.operands.length !== operands)
      malformed(
        "unsupported",
        at,
        `this version has no instruction ${JSON.stringify(spelling.slice(0, 80))} of that form`,
      );
    return opcode;
  });
}

function readInstructions(
  reader: ByteReader,
  /** Number of locations; -1 in code without lines. */
  locations: number,
  context: VerifyContext,
  rest: OperandLimits,
  onStart?: (position: number) => void,
): readonly Instruction[] {
  const opcodes = readOpcodes(reader, rest.pool);
  const count = readCount(reader, "instructions");
  if (count > MAX_INSTRUCTIONS)
    malformed("limit", reader.position, `${count} instructions; at most ${MAX_INSTRUCTIONS}`);
  const limits = { ...rest, instructions: count };
  const instructions: Instruction[] = [];
  let line = 0;
  let location = -1;
  for (let i = 0; i < count; i++) {
    const at = reader.position;
    onStart?.(at);
    const head = readVarU(reader, "instruction");
    const opcode = opcodes[Math.floor(head / 4)] ?? malformed("out-of-range", at, `opcode ${Math.floor(head / 4)}`);
    if (locations < 0) {
      if (head & 2) malformed("malformed", at, "a place of an instruction in code without lines");
    } else if (head & 2) {
      line = readRelative(reader, line, 2 ** 32, "line of an instruction");
      location = readRelative(reader, location + 1, locations, "location of an instruction") - 1;
    } else line++;
    const guarded = head & 1 ? readIndex(reader, 2 * limits.registers, "guard") : undefined;
    const guard = guarded === undefined ? undefined : { register: guarded >> 1, negated: guarded % 2 === 1 };
    const operands = opcode.form.operands.map(() => readOperand(reader, limits, i));
    const instruction = { opcode, guard, operands, line, location };
    if (!isWellFormed(instruction, context))
      malformed("malformed", at, `the operands of ${opcode.spelling} do not fit it`);
    instructions.push(instruction);
  }
  onStart?.(reader.position);
  return instructions;
}
