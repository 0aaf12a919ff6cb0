// A GPU as the timing model sees it (reference design: docs/timing.md, "parameters"). Model files state facts, numbers with
// the source of each; the simulator sees plain numbers. Cycles are of the SM clock.
//
// Rejected: JSON files. They would need a schema and a validator to say what the compiler says about these tables for free.

import type { SourceKey } from "./sources.table.js";

/** A number (or list of numbers) and its source. */
export type Fact<T = number> = readonly [value: T, source: SourceKey];

/** Execution pipes. `lsu` is the path to memory and shared memory (MIO); `branch` resolves control flow. */
export const pipeNames = ["alu", "fma", "half", "fp64", "xu", "tensor", "vote", "lsu", "branch", "uniform"] as const;
export type PipeName = (typeof pipeNames)[number];

/** What recipes (classes.table.ts) are made of: one machine instruction each, of one latency and one pipe. */
export const opNames = [
  "alu",
  /** Additions, which the alu and the fma pipe can both do. */
  "iadd",
  /** Integers that all threads of a warp share. */
  "uniform",
  /** Upper halves of 64-bit integers, computed while the lower halves are forwarded. */
  "upper",
  "compare",
  /** A comparison on which it depends whether the next instruction does anything. */
  "predicate",
  "fma",
  "imad",
  "imadWide",
  /** The same on its own, with no carry from another. */
  "madWide",
  "imadHigh",
  /** Upper half of a product and a sum. */
  "madHigh",
  "half",
  "half2",
  "fp64",
  /** Fused multiply-adds that share two sources with the one before, and those with three sources of their own. */
  "fp64Fma",
  "fp64Wide",
  "fp64Compare",
  "xu",
  /** Two at a time: of packed halves; the reciprocal for a quotient and the check whether that needs the slow path. */
  "xuTwice",
  "bits",
  "convert",
  /** Integers to f32, on the alu pipe. */
  "toFloat",
  "convert64",
  /** 64-bit integers to f64 and back. */
  "convertLong",
  "special",
  "shuffle",
  "shuffleIndex",
  "vote",
  "match",
  "redux",
  "branch",
  /** Calls of functions, and returns. */
  "call",
  /** Branch over the slow path of a division and reconvergence behind it; call of a 64-bit division and return. */
  "skip",
  "subroutine",
  "nop",
  /** Products of tiles whose K is 8 elements of 16 bits wide, and of 16; of f64. */
  "mma8",
  "mma",
  "mmaF64",
  "memory",
] as const;
export type OpName = (typeof opNames)[number];

export interface OpFacts {
  readonly pipe: PipeName;
  /** From issue to the issue of an instruction that needs the result. */
  readonly latencyCycles: Fact;
  /** Cycles for which the pipe takes no other instruction. */
  readonly intervalCycles: Fact;
  /** Of variable latency: dependents wait at a scoreboard ("short_scoreboard"), not for a fixed count ("wait"). */
  readonly scoreboard: boolean;
  /** Cycles between two of them from one warp, where that is more than the pipe takes. */
  readonly repeatCycles?: Fact;
  /** The fma pipe does it as well, at the same price. */
  readonly alsoFma?: boolean;
  /** The latency that the compiler reckons with; a share of it unless given, where the latency varies. */
  readonly reckonedCycles?: Fact;
}

/** Names of the built-in models, for `--gpu`. */
export type GpuName =
  | "a100"
  | "a100-40gb"
  | "a100-pcie"
  | "a100-pcie-40gb"
  | "a40"
  | "b200"
  | "h100"
  | "h100-pcie"
  | "h200"
  | "h800"
  | "l40"
  | "rtx3090"
  | "rtx4090"
  | "rtx5090"
  | "t4"
  | "v100";

