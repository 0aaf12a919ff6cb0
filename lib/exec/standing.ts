// Where the threads of a launch stand, for the report of one that does not end: a deadlock, a limit, an interruption. Warps
// that stand at the same place for the same reason are one line, however many they are and whichever thread of the host has
// run them; lines that would be too many leave the reasons out. Places are plain values, which go from thread to thread.

import { phaseText } from "./async/waiting.js";
import { sourcePlace } from "./bind.js";
import { barrierCount, type Cluster } from "./block.js";
import { countLanes, type Group, type Warp } from "./warp.js";

/** Warps that stand at one instruction, for one reason. */
export interface Standing {
  readonly kernel: string;
  /** The function that the instruction is in; its callers, the nearest first. */
  readonly function: string;
  readonly callers: readonly string[];
  /** Its opcode with modifiers, and where it is in the source. */
  readonly instruction: string;
  readonly file: string;
  readonly line: number;
  /** What it waits for, in words; empty for one that could go on. */
  readonly waits: string;
  /** Lanes of each of the warps that stand there: a mask. */
  readonly lanes: number;
  /** "warps 0-31 of blocks 0-7". */
  readonly warps: string;
  readonly threads: number;
}

/** Places that a report lists; the rest is counted. */
const MOST_PLACES = 24;

/** One such place, with whom it has. */
export interface Place {
  readonly at: Omit<Standing, "warps" | "threads">;
  readonly threads: number;
  /** Numbers of the warps, by the number of their block. */
  readonly byBlock: ReadonlyMap<number, readonly number[]>;
}

/** Where every thread stands that has not exited, in the order of the clusters. */
export function placesOf(clusters: readonly Cluster[]): readonly Place[] {
  const places = clusters.flatMap(({ blocks }) =>
    blocks.flatMap((block) =>
      block.warps.flatMap((warp) =>
        warp.groups.map((group): Place => ({
          at: whereabouts(warp, group),
          threads: countLanes(group.mask),
          byBlock: new Map([[block.index, [warp.index]]]),
        })),
      ),
    ),
  );
  return unite(places, ({ at }) => JSON.stringify(at));
}

/** Places of several threads of the host as those of one; where most threads stand, first. */
export function mergePlaces(places: readonly Place[]): readonly Place[] {
  const firstBlock = ({ byBlock }: Place): number => [...byBlock.keys()].reduce((a, b) => Math.min(a, b), Infinity);
  return [...unite(places, ({ at }) => JSON.stringify(at))].sort(
    (a, b) => b.threads - a.threads || firstBlock(a) - firstBlock(b) || a.at.line - b.at.line,
  );
}

export const standingOf = (places: readonly Place[]): readonly Standing[] =>
  places.map(({ at, threads, byBlock }) => ({ ...at, threads, warps: warpsText(byBlock) }));

/** A line for each place; where they are many, for each instruction, and the first ones of these. */
export function standingLines(places: readonly Place[]): readonly string[] {
  const shown =
    places.length <= MOST_PLACES
      ? places
      : unite(places, ({ at: { lanes: _, waits: __, ...instruction } }) => JSON.stringify(instruction));
  const lines = shown.slice(0, MOST_PLACES).map((place) => {
    const { lanes, instruction, function: fn, callers, file, line, waits } = place.at;
    const of = shown === places ? lanesText(lanes) : `${place.threads} threads`;
    const why = waits === "" || shown !== places ? "" : `, ${waits}`;
    return `${warpsText(place.byBlock)}, ${of}: ${instruction} in ${[fn, ...callers].join(", called from ")} (${file}:${line})${why}`;
  });
  const rest = shown.slice(MOST_PLACES);
  if (rest.length === 0) return lines;
  const threads = rest.reduce((sum, place) => sum + place.threads, 0);
  return [...lines, `and ${threads} more threads at ${rest.length} more places`];
}

