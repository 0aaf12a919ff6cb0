// The sanitizer of a process: what it knows outlives launches (memory that nothing has written, blocks of the heap). Each launch has a
// state of its own besides, in which accesses are ordered; what one launch did is before what the next does.

import { spaceOf, windowBase } from "../../load/address-space.js";
import type { Process } from "../../load/process.js";
import type { Region } from "../../load/memory.js";
import type { Cluster } from "../block.js";
import type { KernelFault } from "../fault.js";
import type { LaunchState } from "../launch-state.js";
import type { Place } from "../lanes.js";
import {
  createLaunchContext,
  type LaunchContext,
  type Origin,
  partyAt,
  report,
  type ProcessState,
  UNDEFINED_FROM,
} from "./context.js";
import { endOperations } from "./async-watch.js";
import { createFindingList, type Finding } from "./finding.js";
import { defineBytes, originOf, reportUse } from "./initialisation.js";
import { instrument } from "./instrument.js";
import type { Watched } from "./instruction.js";
import { phasesOver } from "./mbarrier-watch.js";
import { newTarget } from "./memory-watch.js";
import { createObjects } from "./objects.js";
import { createScreening, type Screening } from "./screening.js";
import { type ColumnOf, createSites } from "./places.js";
import { copyShadow, createRegisterShadow, setObject, setUndefined, shadowOf, UNKNOWN } from "./register-shadow.js";
import { barrierOpens, barrierStateOf, lanesExit } from "./sync-watch.js";
import { createValues } from "./values.js";
import type { LaunchSanitizer, Watch } from "./watch.js";
import type { Frame } from "../frame.js";
import type { Warp } from "../warp.js";

export interface SanitizerOptions {
  /** Finds columns of PTX. */
  readonly columnOf?: ColumnOf;
  /** Buffers that the host looks at afterwards; all unless given. */
  readonly outputs?: (region: Region) => boolean;
  /** Is given each finding when it is made. */
  readonly onFinding?: (finding: Omit<Finding, "count">) => void;
}

export interface Sanitizer {
  /** Makes an instruction's watch while its function is bound. */
  readonly instrument: (watched: Watched) => Watch | undefined;
  begin(launch: LaunchState): LaunchSanitizer;
  /** Names a buffer, for messages. */
  name(region: Region, name: string): void;
  /** Nothing has written the buffer yet. */
  undefine(region: Region): void;
  readonly findings: readonly Finding[];
  /** The pass on the fast engine that launches go through first. */
  readonly screening: Screening;
  /** Blocks of the device heap that are never freed. */
  leaks(): readonly Finding[];
}

/** Eight bytes that may be an address. */
function addressIn(bytes: Uint8Array): number | undefined {
  return bytes.length === 8 ? Number(new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0, true)) : undefined;
}

const contexts = new WeakMap<LaunchState, LaunchContext>();

