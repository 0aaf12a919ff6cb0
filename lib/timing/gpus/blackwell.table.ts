// NVIDIA B200 (GB100, compute capability 10.0) and GeForce RTX 5090 (GB202, 12.0). Only sizes and clocks are published. Other
// figures are the H200's, or Ada's for the RTX 5090, and marked as such. `tcgen05` has no measured cost.

import type { Fact, GpuFacts } from "./model.js";
import { carried, plainDram } from "./carried.table.js";
import { rtx4090 } from "./geforce.table.js";
import { h200 } from "./h100.table.js";
import { limits100, limits120 } from "./limits.table.js";

/** The same numbers, marked as carried from another chip. */
function carriedFrom<T>(part: T): T {
  if (isFact(part)) return [part[0], "CARRIED"] as unknown as T;
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, carriedFrom(value)])) as T;
}

const isFact = (part: unknown): part is Fact<unknown> => Array.isArray(part);

const fromH200 = carriedFrom(h200);
const fromAda = carriedFrom(rtx4090);

export const b200: GpuFacts = {
  ...fromH200,
  name: "b200",
  product: "B200-SXM-180GB",
  computeCapability: [100, "PG"],
  sms: [148, "CNC"],
  clockMHz: [1965, "SPEC"],
  limits: limits100,
  subcores: [4, "PG"],
  l1: { ...fromH200.l1, unifiedKiB: [256, "PG"], latencyCycles: [39, "CNC"] },
  l2: {
    ...fromH200.l2,
    mebibytes: [126, "CNC"],
    nearMebibytes: [63, "CNC"],
    latencyCycles: [295, "CNC"],
  },
  dram: { ...fromH200.dram, gigabytesPerSecond: [8000, "SPEC"], channels: [64, "MODEL"] },
};

export const rtx5090: GpuFacts = {
  ...fromAda,
  ...carried,
  name: "rtx5090",
  product: "GeForce RTX 5090",
  computeCapability: [120, "PG"],
  sms: [170, "SPEC"],
  clockMHz: [2407, "SPEC"],
  limits: limits120,
  subcores: [4, "PG"],
  ops: {
    ...fromAda.ops,
    fma: { ...fromAda.ops.fma, intervalCycles: [1, "BPG"] },
    // All lanes add integers; an SM issues two integer multiply-adds a cycle.
    iadd: { ...fromAda.ops.iadd, intervalCycles: [1, "BPG"] },
    fp64: { ...fromAda.ops.fp64, intervalCycles: [16, "BPG"] },
  },
  l2: { ...fromAda.l2, mebibytes: [96, "SPEC"], nearMebibytes: [96, "SPEC"] },
  dram: { ...fromAda.dram, ...plainDram, gigabytesPerSecond: [1792, "SPEC"], channels: [32, "MODEL"] },
  atomics: { ...carried.atomics, globalLatencyCycles: fromAda.atomics.globalLatencyCycles },
};
