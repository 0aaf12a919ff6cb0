// Limits of an SM per compute capability: CUDA 13.0's cuda_occupancy.h and the programming guide's table of technical
// specifications. testdata/timing/occupancy.json records what that header computes from them.

import type { GpuFacts } from "./model.js";
import type { SourceKey } from "./sources.table.js";

interface Row {
  readonly warps: number;
  readonly blocks: number;
  readonly sharedKiB: number;
  readonly sharedPerBlockKiB: number;
  readonly sharedUnitBytes: number;
  readonly sharedReservedBytes: number;
  readonly sharedConfigsKiB: readonly number[];
}

const limits = (row: Row, warps: SourceKey = "PG"): GpuFacts["limits"] => ({
  warps: [row.warps, warps],
  threads: [row.warps * 32, warps],
  blocks: [row.blocks, "PG"],
  registers: [65536, "PG"],
  registersPerThread: [255, "PG"],
  registersPerBlock: [65536, "PG"],
  registerUnit: [256, "OCC"],
  threadsPerBlock: [1024, "PG"],
  sharedBytes: [row.sharedKiB * 1024, "PG"],
  sharedBytesPerBlock: [row.sharedPerBlockKiB * 1024, "PG"],
  sharedUnitBytes: [row.sharedUnitBytes, "OCC"],
  sharedReservedBytes: [row.sharedReservedBytes, "PG"],
  sharedConfigsKiB: [row.sharedConfigsKiB, "OCC"],
});

export const limits70 = limits(
  {
    warps: 64,
    blocks: 32,
    sharedKiB: 96,
    sharedPerBlockKiB: 96,
    sharedUnitBytes: 256,
    sharedReservedBytes: 0,
    sharedConfigsKiB: [0, 8, 16, 32, 64, 96],
  },
  "XLA",
);

export const limits75 = limits({
  warps: 32,
  blocks: 16,
  sharedKiB: 64,
  sharedPerBlockKiB: 64,
  sharedUnitBytes: 256,
  sharedReservedBytes: 0,
  sharedConfigsKiB: [32, 64],
});

export const limits80 = limits({
  warps: 64,
  blocks: 32,
  sharedKiB: 164,
  sharedPerBlockKiB: 163,
  sharedUnitBytes: 128,
  sharedReservedBytes: 1024,
  sharedConfigsKiB: [0, 8, 16, 32, 64, 100, 132, 164],
});

export const limits86 = limits({
  warps: 48,
  blocks: 16,
  sharedKiB: 100,
  sharedPerBlockKiB: 99,
  sharedUnitBytes: 128,
  sharedReservedBytes: 1024,
  sharedConfigsKiB: [0, 8, 16, 32, 64, 100],
});

export const limits89 = limits({
  warps: 48,
  blocks: 24,
  sharedKiB: 100,
  sharedPerBlockKiB: 99,
  sharedUnitBytes: 128,
  sharedReservedBytes: 1024,
  sharedConfigsKiB: [0, 8, 16, 32, 64, 100],
});

export const limits90 = limits({
  warps: 64,
  blocks: 32,
  sharedKiB: 228,
  sharedPerBlockKiB: 227,
  sharedUnitBytes: 128,
  sharedReservedBytes: 1024,
  sharedConfigsKiB: [0, 8, 16, 32, 64, 100, 132, 164, 196, 228],
});

/** 10.0 has the limits of 9.0, 12.0 those of 8.9. */
export const limits100 = limits90;
export const limits120 = limits89;
