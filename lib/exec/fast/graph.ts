// Basic blocks of a function: instructions that always run in sequence. A block may end with a branch, a call or a return. Every
// other instruction that diverges lanes, or waits for lanes, is a block of its own that the interpreter executes. Exchanges are
// compiled: they do not wait if all their named lanes are present.

import { hasTrait } from "../../isa/opcode.js";
import type { Instruction, Operand } from "../../isa/instruction.js";
import type { Step } from "../state/step.js";
import { everyLane } from "../machine/step.js";

export interface BasicBlock {
  readonly start: number;
  /** Index after its last instruction. */
  readonly end: number;
  /** The target of the branch at its end; undefined if it has none. */
  readonly target: number | undefined;
  /** The last instruction is a branch, call, ret or exit; the instructions before it are the block's body. */
  readonly isTerminated: boolean;
  /** The block is only a call, ret or exit of all lanes. */
  readonly isEmpty: boolean;
  /** Whether it can be compiled. */
  readonly isCompilable: boolean;
  /** The block is one exchange between lanes, whose code does nothing while named lanes are missing (exchange.ts). */
  readonly isExchange: boolean;
}

export interface Graph {
  readonly blocks: readonly BasicBlock[];
  /** Number of the block that begins at a pc, or -1. The end of the code counts as one more block. */
  readonly blockAt: Int32Array;
}

/** Most instructions of a block: the host's compiler takes more than linear time for longer functions. */
const LONGEST_BLOCK = 256;

/** The target of an ordinary branch. */
function branchTarget({ opcode, operands }: Instruction): number | undefined {
  const [label] = operands;
  return hasTrait(opcode, "branch") && label?.kind === "label" ? label.target : undefined;
}

/** Instructions that move lanes to other frames, or end them. */
const leaving = ["call", "return", "exit"] as const;
const isTerminator = (instruction: Instruction): boolean =>
  leaving.some((trait) => hasTrait(instruction.opcode, trait)) || branchTarget(instruction) !== undefined;

/** Instructions that end a block. alloca is one, as it may move local memory, whose address generated code has already loaded. */
const endsBlock = ({ opcode }: Instruction, step: Step): boolean =>
  step.control !== undefined || step.members !== undefined || opcode.form.id === "alloca";

/** Exchanges: instructions that do not wait once all lanes that they name execute them. */
function mayMeet({ opcode: { form }, guard }: Instruction, { control, members }: Step): boolean {
  if (guard !== undefined) return false;
  if (form.id === "bar.warp.sync") return true;
  // The interpreter executes instructions that may also diverge lanes: tcgen05.alloc may wait.
  if (control !== undefined) return false;
  return members === everyLane || (members !== undefined && form.operands.some(({ name }) => name === "mask"));
}

export function graphOf(
  instructions: readonly Instruction[],
  steps: readonly Step[],
  branchTargets: readonly { readonly targets: readonly number[] }[],
): Graph {
  const { length } = instructions;
  const leads = new Uint8Array(length + 1);
  leads[0] = 1;
  for (const { targets } of branchTargets) for (const target of targets) leads[target] = 1;
  instructions.forEach((instruction, pc) => {
    for (const operand of instruction.operands) markLabels(operand, leads);
    if (!endsBlock(instruction, steps[pc]!)) return;
    leads[pc + 1] = 1;
    if (!isTerminator(instruction)) leads[pc] = 1;
  });
  const blockAt = new Int32Array(length + 1).fill(-1);
  const blocks: BasicBlock[] = [];
  for (let start = 0; start < length;) {
    let end = start + 1;
    while (end < length && leads[end] === 0 && end - start < LONGEST_BLOCK) end++;
    const target = branchTarget(instructions[end - 1]!);
    const last = instructions[end - 1]!;
    const isTerminated = isTerminator(last);
    const isEmpty = isTerminated && target === undefined && end - start === 1 && last.guard === undefined;
    blockAt[start] = blocks.length;
    const isExchange = mayMeet(instructions[end - 1]!, steps[end - 1]!);
    const isCompilable = isExchange || isTerminated || !endsBlock(instructions[end - 1]!, steps[end - 1]!);
    blocks.push({ start, end, target, isTerminated, isEmpty, isCompilable, isExchange });
    start = end;
  }
  blockAt[length] = blocks.length;
  return { blocks, blockAt };
}

function markLabels(operand: Operand | undefined, leads: Uint8Array): void {
  if (operand?.kind === "label") leads[operand.target] = 1;
}
