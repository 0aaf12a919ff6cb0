// Functions of the host that generated code calls: to execute an instruction that has no lowering, and to finish a segment in
// which an access missed its cached region.

import { moveBlock } from "../machine/block.js";
import { KernelFault } from "../state/fault.js";
import type { Block } from "../state/block.js";
import type { Frame } from "../state/frame.js";
import { countLanes, createGroup } from "../machine/warp.js";
import { CONTEXT } from "./context.table.js";
import { contextWord, type EngineState, tensorUnit } from "./engine-state.js";
import { logFault, logRest, logStep } from "./issue-report.js";
import type { Unit } from "./unit.js";
import { kernelFrameOf } from "./warp-records.js";
import { recordMiss } from "./sites.js";

/** Makes `block` the one that generated code runs now. */
export function followBlock(engine: EngineState, block: Block): void {
  const number = contextWord(engine, CONTEXT.number);
  if (block.index === number) return;
  moveBlock(block, number, (warp) => engine.frames.get(kernelFrameOf(engine.warpRecords!, warp))!);
  engine.clocks.fill(0);
}

function currentFrame(engine: EngineState): Frame {
  const { block, warp } = engine.running!;
  if (block !== undefined) followBlock(engine, block);
  const running = block?.warps[contextWord(engine, CONTEXT.warp)] ?? warp;
  return engine.frameAt(contextWord(engine, CONTEXT.words), running);
}

const currentUnit = (engine: EngineState): Unit => engine.units.get(contextWord(engine, CONTEXT.fn))!;

/** Lanes of `mask` whose guard at `pc` holds. */
function activeAt({ program, words }: Frame, pc: number, mask: number): number {
  const { guard, flip } = program.steps[pc]!;
  return guard < 0 ? mask : mask & (words[guard]! ^ flip);
}

/**
 * Records a fault at `pc` in the answer, with the counts up to and including that instruction. `guarded`: lanes executed under
 * guards that the context does not count.
 */
function stopAt(engine: EngineState, pc: number, guarded: number): void {
  const { answer } = engine;
  const unit = currentUnit(engine);
  const { start } = unit.graph.blocks[contextWord(engine, CONTEXT.index)]!;
  let unguarded = 0;
  for (let at = start; at <= pc; at++) if (unit.program.steps[at]!.guard < 0) unguarded++;
  answer.pc = pc;
  answer.issued = contextWord(engine, CONTEXT.issued) + pc - start + 1;
  answer.threads =
    contextWord(engine, CONTEXT.threads) +
    contextWord(engine, CONTEXT.guarded) +
    guarded +
    unguarded * countLanes(contextWord(engine, CONTEXT.mask));
}

/** Sets the counters that clocks and timers read to their values at `pc`. */
function setClocks(engine: EngineState, { warp }: Frame, pc: number): void {
  const { clock, issued, block, isGroup } = engine.running!;
  const { start } = currentUnit(engine).graph.blocks[contextWord(engine, CONTEXT.index)]!;
  const before = block === undefined ? clock : engine.clocks[warp.index]!;
  const issuedBefore = contextWord(engine, CONTEXT.warpIssued);
  warp.clock = before + issuedBefore + contextWord(engine, CONTEXT.issued) + pc - start + 1;
  const { counters } = warp.block.launch;
  counters.warpInstructions = issued + contextWord(engine, CONTEXT.total);
  if (!isGroup) counters.runClock = before + issuedBefore;
}

/** Executes the instruction at `pc` for the lanes of `mask`. Throws KernelFault. */
export function executeStep(engine: EngineState, pc: number, mask: number): void {
  const frame = currentFrame(engine);
  const { guard, lanes, quick, watch } = frame.program.steps[pc]!;
  const active = activeAt(frame, pc, mask);
  if (guard >= 0) engine.words[CONTEXT.guarded >> 2]! += countLanes(active);
  if (active === 0) {
    logStep(engine, currentUnit(engine), frame, pc, 0);
    return;
  }
  setClocks(engine, frame, pc);
  try {
    watch?.(frame.warp, createGroup(frame, pc, mask), active);
    const unit = quick && tensorUnit(engine);
    if (unit === undefined) lanes!(frame, active);
    else quick!(frame, active, unit);
  } catch (error) {
    stopAt(engine, pc, 0);
    throw error;
  }
  logStep(engine, currentUnit(engine), frame, pc, active);
}

/** Ends the screening pass, because one of its checks has failed. */
export function suspect(engine: EngineState): never {
  const { answer } = engine;
  answer.pc = currentUnit(engine).graph.blocks[contextWord(engine, CONTEXT.index)]!.start;
  answer.issued = answer.threads = 0;
  throw new KernelFault("trap", SUSPECT);
}

/** The message of the fault that ends a screening pass. It is never reported. */
export const SUSPECT = "a check of the screening pass has failed";

/** Executes segment `number` for the lanes from `first` on. Throws KernelFault. */
export function finishSegment(engine: EngineState, number: number, first: number): void {
  const { from, to, unit } = engine.segments[number]!;
  const { steps } = unit.program;
  const frame = currentFrame(engine);
  const mask = contextWord(engine, CONTEXT.mask);
  const rest = mask & (-1 << first);
  let pc = from;
  try {
    for (; pc < to; pc++) {
      const active = activeAt(frame, pc, rest);
      if (active === 0) continue;
      steps[pc]!.watch?.(frame.warp, createGroup(frame, pc, mask), active);
      logRest(engine, unit, frame, pc, active);
      steps[pc]!.lanes!(frame, active);
    }
  } catch (error) {
    let guarded = 0;
    for (let at = from; at <= pc; at++) if (steps[at]!.guard >= 0) guarded += countLanes(activeAt(frame, at, mask));
    logFault(engine, unit, from, pc, (at) => activeAt(frame, at, mask));
    stopAt(engine, pc, guarded);
    throw error;
  }
  recordMiss(engine.sites);
}
