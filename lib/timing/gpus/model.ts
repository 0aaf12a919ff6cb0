// A GPU as the timing model sees it (reference design: docs/timing.md, "parameters"). Model files contain facts: numbers with
// their sources; the simulator reads plain numbers. Cycles are of the SM clock. Rejected: JSON files. They would need a schema
// and a validator for what the compiler checks in these tables for free.

import type { SourceKey } from "./sources.table.js";

/** A number (or list of numbers) and its source. */
export type Fact<T = number> = readonly [value: T, source: SourceKey];

/** Execution pipes. `lsu` is the path to memory and shared memory (MIO); `branch` resolves control flow. */
export const pipeNames = ["alu", "fma", "half", "fp64", "xu", "tensor", "vote", "lsu", "branch", "uniform"] as const;
export type PipeName = (typeof pipeNames)[number];

/** The ops of recipes (classes.table.ts): one machine instruction each, with one latency and one pipe. */
export const opNames = [
  "alu",
  /** Additions, which the alu and the fma pipe can both execute. */
  "iadd",
  /** Integers that all threads of a warp share. */
  "uniform",
  /** Upper halves of 64-bit integers, computed while the lower halves are forwarded. */
  "upper",
  "compare",
  /** A comparison whose result guards the next instruction. */
  "predicate",
  "fma",
  "imad",
  "imadWide",
  /** The same without a carry from another instruction. */
  "madWide",
  "imadHigh",
  /** Upper half of a product and a sum. */
  "madHigh",
  "half",
  "half2",
  "fp64",
  /** Fused multiply-adds that share two sources with the previous one, and those with three sources of their own. */
  "fp64Fma",
  "fp64Wide",
  "fp64Compare",
  "xu",
  /** Two at a time: of packed halves; for a quotient, the reciprocal and the check whether the slow path is needed. */
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
  /** Branch over the slow path of a division and reconvergence after it; call of a 64-bit division and return. */
  "skip",
  "subroutine",
  "nop",
  /** Matrix products with a K of 8 elements of 16 bits, and of 16; of f64. */
  "mma8",
  "mma",
  "mmaF64",
  "memory",
] as const;
export type OpName = (typeof opNames)[number];

