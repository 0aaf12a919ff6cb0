// How many blocks an SM holds at once: the algorithm of CUDA's occupancy calculator (source OCC), which counts what warps,
// shared memory and registers allow; testdata/timing/occupancy.json records that calculator's answers.

import type { GpuModel } from "./model.js";

/** What one block needs. */
export interface BlockNeeds {
  readonly threads: number;
  /** Per thread; 0 when unknown, then registers are no limit. */
  readonly registers: number;
  /** Static and dynamic, bytes. */
  readonly sharedBytes: number;
}

export type OccupancyLimit = "warps" | "blocks" | "registers" | "shared memory";

export interface Occupancy {
  /** Blocks on an SM; 0 when not even one fits. */
  readonly blocks: number;
  /** Warps on an SM, and as a share of what it can hold. */
  readonly warps: number;
  readonly share: number;
  /** What allows no more; the first of several. */
  readonly limitedBy: OccupancyLimit;
  /** Of the unified L1, how much has to be shared memory for that many blocks, KiB. */
  readonly sharedCarveoutKiB: number;
}

const WARP = 32;
/** CUDA's own bound: one more than a thread can use. */
const MAX_REGISTERS = 256;

export function occupancy({ limits, subcores }: GpuModel, needs: BlockNeeds): Occupancy {
  const warpsPerBlock = Math.ceil(needs.threads / WARP);
  const shared = roundUp(needs.sharedBytes + limits.sharedReservedBytes, limits.sharedUnitBytes);
  const allowed: readonly (readonly [OccupancyLimit, number])[] = [
    ["warps", needs.threads > limits.threadsPerBlock ? 0 : Math.floor(limits.warps / warpsPerBlock)],
    ["blocks", limits.blocks],
    ["registers", blocksByRegisters()],
    ["shared memory", blocksBySharedMemory()],
  ];

  function blocksByRegisters(): number {
    if (needs.registers === 0) return limits.blocks;
    if (needs.registers > MAX_REGISTERS) return 0;
    const perWarp = roundUp(needs.registers * WARP, limits.registerUnit);
    if (perWarp * roundUp(warpsPerBlock, subcores) > limits.registersPerBlock) return 0;
    const warps = Math.floor(limits.registers / subcores / perWarp) * subcores;
    return Math.floor(warps / warpsPerBlock);
  }

  function blocksBySharedMemory(): number {
    if (shared > limits.sharedBytesPerBlock + limits.sharedReservedBytes) return 0;
    return shared === 0 ? Infinity : Math.floor(limits.sharedBytes / shared);
  }

  const [limitedBy, blocks] = allowed.reduce((least, limit) => (limit[1] < least[1] ? limit : least));
  const used = (blocks * shared) / 1024;
  return {
    blocks,
    warps: blocks * warpsPerBlock,
    share: (blocks * warpsPerBlock) / limits.warps,
    limitedBy,
    sharedCarveoutKiB:
      needs.sharedBytes === 0
        ? Math.min(...limits.sharedConfigsKiB)
        : (limits.sharedConfigsKiB.find((config) => config >= used) ?? limits.sharedBytes / 1024),
  };
}

function roundUp(value: number, unit: number): number {
  return Math.ceil(value / unit) * unit;
}
