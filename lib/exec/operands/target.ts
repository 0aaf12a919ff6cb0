// Resolves an instruction's address operand for a lane to an address in the state space that actually contains it.

import { CLUSTER_STRIDE, spaceOf, windowBase } from "../../load/address-space.js";
import type { AddressShape } from "./access-loop.js";
import type { Block } from "../state/block.js";
import type { Frame } from "../state/frame.js";
import type { AccessedSpace } from "../state/observer.js";
import type { Warp } from "../state/warp.js";

/** An address operand as its meaning has bound it (access.ts). */
export interface BoundTarget {
  /** State space of the instruction or its operand; undefined for generic. */
  readonly space: AccessedSpace | undefined;
  /** Bytes that a lane accesses, and their alignment. */
  readonly bytes: number;
  readonly align: number;
  readonly writes: boolean;
  readonly shape: AddressShape;
  /** A register that holds an address in shared memory includes a block's rank. */
  readonly isRanked: boolean;
  /** Index of the operand in the instruction. */
  readonly operand: number;
}

/** The access of one lane; overwritten for each lane. */
export interface Target {
  space: AccessedSpace | undefined;
  /** Generic address in global memory; otherwise the offset in the space. */
  address: number;
  bytes: number;
  warp: Warp;
  lane: number;
  /** The block whose shared memory is accessed. */
  block: Block;
  /** The address as the register holds it. */
  value: number;
}

const TWO_32 = 2 ** 32;

function valueOf(frame: Frame, { register, offset, fromFrame, isNarrow = false }: AddressShape, lane: number): number {
  if (register === undefined) return fromFrame ? frame.localBase + offset : offset;
  const { word, stride } = register;
  const at = word + stride * lane;
  if (stride === 2 && !isNarrow) return frame.words[at + 1]! * TWO_32 + frame.unsigned[at]! + offset;
  return (frame.unsigned[at]! + offset) >>> 0;
}

/** Fills the target for the lane. `space` is undefined if the address is in no window. */
export function evaluate(bound: BoundTarget, frame: Frame, lane: number, target: Target): void {
  const { warp } = frame;
  const { block } = warp;
  const value = valueOf(frame, bound.shape, lane);
  target.value = value;
  target.bytes = bound.bytes;
  target.warp = warp;
  target.lane = lane;
  target.block = block;
  let { space } = bound;
  let address = value;
  if (space === undefined || space === "global") {
    const layout = block.launch.process.space;
    space = spaceOf(value, layout);
    if (space !== undefined && space !== "global") address = value - windowBase(space, layout);
  }
  if (space === "shared" && (bound.isRanked || bound.space === undefined || block.cluster.blocks.length === 1)) {
    const rank = Math.floor(address / CLUSTER_STRIDE);
    const peer = block.cluster.blocks[rank];
    if (peer === undefined) space = undefined;
    else {
      target.block = peer;
      address %= CLUSTER_STRIDE;
    }
  }
  target.space = space;
  target.address = address;
}
