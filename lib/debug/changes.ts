// Watched memory: each change of a variable or a buffer, with the thread and the instruction that made it. Values are compared
// after every instruction, so that atomics, copies and what completes late are seen as they take effect.

import { windowBase } from "../load/address-space.js";
import type { Process } from "../load/process.js";
import type { Block } from "../exec/block.js";
import type { Access } from "../exec/observer.js";
import type { Probe } from "../exec/probe.js";
import { countLanes, type Group, type Warp } from "../exec/warp.js";
import { lanesIn } from "../exec/walk.js";
import { bytesAtAddress, type NamedMemory } from "./memory.js";
import { createPlaces, type Dimensions, dimensionsText, type InstructionPlace, placeText, threadOf } from "./place.js";
import { typeBytes, valueIn, valueText } from "./values.js";

/** A part of a variable. */
export interface WatchedPart {
  readonly memory: NamedMemory;
  /** Bytes from its start. */
  readonly offset: number;
  readonly bytes: number;
}

export interface Change extends InstructionPlace {
  readonly kernel: string;
  readonly block: Dimensions;
  /** The thread that wrote it, where the instruction's addresses tell; the last of those in `lanes`. */
  readonly thread?: Dimensions;
  /** Lanes that wrote there, or executed the instruction where no address tells: a mask; and their warp in its block. */
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
  /** The contents before; of shared memory by block. */
  readonly seen: Map<Block | undefined, Uint8Array>;
}

/** Finds what a launch has under the names: those of shared memory depend on the kernel. */
export type FindParts = (warp: Warp) => readonly WatchedPart[];

export function createChanges(process: Process, find: FindParts, onChange: (change: Change) => void): Probe {
  const placeOf = createPlaces(process);
  const byLaunch = new WeakMap<object, readonly Watched[]>();
  const started = new Set<number>();
  let current:
    | { readonly warp: Warp; readonly fn: Group["frame"]["program"]["fn"]; readonly pc: number; readonly mask: number }
    | undefined;

  const watchedOf = (warp: Warp): readonly Watched[] => {
    const { launch } = warp.block;
    let known = byLaunch.get(launch);
    if (known === undefined)
      byLaunch.set(
        launch,
        (known = find(warp).map((part) => ({ part, seen: new Map<Block | undefined, Uint8Array>() }))),
      );
    return known;
  };
  const bytesOf = ({ part: { memory, offset, bytes } }: Watched, { block }: Warp): Uint8Array | undefined =>
    bytesAtAddress({ process, launch: block.launch, block }, memory.address + offset, bytes);
  const keyOf = ({ part }: Watched, { block }: Warp): Block | undefined =>
    part.memory.space === "shared" ? block : undefined;
  const remember = (watched: Watched, warp: Warp): void => {
    const key = keyOf(watched, warp);
    if (!watched.seen.has(key)) watched.seen.set(key, bytesOf(watched, warp)?.slice() ?? new Uint8Array());
  };
  const compare = (active: number, access: Access | undefined): void => {
    if (current === undefined) return;
    const { warp } = current;
    for (const watched of watchedOf(warp)) {
      const now = bytesOf(watched, warp);
      const before = watched.seen.get(keyOf(watched, warp));
      if (now === undefined || before === undefined || Buffer.compare(now, before) === 0) continue;
      report(watched, before, now, active, access);
      before.set(now.subarray(0, before.length));
    }
  };

  return {
    observe(block) {
      started.add(block);
      return { issue: (_warp, _fn, _pc, _mask, active, access) => compare(active, access) };
    },
    before(warp, { frame, pc, mask }) {
      if (started.delete(warp.block.index))
        for (const { part, seen } of watchedOf(warp)) if (part.memory.space === "shared") seen.delete(warp.block);
      current = { warp, fn: frame.program.fn, pc, mask };
      for (const watched of watchedOf(warp)) remember(watched, warp);
    },
    fault: () => compare(current?.mask ?? 0, undefined),
  };

  function report(
    { part }: Watched,
    before: Uint8Array,
    now: Uint8Array,
    active: number,
    access: Access | undefined,
  ): void {
    const { memory } = part;
    const { warp, fn, pc, mask } = current!;
    const { launch, coordinates } = warp.block;
    const size = Math.max(1, typeBytes(memory.type));
    // Elements of the variable, where the part holds whole ones; else bytes.
    const unit = part.offset % size === 0 && part.bytes % size === 0 ? size : 1;
    for (let at = 0; at < now.length; at += unit) {
      if (Buffer.compare(before.subarray(at, at + unit), now.subarray(at, at + unit)) === 0) continue;
      const text = (bytes: Uint8Array): string =>
        unit === size ? valueText(valueIn(memory.type, bytes, at)) : `0x${bytes[at]!.toString(16).padStart(2, "0")}`;
      const writers = writersOf(memory, part.offset + at, unit, active, access);
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

  /** Lanes whose access has the bytes; where no address tells, the only one there is. */
  function writersOf(
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
}

const lanesText = (lanes: number): string => `0x${lanes.toString(16).padStart(8, "0")}`;

/** One line for people. */
export function changeText(change: Change): string {
  const { variable, offset, old, new: now, block, thread, warp, lanes } = change;
  const name = offset === 0 ? variable : `${variable}+${offset}`;
  const several = countLanes(lanes) > 1 ? `, the last of ${countLanes(lanes)} lanes` : "";
  const who =
    thread === undefined ? `warp ${warp}, lanes ${lanesText(lanes)}` : `thread ${dimensionsText(thread)}${several}`;
  return `watch ${name}: ${old} -> ${now}  block ${dimensionsText(block)}, ${who}, ${placeText(change)}`;
}
