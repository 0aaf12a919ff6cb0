// Creates the state of an SM (sm-state.ts).

import { pipeNames } from "../gpus/model.js";
import type { Program } from "../lowering/lowered.js";
import type { Planner } from "../schedule/plan.js";
import { DOUBLE_ZERO } from "../trace/double-zero.js";
import { stallNames } from "../trace/stalls.js";
import type { TimelineSums } from "../trace/timeline.js";
import type { TracePool } from "../trace/trace.js";
import { createInstructionCache } from "./instruction-cache.js";
import type { L1 } from "./l1.js";
import { crossings } from "../lowering/pipe-costs.js";
import type { Machine, Sm, SmWatch, Subcore } from "./sm-state.js";
import { createFences } from "./waits.js";

export const PIPES = pipeNames.length;

/** Slots of a warp before plans exist. */
const FIRST_SLOTS = 16;

/** The machine of `sms` SMs with room for `places` warps each. */
export function createMachine(
  program: Program,
  planner: Planner,
  traces: TracePool | undefined,
  timeline: TimelineSums,
  sms: number,
  places: number,
): Machine {
  const { model } = program;
  const { queueEntries } = model.lsu;
  const warps = sms * places;
  const subcores = sms * model.subcores;
  const fp64 = pipeNames.indexOf("fp64");
  const column = (): Float64Array => new Float64Array(warps);
  return {
    model,
    program,
    planner,
    traces,
    timeline,
    places,
    queueEntries,
    crossing: crossings(model),
    outcome: { result: 0.5, why: 0, earliest: 0.5, reason: 0 },
    warps: Array.from({ length: warps }, () => undefined),
    wake: column(),
    way: new Uint32Array(warps),
    since: column(),
    repeats: column(),
    start: column(),
    stored: column(),
    reduced: column(),
    copied: column(),
    multiplied: column(),
    handed: column(),
    slots: FIRST_SLOTS,
    ready: new Float64Array(warps * FIRST_SLOTS),
    why: new Uint8Array(warps * FIRST_SLOTS),
    due: new Float64Array(subcores).fill(Infinity),
    order: new Uint32Array(subcores * places),
    queue: new Float64Array(subcores * queueEntries),
    free: new Float64Array(subcores * PIPES),
    pipeOf: Uint32Array.from({ length: subcores * PIPES }, (_, i) =>
      model.fp64PerSm && i % PIPES === fp64 ? i - (i % (model.subcores * PIPES)) + fp64 : i,
    ),
    stalls: new Float64Array(sms * stallNames.length),
    pipeCycles: new Float64Array(sms * PIPES),
  };
}

/** SM `index` of a machine. */
export function createSm(machine: Machine, index: number, l1: L1, watch: SmWatch | undefined): Sm {
  const { model, places } = machine;
  return {
    index,
    machine,
    l1,
    watch,
    subcores: createSubcores(machine, index),
    barriers: { free: DOUBLE_ZERO },
    fences: createFences(),
    instructions: createInstructionCache(model),
    counters: { issued: 0, warpCycles: 0, ended: 0 },
    left: [],
    starved: [],
    places: Array.from({ length: places }, (_, i) => (index + 1) * places - 1 - i),
    pollReady: DOUBLE_ZERO,
  };
}

/** Grows the columns to the slots that plans use. */
export function reachSlots(machine: Machine): void {
  const { slots: before, ready, why, planner, warps } = machine;
  const needed = planner.slots.used;
  if (needed <= before) return;
  let slots = before;
  while (slots < needed) slots *= 2;
  machine.slots = slots;
  machine.ready = new Float64Array(warps.length * slots);
  machine.why = new Uint8Array(warps.length * slots);
  for (let place = 0; place < warps.length; place++) {
    machine.ready.set(ready.subarray(place * before, (place + 1) * before), place * slots);
    machine.why.set(why.subarray(place * before, (place + 1) * before), place * slots);
  }
}

function createSubcores({ model, places, queueEntries }: Machine, sm: number): readonly Subcore[] {
  return Array.from({ length: model.subcores }, (_, index) => {
    const number = sm * model.subcores + index;
    return {
      index,
      number,
      pipes: number * PIPES,
      order: number * places,
      queue: number * queueEntries,
      count: 0,
      greedy: -1,
      yields: false,
      queueAt: 0,
      handed: DOUBLE_ZERO,
      matrixFree: DOUBLE_ZERO,
    };
  });
}
