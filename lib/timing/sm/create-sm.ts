// Makes the state of an SM (sm-state.ts).

import { pipeNames } from "../gpus/model.js";
import type { Program } from "../lowering/lowered.js";
import type { Planner } from "../schedule/plan.js";
import { stallNames } from "../trace/stalls.js";
import type { TimelineSums } from "../trace/timeline.js";
import { createInstructionCache } from "./instruction-cache.js";
import type { L1 } from "./l1.js";
import { crossings } from "../lowering/pipe-costs.js";
import { CELL, type Machine, type Sm, type SmWatch, type Subcore } from "./sm-state.js";
import { createFences } from "./waits.js";

export const PIPES = pipeNames.length;

/** Slots of a warp before plans are known. */
const FIRST_SLOTS = 16;

/** The machine of `sms` SMs that hold `places` warps each at most. */
export function createMachine(
  program: Program,
  planner: Planner,
  timeline: TimelineSums,
  sms: number,
  places: number,
): Machine {
  const { model } = program;
  const { queueEntries } = model.lsu;
  const warps = sms * places;
  const subcores = sms * model.subcores;
  const fp64 = pipeNames.indexOf("fp64");
  return {
    ...{ model, program, planner, timeline, places, queueEntries },
    crossing: crossings(model),
    outcome: { result: 0.5, why: 0, earliest: 0.5, reason: 0 },
    warps: Array.from({ length: warps }, () => undefined),
    wake: new Float64Array(warps),
    way: new Uint32Array(warps),
    ...createRows(warps, FIRST_SLOTS),
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
    barriers: { free: 0 },
    fences: createFences(),
    instructions: createInstructionCache(model),
    counters: { issued: 0, warpCycles: 0, ended: 0 },
    left: [],
    starved: [],
    places: Array.from({ length: places }, (_, i) => (index + 1) * places - 1 - i),
    pollReady: 0,
  };
}

/** Rows of `warps` warps with so many slots each. */
function createRows(warps: number, slots: number): Pick<Machine, "slots" | "width" | "cells" | "causes"> {
  const width = CELL.ready + slots + Math.ceil(slots / Float64Array.BYTES_PER_ELEMENT);
  const cells = new Float64Array(warps * width);
  return { slots, width, cells, causes: new Uint8Array(cells.buffer) };
}

/** Makes room for the slots that plans use by now. */
export function reachSlots(machine: Machine): void {
  const { slots: before, width, cells, causes, planner, warps } = machine;
  const needed = planner.slots.used;
  if (needed <= before) return;
  let slots = before;
  while (slots < needed) slots *= 2;
  Object.assign(machine, createRows(warps.length, slots));
  for (let place = 0; place < warps.length; place++) {
    const row = place * width;
    machine.cells.set(cells.subarray(row, row + CELL.ready + before), place * machine.width);
    const from = causesOf(place, width, before);
    machine.causes.set(causes.subarray(from, from + before), causesOf(place, machine.width, slots));
  }
}

/** Where the causes of a warp's slots begin. */
export const causesOf = (place: number, width: number, slots: number): number =>
  (place * width + CELL.ready + slots) * Float64Array.BYTES_PER_ELEMENT;

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
      handed: 0,
      matrixFree: 0,
    };
  });
}
