// A function's code as the model replays it. Each instruction has its ops with pipe, latency and interval on one GPU, the
// scoreboard slots that it reads and writes, and the facts that the memory path and the scheduler need. Done once per function
// and launch. Registers of all functions share one set of slots, taken modulo its size: distant registers of very large
// functions may then wait for each other.

import type { Code } from "../../isa/code.js";
import type { Instruction, Operand } from "../../isa/instruction.js";
import { modifier } from "../../isa/opcode.js";
import { accessesMemory } from "./accesses.js";
import { atomicCost, countsLanes, isCombined, type AtomicCost } from "./atomic-cost.js";
import { createCost } from "../trace/cost.js";
import type { MicroOp, LoweredInstruction, Program } from "./lowered.js";
import { fenceReach, orderOf, spaceOfInstruction, bypassesL1 } from "./memory-facts.js";
import { type GpuModel, type PipeName, pipeNames } from "../gpus/model.js";
import { operandRegisters } from "./operands.js";
import { readRecipe, recipeOf, type Recipe } from "./recipe.js";
import { findRegions } from "./regions.js";
import { uniformInstructions } from "./uniform.js";

const MAX_SLOTS = 1024;
/** Maximum number of registers that one region may rename. */
const RENAMED = 256;

export function createProgram(model: GpuModel, kernel: Code): Program {
  const instructions: LoweredInstruction[] = [];
  const regionEnds: number[] = [];
  const accesses: boolean[] = [];
  const unrolled = new Set<number>();
  const bases = new Map<Code, number>();
  let slots = 32;
  while (slots < kernel.registers.length + 1 && slots < MAX_SLOTS) slots *= 2;
  const reads = new Uint32Array(slots);
  let registers = 0;
  return {
    model,
    instructions,
    functions: bases,
    regionEnds,
    accesses,
    unrolled,
    slots,
    renamedSlots: RENAMED,
    reads,
    baseOf: (code) => {
      const known = bases.get(code);
      if (known !== undefined) return known;
      const base = instructions.length;
      bases.set(code, base);
      const first = registers;
      // One additional slot: the carry flag.
      registers += code.registers.length + 1;
      const slotOf = (register: number): number => (first + register) % slots;
      const operands = code.instructions.map((instruction) => registersWithCarry(instruction, code.registers.length));
      const isRead = new Uint8Array(code.registers.length + 1);
      code.instructions.forEach(({ guard }, i) => {
        for (const register of operands[i]!.reads) {
          isRead[register] = 1;
          reads[slotOf(register)]!++;
        }
        if (guard !== undefined) isRead[guard.register] = 1;
      });
      // Threads may call a function with different arguments.
      const uniform = code === kernel ? uniformInstructions(code) : new Set<number>();
      const lowered = code.instructions.map((instruction, i) =>
        lower(
          instruction,
          code,
          model,
          { slotOf, isRead, number: base + i, isUniform: uniform.has(i), ...operands[i]! },
          code === kernel,
        ),
      );
      const regions = findRegions(code, lowered);
      const { ends, guards, arms, inLoop, invariant, short } = regions;
      for (const from of regions.unrolled) unrolled.add(base + from);
      lowered.forEach((first, i) => {
        const isMoved = invariant.has(i) || (inLoop[i] === 1 && isHoisted(first));
        const one = short.has(i) || isMoved ? { ...first, ...nothing } : first;
        regionEnds.push(base + ends[i]!);
        accesses.push(accessesMemory(one));
        const more = guards[i]!;
        for (const register of more) reads[slotOf(register)]!++;
        instructions.push(
          more.length === 0
            ? one
            : { ...one, arm: arms[i]!, guards: Uint16Array.from([...one.guards, ...more.map(slotOf)]) },
        );
      });
      return base;
    },
  };
}

const none = new Uint16Array(0);
const nothing = { kind: "free", ops: [], sources: none, results: none } as const;

const changing = /^%(clock|globaltimer|pm|smid|warpid)/;

