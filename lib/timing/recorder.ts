// Watches one block run and keeps what the model needs (trace.ts). Addresses are coalesced here, while they are at hand.
//
// A warp's instructions are cut where the compiler would cut them (schedule/regions.ts). Within a region some may not have been
// issued, because the warp jumped over them: the machine's code has them under a predicate, so they count as issued and off.

import type { Access, IssueObserver, ModelClock } from "../exec/observer.js";
import type { LoadedFunction } from "../load/process.js";
import { accessesMemory } from "./accesses.js";
import type { Coalescer } from "./coalesce.js";
import { countAccess } from "./cost.js";
import type { LoweredInstruction, Program } from "./lowering.js";
import type { Planner } from "./schedule/plan.js";
import { UNROLLED } from "./schedule/unroll.js";
import { createMbarrierRecord } from "./mbarrier-record.js";
import { accessSpaces, packAccess, type BlockTrace, type WarpTrace } from "./trace.js";

export interface Recorder {
  readonly observer: IssueObserver;
  /** What it has seen since it was asked last, and the bytes that it takes. */
  readonly trace: () => BlockTrace;
  readonly bytes: () => number;
}

interface Growing {
  runs: Uint32Array;
  runWords: number;
  accesses: Uint32Array;
  lineStarts: Uint32Array;
  accessCount: number;
  lines: Float64Array;
  lineCount: number;
  /** The passage under way: its first and last instruction, and the last one that it may have; -1 when there is none. */
  from: number;
  to: number;
  limit: number;
  /** The last wait at an mbarrier, when nothing but it and its branches came since: it failed if the same wait comes again. */
  wait:
    | { readonly instruction: number; readonly offset: number; readonly runWords: number; readonly accesses: number }
    | undefined;
  /** Of it, what was off or jumped over, counted from `from`. */
  off: number[];
  /** Lanes that its last instruction was issued for; whether those of the passage parted at its end, or came together before it. */
  mask: number;
  diverges: boolean;
  converges: boolean;
}

