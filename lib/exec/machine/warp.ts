// A warp's lanes, their divergence and reconvergence. Lanes at the same instruction of the same frame are one group and execute
// together. PTX promises independent thread scheduling (ISA 9.0 section 3.2, Volta and later): every lane makes progress, but the
// ISA does not define where lanes reconverge.
//
// The group deepest in calls runs first, then the one at the lowest pc: the code after a branch usually follows it, so groups
// wait for each other where their paths join. (Rejected: a stack of immediate post-dominators. It issues the same instructions on
// structured code, measured, and cannot run spin locks between lanes.)
// A group that has used up its patience while others wait runs after them once; instructions typical of spin loops use it up
// faster.

import type { Frame } from "../state/frame.js";
import type { Warp, Group } from "../state/warp.js";

/** Number of bits set. */
export function countLanes(mask: number): number {
  let x = mask - ((mask >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The lowest lane in a mask that is not 0. */
export function firstLane(mask: number): number {
  return 31 - Math.clz32(mask & -mask);
}

/** Bytes in a lane's local memory. */
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

/** Adds lanes at a pc. They join the group there, unless it waits for anything other than a collective. */
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
export function reconvergencePc(warp: Warp, group: Group): number {
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
