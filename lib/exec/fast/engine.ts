// The fast engine of a process, for one thread of the host: generated code, the context that it runs in, and what it calls.
// Blocks are compiled once they have been interpreted often enough, together with others that are warm by then, so that
// small kernels never wait for a compiler.

import type { WasmExports, WasmTable } from "../../base/web-assembly.js";
import { webAssembly } from "../../base/web-assembly.js";
import type { Arena, Stretch } from "../../load/arena.js";
import type { Process } from "../../load/process.js";
import { type Block, moveBlock } from "../block.js";
import type { Frame, Program } from "../frame.js";
import { HEADER } from "../frame-header.table.js";
import type { LaunchState } from "../launch-state.js";
import type { TensorUnit } from "../tensor/quick.js";
import type { Linkage } from "../meanings/call.js";
import { countLanes, type Group, type Warp } from "../warp.js";
import { compileBlocks, type SegmentRange } from "./compile.js";
import { CONTEXT, CONTEXT_BYTES, REASON } from "./context.table.js";
import { type Driver, driverModule, driverOf, FIRST_FREE } from "./driver.js";
import { createEntry } from "./entry.js";
import { parameterBytes } from "./operands.js";
import type { Answer, FastEngine, FastUnit, Scheduled, Turned } from "./fast-engine.js";
import { MUFU_BYTES, putMufu } from "./mufu/memory.js";
import { hasExactMultiplyAdd } from "./probe.js";
import { type Running, runningIn } from "./running.js";
import { createFrameAt } from "./frames.js";
import { createFunction, type KnownFunction } from "./functions.js";
import { createLink } from "./links.js";
import { createSites } from "./sites.js";
import { createTensorUnit } from "./tensor/unit.js";
import { createUnit, mayCompile, type Unit, writesBeforeReading } from "./unit.js";
import { createWarpRecords, kernelFrameOf, putGroups, putWarps, takeGroups, takeWarps } from "./warp-records.js";

/** Times that a block is interpreted before it is compiled, and how often others have been to be compiled with it. */
const HOT = 24;
const WARM = 1 / 4;
/** A launch of so many warps executes all of a function often enough; of one that is not longer than that, for the compiler. */
const MANY_WARPS = 8192;
const LONGEST_AT_ONCE = 2000;
/** Farthest pc: what `meeting` is when there is none. */
const FARTHEST = 0x7fffffff;

/** Undefined where the host has no shared memory for generated code. */
export function createFastEngine(
  process: Process,
  frames: ReadonlyMap<number, Frame>,
  hotAfter?: number,
): FastEngine | undefined {
  const { arena } = process.memory;
  if (arena === undefined || webAssembly === undefined) return undefined;
  const [stretch, mufu] = [arena.take(CONTEXT_BYTES), arena.take(MUFU_BYTES)];
  if (stretch === undefined || mufu === undefined) return undefined;
  putMufu(mufu.view);
  return engineIn(process, arena, stretch, mufu.offset, frames, hotAfter);
}

