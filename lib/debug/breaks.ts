// Break lines: the first threads that reach one are reported with their registers, the places of the rest of the block, and all
// of the block's memory as data.

import type { Dimensions } from "../base/dimensions.js";
import { dumpCluster, type FaultDump } from "../exec/launch/dump.js";
import type { Probe } from "../exec/state/observer.js";
import type { Group, Warp } from "../exec/state/warp.js";
import { lanesIn } from "../exec/machine/walk.js";
import type { LoadedFunction, Process } from "../load/process.js";
import type { CodePlace } from "./lines.js";
import { createPlaces, dimensionsText, type InstructionPlace, placeText } from "./place.js";
import { briefText, elementNames, registerValue } from "./values.js";

/** A line to stop at: the user's text, and the instructions found for it. */
export interface BreakLine {
  readonly name: string;
  readonly places: readonly CodePlace[];
}

export interface BreakHit extends InstructionPlace {
  /** The line's name, as the user wrote it. */
  readonly name: string;
  readonly kernel: string;
  readonly block: Dimensions;
  readonly warp: number;
  /** The group's lanes, a mask. */
  readonly lanes: number;
  /** The group's registers: one value if all its lanes have the same, otherwise one for each lane, lowest first. */
  readonly registers: Readonly<Record<string, string | readonly string[]>>;
  /** Places of the other groups of the block. */
  readonly others: readonly { readonly warp: number; readonly lanes: number; readonly place: InstructionPlace }[];
  readonly dump: FaultDump;
}

/** Calls `onHit` the first time that threads reach one of the lines. */
export function createBreaks(process: Process, lines: readonly BreakLine[], onHit: (hit: BreakHit) => void): Probe {
  const placeOf = createPlaces(process);
  const waiting = new Map<LoadedFunction, Map<number, BreakLine>>();
  for (const line of lines)
    for (const { fn, pc } of line.places) {
      const known = waiting.get(fn) ?? new Map<number, BreakLine>();
      waiting.set(fn, known.set(pc, line));
    }
  const hit = new Set<BreakLine>();
  return {
    observe: () => ({ issue() {} }),
    before(warp, group) {
      const line = waiting.get(group.frame.program.fn)?.get(group.pc);
      if (line === undefined || hit.has(line)) return;
      hit.add(line);
      onHit(hitOf(line, warp, group));
    },
    fault() {},
  };

  function hitOf({ name }: BreakLine, warp: Warp, group: Group): BreakHit {
    const { block } = warp;
    const { fn } = group.frame.program;
    return {
      name,
      kernel: block.launch.kernel.name,
      block: block.coordinates,
      warp: warp.index,
      lanes: group.mask >>> 0,
      ...placeOf(fn, group.pc),
      registers: registersOf(group),
      others: block.warps.flatMap((each) =>
        each.groups
          .filter((other) => other !== group)
          .map(({ frame, pc, mask }) => ({
            warp: each.index,
            lanes: mask >>> 0,
            place: placeOf(frame.program.fn, pc),
          })),
      ),
      dump: dumpCluster(block.cluster),
    };
  }
}

function registersOf({ frame, mask }: Group): BreakHit["registers"] {
  const lanes = lanesIn(mask);
  const entries = frame.program.fn.code.registers.flatMap(({ name, vector }, register) =>
    (vector === 1 ? [undefined] : elementNames.slice(0, vector)).map((element) => {
      const values = lanes.map((lane) => briefText(registerValue(frame, register, lane, undefined, element)));
      const isOne = values.every((value) => value === values[0]);
      return [element === undefined ? name : `${name}.${element}`, isOne ? values[0]! : values] as const;
    }),
  );
  return Object.fromEntries(entries);
}

const lanesText = (lanes: number): string => `lanes 0x${lanes.toString(16).padStart(8, "0")}`;

/** The hit as lines of text; zeros are counted, and long lists are truncated. */
export function breakText(hit: BreakHit): readonly string[] {
  const { name, kernel, block, warp, lanes, registers, others } = hit;
  const entries = Object.entries(registers);
  const isZero = (value: string | readonly string[]): boolean => value === "0" || value === "false";
  const shown = entries.filter(([, value]) => !isZero(value));
  const width = Math.max(0, ...shown.map(([register]) => register.length));
  return [
    `break ${name}: kernel ${kernel}, block ${dimensionsText(block)}, warp ${warp}, ${lanesText(lanes)}, ${placeText(hit)}`,
    ...shown.map(
      ([register, value]) => `  ${register.padEnd(width)} ${typeof value === "string" ? value : listText(value)}`,
    ),
    ...(shown.length < entries.length ? [`  ${entries.length - shown.length} more are 0 in all of these lanes`] : []),
    ...others
      .slice(0, MAX_OTHERS)
      .map((other) => `  warp ${other.warp}, ${lanesText(other.lanes)}: ${placeText(other.place)}`),
    ...(others.length > MAX_OTHERS ? [`  and ${others.length - MAX_OTHERS} more groups of lanes`] : []),
  ];
}

const MAX_OTHERS = 8;
const MAX_LANES = 8;

const listText = (values: readonly string[]): string =>
  values.length <= MAX_LANES ? values.join(" ") : `${values.slice(0, MAX_LANES).join(" ")} … (${values.length} lanes)`;
