// Analyses a function before any of its blocks is compiled: its blocks, the lowering of each instruction, and live registers.

import { hasTrait, type Opcode, typeOf } from "../../isa/opcode.js";
import type { Instruction, Operand } from "../../isa/instruction.js";
import type { DataType } from "../../isa/types.table.js";
import type { Process } from "../../load/process.js";
import { promotedUse, transferred } from "../operands/promoted.js";
import type { Program } from "../state/frame.js";
import { planAccess } from "./access-plan.js";
import { isAtomic, planAtomic } from "./atomic-plan.js";
import { type Graph, graphOf } from "./graph.js";
import { type Effect, type Liveness, livenessOf, type RegisterSet, remove } from "./liveness.js";
import { loggedAccess, loggedBlock, type LoggedBlock } from "./issue-log.js";
import { loweringOf } from "./lower/all.js";
import { transfer } from "./lower/move.js";
import { isKnownOperand } from "./operands.js";
import { createOrigins, type OriginOf } from "./origins.js";
import { registersOf, type RegisterUse } from "../operands/registers.js";
import type { Lowered } from "./segment.js";

export interface Unit {
  readonly program: Program;
  readonly process: Process;
  readonly graph: Graph;
  readonly loweredOf: (pc: number) => Lowered | undefined;
  readonly registersAt: (pc: number) => RegisterUse;
  readonly effectOf: (pc: number) => Effect;
  readonly liveness: () => Liveness;
  /** Whether its blocks write what they issue into the log, and how: issue-log.ts. */
  readonly isLogged: boolean;
  readonly loggedOf: (block: number) => LoggedBlock;
}

/**
 * Functions that share registers with others, by registers of the module or formals in registers, are left to the interpreter.
 */
export function mayCompile({ shared, fn }: Program): boolean {
  return shared.length === 0 && fn.code.variables.every(({ register }) => register === undefined);
}

/** Control flow that reads no registers other than its operands. */
const registerFreeControl = ["branch", "call", "return", "exit", "synchronizes"] as const;
const isPlainControl = (opcode: Opcode): boolean => registerFreeControl.some((trait) => hasTrait(opcode, trait));

/**
 * Whether the initial contents of registers are unobservable: none is read before it is written, there is no carry flag, and
 * every instruction depends only on its operands, in its own lane.
 */
export function writesBeforeReading({ program, loweredOf, liveness }: Unit): boolean {
  const { instructions } = program.fn.code;
  return (
    instructions.length <= MAX_LOOKED_AT &&
    program.carry === undefined &&
    instructions.every(({ opcode }, pc) => loweredOf(pc) !== undefined || isPlainControl(opcode)) &&
    isNothing(liveness().atEntry, program)
  );
}

/** Whether no register is live at entry, except those of parameters, which the call has written. */
function isNothing(atEntry: RegisterSet, { fn, promoted }: Program): boolean {
  const read = atEntry.slice();
  promoted.forEach((register, i) => {
    if (register !== undefined && fn.code.variables[i]!.kind === "parameter") remove(read, register);
  });
  return read.every((word) => word === 0);
}

/** Most instructions of a function for an analysis that pays off in short ones only. */
const MAX_LOOKED_AT = 2000;

export function createUnit(program: Program, process: Process, isFused: () => boolean, isLogged: boolean): Unit {
  const { code } = program.fn;
  const { instructions } = code;
  const graph = graphOf(instructions, program.steps, code.branchTargets);
  const ownRegistersAt = memo(instructions.length, (pc) => registersOf(instructions[pc]!));
  const registersAt = memo(instructions.length, (pc) => {
    const [own, passed] = [ownRegistersAt(pc), promotedUse(code, program.promoted, instructions[pc]!)];
    return { reads: [...own.reads, ...passed.reads], writes: [...own.writes, ...passed.writes] };
  });
  // An instruction that writes its own guard is left to the interpreter, since counting needs the guard's old value.
  const writesItsGuard = (pc: number): boolean => {
    const { guard } = instructions[pc]!;
    return guard !== undefined && registersAt(pc).writes.includes(guard.register);
  };
  const originsAt = createOrigins(program, process.space, ownRegistersAt);
  const loweredOf = memo(instructions.length, (pc) =>
    writesItsGuard(pc) || (isLogged && !mayLog(pc)) ? undefined : lower(program, process, pc, isFused, originsAt(pc)),
  );
  // The interpreter tells the addresses of accesses that code does not log.
  const mayLog = (pc: number): boolean => {
    if (!program.steps[pc]!.memory) return true;
    const lowered = lower(program, process, pc, isFused, originsAt(pc));
    return lowered?.kind === "access" && loggedAccess({ program, process }, lowered.plan) !== undefined;
  };
  const isCall = (pc: number): boolean => hasTrait(instructions[pc]!.opcode, "call");
  const isBranch = (pc: number): boolean => hasTrait(instructions[pc]!.opcode, "branch");
  const effectOf = memo(instructions.length, (pc): Effect => {
    const { reads, writes } = registersAt(pc);
    const isAlways = instructions[pc]!.guard === undefined;
    if (isAlways && isCall(pc)) {
      // Results in registers may be of another size, so they do not overwrite the whole register.
      const { writes: kills } = promotedUse(code, program.promoted, instructions[pc]!);
      return { reads: [...reads, ...ownRegistersAt(pc).writes], kills };
    }
    const isWhole = loweredOf(pc) !== undefined && isAlways;
    return isWhole || isBranch(pc) ? { reads, kills: writes } : { reads: [...reads, ...writes], kills: [] };
  });
  let liveness: Liveness | undefined;
  const unit: Unit = {
    program,
    process,
    graph,
    loweredOf,
    registersAt,
    effectOf,
    liveness: () =>
      (liveness ??= livenessOf(graph, program.registerCount, effectOf, (block) =>
        successorsOf(graph, block, instructions, code.branchTargets),
      )),
    isLogged,
    loggedOf: memo(graph.blocks.length, (block) => loggedBlock(unit, block)),
  };
  return unit;
}

