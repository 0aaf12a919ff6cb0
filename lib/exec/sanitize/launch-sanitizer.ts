// Hooks of one launch, which the reference engine calls for events that are not instructions of their own (state/sanitizer.ts).

import { spaceOf, windowBase } from "../../load/address-space.js";
import type { Block, Cluster } from "../state/block.js";
import type { Frame, Place, RegisterShadow } from "../state/frame.js";
import type { LaunchSanitizer } from "../state/sanitizer.js";
import { endOperations } from "./async-watch.js";
import { arriveAtBarrier, leaveCluster, openCluster, syncLanes } from "./barrier-order.js";
import { callPc, type LaunchContext } from "./context.js";
import { reportFault } from "./fault-findings.js";
import { type Allocations, heapAllocated, heapFreed } from "./heap-watch.js";
import { defineBytes, originOf, reportUse } from "./initialisation.js";
import { phasesOver } from "./mbarrier-watch.js";
import { newTarget } from "./memory-watch.js";
import { globalObject, objectAt } from "./objects.js";
import { copyShadow, createRegisterShadow, setObject, setUndefined, shadowOf, UNKNOWN } from "./register-shadow.js";
import { barrierOpens, barrierStateOf, lanesExit } from "./sync-watch.js";
import {
  beginBlockValues,
  localBits,
  setStoredPointer,
  type ShadowBytes,
  storedPointer,
  undefinedBits,
  undefineLocal,
} from "./values.js";

export function createLaunchSanitizer(
  context: LaunchContext,
  allocations: Allocations,
  end: () => void,
): LaunchSanitizer {
  const { order } = context;
  return {
    beginBlock: (block) => beginBlock(context, block),
    endCluster({ blocks }) {
      for (const { warps } of blocks) endOperations(context, warps);
    },
    beginFrame: (frame, lanes) => beginFrame(context, frame, lanes),
    leaveFrame: (frame, lanes) => leaveFrame(context, frame, lanes),
    exit: (warp, group, lanes) => lanesExit(context, warp, group, lanes),
    copyPlace: (source, from, target, to, lane) => copyShadow(shadowOf(source), from, lane, shadowOf(target), to, lane),
    definePlace: (frame, place, lane) => definePlace(frame, place, lane, 0),
    returned: (frame, to, lane, bytes) => returned(context, frame, to, lane, bytes),
    copyBytes: (source, from, target, to, bytes, lane) => copyBytes(context, source, from, target, to, bytes, lane),
    arrive: (block, number, warp, lanes) => arriveAtBarrier(order, block, number, warp, lanes),
    open: (block, number, arrived) => barrierOpens(context, block, number, arrived),
    syncWarp: (warp, lanes) => syncLanes(order, warp, lanes),
    openCluster: (cluster) => clusterOpens(context, cluster),
    phaseOver(warp, frame, pc, awaited, over) {
      const acquires = frame.program.fn.code.instructions[pc]?.opcode.chosen.includes("relaxed") !== true;
      phasesOver(context, warp, awaited, over, acquires);
    },
    allocated: (warp, frame, lane, address, size) =>
      heapAllocated(context, allocations, warp, frame, lane, address, size),
    freed: (warp, frame, lane, address) => heapFreed(context, warp, frame, lane, address),
    written: (frame, lane, address, bytes) => written(context, frame, lane, address, bytes),
    printed: (frame, lane, address, bytes) => printed(context, frame, lane, address, bytes),
    fault(cluster, fault) {
      // No thread waits any more. Reading bytes too early is a likely cause of the fault.
      endOperations(context, [...context.groups.keys()]);
      reportFault(context, cluster, fault);
    },
    end,
  };
}

function beginBlock(context: LaunchContext, block: Block): void {
  context.forget(block);
  context.mbarriers.delete(block);
  const state = barrierStateOf(context);
  state.coming.delete(block);
  state.exits.delete(block);
  for (const warp of block.warps) {
    state.cluster.delete(warp);
    state.lastSteps.delete(warp);
  }
  beginBlockValues(context.values, block, context.launch.kernel.systemSharedBytes);
}

function clusterOpens({ order }: LaunchContext, { blocks }: Cluster): void {
  openCluster(order, blocks[0]!);
  for (const { warps } of blocks)
    for (const warp of warps) {
      const lanes = warp.groups.reduce((sum, { wait, mask }) => (wait?.kind === "cluster" ? sum | mask : sum), 0);
      if (lanes !== 0) leaveCluster(order, warp, lanes);
    }
}

// --------------------------------------------------------------------------------------------------------------- frames

function beginFrame({ values }: LaunchContext, frame: Frame, lanes: number): void {
  frame.shadow ??= createRegisterShadow(frame.program.undefinedImage!);
  const shadow = frame.shadow;
  shadow.undef.set(shadow.image);
  shadow.uniform.set(shadow.uniformImage);
  shadow.lanes = lanes;
  shadow.object.fill(0);
  shadow.origin.fill(0);
  shadow.locals.clear();
  if (frame.localTop > frame.localBase) undefineLocal(values, frame.warp, lanes, frame.localBase, frame.localTop);
}

function leaveFrame({ objects }: LaunchContext, { shadow }: Frame, lanes: number): void {
  for (const id of shadow?.locals.values() ?? []) {
    const object = objectAt(objects, id)!;
    if (object.kind === "local") object.dead |= lanes;
  }
}

function definePlace(frame: Frame, place: Place, lane: number, object: number): void {
  const shadow = shadowOf(frame);
  setUndefined(shadow, place, lane, false);
  setObject(shadow, place, lane, object);
}

