// The number of blocks that an SM holds at once: the algorithm of CUDA's occupancy calculator (source OCC), which applies the
// limits of warps, shared memory and registers. testdata/timing/occupancy.json records that calculator's results.

import type { GpuModel } from "./model.js";

/** The requirements of one block. */
export interface BlockNeeds {
  readonly threads: number;
  /** Per thread; 0 if unknown: registers then impose no limit. */
  readonly registers: number;
  /** Static and dynamic, bytes. */
  readonly sharedBytes: number;
}

export type OccupancyLimit = "warps" | "blocks" | "registers" | "shared memory";

export interface Occupancy {
  /** Blocks on an SM; 0 if not even one fits. */
  readonly blocks: number;
  /** Warps on an SM, and as a share of its capacity. */
  readonly warps: number;
  readonly share: number;
  /** The limiting resource; the first if there are several. */
  readonly limitedBy: OccupancyLimit;
  /** The part of the unified L1 that must be shared memory for that many blocks, in KiB. */
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
