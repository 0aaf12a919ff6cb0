// Observes one block and keeps what the model needs (trace.ts). Addresses are coalesced immediately. A warp's instructions are
// cut at the ends of regions, as the compiler cuts them (lowering/regions.ts). Within a region some instructions may not have
// been issued, because the warp jumped over them. In the machine code these are predicated, so they count as issued and off.

import { countLanes } from "../../exec/machine/warp.js";
import type { Access, IssueObserver, ModelClock } from "../../exec/state/observer.js";
import type { LoadedFunction } from "../../load/process.js";
import type { LoweredInstruction, Program } from "../lowering/lowered.js";
import { describeAccess, type Coalescer } from "./coalesce.js";
import { countAccess } from "../trace/cost.js";
import { createMbarrierRecord, type MbarrierRecord } from "./mbarrier-record.js";
import { passageOf, unrolledPassage, type Planner } from "../schedule/plan.js";
import { UNROLLED } from "../lowering/unroll.js";
import {
  ACCESS_CELLS,
  accessSpaces,
  packAccess,
  takeCells,
  type BlockTrace,
  type TracePool,
  type WarpTrace,
} from "../trace/trace.js";

/** State that the recorders of a launch share. */
export interface Recording {
  readonly program: Program;
  readonly planner: Planner;
  readonly coalescer: Coalescer;
  /** Functions that blocks have executed. */
  readonly functions: Set<LoadedFunction>;
  /** Arrays of recorders whose traces were taken, and of traces that were replayed, for reuse. */
  readonly pool: Growing[];
  readonly traces: TracePool;
  /** Whether a trace has become larger since this was cleared. */
  hasGrown: boolean;
}

/** Observes one block. */
export interface Recorder {
  readonly recording: Recording;
  readonly observer: IssueObserver;
  readonly block: number;
  readonly warps: readonly Growing[];
  readonly mbarriers: MbarrierRecord;
  warpInstructions: number;
  threadInstructions: number;
  /** The function that issued last, and the number of its first instruction. */
  current: LoadedFunction | undefined;
  base: number;
}

interface Growing {
  runs: Uint32Array;
  runWords: number;
  accesses: Uint32Array;
  lineStarts: Uint32Array;
  accessCount: number;
  lines: Float64Array;
  lineCount: number;
  /** The current passage: its first and last instruction, and the last one that it may contain; -1 if there is none. */
  from: number;
  to: number;
  limit: number;
  /**
   * The last wait at an mbarrier, if only the wait and its branches were executed since: it has failed if the same wait comes
   * again.
   */
  wait:
    | { readonly instruction: number; readonly offset: number; readonly runWords: number; readonly accesses: number }
    | undefined;
  /** Instructions of the passage that were off or jumped over, counted from `from`. Entries beyond the count are obsolete. */
  readonly off: number[];
  offCount: number;
  /** Lanes of its last instruction; whether the lanes of the passage diverged at its end, or reconverged before it. */
  mask: number;
  diverges: boolean;
  converges: boolean;
}

/** A recorder for block `block` of `warps` warps. */
export function createRecorder(recording: Recording, warps: number, block: number, clock?: ModelClock): Recorder {
  const recorder: Recorder = {
    recording,
    observer: {
      ...(clock === undefined ? {} : { clock }),
      issue: (warp, fn, pc, mask, active, access) => record(recorder, warp, fn, pc, mask, active, access),
      issueStretch: (warp, fn, pc, last, mask) => recordStretch(recorder, warp, fn, pc, last, mask),
    },
    block,
    warps: Array.from({ length: warps }, () => recording.pool.pop() ?? startTrace()),
    mbarriers: createMbarrierRecord(),
    warpInstructions: 0,
    threadInstructions: 0,
    current: undefined,
    base: 0,
  };
  return recorder;
}

/** Returns the trace since the previous call. */
export function takeTrace(recorder: Recorder): BlockTrace {
  const { warps, recording, warpInstructions, threadInstructions } = recorder;
  for (const each of warps) {
    closePassage(recording, each);
    unrollLast(recording, each);
  }
  const cells = takeCells(
    recording.traces,
    warps.reduce((sum, each) => sum + cellsOf(each), 0),
  );
  const trace = { warps: joinTraces(warps, cells), cells, warpInstructions, threadInstructions };
  for (const each of warps) {
    each.runWords = each.accessCount = each.lineCount = 0;
    each.wait = undefined;
  }
  recorder.warpInstructions = recorder.threadInstructions = 0;
  return trace;
}

/** Size of the block's trace in bytes. */
export const recordedBytes = ({ warps }: Recorder): number => warps.reduce((sum, each) => sum + bytesOf(each), 0);