export function createSanitizer(process: Process, options: SanitizerOptions = {}): Sanitizer {
  const sites = createSites(process, options.columnOf);
  const objects = createObjects(process);
  const values = createValues(process.memory);
  const findings = createFindingList(options.onFinding);
  const origins: Origin[] = [];
  const originNumbers = new Map<string, number>();
  const allocations = new Map<number, Omit<Finding, "count">>();
  const raced = new Set<string>();
  const state: ProcessState = {
    raced,
    sites,
    objects,
    values,
    findings,
    origin(origin) {
      const key = `${origin.space}:${origin.site.index}:${origin.object?.id ?? ""}`;
      const known = originNumbers.get(key);
      if (known !== undefined) return known;
      origins.push(origin);
      originNumbers.set(key, origins.length);
      return origins.length;
    },
    originAt: (number) => origins[number - 1],
    isOutput: (region) => region.owner === "host" && (options.outputs?.(region) ?? true),
  };
  let latest: LaunchState | undefined;
  let latestContext: LaunchContext | undefined;
  const contextOf = (launch: LaunchState): LaunchContext => {
    if (launch !== latest) [latest, latestContext] = [launch, contexts.get(launch)!];
    return latestContext!;
  };
  return {
    screening: createScreening(process, objects, values),
    instrument(watched) {
      const watch = instrument(watched);
      return watch && ((warp, group, active) => watch(contextOf(warp.block.launch), warp, group, active));
    },
    begin(launch) {
      const context = createLaunchContext(state, launch);
      contexts.set(launch, context);
      return launchSanitizer(context, allocations);
    },
    name: (region, name) => objects.name(region.base, name),
    undefine: (region) => values.undefine(region),
    get findings() {
      return findings.without((key) => raced.has(new RegExp(`${UNDEFINED_FROM}(\\d+):`).exec(key)?.[1] ?? ""));
    },
    leaks() {
      const bySite = new Map<string, { finding: Omit<Finding, "count">; count: number; bytes: number }>();
      for (const { base, size } of objects.living) {
        const finding = allocations.get(base);
        if (finding === undefined) continue;
        const key = `${finding.ptx.file}:${finding.ptx.line}:${finding.ptx.instruction}`;
        const known = bySite.get(key);
        if (known === undefined) bySite.set(key, { finding, count: 1, bytes: size });
        else {
          known.count++;
          known.bytes += size;
        }
      }
      return [...bySite.values()].map(({ finding, count, bytes }) => ({
        ...finding,
        message: `${count === 1 ? "a block" : `${count} blocks`} of the device heap (${bytes} bytes) ${count === 1 ? "is" : "are"} never freed`,
        bytes,
        count,
      }));
    },
  };
}

