// Makes the state of an SM (sm-state.ts).

import { type GpuModel, pipeNames } from "../gpus/model.js";
import type { Program } from "../lowering/lowered.js";
import type { Planner } from "../schedule/plan.js";
import { stallNames } from "../trace/stalls.js";
import type { TimelineSums } from "../trace/timeline.js";
import { createInstructionCache } from "./instruction-cache.js";
import type { L1 } from "./l1.js";
import { crossings } from "./pipe-costs.js";
import type { Machine, Sm, SmWatch, Subcore } from "./sm-state.js";
import { createFences } from "./waits.js";

export const PIPES = pipeNames.length;

/** Slots of a warp before plans are known. */
const FIRST_SLOTS = 16;

export const createMachine = (program: Program, planner: Planner, timeline: TimelineSums): Machine => ({
  model: program.model,
  program,
  planner,
  crossing: crossings(program.model),
  timeline,
});

/** An SM that holds `warps` warps at most. */
export function createSm(machine: Machine, l1: L1, warps: number, watch: SmWatch | undefined): Sm {
  const { model } = machine;
  const ways = Array.from({ length: model.subcores * PIPES }, (_, i) => i);
  const fp64 = pipeNames.indexOf("fp64");
  return {
    machine,
    l1,
    watch,
    subcores: createSubcores(model, warps),
    due: new Float64Array(model.subcores).fill(Infinity),
    free: new Float64Array(model.subcores * PIPES),
    pipeOf: Uint8Array.from(ways, (i) => (model.fp64PerSm && i % PIPES === fp64 ? fp64 : i)),
    barriers: { free: 0 },
    fences: createFences(),
    instructions: createInstructionCache(model),
    counters: {
      issued: 0,
      stalls: new Float64Array(stallNames.length),
      pipes: new Float64Array(PIPES),
      warpCycles: 0,
      ended: 0,
    },
    left: [],
    starved: [],
    warps: Array.from({ length: warps }, () => undefined),
    places: Array.from({ length: warps }, (_, i) => warps - 1 - i),
    wake: new Float64Array(warps),
    way: new Uint8Array(warps),
    since: new Float64Array(warps),
    repeats: new Float64Array(warps),
    start: new Float64Array(warps),
    stored: new Float64Array(warps),
    reduced: new Float64Array(warps),
    copied: new Float64Array(warps),
    multiplied: new Float64Array(warps),
    handed: new Float64Array(warps),
    slots: FIRST_SLOTS,
    ready: new Float64Array(warps * FIRST_SLOTS),
    why: new Uint8Array(warps * FIRST_SLOTS),
    outcome: { result: 0, why: 0, earliest: 0, reason: 0 },
    pollReady: 0,
  };
}

/** Makes room for the slots that plans use by now. */
export function reachSlots(sm: Sm): void {
  const { slots: before, ready, why, machine, warps } = sm;
  const needed = machine.planner.slots.used;
  if (needed <= before) return;
  let slots = before;
  while (slots < needed) slots *= 2;
  sm.slots = slots;
  sm.ready = new Float64Array(warps.length * slots);
  sm.why = new Uint8Array(warps.length * slots);
  for (let place = 0; place < warps.length; place++) {
    sm.ready.set(ready.subarray(place * before, (place + 1) * before), place * slots);
    sm.why.set(why.subarray(place * before, (place + 1) * before), place * slots);
  }
}

const createSubcores = (model: GpuModel, warps: number): readonly Subcore[] =>
  Array.from({ length: model.subcores }, (_, index) => ({
    index,
    order: new Uint16Array(warps),
    count: 0,
    greedy: -1,
    queue: new Float64Array(model.lsu.queueEntries),
    queueAt: 0,
    handed: 0,
    handedBy: undefined,
    matrixFree: 0,
  }));
