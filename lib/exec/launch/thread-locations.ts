// Reports where the threads of a launch are when it does not end: a deadlock, a limit, an interruption. Warps at the same
// instruction for the same reason are one line, whichever host thread ran them. Long lists omit the reasons. Locations are plain
// values, because host threads send them to each other.

import { phaseText } from "../async/waiting.js";
import { barrierCount } from "../machine/block.js";
import type { ThreadLocation } from "../state/result.js";
import { sourcePlace } from "../machine/source-places.js";
import type { Cluster } from "../state/block.js";
import type { Group, Warp } from "../state/warp.js";
import { countLanes } from "../machine/warp.js";

/** Maximum number of locations that a report lists; it counts the rest. */
const MAX_LOCATIONS = 24;

/** A location with its threads, grouped by block. */
export interface GroupedLocation {
  readonly at: Omit<ThreadLocation, "warps" | "threads">;
  readonly threads: number;
  /** Warp numbers, by block number. */
  readonly byBlock: ReadonlyMap<number, readonly number[]>;
}

/** The locations of all threads that have not exited, in the order of the clusters. */
export function locationsOf(clusters: readonly Cluster[]): readonly GroupedLocation[] {
  const places = clusters.flatMap(({ blocks }) =>
    blocks.flatMap((block) =>
      block.warps.flatMap((warp) =>
        warp.groups.map((group): GroupedLocation => ({
          at: locationOf(warp, group),
          threads: countLanes(group.mask),
          byBlock: new Map([[block.index, [warp.index]]]),
        })),
      ),
    ),
  );
  return mergeByKey(places, ({ at }) => JSON.stringify(at));
}

/** Merges the locations of several host threads; the location with the most threads comes first. */
export function mergeLocations(places: readonly GroupedLocation[]): readonly GroupedLocation[] {
  const firstBlock = ({ byBlock }: GroupedLocation): number =>
    [...byBlock.keys()].reduce((a, b) => Math.min(a, b), Infinity);
  return [...mergeByKey(places, ({ at }) => JSON.stringify(at))].sort(
    (a, b) => b.threads - a.threads || firstBlock(a) - firstBlock(b) || a.at.line - b.at.line,
  );
}

export const threadLocationsOf = (places: readonly GroupedLocation[]): readonly ThreadLocation[] =>
  places.map(({ at, threads, byBlock }) => ({ ...at, threads, warps: warpsText(byBlock) }));

/** One line for each location; if there are too many, one for each instruction, and only the first of these. */
export function locationLines(places: readonly GroupedLocation[]): readonly string[] {
  const shown =
    places.length <= MAX_LOCATIONS
      ? places
      : mergeByKey(places, ({ at: { lanes: _, waits: __, ...instruction } }) => JSON.stringify(instruction));
  const lines = shown.slice(0, MAX_LOCATIONS).map((place) => {
    const { lanes, instruction, function: fn, callers, file, line, waits } = place.at;
    const of = shown === places ? lanesText(lanes) : `${place.threads} threads`;
    const why = waits === "" || shown !== places ? "" : `, ${waits}`;
    return `${warpsText(place.byBlock)}, ${of}: ${instruction} in ${[fn, ...callers].join(", called from ")} (${file}:${line})${why}`;
  });
  const rest = shown.slice(MAX_LOCATIONS);
  if (rest.length === 0) return lines;
  const threads = rest.reduce((sum, place) => sum + place.threads, 0);
  return [...lines, `and ${threads} more threads at ${rest.length} more places`];
}

/** Merges locations with equal keys, in the order of their first occurrence. */
function mergeByKey(
  places: readonly GroupedLocation[],
  keyOf: (place: GroupedLocation) => string,
): readonly GroupedLocation[] {
  const merged = new Map<string, { at: GroupedLocation["at"]; threads: number; byBlock: Map<number, Set<number>> }>();
  for (const place of places) {
    const key = keyOf(place);
    const known = merged.get(key) ?? { at: place.at, threads: 0, byBlock: new Map<number, Set<number>>() };
    merged.set(key, known);
    known.threads += place.threads;
    for (const [block, warps] of place.byBlock) {
      const together = known.byBlock.get(block) ?? new Set();
      known.byBlock.set(block, together);
      for (const warp of warps) together.add(warp);
    }
  }
  return [...merged.values()].map(({ byBlock, ...place }) => ({
    ...place,
    byBlock: new Map([...byBlock].map(([block, warps]) => [block, [...warps]])),
  }));
}

const lanesText = (lanes: number): string => `lanes 0x${(lanes >>> 0).toString(16).padStart(8, "0")}`;

function locationOf(warp: Warp, group: Group): GroupedLocation["at"] {
  const { fn } = group.frame.program;
  // A group that waits at a barrier has already arrived: its pc is one instruction further.
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
    case "clock":
      return "waits for the model's time";
    case "collective":
      return `waits for ${lanesText(wait.missing & warp.live)}`;
    case "mbarrier":
      return wait.awaited.map(({ at, phase }) => `waits for ${phaseText(at, phase)}`).join(", ");
    case "warp":
      return `waits for ${lanesText(wait.members & warp.live & ~mask)}`;
  }
}

// --------------------------------------------------------------------------------------------------------------- ranges

/** Groups blocks with the same warps: "warps 0-3 of blocks 0-7, warp 1 of block 9"; the rest is counted. */
function warpsText(byBlock: ReadonlyMap<number, readonly number[]>): string {
  const alike = new Map<string, { readonly warps: number; readonly blocks: number[] }>();
  for (const [block, warps] of [...byBlock].sort(([a], [b]) => a - b)) {
    const text = numbersText("warp", warps);
    const same = alike.get(text);
    if (same === undefined) alike.set(text, { warps: warps.length, blocks: [block] });
    else same.blocks.push(block);
  }
  const texts = [...alike].map(([warps, { blocks }]) => `${warps} of ${numbersText("block", blocks)}`);
  if (texts.length <= MAX_KINDS) return texts.join(", ");
  const rest = [...alike.values()].slice(MAX_KINDS - 1);
  const warps = rest.reduce((sum, each) => sum + each.warps * each.blocks.length, 0);
  return `${texts.slice(0, MAX_KINDS - 1).join(", ")} and ${warps} more`;
}

/** Maximum number of kinds of blocks in one line, and of ranges of numbers in one list. */
const MAX_KINDS = 4;
const MAX_RANGES = 6;

/** "warp 3", "warps 0-3, 5". */
function numbersText(what: string, numbers: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && number === last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  const texts = ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
  const rest = ranges.slice(MAX_RANGES).reduce((sum, [first, last]) => sum + last - first + 1, 0);
  const shown = rest === 0 ? texts.join(", ") : `${texts.slice(0, MAX_RANGES).join(", ")} and ${rest} more`;
  return `${what}${numbers.length > 1 ? "s" : ""} ${shown}`;
}
