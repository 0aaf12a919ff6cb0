// Derives the checks of a screened launch: what is recorded of each memory depends on how all of the kernel's instructions access
// it. Memory that no thread writes, or that all threads access by atomic operations, has no races.

import type { AddressSpace } from "../../load/address-space.js";
import type { Memory } from "../../load/memory.js";
import type { Region } from "../../load/region-list.js";
import type { AccessCheck } from "../fast/access-checks.js";
import type { PlannedAccess, ScreeningPlan } from "./screening-plan.js";

/** A memory that the kernel accesses: a region of global memory, the block's shared memory, or constants. */
export interface CheckedMemory {
  readonly region: Region | undefined;
  readonly space: "global" | "shared" | "const";
  /** Bytes of a cell: those of the smallest access. */
  cell: number;
  reads: boolean;
  writes: boolean;
  atomics: boolean;
}

export interface CheckedAccess extends PlannedAccess {
  readonly memory: CheckedMemory;
}

export interface LaunchChecks {
  readonly memories: readonly CheckedMemory[];
  readonly accesses: ReadonlyMap<number, CheckedAccess>;
  readonly checks: ReadonlyMap<number, Omit<AccessCheck, "entry">>;
}

const LARGEST_CELL = 16;

/** Undefined where generated code cannot reach all of the memory. */
export function checksOf(plan: ScreeningPlan, find: Memory["find"], space: AddressSpace): LaunchChecks | undefined {
  const memories = new Map<Region | string, CheckedMemory>();
  const accesses = new Map<number, CheckedAccess>();
  for (const [pc, planned] of plan) {
    const { object, access, bound } = planned;
    const region = object.space === "global" ? find(object.base, 1) : undefined;
    if (object.space === "global" && (region === undefined || region.offset < 0 || region.owner !== "host"))
      return undefined;
    const key = region ?? object.space;
    let memory = memories.get(key);
    if (memory === undefined) {
      const of = object.space as CheckedMemory["space"];
      memory = { region, space: of, cell: LARGEST_CELL, reads: false, writes: false, atomics: false };
      memories.set(key, memory);
    }
    memory.cell = Math.min(memory.cell, bound.bytes);
    if (access === "read") memory.reads = true;
    else if (access === "write") memory.writes = true;
    else memory.atomics = true;
    accesses.set(pc, { ...planned, memory });
  }
  const checks = new Map([...accesses].map(([pc, access]) => [pc, checkOf(access, space)]));
  return { memories: [...memories.values()], accesses, checks };
}

/** Whether accesses to the memory are recorded. */
export const isRecorded = ({ space, reads, writes, atomics }: CheckedMemory): boolean =>
  space === "shared" || (space === "global" && (writes || (atomics && reads)));

function checkOf({ memory, bound, access, isWide }: CheckedAccess, space: AddressSpace): Omit<AccessCheck, "entry"> {
  const from = Math.floor(space.globalBase / 2 ** 32);
  const isShared = memory.space === "shared";
  return {
    races: !isRecorded(memory) ? "bounds" : isShared ? "shared" : "global",
    access,
    isShared,
    bytes: bound.bytes,
    cellShift: Math.log2(memory.cell),
    tracksReads: memory.reads,
    pointers: isWide ? { from, count: Math.ceil(space.limit / 2 ** 32) - from } : undefined,
  };
}
