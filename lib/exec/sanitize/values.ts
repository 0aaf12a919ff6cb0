// Shadow memory: the undefined bits of each byte, and the object that each stored pointer was derived from. Shared and local
// memory and the device heap begin undefined, and buffers whose description says so; the host has written everything else.

import type { Memory } from "../../load/memory.js";
import type { Region } from "../../load/region-list.js";
import type { Block } from "../state/block.js";
import type { Warp } from "../state/warp.js";
import type { Target } from "../operands/target.js";

/** Bytes with the undefined bits of memory, and the offset of the first. */
export interface ShadowBytes {
  readonly bytes: Uint8Array;
  readonly offset: number;
}

/** Shadow of a block's shared memory. */
interface SharedShadow {
  readonly bytes: Uint8Array;
  /** Objects of stored pointers, by address. */
  readonly pointers: Map<number, number>;
}

/** Shadow of a warp's local memory: `stride` bytes for each lane. */
interface LocalShadow {
  stride: number;
  bytes: Uint8Array;
  readonly pointers: Map<number, number>;
}

export interface Values {
  readonly memory: Memory;
  readonly shared: Map<Block, SharedShadow>;
  readonly locals: Map<Warp, LocalShadow>;
  /** Undefined bits of global memory, by the region's base; a region without them is defined. */
  readonly regions: Map<number, Uint8Array>;
  /** Objects of pointers in global memory, by address. */
  readonly pointers: Map<number, number>;
}

const LANE_SPAN = 2 ** 24;

export const createValues = (memory: Memory): Values => ({
  memory,
  shared: new Map(),
  locals: new Map(),
  regions: new Map(),
  pointers: new Map(),
});

function localShadow({ locals }: Values, warp: Warp): LocalShadow {
  let known = locals.get(warp);
  if (known === undefined) locals.set(warp, (known = { stride: 0, bytes: new Uint8Array(0), pointers: new Map() }));
  if (known.stride !== warp.localStride) {
    const { localStride } = warp;
    const grown = new Uint8Array(32 * localStride).fill(0xff);
    for (let lane = 0; lane < 32 && known.stride > 0; lane++)
      grown.set(known.bytes.subarray(lane * known.stride, (lane + 1) * known.stride), lane * localStride);
    known.bytes = grown;
    known.stride = localStride;
  }
  return known;
}

// ------------------------------------------------------------------------------------------------------- undefined bits

function shadowBytes(values: Values, target: Target, creates: boolean): ShadowBytes | undefined {
  switch (target.space) {
    case "shared": {
      const ofBlock = values.shared.get(target.block);
      return ofBlock && { bytes: ofBlock.bytes, offset: target.address };
    }
    case "local":
      return localBits(values, target.warp, target.lane, target.address);
    case "global": {
      const { regions, memory } = values;
      if (regions.size === 0 && !creates) return undefined;
      const region = memory.find(target.address, target.bytes);
      if (region === undefined) return undefined;
      let bytes = regions.get(region.base);
      if (bytes === undefined && creates) regions.set(region.base, (bytes = new Uint8Array(region.size)));
      return bytes && { bytes, offset: target.address - region.base };
    }
    default:
      return undefined;
  }
}

/** Undefined if the target's whole region or space is defined. */
export const undefinedBits = (values: Values, target: Target): ShadowBytes | undefined =>
  shadowBytes(values, target, false);

/** The same; created if missing. */
export const writableBits = (values: Values, target: Target): ShadowBytes | undefined =>
  shadowBytes(values, target, true);

/** Undefined bits of a lane's local memory. */
export function localBits(values: Values, warp: Warp, lane: number, offset: number): ShadowBytes {
  const { bytes, stride } = localShadow(values, warp);
  return { bytes, offset: lane * stride + offset };
}

/** Whether every byte of global memory is defined, and none holds a tracked pointer. */
export const isGlobalUntracked = ({ regions, pointers }: Values): boolean => regions.size === 0 && pointers.size === 0;

/** Undefined bits of the block's shared memory; undefined if it holds a tracked pointer. */
export function sharedWithoutPointers({ shared }: Values, block: Block): Uint8Array | undefined {
  const ofBlock = shared.get(block);
  return ofBlock !== undefined && ofBlock.pointers.size === 0 ? ofBlock.bytes : undefined;
}

/** Makes a new block's shared memory undefined except for the system's part, and releases its local shadow. */
export function beginBlockValues({ shared, locals }: Values, block: Block, systemBytes: number): void {
  const bytes = new Uint8Array(block.shared.byteLength).fill(0xff);
  bytes.fill(0, 0, systemBytes);
  shared.set(block, { bytes, pointers: new Map() });
  for (const warp of block.warps) locals.delete(warp);
}

/** Makes a new frame's part of local memory undefined. */
export function undefineLocal(values: Values, warp: Warp, lanes: number, start: number, end: number): void {
  const { bytes, stride } = localShadow(values, warp);
  const last = Math.min(end, stride);
  for (let lane = 0; lane < 32; lane++)
    if (((lanes >>> lane) & 1) !== 0 && start < last) bytes.fill(0xff, lane * stride + start, lane * stride + last);
}

export const undefineRegion = ({ regions }: Values, region: Region): void =>
  void regions.set(region.base, new Uint8Array(region.size).fill(0xff));

// ------------------------------------------------------------------------------------------------------------- pointers

function pointersOf(values: Values, { space, block, warp }: Target): Map<number, number> | undefined {
  switch (space) {
    case "global":
      return values.pointers;
    case "shared":
      return values.shared.get(block)?.pointers;
    case "local":
      return localShadow(values, warp).pointers;
    default:
      return undefined;
  }
}

const pointerKey = ({ space, lane, address }: Target): number =>
  space === "local" ? lane * LANE_SPAN + address : address;

/** The object that the pointer stored there derives from; 0 if unknown. */
export const storedPointer = (values: Values, target: Target): number =>
  pointersOf(values, target)?.get(pointerKey(target)) ?? 0;

export function setStoredPointer(values: Values, target: Target, object: number): void {
  const pointers = pointersOf(values, target);
  if (pointers === undefined) return;
  if (object !== 0) pointers.set(pointerKey(target), object);
  else if (pointers.size > 0) pointers.delete(pointerKey(target));
}
