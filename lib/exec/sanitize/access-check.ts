// One access of one lane, checked: its bounds, its alignment, and who else touches the bytes. Findings are made here; the access itself
// goes on, and faults where it has to.

import type { Frame } from "../frame.js";
import type { Warp } from "../warp.js";
import { type LaunchContext, objectAtTarget, partyAt, partyOfRecord, report, reportOnce } from "./context.js";
import type { AccessName, Party } from "./finding.js";
import type { MemoryObject } from "./objects.js";
import type { AccessFault, AsyncOperation } from "./operations.js";
import type { AccessRecord, Strength } from "./records.js";
import { MIXED } from "./register-shadow.js";
import type { Target } from "./target.js";

/** Where an instruction stands, and in which lane. */
export interface Actor {
  readonly warp: Warp;
  readonly frame: Frame;
  readonly pc: number;
  lane: number;
}

const hex = (address: number): string => `0x${address.toString(16)}`;

/** "8 bytes behind variable 'x' (4096 bytes)". */
function relation({ base, size, title }: MemoryObject, address: number, bytes: number): string {
  const behind = address - (base + size);
  const place =
    behind >= 0
      ? `${behind === 0 ? "directly" : `${behind} bytes`} behind`
      : address < base
        ? `${base - address} bytes in front of`
        : `${address + bytes - base - size} bytes over the end of`;
  return `${place} ${title} (${size} bytes)`;
}

const spaceName = (space: Target["space"]): string => (space === undefined ? "no" : space);

const verb: Readonly<Record<AccessName, string>> = { read: "read", write: "write", atomic: "atomic access" };

/** Whether the access can be checked further; reports a bad address. */
export function checkBounds(
  context: LaunchContext,
  actor: Actor,
  target: Target,
  objectId: number,
  access: AccessName,
  align: number,
): boolean {
  const { warp, frame, pc, lane } = actor;
  const { space, address, bytes } = target;
  const what = `${bytes}-byte ${verb[access]}`;
  const object = objectId === MIXED || objectId === 0 ? undefined : context.objects.at(objectId);
  const reportAddress = (
    kind: "out-of-bounds" | "use-after-free" | "misaligned",
    message: string,
    remedy: string,
    of: MemoryObject | undefined,
  ): void =>
    report(
      context,
      warp,
      frame,
      pc,
      lane,
      () => ({
        kind,
        ...(space === undefined && of === undefined ? {} : { space: space ?? of?.space }),
        message,
        remedy,
        access,
        bytes,
        object: of,
        ...(of === undefined ? {} : { offset: address - of.base }),
        address: target.value,
      }),
      `${kind}:${of?.kind === "local" ? of.name : (of?.id ?? "")}`,
    );
  if (object !== undefined && (object.dead & (object.kind === "heap" ? -1 : 1 << lane)) !== 0) {
    const isHeap = object.kind === "heap";
    reportAddress(
      "use-after-free",
      isHeap
        ? `${what} at ${hex(target.value)}, in a block of the device heap (${object.size} bytes) that has been freed`
        : `${what} of ${object.title} of a function that has returned`,
      isHeap ? "free the block after its last use" : "return the value, or let the caller own the variable",
      object,
    );
    return false;
  }
  const isInside = (one: MemoryObject): boolean =>
    one.space === space && address >= one.base && address + bytes <= one.base + one.size;
  if (object !== undefined && object.space !== space && space !== undefined) {
    const into = objectAtTarget(context, target);
    reportAddress(
      "out-of-bounds",
      `${what} at ${hex(target.value)} in ${space} memory${into === undefined ? "" : ` (${into.title})`}, by an address made from ${object.title} in ${object.space} memory`,
      `use ld and st of the space that the address is in, or make it generic first (cvta.${object.space})`,
      object,
    );
    return false;
  }
  if (object !== undefined && !isInside(object)) {
    const into = objectAtTarget(context, target);
    const other = into === undefined || into.id === object.id ? "" : `, in ${into.title}`;
    reportAddress(
      "out-of-bounds",
      `${what} ${relation(object, address, bytes)}${other}`,
      remedyOf(object, bytes, address),
      object,
    );
    return false;
  }
  if (object === undefined) {
    const outside = outsideOfAll(context, target);
    if (outside !== undefined) {
      reportAddress(
        "out-of-bounds",
        `${what} at ${hex(target.value)}: ${outside.message}`,
        outside.remedy,
        outside.object,
      );
      return false;
    }
  }
  if (address % align !== 0) {
    const of = object ?? objectAtTarget(context, target);
    reportAddress(
      "misaligned",
      `${what} at ${hex(target.value)}, which is no multiple of ${align}${of === undefined ? "" : ` (${of.title}, offset ${address - of.base})`}`,
      "make the address a multiple of the bytes that are accessed, all of a vector's",
      of,
    );
    return false;
  }
  return true;
}

function remedyOf({ kind, size, base }: MemoryObject, bytes: number, address: number): string {
  if (size === 0 && kind === "dynamic") return "give the launch dynamic shared memory (sharedBytes, --shared)";
  if (kind === "dynamic")
    return `give the launch at least ${address + bytes - base} bytes of dynamic shared memory, or test the index`;
  if (kind === "heap") return "ask malloc for more, or test the index against what was asked for";
  return "test the index against the number of elements, or make the array larger";
}

