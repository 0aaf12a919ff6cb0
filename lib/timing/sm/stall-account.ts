// Assigns a stall reason to every cycle in which a warp is resident (stalls.ts).

import type { IssuedInstruction } from "../schedule/step.js";
import { pipeIndex } from "../lowering/lowering.js";
import type { Sm, Warp } from "./sm-state.js";
import { stall, stallNames } from "../trace/stalls.js";
import { ACCESS_CELLS, spaceOf } from "../trace/trace.js";

const lsu = pipeIndex("lsu");
const STALLS = stallNames.length;

/** Accounts for the cycles up to `at`, at which the warp issues on a pipe that was free from `pipeFree` on. */
export function countIssue(sm: Sm, warp: Warp, at: number, pipeFree: number, interval: number): void {
  const { instruction, op } = warp.step!;
  const { place } = warp;
  const { since, wake } = sm.machine;
  if (since[place]! < at) {
    countUntil(sm, warp, Math.min(at, wake[place]!), warp.reason, instruction);
    // A pipe that accepts an instruction every cycle throttles no warp.
    if ((interval > 1 || op!.pipe === lsu) && pipeFree > since[place]!)
      countUntil(sm, warp, Math.min(at, pipeFree), throttleOf(warp), instruction);
    countUntil(sm, warp, at, stall.not_selected, instruction);
  }
  countUntil(sm, warp, at + 1, stall.selected, instruction);
}

/** Accounts for cycles up to `until` with one reason; `instruction` was the warp's next one. */
export function countUntil(sm: Sm, warp: Warp, until: number, reason: number, instruction: IssuedInstruction): void {
  const { since, stalls } = sm.machine;
  const from = since[warp.place]!;
  if (until <= from) return;
  stalls[sm.index * STALLS + reason]! += until - from;
  instruction.cost.stalls[reason]! += until - from;
  sm.watch?.span(warp, reason, from, until, instruction);
  since[warp.place] = until;
}

function throttleOf(warp: Warp): number {
  const { kind, op } = warp.step!;
  if (op!.pipe !== lsu) return stall.math_pipe_throttle;
  const ordinal = warp.passage.accessOf[warp.next - 1]!;
  if (kind === "math" || ordinal < 0) return stall.mio_throttle;
  return spaceOf(warp.trace.cells[warp.access + ACCESS_CELLS * ordinal]!) <= 1 ? stall.lg_throttle : stall.mio_throttle;
}