export interface GpuFacts {
  readonly name: GpuName;
  readonly product: string;
  /** 80 for 8.0. */
  readonly computeCapability: Fact;
  readonly sms: Fact;
  /** Boost clock. */
  readonly clockMHz: Fact;
  /** Of one SM unless said otherwise. */
  readonly limits: {
    readonly warps: Fact;
    readonly threads: Fact;
    readonly blocks: Fact;
    readonly registers: Fact;
    readonly registersPerThread: Fact;
    readonly registersPerBlock: Fact;
    /** Registers are allotted to a warp in this unit. */
    readonly registerUnit: Fact;
    readonly threadsPerBlock: Fact;
    readonly sharedBytes: Fact;
    readonly sharedBytesPerBlock: Fact;
    readonly sharedUnitBytes: Fact;
    /** Of each block, kept by the system. */
    readonly sharedReservedBytes: Fact;
    /** What the unified L1 and shared memory can be split into. */
    readonly sharedConfigsKiB: Fact<readonly number[]>;
  };
  readonly subcores: Fact;
  readonly ops: Readonly<Record<OpName, OpFacts>>;
  readonly instructionCache: {
    /** Of a sub-core, and of the SM. */
    readonly nearKibibytes: Fact;
    readonly kibibytes: Fact;
    /** From the SM's cache to a sub-core's, and from beyond, a line of 128 bytes. */
    readonly nearCyclesPerLine: Fact;
    readonly cyclesPerLine: Fact;
  };
  /** On top of a latency, for a predicate that decides whether an instruction does anything. */
  readonly guardCycles: Fact;
  /** On top of a latency, for a value that another pipe needs. */
  readonly crossing: { readonly aluFmaCycles: Fact; readonly toSlowCycles: Fact };
  /** The fp64 pipe is one for the whole SM (parts with few fp64 units). */
  readonly fp64PerSm: boolean;
  readonly lsu: {
    /** Instructions of one sub-core that may wait for the LSU. */
    readonly queueEntries: Fact;
    /** Of a sub-core, for each 32-bit register with an address or data that a warp hands over. */
    readonly cyclesPerRegister: Fact;
    /** Least cycles of the data stage that a global load takes: 2 where the path is 64 bytes wide. */
    readonly globalDataCycles: Fact;
    /** Queueing in the memory system beyond which the LSU takes no further request: represents MSHRs and write queues. */
    readonly backlogCycles: Fact;
    /** Atomics and reductions of an SM that may be under way beyond it. */
    readonly pendingAtomics: Fact;
  };
  readonly l1: {
    readonly unifiedKiB: Fact;
    /** What never holds data: the measured knee lies below the nominal size. */
    readonly unusableKiB: Fact;
    readonly ways: Fact;
    readonly latencyCycles: Fact;
  };
  readonly shared: { readonly latencyCycles: Fact };
  readonly constant: {
    readonly latencyCycles: Fact;
    /** Of the path, for each distinct address of a warp; and what each but the first adds to the latency. */
    readonly cyclesPerAddress: Fact;
    readonly latencyPerAddress: Fact;
    /** What the cache next to the sub-cores holds, and cycles more for what it does not. */
    readonly cacheBytes: Fact;
    readonly missCycles: Fact;
  };
  readonly l2: {
    readonly mebibytes: Fact;
    /** Parts that each serve their own SMs and hold copies of the lines these request. */
    readonly partitions: Fact;
    readonly nearMebibytes: Fact;
    readonly ways: Fact;
    /** Of the whole GPU. */
    readonly slices: Fact;
    readonly bytesPerCycle: Fact;
    /** From the L2 to one SM, and back; a line of which not all is written takes so many cycles more. */
    readonly portBytesPerCycle: Fact;
    readonly storeBytesPerCycle: Fact;
    readonly partLineCycles: Fact;
    /** From issue to use, hit in the near part; half of the lines are further by the spread. */
    readonly latencyCycles: Fact;
    readonly spreadCycles: Fact;
    /** On top of it when the near part has no copy. */
    readonly farCycles: Fact;
    /** Written into the L2 by stores and from DRAM together, whole GPU; a sector written in part costs so many times as much. */
    readonly fillBytesPerCycle: Fact;
    readonly partSectorCost: Fact;
    /** The same of a line that another SM has written in part just before. */
    readonly sharedPartCost: Fact;
    /** Sectors written in part that it holds before it reads the rest of them; 0: any number. */
    readonly partialSectors: Fact;
  };
  readonly dram: {
    readonly gigabytesPerSecond: Fact;
    /** Share of it that streams reach. */
    readonly efficiency: Fact;
    readonly channels: Fact;
    /** From issue to use, at least; what it takes on average more, and at most. */
    readonly latencyCycles: Fact;
    readonly tailCycles: Fact;
    readonly mostTailCycles: Fact;
    /** What a request takes of the bandwidth at least, and what writing back a single sector does. */
    readonly leastBytes: Fact;
    readonly writeBackBytes: Fact;
  };
  readonly atomics: {
    /** From issue to use of the old value, L2 hit. */
    readonly globalLatencyCycles: Fact;
    /** Of a slice, for one of several operations of a request on one address: sums, minima and maxima, exchanges, floating point. */
    readonly cyclesPerConflict: Fact;
    readonly cyclesPerExtreme: Fact;
    readonly cyclesPerExchange: Fact;
    readonly cyclesPerFloat: Fact;
    /** Of a slice, for a sector; for a warp's sum that its lanes have added up before. */
    readonly cyclesPerSector: Fact;
    readonly combinedCycles: Fact;
    /** Of an SM's way out: for a sector, for a line at least, for a warp's sum. */
    readonly portCyclesPerSector: Fact;
    readonly leastPortCycles: Fact;
    readonly combinedPortCycles: Fact;
    readonly combinedLongPortCycles: Fact;
    /** Of a warp, to add up its lanes' values before an atomic, and to count the lanes where all give the same. */
    readonly sumCycles: Fact;
    readonly countCycles: Fact;
    /** Of a warp, to give each lane its own old value: the sum of those before it, or a multiple of their number. */
    readonly scanCycles: Fact;
    readonly shareCycles: Fact;
    /** Shared memory: from issue to use, and the path's cycles. */
    readonly sharedLatencyCycles: Fact;
    /** Between two of a warp that compute. */
    readonly sharedRepeatCycles: Fact;
    readonly sharedConflictCycles: Fact;
    readonly sharedExtremeCycles: Fact;
    readonly sharedExchangeCycles: Fact;
    readonly sharedFloatCycles: Fact;
    /** Of a warp, for a turn of the loop that adds floating point. */
    readonly sharedTurnCycles: Fact;
    /** More, where the lanes of a combined one want their old values: the shuffles of a sum over the lanes before each. */
    readonly sharedScanCycles: Fact;
  };
  readonly barrier: {
    /** From the last arrival to the first instruction behind it. */
    readonly latencyCycles: Fact;
    /** The unit takes an arrival in so many cycles. */
    readonly cyclesPerWarp: Fact;
    /** The same, more, for `bar.red`. */
    readonly reduceCycles: Fact;
    readonly reduceCyclesPerWarp: Fact;
  };
  /** From a test to its answer, from an arrival to a test that sees it; the path's cycles for either. */
  readonly mbarrier: {
    readonly latencyCycles: Fact;
    readonly signalCycles: Fact;
    readonly arriveCycles: Fact;
    readonly testCycles: Fact;
    /** Of a warp, to hand over a bulk copy. */
    readonly bulkCopyCycles: Fact;
  };
  readonly fence: {
    readonly blockCycles: Fact;
    readonly gpuCycles: Fact;
    readonly systemCycles: Fact;
    /** The same where other warps of the SM wait so too. */
    readonly sharedSystemCycles: Fact;
    /** Of a fence of the block or the GPU, for each other warp of the block. */
    readonly cyclesPerWarp: Fact;
    /** After the answer to the last store. */
    readonly afterStoreCycles: Fact;
  };
  /** Of a warp: at a branch at which its lanes part, and where they come together. */
  readonly divergence: { readonly divergeCycles: Fact; readonly convergeCycles: Fact };
  readonly call: { readonly cycles: Fact; readonly indirectCycles: Fact; readonly returnCycles: Fact };
  readonly cluster: {
    readonly barrierCycles: Fact;
    readonly barrierCyclesPerWarp: Fact;
    /** Shared memory of another block: from issue to use, and the path's cycles for each of its own. */
    readonly remoteLatencyCycles: Fact;
    readonly remoteCycles: Fact;
  };
  /** Products of warpgroups: what the tensor core takes for one at least, and what a result takes on top of its columns' half. */
  readonly matrix: { readonly leastCycles: Fact; readonly latencyCycles: Fact };
  readonly dispatch: {
    /**
     * From the end of a block to the first instruction of the one that takes its place: what is left of the time that blocks
     * of one load or one store take when streams run at low occupancy (A100; no other part was measured so).
     */
    readonly latencyCycles: Fact;
    /** Between blocks of a launch, wherever on the GPU they begin. */
    readonly cyclesPerBlock: Fact;
  };
  /** What a stream's timer says of an empty kernel of one block, and of one launch of a graph. */
  readonly launch: { readonly eventMicroseconds: Fact; readonly graphMicroseconds: Fact };
}