function engineIn(
  process: Process,
  arena: Arena,
  stretch: Stretch,
  mufu: number,
  frames: ReadonlyMap<number, Frame>,
  hotAfter: number | undefined,
): FastEngine {
  const host = webAssembly!;
  const words = new Int32Array(stretch.bytes.buffer, stretch.offset, CONTEXT_BYTES / 4);
  const context = stretch.offset;
  const put = (offset: number, value: number): void => {
    words[offset >> 2] = value;
  };
  for (let lanes = 0; lanes < 16; lanes++)
    for (let lane = 0; lane < 4; lane++) put(CONTEXT.masks + 16 * lanes + 4 * lane, -((lanes >>> lane) & 1));

  const answer: Answer = { reason: 0, pc: 0, left: 0, issued: 0, threads: 0, taken: 0 };
  const segments: SegmentRange[] = [];
  let running: Running | undefined;
  /** Functions and calls by their records. */
  const units = new Map<number, Unit>();
  const linkages = new Map<number, Linkage>();
  const frameAt = createFrameAt(frames, (record) => linkages.get(record)!);
  /** Clocks of a block's warps before its turn. */
  const clocks: number[] = [];

  let tensor: { readonly unit: TensorUnit | undefined } | undefined;
  // The probe of the multiply-add lets the host have relaxed SIMD.
  const tensorUnit = (): TensorUnit | undefined => (tensor ??= { unit: (isExact(), createTensorUnit(arena)) }).unit;

  const sites = createSites(process, stretch);
  const entry = createEntry(process, arena, words, sites);

  // ----------------------------------------------------------------------------------------------- what generated code calls

  /** A fault at `pc`: what was issued before it, and itself. `guarded` lanes are those that the context does not count. */
  const stopAt = (pc: number, guarded: number): void => {
    const unit = unitNow();
    const block = unit.graph.blocks[words[CONTEXT.index >> 2]!]!;
    let unguarded = 0;
    for (let at = block.start; at <= pc; at++) if (unit.program.steps[at]!.guard < 0) unguarded++;
    answer.pc = pc;
    answer.issued = words[CONTEXT.issued >> 2]! + pc - block.start + 1;
    answer.threads =
      words[CONTEXT.threads >> 2]! +
      words[CONTEXT.guarded >> 2]! +
      guarded +
      unguarded * countLanes(words[CONTEXT.mask >> 2]!);
  };
  /** The block that runs: generated code goes on to the next one by itself. */
  const follow = (block: Block): void => {
    const number = words[CONTEXT.number >> 2]!;
    if (block.index === number) return;
    moveBlock(block, number, (warp) => frames.get(kernelFrameOf(warpRecords!, warp))!);
    clocks.fill(0);
  };
  const frameNow = (): Frame => {
    const { block, warp } = running!;
    if (block !== undefined) follow(block);
    return frameAt(words[CONTEXT.words >> 2]!, block?.warps[words[CONTEXT.warp >> 2]!] ?? warp);
  };
  const unitNow = (): Unit => units.get(words[CONTEXT.fn >> 2]!)!;
  const activeAt = (pc: number, mask: number): number => {
    const frame = frameNow();
    const { guard, flip } = frame.program.steps[pc]!;
    return guard < 0 ? mask : mask & (frame.words[guard]! ^ flip);
  };
  const step = (pc: number, mask: number): void => {
    const { clock, issued } = running!;
    const frame = frameNow();
    const { guard, lanes, quick } = frame.program.steps[pc]!;
    const active = activeAt(pc, mask);
    if (guard >= 0) words[CONTEXT.guarded >> 2]! += countLanes(active);
    if (active === 0) return;
    const block = unitNow().graph.blocks[words[CONTEXT.index >> 2]!]!;
    // What clocks and timers read.
    const total = words[CONTEXT.total >> 2]!;
    const before = running!.block === undefined ? clock : clocks[frame.warp.index]!;
    frame.warp.clock = before + words[CONTEXT.warpIssued >> 2]! + words[CONTEXT.issued >> 2]! + pc - block.start + 1;
    const { counters } = frame.warp.block.launch;
    counters.warpInstructions = issued + total;
    if (!running!.isGroup) counters.runClock = before + words[CONTEXT.warpIssued >> 2]!;
    try {
      const unit = quick && tensorUnit();
      if (unit === undefined) lanes!(frame, active);
      else quick!(frame, active, unit);
    } catch (error) {
      stopAt(pc, 0);
      throw error;
    }
  };
  const finish = (number: number, first: number): void => {
    const { from, to, unit } = segments[number]!;
    const frame = frameNow();
    const mask = words[CONTEXT.mask >> 2]!;
    const rest = mask & (-1 << first);
    let pc = from;
    try {
      for (; pc < to; pc++) {
        const active = activeAt(pc, rest);
        if (active !== 0) unit.program.steps[pc]!.lanes!(frame, active);
      }
    } catch (error) {
      let guarded = 0;
      for (let at = from; at <= pc; at++)
        if (unit.program.steps[at]!.guard >= 0) guarded += countLanes(activeAt(at, mask));
      stopAt(pc, guarded);
      throw error;
    }
    sites.remember();
  };

  // ----------------------------------------------------------------------------------------------------------- compilation

  const table: WasmTable = new host.Table({ element: "anyfunc", initial: FIRST_FREE });
  const imports = { host: { memory: arena.memory, table, step, finish } };
  const instantiate = (bytes: Uint8Array): WasmExports => new host.Instance(new host.Module(bytes), imports).exports;
  let isFused: boolean | undefined;
  const isExact = (): boolean => (isFused ??= hasExactMultiplyAdd());
  let driver: Driver | undefined;

  const compile = (unit: Unit, blocks: readonly number[], { setCode }: KnownFunction): void => {
    driver ??= driverOf(instantiate(driverModule()));
    const at = table.grow(blocks.length);
    const newSegment = (range: SegmentRange): number => segments.push(range) - 1;
    instantiate(compileBlocks(unit, blocks, at, isExact, { newSite: sites.add, newSegment, mufu }));
    blocks.forEach((block, i) => setCode(block, at + i));
  };

  const createFastUnit = (program: Program): FastUnit | undefined => {
    if (!mayCompile(program)) return undefined;
    const unit = createUnit(program, process, isExact);
    const { blocks, blockAt } = unit.graph;
    const known = createFunction(arena, unit);
    if (known === undefined) return undefined;
    units.set(known.record, unit);
    program.needsImage = !writesBeforeReading(unit);
    const visits = new Uint32Array(blocks.length + 1);
    const isCompiled = new Uint8Array(blocks.length + 1);
    blocks.forEach(({ isEmpty }, block) => (isCompiled[block] = isEmpty ? 1 : 0));
    const isShort = program.fn.code.instructions.length <= LONGEST_AT_ONCE;
    const visitsUntilHot = ({ blocks, warpsPerBlock }: LaunchState): number =>
      hotAfter ?? (isShort && blocks * warpsPerBlock >= MANY_WARPS ? 0 : HOT);
    const compileWarm = (hot: number): void => {
      const warm = blocks.flatMap(({ isPlain }, block) =>
        isPlain && isCompiled[block] === 0 && visits[block]! >= hot * WARM ? [block] : [],
      );
      for (const block of warm) isCompiled[block] = 1;
      fast.hasCode = true;
      compile(unit, warm, known);
    };
    const fast: Mutable<FastUnit> = {
      record: known.record,
      takeSpare: known.takeSpare,
      hasCode: false,
      makesCalls: false,
      parameterBytes: parameterBytes(program),
      mayBeCalled: () => known.image() !== undefined,
      link(pc, linkage) {
        let start = pc;
        while (blockAt[start]! < 0) start--;
        const block = blockAt[start]!;
        if (!fast.hasCode || isCompiled[block] !== 1) return undefined;
        const callee = unitFor(linkage.program);
        const record = callee?.mayBeCalled() === true ? createLink(arena, callee.record, linkage) : 0;
        if (record === 0) return 0;
        linkages.set(record, linkage);
        if (linkage.isDirect) known.setLink(block, record);
        fast.makesCalls = true;
        return record;
      },
      isReady(pc, launch) {
        const block = blockAt[pc]!;
        if (block < 0) return false;
        if (isCompiled[block] === 1) return !blocks[block]!.isEmpty;
        const hot = visitsUntilHot(launch);
        if (blocks[block]?.isPlain !== true || visits[block]!++ < hot) return false;
        compileWarm(hot);
        return true;
      },
      run(frame, pc, mask, left, floor, meeting) {
        entry.enter(frame);
        put(CONTEXT.total, 0);
        put(CONTEXT.warpIssued, 0);
        running = runningIn(running, frame.warp, undefined, true);
        const end = Math.min(meeting, FARTHEST);
        const reason = driver!.run(context, known.blocks, blockAt[pc]!, mask, left, floor + 1, end - floor - 1);
        answer.reason = reason;
        // After a split the pc is that of the branch, otherwise the next one.
        answer.pc = reason === REASON.split ? blocks[words[CONTEXT.index >> 2]!]!.end - 1 : words[CONTEXT.pc >> 2]!;
        answer.left = words[CONTEXT.left >> 2]!;
        answer.issued = words[CONTEXT.issued >> 2]!;
        answer.threads = words[CONTEXT.threads >> 2]! + words[CONTEXT.guarded >> 2]!;
        answer.taken = words[CONTEXT.taken >> 2]!;
        return answer;
      },
      turn(block, frame, first, { share, quota, slice, allowance, end }) {
        if (driver === undefined || warpRecords === undefined) return undefined;
        entry.enter(frame);
        // Its launch stays.
        entry.forgetWarp();
        entry.forgetFrame();
        running = runningIn(running, frame.warp, block);
        const { warps, launch, cluster } = block;
        const { issued } = running;
        const number = block.index;
        for (let i = 0; i < warps.length; i++) clocks[i] = warps[i]!.clock;
        for (const field of ["total", "totalThreads", "begun", "turns"] as const) put(CONTEXT[field], 0);
        put(CONTEXT.share, share);
        put(CONTEXT.quota, quota);
        put(CONTEXT.slice, slice);
        put(CONTEXT.allowance, allowance);
        put(CONTEXT.number, number);
        const image = known.image();
        put(CONTEXT.image, image?.offset ?? 0);
        put(CONTEXT.imageBytes, image?.size ?? 0);
        put(CONTEXT.end, image === undefined ? 0 : end);
        putWarps(block, first, warpRecords, words, entry.indicesOf(launch.config.block, 0));
        const take = (more: number, threads: number): void => {
          follow(block);
          takeWarps(block, first, warpRecords, words, clocks, frameAt);
          if (block.index !== number) cluster.sliceEnd = issued + words[CONTEXT.begun >> 2]! + slice;
          count(launch, issued, more, threads);
        };
        try {
          turned.stopped = driver.turn(context, warpRecords.byteOffset, first, warps.length);
        } catch (error) {
          take(answer.issued, answer.threads);
          standAt(warps[words[CONTEXT.warp >> 2]!]!);
          throw error;
        }
        take(0, 0);
        turned.isLater = words[CONTEXT.turns >> 2]! > (turned.stopped < warps.length ? 0 : 1);
        turned.left = words[CONTEXT.left >> 2]!;
        turned.warpLeft = words[CONTEXT.warpLeft >> 2]!;
        turned.undone = words[CONTEXT.undone >> 2]!;
        if (turned.stopped < warps.length) current(warps[turned.stopped]!);
        return turned;
      },
    };
    return fast;
  };

  // ------------------------------------------------------------------------------------------------------------- scheduling

  const warpRecords = createWarpRecords(arena);
  const turned: Turned = {
    records: warpRecords ?? new Int32Array(0),
    isLater: false,
    stopped: 0,
    left: 0,
    warpLeft: 0,
    undone: 0,
  };
  const scheduled: Scheduled = { warpLeft: 0, group: undefined, left: 0, undone: 0 };
  /** The group of a warp whose turn it is. */
  const current = (warp: Warp): Group => (warp.current = warp.groups[words[CONTEXT.group >> 2]!]!);
  /** Sets the warp's pc to the fault that ended its turn. */
  const standAt = (warp: Warp): void => {
    warp.block.cluster.running = warp;
    current(warp).pc = answer.pc;
    warp.clock += answer.issued;
  };
  /** Counts what was issued: by runs that have ended, and by one that a fault has. */
  const count = ({ counters }: LaunchState, before: number, issued: number, threads: number): void => {
    counters.warpInstructions = before + words[CONTEXT.total >> 2]! + issued;
    counters.threadInstructions += words[CONTEXT.totalThreads >> 2]! + threads;
  };

  const unitFor = (program: Program): FastUnit | null =>
    program.fast === undefined ? (program.fast = createFastUnit(program) ?? null) : program.fast;

  return {
    answer,
    stay: () => put(CONTEXT.end, 0),
    unitOf(frame) {
      if (!isReachable(frame, process)) return undefined;
      const { program, warp, words } = frame;
      const unit = unitFor(program);
      if (unit === null || unit.parameterBytes > warp.block.launch.parameterBytes.bytes.length) return undefined;
      words[HEADER.fn >> 2] = unit.record;
      return unit;
    },
    schedule(warp, left) {
      if (driver === undefined || warpRecords === undefined) return undefined;
      entry.enter(warp.groups[0]!.frame);
      entry.forgetFrame();
      running = runningIn(running, warp, undefined);
      for (const field of ["total", "totalThreads"] as const) put(CONTEXT[field], 0);
      putGroups(warpRecords, 0, warp);
      const { clock, issued } = running;
      const take = (more: number, threads: number): void => {
        takeGroups(warpRecords, 0, warp, frameAt);
        warp.clock = clock + words[CONTEXT.total >> 2]!;
        count(warp.block.launch, issued, more, threads);
      };
      let reason: number;
      try {
        reason = driver.schedule(context, warpRecords.byteOffset, left);
      } catch (error) {
        take(answer.issued, answer.threads);
        standAt(warp);
        throw error;
      }
      take(0, 0);
      scheduled.warpLeft = words[CONTEXT.warpLeft >> 2]!;
      scheduled.left = words[CONTEXT.left >> 2]!;
      scheduled.undone = words[CONTEXT.undone >> 2]!;
      scheduled.group = reason === REASON.budget ? undefined : current(warp);
      return scheduled;
    },
  };
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Whether everything that code of the frame touches is in the arena. */
function isReachable({ offset, warp }: Frame, process: Process): boolean {
  const { block } = warp;
  return (
    offset >= 0 &&
    block.sharedBytes.offset >= 0 &&
    (warp.localStride === 0 || warp.localBytes.offset >= 0) &&
    block.launch.parameterBytes.offset >= 0 &&
    process.constants.offset >= 0
  );
}
