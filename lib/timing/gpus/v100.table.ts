// NVIDIA V100-SXM2-16GB (GV100, compute capability 7.0).

import type { GpuFacts } from "./model.js";
import { carried, plainDram, plainL2 } from "./carried.table.js";
import { limits70 } from "./limits.table.js";
import { voltaOps } from "./ops.table.js";

export const v100: GpuFacts = {
  name: "v100",
  product: "V100-SXM2-16GB",
  computeCapability: [70, "XLA"],
  sms: [80, "XLA"],
  clockMHz: [1530, "XLA"],
  limits: limits70,
  ...carried,
  subcores: [4, "PG"],
  ops: voltaOps,
  fp64PerSm: false,
  lsu: {
    queueEntries: [5, "HUERTA"],
    cyclesPerRegister: [0, "MODEL"],
    globalDataCycles: [1, "RRZE"],
    backlogCycles: [1024, "MODEL"],
    pendingAtomics: [39, "CARRIED"],
  },
  l1: { unifiedKiB: [128, "PG"], unusableKiB: [8, "RRZE"], ways: [16, "MODEL"], latencyCycles: [28, "RRZE"] },
  shared: { latencyCycles: [27, "ASIM"] },
  constant: {
    latencyCycles: [29, "HUERTA"],
    cyclesPerAddress: [1, "MODEL"],
    latencyPerAddress: [1, "MODEL"],
    cacheBytes: [2048, "CARRIED"],
    missCycles: [70, "CARRIED"],
  },
  l2: {
    mebibytes: [6, "XLA"],
    partitions: [1, "RRZE"],
    nearMebibytes: [6, "XLA"],
    ways: [24, "ASIM"],
    slices: [64, "ASIM"],
    bytesPerCycle: [1600, "RRZE"],
    portBytesPerCycle: [64, "MEM"],
    storeBytesPerCycle: [64, "MEM"],
    latencyCycles: [212, "RRZE"],
    farCycles: [0, "RRZE"],
    ...plainL2,
  },
  dram: {
    gigabytesPerSecond: [898, "XLA"],
    efficiency: [0.95, "RRZE"],
    channels: [32, "ASIM"],
    latencyCycles: [430, "RRZE"],
    ...plainDram,
  },
  atomics: { ...carried.atomics, globalLatencyCycles: [244, "ASIM"] },
  dispatch: { latencyCycles: [256, "RRZE"], cyclesPerBlock: [1, "MODEL"] },
};
