// NVIDIA T4 (TU104, compute capability 7.5). Latencies are those of other Turing parts.

import type { GpuFacts } from "./model.js";
import { carried, plainDram, plainL2 } from "./carried.table.js";
import { limits75 } from "./limits.table.js";
import { turingOps } from "./ops.table.js";

export const t4: GpuFacts = {
  name: "t4",
  product: "T4",
  computeCapability: [75, "SPEC"],
  sms: [40, "SPEC"],
  clockMHz: [1590, "SPEC"],
  limits: limits75,
  ...carried,
  subcores: [4, "PG"],
  ops: turingOps,
  fp64PerSm: true,
  lsu: {
    queueEntries: [5, "HUERTA"],
    cyclesPerRegister: [0, "MODEL"],
    globalDataCycles: [2, "MODEL"],
    backlogCycles: [1024, "MODEL"],
    pendingAtomics: [39, "CARRIED"],
  },
  l1: { unifiedKiB: [96, "PG"], unusableKiB: [0, "MODEL"], ways: [16, "MODEL"], latencyCycles: [32, "SJF"] },
  shared: { latencyCycles: [23, "SJF"] },
  constant: {
    latencyCycles: [29, "HUERTA"],
    cyclesPerAddress: [1, "MODEL"],
    latencyPerAddress: [1, "MODEL"],
    cacheBytes: [2048, "CARRIED"],
    missCycles: [70, "CARRIED"],
  },
  l2: {
    mebibytes: [4, "SPEC"],
    partitions: [1, "MODEL"],
    nearMebibytes: [4, "SPEC"],
    ways: [16, "ASIM"],
    slices: [32, "MODEL"],
    bytesPerCycle: [1024, "MODEL"],
    portBytesPerCycle: [64, "MEM"],
    storeBytesPerCycle: [64, "MEM"],
    latencyCycles: [236, "SJF"],
    farCycles: [0, "MODEL"],
    ...plainL2,
  },
  dram: {
    gigabytesPerSecond: [320, "SPEC"],
    efficiency: [0.8, "MODEL"],
    channels: [8, "MODEL"],
    latencyCycles: [540, "MODEL"],
    ...plainDram,
  },
  atomics: { ...carried.atomics, globalLatencyCycles: [245, "ASIM"] },
  dispatch: { latencyCycles: [256, "RRZE"], cyclesPerBlock: [1, "MODEL"] },
};
