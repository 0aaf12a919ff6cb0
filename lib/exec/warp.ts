// A warp's lanes, their divergence and reconvergence. Lanes at the same instruction of the same frame are one group and execute
// together. PTX promises independent thread scheduling (ISA 9.0 section 3.2, Volta and later): every lane makes progress, but the
// ISA does not define where lanes reconverge.
//
// The group deepest in calls runs first, then the one at the lowest pc: the code after a branch usually follows it, so groups
// wait for each other where their paths join. (Rejected: a stack of immediate post-dominators. It issues the same instructions on
// structured code, measured, and cannot run spin locks between lanes.)
// A group that has used up its patience while others wait runs after them once; instructions typical of spin loops use it up
// faster.

import type { Stretch } from "../load/arena.js";
import type { Spot } from "./access.js";
import type { Block } from "./block.js";
import type { Frame } from "./frame.js";

/** Why a group does not run. */
export type Wait =
  /** bar.sync and its kind: until the block's barrier opens. */
  | { readonly kind: "barrier"; readonly barrier: number }
  /** barrier.cluster.wait: until every thread of the cluster has arrived. */
  | { readonly kind: "cluster" }
  /** tcgen05.alloc: until so many columns are free, or the other block of the pair allocates, too. */
  | { readonly kind: "tensor-memory"; readonly columns: number }
  /** A collective: until lanes that it names are in the group too, or `missing` ones have exited. */
  | { readonly kind: "collective"; readonly members: number; readonly missing: number }
  /** A read of a clock: until the timing model has reached it (observer.ts). */
  | { readonly kind: "clock" }
  /** bar.warp.sync: until all named lanes have reached one, at any instruction. */
  | { readonly kind: "warp"; readonly members: number }
  /** A wait at mbarriers, at the group's pc: until one of the phases ends, or it times out (async/waiting.ts). */
  | {
      readonly kind: "mbarrier";
      readonly asked: readonly AskedPhase[];
      /** Writes the result, given the lanes whose phase is complete, and resumes the group. */
      readonly answer: (over: number) => void;
      /** Turns of its warp that it has lasted. */
      turns: number;
    };

/** A phase that some lanes wait for, by its parity. */
export interface AskedPhase {
  readonly at: Spot;
  readonly phase: number;
  readonly lanes: number;
}

export interface Group {
  frame: Frame;
  pc: number;
  mask: number;
  wait: Wait | undefined;
  /** Turns that others have before this group has one again. */
  penalty: number;
  /** Where launches are sanitized: the instruction that it has executed last since its lanes were put together. */
  previous?: number;
}

export interface Warp {
  readonly block: Block;
  /** Number in its block. */
  readonly index: number;
  /** Lanes that have not exited. */
  live: number;
  readonly groups: Group[];
  /** The group that runs, or ran last. */
  current: Group | undefined;
  /** Local memory: lane l's bytes begin at l * localStride. Grows as calls get deeper. */
  local: DataView;
  /** The same bytes, and where they are in the arena. */
  localBytes: Stretch;
  localStride: number;
  /** Instructions issued by this warp; what %clock reads where no model runs in step. */
  clock: number;
  /** The model's time of its last read of a clock; -1 where no model runs in step. */
  time: number;
}

/** Whole number of bits set. */
export function countLanes(mask: number): number {
  let x = mask - ((mask >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The lowest lane in a mask that is not 0. */
export function firstLane(mask: number): number {
  return 31 - Math.clz32(mask & -mask);
}

/** Bytes of a lane's local memory. */
export function localBytes(
  { localBytes: { bytes }, localStride }: Warp,
  lane: number,
  offset: number,
  size: number,
): Uint8Array {
  const start = lane * localStride + offset;
  return bytes.subarray(start, start + size);
}

export function createGroup(frame: Frame, pc: number, mask: number, penalty = 0): Group {
  return { frame, pc, mask, wait: undefined, penalty };
}

/** Adds lanes at a pc; they join the group there if it does not wait at a barrier. */
export function addLanes(warp: Warp, frame: Frame, pc: number, mask: number, penalty: number): void {
  if (mask === 0) return;
  for (const group of warp.groups) {
    if (group.frame === frame && group.pc === pc && mayJoin(group)) {
      group.mask |= mask;
      group.wait = undefined;
      return;
    }
  }
  warp.groups.push(createGroup(frame, pc, mask, penalty));
}

function mayJoin(group: Group): boolean {
  return group.wait === undefined || group.wait.kind === "collective";
}

export function removeGroup(warp: Warp, group: Group): void {
  const index = warp.groups.indexOf(group);
  warp.groups.splice(index, 1);
}

/** Merges groups at the same place. */
export function mergeGroups(warp: Warp): void {
  const groups = warp.groups;
  for (let i = 0; i < groups.length; i++) {
    const kept = groups[i]!;
    if (!mayJoin(kept)) continue;
    for (let j = groups.length - 1; j > i; j--) {
      const other = groups[j]!;
      if (other.frame !== kept.frame || other.pc !== kept.pc || !mayJoin(other)) continue;
      kept.mask |= other.mask;
      kept.wait = undefined;
      groups.splice(j, 1);
    }
  }
}

/** The group to run next, or undefined when all wait. */
export function pickGroup(warp: Warp): Group | undefined {
  let best: Group | undefined;
  for (const group of warp.groups) {
    if (group.wait !== undefined) continue;
    if (best === undefined || comesBefore(group, best)) best = group;
  }
  return best;
}

function comesBefore(a: Group, b: Group): boolean {
  if (a.penalty !== b.penalty) return a.penalty < b.penalty;
  if (a.frame.depth !== b.frame.depth) return a.frame.depth > b.frame.depth;
  return a.pc < b.pc;
}

/** The nearest pc above `pc` of another group of the same frame: the running group stops there to merge with it. */
export function meetingPc(warp: Warp, group: Group): number {
  let nearest = Infinity;
  for (const other of warp.groups) {
    if (other !== group && other.frame === group.frame && other.pc > group.pc && other.pc < nearest && mayJoin(other))
      nearest = other.pc;
  }
  return nearest;
}

/** The nearest pc at or below `pc` of another group of the same frame, or -1. */
export function floorPc(warp: Warp, group: Group): number {
  let nearest = -1;
  for (const other of warp.groups) {
    if (other !== group && other.frame === group.frame && other.pc <= group.pc && other.pc > nearest)
      nearest = other.pc;
  }
  return nearest;
}
