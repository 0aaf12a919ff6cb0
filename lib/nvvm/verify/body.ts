// A function's body: blocks and their terminators, every value defined before its uses, and each instruction by its own rules
// (LLVM Language Reference; NVVM IR 1.0 chapter 8).

import type { Ranged } from "../../ptx/source-text.js";
import type { Body, Function } from "../ir/global.js";
import {
  successors,
  type BasicBlock,
  type CallInstruction,
  type ForeignInstruction,
  type Instruction,
  type PhiInstruction,
  type ReturnInstruction,
} from "../ir/instruction.js";
import { typeText } from "../ir/type.js";
import type { Value } from "../ir/value.js";
import { checkCall } from "./calls.js";
import { checkConstant } from "./constants.js";
import { edgesOf, findDominance, type Dominance, type Edges } from "./dominance.js";
import type { Reporter } from "./facts.js";
import { reportForeign } from "./foreign.js";
import { isReserved } from "./globals.js";
import { checkHandleUse } from "./handle-use.js";
import { checkRoundTrip } from "./intrinsic.js";
import { memoryCheck } from "./memory.js";
import { operandCheck, wrongOperand } from "./operands.js";
import { opcodeRange, operandRange, tokenAt } from "./tokens.js";
import { checkType } from "./types.js";

const terminators: ReadonlySet<string> = new Set(
  "ret br switch unreachable indirectbr invoke callbr resume unwind cleanupret catchret catchswitch".split(" "),
);

interface Flow {
  readonly fn: Function;
  readonly body: Body;
  readonly reporter: Reporter;
  /** Block of each instruction, by its index. */
  readonly blockOf: Int32Array;
  readonly edges: Edges;
  /** Computed on demand. */
  dominance: Dominance | undefined;
}

/** Limit of errors in a body. Each takes memory for its place and text. */
const MAX_ERRORS = 1000;

export function checkBody(fn: Function, body: Body, reporter: Reporter): void {
  const { sink } = reporter;
  const last = sink.errorCount + MAX_ERRORS;
  const blockOf = checkBlocks(body, reporter);
  if (blockOf === undefined) return;
  const following = body.blocks.map(({ instructions }) => successors(instructions[instructions.length - 1]!));
  const flow: Flow = { fn, body, reporter, blockOf, edges: edgesOf(following), dominance: undefined };
  checkNames(body, fn, reporter);
  const [entry] = body.blocks;
  if (flow.edges.fromStart[1]! > 0) reporter.report("entry-target", blockRange(entry!.instructions[0]!, entry!));
  for (const block of body.blocks) {
    let isHead = true;
    for (const instruction of block.instructions) {
      if (sink.errorCount > last) return;
      if (instruction.opcode === "phi") {
        if (!isHead) reporter.report("phi-place", opcodeRange(reporter.module, instruction));
        checkPhi(instruction, block, flow);
      } else {
        isHead = false;
        checkInstruction(instruction, block, flow);
      }
    }
  }
}

const blockRange = (first: Instruction, block: BasicBlock): Ranged =>
  block.start < first.start ? { start: block.start, end: block.start + 1 } : first;

/** Each block has one terminator, at its end. Returns the block of each instruction; undefined after a report. */
function checkBlocks({ blocks }: Body, reporter: Reporter): Int32Array | undefined {
  const numbers = new Int32Array((blocks.at(-1)?.instructions.at(-1)?.index ?? -1) + 1);
  for (const block of blocks) {
    const { instructions } = block;
    const last = instructions.at(-1);
    if (last === undefined || !terminators.has(last.opcode)) {
      reporter.report("terminator", last ?? block, ["a block must end with br, switch, ret or unreachable"], {
        remedy: "add one",
      });
      return undefined;
    }
    for (let i = 0; i < instructions.length; i++) {
      const instruction = instructions[i]!;
      numbers[instruction.index] = block.index;
      if (instruction === last || !terminators.has(instruction.opcode)) continue;
      const words = [`'${instruction.opcode}' ends a block, but instructions follow it`];
      reporter.report("terminator", instruction, words, { remedy: "begin a block after it" });
      return undefined;
    }
  }
  return blocks.length > 0 ? numbers : undefined;
}

