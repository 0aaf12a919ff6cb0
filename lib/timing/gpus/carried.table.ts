// Figures measured only on an H200, for the models of other chips. None are published for those; a figure of another generation
// is a better guess than none, and its source is marked as carried.

import type { GpuFacts } from "./model.js";

type Carried = Pick<
  GpuFacts,
  | "instructionCache"
  | "crossing"
  | "guardCycles"
  | "atomics"
  | "barrier"
  | "mbarrier"
  | "fence"
  | "call"
  | "divergence"
  | "cluster"
  | "matrix"
  | "launch"
>;

export const carried: Omit<Carried, "atomics"> & { readonly atomics: Omit<Carried["atomics"], "globalLatencyCycles"> } =
  {
    instructionCache: {
      nearKibibytes: [34, "CARRIED"],
      kibibytes: [136, "CARRIED"],
      nearCyclesPerLine: [18, "CARRIED"],
      cyclesPerLine: [46, "CARRIED"],
    },
    guardCycles: [0, "MODEL"],
    crossing: { aluFmaCycles: [0, "MODEL"], toSlowCycles: [0, "MODEL"] },
    atomics: {
      cyclesPerConflict: [1, "MEM"],
      cyclesPerExtreme: [2, "CARRIED"],
      cyclesPerExchange: [2, "CARRIED"],
      cyclesPerFloat: [3.5, "CARRIED"],
      cyclesPerSector: [2.2, "CARRIED"],
      combinedCycles: [0.7, "CARRIED"],
      portCyclesPerSector: [1.25, "CARRIED"],
      leastPortCycles: [3.1, "CARRIED"],
      combinedPortCycles: [2.4, "CARRIED"],
      combinedLongPortCycles: [3.1, "CARRIED"],
      sumCycles: [66, "CARRIED"],
      countCycles: [37, "CARRIED"],
      scanCycles: [205, "CARRIED"],
      shareCycles: [31, "CARRIED"],
      sharedLatencyCycles: [31, "CARRIED"],
      sharedRepeatCycles: [5, "CARRIED"],
      sharedConflictCycles: [1, "MODEL"],
      sharedExtremeCycles: [1, "CARRIED"],
      sharedExchangeCycles: [1, "CARRIED"],
      sharedFloatCycles: [43, "CARRIED"],
      sharedTurnCycles: [94.3, "CARRIED"],
      sharedScanCycles: [9, "CARRIED"],
    },
    barrier: {
      latencyCycles: [12, "CARRIED"],
      cyclesPerWarp: [2, "CARRIED"],
      reduceCycles: [40, "CARRIED"],
      reduceCyclesPerWarp: [1, "CARRIED"],
    },
    mbarrier: {
      latencyCycles: [16, "CARRIED"],
      signalCycles: [24, "CARRIED"],
      arriveCycles: [8, "CARRIED"],
      testCycles: [4, "CARRIED"],
      bulkCopyCycles: [54.7, "CARRIED"],
    },
    fence: {
      blockCycles: [10, "CARRIED"],
      gpuCycles: [267, "CARRIED"],
      systemCycles: [981, "CARRIED"],
      sharedSystemCycles: [1547, "CARRIED"],
      cyclesPerWarp: [3.13, "CARRIED"],
      overlapped: [6, "CARRIED"],
      afterStoreCycles: [120, "CARRIED"],
    },
    divergence: { divergeCycles: [16.5, "CARRIED"], convergeCycles: [33, "CARRIED"] },
    call: { cycles: [34, "CARRIED"], indirectCycles: [74, "CARRIED"], returnCycles: [34, "CARRIED"] },
    cluster: {
      barrierCycles: [330, "CARRIED"],
      barrierCyclesPerWarp: [9.2, "CARRIED"],
      remoteLatencyCycles: [200, "CARRIED"],
      remoteCycles: [7.5, "CARRIED"],
    },
    matrix: { leastCycles: [16, "CARRIED"], latencyCycles: [56, "CARRIED"] },
    launch: { eventMicroseconds: [2.66, "CARRIED"], graphMicroseconds: [0.65, "CARRIED"] },
  };

/** Parts of the memory system without measured figures: the model's earlier assumptions. */
export const plainL2 = {
  partLineCycles: [0, "MODEL"],
  spreadCycles: [0, "MODEL"],
  fillBytesPerCycle: [1e6, "MODEL"],
  partSectorCost: [1, "MODEL"],
  sharedPartCost: [1, "MODEL"],
  partialSectors: [0, "MODEL"],
} as const satisfies Partial<GpuFacts["l2"]>;

export const plainDram = {
  tailCycles: [0, "MODEL"],
  mostTailCycles: [0, "MODEL"],
  leastBytes: [64, "CARRIED"],
  writeBackBytes: [128, "CARRIED"],
} as const satisfies Partial<GpuFacts["dram"]>;
