// A launch in the screening pass: the memory that its checks use, its hooks for events between instructions, and the checks of
// instructions that the interpreter executes.

import { webAssembly } from "../../base/web-assembly.js";
import { releaseBytes, type ArenaBlock } from "../../load/arena.js";
import type { LoadedKernel, Process } from "../../load/process.js";
import {
  type AccessCheck,
  CHECK,
  GRID_THREAD_BITS,
  laneCheckModule,
  MAX_EPOCHS,
  THREAD_BITS,
} from "../fast/access-checks.js";
import { CONTEXT } from "../fast/context.table.js";
import { SUSPECT } from "../fast/host-calls.js";
import type { Watched } from "../operands/watched.js";
import type { Programs } from "../program/programs.js";
import { KernelFault } from "../state/fault.js";
import { sharedBytesOf } from "../machine/launch-limits.js";
import type { LaunchConfig } from "../state/result.js";
import type { Block } from "../state/block.js";
import type { LaunchSanitizer, Watch } from "../state/sanitizer.js";
import type { Group, Warp } from "../state/warp.js";
import { newTarget } from "./memory-watch.js";
import { type CheckedAccess, type CheckedMemory, isRecorded, type LaunchChecks } from "./screening-checks.js";
import { evaluate } from "../operands/target.js";

/** A launch that the pass checks. */
export interface ScreenedLaunch {
  readonly programs: Programs;
  readonly sanitizer: LaunchSanitizer;
  /** Whether no check has failed. */
  hasPassed(): boolean;
  /** Ends the pass. Memory is as before the launch unless it has passed. */
  end(hasPassed: boolean): void;
}

/** Generated code with checks. */
export interface ScreeningCode {
  readonly programs: Programs;
  /** Words of the fast engine's context. */
  readonly context: Int32Array;
  /** The entries of its checks. */
  readonly entries: ArenaBlock;
  readonly checks: ReadonlyMap<number, AccessCheck>;
  /** The launch that runs. */
  readonly current: { launch: RunningLaunch | undefined };
}

interface RunningLaunch {
  readonly code: ScreeningCode;
  readonly accesses: LaunchChecks["accesses"];
  readonly laneCheck: (check: AccessCheck) => LaneCheck;
}

/** check(context, entry, offset in the memory, word of the thread) */
type LaneCheck = (context: number, entry: number, at: number, own: number) => unknown;

const suspect = (): never => {
  throw new KernelFault("trap", SUSPECT);
};

// --------------------------------------------------------------------------------------------------- interpreted instructions

const collectives = new Set(["shfl", "vote", "match", "redux", "elect"]);

/** The check before the interpreter executes the instruction. */
export function watchOf({ opcode, targets }: Watched, current: ScreeningCode["current"]): Watch | undefined {
  const { id, opcode: base } = opcode.form;
  if (collectives.has(base) || id === "bar.warp.sync")
    return (_, __, active) => {
      if (active !== 0 && active !== -1) suspect();
    };
  return targets.length === 0 ? undefined : (warp, group, active) => checkLanes(current.launch!, warp, group, active);
}

function checkLanes(
  { code, accesses, laneCheck }: RunningLaunch,
  warp: Warp,
  { frame, pc }: Group,
  active: number,
): void {
  const [check, access] = [code.checks.get(pc), accesses.get(pc)];
  if (check === undefined || access === undefined) return;
  const { object, memory, bound } = access;
  const { context } = code;
  const { block, index } = warp;
  const own =
    check.races === "shared"
      ? (context[CONTEXT.epoch >> 2]! << THREAD_BITS) | (32 * index)
      : ((block.index << GRID_THREAD_BITS) | (32 * index)) + 1;
  const target = newTarget(warp);
  for (let lane = 0; lane < 32; lane++) {
    if (((active >>> lane) & 1) === 0) continue;
    evaluate(bound, frame, lane, target);
    const { space, address } = target;
    if (space !== object.space || address < object.base || address + bound.bytes > object.base + object.size) suspect();
    const at = address - (memory.region?.base ?? 0);
    laneCheck(check)(context.byteOffset, check.entry, at, own + lane);
    if (check.pointers !== undefined) checkValues(access, check, at);
  }
}

/** Fails if a 64-bit value that was read is a pointer. */
function checkValues({ memory, bound }: CheckedAccess, { pointers }: AccessCheck, at: number): void {
  for (let word = at + 4; word < at + bound.bytes; word += 8)
    if ((memory.region!.view.getUint32(word, true) - pointers!.from) >>> 0 < pointers!.count) suspect();
}

function createLaneChecks(process: Process): RunningLaunch["laneCheck"] {
  const known = new Map<AccessCheck, LaneCheck>();
  const host = { memory: process.memory.arena!.memory, step: suspect, finish: suspect, suspect };
  return (check) => {
    let found = known.get(check);
    if (found === undefined) {
      const module = new webAssembly!.Module(laneCheckModule(check));
      found = new webAssembly!.Instance(module, { host }).exports["check"]!;
      known.set(check, found);
    }
    return found;
  };
}

