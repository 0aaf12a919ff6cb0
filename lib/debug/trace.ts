// Traces the instructions that one thread executes, with the values that they read and write.

import type { Dimensions } from "../base/dimensions.js";
import type { Frame } from "../exec/state/frame.js";
import type { Access, Probe } from "../exec/state/observer.js";
import type { Warp } from "../exec/state/warp.js";
import type { LoadedFunction, Process } from "../load/process.js";
import { operandsOf, type OperandNames, textsOf } from "./operands.js";
import { createPlaces, dimensionsText, type InstructionPlace, placeText } from "./place.js";

/** A thread by its coordinates. */
export interface ThreadName {
  readonly block: Dimensions;
  readonly thread: Dimensions;
}

export interface TraceEvent extends ThreadName, InstructionPlace {
  readonly kernel: string;
  /** Whether the guard was true. */
  readonly executed: boolean;
  readonly reads: Readonly<Record<string, string>>;
  readonly writes: Readonly<Record<string, string>>;
  /** The memory access of the instruction. `address` is generic for global memory, otherwise the offset in the state space. */
  readonly access?: { readonly space: Access["space"]; readonly address: number; readonly bytes: number };
}

interface Pending {
  readonly frame: Frame;
  readonly pc: number;
  readonly reads: Readonly<Record<string, string>>;
  readonly names: OperandNames;
}

/** Lanes of a warp that are traced, and the instruction that each is about to execute. */
interface Traced {
  readonly block: number;
  readonly lanes: readonly number[];
  readonly pending: Map<number, Pending>;
}

interface TraceState {
  readonly threads: readonly ThreadName[];
  readonly placeOf: ReturnType<typeof createPlaces>;
  readonly names: Map<LoadedFunction, (OperandNames | undefined)[]>;
  readonly traced: Map<Warp, Traced>;
  /** The warp whose instruction is executing. */
  current: Warp | undefined;
}

/** Calls `onEvent` for each instruction of the threads. */
export function createTrace(
  process: Process,
  threads: readonly ThreadName[],
  onEvent: (event: TraceEvent) => void,
): Probe {
  const placeOf = createPlaces(process);
  const state: TraceState = { threads, placeOf, names: new Map(), traced: new Map(), current: undefined };
  return {
    observe: () => ({
      issue(_warp, _fn, _pc, mask, active, access) {
        if (state.current === undefined) return;
        const { lanes, pending } = tracedOf(state, state.current);
        for (const lane of lanes) {
          const before = pending.get(lane);
          if (((mask >>> lane) & 1) === 0 || before === undefined) continue;
          pending.delete(lane);
          onEvent(eventOf(state, state.current, lane, before, ((active >>> lane) & 1) !== 0, access));
        }
      },
    }),
    before(warp, { frame, pc, mask }) {
      state.current = warp;
      const { lanes, pending } = tracedOf(state, warp);
      for (const lane of lanes) {
        if (((mask >>> lane) & 1) === 0) continue;
        const known = namesAt(state, frame, pc);
        pending.set(lane, { frame, pc, names: known, reads: textsOf(known.reads, frame, lane) });
      }
    },
    fault(cluster, { thread, block }) {
      const warp = cluster?.running;
      if (warp === undefined || thread === undefined || block === undefined) return;
      const { pending, lanes } = tracedOf(state, warp);
      for (const lane of lanes) {
        const before = pending.get(lane);
        if (before !== undefined) onEvent(eventOf(state, warp, lane, before, true, undefined));
      }
    },
  };
}

function namesAt({ names }: TraceState, frame: Frame, pc: number): OperandNames {
  const { fn } = frame.program;
  let ofFunction = names.get(fn);
  if (ofFunction === undefined) names.set(fn, (ofFunction = []));
  const instruction = fn.code.instructions[pc];
  return (ofFunction[pc] ??= instruction === undefined ? { reads: [], writes: [] } : operandsOf(frame, instruction));
}

function tracedOf({ traced, threads }: TraceState, warp: Warp): Traced {
  const { block } = warp;
  const known = traced.get(warp);
  if (known?.block === block.index) return known;
  const [x, y] = block.launch.config.block;
  const lanes = threads.flatMap(({ block: of, thread }) => {
    const index = thread[0] + x * (thread[1] + y * thread[2]);
    const isHere = of.every((each, i) => each === block.coordinates[i]) && index >> 5 === warp.index;
    return isHere ? [index & 31] : [];
  });
  const made = { block: block.index, lanes, pending: new Map<number, Pending>() };
  traced.set(warp, made);
  return made;
}

function eventOf(
  { placeOf }: TraceState,
  warp: Warp,
  lane: number,
  { frame, pc, reads, names: known }: Pending,
  executed: boolean,
  access: Access | undefined,
): TraceEvent {
  const { launch, coordinates: block } = warp.block;
  const [x, y] = launch.config.block;
  const index = 32 * warp.index + lane;
  const isStill = warp.live !== 0 && frame.warp === warp;
  return {
    kernel: launch.kernel.name,
    block,
    thread: [index % x, Math.floor(index / x) % y, Math.floor(index / (x * y))],
    ...placeOf(frame.program.fn, pc),
    executed,
    reads,
    writes: executed && isStill ? textsOf(known.writes, frame, lane) : {},
    ...(executed && access !== undefined && access.space !== "param" && !isOfParameter(frame, pc)
      ? { access: { space: access.space, address: access.addresses[lane]!, bytes: access.bytes } }
      : {}),
  };
}

/**
 * Whether an instruction accesses a call's parameters. These are in registers or local memory, so that their addresses are not
 * shown.
 */
const isOfParameter = ({ program }: Frame, pc: number): boolean =>
  program.fn.code.instructions[pc]?.opcode.chosen.some((text) => text?.startsWith("param") === true) === true;

const valuesText = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} = ${value}`)
    .join(", ");

/** The event as one line of text. */
export function traceText(event: TraceEvent): string {
  const { block, thread, executed, reads, writes, access } = event;
  const parts = [
    valuesText(reads),
    executed ? "" : "not executed",
    Object.keys(writes).length === 0 ? "" : `-> ${valuesText(writes)}`,
    access === undefined ? "" : `${access.space} 0x${access.address.toString(16)}`,
  ].filter((part) => part !== "");
  const values = parts.length === 0 ? "" : `  ${parts.join("  ")}`;
  return `trace ${dimensionsText(block)} ${dimensionsText(thread)} ${placeText(event)}${values}`;
}
