// A block (CTA): its warps, shared memory and barriers. PTX ISA 9.0 section 9.7.13.1 (barrier).

import { releaseBytes, allocateBytes } from "../../load/arena.js";
import { originOf } from "./cluster-origin.js";
import type { Cluster, Block, Barrier } from "../state/block.js";
import type { Frame } from "../state/frame.js";
import type { LaunchState } from "../state/launch.js";
import type { Group, Warp } from "../state/warp.js";
import { recheckWarp } from "./warp-sync.js";
import { createGroup, removeGroup, countLanes, mergeGroups } from "./warp.js";
import { abandonFrames, leaveFrame, setLive, takeFrame } from "./frame.js";
import { KernelFault } from "../state/fault.js";

export const BARRIER_COUNT = 16;

const NO_RESULTS: Frame["results"] = [];
const NO_LOCAL = allocateBytes(undefined, 0);

/** Prepares the blocks of one cluster to run their first instruction. Clusters are numbered in grid order. */
export function createCluster(launch: LaunchState, index: number): Cluster {
  const cluster = launch.spare.pop() ?? emptyCluster(launch);
  const [cx, cy, cz] = launch.cluster;
  const [originX, originY, originZ] = originOf(launch, index);
  cluster.liveThreads = cx * cy * cz * launch.threadsPerBlock;
  cluster.idleTurns = 0;
  cluster.lap = undefined;
  cluster.blocks.forEach((block, rank) =>
    begin(block, originX + (rank % cx), originY + (Math.floor(rank / cx) % cy), originZ + Math.floor(rank / (cx * cy))),
  );
  return cluster;
}

/** Allocates memory and objects for the blocks of a cluster. */
function emptyCluster(launch: LaunchState): Cluster {
  const [cx, cy, cz] = launch.cluster;
  const blocks: Block[] = [];
  const cluster: Cluster = {
    blocks,
    liveThreads: 0,
    arrived: new Map(),
    running: undefined,
    sliceEnd: 0,
    idleTurns: 0,
    pending: undefined,
    lap: undefined,
  };
  for (let rank = 0; rank < cx * cy * cz; rank++) blocks.push(emptyBlock(launch, cluster, rank));
  return cluster;
}

function emptyBlock(launch: LaunchState, cluster: Cluster, rank: number): Block {
  const warps: Warp[] = [];
  const sharedBytes = allocateBytes(launch.process.memory.arena, launch.allSharedBytes);
  const block: Block = {
    launch,
    cluster,
    rank,
    index: 0,
    tensorMemory: undefined,
    observer: undefined,
    coordinates: [0, 0, 0],
    shared: sharedBytes.view,
    sharedBytes,
    warps,
    barriers: [],
    output: [],
    liveThreads: 0,
  };
  for (let w = 0; w < launch.warpsPerBlock; w++)
    warps.push({
      block,
      index: w,
      live: 0,
      groups: [],
      current: undefined,
      local: NO_LOCAL.view,
      localBytes: NO_LOCAL,
      localStride: 0,
      clock: 0,
      time: -1,
    });
  return block;
}

/** Prepares a block that is new or has ended to run its first instruction. */
function begin(block: Block, x: number, y: number, z: number): void {
  const { launch, warps } = block;
  const [gx, gy] = launch.config.grid;
  block.index = x + gx * (y + gy * z);
  block.coordinates = [x, y, z];
  block.tensorMemory = undefined;
  block.observer = launch.observe?.(block.index);
  block.liveThreads = launch.threadsPerBlock;
  launch.sanitizer?.beginBlock(block);
  const localBase = launch.process.threadBytes;
  const localTop = localBase + launch.program.frameBytes;
  for (const warp of warps) {
    const mask = fullMask(launch, warp.index);
    warp.live = mask;
    warp.clock = 0;
    warp.time = -1;
    const call = { parent: undefined, returnPc: 0, results: NO_RESULTS, link: 0, localBase, lanes: mask };
    const frame = takeFrame(launch.program, warp, call);
    growLocal(warp, localTop);
    warp.groups.push(createGroup(frame, 0, mask));
  }
}

/** Mask of the lanes that exist in a block's warp. */
export function fullMask({ threadsPerBlock }: LaunchState, warp: number): number {
  const lanes = Math.min(32, threadsPerBlock - 32 * warp);
  return lanes === 32 ? -1 : (1 << lanes) - 1;
}

