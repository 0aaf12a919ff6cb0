// Operands and results of instructions by their types (LLVM Language Reference, "Instruction Reference"). A table of the
// operands of each opcode; memory is in memory.ts, calls in calls.ts.

import type {
  AggregateInstruction,
  BranchInstruction,
  CastInstruction,
  Instruction,
  ShuffleInstruction,
  SwitchInstruction,
  VectorInstruction,
} from "../ir/instruction.js";
import { typeText, type Type } from "../ir/type.js";
import type { Reporter } from "./facts.js";
import { opcodeRange, operandRange } from "./tokens.js";
import { elementOf, isFirstClass, isFloat, isInteger, isPointer, lengthOf } from "./types.js";

type Check<T extends Instruction = Instruction> = (instruction: T, reporter: Reporter) => void;

/** Reports that operand `index` must be what the words describe. */
export function wrongOperand(instruction: Instruction, index: number, takes: string, reporter: Reporter): void {
  const type = instruction.operands[index]?.type;
  reporter.report("operand", operandRange(reporter.module, instruction, index), [
    instruction.opcode,
    takes,
    type === undefined ? "nothing" : typeText(type),
  ]);
}

const same = (instruction: Instruction, reporter: Reporter): boolean => {
  const [a, b] = instruction.operands;
  if (a!.type === b!.type) return true;
  reporter.report("operand-same", operandRange(reporter.module, instruction, 1), [
    instruction.opcode,
    typeText(a!.type),
    typeText(b!.type),
  ]);
  return false;
};

const wrongResult = (instruction: Instruction, wanted: string, reporter: Reporter): void =>
  void reporter.report("operand-result", opcodeRange(reporter.module, instruction), [
    instruction.opcode,
    wanted,
    typeText(instruction.type),
  ]);

/** Two operands and a result of one type. */
const binary =
  (is: (type: Type) => boolean, takes: string): Check =>
  (instruction, reporter) => {
    const [a] = instruction.operands;
    if (!is(a!.type)) wrongOperand(instruction, 0, takes, reporter);
    else if (same(instruction, reporter) && instruction.type !== a!.type)
      wrongResult(instruction, typeText(a!.type), reporter);
  };

const integers = "integers or vectors of them";
const floats = "floating-point values or vectors of them";
const integer = binary(isInteger, integers);
const float = binary(isFloat, floats);

const compare =
  (is: (type: Type) => boolean, takes: string): Check =>
  (instruction, reporter) => {
    const { operands, type } = instruction;
    if (!is(operands[0]!.type)) wrongOperand(instruction, 0, takes, reporter);
    else if (same(instruction, reporter) && !isBoolean(type, lengthOf(operands[0]!.type)))
      wrongResult(instruction, "i1 or a vector of it", reporter);
  };

const isBoolean = (type: Type, length: number): boolean => {
  const element = elementOf(type);
  return element.kind === "integer" && element.bits === 1 && lengthOf(type) === length;
};

// --------------------------------------------------------------------------------------------------------- casts

const bitsOf = (type: Type): number => {
  const element = elementOf(type);
  if (element.kind === "integer") return element.bits;
  return element.kind === "float" ? floatBits[element.name] : 0;
};

const floatBits = { half: 16, bfloat: 16, float: 32, double: 64, x86_fp80: 80, fp128: 128, ppc_fp128: 128 } as const;

/** Whether a cast of elements is possible; lengths of vectors are compared before. */
const casts: Readonly<Record<CastInstruction["opcode"], (from: Type, to: Type) => boolean>> = {
  trunc: (from, to) => isInteger(from) && isInteger(to) && bitsOf(from) > bitsOf(to),
  zext: (from, to) => isInteger(from) && isInteger(to) && bitsOf(from) < bitsOf(to),
  sext: (from, to) => isInteger(from) && isInteger(to) && bitsOf(from) < bitsOf(to),
  fptrunc: (from, to) => isFloat(from) && isFloat(to) && bitsOf(from) > bitsOf(to),
  fpext: (from, to) => isFloat(from) && isFloat(to) && bitsOf(from) < bitsOf(to),
  fptoui: (from, to) => isFloat(from) && isInteger(to),
  fptosi: (from, to) => isFloat(from) && isInteger(to),
  uitofp: (from, to) => isInteger(from) && isFloat(to),
  sitofp: (from, to) => isInteger(from) && isFloat(to),
  ptrtoint: (from, to) => isPointer(from) && isInteger(to),
  inttoptr: (from, to) => isInteger(from) && isPointer(to),
  addrspacecast: (from, to) => isPointer(from) && isPointer(to),
  bitcast: () => true,
};

/** Types between which bits are cast: of one size; pointers to pointers only. */
function canBitcast(from: Type, to: Type, bits: (type: Type) => number | undefined): boolean {
  if (isPointer(from) || isPointer(to))
    return isPointer(from) && isPointer(to) && (lengthOf(from) || 1) === (lengthOf(to) || 1);
  const isPlain = (type: Type): boolean => isInteger(type) || isFloat(type);
  return isPlain(from) && isPlain(to) && bits(from) === bits(to);
}

const cast: Check<CastInstruction> = (instruction, reporter) => {
  const { opcode, operands, type } = instruction;
  const from = operands[0]!.type;
  const isPossible =
    opcode === "bitcast"
      ? canBitcast(from, type, (one) => (lengthOf(one) || 1) * bitsOf(one))
      : lengthOf(from) === lengthOf(type) && casts[opcode](from, type);
  if (!isPossible)
    reporter.report("operand-cast", operandRange(reporter.module, instruction, 0), [
      opcode,
      typeText(type),
      typeText(from),
    ]);
};