/** Largest size in bytes of a warp's arrays that are reused for another block. */
const MAX_POOLED = 2 ** 16;

/** Releases the arrays of a block that has ended and whose trace was taken. */
export function releaseRecorder({ recording, warps }: Recorder): void {
  for (const each of warps) {
    if (bytesOf(each) > MAX_POOLED) continue;
    each.mask = 0;
    recording.pool.push(each);
  }
}

function record(
  recorder: Recorder,
  warp: number,
  fn: LoadedFunction,
  pc: number,
  mask: number,
  active: number,
  access: Access | undefined,
): void {
  const { recording } = recorder;
  const { program } = recording;
  if (fn !== recorder.current) enterFunction(recorder, fn);
  const trace = recorder.warps[warp]!;
  const instruction = recorder.base + pc;
  const lanes = countLanes(active);
  recorder.warpInstructions++;
  recorder.threadInstructions += lanes;
  const lowered = program.instructions[instruction]!;
  const { cost } = lowered;
  cost.executed++;
  cost.threads += lanes;
  // A branch that is not taken takes the same time as one that is: the last iteration of a loop is like any other.
  const isOff = active === 0 && lowered.kind !== "branch";
  if (instruction === trace.to + 1 && instruction <= trace.limit) {
    trace.to = instruction;
    trace.mask = mask;
    if (isOff) addOff(trace, instruction);
  } else go(recording, trace, instruction, mask, isOff);
  if (active === 0) return;
  if (((active ^ mask) | 0) !== 0 && lowered.form === "bra") {
    cost.diverged++;
    if (lowered.kind === "branch") trace.diverges = true;
  }
  if (program.accesses[instruction] === true) recordAccess(recorder, trace, warp, instruction, active, access);
}

function enterFunction(recorder: Recorder, fn: LoadedFunction): void {
  const { recording } = recorder;
  recording.functions.add(fn);
  recorder.current = fn;
  recorder.base = recording.program.baseOf(fn.code);
}

/** Records instructions from `pc` to `end`, each issued for all lanes of `mask` and without reported addresses. */
function recordStretch(
  recorder: Recorder,
  warp: number,
  fn: LoadedFunction,
  pc: number,
  end: number,
  mask: number,
): void {
  const { recording } = recorder;
  if (fn !== recorder.current) enterFunction(recorder, fn);
  const { instructions, accesses } = recording.program;
  const trace = recorder.warps[warp]!;
  const [first, last] = [recorder.base + pc, recorder.base + end];
  const lanes = countLanes(mask);
  recorder.warpInstructions += last - first + 1;
  recorder.threadInstructions += lanes * (last - first + 1);
  for (let i = first; i <= last; i++) {
    const { cost } = instructions[i]!;
    cost.executed++;
    cost.threads += lanes;
    // Some accesses, such as texture fetches, are reported without addresses.
    if (accesses[i] === true) recordAccess(recorder, trace, warp, i, mask, undefined);
  }
  for (let i = first; i <= last; i = trace.to + 1) {
    if (i !== trace.to + 1 || i > trace.limit) go(recording, trace, i, mask, false);
    trace.to = Math.min(last, trace.limit);
    trace.mask = mask;
  }
}

/** Adds an instruction to the current passage, or starts one with it. */
function go(recording: Recording, trace: Growing, instruction: number, mask: number, isOff: boolean): void {
  if (trace.from < 0 || instruction <= trace.to || instruction > trace.limit) {
    closePassage(recording, trace);
    trace.converges = trace.mask !== 0 && mask !== trace.mask && (trace.mask & ~mask) === 0;
    trace.from = instruction;
    trace.limit = recording.program.regionEnds[instruction]!;
  } else for (let i = trace.to + 1; i < instruction; i++) addOff(trace, i);
  trace.to = instruction;
  trace.mask = mask;
  if (isOff) addOff(trace, instruction);
}

function addOff(trace: Growing, instruction: number): void {
  trace.off[trace.offCount++] = instruction - trace.from;
}

function closePassage(recording: Recording, trace: Growing): void {
  if (trace.from < 0) return;
  const lanes = (trace.diverges ? 1 : 0) + (trace.converges ? 2 : 0);
  const passage = passageOf(recording.planner, trace.from, trace.to, trace.off, trace.offCount, lanes);
  trace.offCount = 0;
  trace.from = trace.to = trace.limit = -1;
  trace.diverges = false;
  if (trace.runWords > 0 && trace.runs[trace.runWords - 2] === passage) {
    trace.runs[trace.runWords - 1]!++;
    return;
  }
  unrollLast(recording, trace);
  addRun(recording, trace, passage, 1);
}

