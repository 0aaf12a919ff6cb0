// Watches one block run and keeps what the model needs (trace.ts). Addresses are coalesced here, while they are at hand.

import type { IssueObserver } from "../exec/observer.js";
import type { Coalescer } from "./coalesce.js";
import type { LoweredInstruction, Program } from "./lowering.js";
import { accessSpaces, packAccess, type BlockTrace, type WarpTrace } from "./trace.js";

export interface Recorder {
  readonly observer: IssueObserver;
  /** What it has seen, and the bytes that it takes. */
  readonly trace: () => BlockTrace;
  readonly bytes: () => number;
}

interface Growing {
  runs: Uint32Array;
  runWords: number;
  accesses: Uint32Array;
  accessCount: number;
  lines: Float64Array;
  lineCount: number;
  /** What a next instruction in the run would be. */
  expected: number;
}

/** A recorder for one block of `warps` warps. */
export function createRecorder(program: Program, warps: number, block: number, coalescer: Coalescer): Recorder {
  const { footprint } = coalescer;
  const growing = Array.from({ length: warps }, startTrace);
  let warpInstructions = 0;
  let threadInstructions = 0;

  const observer: IssueObserver = {
    issue: (warp, fn, pc, _mask, active, access) => {
      const trace = growing[warp]!;
      const instruction = program.baseOf(fn.code) + pc;
      warpInstructions++;
      threadInstructions += countBits(active);
      const word = instruction * 2 + (active === 0 ? 1 : 0);
      if (word === trace.expected) trace.runs[trace.runWords - 1]!++;
      else {
        if (trace.runWords + 2 > trace.runs.length) trace.runs = doubled(trace.runs);
        trace.runs[trace.runWords++] = word;
        trace.runs[trace.runWords++] = 1;
      }
      trace.expected = word + 2;
      const lowered = program.instructions[instruction]!;
      if (active === 0 || !accessesMemory(lowered)) return;
      if (access === undefined) footprint.lineCount = 0;
      else
        coalescer.describe(
          access,
          active,
          block * warps + warp,
          lowered.kind === "atomic" || lowered.kind === "reduce",
        );
      const space = access === undefined ? "shared" : access.space === "param" ? "const" : access.space;
      if (trace.accessCount === trace.accesses.length) trace.accesses = doubled(trace.accesses);
      trace.accesses[trace.accessCount++] = packAccess(
        accessSpaces.indexOf(space),
        footprint.lineCount,
        access === undefined ? 1 : footprint.wavefronts,
        footprint.conflicts,
      );
      while (trace.lineCount + footprint.lineCount > trace.lines.length) trace.lines = doubled(trace.lines);
      for (let i = 0; i < footprint.lineCount; i++) trace.lines[trace.lineCount++] = footprint.lines[i]!;
    },
  };

  return {
    observer,
    trace: () => ({ warps: growing.map(finishTrace), warpInstructions, threadInstructions }),
    bytes: () => growing.reduce((sum, each) => sum + bytesOf(each), 0),
  };
}

/** Whether an instruction has a word in `accesses` when a lane's guard holds. */
export function accessesMemory({ kind }: LoweredInstruction): boolean {
  return (
    kind === "load" ||
    kind === "store" ||
    kind === "atomic" ||
    kind === "reduce" ||
    kind === "prefetch" ||
    kind === "async"
  );
}

function startTrace(): Growing {
  return {
    runs: new Uint32Array(64),
    runWords: 0,
    accesses: new Uint32Array(16),
    accessCount: 0,
    lines: new Float64Array(16),
    lineCount: 0,
    expected: -1,
  };
}

const bytesOf = ({ runs, accesses, lines }: Growing): number =>
  runs.byteLength + accesses.byteLength + lines.byteLength;

function finishTrace(growing: Growing): WarpTrace {
  return {
    runs: growing.runs.slice(0, growing.runWords),
    accesses: growing.accesses.slice(0, growing.accessCount),
    lines: growing.lines.slice(0, growing.lineCount),
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
