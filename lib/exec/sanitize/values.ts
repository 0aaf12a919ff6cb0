// What is known of memory's bytes beside their values: which bits nothing has written, and of pointers kept there what they were derived
// from. Shared and local memory and the device heap begin undefined, buffers where their description says so; everything else is
// what the host wrote.

import type { Block } from "../block.js";
import type { Warp } from "../warp.js";
import type { Memory, Region } from "../../load/memory.js";
import type { Target } from "./target.js";

export interface Values {
  /** Undefined bits of the bytes, and where they begin; undefined where every byte of what holds them is defined. */
  bits(target: Target): { readonly bytes: Uint8Array; readonly offset: number } | undefined;
  /** The same; created if missing. */
  writable(target: Target): { readonly bytes: Uint8Array; readonly offset: number } | undefined;
  /** Whether every byte of global memory is defined, and none holds a tracked pointer. */
  isPlainGlobal(): boolean;
  /** Undefined bits of the block's shared memory; undefined if it holds a tracked pointer. */
  plainShared(block: Block): Uint8Array | undefined;
  /** The object that the pointer stored there derives from; 0 if unknown. */
  pointer(target: Target): number;
  setPointer(target: Target, object: number): void;
  beginBlock(block: Block, systemBytes: number): void;
  /** The frame's part of local memory is new. */
  beginFrame(warp: Warp, lanes: number, start: number, end: number): void;
  /** Nothing is written there yet. */
  undefine(region: Region): void;
  /** The bytes of that many in a lane's local memory. */
  local(warp: Warp, lane: number, offset: number): { readonly bytes: Uint8Array; readonly offset: number };
}

interface Local {
  stride: number;
  bytes: Uint8Array;
  readonly pointers: Map<number, number>;
}

const LANE_SPAN = 2 ** 24;

export function createValues(memory: Memory): Values {
  const shared = new Map<Block, { readonly bytes: Uint8Array; readonly pointers: Map<number, number> }>();
  const locals = new Map<Warp, Local>();
  const regions = new Map<number, Uint8Array>();
  const pointers = new Map<number, number>();

  const localOf = (warp: Warp): Local => {
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
  };
  const mapOf = (target: Target): Map<number, number> | undefined => {
    switch (target.space) {
      case "global":
        return pointers;
      case "shared":
        return shared.get(target.block)?.pointers;
      case "local":
        return localOf(target.warp).pointers;
      default:
        return undefined;
    }
  };
  const keyOf = ({ space, lane, address }: Target): number =>
    space === "local" ? lane * LANE_SPAN + address : address;
  const found = (target: Target, makes: boolean): ReturnType<Values["bits"]> => {
    switch (target.space) {
      case "shared": {
        const ofBlock = shared.get(target.block);
        return ofBlock && { bytes: ofBlock.bytes, offset: target.address };
      }
      case "local": {
        const { bytes, stride } = localOf(target.warp);
        return { bytes, offset: target.lane * stride + target.address };
      }
      case "global": {
        if (regions.size === 0 && !makes) return undefined;
        const region = memory.find(target.address, target.bytes);
        if (region === undefined) return undefined;
        let bytes = regions.get(region.base);
        if (bytes === undefined && makes) regions.set(region.base, (bytes = new Uint8Array(region.size)));
        return bytes && { bytes, offset: target.address - region.base };
      }
      default:
        return undefined;
    }
  };

  return {
    bits: (target) => found(target, false),
    writable: (target) => found(target, true),
    isPlainGlobal: () => regions.size === 0 && pointers.size === 0,
    plainShared(block) {
      const ofBlock = shared.get(block);
      return ofBlock !== undefined && ofBlock.pointers.size === 0 ? ofBlock.bytes : undefined;
    },
    pointer: (target) => mapOf(target)?.get(keyOf(target)) ?? 0,
    setPointer(target, object) {
      const map = mapOf(target);
      if (map === undefined) return;
      if (object !== 0) map.set(keyOf(target), object);
      else if (map.size > 0) map.delete(keyOf(target));
    },
    beginBlock(block, systemBytes) {
      const bytes = new Uint8Array(block.shared.byteLength).fill(0xff);
      bytes.fill(0, 0, systemBytes);
      shared.set(block, { bytes, pointers: new Map() });
      for (const warp of block.warps) locals.delete(warp);
    },
    beginFrame(warp, lanes, start, end) {
      const { bytes, stride } = localOf(warp);
      const last = Math.min(end, stride);
      for (let lane = 0; lane < 32; lane++)
        if (((lanes >>> lane) & 1) !== 0 && start < last) bytes.fill(0xff, lane * stride + start, lane * stride + last);
    },
    undefine: (region) => void regions.set(region.base, new Uint8Array(region.size).fill(0xff)),
    local(warp, lane, offset) {
      const { bytes, stride } = localOf(warp);
      return { bytes, offset: lane * stride + offset };
    },
  };
}
