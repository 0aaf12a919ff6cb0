// Checks asynchronous copies, whose accesses last from the issue to the wait for completion (PTX ISA 9.0 section 9.7.9.25), and
// stores that signal an mbarrier.

import type { Watched } from "../operands/watched.js";
import type { Block } from "../state/block.js";
import type { Frame } from "../state/frame.js";
import type { Warp } from "../state/warp.js";
import { releaseLane, warpOrder } from "./order.js";
import { hasModifier, type Opcode, hasTrait, typeOf } from "../../isa/opcode.js";
import { TENSOR_MAP_BYTES } from "../../load/tensor-map.js";
import { readTensorMapObject } from "../async/tensor-map.js";
import { tileCounts } from "../async/tensor-rows.js";
import { KernelFault } from "../state/fault.js";
import { joinClocks } from "./clock.js";
import { firstLane } from "../machine/warp.js";
import { checkOrderOf } from "./access-check.js";
import { checkBounds } from "./bounds-check.js";
import type { Actor, LaneGroups, LaunchContext, MbarrierState } from "./context.js";
import type { AccessName } from "./finding.js";
import { defineBytes } from "./initialisation.js";
import { numberOf, objectOfTarget, operandNamed, targetNamed, type WatchOf } from "./instruction.js";
import { currentMbarrier } from "./mbarrier-watch.js";
import { checkAddress, newTarget } from "./memory-watch.js";
import { type AsyncOperation, createOperation } from "./operations.js";
import { strengthOf } from "./records.js";
import { type BoundTarget, evaluate, type Target } from "../operands/target.js";
import { objectAt } from "./objects.js";

type Kind = "copy" | "bulk";

function groupsOf(context: LaunchContext, warp: Warp, kind: string): LaneGroups[] {
  let ofWarp = context.groups.get(warp);
  if (ofWarp === undefined) context.groups.set(warp, (ofWarp = new Map<string, LaneGroups[]>()));
  let found = ofWarp.get(kind);
  if (found === undefined) ofWarp.set(kind, (found = Array.from({ length: 32 }, () => ({ open: [], committed: [] }))));
  return found;
}

/** One access of an asynchronous operation, with its record. */
interface Moving {
  readonly operation: AsyncOperation;
  readonly record: number;
  readonly access: AccessName;
}

function moving(
  context: LaunchContext,
  warp: Warp,
  frame: Frame,
  pc: number,
  lane: number,
  opcode: Opcode,
  access: AccessName,
  signals = false,
): Moving {
  const order = warpOrder(context.order, warp);
  const { index: site } = context.sites.of(frame.program.fn, pc);
  let counts = context.issued.get(order);
  if (counts === undefined) context.issued.set(order, (counts = new Map()));
  const ordinal = counts.get(site) ?? 0;
  counts.set(site, ordinal + 1);
  const operation = createOperation(context.order, order, { name: nameOf(opcode), signals, site, ordinal });
  const strength = access === "atomic" ? strengthOf(2) : 0;
  return { operation, record: context.records.number(order, lane, site, strength, operation), access };
}

const nameOf = ({ spelling, form }: Opcode): string =>
  form.id.includes("tensor") || form.id.includes("bulk")
    ? spelling.split(".").slice(0, 3).join(".")
    : form.id.startsWith("cp.async")
      ? "cp.async"
      : form.id;

/** Checks a lane's access by an operation. Returns whether its address is valid. */
function touch(
  context: LaunchContext,
  actor: Actor,
  bound: BoundTarget,
  target: Target,
  object: number,
  bytes: number,
  { record, access }: Moving,
  block?: Block,
): boolean {
  checkAddress(context, actor, bound);
  evaluate(bound, actor.frame, actor.lane, target);
  if (block !== undefined) target.block = block;
  target.bytes = bytes;
  if (!checkBounds(context, actor, target, object, access, bound.align)) return false;
  if (target.space !== "shared" && target.space !== "global") return true;
  if (access !== "read") defineBytes(context, target);
  checkOrderOf(context, actor, target, access, record);
  return true;
}