// ----------------------------------------------------------------------------------------------------------------- a launch

/** Words with the last writes and reads of each cell of a memory. */
interface Recorded {
  readonly writes: ArenaBlock;
  readonly reads: ArenaBlock | undefined;
}

/** Prepares a launch; undefined if there is no room for these words. */
export function screenLaunch(
  process: Process,
  kernel: LoadedKernel,
  config: LaunchConfig,
  { memories, accesses }: LaunchChecks,
  code: ScreeningCode,
): ScreenedLaunch | undefined {
  const { arena } = process.memory;
  const recorded = new Map<CheckedMemory, Recorded>();
  const release = (): void => {
    for (const { writes, reads } of recorded.values())
      for (const storage of [writes, reads]) if (storage !== undefined) releaseBytes(arena, storage);
    recorded.clear();
  };
  const sharedBytes = kernel.systemSharedBytes + sharedBytesOf(kernel, config);
  for (const memory of memories) {
    if (!isRecorded(memory)) continue;
    const bytes = 4 * Math.ceil((memory.region?.size ?? sharedBytes) / memory.cell);
    const [writes, reads] = [arena?.take(bytes), memory.reads ? arena?.take(bytes) : undefined];
    if (writes !== undefined) recorded.set(memory, { writes, reads });
    if (writes !== undefined && (reads !== undefined || !memory.reads)) continue;
    release();
    return undefined;
  }
  for (const [pc, access] of accesses)
    fillEntry(process, code, code.checks.get(pc)!, access, recorded.get(access.memory));
  const before = memories.flatMap(({ region, writes, atomics }) =>
    region !== undefined && (writes || atomics) ? [{ region, bytes: region.bytes.slice() }] : [],
  );
  const hooks = createHooks(code, config.block[0] * config.block[1] * config.block[2]);
  code.current.launch = { code, accesses, laneCheck: createLaneChecks(process) };
  return {
    programs: code.programs,
    sanitizer: hooks.sanitizer,
    hasPassed: hooks.hasPassed,
    end(hasPassed) {
      release();
      code.current.launch = undefined;
      if (!hasPassed) for (const { region, bytes } of before) region.bytes.set(bytes);
    },
  };
}

function fillEntry(
  process: Process,
  { entries }: ScreeningCode,
  { entry }: AccessCheck,
  { object, memory: { region, space } }: CheckedAccess,
  recorded: Recorded | undefined,
): void {
  const put = (field: number, value: number): void =>
    entries.view.setInt32(entry - entries.offset + field, value, true);
  put(CHECK.low, object.base - (region?.base ?? 0));
  put(CHECK.size, object.size);
  put(CHECK.base, space === "const" ? process.constants.offset : (region?.offset ?? 0));
  put(CHECK.writes, recorded?.writes.offset ?? 0);
  put(CHECK.reads, recorded?.reads?.offset ?? 0);
}

function createHooks(
  { context }: ScreeningCode,
  threadsPerBlock: number,
): { readonly sanitizer: LaunchSanitizer; readonly hasPassed: () => boolean } {
  const put = (field: number, value: number): void => void (context[field >> 2] = value);
  const epoch = (): number => context[CONTEXT.epoch >> 2]!;
  const fail = (): void => put(CONTEXT.isSuspect, 1);
  let running: Block | undefined;
  put(CONTEXT.isSuspect, 0);
  put(CONTEXT.epoch, 0);
  const nothing = (): void => undefined;
  return {
    hasPassed: () => context[CONTEXT.isSuspect >> 2] === 0 && epoch() <= MAX_EPOCHS,
    sanitizer: {
      beginBlock(block) {
        // Epochs belong to one block at a time: interleaved blocks need the reference engine.
        if (running !== undefined) fail();
        running = block;
        put(CONTEXT.epoch, epoch() + 1);
        put(CONTEXT.blockEpoch, epoch());
      },
      endCluster: () => void (running = undefined),
      arrive(_, __, warp, lanes) {
        if (lanes !== warp.live) fail();
      },
      open({ liveThreads }) {
        if (liveThreads !== threadsPerBlock) fail();
        put(CONTEXT.epoch, epoch() + 1);
      },
      beginFrame: nothing,
      leaveFrame: nothing,
      exit: nothing,
      syncWarp: nothing,
      fault: nothing,
      end: nothing,
      copyPlace: fail,
      definePlace: fail,
      returned: fail,
      copyBytes: fail,
      openCluster: fail,
      phaseOver: fail,
      allocated: fail,
      freed: fail,
      written: fail,
      printed: fail,
    },
  };
}
