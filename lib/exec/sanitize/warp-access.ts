// Fast path for loads and stores: checks all lanes of a warp at once. It requires that all addresses derive from one object and
// are inside it and aligned, that the bytes are defined, and that no other thread accessed them since the last barrier. All other
// accesses take the slow path, which checks and reports lane by lane (memory-watch.ts).

import { windowBase } from "../../load/address-space.js";
import type { Frame } from "../state/frame.js";
import type { LaunchState } from "../state/launch.js";
import type { Warp } from "../state/warp.js";
import { firstLane } from "../machine/warp.js";
import { touchWarp } from "./cells.js";
import { cellsOf, type LaunchContext } from "./context.js";
import type { Element } from "./initialisation.js";
import { globalObject, type MemoryObject, objectAt, type Objects } from "./objects.js";
import { type WarpOrder, warpOrder } from "./order.js";
import { setUniform, shadowOf, UNKNOWN } from "./register-shadow.js";
import type { BoundTarget } from "../operands/target.js";
import { isGlobalUntracked, sharedWithoutPointers } from "./values.js";

const TWO_32 = 2 ** 32;

/** Addresses by lane: generic for global memory, else the offset in the space. */
const addresses = new Float64Array(32);

/** The object that the address derives from in all lanes; `named` finds that of an address without a register. 0: unknown. */
function objectOfAll(frame: Frame, { shape: { register } }: BoundTarget, named: () => number): number {
  if (register === undefined) return named();
  const id = shadowOf(frame).uniform[register.word]!;
  return id === UNKNOWN ? 0 : id;
}

/** The address to subtract for offsets in the object's space; -1 if the fast path does not support the object or the space. */
function originOf({ launch }: LaunchContext, warp: Warp, bound: BoundTarget, object: MemoryObject): number {
  const { space } = object;
  if (object.dead !== 0) return -1;
  if (space === "global") return bound.space === undefined || bound.space === "global" ? 0 : -1;
  if (space === "shared" && warp.block.cluster.blocks.length === 1)
    return bound.space === "shared" ? 0 : bound.space === undefined ? windowBase("shared", launch.process.space) : -1;
  return space === "param" && bound.space === "param" ? 0 : -1;
}

/** Fills `addresses`. Returns whether all lanes are inside the object and aligned. */
function locate(frame: Frame, bound: BoundTarget, active: number, object: MemoryObject, origin: number): boolean {
  const { register, offset, fromFrame, isNarrow = false } = bound.shape;
  const { bytes, align } = bound;
  const least = object.base;
  const most = object.base + object.size - bytes;
  const fixed = offset - origin + (register === undefined && fromFrame ? frame.localBase : 0);
  const { words, unsigned } = frame;
  for (let lane = 0; lane < 32; lane++) {
    if (((active >>> lane) & 1) === 0) continue;
    let address = fixed;
    if (register !== undefined) {
      const at = register.word + register.stride * lane;
      if (register.stride === 2 && !isNarrow) address += words[at + 1]! * TWO_32 + unsigned[at]!;
      else address = ((unsigned[at]! + offset) >>> 0) - origin;
    }
    if (address < least || address > most || address % align !== 0) return false;
    addresses[lane] = address;
  }
  return true;
}

/** Whether all accessed bytes of the block's shared memory are defined. */
function areDefined(undefinedBits: Uint8Array, active: number, bytes: number): boolean {
  let some = 0;
  for (let lane = 0; lane < 32; lane++) {
    if (((active >>> lane) & 1) === 0) continue;
    const at = addresses[lane]!;
    for (let i = 0; i < bytes; i++) some |= undefinedBits[at + i]!;
  }
  return some === 0;
}

/** Whether a 64-bit element of global memory may be an address of global memory. */
function mayBePointers({ launch }: LaunchContext, active: number, elements: readonly Element[]): boolean {
  const { memory, space } = launch.process;
  const region = memory.find(addresses[firstLane(active)]!, 1);
  if (region === undefined) return true;
  for (let lane = 0; lane < 32; lane++) {
    if (((active >>> lane) & 1) === 0) continue;
    for (const { offset } of elements) {
      const at = addresses[lane]! - region.base + offset;
      const value = region.view.getUint32(at + 4, true) * TWO_32;
      if (value + TWO_32 > space.globalBase && value < space.limit) return true;
    }
  }
  return false;
}

/** Caches, per instruction, the number of its last access record. Lanes at the same step share one record. */
export interface RecordCache {
  order: WarpOrder | undefined;
  step: number;
  record: number;
  context: LaunchContext | undefined;
}

