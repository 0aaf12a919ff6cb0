// Copies warps to the records of generated code (scheduler.ts, turn.ts) and back, and decides which blocks' warps can run there
// together. All groups of such warps run or wait at the block's barrier.

import type { Arena } from "../../load/arena.js";
import { barrierOf, exitLanes, fullMask, wakeBlock } from "../machine/block.js";
import type { Block } from "../state/block.js";
import type { Frame } from "../state/frame.js";
import type { Warp } from "../state/warp.js";
import { createGroup } from "../machine/warp.js";
import { CONTEXT, GROUP, GROUP_BYTES, WARP, WARP_BYTES } from "./context.table.js";
import { type FrameAt, kernelFrame } from "./frames.js";
import { WARP_BYTES as TID_BYTES } from "./thread-indices.js";

/** Most warps of a block: 1024 threads. */
const MAX_WARPS = 32;

/** Whether all warps from `first` on are in frames for which `isKnown` is true, and wait for nothing but barrier 0. */
export function mayTakeTurn(
  { warps, launch, cluster, barriers }: Block,
  first: number,
  isKnown: (frame: Frame) => boolean,
): boolean {
  if (warps.length > MAX_WARPS || cluster.blocks.length > 1) return false;
  const [barrier] = barriers;
  if (barrier !== undefined && (barrier.expected !== 0 || barrier.results.length > 0)) return false;
  const top = launch.process.threadBytes + launch.program.frameBytes;
  let running = 0;
  for (let i = first; i < warps.length; i++) {
    const { groups } = warps[i]!;
    if (groups.length === 0) continue;
    if (!groups.every(({ frame }) => isKnown(frame)) || kernelFrame(groups[0]!.frame).localTop !== top) return false;
    const isWaiting = groups.some(({ wait }) => wait !== undefined);
    if (!isWaiting) running++;
    else if (groups.length > 1 || !isAtBarrier(groups[0]!.wait)) return false;
  }
  return running > 0;
}

const isAtBarrier = (wait: Warp["groups"][number]["wait"]): boolean => wait?.kind === "barrier" && wait.barrier === 0;

/** Words of the warps' records. */
export function createWarpRecords(arena: Arena): Int32Array | undefined {
  const storage = arena.take(MAX_WARPS * WARP_BYTES);
  return storage && new Int32Array(storage.bytes.buffer, storage.offset, storage.bytes.length / 4);
}

const WORDS = WARP_BYTES / 4;
const at = (warp: number, field: number): number => warp * WORDS + (field >> 2);

/** Instructions that a warp issued in its last turn, and whether it used its share up. */
export const issuedBy = (records: Int32Array, warp: number): number =>
  records[at(warp, WARP.issued)]! - records[at(warp, WARP.before)]!;
export const isReady = (records: Int32Array, warp: number): boolean => records[at(warp, WARP.isReady)] === 1;

/** Address of the frame in which a warp runs the kernel. */
export const kernelFrameOf = (records: Int32Array, warp: number): number => records[at(warp, WARP.words)]!;

/** Puts a warp's groups into record `number`. */
export function putGroups(records: Int32Array, number: number, { groups }: Warp): void {
  records[at(number, WARP.issued)] = 0;
  records[at(number, WARP.groupCount)] = groups.length;
  for (let i = 0; i < groups.length; i++) {
    const { pc, mask, penalty, frame } = groups[i]!;
    const start = at(number, WARP.groups + GROUP_BYTES * i);
    records[start + (GROUP.pc >> 2)] = pc;
    records[start + (GROUP.mask >> 2)] = mask;
    records[start + (GROUP.penalty >> 2)] = penalty;
    records[start + (GROUP.frame >> 2)] = frame.offset;
  }
}

/** Copies a record's groups back to the warp. */
export function takeGroups(records: Int32Array, number: number, warp: Warp, frameAt: FrameAt): void {
  const { groups } = warp;
  const count = records[at(number, WARP.groupCount)]!;
  if (groups.length > count) groups.length = count;
  for (let i = 0; i < count; i++) {
    const start = at(number, WARP.groups + GROUP_BYTES * i);
    const frame = frameAt(records[start + (GROUP.frame >> 2)]!, warp);
    const group = (groups[i] ??= createGroup(frame, 0, 0));
    group.frame = frame;
    group.pc = records[start + (GROUP.pc >> 2)]!;
    group.mask = records[start + (GROUP.mask >> 2)]!;
    group.penalty = records[start + (GROUP.penalty >> 2)]!;
  }
}

/** Copies the warps from `first` on to their records, and the barrier's count to the context. */
export function putWarps(
  { warps, barriers, launch, liveThreads }: Block,
  first: number,
  records: Int32Array,
  context: Int32Array,
  firstTid: number,
): void {
  for (let i = 0; i < first; i++) records[at(i, WARP.groupCount)] = 0;
  for (let i = first; i < warps.length; i++) {
    const warp = warps[i]!;
    putGroups(records, i, warp);
    records[at(i, WARP.hasExited)] = 0;
    const group = warp.groups[0];
    if (group === undefined) continue;
    records[at(i, WARP.words)] = kernelFrame(group.frame).offset;
    records[at(i, WARP.local)] = warp.localBytes.offset;
    records[at(i, WARP.localStride)] = warp.localStride;
    records[at(i, WARP.tid)] = firstTid + TID_BYTES * i;
    records[at(i, WARP.warpid)] = i;
    records[at(i, WARP.lanes)] = fullMask(launch, i);
    records[at(i, WARP.waits)] = group.wait === undefined ? 0 : 1;
  }
  const barrier = barriers[0];
  context[CONTEXT.arrived >> 2] = barrier?.anyone === true ? barrier.lanes : 0;
  context[CONTEXT.hasOpened >> 2] = 0;
  context[CONTEXT.live >> 2] = liveThreads;
}

/** Copies the records back to the warps. Clocks are those in `clocks` plus what the warps have issued. */
export function takeWarps(
  block: Block,
  first: number,
  records: Int32Array,
  context: Int32Array,
  clocks: readonly number[],
  frameAt: FrameAt,
): void {
  const { warps } = block;
  const arrived = context[CONTEXT.arrived >> 2]!;
  if (context[CONTEXT.hasOpened >> 2] === 1) wakeBlock(block, 0);
  const barrier = arrived > 0 ? barrierOf(block, 0) : undefined;
  if (barrier !== undefined) {
    barrier.anyone = true;
    barrier.expected = 0;
    barrier.lanes = arrived;
  }
  for (let i = first; i < warps.length; i++) {
    const warp = warps[i]!;
    if (warp.groups.length === 0) continue;
    warp.clock = clocks[i]! + records[at(i, WARP.issued)]!;
    if (records[at(i, WARP.hasExited)] === 1) continue;
    takeGroups(records, i, warp, frameAt);
    const waits = records[at(i, WARP.waits)] === 1;
    warp.groups[0]!.wait = waits ? AT_BARRIER : undefined;
    if (waits) barrier!.arrived[i] = warp.groups[0]!.mask;
  }
  // Exits come last: they may release other warps, which must be recorded as waiting by then.
  for (let i = first; i < warps.length; i++) {
    const warp = warps[i]!;
    if (warp.groups.length === 0 || records[at(i, WARP.hasExited)] !== 1) continue;
    warp.groups.length = 1;
    const [group] = warp.groups;
    group!.frame = frameAt(kernelFrameOf(records, i), warp);
    group!.mask = warp.live;
    group!.wait = undefined;
    warp.current = group;
    exitLanes(warp, group!, warp.live);
  }
}

const AT_BARRIER = { kind: "barrier", barrier: 0 } as const;