const copy: WatchOf = (watched) => {
  const [to, from] = [targetNamed(watched, "d"), targetNamed(watched, "a")];
  if (to === undefined || from === undefined) return undefined;
  const sizeOperand = operandNamed(watched, "size");
  const size = sizeOperand?.kind === "immediate" ? Number(sizeOperand.bits) : to.bytes;
  const usedOf = numberOf(watched, operandNamed(watched, "used"), size);
  const ignore = operandNamed(watched, "ignore");
  const ignored = ignore?.kind === "register" ? watched.places.register(ignore.register).word : -1;
  return (context, warp, { frame, pc }, active) => {
    const target = newTarget(warp);
    const [toObject, fromObject] = [objectOfTarget(context, watched, to), objectOfTarget(context, watched, from)];
    const first = firstLane(active);
    const writing = moving(context, warp, frame, pc, first, watched.opcode, "write");
    const reading = moving(context, warp, frame, pc, first, watched.opcode, "read");
    const groups = groupsOf(context, warp, "copy");
    for (let rest = active; rest !== 0; rest &= rest - 1) {
      const lane = firstLane(rest);
      const actor: Actor = { warp, frame, pc, lane };
      const isIgnored = ignored >= 0 && ((frame.words[ignored]! >>> lane) & 1) !== 0;
      const used = isIgnored ? 0 : Math.min(size, usedOf(frame, lane));
      if (used > 0) touch(context, actor, { ...from, align: size }, target, fromObject(frame, lane), used, reading);
      touch(context, actor, to, target, toObject(frame, lane), size, writing);
      groups[lane]!.open.push(
        { operation: reading.operation, reads: true },
        { operation: writing.operation, reads: false },
      );
    }
  };
};

const commit =
  (kind: Kind): WatchOf =>
  () =>
  (context, warp, _, active) => {
    const groups = groupsOf(context, warp, kind);
    for (let rest = active; rest !== 0; rest &= rest - 1) {
      const ofLane = groups[firstLane(rest)]!;
      ofLane.committed.push(ofLane.open);
      ofLane.open = [];
    }
  };

/** Waits for all committed groups but the latest `left`; -1: for uncommitted operations, too. */
function waitFor(
  context: LaunchContext,
  warp: Warp,
  kind: Kind,
  active: number,
  left: number,
  readsOnly: boolean,
): void {
  const groups = groupsOf(context, warp, kind);
  for (let rest = active; rest !== 0; rest &= rest - 1) {
    const lane = firstLane(rest);
    const ofLane = groups[lane]!;
    const due = left < 0 ? ofLane.committed : ofLane.committed.slice(0, Math.max(0, ofLane.committed.length - left));
    for (const group of due) for (const { operation, reads } of group) if (!readsOnly || reads) operation.wait(lane);
    if (left < 0) {
      for (const { operation } of ofLane.open) operation.wait(lane);
      ofLane.open = [];
    }
    if (!readsOnly) ofLane.committed = left < 0 ? [] : ofLane.committed.slice(due.length);
  }
}

const waitGroup =
  (kind: Kind): WatchOf =>
  (watched) => {
    const operand = operandNamed(watched, "n");
    const left = operand?.kind === "immediate" ? Number(operand.bits) : 0;
    const readsOnly = hasModifier(watched.opcode, "read");
    return (context, warp, _, active) => waitFor(context, warp, kind, active, left, readsOnly);
  };

const waitAll: WatchOf = () => (context, warp, _, active) => waitFor(context, warp, "copy", active, -1, false);

// ----------------------------------------------------------------------------------------------------------- mbarriers

/**
 * Makes the operation complete with the mbarrier's current phase. A thread that observes the completion also knows what the
 * issuing thread knew at the issue.
 */
function signalAt(
  context: LaunchContext,
  warp: Warp,
  state: MbarrierState | undefined,
  operation: AsyncOperation,
  lane: number,
): void {
  if (state === undefined) return;
  operation.signal(lane, { key: state.key, step: state.phase });
  state.coming = joinClocks(state.coming, releaseLane(context.order, warpOrder(context.order, warp), lane));
}

/** The state of the mbarrier that operand `m` names in a lane. */
function mbarrierAt(
  context: LaunchContext,
  watched: Watched,
  frame: Frame,
  lane: number,
  warp: Warp,
  block?: Block,
): MbarrierState | undefined {
  const bound = targetNamed(watched, "m");
  if (bound === undefined) return undefined;
  const target = newTarget(warp);
  evaluate(bound, frame, lane, target);
  return target.space === "shared" ? currentMbarrier(context, block ?? target.block, target.address) : undefined;
}

/** cp.async.mbarrier.arrive: the copies that the lane has issued are complete when the phase ends. */
const copyArrival: WatchOf = (watched) => {
  const bound = targetNamed(watched, "a");
  if (bound === undefined) return undefined;
  return (context, warp, { frame }, active) => {
    const target = newTarget(warp);
    const groups = groupsOf(context, warp, "copy");
    for (let rest = active; rest !== 0; rest &= rest - 1) {
      const lane = firstLane(rest);
      evaluate(bound, frame, lane, target);
      if (target.space !== "shared") continue;
      const state = currentMbarrier(context, target.block, target.address);
      const { open, committed } = groups[lane]!;
      for (const { operation } of [...committed.flat(), ...open]) signalAt(context, warp, state, operation, lane);
    }
  };
};

