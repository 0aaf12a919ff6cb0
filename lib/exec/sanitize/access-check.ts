// Reports races of one lane's access: other accesses to its bytes that are not ordered with it. The access itself continues, and
// faults where it must.

import { warpOrder } from "./order.js";
import { touchBytes } from "./cells.js";
import {
  type Actor,
  cellsOf,
  type LaunchContext,
  objectAtTarget,
  partyAt,
  partyOfRecord,
  reportOnce,
} from "./context.js";
import type { AccessName, Party } from "./finding.js";
import { hex, verb } from "./bounds-check.js";
import type { AccessFault, AsyncOperation } from "./operations.js";
import type { AccessRecord, Strength } from "./records.js";
import type { Target } from "../operands/target.js";

const spaceName = (space: Target["space"]): string => (space === undefined ? "no" : space);

/** Records the access and reports its races. Only for shared and global memory. */
export function checkOrder(
  context: LaunchContext,
  actor: Actor,
  target: Target,
  access: AccessName,
  strength: Strength,
  options: {
    readonly operation?: AsyncOperation;
    /** Whether the access writes the bytes that are in memory already, or the same as the other lane of this instruction. */
    readonly isSame?: (otherLane: number | undefined) => boolean;
  } = {},
): void {
  if (target.space !== "shared" && target.space !== "global") return;
  const { warp, frame, pc, lane } = actor;
  const order = warpOrder(context.order, warp);
  const site = context.sites.of(frame.program.fn, pc);
  const record = context.records.number(order, lane, site.index, strength, options.operation);
  checkOrderOf(context, actor, target, access, record, options.isSame);
}

/** The same for an existing record, which all lanes of an operation share. */
export function checkOrderOf(
  context: LaunchContext,
  actor: Actor,
  target: Target,
  access: AccessName,
  record: number,
  isSame?: (otherLane: number | undefined) => boolean,
): void {
  const { warp, lane } = actor;
  const order = warpOrder(context.order, warp);
  const writes = access !== "read";
  touchBytes(cellsOf(context, target), target.address, target.bytes, {
    warp: order,
    lane,
    record,
    writes,
    returnsValue: (other) => isAtomicSite(context, context.records.at(other), "atom"),
    conflict(other, otherLane, wrote) {
      if (wrote && writes && isSame?.(other === record ? otherLane : undefined) === true) return;
      reportConflict(context, actor, { ...target }, access, record, other, otherLane, wrote);
    },
  });
}

function reportConflict(
  context: LaunchContext,
  actor: Actor,
  target: Target,
  access: AccessName,
  record: number,
  otherNumber: number,
  otherLane: number,
  wrote: boolean,
): void {
  const mine = context.records.at(record);
  const other = context.records.at(otherNumber);
  const own = { ...actor };
  const reportAs = (kind: AccessFault): void =>
    reportAccess(context, own, target, access, mine, other, otherLane, wrote, kind);
  const order = warpOrder(context.order, actor.warp);
  if (other.operation !== undefined) {
    const hasOwn = hasPending(context, actor, other.operation);
    other.operation.touched(otherLane, order, actor.lane, false, reportAs, hasOwn);
    context.watched.add(other.operation);
  } else if (mine.operation !== undefined) {
    const accessor = context.order.byKey.get(other.key);
    if (accessor === undefined) reportAs("race");
    else {
      mine.operation.touched(actor.lane, accessor, otherLane, true, reportAs);
      context.watched.add(mine.operation);
    }
  } else reportAs("race");
}

/** Whether the lane has issued the same copy as the operation, and not waited for it. */
function hasPending({ groups }: LaunchContext, { warp, lane }: Actor, { site, ordinal }: AsyncOperation): boolean {
  for (const ofKind of groups.get(warp)?.values() ?? []) {
    const { open, committed } = ofKind[lane]!;
    for (const group of [open, ...committed])
      if (group.some(({ operation }) => operation.site === site && operation.ordinal === ordinal)) return true;
  }
  return false;
}

