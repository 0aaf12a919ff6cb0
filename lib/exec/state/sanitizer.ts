// The reference engine's calls to the sanitizer: a watch for each instruction, before it executes, and events that are not an
// instruction. Without a sanitizer, none of these calls is made.

import type { KernelFault } from "./fault.js";
import type { Block, Cluster } from "./block.js";
import type { Frame, Place } from "./frame.js";
import type { AwaitedPhase, Group, Warp } from "./warp.js";

/** Called before the group's next instruction. `active` are the lanes whose guard holds; may be none. */
export type Watch = (warp: Warp, group: Group, active: number) => void;

export interface LaunchSanitizer {
  beginBlock(block: Block): void;
  /** All threads of the cluster have exited. */
  endCluster(cluster: Cluster): void;
  /** A frame begins for lanes, with registers as in the program's image. */
  beginFrame(frame: Frame, lanes: number): void;
  leaveFrame(frame: Frame, lanes: number): void;
  exit(warp: Warp, group: Group, lanes: number): void;
  /** Copies the shadow of a register between frames. */
  copyPlace(source: Frame, from: Place, target: Frame, to: Place, lane: number): void;
  definePlace(frame: Frame, place: Place, lane: number): void;
  /** A system function has returned a value. */
  returned(frame: Frame, to: number | Place, lane: number, bytes: Uint8Array): void;
  /** Copies the shadow of a call's values that are in memory, or are passed to memory: offsets in the frames' local memory. */
  copyBytes(source: Frame, from: number | Place, target: Frame, to: number | Place, bytes: number, lane: number): void;
  /** Lanes arrive at a barrier of the block, before it is known whether it opens. */
  arrive(block: Block, number: number, warp: Warp, lanes: number, expected: number): void;
  /** The barrier opens. `arrived` has the lanes that have arrived, by warp, including those that do not wait. */
  open(block: Block, number: number, arrived: Int32Array): void;
  /** Lanes of a warp meet at bar.warp.sync. */
  syncWarp(warp: Warp, lanes: number): void;
  openCluster(cluster: Cluster): void;
  /** The phases of mbarriers that lanes tested are complete. */
  phaseOver(warp: Warp, frame: Frame, pc: number, awaited: readonly AwaitedPhase[], over: number): void;
  allocated(warp: Warp, frame: Frame, lane: number, address: number, size: number): void;
  /** Called before memory at that address is freed. The address may not be that of a block. */
  freed(warp: Warp, frame: Frame, lane: number, address: number): void;
  /** The system writes at a generic address. */
  written(frame: Frame, lane: number, address: number, bytes: number): void;
  printed(frame: Frame, lane: number, address: number, bytes: number): void;
  fault(cluster: Cluster, fault: KernelFault): void;
  end(): void;
}
