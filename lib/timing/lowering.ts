// A function's code as the model replays it: per instruction its ops with pipe, latency and interval on one GPU, and the
// scoreboard slots that it reads and writes. Done once per function and launch. Registers of all functions share one set of
// slots, taken modulo its size: far-apart registers of very large functions may then wait for each other.

import type { Code } from "../isa/code.js";
import type { Instruction, Operand } from "../isa/instruction.js";
import { modifier, type OperandShape } from "../isa/opcode.js";
import { type GpuModel, type PipeName, pipeNames } from "./model.js";
import { recipeOf, type ClassWord, type Recipe } from "./recipe.js";

/** One machine instruction. */
export interface MicroOp {
  /** Index into pipeNames. */
  readonly pipe: number;
  readonly latency: number;
  readonly interval: number;
  readonly chained: boolean;
  readonly scoreboard: boolean;
}

export interface LoweredInstruction {
  readonly kind: Exclude<ClassWord, "free" | "copy"> | "math" | "branch" | "free";
  readonly ops: readonly MicroOp[];
  /** Slots. Those of a `free` instruction are what its results are other names for. */
  readonly sources: Uint16Array;
  readonly results: Uint16Array;
  /** Loads that L1 may not answer: volatile, coherent and L2-only ones. */
  readonly bypassesL1: boolean;
  /** Barrier number, and the threads it waits for (0: the block's). */
  readonly barrier: number;
  readonly barrierThreads: number;
}

/** Static instructions of all functions met so far, numbered through. */
export interface Program {
  readonly instructions: readonly LoweredInstruction[];
  /** Number of the function's first instruction; lowers it when first met. */
  readonly baseOf: (code: Code) => number;
  /** Scoreboard slots of a warp. */
  readonly slots: number;
}

const MOST_SLOTS = 1024;

export function createProgram(model: GpuModel, kernel: Code): Program {
  const instructions: LoweredInstruction[] = [];
  const bases = new Map<Code, number>();
  let slots = 32;
  while (slots < kernel.registers.length + 1 && slots < MOST_SLOTS) slots *= 2;
  let registers = 0;
  return {
    instructions,
    slots,
    baseOf: (code) => {
      const known = bases.get(code);
      if (known !== undefined) return known;
      const base = instructions.length;
      bases.set(code, base);
      const first = registers;
      // One slot more: the carry flag.
      registers += code.registers.length + 1;
      const slotOf = (register: number): number => (first + register) % slots;
      for (const instruction of code.instructions)
        instructions.push(lower(instruction, model, slotOf, code.registers.length));
      return base;
    },
  };
}

const controlSection = "9.7.12.";
/** Extended-precision arithmetic passes a carry from one instruction to the next. */
const carrySection = "9.7.2.";

function lower(
  instruction: Instruction,
  model: GpuModel,
  slotOf: (register: number) => number,
  carry: number,
): LoweredInstruction {
  const recipe = recipeOf(instruction);
  const { reads, writes } = registersOf(instruction);
  if (instruction.opcode.form.section.startsWith(carrySection)) {
    reads.push(carry);
    writes.push(carry);
  }
  const [number, threads] = instruction.operands.slice(barrierOperand(instruction));
  return {
    kind: kindOf(recipe, instruction),
    ops: opsOf(recipe, model),
    sources: Uint16Array.from(recipe.kind === "free" ? [] : reads, slotOf),
    results: Uint16Array.from(writes, slotOf),
    bypassesL1: bypassesL1(instruction),
    barrier: recipe.kind === "sync" || recipe.kind === "arrive" ? immediate(number) : 0,
    barrierThreads: recipe.kind === "sync" || recipe.kind === "arrive" ? immediate(threads) : 0,
  };
}

function kindOf(recipe: Recipe, instruction: Instruction): LoweredInstruction["kind"] {
  if (recipe.kind === "copy") return "free";
  if (recipe.kind !== "math") return recipe.kind;
  return instruction.opcode.form.section.startsWith(controlSection) ? "branch" : "math";
}

function opsOf(recipe: Recipe, model: GpuModel): readonly MicroOp[] {
  switch (recipe.kind) {
    case "free":
    case "copy":
      return [];
    case "math":
      return recipe.ops.map(({ op, chained }) => microOp(model, op, chained));
    case "load":
    case "store":
    case "atomic":
    case "reduce":
    case "prefetch":
    case "async":
      return [microOp(model, "memory", true)];
    case "sync":
    case "arrive":
    case "fence":
    case "exit":
      return [microOp(model, "branch", true)];
  }
}

function microOp(model: GpuModel, name: keyof GpuModel["ops"], chained: boolean): MicroOp {
  const op = model.ops[name];
  return {
    pipe: pipeNames.indexOf(op.pipe),
    latency: op.latencyCycles,
    interval: op.intervalCycles,
    chained,
    scoreboard: op.scoreboard,
  };
}

export const pipeIndex = (name: PipeName): number => pipeNames.indexOf(name);

function bypassesL1({ opcode }: Instruction): boolean {
  const sem = modifier(opcode, "sem");
  const cop = modifier(opcode, "cop");
  return cop === "cg" || cop === "cv" || sem === "volatile" || sem === "relaxed" || sem === "acquire";
}

/** bar.red writes its result first. */
function barrierOperand({ opcode }: Instruction): number {
  return opcode.form.operands.findIndex((spec) => spec.access === "read");
}

function immediate(operand: Operand | undefined): number {
  return operand?.kind === "immediate" ? Number(operand.bits) : 0;
}

interface Registers {
  readonly reads: number[];
  readonly writes: number[];
}

/** Registers that an instruction reads and writes, its guard included. */
export function registersOf(instruction: Instruction): Registers {
  const found: Registers = { reads: [], writes: [] };
  if (instruction.guard !== undefined) found.reads.push(instruction.guard.register);
  instruction.operands.forEach((operand, i) => collect(operand, instruction.opcode.operands[i]!, found));
  return found;
}

function collect(operand: Operand | undefined, shape: OperandShape, found: Registers): void {
  switch (operand?.kind) {
    case "register":
      if (shape.spec.access !== "write") found.reads.push(operand.register);
      if (shape.spec.access !== "read") found.writes.push(operand.register);
      return;
    case "address":
    case "address-of":
      if (operand.base.kind === "register") found.reads.push(operand.base.register);
      if (operand.kind === "address") operand.rest.forEach((item, i) => collect(item, shape.rest[i] ?? shape, found));
      return;
    case "vector":
    case "list":
      for (const element of operand.elements) collect(element, shape, found);
      return;
    case "pair":
      collect(operand.first, shape, found);
      collect(operand.second, shape.pair ?? shape, found);
      return;
    case "special":
    case "immediate":
    case "label":
    case "table":
    case "sink":
    case undefined:
      return;
  }
}