/** Names %nvvm.x and %llvm.nvvm.x are reserved for the compiler (chapter 2). */
function checkNames({ blocks }: Body, fn: Function, reporter: Reporter): void {
  if (!reporter.holds("reserved")) return;
  const check = (name: string | undefined, { start }: Ranged): void => {
    if (name !== undefined && isReserved(name)) reporter.report("reserved", tokenAt(reporter.module, start), [name]);
  };
  for (const argument of fn.arguments) check(argument.name, argument);
  for (const block of blocks) {
    check(block.name, block);
    for (const instruction of block.instructions) check(instruction.name, instruction);
  }
}

function checkInstruction(instruction: Instruction, block: BasicBlock, flow: Flow): void {
  const { reporter } = flow;
  const { opcode, operands } = instruction;
  if (reporter.rightTypes.get(instruction.type) !== true && checkType(instruction.type, instruction, reporter)) return;
  for (let i = 0; i < operands.length; i++) checkOperand(instruction, i, operands[i]!, block, flow);
  const check = operandCheck(opcode) ?? memoryCheck(opcode);
  if (check !== undefined) {
    if (opcode === "alloca" && checkType(instruction.allocatedType, instruction, reporter)) return;
    if (opcode === "getelementptr" && checkType(instruction.sourceType, instruction, reporter)) return;
    if (opcode === "addrspacecast") checkRoundTrip(instruction, reporter);
    return check(instruction, reporter);
  }
  if (opcode === "call" || opcode === "invoke" || opcode === "callbr") {
    checkCall(instruction, reporter);
    if (!flow.fn.valueType.variadic) checkStart(instruction, reporter);
    return;
  }
  if (opcode === "ret") return checkReturn(instruction, flow);
  if (opcode === "va_arg") return checkNextArgument(instruction, reporter);
  reportForeign(instruction, reporter);
}

/** va_start is only valid in a function with variable arguments. */
function checkStart(call: CallInstruction, reporter: Reporter): void {
  const { callee } = call;
  if (callee.kind !== "function" || !callee.name.startsWith("llvm.va_start")) return;
  reporter.report("va-start", opcodeRange(reporter.module, call), [callee.name]);
}

function checkNextArgument(instruction: ForeignInstruction, reporter: Reporter): void {
  if (reporter.report("va_arg", opcodeRange(reporter.module, instruction))) return;
  if (instruction.operands[0]?.type.kind !== "pointer") return wrongOperand(instruction, 0, "a pointer", reporter);
  if (reporter.layout.allocSize(instruction.type) === undefined)
    reporter.report("unsized", opcodeRange(reporter.module, instruction), ["va_arg", typeText(instruction.type)]);
}

function checkReturn(instruction: ReturnInstruction, { fn, reporter }: Flow): void {
  const [value] = instruction.operands;
  const { result } = fn.valueType;
  const found = value === undefined ? "void" : typeText(value.type);
  if (value === undefined ? result.kind !== "void" : value.type !== result)
    reporter.report("return-type", operandRange(reporter.module, instruction, 0), [typeText(result), found]);
}

function checkOperand(user: Instruction, index: number, operand: Value, block: BasicBlock, flow: Flow): void {
  const { reporter } = flow;
  switch (operand.kind) {
    case "instruction":
      if (!isBefore(operand, user, block.index, flow)) reportUse(user, index, operand, block, flow);
      return;
    case "argument":
    case "block":
    case "asm":
    case "metadata":
      return;
    case "variable":
      if (reporter.handles.size > 0 && user.opcode !== "call" && user.opcode !== "load" && user.opcode !== "store")
        checkHandleUse(operand, operandRange(reporter.module, user, index), reporter);
      return;
    case "function":
      if (operand.name.startsWith("llvm."))
        reporter.report("intrinsic-address", operandRange(reporter.module, user, index));
      return;
    case "aggregate":
    case "expression":
    case "blockaddress":
      if (reporter.rightConstants.has(operand)) return;
      reporter.rightConstants.add(operand);
      return checkConstant(operand, operandRange(reporter.module, user, index), reporter);
    default:
      if (reporter.rightTypes.get(operand.type) !== true) checkType(operand.type, user, reporter);
  }
}

/** Whether a definition dominates a use: earlier in the same block, or in a dominating block. */
function isBefore(value: Instruction, user: Instruction, block: number, flow: Flow): boolean {
  const from = flow.blockOf[value.index];
  if (from === block) return value.index < user.index || !dominanceOf(flow).isReachable(block);
  return from === undefined || reaches(from, block, flow);
}

