// Constant folding over one body, and of branches: after `__nvvm_reflect`, code for other options and targets is then neither
// compiled nor needs anything. Floats are not folded: their rounding depends on the target.

import { compareBits, computeBits } from "../globals/integer.js";
import type { Body } from "../ir/global.js";
import type { BranchInstruction, Instruction, PhiInstruction } from "../ir/instruction.js";
import type { IntegerType } from "../ir/type.js";
import type { IntegerConstant, Value } from "../ir/value.js";
import { blockOrderOf, type BlockOrder } from "./flow.js";

/** A pass folds branches that depend on those of the previous one; nested reflections need three or four. */
const MAX_PASSES = 16;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Folds integers, and removes decided branches; unreachable blocks stay in the list. `evaluate` gives the value of instructions
 * that only the caller can fold. The body is changed, so it must belong to the caller.
 */
export function foldBody(body: Body, evaluate: (instruction: Instruction) => Value | undefined): void {
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const flow = blockOrderOf(body);
    if (pass > 0) dropIncoming(body, flow);
    const known = findKnown(body, flow, evaluate);
    if (known.size > 0) replaceKnown(body, flow, known);
    if (!decideBranches(body, flow)) return;
  }
}

/** Removes from phis the predecessors that no longer exist. */
function dropIncoming(body: Body, flow: BlockOrder): void {
  for (const index of flow.order) {
    const { instructions } = body.blocks[index]!;
    if (instructions[0]?.opcode !== "phi") continue;
    const before = new Set(flow.predecessors[index]);
    for (const instruction of instructions) {
      if (instruction.opcode !== "phi") break;
      const keep = instruction.incoming.map((block) => before.has(block.index));
      if (keep.every(Boolean)) continue;
      const open = instruction as Mutable<PhiInstruction>;
      open.operands = instruction.operands.filter((_, i) => keep[i]);
      open.incoming = instruction.incoming.filter((_, i) => keep[i]);
    }
  }
}

function findKnown(
  body: Body,
  flow: BlockOrder,
  evaluate: (instruction: Instruction) => Value | undefined,
): ReadonlyMap<Value, Value> {
  const known = new Map<Value, Value>();
  const now = (value: Value): Value => (known.size === 0 ? value : (known.get(value) ?? value));
  for (const index of flow.order)
    for (const instruction of body.blocks[index]!.instructions) {
      const value = evaluate(instruction) ?? valueOf(instruction, now);
      if (value !== undefined && value !== instruction) known.set(instruction, value);
    }
  return known;
}

function replaceKnown(body: Body, flow: BlockOrder, known: ReadonlyMap<Value, Value>): void {
  for (const index of flow.order) {
    const block = body.blocks[index]! as { instructions: readonly Instruction[] };
    if (block.instructions.some((instruction) => known.has(instruction)))
      block.instructions = block.instructions.filter((instruction) => !known.has(instruction));
    for (const instruction of block.instructions) {
      const { operands } = instruction;
      if (operands.some((operand) => known.has(operand)))
        (instruction as Mutable<Instruction>).operands = operands.map((operand) => known.get(operand) ?? operand);
      if (instruction.opcode === "call" && known.has(instruction.callee))
        (instruction as { callee: Value }).callee = known.get(instruction.callee)!;
    }
  }
}

/** Whether a branch was decided. */
function decideBranches(body: Body, flow: BlockOrder): boolean {
  let decided = false;
  for (const index of flow.order) {
    const block = body.blocks[index]! as { instructions: readonly Instruction[] };
    const last = block.instructions.at(-1);
    const target = last === undefined ? undefined : knownTarget(last);
    if (target === undefined) continue;
    decided = true;
    const branch: BranchInstruction = {
      ...(last as BranchInstruction),
      opcode: "br",
      operands: [],
      operandStarts: [],
      targets: [target],
    };
    block.instructions = [...block.instructions.slice(0, -1), branch];
  }
  return decided;
}

function knownTarget(last: Instruction): BranchInstruction["targets"][number] | undefined {
  const [condition] = last.operands;
  if (condition?.kind !== "integer") return undefined;
  if (last.opcode === "br") return condition.value === 0n ? last.targets[1] : last.targets[0];
  if (last.opcode !== "switch") return undefined;
  return last.cases.find(({ value }) => value.value === condition.value)?.target ?? last.defaultTarget;
}

const integer = (type: IntegerType, value: bigint | undefined): IntegerConstant | undefined =>
  value === undefined ? undefined : { kind: "integer", type, value: BigInt.asUintN(type.bits, value) };

/** The value of an instruction whose operands are known; undefined for others. */
function valueOf(instruction: Instruction, now: (value: Value) => Value): Value | undefined {
  const { type } = instruction;
  switch (instruction.opcode) {
    case "phi":
      return phiValue(instruction, now);
    case "select": {
      const condition = now(instruction.operands[0]!);
      if (condition.kind !== "integer") return undefined;
      return now(instruction.operands[condition.value === 0n ? 2 : 1]!);
    }
    case "icmp": {
      const [left, right] = instruction.operands.map(now);
      if (left?.kind !== "integer" || right?.kind !== "integer" || type.kind !== "integer") return undefined;
      return integer(type, compareBits(instruction.predicate, left.value, right.value, left.type.bits));
    }
    case "trunc":
    case "zext":
    case "sext":
    case "freeze": {
      const operand = now(instruction.operands[0]!);
      if (operand.kind !== "integer" || type.kind !== "integer") return undefined;
      const { value } = operand;
      return integer(type, instruction.opcode === "sext" ? BigInt.asIntN(operand.type.bits, value) : value);
    }
    default:
      return type.kind === "integer" && instruction.operands.length === 2
        ? binaryValue(instruction.opcode, type, now(instruction.operands[0]!), now(instruction.operands[1]!))
        : undefined;
  }
}

/** The common value if all incoming values are equal. */
function phiValue({ operands }: PhiInstruction, now: (value: Value) => Value): Value | undefined {
  const [first, ...others] = operands.map(now);
  if (first === undefined) return undefined;
  const same = (other: Value): boolean =>
    other === first ||
    (first.kind === "integer" && other.kind === "integer" && other.type === first.type && other.value === first.value);
  // Another instruction's value dominates this one where it is the only way in; a constant always does.
  if (others.length > 0 && first.kind !== "integer") return undefined;
  return others.every(same) ? first : undefined;
}

function binaryValue(opcode: string, type: IntegerType, left: Value, right: Value): Value | undefined {
  if (left.kind === "integer" && right.kind === "integer")
    return left.type === type ? integer(type, computeBits(opcode, left.value, right.value, type.bits)) : undefined;
  const constant = left.kind === "integer" ? left : right;
  if (constant.kind !== "integer" || (opcode !== "and" && opcode !== "or")) return undefined;
  const all = (1n << BigInt(type.bits)) - 1n;
  const other = constant === left ? right : left;
  if (constant.value === (opcode === "and" ? all : 0n)) return other;
  return constant.value === (opcode === "and" ? 0n : all) ? constant : undefined;
}