const localTarget = ({ warp, localBase }: Frame, offset: number, bytes: number, lane: number) =>
  Object.assign(newTarget(warp), { space: "local" as const, address: localBase + offset, bytes, lane });

const frameBits = ({ values }: LaunchContext, { warp, localBase }: Frame, offset: number, lane: number): ShadowBytes =>
  localBits(values, warp, lane, localBase + offset);

// --------------------------------------------------------------------------------------------------------- system calls

/** The value of eight bytes, which may be an address. */
const addressIn = (bytes: Uint8Array): number | undefined =>
  bytes.length === 8 ? Number(new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0, true)) : undefined;

/** A system function's value is defined, and may be an address. */
function returned(context: LaunchContext, frame: Frame, to: number | Place, lane: number, value: Uint8Array): void {
  const address = addressIn(value);
  const object = address === undefined ? 0 : globalObject(context.objects, address);
  if (typeof to !== "number") {
    definePlace(frame, to, lane, object);
    return;
  }
  const { bytes, offset } = frameBits(context, frame, to, lane);
  bytes.fill(0, offset, offset + value.length);
  setStoredPointer(context.values, localTarget(frame, to, value.length, lane), object);
}

function written(context: LaunchContext, frame: Frame, lane: number, address: number, bytes: number): void {
  const target = newTarget(frame.warp);
  const { space: layout } = context.launch.process;
  const space = spaceOf(address, layout);
  const base = space === undefined || space === "global" ? 0 : windowBase(space, layout);
  defineBytes(context, Object.assign(target, { space, address: address - base, value: address, bytes, lane }));
}

function printed(context: LaunchContext, frame: Frame, lane: number, address: number, bytes: number): void {
  const { warp } = frame;
  const offset = address - windowBase("local", context.launch.process.space);
  if (offset < 0 || offset + bytes > frame.localTop) return;
  const target = Object.assign(newTarget(warp), {
    space: "local" as const,
    address: offset,
    value: address,
    bytes,
    lane,
  });
  const found = undefinedBits(context.values, target);
  if (found === undefined) return;
  const end = found.offset + bytes;
  if (found.bytes.subarray(found.offset, end).every((bits) => bits === 0)) return;
  const place = frame.program.registerCount > 0 ? frame.program.registerPlace(0) : undefined;
  if (place === undefined) return;
  const actor = { warp, frame, pc: callPc(warp, frame), lane };
  withOrigin(shadowOf(frame), place, lane, originOf(context, actor, target, 0), () =>
    reportUse(context, actor, place, "print", bytes),
  );
  found.bytes.fill(0, found.offset, end);
}

/** Reports a value without a register of its own: meanwhile, `place` has its origin. */
function withOrigin(
  shadow: RegisterShadow,
  { word, stride }: Place,
  lane: number,
  origin: number,
  report: () => void,
): void {
  const at = word + stride * lane;
  const before = [shadow.undef[at]!, shadow.origin[at]!] as const;
  shadow.origin[at] = origin;
  report();
  [shadow.undef[at], shadow.origin[at]] = before;
}

// ---------------------------------------------------------------------------------------------------------------- calls

/** Copies shadow between registers and local memory, or within local memory. */
function copyBytes(
  context: LaunchContext,
  source: Frame,
  from: number | Place,
  target: Frame,
  to: number | Place,
  bytes: number,
  lane: number,
): void {
  const bits = new Uint8Array(bytes);
  const object =
    typeof from === "number"
      ? readLocal(context, source, from, lane, bits)
      : readRegister(shadowOf(source), from, lane, bits);
  if (typeof to !== "number") {
    writeRegister(shadowOf(target), to, lane, bits, object);
    return;
  }
  if (typeof from === "number") copyFurtherPointers(context, source, from, target, to, bytes, lane);
  const found = frameBits(context, target, to, lane);
  found.bytes.set(bits, found.offset);
  setStoredPointer(context.values, localTarget(target, to, bytes, lane), object);
}

/** Fills `bits` with the undefined bits there. Returns the pointer's object. */
function readLocal(context: LaunchContext, frame: Frame, from: number, lane: number, bits: Uint8Array): number {
  const { bytes, offset } = frameBits(context, frame, from, lane);
  bits.set(bytes.subarray(offset, offset + bits.length));
  return storedPointer(context.values, localTarget(frame, from, bits.length, lane));
}

function readRegister(
  { undef, object }: RegisterShadow,
  { word, stride }: Place,
  lane: number,
  bits: Uint8Array,
): number {
  if (stride === 0) return 0;
  const at = word + stride * lane;
  for (let i = 0; i < bits.length; i++) bits[i] = i < 4 * stride ? undef[at + (i >> 2)]! >>> (8 * (i & 3)) : 0;
  return object[at]!;
}

function writeRegister(shadow: RegisterShadow, to: Place, lane: number, bits: Uint8Array, object: number): void {
  setUndefined(shadow, to, lane, false);
  if (to.stride === 0) return;
  const at = to.word + to.stride * lane;
  if (bits.some((byte) => byte !== 0)) shadow.uniform[to.word] = UNKNOWN;
  for (let i = 0; i < bits.length && i < 4 * to.stride; i++) shadow.undef[at + (i >> 2)]! |= bits[i]! << (8 * (i & 3));
  setObject(shadow, to, lane, object);
}

/** Copies the pointers that a structure holds after its first word. */
function copyFurtherPointers(
  { values }: LaunchContext,
  source: Frame,
  from: number,
  target: Frame,
  to: number,
  bytes: number,
  lane: number,
): void {
  for (let at = 4; at < bytes; at += 4)
    setStoredPointer(
      values,
      localTarget(target, to + at, bytes, lane),
      storedPointer(values, localTarget(source, from + at, bytes, lane)),
    );
}