/** A recorder for one block of `warps` warps, which adds to `functions` those that it meets. */
export function createRecorder(
  program: Program,
  planner: Planner,
  warps: number,
  block: number,
  coalescer: Coalescer,
  functions: Set<LoadedFunction>,
  clock?: ModelClock,
): Recorder {
  const { footprint } = coalescer;
  const { regionEnds } = program;
  const growing = Array.from({ length: warps }, startTrace);
  const mbarriers = createMbarrierRecord();
  let warpInstructions = 0;
  let threadInstructions = 0;
  let current: LoadedFunction | undefined;

  function close(trace: Growing): void {
    if (trace.from < 0) return;
    const passage = planner.passage(
      trace.from,
      trace.to,
      trace.off,
      (trace.diverges ? 1 : 0) + (trace.converges ? 2 : 0),
    );
    if (trace.off.length > 0) trace.off = [];
    trace.from = -1;
    trace.diverges = false;
    if (trace.runWords > 0 && trace.runs[trace.runWords - 2] === passage) {
      trace.runs[trace.runWords - 1]!++;
      return;
    }
    unrollLast(trace);
    addRun(trace, passage, 1);
  }

  function addRun(trace: Growing, passage: number, times: number): void {
    if (trace.runWords + 2 > trace.runs.length) trace.runs = doubled(trace.runs);
    trace.runs[trace.runWords++] = passage;
    trace.runs[trace.runWords++] = times;
  }

  /** Turns of a loop that the compiler unrolls become turns of its copies, and the rest. */
  function unrollLast(trace: Growing): void {
    if (trace.runWords === 0) return;
    const [passage, times] = [trace.runs[trace.runWords - 2]!, trace.runs[trace.runWords - 1]!];
    if (times < UNROLLED) return;
    const unrolled = planner.unrolled(passage);
    if (unrolled === undefined) return;
    trace.runWords -= 2;
    addRun(trace, unrolled, Math.floor(times / UNROLLED));
    if (times % UNROLLED > 0) addRun(trace, passage, times % UNROLLED);
  }

  function go(trace: Growing, instruction: number, mask: number, isOff: boolean): void {
    if (trace.from < 0 || instruction <= trace.to || instruction > trace.limit) {
      close(trace);
      trace.converges = trace.mask !== 0 && mask !== trace.mask && (trace.mask & ~mask) === 0;
      trace.from = instruction;
      trace.limit = regionEnds[instruction]!;
    } else for (let i = trace.to + 1; i < instruction; i++) trace.off.push(i - trace.from);
    trace.to = instruction;
    trace.mask = mask;
    if (isOff) trace.off.push(instruction - trace.from);
  }

  /** What accesses have to do with mbarriers: their lines hold its offset, and for a wait what it waited for. */
  function describeMbarrier(
    trace: Growing,
    { kind, signalsBarrier }: LoweredInstruction,
    instruction: number,
    access: Access,
    active: number,
  ): void {
    if (kind === "async" && signalsBarrier) {
      mbarriers.copy(access.barrier);
      footprint.lines[footprint.lineCount++] = access.barrier;
    }
    if (kind !== "signal" && kind !== "poll") return;
    const offset = access.addresses[31 - Math.clz32(active & -active)]!;
    footprint.lines[0] = offset;
    footprint.lineCount = 1;
    if (kind === "signal") {
      mbarriers.arrive(offset);
      return;
    }
    footprint.lines[1] = mbarriers.arrivals(offset);
    footprint.lines[2] = mbarriers.copies(offset);
    footprint.lineCount = 3;
    const { wait } = trace;
    if (trace.from !== instruction) trace.wait = undefined;
    else if (wait?.instruction === instruction && wait.offset === offset && wait.accesses + 1 === trace.accessCount) {
      trace.runWords = wait.runWords;
      trace.accessCount = wait.accesses;
      trace.lineCount = trace.lineStarts[trace.accessCount]!;
    } else trace.wait = { instruction, offset, runWords: trace.runWords, accesses: trace.accessCount };
  }

  const observer: IssueObserver = {
    ...(clock === undefined ? {} : { clock }),
    issue: (warp, fn, pc, mask, active, access) => {
      if (fn !== current) functions.add((current = fn));
      const trace = growing[warp]!;
      const instruction = program.baseOf(fn.code) + pc;
      warpInstructions++;
      const lanes = countBits(active);
      threadInstructions += lanes;
      const lowered = program.instructions[instruction]!;
      const { cost } = lowered;
      cost.executed++;
      cost.threads += lanes;
      go(trace, instruction, mask, active === 0);
      if (active === 0) return;
      if (lowered.form === "bra" && ((active ^ mask) | 0) !== 0) {
        cost.diverged++;
        if (lowered.kind === "branch") trace.diverges = true;
      }
      if (!accessesMemory(lowered)) return;
      if (access === undefined) footprint.lineCount = 0;
      else
        coalescer.describe(
          access,
          active & lowered.addressLanes,
          block * warps + warp,
          lowered.kind === "atomic" || lowered.kind === "reduce",
        );
      if (access !== undefined) describeMbarrier(trace, lowered, instruction, access, active);
      const space = access === undefined ? "shared" : access.space === "param" ? "const" : access.space;
      if (access !== undefined) countAccess(cost, space, footprint);
      if (trace.accessCount === trace.accesses.length) {
        trace.accesses = doubled(trace.accesses);
        trace.lineStarts = doubled(trace.lineStarts);
      }
      trace.lineStarts[trace.accessCount] = trace.lineCount;
      trace.accesses[trace.accessCount++] = packAccess(
        accessSpaces.indexOf(space),
        footprint.lineCount,
        access === undefined ? 1 : footprint.wavefronts,
        lowered.kind === "store"
          ? Math.min(32, Math.ceil(footprint.bytes / footprint.sectorCount))
          : footprint.conflicts,
      );
      while (trace.lineCount + footprint.lineCount > trace.lines.length) trace.lines = doubled(trace.lines);
      for (let i = 0; i < footprint.lineCount; i++) trace.lines[trace.lineCount++] = footprint.lines[i]!;
    },
  };

  return {
    observer,
    trace: () => {
      for (const each of growing) {
        close(each);
        unrollLast(each);
      }
      const trace = { warps: growing.map(finishTrace), warpInstructions, threadInstructions };
      for (const each of growing) {
        each.runWords = each.accessCount = each.lineCount = 0;
        each.wait = undefined;
      }
      warpInstructions = threadInstructions = 0;
      return trace;
    },
    bytes: () => growing.reduce((sum, each) => sum + bytesOf(each), 0),
  };
}

function startTrace(): Growing {
  return {
    runs: new Uint32Array(16),
    runWords: 0,
    accesses: new Uint32Array(16),
    lineStarts: new Uint32Array(16),
    accessCount: 0,
    lines: new Float64Array(16),
    lineCount: 0,
    from: -1,
    to: -1,
    limit: -1,
    wait: undefined,
    off: [],
    mask: 0,
    diverges: false,
    converges: false,
  };
}

const bytesOf = ({ runs, accesses, lineStarts, lines }: Growing): number =>
  runs.byteLength + accesses.byteLength + lineStarts.byteLength + lines.byteLength;

function finishTrace(growing: Growing): WarpTrace {
  return {
    runs: growing.runs.slice(0, growing.runWords),
    accesses: growing.accesses.slice(0, growing.accessCount),
    lineStarts: growing.lineStarts.slice(0, growing.accessCount),
    lines: growing.lines.slice(0, growing.lineCount),
    next: undefined,
    isOpen: false,
  };
}

function doubled<T extends Uint32Array | Float64Array>(array: T): T {
  const grown = array instanceof Uint32Array ? new Uint32Array(array.length * 2) : new Float64Array(array.length * 2);
  grown.set(array);
  return grown as T;
}

function countBits(mask: number): number {
  let rest = mask - ((mask >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
