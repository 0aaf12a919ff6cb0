// Loads and stores of a whole warp at once, where nothing is wrong with them: the addresses of all lanes derive from one object and lie
// in it, aligned, the bytes are defined, and nobody else has touched them since the last barrier. Whatever is not so is left to the
// checks lane by lane (memory-watch.ts), which report it.

import { windowBase } from "../../load/address-space.js";
import type { Frame } from "../frame.js";
import type { Warp } from "../warp.js";
import { firstLane } from "../warp.js";
import type { LaunchContext } from "./context.js";
import type { Element } from "./initialisation.js";
import type { MemoryObject } from "./objects.js";
import type { WarpOrder } from "./order.js";
import { setUniform, shadowOf, UNKNOWN } from "./register-shadow.js";
import type { BoundTarget } from "./target.js";

const TWO_32 = 2 ** 32;

/** Addresses by lane, as accesses have them: generic of global memory, else the offset in the space. */
const addresses = new Float64Array(32);

/** What an address register was derived from in all lanes, or what `named` says of an address without one; 0 where not known. */
function objectOfAll(frame: Frame, { shape: { register } }: BoundTarget, named: () => number): number {
  if (register === undefined) return named();
  const id = shadowOf(frame).uniform[register.word]!;
  return id === UNKNOWN ? 0 : id;
}

/** Whether the object is where the instruction looks, and what its addresses are counted from; -1: not to be told here. */
function originOf({ launch }: LaunchContext, warp: Warp, bound: BoundTarget, object: MemoryObject): number {
  const { space } = object;
  if (object.dead !== 0) return -1;
  if (space === "global") return bound.space === undefined || bound.space === "global" ? 0 : -1;
  if (space === "shared" && warp.block.cluster.blocks.length === 1)
    return bound.space === "shared" ? 0 : bound.space === undefined ? windowBase("shared", launch.process.space) : -1;
  return space === "param" && bound.space === "param" ? 0 : -1;
}

/** Fills `addresses`. Whether all lanes are within the object, and aligned. */
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

/** Whether none of the lanes' bytes of the block's shared memory is undefined. */
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

/** The record's number of the same access, which lanes at one step share; kept for the instruction. */
export interface RecordCache {
  order: WarpOrder | undefined;
  step: number;
  record: number;
  context: LaunchContext | undefined;
}

/** What the two kinds of access have in common. */
export interface WarpAccess {
  readonly bound: BoundTarget;
  readonly elements: readonly Element[];
  readonly cache: RecordCache;
}

/** Lanes that have to be looked at one by one for races; undefined where the access is not one of these at all. */
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
  const order = context.order.of(warp);
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
  const cells = space === "shared" ? context.sharedCells(warp.block) : context.globalCells;
  return cells.touchWarp(active, { warp: order, record: cache.record, writes, bytes: bound.bytes, addresses });
}

/** A weak load. Lanes whose order with others is still to be checked; undefined where all of it is. */
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
  const object = context.objects.at(id)!;
  const origin = originOf(context, warp, bound, object);
  if (origin < 0 || !locate(frame, bound, active, object, origin)) return undefined;
  const { space } = object;
  const isWide = elements.some(({ bits }) => bits === 64);
  if (space === "global") {
    if (!context.values.isPlainGlobal() || (isWide && mayBePointers(context, active, elements))) return undefined;
  } else if (space === "shared") {
    const undefinedBits = context.values.plainShared(warp.block);
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
function pointerInParameters({ launch, objects }: LaunchContext, at: number): number {
  const { parameters, process } = launch;
  if (at < 0 || at + 8 > parameters.byteLength) return 0;
  const value = parameters.getUint32(at + 4, true) * TWO_32 + parameters.getUint32(at, true);
  return value >= process.space.globalBase && value < process.space.limit ? objects.ofGlobal(value) : 0;
}

/** A weak store, likewise. */
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
  // Pointers that are stored, and what nothing has written, are remembered.
  for (const { place } of elements) if (place !== undefined && uniform[place.word] !== 0) return undefined;
  const id = objectOfAll(frame, bound, named);
  if (id <= 0) return undefined;
  const object = context.objects.at(id)!;
  const origin = originOf(context, warp, bound, object);
  const { space } = object;
  if (origin < 0 || space === "param" || !locate(frame, bound, active, object, origin)) return undefined;
  if (space === "global") {
    if (!context.values.isPlainGlobal()) return undefined;
    return noteOrder(context, warp, frame, pc, active, access, space, true);
  }
  const undefinedBits = context.values.plainShared(warp.block);
  if (undefinedBits === undefined) return undefined;
  const left = noteOrder(context, warp, frame, pc, active, access, space, true);
  for (let lane = 0; lane < 32; lane++) {
    if (((active >>> lane) & 1) === 0) continue;
    const at = addresses[lane]!;
    for (let i = 0; i < bound.bytes; i++) undefinedBits[at + i] = 0;
  }
  return left;
}
