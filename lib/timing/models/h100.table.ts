// NVIDIA H100-SXM5-80GB and H200-SXM-141GB (GH100, compute capability 9.0). Cache latencies are those of a GH200, the same
// die at the same clock.

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
  fp64PerSm: false,
  lsu: { queueEntries: [5, "HUERTA"], globalDataCycles: [1, "RRZE"], backlogCycles: [1024, "MODEL"] },
  l1: { unifiedKiB: [256, "PG"], unusableKiB: [38, "RRZE"], ways: [16, "MODEL"], latencyCycles: [32, "RRZE"] },
  shared: { latencyCycles: [23, "AMP"] },
  constant: { latencyCycles: [29, "HUERTA"] },
  l2: {
    mebibytes: [50, "XLA"],
    partitions: [2, "MEM"],
    ways: [16, "MODEL"],
    slices: [80, "MODEL"],
    bytesPerCycle: [4000, "RRZE"],
    portBytesPerCycle: [64, "MEM"],
    latencyCycles: [280, "RRZE"],
    farCycles: [215, "RRZE"],
  },
  dram: {
    gigabytesPerSecond: [3352, "XLA"],
    // Of an H200: 3888 of 4800 GB/s.
    efficiency: [0.81, "RRZE"],
    channels: [40, "MODEL"],
    latencyCycles: [682, "RRZE"],
  },
  atomics: { globalLatencyCycles: [320, "MODEL"], cyclesPerConflict: [1, "MEM"] },
  barrier: { latencyCycles: [20, "MODEL"] },
  fence: { latencyCycles: [20, "MODEL"] },
  dispatch: { latencyCycles: [220, "RRZE"], cyclesPerBlock: [1, "MODEL"] },
};

export const h200: GpuFacts = {
  ...h100,
  name: "h200",
  product: "H200-SXM-141GB",
  l2: { ...h100.l2, bytesPerCycle: [5000, "RRZE"] },
  dram: { ...h100.dram, gigabytesPerSecond: [4800, "XLA"], channels: [48, "MODEL"] },
};