// ------------------------------------------------------------------------------------------ vectors and aggregates

const select: Check = (instruction, reporter) => {
  const [condition, yes, no] = instruction.operands;
  if (yes!.type !== no!.type)
    return void reporter.report("operand-same", operandRange(reporter.module, instruction, 2), [
      "select",
      typeText(yes!.type),
      typeText(no!.type),
    ]);
  if (!isFirstClass(yes!.type)) return wrongOperand(instruction, 1, "values", reporter);
  if (!isBoolean(condition!.type, 0) && !isBoolean(condition!.type, lengthOf(yes!.type)))
    wrongOperand(instruction, 0, "an i1, or a vector of i1 as long as the values", reporter);
};

const vector: Check<VectorInstruction> = (instruction, reporter) => {
  const { opcode, operands } = instruction;
  const [of] = operands;
  if (of!.type.kind !== "vector") return wrongOperand(instruction, 0, "a vector", reporter);
  const at = opcode === "extractelement" ? 1 : 2;
  if (operands[at]!.type.kind !== "integer") return wrongOperand(instruction, at, "an integer as the index", reporter);
  const { element } = of!.type;
  if (opcode === "insertelement" && operands[1]!.type !== element)
    wrongOperand(instruction, 1, typeText(element), reporter);
};

const shuffle: Check<ShuffleInstruction> = (instruction, reporter) => {
  const [of] = instruction.operands;
  if (of!.type.kind !== "vector") return wrongOperand(instruction, 0, "a vector", reporter);
  if (!same(instruction, reporter)) return;
  const most = of!.type.count * 2;
  const wrong = instruction.mask.find((element) => element >= most);
  if (wrong !== undefined)
    reporter.report(
      "index",
      opcodeRange(reporter.module, instruction),
      ["shufflevector", wrong, `both of ${typeText(of!.type)}`],
      {
        remedy: `take one below ${most}`,
      },
    );
};

/** The type at some indices; otherwise the first invalid index. */
function member(aggregate: Type, indices: readonly number[]): Type | number {
  let type = aggregate;
  for (const index of indices) {
    const next: Type | undefined =
      type.kind === "struct"
        ? type.fields?.[index]
        : type.kind === "array" && index < type.count
          ? type.element
          : undefined;
    if (next === undefined) return index;
    type = next;
  }
  return type;
}

const aggregate: Check<AggregateInstruction> = (instruction, reporter) => {
  const { opcode, operands, indices } = instruction;
  const [of] = operands;
  if (of!.type.kind !== "struct" && of!.type.kind !== "array")
    return wrongOperand(instruction, 0, "a structure or an array", reporter);
  const found = member(of!.type, indices);
  if (typeof found === "number" || indices.length === 0)
    return void reporter.report("index", opcodeRange(reporter.module, instruction), [
      opcode,
      typeof found === "number" ? found : "",
      typeText(of!.type),
    ]);
  if (opcode === "insertvalue" && operands[1]!.type !== found) wrongOperand(instruction, 1, typeText(found), reporter);
  if (opcode === "extractvalue" && instruction.type !== found) wrongResult(instruction, typeText(found), reporter);
};

// ------------------------------------------------------------------------------------------------------- control

const branch: Check<BranchInstruction> = (instruction, reporter) => {
  const [condition] = instruction.operands;
  if (condition !== undefined && !isBoolean(condition.type, 0)) wrongOperand(instruction, 0, "an i1", reporter);
};

const choose: Check<SwitchInstruction> = (instruction, reporter) => {
  const [value] = instruction.operands;
  if (value!.type.kind !== "integer") return wrongOperand(instruction, 0, "an integer", reporter);
  const seen = new Set<bigint>();
  for (const { value: one } of instruction.cases) {
    if (one.type !== value!.type)
      return void reporter.report("operand-same", opcodeRange(reporter.module, instruction), [
        "switch",
        typeText(value!.type),
        typeText(one.type),
      ]);
    if (seen.has(one.value))
      return void reporter.report("switch-twice", opcodeRange(reporter.module, instruction), [String(one.value)]);
    seen.add(one.value);
  }
};

const checks: Readonly<Record<string, Check<never>>> = {
  ...Object.fromEntries(
    "add sub mul udiv sdiv urem srem shl lshr ashr and or xor".split(" ").map((opcode) => [opcode, integer]),
  ),
  ...Object.fromEntries("fadd fsub fmul fdiv frem".split(" ").map((opcode) => [opcode, float])),
  ...Object.fromEntries(Object.keys(casts).map((opcode) => [opcode, cast])),
  icmp: compare((type) => isInteger(type) || isPointer(type), "integers, pointers or vectors of them"),
  fcmp: compare(isFloat, floats),
  fneg: (instruction: Instruction, reporter: Reporter) => {
    if (!isFloat(instruction.operands[0]!.type)) wrongOperand(instruction, 0, floats, reporter);
  },
  select,
  extractelement: vector,
  insertelement: vector,
  shufflevector: shuffle,
  extractvalue: aggregate,
  insertvalue: aggregate,
  br: branch,
  switch: choose,
};

const byOpcode: ReadonlyMap<string, Check> = new Map(Object.entries(checks) as unknown as [string, Check][]);

/** The check of an instruction's operands; undefined for opcodes that are checked elsewhere. */
export const operandCheck = (opcode: string): Check | undefined => byOpcode.get(opcode);