function reportAccess(
  context: LaunchContext,
  actor: Actor,
  target: Target,
  access: AccessName,
  mine: AccessRecord,
  other: AccessRecord,
  otherLane: number,
  wrote: boolean,
  kind: AccessFault,
): void {
  const { lane } = actor;
  const object = objectAtTarget(context, target);
  const otherAccess: AccessName = !wrote
    ? "read"
    : other.strength > 0 && isAtomicSite(context, other)
      ? "atomic"
      : "write";
  const sides = [`${mine.site}${access === "read" ? "r" : "w"}`, `${other.site}${wrote ? "w" : "r"}`].sort().join();
  const key = `${kind}:${sides}:${object?.id ?? target.space}`;
  // Later uninitialized reads may only be a consequence of this race.
  context.raced.add(`${access === "read" ? mine.site : other.site}`);
  reportOnce(
    context,
    actor,
    () => {
      const party = partyOfRecord(context, other, otherLane, otherAccess);
      const where =
        object === undefined
          ? `${spaceName(target.space)} memory at ${hex(target.value)}`
          : `${object.title} at offset ${target.address - object.base}`;
      return {
        kind,
        ...(target.space === undefined ? {} : { space: target.space }),
        access,
        bytes: target.bytes,
        object,
        ...(object === undefined ? {} : { offset: target.address - object.base }),
        address: target.value,
        other: party,
        message:
          kind === "race"
            ? `${verb[access]} of ${target.bytes} bytes of ${where} races with ${article(otherAccess)} by ${threadText(party)}`
            : other.operation === undefined
              ? `${verb[access]} of ${target.bytes} bytes of ${where} by ${operationName(mine)}, which ${threadText(party)} accesses before its completion is guaranteed`
              : `${verb[access]} of ${target.bytes} bytes of ${where} that ${operationName(other)} of ${threadText(party)} ${wrote ? "writes" : "reads"}: its completion is not guaranteed`,
        remedy:
          kind === "race"
            ? raceRemedy(mine, other, lane, otherLane, target)
            : waitRemedy(other.operation === undefined ? mine : other),
      };
    },
    key,
  );
}

/** Whether the access is an atomic operation, of that opcode if one is given. */
function isAtomicSite({ sites }: LaunchContext, { site }: AccessRecord, opcode?: string): boolean {
  if (site < 0) return false;
  const { fn, pc } = sites.at(site);
  const form = fn.code.instructions[pc]?.opcode.form;
  return form?.traits.has("atomic") === true && (opcode === undefined || form.opcode === opcode);
}

const article = (access: AccessName): string => (access === "atomic" ? "an atomic access" : `a ${access}`);
const operationName = ({ operation }: AccessRecord): string => operation?.name ?? "an asynchronous copy";
export const threadText = ({ block, thread }: Pick<Party, "block" | "thread">): string =>
  `thread (${thread.join(",")}) of block (${block.join(",")})`;

function raceRemedy(
  mine: AccessRecord,
  other: AccessRecord,
  _lane: number,
  _otherLane: number,
  target: Target,
): string {
  if (mine.strength > 0 && other.strength > 0)
    return "give both operations a scope that includes both threads: .gpu for threads of different blocks";
  if (mine.key === other.key && mine.site === other.site && mine.block === other.block)
    return "let one lane write, or use an atomic operation: lanes of one instruction write the same bytes";
  if (mine.key === other.key)
    return "put __syncwarp() (bar.warp.sync) between the two: lanes of a warp run independently of each other";
  if (mine.block === other.block)
    return target.space === "shared"
      ? "put __syncthreads() (bar.sync) between the two accesses"
      : "put __syncthreads() (bar.sync) between the two accesses, or use atomic operations";
  if (mine.cluster === other.cluster) return "order the two accesses with a cluster barrier (barrier.cluster)";
  return "use atomic operations, or order the accesses: __threadfence() and a store to a flag on one side, a load of the flag and a fence on the other";
}

function waitRemedy({ operation }: AccessRecord): string {
  if (operation?.signals === true)
    return "wait for the mbarrier phase that the copy completes (mbarrier.try_wait) before accessing its bytes";
  const wait = /bulk|tensor/.test(operation?.name ?? "")
    ? "cp.async.bulk.wait_group; with .read it waits only until the source has been read"
    : "cp.async.wait_group, cp.async.wait_all";
  return `wait for the copy's group (${wait}) before accessing its bytes, and put a barrier after the wait for other threads`;
}

/** The actor as the `other` party of a finding. */
export const currentParty = (context: LaunchContext, actor: Actor, access: AccessName | undefined): Party =>
  partyAt(context, actor.warp, actor.lane, context.sites.of(actor.frame.program.fn, actor.pc), access);