/** Places of one key as one, which stands where the first of them stood. */
function unite(places: readonly Place[], keyOf: (place: Place) => string): readonly Place[] {
  const united = new Map<string, { at: Place["at"]; threads: number; byBlock: Map<number, Set<number>> }>();
  for (const place of places) {
    const key = keyOf(place);
    const known = united.get(key) ?? { at: place.at, threads: 0, byBlock: new Map<number, Set<number>>() };
    united.set(key, known);
    known.threads += place.threads;
    for (const [block, warps] of place.byBlock) {
      const together = known.byBlock.get(block) ?? new Set();
      known.byBlock.set(block, together);
      for (const warp of warps) together.add(warp);
    }
  }
  return [...united.values()].map(({ byBlock, ...place }) => ({
    ...place,
    byBlock: new Map([...byBlock].map(([block, warps]) => [block, [...warps]])),
  }));
}

const lanesText = (lanes: number): string => `lanes 0x${(lanes >>> 0).toString(16).padStart(8, "0")}`;

function whereabouts(warp: Warp, group: Group): Place["at"] {
  const { fn } = group.frame.program;
  // Whoever waits at a barrier has arrived there: the instruction is behind it.
  const { wait } = group;
  const isBehind =
    wait !== undefined && wait.kind !== "collective" && wait.kind !== "mbarrier" && wait.kind !== "tensor-memory";
  const instruction = fn.code.instructions[isBehind ? group.pc - 1 : group.pc];
  const callers: string[] = [];
  for (let frame = group.frame.parent; frame !== undefined && callers.length < 3; frame = frame.parent)
    callers.push(frame.program.fn.name);
  return {
    kernel: warp.block.launch.kernel.name,
    function: fn.name,
    callers,
    instruction: instruction?.opcode.spelling ?? "the function's end",
    ...(instruction === undefined ? { file: fn.file, line: 0 } : sourcePlace(fn, instruction)),
    waits: waitText(warp, group),
    lanes: group.mask >>> 0,
  };
}

export function waitText(warp: Warp, { wait, mask }: Group): string {
  switch (wait?.kind) {
    case undefined:
      return "";
    case "barrier": {
      const { come, needed } = barrierCount(warp.block, wait.barrier);
      return `barrier ${wait.barrier} has ${come} of ${needed} threads`;
    }
    case "tensor-memory":
      return `waits for ${wait.columns} columns of tensor memory`;
    case "cluster":
      return "waits for the cluster";
    case "collective":
      return `waits for ${lanesText(wait.missing & warp.live)}`;
    case "mbarrier":
      return wait.asked.map(({ at, phase }) => `waits for ${phaseText(at, phase)}`).join(", ");
    case "warp":
      return `waits for ${lanesText(wait.members & warp.live & ~mask)}`;
  }
}

// --------------------------------------------------------------------------------------------------------------- ranges

/** Blocks with the same warps in one go: "warps 0-3 of blocks 0-7, warp 1 of block 9"; the rest is counted. */
function warpsText(byBlock: ReadonlyMap<number, readonly number[]>): string {
  const alike = new Map<string, { readonly warps: number; readonly blocks: number[] }>();
  for (const [block, warps] of [...byBlock].sort(([a], [b]) => a - b)) {
    const text = numbersText("warp", warps);
    const same = alike.get(text);
    if (same === undefined) alike.set(text, { warps: warps.length, blocks: [block] });
    else same.blocks.push(block);
  }
  const texts = [...alike].map(([warps, { blocks }]) => `${warps} of ${numbersText("block", blocks)}`);
  if (texts.length <= MOST_KINDS) return texts.join(", ");
  const rest = [...alike.values()].slice(MOST_KINDS - 1);
  const warps = rest.reduce((sum, each) => sum + each.warps * each.blocks.length, 0);
  return `${texts.slice(0, MOST_KINDS - 1).join(", ")} and ${warps} more`;
}

/** Kinds of blocks in one line, and ranges of numbers in one list. */
const MOST_KINDS = 4;
const MOST_RANGES = 6;

/** "warp 3", "warps 0-3, 5". */
function numbersText(what: string, numbers: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && number === last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  const texts = ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
  const rest = ranges.slice(MOST_RANGES).reduce((sum, [first, last]) => sum + last - first + 1, 0);
  const shown = rest === 0 ? texts.join(", ") : `${texts.slice(0, MOST_RANGES).join(", ")} and ${rest} more`;
  return `${what}${numbers.length > 1 ? "s" : ""} ${shown}`;
}
