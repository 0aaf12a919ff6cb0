// GA102 (compute capability 8.6: RTX 3090, A40) and AD102 (8.9: RTX 4090, L40). Latencies of the 3090 are those of an A40, the
// same die; bandwidths of the 4090's L2 are those of an L40.

import type { GpuFacts } from "./model.js";
import { carried, plainDram, plainL2 } from "./carried.table.js";
import { limits86, limits89 } from "./limits.table.js";
import { gamingAmpereOps } from "./ops.table.js";

export const rtx3090: GpuFacts = {
  name: "rtx3090",
  product: "GeForce RTX 3090",
  computeCapability: [86, "SPEC"],
  sms: [82, "SPEC"],
  clockMHz: [1695, "SPEC"],
  limits: limits86,
  ...carried,
  subcores: [4, "PG"],
  ops: gamingAmpereOps,
  fp64PerSm: true,
  lsu: {
    queueEntries: [5, "HUERTA"],
    cyclesPerRegister: [0, "MODEL"],
    globalDataCycles: [2, "RRZE"],
    backlogCycles: [1024, "MODEL"],
    pendingAtomics: [39, "CARRIED"],
  },
  l1: { unifiedKiB: [128, "PG"], unusableKiB: [18, "RRZE"], ways: [16, "MODEL"], latencyCycles: [33, "RRZE"] },
  shared: { latencyCycles: [23, "HUERTA"] },
  constant: {
    latencyCycles: [29, "HUERTA"],
    cyclesPerAddress: [1, "MODEL"],
    latencyPerAddress: [1, "MODEL"],
    cacheBytes: [2048, "CARRIED"],
    missCycles: [70, "CARRIED"],
  },
  l2: {
    mebibytes: [6, "SPEC"],
    partitions: [1, "MODEL"],
    nearMebibytes: [6, "SPEC"],
    ways: [16, "ASIM"],
    slices: [48, "MODEL"],
    bytesPerCycle: [1536, "MODEL"],
    portBytesPerCycle: [64, "MEM"],
    storeBytesPerCycle: [64, "MEM"],
    latencyCycles: [250, "RRZE"],
    farCycles: [0, "MODEL"],
    ...plainL2,
  },
  dram: {
    gigabytesPerSecond: [936, "SPEC"],
    // Measured on an A40: 680 of 696 GB/s. The GDDR6X of a 3090 was not measured.
    efficiency: [0.94, "MODEL"],
    channels: [24, "MODEL"],
    latencyCycles: [550, "RRZE"],
    ...plainDram,
  },
  atomics: { ...carried.atomics, globalLatencyCycles: [290, "MODEL"] },
  dispatch: { latencyCycles: [256, "RRZE"], cyclesPerBlock: [1, "MODEL"] },
};

export const rtx4090: GpuFacts = {
  ...rtx3090,
  name: "rtx4090",
  product: "GeForce RTX 4090",
  computeCapability: [89, "SPEC"],
  sms: [128, "SPEC"],
  clockMHz: [2520, "SPEC"],
  limits: limits89,
  l1: { unifiedKiB: [128, "PG"], unusableKiB: [38, "RRZE"], ways: [16, "MODEL"], latencyCycles: [36, "HPMLL"] },
  shared: { latencyCycles: [30, "HPMLL"] },
  l2: {
    ...rtx3090.l2,
    mebibytes: [72, "SPEC"],
    ways: [16, "MODEL"],
    slices: [48, "MODEL"],
    bytesPerCycle: [2100, "RRZE"],
    latencyCycles: [285, "HPMLL"],
  },
  dram: {
    gigabytesPerSecond: [1008, "SPEC"],
    efficiency: [0.94, "MODEL"],
    channels: [24, "MODEL"],
    latencyCycles: [570, "HPMLL"],
    ...plainDram,
  },
  atomics: { ...carried.atomics, globalLatencyCycles: [325, "MODEL"] },
};

export const a40: GpuFacts = {
  ...rtx3090,
  name: "a40",
  product: "A40",
  sms: [84, "SPEC"],
  clockMHz: [1740, "SPEC"],
  dram: { ...rtx3090.dram, gigabytesPerSecond: [696, "SPEC"], efficiency: [0.98, "RRZE"] },
};

export const l40: GpuFacts = {
  ...rtx4090,
  name: "l40",
  product: "L40",
  sms: [142, "SPEC"],
  clockMHz: [2490, "SPEC"],
  l2: { ...rtx4090.l2, mebibytes: [96, "RRZE"], nearMebibytes: [96, "RRZE"] },
  dram: { ...rtx4090.dram, gigabytesPerSecond: [864, "SPEC"], efficiency: [0.98, "RRZE"] },
};
