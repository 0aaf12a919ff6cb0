// The cost of each PTX instruction of a launch, as rows of the result. Instructions that never ran have none.

import type { LoadedFunction } from "../../load/process.js";
import type { Program } from "../lowering/lowered.js";
import type { InstructionCost } from "../trace/cost.js";
import { stallNames, type StallName } from "../trace/stalls.js";
import type { TimedSpace } from "../trace/trace.js";

export interface CodePlace {
  readonly file: string;
  /** From 1; 0 if unknown. */
  readonly line: number;
}

export interface InstructionMemory {
  readonly space: TimedSpace;
  /** Accesses of warps, and their transactions. */
  readonly requests: number;
  /** 32-byte sectors that an access touches, and the minimum for its lanes' bytes; global and local memory. */
  readonly sectorsPerRequest: number;
  readonly leastSectorsPerRequest: number;
  /** For loads: share of sectors that hit L1. */
  readonly l1HitRate: number;
  /** Cycles of the data stage per access, and without bank conflicts. */
  readonly dataCyclesPerRequest: number;
  readonly leastDataCyclesPerRequest: number;
  /** For atomics: maximum number of lanes on one address, on average. */
  readonly lanesOnOneAddress: number;
}

/** Time and accesses of one instruction. */
export interface InstructionProfile {
  /** Numbered consecutively over the functions of the launch. */
  readonly number: number;
  readonly function: string;
  readonly ptx: CodePlace;
  /** The `.loc` in force; absent if the module has none. */
  readonly source?: CodePlace;
  /** The instruction as PTX; absent if the launch is not from a loaded image. */
  readonly text?: string;
  /** Warp instructions as the engine counts them, lanes whose guard held, and branches that diverged. */
  readonly executed: number;
  readonly threads: number;
  readonly diverged: number;
  /** Machine instructions that the model issued for it. */
  readonly issued: number;
  /** Warp-cycles in which warps waited before it or issued it (`selected`), by reason; reasons without any are omitted. */
  readonly stallCycles: Readonly<Partial<Record<StallName, number>>>;
  readonly memory?: InstructionMemory;
}

export type InstructionText = (fn: LoadedFunction, index: number) => string;

const SECTOR = 32;

export function instructionProfile(
  program: Program,
  functions: Iterable<LoadedFunction>,
  textOf?: InstructionText,
): readonly InstructionProfile[] {
  const rows: InstructionProfile[] = [];
  const byCode = new Map([...functions].map((fn) => [fn.code, fn]));
  for (const [code, base] of program.functions) {
    const fn = byCode.get(code);
    for (let i = 0; i < code.instructions.length; i++) {
      const { cost, instruction } = program.instructions[base + i]!;
      if (cost.executed === 0 && cost.issued === 0) continue;
      const location = code.locations[instruction.location];
      const file = location && fn?.files.get(location.file);
      rows.push({
        number: base + i,
        function: fn?.name ?? "",
        ptx: { file: fn?.file ?? "", line: instruction.line },
        ...(file === undefined ? {} : { source: { file, line: location!.line } }),
        ...(fn === undefined || textOf === undefined ? {} : { text: textOf(fn, i) }),
        executed: cost.executed,
        threads: cost.threads,
        diverged: cost.diverged,
        issued: cost.issued,
        stallCycles: stallCycles(cost),
        ...(cost.space === undefined ? {} : { memory: memoryOf(cost, cost.space) }),
      });
    }
  }
  return rows;
}

function stallCycles({ stalls }: InstructionCost): InstructionProfile["stallCycles"] {
  return Object.fromEntries(stallNames.flatMap((name, i) => (stalls[i]! > 0 ? [[name, Math.round(stalls[i]!)]] : [])));
}

function memoryOf(cost: InstructionCost, space: TimedSpace): InstructionMemory {
  const { requests, bytes, sectors, hits, dataCycles, leastDataCycles, conflicts } = cost;
  const each = (sum: number): number => Number((sum / requests).toPrecision(5));
  return {
    space,
    requests,
    sectorsPerRequest: each(sectors),
    leastSectorsPerRequest: each(Math.min(sectors, bytes / SECTOR)),
    l1HitRate: sectors === 0 ? 0 : Number((hits / sectors).toPrecision(5)),
    dataCyclesPerRequest: each(dataCycles),
    leastDataCyclesPerRequest: each(leastDataCycles),
    lanesOnOneAddress: each(conflicts),
  };
}