/** The special register that an instruction reads, if its value is constant during a thread's life: PTX ISA 9.0 chapter 10. */
export function unchangingRegister({
  form,
  instruction,
}: Pick<LoweredInstruction, "form" | "instruction">): string | undefined {
  const source = form === "mov" ? instruction.operands[1] : undefined;
  if (source?.kind !== "special") return undefined;
  const name = source.name.startsWith("%") ? source.name : `%${source.name}`;
  return changing.test(name) ? undefined : name;
}

/** The compiler reads such registers before a loop. */
const isHoisted = (one: LoweredInstruction): boolean =>
  unchangingRegister(one) !== undefined && one.guards.length === 0;

/** Extended-precision arithmetic passes a carry from one instruction to the next. */
const carrySection = "9.7.2.";

function registersWithCarry(instruction: Instruction, carry: number): ReturnType<typeof operandRegisters> {
  const found = operandRegisters(instruction);
  const { id, section } = instruction.opcode.form;
  if (section.startsWith(carrySection)) {
    if (!id.endsWith(".cc")) found.reads.push(carry);
    found.writes.push(carry);
  }
  return found;
}

const controlSection = "9.7.12.";

interface Places {
  readonly slotOf: (register: number) => number;
  readonly isRead: Uint8Array;
  readonly number: number;
  readonly isUniform: boolean;
  readonly reads: readonly number[];
  readonly writes: readonly number[];
}

function lower(
  instruction: Instruction,
  code: Code,
  model: GpuModel,
  { slotOf, isRead, number: ordinal, isUniform, reads, writes }: Places,
  isKernel: boolean,
): LoweredInstruction {
  const usual = recipeOf(instruction, model.computeCapability);
  const recipe = isUniform && usual.kind === "math" ? uniformRecipe : usual;
  const { guard, opcode } = instruction;
  const kind = kindOf(recipe, instruction, isKernel);
  const isBarrier = kind === "sync" || kind === "arrive";
  const [number, threads] = isBarrier ? instruction.operands.slice(barrierOperand(instruction)) : [];
  const isUnread = writes.every((register) => isRead[register] === 0);
  const costOf = (isReduction: boolean): Pick<LoweredInstruction, "atomic" | "ops"> => {
    const atomic = atomicCost(instruction, code, isReduction);
    return {
      atomic,
      ops: opsOf(
        recipe,
        model,
        registersToMemory(instruction, code) * model.lsu.cyclesPerRegister,
        repeatCycles(instruction, model, atomic),
      ),
    };
  };
  const isReduction = kind === "reduce" || (kind === "atomic" && isUnread && canBeReduction(instruction));
  const cost = costOf(isReduction);
  return {
    kind: isReduction ? "reduce" : kind,
    form: opcode.form.id,
    ...cost,
    reduction: kind === "atomic" && canBeReduction(instruction) ? costOf(true) : undefined,
    countsLanes: isCombined(cost.atomic) && countsLanes(instruction, code),
    isSummed: false,
    sources: Uint16Array.from(recipe.kind === "free" ? [] : reads, slotOf),
    results: Uint16Array.from(writes, slotOf),
    guards: guard === undefined ? none : Uint16Array.of(slotOf(guard.register)),
    arm: 0,
    isUnread,
    order: orderOf(kind, instruction),
    bypassesL1: bypassesL1(instruction),
    isRemote: spaceOfInstruction(instruction) === "shared::cluster",
    fence: fenceReach(instruction),
    barrier: immediate(number),
    barrierThreads: immediate(threads),
    groupsLeft: kind === "wait" ? immediate(instruction.operands.find((operand) => operand?.kind === "immediate")) : -1,
    groups: opcode.form.id.startsWith("wgmma") ? "matrix" : "copies",
    isIndirect: opcode.form.id === "call" && instruction.operands.some((operand) => operand?.kind === "register"),
    columns: Number(/n(\d+)/.exec(modifier(opcode, "shape") ?? "")?.[1] ?? 0),
    signalsBarrier: kind === "async" && /^cp\.async\.bulk\.(load|share)/.test(opcode.form.id),
    isBulk: opcode.form.id.startsWith("cp.async.bulk") && kind === "async",
    addressLanes: addressLanes(instruction),
    instruction,
    number: ordinal,
    cost: createCost(),
  };
}

const uniformRecipe = readRecipe("uniform");

