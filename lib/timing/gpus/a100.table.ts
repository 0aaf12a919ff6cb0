// NVIDIA A100 (GA100, compute capability 8.0). The 80 GB module has the best measurements of the older chips; the other modules
// differ in memory bandwidth.

import type { GpuFacts } from "./model.js";
import { carried, plainDram, plainL2 } from "./carried.table.js";
import { limits80 } from "./limits.table.js";
import { ampereOps } from "./ops.table.js";

export const a100: GpuFacts = {
  name: "a100",
  product: "A100-SXM4-80GB",
  computeCapability: [80, "XLA"],
  sms: [108, "XLA"],
  clockMHz: [1410, "XLA"],
  limits: limits80,
  ...carried,
  subcores: [4, "PG"],
  ops: ampereOps,
  fp64PerSm: false,
  lsu: {
    queueEntries: [5, "HUERTA"],
    cyclesPerRegister: [0, "MODEL"],
    globalDataCycles: [1, "RRZE"],
    backlogCycles: [1024, "MODEL"],
    pendingAtomics: [39, "CARRIED"],
  },
  l1: { unifiedKiB: [192, "PG"], unusableKiB: [20, "RRZE"], ways: [16, "MODEL"], latencyCycles: [33, "RRZE"] },
  shared: { latencyCycles: [23, "AMP"] },
  constant: {
    latencyCycles: [29, "HUERTA"],
    cyclesPerAddress: [1, "MODEL"],
    latencyPerAddress: [1, "MODEL"],
    cacheBytes: [2048, "CARRIED"],
    missCycles: [70, "CARRIED"],
  },
  l2: {
    mebibytes: [40, "XLA"],
    partitions: [2, "GTC21"],
    nearMebibytes: [20, "XLA"],
    ways: [16, "ASIM"],
    slices: [80, "ASIM"],
    bytesPerCycle: [3800, "RRZE"],
    portBytesPerCycle: [64, "MEM"],
    storeBytesPerCycle: [64, "MEM"],
    latencyCycles: [205, "RRZE"],
    farCycles: [200, "RRZE"],
    ...plainL2,
  },
  dram: {
    gigabytesPerSecond: [2039, "XLA"],
    efficiency: [0.87, "RRZE"],
    channels: [40, "ASIM"],
    latencyCycles: [552, "RRZE"],
    ...plainDram,
  },
  atomics: { ...carried.atomics, globalLatencyCycles: [244, "ASIM"] },
  dispatch: { latencyCycles: [256, "RRZE"], cyclesPerBlock: [1, "MODEL"] },
};

export const a100Forty: GpuFacts = {
  ...a100,
  name: "a100-40gb",
  product: "A100-SXM4-40GB",
  dram: { ...a100.dram, gigabytesPerSecond: [1555, "SPEC"] },
};

export const a100Pcie: GpuFacts = {
  ...a100,
  name: "a100-pcie",
  product: "A100-PCIE-80GB",
  dram: { ...a100.dram, gigabytesPerSecond: [1935, "SPEC"] },
};

export const a100PcieForty: GpuFacts = {
  ...a100,
  name: "a100-pcie-40gb",
  product: "A100-PCIE-40GB",
  dram: { ...a100.dram, gigabytesPerSecond: [1555, "SPEC"] },
};