function addRun(recording: Recording, trace: Growing, passage: number, times: number): void {
  if (trace.runWords + 2 > trace.runs.length) trace.runs = doubled(recording, trace.runs);
  trace.runs[trace.runWords++] = passage;
  trace.runs[trace.runWords++] = times;
}

/** Converts iterations of a loop that the compiler unrolls into iterations of its copies, and the rest. */
function unrollLast(recording: Recording, trace: Growing): void {
  if (trace.runWords === 0) return;
  const times = trace.runs[trace.runWords - 1]!;
  if (times < UNROLLED) return;
  const passage = trace.runs[trace.runWords - 2]!;
  const unrolled = unrolledPassage(recording.planner, passage);
  if (unrolled === undefined) return;
  trace.runWords -= 2;
  addRun(recording, trace, unrolled, Math.floor(times / UNROLLED));
  if (times % UNROLLED > 0) addRun(recording, trace, passage, times % UNROLLED);
}

function recordAccess(
  recorder: Recorder,
  trace: Growing,
  warp: number,
  instruction: number,
  active: number,
  access: Access | undefined,
): void {
  const { recording } = recorder;
  const { coalescer, program } = recording;
  const { footprint } = coalescer;
  const lowered = program.instructions[instruction]!;
  const { kind } = lowered;
  const space = access === undefined ? "shared" : access.space === "param" ? "const" : access.space;
  if (access === undefined) footprint.lineCount = 0;
  else {
    const lanes = active & lowered.addressLanes;
    const isAtomic = kind === "atomic" || kind === "reduce";
    describeAccess(coalescer, access, lanes, recorder.block * recorder.warps.length + warp, isAtomic, instruction);
    describeMbarrier(recorder, trace, lowered, instruction, access, active);
    countAccess(lowered.cost, space, footprint);
  }
  const { lines, lineCount } = footprint;
  if (trace.accessCount === trace.accesses.length) {
    trace.accesses = doubled(recording, trace.accesses);
    trace.lineStarts = doubled(recording, trace.lineStarts);
  }
  trace.lineStarts[trace.accessCount] = trace.lineCount;
  trace.accesses[trace.accessCount++] = packAccess(
    accessSpaces.indexOf(space),
    lineCount,
    access === undefined ? 1 : footprint.wavefronts,
    kind === "store" ? Math.min(32, Math.ceil(footprint.bytes / footprint.sectorCount)) : footprint.conflicts,
  );
  while (trace.lineCount + lineCount > trace.lines.length) trace.lines = doubled(recording, trace.lines);
  for (let i = 0; i < lineCount; i++) trace.lines[trace.lineCount++] = lines[i]!;
}

/** Describes accesses to mbarriers: their lines hold its offset and, for a wait, the counts that it waited for. */
function describeMbarrier(
  { mbarriers, recording }: Recorder,
  trace: Growing,
  { kind, signalsBarrier }: LoweredInstruction,
  instruction: number,
  access: Access,
  active: number,
): void {
  const { footprint } = recording.coalescer;
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
    offCount: 0,
    mask: 0,
    diverges: false,
    converges: false,
  };
}

const bytesOf = ({ runs, accesses, lineStarts, lines }: Growing): number =>
  runs.byteLength + accesses.byteLength + lineStarts.byteLength + lines.byteLength;

const cellsOf = ({ runWords, accessCount, lineCount }: Growing): number =>
  runWords + ACCESS_CELLS * accessCount + lineCount;

/** The traces of a block's warps, consecutively in `cells`. */
function joinTraces(warps: readonly Growing[], cells: Float64Array): readonly WarpTrace[] {
  const traces: WarpTrace[] = [];
  let at = 0;
  for (const { runs, runWords, accesses, lineStarts, accessCount, lines, lineCount } of warps) {
    const firstRun = at;
    for (let i = 0; i < runWords; i++) cells[at++] = runs[i]!;
    const firstAccess = at;
    const firstLine = firstAccess + ACCESS_CELLS * accessCount;
    for (let i = 0; i < accessCount; i++) {
      cells[at++] = accesses[i]!;
      cells[at++] = firstLine + lineStarts[i]!;
    }
    for (let i = 0; i < lineCount; i++) cells[at++] = lines[i]!;
    traces.push({ cells, firstRun, endRun: firstAccess, firstAccess, next: undefined, isOpen: false });
  }
  return traces;
}

function doubled<T extends Uint32Array | Float64Array>(recording: Recording, array: T): T {
  recording.hasGrown = true;
  const grown = array instanceof Uint32Array ? new Uint32Array(array.length * 2) : new Float64Array(array.length * 2);
  grown.set(array);
  return grown as T;
}