/**
 * Turns a block that is a cluster by itself into another block, before its first instruction. Generated code has already reset
 * its memory and registers (fast/next-block.ts); this updates the host's objects. Every warp still has its kernel's frame.
 */
export function moveBlock(block: Block, index: number, frameOf: (warp: number) => Frame): void {
  const { launch, warps, cluster, barriers } = block;
  const [gx, gy] = launch.config.grid;
  block.index = index;
  block.coordinates = [index % gx, Math.floor(index / gx) % gy, Math.floor(index / (gx * gy))];
  block.liveThreads = cluster.liveThreads = launch.threadsPerBlock;
  barriers.length = 0;
  for (const warp of warps) {
    const [group] = warp.groups as [Group];
    warp.live = group.mask = fullMask(launch, warp.index);
    group.frame = frameOf(warp.index);
    setLive(group.frame, group.mask);
    warp.clock = group.pc = group.penalty = 0;
    group.wait = undefined;
    warp.groups.length = 1;
  }
}

/** Keeps the blocks of a cluster that has ended, cleared, for later clusters of the launch. */
export function retireCluster(cluster: Cluster): void {
  cluster.arrived.clear();
  cluster.running = undefined;
  cluster.pending = undefined;
  const { spare } = cluster.blocks[0]!.launch;
  if (spare.length >= MAX_SPARE) {
    releaseBlocks(cluster);
    return;
  }
  for (const { shared, sharedBytes, warps, barriers, output } of cluster.blocks) {
    if (shared.byteLength > 0) sharedBytes.bytes.fill(0);
    barriers.length = 0;
    output.length = 0;
    for (const warp of warps) {
      warp.current = undefined;
      if (warp.localStride > 0) warp.localBytes.bytes.fill(0);
    }
  }
  spare.push(cluster);
}

/** Maximum number of clusters that are kept. */
const MAX_SPARE = 8;

/**
 * Bytes of local memory that a thread may use: the maximum of sm_75 and later (CUDA C++ guide, appendix "compute capabilities").
 */
export const LOCAL_BYTES_LIMIT = 512 * 1024;

export const STACK_OVERFLOW = `calls and local variables of a thread need more than ${LOCAL_BYTES_LIMIT} bytes of local memory`;

/** Frees the memory of blocks that have ended, or never will. */
export function releaseBlocks({ blocks }: Cluster): void {
  for (const { launch, sharedBytes, warps } of blocks) {
    const { arena } = launch.process.memory;
    releaseBytes(arena, sharedBytes);
    for (const { localBytes, groups } of warps) {
      releaseBytes(arena, localBytes);
      abandonFrames(groups.splice(0).map(({ frame }) => frame));
    }
  }
}

/** Grows the local memory of each lane to `bytes`, keeping its contents. */
export function growLocal(warp: Warp, bytes: number, lane?: number): void {
  if (bytes <= warp.localStride) return;
  if (bytes > LOCAL_BYTES_LIMIT)
    throw new KernelFault("stack-overflow", STACK_OVERFLOW, lane === undefined ? {} : { lane });
  let stride = Math.max(64, warp.localStride);
  while (stride < bytes) stride *= 2;
  const { arena } = warp.block.launch.process.memory;
  const grown = allocateBytes(arena, 32 * stride);
  const { localBytes: old, localStride: before } = warp;
  for (let lane = 0; lane < 32 && before > 0; lane++)
    grown.bytes.set(old.bytes.subarray(lane * before, (lane + 1) * before), lane * stride);
  releaseBytes(arena, old);
  warp.localBytes = grown;
  warp.local = grown.view;
  warp.localStride = stride;
}

/** The block's barrier of that number. */
export function barrierOf(block: Block, number: number): Barrier {
  return (block.barriers[number] ??= {
    expected: 0,
    arrived: new Int32Array(block.warps.length),
    lanes: 0,
    anyone: false,
    truths: 0,
    voters: 0,
    results: [],
  });
}

/** Records the arrival of lanes at a barrier. The last expected arrival opens it. */
export function arriveAtBarrier(block: Block, number: number, warp: Warp, mask: number, expected: number): void {
  const barrier = barrierOf(block, number);
  barrier.anyone = true;
  barrier.expected = expected;
  barrier.lanes += countLanes(mask & ~barrier.arrived[warp.index]!);
  barrier.arrived[warp.index]! |= mask;
  block.launch.sanitizer?.arrive(block, number, warp, mask, expected);
  openIfComplete(block, number);
}

