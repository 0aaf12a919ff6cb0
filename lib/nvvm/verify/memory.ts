// Instructions of memory: types, atomics, and address spaces (NVVM IR 1.0 sections 3.16, 8.6, 10.2, 10.3).

import type {
  AllocaInstruction,
  AtomicInstruction,
  CompareExchangeInstruction,
  ElementPointerInstruction,
  FenceInstruction,
  Instruction,
  LoadInstruction,
  StoreInstruction,
} from "../ir/instruction.js";
import { typeText, type Type } from "../ir/type.js";
import type { Value } from "../ir/value.js";
import type { Reporter } from "./facts.js";
import { checkHandleUse } from "./handle-use.js";
import { wrongOperand } from "./operands.js";
import { opcodeRange, operandRange, wordIn } from "./tokens.js";
import { elementOf, isFirstClass, isInteger, isPointer, lengthOf, spaceName } from "./types.js";

const hasSize = (type: Type, { layout }: Reporter): boolean => layout.allocSize(type) !== undefined;

/** The type of a load, store or alloca. */
function checkSized(instruction: Instruction, type: Type, reporter: Reporter): boolean {
  if (isFirstClass(type) && hasSize(type, reporter)) return true;
  reporter.report("unsized", opcodeRange(reporter.module, instruction), [instruction.opcode, typeText(type)]);
  return false;
}

/** The space of a pointer operand; undefined after a report that it is not a pointer. */
function pointerSpace(instruction: Instruction, index: number, reporter: Reporter): number | undefined {
  const type = instruction.operands[index]?.type;
  if (type?.kind === "pointer") return type.space;
  wrongOperand(instruction, index, "a pointer", reporter);
  return undefined;
}

/** A typed pointer's element type must be the accessed type. */
function checkPointee(instruction: Instruction, index: number, accessed: Type, reporter: Reporter): void {
  const pointer = elementOf(instruction.operands[index]!.type);
  if (pointer.kind === "pointer" && pointer.pointee !== undefined && pointer.pointee !== accessed)
    reporter.report("pointee", operandRange(reporter.module, instruction, index), [
      instruction.opcode,
      typeText(accessed),
      typeText(pointer.pointee),
    ]);
}

/** Longest chain of casts that is followed. */
const MAX_CASTS = 32;

/** The function or variable that a pointer visibly refers to, through element addresses and casts. */
function objectOf(pointer: Value): Value | undefined {
  let value: Value | undefined = pointer;
  for (let i = 0; i < MAX_CASTS && value !== undefined; i++) {
    if (value.kind === "function" || value.kind === "variable") return value;
    if (value.kind === "alias") value = value.aliasee;
    else if (value.kind === "expression" || value.kind === "instruction")
      value = castOpcodes.has(value.opcode) ? value.operands[0] : undefined;
    else return undefined;
  }
  return undefined;
}

const castOpcodes: ReadonlySet<string> = new Set(["bitcast", "addrspacecast", "getelementptr", "inttoptr", "ptrtoint"]);

/** Reports accesses to functions, textures, and variables of a space other than the access's. */
function checkObject(instruction: Instruction, index: number, doing: string, space: number, reporter: Reporter): void {
  const pointer = instruction.operands[index]!;
  if (
    pointer.kind !== "instruction" &&
    pointer.kind !== "expression" &&
    pointer.kind !== "function" &&
    reporter.handles.size === 0
  )
    return;
  if (pointer.type.kind === "pointer" && pointer.type.pointee?.kind === "function")
    return void reporter.report("function-access", operandRange(reporter.module, instruction, index), [doing]);
  const object = objectOf(pointer);
  if (object === undefined) return;
  const at = operandRange(reporter.module, instruction, index);
  if (object.kind === "function") reporter.report("function-access", at, [doing]);
  else if (object.kind === "variable") {
    checkHandleUse(object, at, reporter);
    // A generic address may be in any space.
    const own = object.type.space;
    if (space !== 0 && own !== space && own !== 0 && !(own === 3 && space === 7))
      reporter.report("space-mismatch", at, [object.name, spaceName(own), spaceName(space)]);
  }
}