/** Bulk copies and reductions. Those to shared memory signal an mbarrier; those to global memory belong to a group. */
const bulk: WatchOf = (watched) => {
  const { opcode } = watched;
  const [to, from] = [targetNamed(watched, "d"), targetNamed(watched, "a")];
  if (to === undefined || from === undefined) return undefined;
  const sizeOf = numberOf(watched, operandNamed(watched, "size"), 0);
  const ranks = operandNamed(watched, "mask");
  const ranksOf = numberOf(watched, ranks, 0);
  const isMulticast = opcode.chosen.some((text) => text?.startsWith("multicast::cluster") === true);
  const signals = targetNamed(watched, "m") !== undefined;
  const access: AccessName =
    opcode.form.id.startsWith("cp.reduce") || opcode.form.id.includes("cp.reduce") ? "atomic" : "write";
  return (context, warp, { frame, pc }, active) => {
    const target = newTarget(warp);
    const [toObject, fromObject] = [objectOfTarget(context, watched, to), objectOfTarget(context, watched, from)];
    for (let rest = active; rest !== 0; rest &= rest - 1) {
      const lane = firstLane(rest);
      const actor: Actor = { warp, frame, pc, lane };
      const bytes = sizeOf(frame, lane) & ~15;
      if (bytes === 0) continue;
      const reading = moving(context, warp, frame, pc, lane, opcode, "read", signals);
      touch(context, actor, from, target, fromObject(frame, lane), bytes, reading);
      if (!signals) {
        const writing = moving(context, warp, frame, pc, lane, opcode, access);
        touch(context, actor, to, target, toObject(frame, lane), bytes, writing);
        groupsOf(context, warp, "bulk")[lane]!.open.push(
          { operation: reading.operation, reads: true },
          { operation: writing.operation, reads: false },
        );
        continue;
      }
      const { blocks } = warp.block.cluster;
      const chosen = isMulticast ? ranksOf(frame, lane) : -1;
      evaluate(to, frame, lane, target);
      const own = target.block;
      blocks.forEach((block, rank) => {
        if (isMulticast ? ((chosen >>> rank) & 1) === 0 : block !== own) return;
        const writing = moving(context, warp, frame, pc, lane, opcode, access, true);
        touch(context, actor, to, target, toObject(frame, lane), bytes, writing, block);
        const state = mbarrierAt(context, watched, frame, lane, warp, isMulticast ? block : undefined);
        signalAt(context, warp, state, writing.operation, lane);
        signalAt(context, warp, state, reading.operation, lane);
      });
    }
  };
};

/** Bytes of a tile by its tensor map; 0 if the map cannot be read. */
function tileBytes(watched: Watched, frame: Frame, lane: number, warp: Warp): number {
  const bound = targetNamed(watched, "t");
  if (bound === undefined) return 0;
  const target = newTarget(warp);
  evaluate(bound, frame, lane, target);
  const { launch } = warp.block;
  const { space, address } = target;
  const region = space === "global" ? launch.process.memory.find(address, TENSOR_MAP_BYTES) : undefined;
  const [view, offset] =
    space === "param"
      ? [launch.parameters, address]
      : space === "const"
        ? [launch.process.constants.view, address]
        : [region?.view, region === undefined ? 0 : address - region.base];
  if (view === undefined || offset < 0 || offset + TENSOR_MAP_BYTES > view.byteLength) return 0;
  try {
    const map = readTensorMapObject({ view, offset }, lane);
    const [inner = 1, ...outer] = map.isImage ? map.box : tileCounts(map);
    const width = inner * map.type.bytes;
    const pitch = map.span === 0 ? width : Math.ceil(width / map.span) * map.span;
    return outer.reduce((rows, count) => rows * Math.max(1, count), pitch);
  } catch (error) {
    // The copy itself traps.
    if (!(error instanceof KernelFault)) throw error;
    return 0;
  }
}

