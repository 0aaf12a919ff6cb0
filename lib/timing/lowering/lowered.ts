// A function as the model replays it: the output of lowering.ts, by instruction.

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
  /** See RecipeOp.aside. */
  readonly aside: boolean;
  readonly scoreboard: boolean;
  /** May execute on the fma pipe as well. */
  readonly either: boolean;
  /** Pipe of its result, for the cost of crossing to another; a predicate has none. */
  readonly from: number;
  /** The warp issues nothing else during its latency: branches within a recipe. */
  readonly holds: boolean;
  /** Cycles until the same warp can issue another such op; 0 if only the pipe decides. */
  readonly repeat: number;
  /** The latency that the compiler assumes. */
  readonly reckoned: number;
}

export interface LoweredInstruction {
  readonly kind: Exclude<ClassWord, "free" | "copy"> | "math" | "branch" | "free";
  readonly form: string;
  readonly ops: readonly MicroOp[];
  /** Slots. For a `free` instruction, its results are other names for these. */
  readonly sources: Uint16Array;
  readonly results: Uint16Array;
  /** Slots of the predicates that guard it: its own, and those of short branches over it. */
  readonly guards: Uint16Array;
  /** Which arm of an if and else it belongs to, if both became predicated: numbers that differ in sign exclude each other; 0: none. */
  readonly arm: number;
  /** No other instruction reads its results. */
  readonly isUnread: boolean;
  readonly order: MemoryOrder;
  /** Loads that L1 may not answer: volatile, coherent and L2-only ones. */
  readonly bypassesL1: boolean;
  readonly atomic: AtomicCost;
  /** For an atomic whose old value is unused: the reduction that the compiler makes of it. */
  readonly reduction: Pick<LoweredInstruction, "atomic" | "ops"> | undefined;
  /** For a combined atomic: all lanes give the same value; and an earlier combined one has already computed the sum. */
  readonly countsLanes: boolean;
  readonly isSummed: boolean;
  /** Shared memory of another block of the cluster. */
  readonly isRemote: boolean;
  readonly fence: FenceReach;
  /** Barrier number, and number of threads (0: the whole block). */
  readonly barrier: number;
  readonly barrierThreads: number;
  /** Number of copy groups that may still be in flight after it; -1 if it does not wait for any. */
  readonly groupsLeft: number;
  readonly groups: "copies" | "matrix";
  /** A call through a pointer. */
  readonly isIndirect: boolean;
  /** For a warpgroup's product: the N of its shape. */
  readonly columns: number;
  /** A bulk copy that signals an mbarrier. */
  readonly signalsBarrier: boolean;
  readonly isBulk: boolean;
  /** Number of lanes whose addresses count: in ldmatrix, each provides a row. */
  readonly addressLanes: number;
  readonly instruction: Instruction;
  /** Numbered consecutively over all functions of the program. */
  readonly number: number;
  /** Its cost in this launch so far. */
  readonly cost: InstructionCost;
}

/** Static instructions of all functions seen so far, numbered consecutively. */
export interface Program {
  readonly model: GpuModel;
  readonly instructions: readonly LoweredInstruction[];
  /** Functions seen so far, with the numbers of their first instructions. */
  readonly functions: ReadonlyMap<Code, number>;
  /** For each instruction, the last one of its region (lowering/regions.ts). */
  readonly regionEnds: readonly number[];
  /** For each instruction, whether a trace has a word for it: accesses.ts. */
  readonly accesses: readonly boolean[];
  /** Number of the function's first instruction; lowers the function on first use. */
  readonly baseOf: (code: Code) => number;
  /** Number of scoreboard slots of a warp: those of registers, then those of renamed registers. */
  /** First instructions of regions that are loops which the compiler unrolls: lowering/unroll.ts. */
  readonly unrolled: ReadonlySet<number>;
  readonly slots: number;
  readonly renamedSlots: number;
  /** Number of reads of each slot, over all instructions seen. */
  readonly reads: Uint32Array;
}
