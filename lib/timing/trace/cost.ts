// The cost of one PTX instruction in a launch: counters that the recorder, the SMs and their memory paths add to.
// instruction-profile.ts converts them to rows of the result.

import type { TimedSpace } from "./trace.js";
import { stallNames } from "./stalls.js";

export interface InstructionCost {
  /** Warp instructions as the engine counts them, lanes whose guard held, and branches that diverged. */
  executed: number;
  threads: number;
  diverged: number;
  /** Machine instructions that the model issued for it. */
  issued: number;
  /** Warp-cycles in which a warp waited before it, by reason: stalls.ts. */
  readonly stalls: Float64Array;
  /** The space of its last access. */
  space: TimedSpace | undefined;
  /** Accesses of warps, the bytes that their lanes requested, and the 32-byte sectors that they touched. */
  requests: number;
  bytes: number;
  sectors: number;
  /** Number of those sectors that hit L1. */
  hits: number;
  /** Cycles of the data stage, and the number without bank conflicts. */
  dataCycles: number;
  leastDataCycles: number;
  /** For atomics: maximum number of lanes on one address, summed over accesses. */
  conflicts: number;
}

export const createCost = (): InstructionCost => ({
  executed: 0,
  threads: 0,
  diverged: 0,
  issued: 0,
  stalls: new Float64Array(stallNames.length),
  space: undefined,
  requests: 0,
  bytes: 0,
  sectors: 0,
  hits: 0,
  dataCycles: 0,
  leastDataCycles: 0,
  conflicts: 0,
});

/** Bytes that shared memory and the L1 deliver per cycle. */
const DATA_BYTES = 128;

/** One recorded access. */
export interface AccessFootprint {
  readonly wavefronts: number;
  readonly conflicts: number;
  readonly bytes: number;
  readonly sectorCount: number;
}

export function countAccess(cost: InstructionCost, space: TimedSpace, access: AccessFootprint): void {
  cost.space = space;
  cost.requests++;
  cost.bytes += access.bytes;
  cost.sectors += access.sectorCount;
  cost.dataCycles += access.wavefronts;
  cost.leastDataCycles += Math.min(access.wavefronts, Math.max(1, Math.ceil(access.bytes / DATA_BYTES)));
  cost.conflicts += access.conflicts;
}