/** What is wrong with an address of which it is not known what it was made from. */
function outsideOfAll(
  context: LaunchContext,
  target: Target,
): { readonly message: string; readonly remedy: string; readonly object?: MemoryObject } | undefined {
  const { space, address, bytes, value, block } = target;
  const { memory } = context.launch.process;
  switch (space) {
    case undefined:
      return value < 4096
        ? { message: "a null pointer", remedy: "test the pointer, or pass a buffer for it" }
        : {
            message: "the address is in no memory",
            remedy: "see where the pointer comes from: it is no address of this launch",
          };
    case "global": {
      if (memory.find(address, bytes) !== undefined) return undefined;
      const freed = context.objects.heapAt(address);
      if (freed !== undefined && freed.dead !== 0)
        return {
          message: "a block of the device heap that has been freed",
          remedy: "free the block after its last use",
          object: freed,
        };
      const near = memory.nearest(address);
      const id = near === undefined ? 0 : context.objects.ofGlobal(near.base);
      const object = context.objects.at(id);
      return {
        message: object === undefined ? "no allocation is there" : relation(object, address, bytes),
        remedy: "test the index against the number of elements, or make the buffer larger",
        ...(object === undefined ? {} : { object }),
      };
    }
    case "shared":
      if (address + bytes > block.shared.byteLength)
        return {
          message:
            value >= block.shared.byteLength && block.launch.process.memory.find(value, 1) !== undefined
              ? "a global address used as one of shared memory"
              : `the block's shared memory has ${block.shared.byteLength} bytes`,
          remedy: "test the index, or give the launch more dynamic shared memory (sharedBytes, --shared)",
        };
      return undefined;
    case "local":
      return undefined;
    default:
      return undefined;
  }
}

/** Remembers the access and reports what it races with. Only for shared and global memory. */
export function checkOrder(
  context: LaunchContext,
  actor: Actor,
  target: Target,
  access: AccessName,
  strength: Strength,
  options: {
    readonly operation?: AsyncOperation;
    /** Whether the bytes written are those that are there, or that the other lane of the same instruction writes. */
    readonly isSame?: (otherLane: number | undefined) => boolean;
  } = {},
): void {
  const { space, address, bytes, block } = target;
  if (space !== "shared" && space !== "global") return;
  const { warp, frame, pc, lane } = actor;
  const order = context.order.of(warp);
  const site = context.sites.of(frame.program.fn, pc);
  const record = context.records.number(order, lane, site.index, strength, options.operation);
  checkOrderOf(context, actor, target, access, record, options.isSame, () =>
    space === "shared" ? context.sharedCells(block) : context.globalCells,
  );
  void address;
  void bytes;
}

/** The same for a record that is there already: all lanes of an operation have one. */
export function checkOrderOf(
  context: LaunchContext,
  actor: Actor,
  target: Target,
  access: AccessName,
  record: number,
  isSame: ((otherLane: number | undefined) => boolean) | undefined,
  cells: () => ReturnType<LaunchContext["sharedCells"]>,
): void {
  const { warp, lane } = actor;
  const order = context.order.of(warp);
  const writes = access !== "read";
  cells().touch(target.address, target.bytes, {
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
  const order = context.order.of(actor.warp);
  if (other.operation !== undefined) {
    const hasOwn = hasPending(context, actor, other.operation);
    other.operation.touched(otherLane, order, actor.lane, false, reportAs, hasOwn);
    context.watched.add(other.operation);
  } else if (mine.operation !== undefined) {
    const toucher = context.order.withKey(other.key);
    if (toucher === undefined) reportAs("race");
    else {
      mine.operation.touched(actor.lane, toucher, otherLane, true, reportAs);
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
  const { warp, frame, pc, lane } = actor;
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
    warp,
    frame,
    pc,
    lane,
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
              ? `${verb[access]} of ${target.bytes} bytes of ${where} by ${operationName(mine)}, which ${threadText(party)} touches without knowing it to be complete`
              : `${verb[access]} of ${target.bytes} bytes of ${where} that ${operationName(other)} of ${threadText(party)} ${wrote ? "writes" : "reads"}: it is not known to be complete`,
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
    return "give both operations a scope that holds both threads: .gpu for threads of different blocks";
  if (mine.key === other.key && mine.site === other.site && mine.block === other.block)
    return "let one lane write, or use an atomic operation: lanes of one instruction write the same bytes";
  if (mine.key === other.key)
    return "put __syncwarp() (bar.warp.sync) between the two: lanes of a warp run independently of each other";
  if (mine.block === other.block)
    return target.space === "shared"
      ? "put __syncthreads() (bar.sync) between the two accesses"
      : "put __syncthreads() (bar.sync) between the two accesses, or use atomic operations";
  if (mine.cluster === other.cluster) return "order the two by a barrier of the cluster (barrier.cluster)";
  return "use atomic operations, or order the two: __threadfence() and a flag on the one side, the flag and a fence on the other";
}

function waitRemedy({ operation }: AccessRecord): string {
  return operation?.signals === true
    ? "wait for the mbarrier's phase (mbarrier.try_wait) that the copy completes before touching its bytes"
    : "wait for the copy's group (cp.async.wait_group, cp.async.wait_all) before touching its bytes, and put a barrier after the wait for other threads";
}

/** A party for `other` of a finding. */
export const currentParty = (context: LaunchContext, actor: Actor, access: AccessName | undefined): Party =>
  partyAt(context, actor.warp, actor.lane, context.sites.of(actor.frame.program.fn, actor.pc), access);