/** The same with the sources left out. */
type Values<T> = T extends readonly [infer V, SourceKey]
  ? V
  : T extends string | boolean
    ? T
    : { readonly [K in keyof T]: Values<T[K]> };

/** A GPU as numbers: units, latencies, caches and memory (docs/timing.md). */
export type GpuModel = Values<GpuFacts>;

/** The numbers of a model file. */
export function modelOf(facts: GpuFacts): GpuModel {
  return valuesOf(facts) as GpuModel;
}

function valuesOf(part: unknown): unknown {
  if (Array.isArray(part)) return part[0];
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, valuesOf(value)]));
}

/**
 * A GPU with one `n`-th of the SMs and with them of L2, its bandwidth and DRAM's: for benchmarks whose load is uniform, which
 * then take an n-th of the time to simulate. Latencies stay.
 */
export function scaledDown(model: GpuModel, n: number): GpuModel {
  return {
    ...model,
    sms: Math.max(1, Math.round(model.sms / n)),
    l2: {
      ...model.l2,
      mebibytes: model.l2.mebibytes / n,
      nearMebibytes: model.l2.nearMebibytes / n,
      slices: Math.max(model.l2.partitions, Math.round(model.l2.slices / n)),
      bytesPerCycle: model.l2.bytesPerCycle / n,
      fillBytesPerCycle: model.l2.fillBytesPerCycle / n,
      partialSectors: Math.ceil(model.l2.partialSectors / n),
    },
    dram: {
      ...model.dram,
      gigabytesPerSecond: model.dram.gigabytesPerSecond / n,
      channels: Math.max(1, Math.round(model.dram.channels / n)),
    },
  };
}