function launchSanitizer(context: LaunchContext, allocations: Map<number, Omit<Finding, "count">>): LaunchSanitizer {
  const { values, order, objects, launch } = context;
  const where = (frame: Frame): number => frame.returnPc;

  return {
    beginBlock(block) {
      context.forget(block);
      context.mbarriers.delete(block);
      const state = barrierStateOf(context);
      state.coming.delete(block);
      state.exits.delete(block);
      for (const warp of block.warps) {
        state.cluster.delete(warp);
        state.lastSteps.delete(warp);
      }
      values.beginBlock(block, launch.kernel.systemSharedBytes);
    },
    endCluster({ blocks }: Cluster) {
      for (const { warps } of blocks) endOperations(context, warps);
    },
    beginFrame(frame, lanes) {
      frame.shadow ??= createRegisterShadow(frame.program.undefinedImage!);
      const shadow = frame.shadow;
      shadow.undef.set(shadow.image);
      shadow.uniform.set(shadow.uniformImage);
      shadow.lanes = lanes;
      shadow.object.fill(0);
      shadow.origin.fill(0);
      shadow.locals.clear();
      if (frame.localTop > frame.localBase) values.beginFrame(frame.warp, lanes, frame.localBase, frame.localTop);
    },
    leaveFrame({ shadow }, lanes) {
      for (const id of shadow?.locals.values() ?? []) {
        const object = objects.at(id)!;
        if (object.kind === "local") object.dead |= lanes;
      }
    },
    exit: (warp, group, lanes) => lanesExit(context, warp, group, lanes),
    copyPlace: (source, from, target, to, lane) => copyShadow(shadowOf(source), from, lane, shadowOf(target), to, lane),
    definePlace(frame, place, lane) {
      setUndefined(shadowOf(frame), place, lane, false);
      setObject(shadowOf(frame), place, lane, 0);
    },
    returned(frame, to, lane, bytes) {
      const address = addressIn(bytes);
      const object = address === undefined ? 0 : objects.ofGlobal(address);
      if (typeof to === "number") {
        const found = values.local(frame.warp, lane, frame.localBase + to);
        found.bytes.fill(0, found.offset, found.offset + bytes.length);
        values.setPointer(localTarget(frame, to, bytes.length, lane), object);
        return;
      }
      setUndefined(shadowOf(frame), to, lane, false);
      setObject(shadowOf(frame), to, lane, object);
    },
    copyBytes: (source, from, target, to, bytes, lane) => copyBytes(context, source, from, target, to, bytes, lane),
    arrive: (block, number, warp, lanes) => order.arrive(block, number, warp, lanes),
    open: (block, number, arrived) => barrierOpens(context, block, number, arrived),
    syncWarp: (warp, lanes) => order.meet(warp, lanes),
    openCluster(cluster) {
      order.openCluster(cluster.blocks[0]!);
      for (const { warps } of cluster.blocks)
        for (const warp of warps) {
          const lanes = warp.groups.reduce((sum, { wait, mask }) => (wait?.kind === "cluster" ? sum | mask : sum), 0);
          if (lanes !== 0) order.leaveCluster(warp, lanes);
        }
    },
    phaseOver(warp, frame, pc, asked, over) {
      const acquires = frame.program.fn.code.instructions[pc]?.opcode.chosen.includes("relaxed") !== true;
      phasesOver(context, warp, asked, over, acquires);
    },
    allocated(warp, frame, lane, address, size) {
      if (address === 0) return;
      objects.heap(address, size);
      const region = launch.process.memory.find(address, Math.min(1, size));
      if (region !== undefined) values.undefine(region);
      const pc = callAt(warp, frame);
      allocations.set(address, {
        kind: "leak",
        space: "global",
        message: "",
        kernel: launch.kernel.name,
        ...partyAt(context, warp, lane, context.sites.of(frame.program.fn, pc), undefined),
        remedy: "free the block when it is not needed any more",
      });
    },
    freed(warp, frame, lane, address) {
      if (address === 0) return;
      const object = objects.heapAt(address);
      if (object === undefined) return;
      const pc = callAt(warp, frame);
      if (object.dead === 0 && object.base === address) {
        object.dead = -1;
        return;
      }
      report(
        context,
        warp,
        frame,
        pc,
        lane,
        () => ({
          kind: object.dead === 0 ? "out-of-bounds" : "double-free",
          space: "global",
          message:
            object.dead === 0
              ? `free of an address ${address - object.base} bytes inside a block of the device heap (${object.size} bytes)`
              : `a block of the device heap (${object.size} bytes) is freed again`,
          remedy: object.dead === 0 ? "free the address that malloc gave" : "free each block once, by one thread",
          address,
          bytes: object.size,
        }),
        "free",
      );
    },
    written(frame, lane, address, bytes) {
      const target = newTarget(frame.warp);
      const { space: layout } = launch.process;
      const space = spaceOf(address, layout);
      const base = space === undefined || space === "global" ? 0 : windowBase(space, layout);
      defineBytes(context, Object.assign(target, { space, address: address - base, value: address, bytes, lane }));
    },
    printed(frame, lane, address, bytes) {
      const { warp } = frame;
      const target = newTarget(warp);
      const offset = address - windowBase("local", launch.process.space);
      if (offset < 0 || offset + bytes > frame.localTop) return;
      Object.assign(target, { space: "local", address: offset, value: address, bytes, lane });
      const found = values.bits(target);
      if (found === undefined) return;
      let some = 0;
      for (let i = 0; i < bytes; i++) some |= found.bytes[found.offset + i]!;
      if (some === 0) return;
      const pc = callAt(warp, frame);
      const actor = { warp, frame, pc, lane };
      const place = frame.program.registerCount > 0 ? frame.program.registerPlace(0) : undefined;
      if (place === undefined) return;
      // The value has no register: one lends its name.
      const shadow = shadowOf(frame);
      const before = [
        shadow.undef[place.word + place.stride * lane]!,
        shadow.origin[place.word + place.stride * lane]!,
      ] as const;
      shadow.origin[place.word + place.stride * lane] = originOf(context, actor, target, 0);
      reportUse(context, actor, place, "print", bytes);
      [shadow.undef[place.word + place.stride * lane], shadow.origin[place.word + place.stride * lane]] = before;
      found.bytes.fill(0, found.offset, found.offset + bytes);
    },
    fault: (cluster, fault) => faulted(context, cluster, fault),
    end() {
      contexts.delete(launch);
    },
  };

  function callAt(warp: Warp, frame: Frame): number {
    const { current } = warp;
    return current?.frame === frame ? current.pc : where(frame);
  }
}

