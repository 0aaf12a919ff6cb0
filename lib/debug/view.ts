// The places of stopped threads: groups of lanes at one instruction, and their calls.

import type { Cluster } from "../exec/state/block.js";
import type { Frame } from "../exec/state/frame.js";
import type { Group, Warp } from "../exec/state/warp.js";
import { waitText } from "../exec/launch/thread-locations.js";
import { lanesIn } from "../exec/machine/walk.js";
import { firstLane } from "../exec/machine/warp.js";
import { windowBase } from "../load/address-space.js";
import type { Process } from "../load/process.js";
import type { Layout } from "../isa/code.js";
import type { MemoryContext, NamedMemory } from "./memory.js";
import type { MemoryNames } from "./names.js";
import { dimensionsText } from "./place.js";
import type { Scope } from "./result.js";
import { sourceScope } from "./source/scope.js";

/** A group of lanes at one instruction. */
export interface GroupView {
  readonly warp: Warp;
  readonly group: Group;
}

/** A call; the innermost one is first. */
export interface CallView {
  readonly frame: Frame;
  /** The next instruction or, in a caller, the call that has not returned. */
  readonly pc: number;
}

/** Every group of the clusters, warp by warp, lower lanes first. */
export function groupsOf(clusters: Iterable<Cluster>): readonly GroupView[] {
  return [...clusters].flatMap(({ blocks }) =>
    blocks.flatMap(({ warps }) =>
      warps.flatMap((warp) =>
        [...warp.groups]
          .sort((a, b) => firstLane(a.mask) - firstLane(b.mask))
          .map((group): GroupView => ({ warp, group })),
      ),
    ),
  );
}

/** Index of the group's instruction. A group that waits at a barrier has already advanced past it. */
export function pcOf({ pc, wait }: Group): number {
  const isBehind = wait?.kind === "barrier" || wait?.kind === "cluster" || wait?.kind === "warp";
  return isBehind && pc > 0 ? pc - 1 : pc;
}

export function callsOf(group: Group): readonly CallView[] {
  const calls: CallView[] = [];
  let pc = pcOf(group);
  for (let frame: Frame | undefined = group.frame; frame !== undefined; frame = frame.parent) {
    calls.push({ frame, pc });
    pc = frame.returnPc - 1;
  }
  return calls;
}

/** Lanes as text: "0-15", "0,2,5-7". */
export function lanesText(mask: number): string {
  const ranges: [number, number][] = [];
  for (const lane of lanesIn(mask)) {
    const last = ranges.at(-1);
    if (last !== undefined && lane === last[1] + 1) last[1] = lane;
    else ranges.push([lane, lane]);
  }
  const texts = ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
  const shown = texts.length > 6 ? [...texts.slice(0, 5), "…"] : texts;
  return `lane${lanesIn(mask).length === 1 ? "" : "s"} ${shown.join(",")}`;
}

/** A group as text, with what it waits for: "block (0,0,0) warp 1: lanes 0-15". */
export function groupText({ warp, group }: GroupView): string {
  const waits = waitText(warp, group);
  return `block ${dimensionsText(warp.block.coordinates)} warp ${warp.index}: ${lanesText(group.mask)}${waits === "" ? "" : ` (${waits})`}`;
}

export const contextOf = (process: Process, warp: Warp, lane: number): MemoryContext => ({
  process,
  launch: warp.block.launch,
  block: warp.block,
  warp,
  lane,
});

/** A variable of a frame: in memory, or held in a register. */
export type FrameEntry =
  | { readonly kind: "memory"; readonly memory: NamedMemory }
  | { readonly kind: "register"; readonly name: string; readonly register: number; readonly layout: Layout };

export interface FrameEntries {
  readonly parameters: readonly FrameEntry[];
  readonly locals: readonly FrameEntry[];
}

export function frameEntries(process: Process, { program, localBase }: Frame): FrameEntries {
  const { fn, variableOffsets, promoted } = program;
  const entryOf = (index: number): readonly FrameEntry[] => {
    const { name, layout, kind, register } = fn.code.variables[index]!;
    const held = register ?? promoted[index];
    if (held !== undefined) return [{ kind: "register", name, register: held, layout }];
    const isKernelParameter = fn.symbol.entry && kind === "parameter";
    const space = isKernelParameter ? "param" : "local";
    const offset = variableOffsets[index]! + (isKernelParameter ? 0 : localBase);
    const { type, vector, dimensions, size } = layout;
    const address = windowBase(space, process.space) + offset;
    return [{ kind: "memory", memory: { name, space, address, size, type, vector, dimensions, isBuffer: false } }];
  };
  const indices = [...fn.code.variables.keys()];
  const isFormal = (index: number): boolean => ["parameter", "return"].includes(fn.code.variables[index]!.kind);
  return {
    parameters: indices.filter(isFormal).flatMap(entryOf),
    locals: indices.filter((index) => !isFormal(index)).flatMap(entryOf),
  };
}

/** The names that are visible to a lane of a call. */
export function scopeOf(process: Process, names: MemoryNames, { frame, pc }: CallView, lane: number): Scope {
  // Computed on demand: most expressions name registers only.
  let entries: readonly FrameEntry[] | undefined;
  const entriesHere = (): readonly FrameEntry[] => {
    if (entries !== undefined) return entries;
    const { parameters, locals } = frameEntries(process, frame);
    return (entries = [...locals, ...parameters]);
  };
  let memories: readonly NamedMemory[] | undefined;
  const memoriesHere = (): readonly NamedMemory[] =>
    (memories ??= [
      ...entriesHere().flatMap((each) => (each.kind === "memory" ? [each.memory] : [])),
      ...names.of(frame.warp.block.launch),
    ]);
  const registerOf = (name: string): number | undefined => {
    const found = entriesHere().find((each) => each.kind === "register" && each.name === name);
    return found?.kind === "register" ? found.register : undefined;
  };
  // If static variables of several modules share the name, the one of the function's own module.
  const memoryOf = (name: string): NamedMemory | undefined =>
    memoriesHere().find((each) => each.name === name || each.name === `${name}@${frame.program.fn.file}`);
  const inLane = (lane: number): Scope => {
    const context = contextOf(process, frame.warp, lane);
    return {
      frame,
      lane,
      context,
      get memories() {
        return memoriesHere();
      },
      registerOf,
      registerVariables: () => entriesHere().flatMap((each) => (each.kind === "register" ? [each.name] : [])),
      source: sourceScope(process, { frame, pc, lane, context, memoryOf, held: registerOf }),
      inLane,
    };
  };
  return inLane(lane);
}