export interface OpFacts {
  readonly pipe: PipeName;
  /** Cycles from issue to the issue of a dependent instruction. */
  readonly latencyCycles: Fact;
  /** Cycles for which the pipe accepts no other instruction. */
  readonly intervalCycles: Fact;
  /** The latency varies: dependents wait for a scoreboard ("short_scoreboard"), not for a fixed count ("wait"). */
  readonly scoreboard: boolean;
  /** Cycles between two of them from one warp, if that exceeds the pipe's interval. */
  readonly repeatCycles?: Fact;
  /** The fma pipe executes it as well, at the same cost. */
  readonly alsoFma?: boolean;
  /** The latency that the compiler assumes; by default a share of the latency if that varies. */
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
  /** Compute capability times 10: 80 for 8.0. */
  readonly computeCapability: Fact;
  readonly sms: Fact;
  /** Boost clock in MHz. */
  readonly clockMHz: Fact;
  /** Limits of one SM unless stated otherwise. */
  readonly limits: {
    readonly warps: Fact;
    readonly threads: Fact;
    readonly blocks: Fact;
    readonly registers: Fact;
    readonly registersPerThread: Fact;
    readonly registersPerBlock: Fact;
    /** Registers are allocated to a warp in multiples of this. */
    readonly registerUnit: Fact;
    readonly threadsPerBlock: Fact;
    readonly sharedBytes: Fact;
    readonly sharedBytesPerBlock: Fact;
    readonly sharedUnitBytes: Fact;
    /** Bytes of shared memory in each block reserved by the system. */
    readonly sharedReservedBytes: Fact;
    /** Sizes of shared memory into which the unified L1 can be split. */
    readonly sharedConfigsKiB: Fact<readonly number[]>;
  };
  readonly subcores: Fact;
  readonly ops: Readonly<Record<OpName, OpFacts>>;
  readonly instructionCache: {
    /** Sizes of a sub-core's cache and of the SM's. */
    readonly nearKibibytes: Fact;
    readonly kibibytes: Fact;
    /** Cycles for a line of 128 bytes, from the SM's cache to a sub-core's, and from beyond. */
    readonly nearCyclesPerLine: Fact;
    readonly cyclesPerLine: Fact;
  };
  /** Added to a latency if a predicate that depends on it guards the instruction. */
  readonly guardCycles: Fact;
  /** Added to a latency if another pipe needs the value. */
  readonly crossing: { readonly aluFmaCycles: Fact; readonly toSlowCycles: Fact };
  /** The SM has one fp64 pipe (chips with few fp64 units). */
  readonly fp64PerSm: boolean;
  readonly lsu: {
    /** Capacity of a sub-core's queue to the LSU, in instructions. */
    readonly queueEntries: Fact;
    /** Cycles of a sub-core for each 32-bit register with an address or data that a warp passes to the LSU. */
    readonly cyclesPerRegister: Fact;
    /** Minimum cycles of the data stage for a global load: 2 where the path is 64 bytes wide. */
    readonly globalDataCycles: Fact;
    /** Queueing delay in cycles above which the LSU stalls; models the capacity of MSHRs and write queues. */
    readonly backlogCycles: Fact;
    /** Maximum number of an SM's atomics and reductions in flight beyond the SM. */
    readonly pendingAtomics: Fact;
  };
  readonly l1: {
    readonly unifiedKiB: Fact;
    /** Capacity that never holds data: the measured knee is below the nominal size. */
    readonly unusableKiB: Fact;
    readonly ways: Fact;
    readonly latencyCycles: Fact;
  };
  readonly shared: { readonly latencyCycles: Fact };
  readonly constant: {
    readonly latencyCycles: Fact;
    /** Cycles of the path for each distinct address of a warp; latency added for each but the first. */
    readonly cyclesPerAddress: Fact;
    readonly latencyPerAddress: Fact;
    /** Capacity of the cache next to the sub-cores, and additional cycles on a miss. */
    readonly cacheBytes: Fact;
    readonly missCycles: Fact;
  };
  readonly l2: {
    readonly mebibytes: Fact;
    /** Number of partitions. Each serves its own SMs and holds copies of the lines that these request. */
    readonly partitions: Fact;
    readonly nearMebibytes: Fact;
    readonly ways: Fact;
    /** Number of slices of the whole GPU. */
    readonly slices: Fact;
    readonly bytesPerCycle: Fact;
    /** Bytes per cycle from the L2 to one SM, and back; additional cycles for a line that is not written whole. */
    readonly portBytesPerCycle: Fact;
    readonly storeBytesPerCycle: Fact;
    readonly partLineCycles: Fact;
    /** From issue to use on a hit in the near partition; half of the lines take longer by the spread. */
    readonly latencyCycles: Fact;
    readonly spreadCycles: Fact;
    /** Added if the near partition has no copy. */
    readonly farCycles: Fact;
    /**
     * Bytes per cycle written into the L2 by stores and from DRAM together, whole GPU; cost factor of a partially written
     * sector.
     */
    readonly fillBytesPerCycle: Fact;
    readonly partSectorCost: Fact;
    /** The same factor for a line that another SM has just written in part. */
    readonly sharedPartCost: Fact;
    /** Number of partially written sectors that it holds before it reads the rest of them; 0: unlimited. */
    readonly partialSectors: Fact;
  };
  readonly dram: {
    readonly gigabytesPerSecond: Fact;
    /** Share of the bandwidth that streams reach. */
    readonly efficiency: Fact;
    readonly channels: Fact;
    /** Minimum cycles from issue to use; average and maximum of what is added. */
    readonly latencyCycles: Fact;
    readonly tailCycles: Fact;
    readonly mostTailCycles: Fact;
    /** Minimum bandwidth of a request in bytes, and of writing back a single sector. */
    readonly leastBytes: Fact;
    readonly writeBackBytes: Fact;
  };
  readonly atomics: {
    /** From issue to use of the old value, on an L2 hit. */
    readonly globalLatencyCycles: Fact;
    /**
     * Cycles of a slice for each operation of a request on the same address: sums, minima and maxima, exchanges, floating
     * point.
     */
    readonly cyclesPerConflict: Fact;
    readonly cyclesPerExtreme: Fact;
    readonly cyclesPerExchange: Fact;
    readonly cyclesPerFloat: Fact;
    /** Cycles of a slice for a sector; for a warp's sum, which its lanes computed before. */
    readonly cyclesPerSector: Fact;
    readonly combinedCycles: Fact;
    /** Cycles of an SM's port: for a sector, for a line at least, for a warp's sum. */
    readonly portCyclesPerSector: Fact;
    readonly leastPortCycles: Fact;
    readonly combinedPortCycles: Fact;
    readonly combinedLongPortCycles: Fact;
    /** Cycles of a warp to sum its lanes' values before an atomic, and to count its lanes if all give the same value. */
    readonly sumCycles: Fact;
    readonly countCycles: Fact;
    /** Cycles of a warp to give each lane its old value: the sum of the preceding lanes, or a multiple of their number. */
    readonly scanCycles: Fact;
    readonly shareCycles: Fact;
    /** Shared memory: cycles from issue to use, and cycles of the path. */
    readonly sharedLatencyCycles: Fact;
    /** Cycles between two atomics of a warp that compute. */
    readonly sharedRepeatCycles: Fact;
    readonly sharedConflictCycles: Fact;
    readonly sharedExtremeCycles: Fact;
    readonly sharedExchangeCycles: Fact;
    readonly sharedFloatCycles: Fact;
    /** Cycles of a warp for an iteration of the loop that adds floating point. */
    readonly sharedTurnCycles: Fact;
    /** Additional cycles if the lanes of a combined atomic use their old values: the shuffles of a prefix sum. */
    readonly sharedScanCycles: Fact;
  };
  readonly barrier: {
    /** From the last arrival to the first instruction after the barrier. */
    readonly latencyCycles: Fact;
    /** Cycles of the barrier unit for an arrival. */
    readonly cyclesPerWarp: Fact;
    /** Additional cycles for `bar.red`. */
    readonly reduceCycles: Fact;
    readonly reduceCyclesPerWarp: Fact;
  };
  /** Cycles from a test to its result, and from an arrival to a test that sees it; cycles of the path for either. */
  readonly mbarrier: {
    readonly latencyCycles: Fact;
    readonly signalCycles: Fact;
    readonly arriveCycles: Fact;
    readonly testCycles: Fact;
    /** Cycles of a warp to issue a bulk copy. */
    readonly bulkCopyCycles: Fact;
  };
  readonly fence: {
    readonly blockCycles: Fact;
    readonly gpuCycles: Fact;
    readonly systemCycles: Fact;
    /** The same if other warps of the SM wait for such a fence, too. */
    readonly sharedSystemCycles: Fact;
    /** For a fence of the block or the GPU: cycles for each warp of the block beyond `overlapped`, whose fences overlap. */
    readonly cyclesPerWarp: Fact;
    readonly overlapped: Fact;
    /** Cycles after the acknowledgement of the last store. */
    readonly afterStoreCycles: Fact;
  };
  /** Cycles of a warp at a branch that diverges, and where lanes reconverge. */
  readonly divergence: { readonly divergeCycles: Fact; readonly convergeCycles: Fact };
  readonly call: { readonly cycles: Fact; readonly indirectCycles: Fact; readonly returnCycles: Fact };
  readonly cluster: {
    readonly barrierCycles: Fact;
    readonly barrierCyclesPerWarp: Fact;
    /** Shared memory of another block: from issue to use, and cycles of the path for each access. */
    readonly remoteLatencyCycles: Fact;
    readonly remoteCycles: Fact;
  };
  /** Products of warpgroups: minimum cycles of the tensor core for one, and latency in addition to half its columns. */
  readonly matrix: { readonly leastCycles: Fact; readonly latencyCycles: Fact };
  readonly dispatch: {
    /**
     * From the end of a block to the first instruction of its successor: the rest of the time of blocks with one load or one
     * store, when streams run at low occupancy (A100; no other chip was measured).
     */
    readonly latencyCycles: Fact;
    /** Cycles between the starts of two blocks of a launch, anywhere on the GPU. */
    readonly cyclesPerBlock: Fact;
  };
  /** A stream timer's result for an empty kernel of one block, and for one launch of a graph. */
  readonly launch: { readonly eventMicroseconds: Fact; readonly graphMicroseconds: Fact };
}

/** The type without the sources. */
type Values<T> = T extends readonly [infer V, SourceKey]
  ? V
  : T extends string | boolean
    ? T
    : { readonly [K in keyof T]: Values<T[K]> };

/** A GPU as numbers: units, latencies, caches and memory (docs/timing.md). */
export type GpuModel = Values<GpuFacts>;

/** Extracts the numbers of a model file. */
export function modelOf(facts: GpuFacts): GpuModel {
  return valuesOf(facts) as GpuModel;
}

function valuesOf(part: unknown): unknown {
  if (Array.isArray(part)) return part[0];
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, valuesOf(value)]));
}

/**
 * A GPU with one `n`-th of the SMs, the L2, its bandwidth and DRAM's, and the same latencies. For benchmarks with a uniform
 * load, which then take an n-th of the time to simulate.
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