const load = (instruction: LoadInstruction, reporter: Reporter): void => {
  const space = pointerSpace(instruction, 0, reporter);
  if (space === undefined) return;
  if (instruction.ordering !== undefined && reporter.report("load-atomic", atomicWord(instruction, reporter))) return;
  checkObject(instruction, 0, "loaded", space, reporter);
  checkPointee(instruction, 0, instruction.type, reporter);
  if (checkSized(instruction, instruction.type, reporter) && instruction.ordering !== undefined)
    checkAtomicType(instruction, "an atomic load", instruction.type, 0, reporter);
};

const store = (instruction: StoreInstruction, reporter: Reporter): void => {
  const space = pointerSpace(instruction, 1, reporter);
  if (space === undefined) return;
  if (instruction.ordering !== undefined && reporter.report("store-atomic", atomicWord(instruction, reporter))) return;
  if (space === 4) reporter.report("store-constant", operandRange(reporter.module, instruction, 1));
  checkObject(instruction, 1, "stored to", space, reporter);
  const { type } = instruction.operands[0]!;
  checkPointee(instruction, 1, type, reporter);
  if (checkSized(instruction, type, reporter) && instruction.ordering !== undefined)
    checkAtomicType(instruction, "an atomic store", type, 0, reporter);
};

const atomicWord = (instruction: Instruction, { module }: Reporter) => wordIn(module, instruction, "atomic");

const alloca = (instruction: AllocaInstruction, reporter: Reporter): void => {
  checkSized(instruction, instruction.allocatedType, reporter);
  const [count] = instruction.operands;
  if (count !== undefined && count.type.kind !== "integer") wrongOperand(instruction, 0, "an integer", reporter);
  else if (count?.kind === "instruction" || count?.kind === "argument")
    reporter.report("alloca-count", operandRange(reporter.module, instruction, 0));
  const space = instruction.type.kind === "pointer" ? instruction.type.space : 0;
  const isLocal = space === 5 && !reporter.holds("variable-section");
  if (space !== 0 && !isLocal)
    reporter.report("alloca-space", wordIn(reporter.module, instruction, "addrspace"), [space]);
};

const elementPointer = (instruction: ElementPointerInstruction, reporter: Reporter): void => {
  const [base, ...indices] = instruction.operands;
  if (base === undefined || !isPointer(base.type)) return wrongOperand(instruction, 0, "a pointer", reporter);
  let length = lengthOf(base.type);
  for (let index = 0; index < indices.length; index++) {
    const { type } = indices[index]!;
    const own = lengthOf(type);
    if (!isInteger(type)) return wrongOperand(instruction, index + 1, "integers as indices", reporter);
    if (own !== 0 && length !== 0 && own !== length)
      return wrongOperand(instruction, index + 1, `vectors of one length, ${length}`, reporter);
    length ||= own;
  }
  checkPointee(instruction, 0, instruction.sourceType, reporter);
  checkSized(instruction, instruction.sourceType, reporter);
};

// ------------------------------------------------------------------------------------------------------- atomics

const isFloatOperation: ReadonlySet<string> = new Set(["fadd", "fsub", "fmax", "fmin", "fmaximum", "fminimum"]);
/** Operations of NVVM IR 1.0. */
const firstOperations: ReadonlySet<string> = new Set("xchg add sub and or xor max min umax umin".split(" "));

const isPowerOfTwo = (bits: number): boolean => bits >= 8 && (bits & (bits - 1)) === 0 && bits <= 128;

/** Integers of whole bytes, pointers and floats, if the operation supports them. */
function checkAtomicType(
  instruction: Instruction,
  what: string,
  type: Type,
  operand: number,
  reporter: Reporter,
): void {
  const isRight =
    (type.kind === "integer" && isPowerOfTwo(type.bits)) || type.kind === "pointer" || type.kind === "float";
  if (!isRight)
    wrongAtomic(instruction, what, "integers of 8 to 128 bits, pointers and floats", type, operand, reporter);
}

