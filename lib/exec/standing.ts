// Where the threads of a launch stand, for the report of one that does not end: a deadlock, a limit, an interruption. Warps
// that stand at the same place for the same reason are one line, however many they are.

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

interface Place extends Omit<Standing, "warps" | "threads"> {
  /** Numbers of the warps, by the number of their block. */
  readonly byBlock: Map<number, number[]>;
  threads: number;
}

/** Where every thread stands that has not exited; the places of most threads first. */
export function standingOf(clusters: readonly Cluster[]): readonly Standing[] {
  const places = new Map<string, Place>();
  for (const cluster of clusters)
    for (const block of cluster.blocks)
      for (const warp of block.warps)
        for (const group of warp.groups) {
          const place = placeOf(warp, group);
          const key = JSON.stringify(place);
          const known = places.get(key) ?? { ...place, byBlock: new Map<number, number[]>(), threads: 0 };
          places.set(key, known);
          known.threads += countLanes(group.mask);
          const warps = known.byBlock.get(block.index);
          if (warps === undefined) known.byBlock.set(block.index, [warp.index]);
          else if (warps.at(-1) !== warp.index) warps.push(warp.index);
        }
  return [...places.values()].map(({ byBlock, ...place }) => ({ ...place, warps: warpsText(byBlock) }));
}

/** A line for each place, the first ones where there are many. */
export function standingLines(standing: readonly Standing[]): readonly string[] {
  const lines = standing
    .slice(0, MOST_PLACES)
    .map(
      ({ warps, lanes, instruction, function: fn, callers, file, line, waits }) =>
        `${warps}, ${lanesText(lanes)}: ${instruction} in ${[fn, ...callers].join(", called from ")} (${file}:${line})${waits === "" ? "" : `, ${waits}`}`,
    );
  const rest = standing.slice(MOST_PLACES);
  if (rest.length === 0) return lines;
  const threads = rest.reduce((sum, place) => sum + place.threads, 0);
  return [...lines, `and ${threads} more threads at ${rest.length} more places`];
}

const lanesText = (lanes: number): string => `lanes 0x${(lanes >>> 0).toString(16).padStart(8, "0")}`;

function placeOf(warp: Warp, group: Group): Omit<Standing, "warps" | "threads"> {
  const { fn } = group.frame.program;
  // Whoever waits at a barrier has arrived there: the instruction is behind it.
  const isBehind = group.wait !== undefined && group.wait.kind !== "collective";
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

function waitText(warp: Warp, { wait, mask }: Group): string {
  switch (wait?.kind) {
    case undefined:
      return "";
    case "barrier": {
      const { come, needed } = barrierCount(warp.block, wait.barrier);
      return `barrier ${wait.barrier} has ${come} of ${needed} threads`;
    }
    case "cluster":
      return "waits for the cluster";
    case "collective":
      return `waits for ${lanesText(wait.missing & warp.live)}`;
    case "warp":
      return `waits for ${lanesText(wait.members & warp.live & ~mask)}`;
  }
}

// --------------------------------------------------------------------------------------------------------------- ranges

/** Blocks with the same warps in one go: "warps 0-3 of blocks 0-7, warp 1 of block 9". */
function warpsText(byBlock: ReadonlyMap<number, readonly number[]>): string {
  const blocks = new Map<string, number[]>();
  for (const [block, warps] of byBlock) {
    const text = numbersText("warp", warps);
    const same = blocks.get(text);
    if (same === undefined) blocks.set(text, [block]);
    else same.push(block);
  }
  const texts = [...blocks].map(([warps, of]) => `${warps} of ${numbersText("block", of)}`);
  return texts.length > 4 ? `${texts.slice(0, 3).join(", ")} and others` : texts.join(", ");
}

/** "warp 3", "warps 0-3, 5": at most six ranges. */
function numbersText(what: string, numbers: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && number === last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  const texts = ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
  const shown = texts.length > 6 ? [...texts.slice(0, 6), "…"] : texts;
  return `${what}${numbers.length > 1 ? "s" : ""} ${shown.join(", ")}`;
}