/** An exchange remains one even if its old value is unused. */
const canBeReduction = ({ opcode }: Instruction): boolean =>
  opcode.form.id.startsWith("atom") && !opcode.chosen.some((word) => word === "exch" || word === "cas");

/** ldmatrix and stmatrix take the addresses of eight rows for each of their matrices. */
function addressLanes({ opcode }: Instruction): number {
  if (!/^(ld|st)matrix/.test(opcode.form.id)) return -1;
  const matrices = /^x([124])$/.exec(
    opcode.chosen.find((word) => word !== undefined && /^x[124]$/.test(word)) ?? "x4",
  )![1];
  return matrices === "4" ? -1 : (1 << (8 * Number(matrices))) - 1;
}

function kindOf(recipe: Recipe, instruction: Instruction, isKernel: boolean): LoweredInstruction["kind"] {
  if (recipe.kind === "copy") return "free";
  if (recipe.kind !== "math")
    return recipe.kind === "call" && isKernel && instruction.opcode.form.id === "ret" ? "exit" : recipe.kind;
  return instruction.opcode.form.section.startsWith(controlSection) ? "branch" : "math";
}

/** `handOver`: cycles for which a memory instruction occupies its sub-core; `repeat`: MicroOp.repeat. */
function opsOf(recipe: Recipe, model: GpuModel, handOver: number, repeat: number): readonly MicroOp[] {
  switch (recipe.kind) {
    case "free":
    case "copy":
      return [];
    case "math":
      return recipe.ops.map(({ op, chained, aside }) => microOp(model, op, chained, aside));
    case "load":
    case "store":
    case "atomic":
    case "reduce":
    case "prefetch":
    case "async":
    case "poll":
    case "signal": {
      const op = microOp(model, "memory", true);
      return [{ ...op, interval: Math.max(op.interval, handOver), repeat }];
    }
    case "matrix":
    case "sync":
    case "arrive":
    case "fence":
    case "exit":
    case "wait":
    case "commit":
    case "clusterWait":
      return [microOp(model, "branch", true)];
    case "call":
      return [microOp(model, "call", true)];
  }
}

/** Cycles until a warp can issue another atomic of shared memory that computes; 0 for others. */
function repeatCycles(instruction: Instruction, { atomics }: GpuModel, atomic: AtomicCost): number {
  const computes = atomic === "integer" || atomic === "extreme";
  return computes && spaceOfInstruction(instruction)?.startsWith("shared") === true ? atomics.sharedRepeatCycles : 0;
}

/**
 * Number of 32-bit registers with addresses and data that a warp passes to the memory path. Addresses of local memory have 32
 * bits.
 */
function registersToMemory(instruction: Instruction, code: Code): number {
  const isLocal = spaceOfInstruction(instruction) === "local";
  return operandRegisters(instruction).reads.reduce(
    (sum, register, i) =>
      sum + (isLocal && i === 0 ? 1 : Math.max(1, (code.registers[register]?.type.bits ?? 32) / 32)),
    0,
  );
}

export function microOp(model: GpuModel, name: keyof GpuModel["ops"], chained: boolean, aside = false): MicroOp {
  const op = model.ops[name];
  return {
    pipe: pipeNames.indexOf(op.pipe),
    latency: op.latencyCycles,
    interval: op.intervalCycles,
    chained,
    aside,
    scoreboard: op.scoreboard,
    either: op.alsoFma === true,
    from: name === "predicate" ? pipeNames.indexOf("branch") : pipeNames.indexOf(op.pipe),
    holds: op.pipe === "branch" && name !== "nop",
    repeat: op.repeatCycles ?? 0,
    reckoned: op.reckonedCycles ?? (op.scoreboard ? Math.floor(op.latencyCycles * SCHEDULED_SHARE) : op.latencyCycles),
  };
}

/** The share of a varying latency that ptxas fills with other work. */
const SCHEDULED_SHARE = 0.6;

export const pipeIndex = (name: PipeName): number => pipeNames.indexOf(name);

/** bar.red writes its result first. */
function barrierOperand({ opcode }: Instruction): number {
  return opcode.form.operands.findIndex((spec) => spec.access === "read");
}

function immediate(operand: Operand | undefined): number {
  return operand?.kind === "immediate" ? Number(operand.bits) : 0;
}