/**
 * Number of arrived threads, as a barrier counts them. With an explicit count, a warp whose live lanes have all arrived counts as
 * a whole warp ("the arrival count is incremented by the warp size"), and lanes that arrived and then exited still count. Without
 * one, only live threads count.
 */
function arrivals(block: Block, barrier: Barrier): number {
  let sum = 0;
  for (const warp of block.warps) {
    const arrived = barrier.arrived[warp.index]!;
    if (barrier.expected === 0) sum += countLanes(arrived & warp.live);
    else sum += arrived !== 0 && (warp.live & ~arrived) === 0 ? 32 : countLanes(arrived);
  }
  return sum;
}

/** Number of threads that have arrived at a barrier, and the number that it waits for. */
export function barrierCount(block: Block, number: number): { readonly come: number; readonly needed: number } {
  const barrier = barrierOf(block, number);
  const needed = barrier.expected > 0 ? barrier.expected : block.liveThreads;
  return { come: arrivals(block, barrier), needed };
}

function openIfComplete(block: Block, number: number): void {
  const barrier = block.barriers[number];
  if (barrier === undefined || !barrier.anyone) return;
  // Without an explicit count, at most `lanes` threads count: most often that decides.
  if (barrier.expected === 0 && barrier.lanes < block.liveThreads) return;
  const needed = barrier.expected > 0 ? barrier.expected : block.liveThreads;
  if (arrivals(block, barrier) < needed) return;
  if (barrier.results.length > 0) {
    for (const write of barrier.results) write(barrier.truths, barrier.voters);
    barrier.results.length = 0;
  }
  block.launch.sanitizer?.open(block, number, barrier.arrived);
  wakeBlock(block, number);
}

/** Completes a barrier: releases the warps that wait for it, and resets it. */
export function wakeBlock(block: Block, number: number): void {
  const barrier = barrierOf(block, number);
  barrier.arrived.fill(0);
  barrier.lanes = 0;
  barrier.anyone = false;
  barrier.truths = 0;
  barrier.voters = 0;
  for (const warp of block.warps) {
    let woken = false;
    for (const group of warp.groups) {
      if (group.wait?.kind !== "barrier" || group.wait.barrier !== number) continue;
      group.wait = undefined;
      woken = true;
    }
    if (woken && warp.groups.length > 1) mergeGroups(warp);
  }
}

/** Removes exiting lanes. Barriers and collectives no longer wait for them. */
export function exitLanes(warp: Warp, group: Group, mask: number): void {
  const block = warp.block;
  block.launch.sanitizer?.exit(warp, group, mask);
  warp.live &= ~mask;
  block.liveThreads -= countLanes(mask);
  block.cluster.liveThreads -= countLanes(mask);
  group.mask &= ~mask;
  for (let frame: typeof group.frame | undefined = group.frame; frame !== undefined;) {
    const parent: typeof group.frame | undefined = frame.parent;
    leaveFrame(frame, mask);
    frame = parent;
  }
  if (group.mask === 0) removeGroup(warp, group);
  recheckWarp(warp);
  for (let number = 0; number < block.barriers.length; number++) openIfComplete(block, number);
  openClusterIfComplete(block.cluster);
}

/** barrier.cluster.arrive: the last arriving thread of the cluster releases the waiting ones. */
export function arriveAtCluster(warp: Warp, mask: number): void {
  const { cluster } = warp.block;
  cluster.arrived.set(warp, (cluster.arrived.get(warp) ?? 0) | mask);
  openClusterIfComplete(cluster);
}

/** Lanes of `mask` that have arrived at the cluster's barrier, while it still waits for others. */
export function clusterWaiters(warp: Warp, mask: number): number {
  return (warp.block.cluster.arrived.get(warp) ?? 0) & mask;
}

function openClusterIfComplete(cluster: Cluster): void {
  if (cluster.arrived.size === 0) return;
  let arrived = 0;
  for (const [warp, mask] of cluster.arrived) arrived += countLanes(mask & warp.live);
  if (arrived < cluster.liveThreads) return;
  cluster.arrived.clear();
  cluster.blocks[0]!.launch.sanitizer?.openCluster(cluster);
  for (const block of cluster.blocks)
    for (const warp of block.warps)
      for (const group of warp.groups) if (group.wait?.kind === "cluster") group.wait = undefined;
}