/** Tensor copies: checks the tile in shared memory. In global memory the tensor map bounds the accesses. */
const tensor: WatchOf = (watched) => {
  const isLoad = watched.opcode.form.id.endsWith("load");
  const bound = targetNamed(watched, isLoad ? "d" : "a");
  if (bound === undefined) return undefined;
  return (context, warp, { frame, pc }, active) => {
    const target = newTarget(warp);
    const objectOf = objectOfTarget(context, watched, bound);
    for (let rest = active; rest !== 0; rest &= rest - 1) {
      const lane = firstLane(rest);
      const actor: Actor = { warp, frame, pc, lane };
      checkAddress(context, actor, bound);
      evaluate(bound, frame, lane, target);
      // The tensor map determines the tile's size.
      const object = objectAt(context.objects, objectOf(frame, lane));
      const room = object === undefined ? Infinity : object.base + object.size - target.address;
      target.bytes = Math.min(tileBytes(watched, frame, lane, warp), room);
      if (!(target.bytes > 0) || target.space !== "shared") continue;
      if (!isLoad) {
        const { operation, record } = moving(context, warp, frame, pc, lane, watched.opcode, "read");
        checkOrderOf(context, actor, target, "read", record);
        groupsOf(context, warp, "bulk")[lane]!.open.push({ operation, reads: true });
        continue;
      }
      const ranks = hasModifier(watched.opcode, "multicast::cluster") ? operandNamed(watched, "mask") : undefined;
      const chosen = ranks === undefined ? undefined : numberOf(watched, ranks, 0)(frame, lane);
      warp.block.cluster.blocks.forEach((block, rank) => {
        if (chosen === undefined ? block !== target.block : ((chosen >>> rank) & 1) === 0) return;
        const { operation, record } = moving(context, warp, frame, pc, lane, watched.opcode, "write", true);
        const there: Target = { ...target, block };
        defineBytes(context, there);
        checkOrderOf(context, actor, there, "write", record);
        const state = mbarrierAt(context, watched, frame, lane, warp, chosen === undefined ? undefined : block);
        signalAt(context, warp, state, operation, lane);
      });
    }
  };
};

/** st.async and red.async store a register's bytes and signal an mbarrier. */
const storeSignalled: WatchOf = (watched) => {
  const bound = targetNamed(watched, "a");
  if (bound === undefined) return undefined;
  const access: AccessName = hasTrait(watched.opcode, "atomic") ? "atomic" : "write";
  const signals = targetNamed(watched, "m") !== undefined;
  const { bits } = typeOf(watched.opcode)!;
  return (context, warp, { frame, pc }, active) => {
    const target = newTarget(warp);
    const objectOf = objectOfTarget(context, watched, bound);
    const one = moving(context, warp, frame, pc, firstLane(active), watched.opcode, access, signals);
    for (let rest = active; rest !== 0; rest &= rest - 1) {
      const lane = firstLane(rest);
      const actor: Actor = { warp, frame, pc, lane };
      touch(context, actor, bound, target, objectOf(frame, lane), Math.max(bound.bytes, bits / 8), one);
      if (signals) signalAt(context, warp, mbarrierAt(context, watched, frame, lane, warp), one.operation, lane);
      else one.operation.wait(lane);
    }
  };
};

/** Ends the operations of a cluster whose threads have ended: no wait can follow any more. */
export function endOperations(context: LaunchContext, warps: readonly Warp[]): void {
  for (const warp of warps) {
    for (const lanes of context.groups.get(warp)?.values() ?? [])
      for (const { open, committed } of lanes)
        for (const { operation } of [...committed.flat(), ...open]) operation.end();
    context.groups.delete(warp);
  }
  for (const operation of context.watched) operation.end();
  context.watched.clear();
}

/** By form id. */
export const asyncWatches: Readonly<Record<string, WatchOf>> = {
  "cp.async": copy,
  "cp.async.ignore": copy,
  "cp.async.cg": copy,
  "cp.async.cg.ignore": copy,
  "cp.async.commit_group": commit("copy"),
  "cp.async.wait_group": waitGroup("copy"),
  "cp.async.wait_all": waitAll,
  "cp.async.mbarrier.arrive": copyArrival,
  "cp.async.bulk.commit_group": commit("bulk"),
  "cp.async.bulk.wait_group": waitGroup("bulk"),
  "cp.async.bulk.load": bulk,
  "cp.async.bulk.load.strong": bulk,
  "cp.async.bulk.share": bulk,
  "cp.async.bulk.share.strong": bulk,
  "cp.async.bulk.store": bulk,
  "cp.async.bulk.store.strong": bulk,
  "cp.reduce.async.bulk.share": bulk,
  "cp.reduce.async.bulk.store": bulk,
  "cp.reduce.async.bulk.store.noftz": bulk,
  "cp.async.bulk.tensor.load": tensor,
  "cp.async.bulk.tensor.store": tensor,
  "cp.reduce.async.bulk.tensor": tensor,
  "st.async": storeSignalled,
  "red.async": storeSignalled,
};