function reaches(from: number, to: number, flow: Flow): boolean {
  const dominance = dominanceOf(flow);
  return dominance.dominates(from, to) || !dominance.isReachable(to);
}

const dominanceOf = (flow: Flow): Dominance => (flow.dominance ??= findDominance(flow.edges));

const nameOf = ({ name }: { readonly name: string | undefined }, what: string): string =>
  name === undefined ? what : `%${name}`;

function reportUse(user: Instruction, index: number, value: Instruction, block: BasicBlock, flow: Flow): void {
  const { reporter, blockOf } = flow;
  const rule = blockOf[value.index] === block.index ? "use-before" : "dominance";
  reporter.report(rule, operandRange(reporter.module, user, index), [nameOf(value, "a value")]);
}

// ---------------------------------------------------------------------------------------------------------- phi

function checkPhi(phi: PhiInstruction, block: BasicBlock, flow: Flow): void {
  const { reporter } = flow;
  const { operands, incoming, type } = phi;
  if (reporter.rightTypes.get(type) !== true && checkType(type, phi, reporter)) return;
  const { fromStart, from: predecessors } = flow.edges;
  // The last operand from each block so far.
  const seen = operands.length > MAX_COMPARED ? new Map<number, number>() : undefined;
  for (let i = 0; i < operands.length; i++) {
    const value = operands[i]!;
    const from = incoming[i]!.index;
    if (value.type !== type)
      reporter.report("phi-type", operandRange(reporter.module, phi, i), [typeText(type), typeText(value.type)]);
    if (!isPredecessor(from, block.index, flow.edges))
      reporter.report("phi-predecessor", operandRange(reporter.module, phi, i), [nameOf(incoming[i]!, "a block")]);
    const before = seen === undefined ? lastFrom(incoming, from, i) : (seen.get(from) ?? -1);
    seen?.set(from, i);
    if (before >= 0 && !isEqual(operands[before]!, value))
      reporter.report("phi-twice", operandRange(reporter.module, phi, i), [nameOf(incoming[i]!, "a block")]);
    if (value.kind !== "instruction") checkOperand(phi, i, value, block, flow);
    else if (!isThereAtEnd(value, from, flow))
      reporter.report("dominance", operandRange(reporter.module, phi, i), [nameOf(value, "a value")]);
  }
  for (let i = fromStart[block.index]!; i < fromStart[block.index + 1]!; i++)
    if (!(seen?.has(predecessors[i]!) ?? lastFrom(incoming, predecessors[i]!, operands.length) >= 0))
      reporter.report("phi-missing", opcodeRange(reporter.module, phi), [
        nameOf(flow.body.blocks[predecessors[i]!]!, "in front of it"),
      ]);
}

/** Number of operands of a phi up to which comparing their blocks is faster than a map. */
const MAX_COMPARED = 8;

/** The last operand before `end` that comes from a block; -1 if there is none. */
function lastFrom(incoming: readonly BasicBlock[], block: number, end: number): number {
  let at = end - 1;
  while (at >= 0 && incoming[at]!.index !== block) at--;
  return at;
}

/** Searches the shorter list: a block with thousands of predecessors has thousands of values in each phi. */
function isPredecessor(block: number, to: number, edges: Edges): boolean {
  if (block < 0 || block >= edges.count) return false;
  const { fromStart, toStart } = edges;
  return fromStart[to + 1]! - fromStart[to]! < 8
    ? hasBetween(edges.from, fromStart[to]!, fromStart[to + 1]!, block)
    : hasBetween(edges.to, toStart[block]!, toStart[block + 1]!, to);
}

function hasBetween(list: Int32Array, start: number, end: number, wanted: number): boolean {
  for (let i = start; i < end; i++) if (list[i] === wanted) return true;
  return false;
}

/** Values for one predecessor that occurs twice, as from a switch, must be equal. */
const isEqual = (a: Value, b: Value): boolean =>
  a === b || (a.kind === "integer" && b.kind === "integer" && a.value === b.value) || (a.kind === b.kind && isPlain(a));

const isPlain = ({ kind }: Value): boolean =>
  kind === "null" || kind === "zero" || kind === "undef" || kind === "poison";

/** Whether a value is defined at the end of a block. */
function isThereAtEnd(value: Instruction, block: number, flow: Flow): boolean {
  const from = flow.blockOf[value.index];
  return from === undefined || from === block || reaches(from, block, flow);
}