/** The common part of loads and stores. */
export interface WarpAccess {
  readonly bound: BoundTarget;
  readonly elements: readonly Element[];
  readonly cache: RecordCache;
}

/** Records the access for race detection. Returns the lanes that the slow path must check one by one. */
function noteOrder(
  context: LaunchContext,
  warp: Warp,
  frame: Frame,
  pc: number,
  active: number,
  { bound, cache }: WarpAccess,
  space: MemoryObject["space"],
  writes: boolean,
): number {
  if (space !== "global" && space !== "shared") return 0;
  const order = warpOrder(context.order, warp);
  const { step } = order;
  const first = firstLane(active);
  for (let lane = first + 1; lane < 32; lane++)
    if (((active >>> lane) & 1) !== 0 && step[lane] !== step[first]) return active;
  if (cache.context !== context || cache.order !== order || cache.step !== step[first]) {
    cache.record = context.records.number(order, first, context.sites.of(frame.program.fn, pc).index, 0);
    cache.order = order;
    cache.step = step[first]!;
    cache.context = context;
  }
  const cells = cellsOf(context, { space, block: warp.block });
  return touchWarp(cells, active, { warp: order, record: cache.record, writes, bytes: bound.bytes, addresses });
}

/** A weak load. Returns the lanes still to be checked for races, or undefined if the slow path must check everything. */
export function loadOfWarp(
  context: LaunchContext,
  warp: Warp,
  frame: Frame,
  pc: number,
  active: number,
  access: WarpAccess,
  named: () => number,
): number | undefined {
  const { bound, elements } = access;
  const id = objectOfAll(frame, bound, named);
  if (id <= 0) return undefined;
  const object = objectAt(context.objects, id)!;
  const origin = originOf(context, warp, bound, object);
  if (origin < 0 || !locate(frame, bound, active, object, origin)) return undefined;
  const { space } = object;
  const isWide = elements.some(({ bits }) => bits === 64);
  if (space === "global") {
    if (!isGlobalUntracked(context.values) || (isWide && mayBePointers(context, active, elements))) return undefined;
  } else if (space === "shared") {
    const undefinedBits = sharedWithoutPointers(context.values, warp.block);
    if (undefinedBits === undefined || !areDefined(undefinedBits, active, bound.bytes)) return undefined;
  } else if (bound.shape.register !== undefined) return undefined;
  const left = noteOrder(context, warp, frame, pc, active, access, space, false);
  const shadow = shadowOf(frame);
  for (const { place, offset, bits } of elements) {
    if (place === undefined) continue;
    const pointer = space === "param" && bits === 64 ? pointerInParameters(context, bound.shape.offset + offset) : 0;
    setUniform(shadow, place, active, pointer);
  }
  return left;
}

/** The object that a kernel's parameter points to. */
export function pointerInParameters(
  { launch, objects }: { readonly launch: Pick<LaunchState, "parameters" | "process">; readonly objects: Objects },
  at: number,
): number {
  const { parameters, process } = launch;
  if (at < 0 || at + 8 > parameters.byteLength) return 0;
  const value = parameters.getUint32(at + 4, true) * TWO_32 + parameters.getUint32(at, true);
  return value >= process.space.globalBase && value < process.space.limit ? globalObject(objects, value) : 0;
}

/** A weak store; returns as `loadOfWarp` does. */
export function storeOfWarp(
  context: LaunchContext,
  warp: Warp,
  frame: Frame,
  pc: number,
  active: number,
  access: WarpAccess,
  named: () => number,
): number | undefined {
  const { bound, elements } = access;
  const { uniform } = shadowOf(frame);
  // Stored pointers and undefined bits change the shadow memory, which the slow path updates.
  for (const { place } of elements) if (place !== undefined && uniform[place.word] !== 0) return undefined;
  const id = objectOfAll(frame, bound, named);
  if (id <= 0) return undefined;
  const object = objectAt(context.objects, id)!;
  const origin = originOf(context, warp, bound, object);
  const { space } = object;
  if (origin < 0 || space === "param" || !locate(frame, bound, active, object, origin)) return undefined;
  if (space === "global") {
    if (!isGlobalUntracked(context.values)) return undefined;
    return noteOrder(context, warp, frame, pc, active, access, space, true);
  }
  const undefinedBits = sharedWithoutPointers(context.values, warp.block);
  if (undefinedBits === undefined) return undefined;
  const left = noteOrder(context, warp, frame, pc, active, access, space, true);
  for (let lane = 0; lane < 32; lane++) {
    if (((active >>> lane) & 1) === 0) continue;
    const at = addresses[lane]!;
    for (let i = 0; i < bound.bytes; i++) undefinedBits[at + i] = 0;
  }
  return left;
}
