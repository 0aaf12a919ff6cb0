// Instruction caches of an SM: one in each sub-core, and one that all share. Only code that exceeds a cache is fetched again;
// the first fetch of a line is part of a block's start (model.ts, dispatch). On an H200 a loop of more than 32 KiB runs at a
// line of 128 bytes in 18 cycles per sub-core, one of more than 128 KiB in 46, however many warps use the line (records:
// icache_*).

import type { GpuModel } from "../gpus/model.js";

const INSTRUCTION_BYTES = 16;
const LINE_BYTES = 128;
const PER_LINE = LINE_BYTES / INSTRUCTION_BYTES;

/** One cache: lines in order of use, with their cycles of arrival. */
interface Level {
  readonly lines: Map<number, number>;
  readonly most: number;
  /** The line fetched last, and its arrival. */
  last: number;
  came: number;
}

const createLevel = (kibibytes: number): Level => ({
  lines: new Map(),
  most: Math.floor((kibibytes * 1024) / LINE_BYTES),
  last: NaN,
  came: 0,
});

/** The cycle at which `line`, requested at cycle `at`, arrives. On a miss, `fetch` computes it from the start of the fetch. */
function ask(level: Level, line: number, at: number, fetch: (begin: number) => number): number {
  const known = level.lines.get(line);
  if (known !== undefined) level.lines.delete(line);
  // The next line is fetched while this one is used.
  const arrives = known ?? fetch(line === level.last + 1 ? level.came : Math.max(at, level.came));
  level.lines.set(line, arrives);
  if (known === undefined) {
    level.last = line;
    level.came = arrives;
    if (level.lines.size > level.most) level.lines.delete(level.lines.keys().next().value!);
  }
  return Math.max(at, arrives);
}

export interface InstructionCache {
  readonly facts: GpuModel["instructionCache"];
  readonly shared: Level;
  /** The cache of each sub-core, and the lines that it has held. */
  readonly near: readonly Level[];
  readonly seen: readonly Set<number>[];
}

export const createInstructionCache = ({ subcores, instructionCache: facts }: GpuModel): InstructionCache => ({
  facts,
  shared: createLevel(facts.kibibytes),
  near: Array.from({ length: subcores }, () => createLevel(facts.nearKibibytes)),
  seen: Array.from({ length: subcores }, () => new Set()),
});

/** Whether code of so many machine instructions exceeds a cache. */
export const isExceeded = ({ facts }: InstructionCache, instructions: number): boolean =>
  instructions * INSTRUCTION_BYTES > facts.nearKibibytes * 1024;

/** The cycle, not before `at`, at which sub-core `subcore` receives the machine instruction at index `address` of the code. */
export function fetchInstruction(cache: InstructionCache, subcore: number, address: number, at: number): number {
  const { facts, shared, near, seen } = cache;
  const line = Math.floor(address / PER_LINE);
  const isFirst = !seen[subcore]!.has(line);
  seen[subcore]!.add(line);
  return ask(near[subcore]!, line, at, (begin) => {
    const there = ask(shared, line, at, (from) => (isFirst ? at : from + facts.cyclesPerLine));
    return isFirst ? at : Math.max(begin + facts.nearCyclesPerLine, there);
  });
}
