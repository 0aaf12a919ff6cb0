// The profile of a launch by lines: sums the instructions of one line of the source, or of the PTX text.

import type { CodePlace, InstructionProfile } from "../timing/result/instruction-profile.js";
import type { StallName } from "../timing/trace/stalls.js";

/** Time and accesses of one source line. */
export interface LineProfile {
  readonly place: CodePlace;
  /** Functions with instructions of the line, in the order of the profile. */
  readonly functions: readonly string[];
  /** The line's share of the launch's warp-cycles: those in which the next instruction of a warp was on the line. */
  readonly share: number;
  readonly executed: number;
  readonly issued: number;
  readonly stallCycles: Readonly<Partial<Record<StallName, number>>>;
  /** Global and local memory: accesses, 32-byte sectors per access, and the fewest sectors that could hold the accessed bytes. */
  readonly requests: number;
  readonly sectorsPerRequest: number;
  readonly leastSectorsPerRequest: number;
  /** Shared memory: accesses, and cycles of the data stage per access. */
  readonly sharedRequests: number;
  readonly cyclesPerSharedRequest: number;
  readonly leastCyclesPerSharedRequest: number;
  /** Average number of active lanes, of 32. */
  readonly activeLanes: number;
  readonly instructions: readonly InstructionProfile[];
}

const sum = (rows: readonly InstructionProfile[], of: (row: InstructionProfile) => number): number =>
  rows.reduce((total, row) => total + of(row), 0);

export const warpCyclesOf = ({ stallCycles }: Pick<InstructionProfile, "stallCycles">): number =>
  Object.values(stallCycles).reduce((total, cycles) => total + cycles, 0);

/**
 * The lines, sorted by the time that warps waited there. `by`: lines of the source if the module has them, or lines of the PTX.
 */
export function linesOf(instructions: readonly InstructionProfile[], by: "source" | "ptx"): readonly LineProfile[] {
  const groups = new Map<string, InstructionProfile[]>();
  for (const row of instructions) {
    const { file, line } = by === "source" ? (row.source ?? row.ptx) : row.ptx;
    const key = `${file}:${line}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  const all = Math.max(1, sum(instructions, warpCyclesOf));
  return [...groups.values()]
    .map((rows) => lineOf(rows, by, all))
    .sort((a, b) => b.share - a.share || a.place.line - b.place.line);
}

function lineOf(rows: readonly InstructionProfile[], by: "source" | "ptx", all: number): LineProfile {
  const [first] = rows;
  const outside = rows.filter(({ memory }) => memory?.space === "global" || memory?.space === "local");
  const shared = rows.filter(({ memory }) => memory?.space === "shared");
  const requests = sum(outside, ({ memory }) => memory!.requests);
  const sharedRequests = sum(shared, ({ memory }) => memory!.requests);
  const mean = (
    of: readonly InstructionProfile[],
    value: (row: InstructionProfile) => number,
    count: number,
  ): number => (count === 0 ? 0 : sum(of, (row) => row.memory!.requests * value(row)) / count);
  const executed = sum(rows, (row) => row.executed);
  return {
    place: by === "source" ? (first!.source ?? first!.ptx) : first!.ptx,
    functions: [...new Set(rows.map((row) => row.function))],
    share: sum(rows, warpCyclesOf) / all,
    executed,
    issued: sum(rows, ({ issued }) => issued),
    stallCycles: addStalls(rows),
    requests,
    sectorsPerRequest: mean(outside, ({ memory }) => memory!.sectorsPerRequest, requests),
    leastSectorsPerRequest: mean(outside, ({ memory }) => memory!.leastSectorsPerRequest, requests),
    sharedRequests,
    cyclesPerSharedRequest: mean(shared, ({ memory }) => memory!.dataCyclesPerRequest, sharedRequests),
    leastCyclesPerSharedRequest: mean(shared, ({ memory }) => memory!.leastDataCyclesPerRequest, sharedRequests),
    activeLanes: executed === 0 ? 0 : sum(rows, ({ threads }) => threads) / executed,
    instructions: rows,
  };
}

function addStalls(rows: readonly InstructionProfile[]): LineProfile["stallCycles"] {
  const total: Partial<Record<StallName, number>> = {};
  for (const { stallCycles } of rows)
    for (const [name, cycles] of Object.entries(stallCycles) as [StallName, number][])
      total[name] = (total[name] ?? 0) + cycles;
  return total;
}
