// What one PTX instruction cost in a launch: counters that the recorder, the SMs and their memory paths add to while the launch is
// timed. instruction-profile.ts makes the result's rows of them.

import type { TimedSpace } from "./trace.js";
import { stallNames } from "./stalls.js";

export interface InstructionCost {
  /** Warp instructions as the engine counts them, lanes whose guard held, and branches that parted a warp's lanes. */
  executed: number;
  threads: number;
  diverged: number;
  /** Machine instructions that the model issued for it. */
  issued: number;
  /** Warp-cycles in which a warp waited before it, by reason: stalls.ts. */
  readonly stalls: Float64Array;
  /** Where its last access went. */
  space: TimedSpace | undefined;
  /** Accesses of warps, the bytes that their lanes requested, and the 32-byte sectors that they touched. */
  requests: number;
  bytes: number;
  sectors: number;
  /** Of those sectors, how many the L1 had. */
  hits: number;
  /** Cycles of the data stage, and how many there would be without bank conflicts. */
  dataCycles: number;
  leastDataCycles: number;
  /** Of atomics: most lanes on one address, summed over accesses. */
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

/** Bytes that shared memory and the L1 deliver in a cycle. */
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
