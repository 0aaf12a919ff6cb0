// What the reference engine calls where a launch is sanitized: a watch for each instruction, before it is executed, and the events
// that no instruction is by itself. Without a sanitizer none of this is there.

import type { KernelFault } from "./fault.js";
import type { Block, Cluster } from "./block.js";
import type { Frame, Place } from "./frame.js";
import type { AskedPhase, Group, Warp } from "./warp.js";

/** Before the group's next instruction; `active`: lanes whose guard holds, possibly none. */
export type Watch = (warp: Warp, group: Group, active: number) => void;

export interface LaunchSanitizer {
  beginBlock(block: Block): void;
  /** All threads of the cluster have exited. */
  endCluster(cluster: Cluster): void;
  /** A frame begins for lanes, with registers as the program's image has them. */
  beginFrame(frame: Frame, lanes: number): void;
  leaveFrame(frame: Frame, lanes: number): void;
  exit(warp: Warp, group: Group, lanes: number): void;
  /** Copies the shadow of a register between frames. */
  copyPlace(source: Frame, from: Place, target: Frame, to: Place, lane: number): void;
  definePlace(frame: Frame, place: Place, lane: number): void;
  /** A system function has returned a value. */
  returned(frame: Frame, to: number | Place, lane: number, bytes: Uint8Array): void;
  /** Values of a call that are, or go, to memory: offsets in the frames' local memory. */
  copyBytes(source: Frame, from: number | Place, target: Frame, to: number | Place, bytes: number, lane: number): void;
  /** Lanes arrive at a barrier of the block; whether it opens is not known yet. */
  arrive(block: Block, number: number, warp: Warp, lanes: number, expected: number): void;
  /** The barrier opens: `arrived` by warp, those that do not wait too. */
  open(block: Block, number: number, arrived: Int32Array): void;
  /** Lanes of a warp meet at bar.warp.sync. */
  syncWarp(warp: Warp, lanes: number): void;
  openCluster(cluster: Cluster): void;
  /** The phases of mbarriers that lanes tested are complete. */
  phaseOver(warp: Warp, frame: Frame, pc: number, asked: readonly AskedPhase[], over: number): void;
  allocated(warp: Warp, frame: Frame, lane: number, address: number, size: number): void;
  /** Before the block is given back; whether it is one. */
  freed(warp: Warp, frame: Frame, lane: number, address: number): void;
  /** The system writes at a generic address. */
  written(frame: Frame, lane: number, address: number, bytes: number): void;
  printed(frame: Frame, lane: number, address: number, bytes: number): void;
  fault(cluster: Cluster, fault: KernelFault): void;
  end(): void;
}
