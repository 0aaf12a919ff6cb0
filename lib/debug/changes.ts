// Watched memory: reports each change of a variable or a buffer, with the thread and the instruction that made it. Values are
// compared after every instruction, so that atomics and copies that complete later are reported when they take effect.

import type { Dimensions } from "../base/dimensions.js";
import type { Block } from "../exec/state/block.js";
import type { Access, Probe } from "../exec/state/observer.js";
import type { Warp } from "../exec/state/warp.js";
import { windowBase } from "../load/address-space.js";
import type { LoadedFunction, Process } from "../load/process.js";
import { countLanes } from "../exec/machine/warp.js";
import { lanesIn } from "../exec/machine/walk.js";
import { bytesAtAddress, type NamedMemory } from "./memory.js";
import { createPlaces, dimensionsText, type InstructionPlace, placeText, threadOf } from "./place.js";
import { typeBytes, valueIn, valueText } from "./values.js";

/** A part of a variable. */
export interface WatchedPart {
  readonly memory: NamedMemory;
  /** Bytes from the start of the memory. */
  readonly offset: number;
  readonly bytes: number;
}

export interface Change extends InstructionPlace {
  readonly kernel: string;
  readonly block: Dimensions;
  /** The thread that wrote, if the instruction's addresses identify it; the last one of `lanes`. */
  readonly thread?: Dimensions;
  /**
   * `warp` is the number in the block. `lanes` is the mask of lanes that wrote there or, without an address, executed the
   * instruction.
   */
  readonly warp: number;
  readonly lanes: number;
  readonly variable: string;
  /** Bytes from the variable's start. */
  readonly offset: number;
  readonly old: string;
  readonly new: string;
}

interface Watched {
  readonly part: WatchedPart;
  /** The previous contents; for shared memory, by block. */
  readonly seen: Map<Block | undefined, Uint8Array>;
}

/** Finds the watched parts of a launch; shared memory depends on the kernel. */
export type FindParts = (warp: Warp) => readonly WatchedPart[];

/** The instruction that is executing. */
interface Running {
  readonly warp: Warp;
  readonly fn: LoadedFunction;
  readonly pc: number;
  readonly mask: number;
}

interface ChangesState {
  readonly process: Process;
  readonly find: FindParts;
  readonly onChange: (change: Change) => void;
  readonly placeOf: ReturnType<typeof createPlaces>;
  readonly byLaunch: WeakMap<object, readonly Watched[]>;
  current: Running | undefined;
}

export function createChanges(process: Process, find: FindParts, onChange: (change: Change) => void): Probe {
  const placeOf = createPlaces(process);
  const state: ChangesState = { process, find, onChange, placeOf, byLaunch: new WeakMap(), current: undefined };
  const started = new Set<number>();
  return {
    observe(block) {
      started.add(block);
      return { issue: (_warp, _fn, _pc, _mask, active, access) => compare(state, active, access) };
    },
    before(warp, { frame, pc, mask }) {
      if (started.delete(warp.block.index))
        for (const { part, seen } of watchedOf(state, warp))
          if (part.memory.space === "shared") seen.delete(warp.block);
      state.current = { warp, fn: frame.program.fn, pc, mask };
      for (const watched of watchedOf(state, warp)) remember(state, watched, warp);
    },
    fault: () => compare(state, state.current?.mask ?? 0, undefined),
  };
}

function watchedOf({ byLaunch, find }: ChangesState, warp: Warp): readonly Watched[] {
  const { launch } = warp.block;
  let known = byLaunch.get(launch);
  if (known === undefined) {
    known = find(warp).map((part) => ({ part, seen: new Map<Block | undefined, Uint8Array>() }));
    byLaunch.set(launch, known);
  }
  return known;
}

const bytesOf = (
  { process }: ChangesState,
  { part: { memory, offset, bytes } }: Watched,
  { block }: Warp,
): Uint8Array | undefined => bytesAtAddress({ process, launch: block.launch, block }, memory.address + offset, bytes);

const keyOf = ({ part }: Watched, { block }: Warp): Block | undefined =>
  part.memory.space === "shared" ? block : undefined;

function remember(state: ChangesState, watched: Watched, warp: Warp): void {
  const key = keyOf(watched, warp);
  if (!watched.seen.has(key)) watched.seen.set(key, bytesOf(state, watched, warp)?.slice() ?? new Uint8Array());
}

function compare(state: ChangesState, active: number, access: Access | undefined): void {
  const { current } = state;
  if (current === undefined) return;
  const { warp } = current;
  for (const watched of watchedOf(state, warp)) {
    const now = bytesOf(state, watched, warp);
    const before = watched.seen.get(keyOf(watched, warp));
    if (now === undefined || before === undefined || Buffer.compare(now, before) === 0) continue;
    report(state, current, watched, before, now, active, access);
    before.set(now.subarray(0, before.length));
  }
}

function report(
  { process, placeOf, onChange }: ChangesState,
  { warp, fn, pc, mask }: Running,
  { part }: Watched,
  before: Uint8Array,
  now: Uint8Array,
  active: number,
  access: Access | undefined,
): void {
  const { memory } = part;
  const { launch, coordinates } = warp.block;
  const size = Math.max(1, typeBytes(memory.type));
  // Compares elements of the variable if the part consists of whole ones; otherwise bytes.
  const unit = part.offset % size === 0 && part.bytes % size === 0 ? size : 1;
  for (let at = 0; at < now.length; at += unit) {
    if (Buffer.compare(before.subarray(at, at + unit), now.subarray(at, at + unit)) === 0) continue;
    const text = (bytes: Uint8Array): string =>
      unit === size ? valueText(valueIn(memory.type, bytes, at)) : `0x${bytes[at]!.toString(16).padStart(2, "0")}`;
    const writers = writersOf(process, memory, part.offset + at, unit, active, access);
    const lane = writers.at(-1);
    onChange({
      kernel: launch.kernel.name,
      block: coordinates,
      ...(lane === undefined ? {} : { thread: threadOf(launch, warp, lane) }),
      ...placeOf(fn, pc),
      warp: warp.index,
      lanes: (writers.length > 0 ? writers.reduce((sum, each) => sum | (1 << each), 0) : active || mask) >>> 0,
      variable: memory.name,
      offset: part.offset + at,
      old: text(before),
      new: text(now),
    });
  }
}

/** Lanes whose accesses cover the bytes; without addresses, the only active lane. */
function writersOf(
  process: Process,
  { address, space }: NamedMemory,
  offset: number,
  bytes: number,
  active: number,
  access: Access | undefined,
): readonly number[] {
  const lanes = lanesIn(active);
  if (lanes.length === 1) return lanes;
  if (access === undefined || access.space !== space) return [];
  const at = address + offset - (space === "global" ? 0 : windowBase(space, process.space));
  return lanes.filter((lane) => {
    const own = access.addresses[lane]!;
    return own < at + bytes && at < own + access.bytes;
  });
}

const lanesText = (lanes: number): string => `0x${lanes.toString(16).padStart(8, "0")}`;

/** The change as one line of text. */
export function changeText(change: Change): string {
  const { variable, offset, old, new: now, block, thread, warp, lanes } = change;
  const name = offset === 0 ? variable : `${variable}+${offset}`;
  const several = countLanes(lanes) > 1 ? `, the last of ${countLanes(lanes)} lanes` : "";
  const who =
    thread === undefined ? `warp ${warp}, lanes ${lanesText(lanes)}` : `thread ${dimensionsText(thread)}${several}`;
  return `watch ${name}: ${old} -> ${now}  block ${dimensionsText(block)}, ${who}, ${placeText(change)}`;
}