function wrongAtomic(
  instruction: Instruction,
  what: string,
  takes: string,
  type: Type,
  operand: number,
  reporter: Reporter,
): void {
  reporter.report(
    "atomic-type-later",
    operandRange(reporter.module, instruction, operand),
    [what, takes, typeText(type)],
    {
      remedy: "use an integer of that size",
    },
  );
}

function checkAtomicPointer(instruction: Instruction, reporter: Reporter): boolean {
  const space = pointerSpace(instruction, 0, reporter);
  if (space === undefined) return false;
  if (space === 4 || space === 5) {
    reporter.report("atomic-space", operandRange(reporter.module, instruction, 0), [
      instruction.opcode,
      spaceName(space),
    ]);
    return false;
  }
  checkObject(instruction, 0, "changed", space, reporter);
  return true;
}

/** i32 and i64 in NVVM IR 1.0. */
const isFirstType = (type: Type): boolean => type.kind === "integer" && (type.bits === 32 || type.bits === 64);

const exchange = (instruction: CompareExchangeInstruction, reporter: Reporter): void => {
  if (!checkAtomicPointer(instruction, reporter)) return;
  const [, compared, stored] = instruction.operands;
  const { type } = compared!;
  if (stored!.type !== type)
    return void reporter.report("operand-same", operandRange(reporter.module, instruction, 2), [
      "cmpxchg",
      typeText(type),
      typeText(stored!.type),
    ]);
  if (
    !isFirstType(type) &&
    reporter.report("atomic-type", operandRange(reporter.module, instruction, 1), ["cmpxchg", typeText(type)])
  )
    return;
  checkPointee(instruction, 0, type, reporter);
  if ((type.kind !== "integer" || !isPowerOfTwo(type.bits)) && type.kind !== "pointer")
    wrongAtomic(instruction, "cmpxchg", "integers of 8 to 128 bits and pointers", type, 1, reporter);
};

const modify = (instruction: AtomicInstruction, reporter: Reporter): void => {
  const { operation } = instruction;
  const word = wordIn(reporter.module, instruction, operation);
  if (operation === "nand" && reporter.report("nand", word)) return;
  if (!firstOperations.has(operation) && reporter.report("atomic-operation", word, [operation])) return;
  if (!checkAtomicPointer(instruction, reporter)) return;
  const { type } = instruction.operands[1]!;
  if (
    !isFirstType(type) &&
    reporter.report("atomic-type", operandRange(reporter.module, instruction, 1), ["atomicrmw", typeText(type)])
  )
    return;
  checkPointee(instruction, 0, type, reporter);
  if (operation === "xchg") return checkAtomicType(instruction, "atomicrmw xchg", type, 1, reporter);
  if (isFloatOperation.has(operation)) {
    const element = type.kind === "vector" ? type.element : type;
    if (element.kind !== "float")
      wrongAtomic(instruction, `atomicrmw ${operation}`, "floating-point values", type, 1, reporter);
  } else if (type.kind !== "integer" || !isPowerOfTwo(type.bits))
    wrongAtomic(instruction, `atomicrmw ${operation}`, "integers of 8 to 128 bits", type, 1, reporter);
};

const fence = (instruction: FenceInstruction, reporter: Reporter): void =>
  void reporter.report("fence", opcodeRange(reporter.module, instruction));

type Check = (instruction: Instruction, reporter: Reporter) => void;

const checks: ReadonlyMap<string, Check> = new Map<string, unknown>([
  ["load", load],
  ["store", store],
  ["alloca", alloca],
  ["getelementptr", elementPointer],
  ["cmpxchg", exchange],
  ["atomicrmw", modify],
  ["fence", fence],
]) as ReadonlyMap<string, Check>;

export const memoryCheck = (opcode: string): Check | undefined => checks.get(opcode);