function lower(
  program: Program,
  process: Process,
  pc: number,
  isFused: () => boolean,
  originOf: OriginOf,
): Lowered | undefined {
  const instruction = program.fn.code.instructions[pc]!;
  const { opcode, operands } = instruction;
  const step = program.steps[pc]!;
  if (step.control !== undefined || step.members !== undefined) return undefined;
  const promoted = operands.map((operand) => transferred(program.promoted, operand)).find((it) => it !== undefined);
  if (promoted !== undefined) return lowerPromoted(program, instruction, promoted);
  if (isTransfer(instruction)) {
    const plan = planAccess(program, process, instruction, originOf);
    return plan && { kind: "access", plan };
  }
  if (isAtomic(instruction)) {
    const plan = planAtomic(program, process, instruction, originOf);
    return plan && { kind: "atomic", plan };
  }
  const emit = loweringOf(opcode, { operands, isFused, space: process.space });
  if (emit === undefined || operands.some((operand) => operand === undefined)) return undefined;
  const areKnown = opcode.operands.every((shape, i) => {
    const operand = operands[i];
    const isSink = operand?.kind === "sink";
    // An address has the width of its destination register.
    const type = shape.spec.kind === "symbol" ? opcode.operands[0]!.type : shape.type;
    if (operand?.kind === "vector")
      return arePartsKnown(program, operand.elements, type, shape.spec.access === "write");
    return (
      type !== undefined &&
      (!isSink || shape.spec.access === "write") &&
      isKnownOperand(program, operand, type.bits, true)
    );
  });
  return areKnown ? { kind: "emit", emit } : undefined;
}

/** Lowers ld and st of a variable that is in a register. */
function lowerPromoted(program: Program, { opcode, operands }: Instruction, promoted: number): Lowered | undefined {
  const type = typeOf(opcode)!;
  const isStore = hasTrait(opcode, "store");
  const other = operands[isStore ? 1 : 0];
  if (!isKnownOperand(program, other, type.bits, true) || (isStore && other?.kind === "sink")) return undefined;
  const variable: Operand = { kind: "register", register: promoted };
  return { kind: "emit", emit: isStore ? transfer(type, other!, variable) : transfer(type, variable, other!) };
}

/** Two elements that make up a register of 32 or 64 bits. */
function arePartsKnown(
  program: Program,
  elements: readonly Operand[],
  type: DataType | undefined,
  isWritten: boolean,
): boolean {
  if (elements.length !== 2 || (type?.bits !== 32 && type?.bits !== 64)) return false;
  return elements.every(
    (element) => (element.kind !== "sink" || isWritten) && isKnownOperand(program, element, type.bits / 2, false),
  );
}

const isTransfer = ({ opcode }: Instruction): boolean =>
  (hasTrait(opcode, "load") || hasTrait(opcode, "store")) && !hasTrait(opcode, "asynchronous");

/** Instructions that never fall through, unless their guard is false. */
const departing = ["branch", "branch-table", "return", "exit"] as const;

function successorsOf(
  { blocks, blockAt }: Graph,
  block: number,
  instructions: readonly Instruction[],
  branchTargets: readonly { readonly targets: readonly number[] }[],
): readonly number[] {
  const { end, target } = blocks[block]!;
  const { opcode, guard, operands } = instructions[end - 1]!;
  const isLast = guard === undefined && departing.some((trait) => hasTrait(opcode, trait));
  const pcs = isLast ? [] : [end];
  if (target !== undefined) pcs.push(target);
  for (const operand of operands)
    if (operand?.kind === "table" && operand.table === "branch-targets")
      pcs.push(...branchTargets[operand.index]!.targets);
  return pcs.map((pc) => blockAt[pc]!).filter((successor) => successor >= 0 && successor < blocks.length);
}

function memo<T>(length: number, compute: (index: number) => T): (index: number) => T {
  const known = new Array<{ readonly value: T } | undefined>(length).fill(undefined);
  return (index) => (known[index] ??= { value: compute(index) }).value;
}
