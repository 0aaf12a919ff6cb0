// NVIDIA H100, H200 and H800 (GH100, compute capability 9.0). What was measured on the H200 holds for the H100
// too, the same die at the same clock, but for the size of the L2 and the memory's bandwidth.

import type { GpuFacts } from "../model.js";
import { limits90 } from "./limits.table.js";
import { hopperOps } from "./ops.table.js";

export const h100: GpuFacts = {
  name: "h100",
  product: "H100-SXM5-80GB",
  computeCapability: [90, "XLA"],
  sms: [132, "XLA"],
  clockMHz: [1980, "XLA"],
  limits: limits90,
  subcores: [4, "PG"],
  ops: hopperOps,
  instructionCache: {
    nearKibibytes: [34, "H200"],
    kibibytes: [136, "H200"],
    nearCyclesPerLine: [18, "H200"],
    cyclesPerLine: [46, "H200"],
  },
  guardCycles: [9, "H200"],
  crossing: { aluFmaCycles: [1, "H200"], toSlowCycles: [2, "H200"] },
  fp64PerSm: false,
  lsu: {
    queueEntries: [5, "HUERTA"],
    cyclesPerRegister: [2.05, "H200"],
    globalDataCycles: [1, "RRZE"],
    backlogCycles: [1024, "MODEL"],
    pendingAtomics: [43, "H200"],
  },
  l1: { unifiedKiB: [256, "PG"], unusableKiB: [38, "H200"], ways: [16, "MODEL"], latencyCycles: [32, "H200"] },
  shared: { latencyCycles: [23, "H200"] },
  constant: {
    latencyCycles: [22, "H200"],
    cyclesPerAddress: [2, "H200"],
    latencyPerAddress: [11, "H200"],
    cacheBytes: [2048, "H200"],
    missCycles: [70, "H200"],
  },
  l2: {
    mebibytes: [50, "XLA"],
    partitions: [2, "MEM"],
    nearMebibytes: [23, "CARRIED"],
    ways: [16, "MODEL"],
    slices: [80, "MODEL"],
    bytesPerCycle: [5200, "CARRIED"],
    portBytesPerCycle: [120, "H200"],
    storeBytesPerCycle: [32, "H200"],
    partLineCycles: [1, "H200"],
    latencyCycles: [264, "H200"],
    spreadCycles: [32, "H200"],
    farCycles: [150, "H200"],
    fillBytesPerCycle: [2450, "H200"],
    partSectorCost: [2, "H200"],
    sharedPartCost: [4, "H200"],
    partialSectors: [80_000, "H200"],
  },
  dram: {
    gigabytesPerSecond: [3352, "XLA"],
    efficiency: [0.93, "H200"],
    channels: [40, "MODEL"],
    latencyCycles: [570, "H200"],
    tailCycles: [120, "H200"],
    mostTailCycles: [450, "H200"],
    leastBytes: [64, "H200"],
    writeBackBytes: [128, "H200"],
  },
  atomics: {
    globalLatencyCycles: [284, "H200"],
    cyclesPerConflict: [1.1, "H200"],
    cyclesPerExtreme: [0.55, "H200"],
    cyclesPerExchange: [2, "H200"],
    cyclesPerFloat: [3.5, "H200"],
    cyclesPerSector: [2.16, "H200"],
    combinedCycles: [0.7, "H200"],
    portCyclesPerSector: [1.25, "H200"],
    leastPortCycles: [3.1, "H200"],
    combinedPortCycles: [2.4, "H200"],
    combineCycles: [42, "H200"],
    combineReductionCycles: [20, "H200"],
    sharedLatencyCycles: [25, "H200"],
    sharedIntervalCycles: [5, "H200"],
    sharedConflictCycles: [1, "MODEL"],
    sharedExtremeCycles: [0.153, "H200"],
    sharedExchangeCycles: [1, "H200"],
    sharedFloatCycles: [43, "H200"],
    sharedCombinedCycles: [1.2, "H200"],
  },
  barrier: {
    latencyCycles: [12, "H200"],
    cyclesPerWarp: [2, "H200"],
    reduceCycles: [41, "H200"],
    reduceCyclesPerWarp: [0, "H200"],
  },
  mbarrier: {
    latencyCycles: [16, "H200"],
    signalCycles: [24, "H200"],
    arriveCycles: [5.2, "H200"],
    testCycles: [4, "H200"],
  },
  fence: {
    blockCycles: [10, "H200"],
    gpuCycles: [267, "H200"],
    systemCycles: [981, "H200"],
    sharedSystemCycles: [1547, "H200"],
    cyclesPerWarp: [2.65, "H200"],
    afterStoreCycles: [120, "H200"],
  },
  divergence: { divergeCycles: [16.5, "H200"], convergeCycles: [33, "H200"] },
  call: { cycles: [29.5, "H200"], indirectCycles: [69.5, "H200"], returnCycles: [29.5, "H200"] },
  cluster: {
    barrierCycles: [330, "H200"],
    barrierCyclesPerWarp: [9.2, "H200"],
    remoteLatencyCycles: [200, "H200"],
    remoteCycles: [7.5, "H200"],
  },
  matrix: { leastCycles: [16, "H200"], latencyCycles: [52.5, "H200"] },
  dispatch: { latencyCycles: [256, "RRZE"], cyclesPerBlock: [1.22, "H200"] },
  launch: { eventMicroseconds: [2.66, "H200"], graphMicroseconds: [0.65, "H200"] },
};

export const h200: GpuFacts = {
  ...h100,
  name: "h200",
  product: "H200-SXM-141GB",
  l2: { ...h100.l2, mebibytes: [60, "H200"], nearMebibytes: [27, "H200"], bytesPerCycle: [5200, "H200"] },
  dram: { ...h100.dram, gigabytesPerSecond: [4800, "XLA"], channels: [48, "MODEL"] },
};

export const h100Pcie: GpuFacts = {
  ...h100,
  name: "h100-pcie",
  product: "H100-PCIE-80GB",
  sms: [114, "SPEC"],
  clockMHz: [1755, "SPEC"],
  l2: { ...h100.l2, bytesPerCycle: [4000, "RRZE"] },
  dram: { ...h100.dram, gigabytesPerSecond: [2039, "SPEC"], efficiency: [0.97, "RRZE"] },
};

/** The H100 for China: fewer links between GPUs, which are not modelled, and a thirtieth of the fp64. */
export const h800: GpuFacts = {
  ...h100,
  name: "h800",
  product: "H800-SXM5-80GB",
  ops: {
    ...h100.ops,
    fp64: { ...h100.ops.fp64, intervalCycles: [67, "SPEC"] },
    fp64Compare: { ...h100.ops.fp64Compare, intervalCycles: [67, "SPEC"] },
    mmaF64: { ...h100.ops.mmaF64, intervalCycles: [1072, "SPEC"] },
  },
};