/** What a fault says that is a finding, too: a limit of an mbarrier, a barrier that cannot open. */
function faulted(context: LaunchContext, cluster: Cluster, fault: KernelFault): void {
  const { running } = cluster;
  const group = running?.current;
  if (fault.kind === "trap" && fault.message.startsWith("mbarrier:") && running !== undefined && group !== undefined) {
    report(
      context,
      running,
      group.frame,
      group.pc,
      fault.lane ?? 31 - Math.clz32(group.mask & -group.mask),
      () => ({
        kind: "mbarrier",
        space: "shared",
        message: fault.message.slice("mbarrier: ".length),
        remedy: "give mbarrier.init the number of all that arrive in a phase, and expect_tx the bytes that come",
      }),
      "mbarrier:limit",
    );
    return;
  }
  if (fault.kind !== "deadlock") return;
  for (const { warps } of cluster.blocks)
    for (const warp of warps)
      for (const { frame, pc, mask, wait } of warp.groups) {
        if (wait === undefined) continue;
        const kind =
          wait.kind === "mbarrier"
            ? "mbarrier"
            : wait.kind === "collective" || wait.kind === "warp"
              ? "warp-mask"
              : "barrier";
        const at = wait.kind === "mbarrier" || wait.kind === "collective" ? pc : pc - 1;
        report(
          context,
          warp,
          frame,
          at,
          31 - Math.clz32(mask & -mask),
          () => ({
            kind,
            message: `${waitName[kind]} waits for what cannot come: the launch is deadlocked`,
            remedy: waitRemedy[kind],
          }),
          `deadlock:${kind}`,
        );
      }
}

const waitName = { mbarrier: "the mbarrier's phase", "warp-mask": "the collective", barrier: "the barrier" } as const;
const waitRemedy = {
  mbarrier: "see that all arrivals and all bytes of the phase come, and that the parity asked for is the phase's",
  "warp-mask": "let all lanes that the mask names reach the instruction",
  barrier: "let all threads that the barrier counts reach it, also those that have nothing to do",
} as const;

/** Between registers and local memory, or within local memory. */
function copyBytes(
  { values }: LaunchContext,
  source: Frame,
  from: number | Place,
  target: Frame,
  to: number | Place,
  bytes: number,
  lane: number,
): void {
  const taken = new Uint8Array(bytes);
  let object = 0;
  if (typeof from === "number") {
    const found = values.local(source.warp, lane, source.localBase + from);
    taken.set(found.bytes.subarray(found.offset, found.offset + bytes));
    object = values.pointer(localTarget(source, from, bytes, lane));
    // A structure may hold further pointers.
    for (let at = 4; at < bytes && typeof to === "number"; at += 4)
      values.setPointer(
        localTarget(target, to + at, bytes, lane),
        values.pointer(localTarget(source, from + at, bytes, lane)),
      );
  } else if (from.stride > 0) {
    const { undef, object: objects } = shadowOf(source);
    const at = from.word + from.stride * lane;
    for (let i = 0; i < bytes; i++) taken[i] = i < 4 * from.stride ? undef[at + (i >> 2)]! >>> (8 * (i & 3)) : 0;
    object = objects[at]!;
  }
  if (typeof to === "number") {
    const found = values.local(target.warp, lane, target.localBase + to);
    found.bytes.set(taken, found.offset);
    values.setPointer(localTarget(target, to, bytes, lane), object);
    return;
  }
  const shadow = shadowOf(target);
  setUndefined(shadow, to, lane, false);
  if (to.stride === 0) return;
  const at = to.word + to.stride * lane;
  if (taken.some((byte) => byte !== 0)) shadow.uniform[to.word] = UNKNOWN;
  for (let i = 0; i < bytes && i < 4 * to.stride; i++) shadow.undef[at + (i >> 2)]! |= taken[i]! << (8 * (i & 3));
  setObject(shadow, to, lane, object);
}

function localTarget({ warp, localBase }: Frame, offset: number, bytes: number, lane: number) {
  return Object.assign(newTarget(warp), { space: "local" as const, address: localBase + offset, bytes, lane });
}
