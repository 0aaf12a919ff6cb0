// Steps: decides when a lane has completed a step, from the places where the stepped lanes began.

import type { Frame } from "../exec/state/frame.js";
import type { Group, Warp } from "../exec/state/warp.js";
import { lanesIn } from "../exec/machine/walk.js";
import { firstLane } from "../exec/machine/warp.js";
import type { LoadedFunction } from "../load/process.js";
import { locPlace, ptxPlace, type LinePlace } from "./lines.js";

/** The lines that steps count: of the sources if there are any, or always of the PTX. */
export type Level = "source" | "ptx";

/** The threads that continue until one of them has made the step; the engine schedules the others. */
export type StepScope = "thread" | "warp" | "block";

export interface StepCommand {
  readonly kind: "step";
  readonly how: "in" | "over" | "out";
  readonly unit: "line" | "instruction";
  readonly scope: StepScope;
  readonly warp: Warp;
  readonly lane: number;
}

/** The line of an instruction for steps of that level. */
function stepPlace(fn: LoadedFunction, pc: number, level: "source" | "ptx"): LinePlace {
  return (level === "source" ? locPlace(fn, pc) : undefined) ?? ptxPlace(fn, pc);
}

export interface Stepping extends StepCommand {
  /** Number of the block: warp objects are reused. */
  readonly block: number;
  /** The origin of each stepped lane. */
  readonly from: ReadonlyMap<Warp, readonly (Origin | undefined)[]>;
}

export interface Origin {
  readonly depth: number;
  readonly fn: LoadedFunction;
  readonly file: string;
  readonly line: number;
}

export function originOf({ depth, program: { fn } }: Frame, pc: number, level: Level): Origin {
  return { depth, fn, ...stepPlace(fn, pc, level) };
}

/** Begins a step at the current places of the warp's groups. */
export function beginStep(step: StepCommand, level: Level): Stepping {
  return { ...step, block: step.warp.block.index, from: originsOf(step, level) };
}

function originsOf({ warp, lane, scope }: StepCommand, level: Level): Stepping["from"] {
  const warps = scope === "block" ? warp.block.warps : [warp];
  return new Map(
    warps.map((each) => {
      const origins: (Origin | undefined)[] = [];
      for (const { frame, pc, mask } of each.groups)
        for (const one of lanesIn(scope === "thread" ? mask & (1 << lane) : mask))
          origins[one] = originOf(frame, pc, level);
      return [each, origins] as const;
    }),
  );
}

/** The lane that has completed the step, or undefined. */
export function hasStepped(step: Stepping, warp: Warp, { frame, pc, mask }: Group, level: Level): number | undefined {
  const origins = warp.block.index === step.block ? step.from.get(warp) : undefined;
  if (origins === undefined) return isOver(step) ? firstLane(mask) : undefined;
  const lane = lanesIn(mask).find((each) => origins[each] !== undefined);
  if (lane === undefined) return isOver(step) ? firstLane(mask) : undefined;
  const from = origins[lane]!;
  const { depth } = frame;
  if (step.how === "out") return depth < from.depth ? lane : undefined;
  if (step.how === "over" && depth > from.depth) return undefined;
  if (step.unit === "instruction" || depth !== from.depth || frame.program.fn !== from.fn) return lane;
  const now = stepPlace(frame.program.fn, pc, level);
  return now.line === from.line && now.file === from.file ? undefined : lane;
}

/** Whether none of the stepped lanes exists any more. */
function isOver({ from, block }: Stepping): boolean {
  for (const [warp, origins] of from)
    if (warp.block.index === block)
      for (const lane of origins.keys())
        if (origins[lane] !== undefined && ((warp.live >>> lane) & 1) !== 0) return false;
  return true;
}
