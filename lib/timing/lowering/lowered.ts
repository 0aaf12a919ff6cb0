// A function as the model replays it: what lowering.ts makes, by instruction.

import type { Code } from "../../isa/code.js";
import type { Instruction } from "../../isa/instruction.js";
import type { GpuModel } from "../gpus/model.js";
import type { InstructionCost } from "../trace/cost.js";
import type { AtomicCost } from "./atomic-cost.js";
import type { FenceReach, MemoryOrder } from "./memory-facts.js";
import type { ClassWord } from "./recipe.js";

/** One machine instruction. */
export interface MicroOp {
  /** Index into pipeNames. */
  readonly pipe: number;
  readonly latency: number;
  readonly interval: number;
  readonly chained: boolean;
  readonly scoreboard: boolean;
  /** May run on the fma pipe as well. */
  readonly either: boolean;
  /** Pipe that its result comes from, as far as crossing to another costs; a predicate's has none. */
  readonly from: number;
  /** The warp issues nothing more for its latency: branches within a recipe. */
  readonly holds: boolean;
  /** Cycles until the same warp can issue another such; 0 when that is up to the pipe alone. */
  readonly repeat: number;
  /** The latency that the compiler reckons with. */
  readonly reckoned: number;
}

export interface LoweredInstruction {
  readonly kind: Exclude<ClassWord, "free" | "copy"> | "math" | "branch" | "free";
  readonly form: string;
  readonly ops: readonly MicroOp[];
  /** Slots. Those of a `free` instruction are what its results are other names for. */
  readonly sources: Uint16Array;
  readonly results: Uint16Array;
  /** Slots of predicates that decide whether it does anything: its own, and those of short branches over it. */
  readonly guards: Uint16Array;
  /** No other instruction reads its results. */
  readonly isUnread: boolean;
  readonly order: MemoryOrder;
  /** Loads that L1 may not answer: volatile, coherent and L2-only ones. */
  readonly bypassesL1: boolean;
  readonly atomic: AtomicCost;
  /** Of an atomic whose old value is not wanted: the reduction that the compiler makes of it. */
  readonly reduction: Pick<LoweredInstruction, "atomic" | "ops"> | undefined;
  /** Of a combined one: all lanes give the same value; and a combined one before it has added the same up. */
  readonly countsLanes: boolean;
  readonly isSummed: boolean;
  /** Shared memory of another block of the cluster. */
  readonly isRemote: boolean;
  readonly fence: FenceReach;
  /** Barrier number, and the threads it waits for (0: the block's). */
  readonly barrier: number;
  readonly barrierThreads: number;
  /** Groups of copies that may still be under way after it; -1 when it waits for none. */
  readonly groupsLeft: number;
  readonly groups: "copies" | "matrix";
  /** A call through a pointer. */
  readonly isIndirect: boolean;
  /** Of a warpgroup's product: the N of its shape. */
  readonly columns: number;
  /** A bulk copy that signals an mbarrier. */
  readonly signalsBarrier: boolean;
  readonly isBulk: boolean;
  /** Lanes whose addresses count: those of ldmatrix give a row each. */
  readonly addressLanes: number;
  readonly instruction: Instruction;
  /** Of all functions of the program, counted through. */
  readonly number: number;
  /** What it has cost in this launch so far. */
  readonly cost: InstructionCost;
}

/** Static instructions of all functions met so far, numbered through. */
export interface Program {
  readonly model: GpuModel;
  readonly instructions: readonly LoweredInstruction[];
  /** Functions met so far, with the numbers of their first instructions. */
  readonly functions: ReadonlyMap<Code, number>;
  /** Per instruction the last one of its region (lowering/regions.ts). */
  readonly regionEnds: readonly number[];
  /** Per instruction whether a trace has a word for it: accesses.ts. */
  readonly accesses: readonly boolean[];
  /** Number of the function's first instruction; lowers it when first met. */
  readonly baseOf: (code: Code) => number;
  /** Scoreboard slots of a warp: those of registers, and behind them those of renamed ones. */
  /** First instructions of regions that are loops which the compiler unrolls: lowering/unroll.ts. */
  readonly unrolled: ReadonlySet<number>;
  readonly slots: number;
  readonly renamedSlots: number;
  /** How often each slot is read, over all instructions met. */
  readonly reads: Uint32Array;
}
