// Tunes how eagerly V8 compiles: a process of half a second pays for optimised code that it hardly uses.

import { setFlagsFromString } from "node:v8";

/** A flag of V8: its spelling during the work, and its default. */
interface Flag {
  readonly during: string;
  readonly usual: string;
}

const threshold = (name: string, usual: number, during: number): Flag => ({
  during: `--${name}=${during}`,
  usual: `--${name}=${usual}`,
});

/** Disables inlining in optimised code, which takes a fraction of the compile time and is nearly as fast. */
const inlining: Flag = { during: "--no-turbo-inlining", usual: "--turbo-inlining" };
/** Disables loop peeling: it doubles the code, and loops over a file's symbols have few iterations. */
const peeling: Flag = { during: "--no-turbo-loop-peeling", usual: "--turbo-loop-peeling" };
/** Disables escape analysis: few objects are garbage before the function that allocates them ends. */
const escape: Flag = { during: "--no-turbo-escape", usual: "--turbo-escape" };
/** Bytes of baseline code that warm functions may accumulate before they are compiled as a batch: hardly any. */
const waiting = threshold("baseline-batch-compilation-threshold", 4096, 200);
const simply = [inlining, peeling, escape, waiting];
/** Bytes of bytecode that a function executes before it is optimised. */
const bytes = [...simply, threshold("interrupt-budget", 66 * 1024, 200_000)];
/** Calls of a function before each of the two optimising compilers compiles it. */
const calls = [
  ...simply,
  threshold("invocation-count-for-maglev", 400, 6000),
  threshold("invocation-count-for-turbofan", 3000, 45_000),
];

/** The flags for each purpose; the functions below set them. */
interface Flags {
  readonly late: readonly Flag[];
  readonly small: readonly Flag[];
  readonly seldom: readonly Flag[];
}

/** Limits the bytecode (in bytes) of callees that are inlined into one optimised function. */
const small = [peeling, threshold("max-inlined-bytecode-size-cumulative", 920, 150)];

/** The same, and functions execute much longer before they are optimised. */
const seldomBytes = [...small, threshold("interrupt-budget", 66 * 1024, 300_000)];
const seldomCalls = [
  ...small,
  threshold("invocation-count-for-maglev", 400, 1800),
  threshold("invocation-count-for-turbofan", 3000, 13_500),
];

/** Flags by the version of V8 (of Node 20, 22 and 24). Other versions keep their defaults, because V8 warns of unknown flags. */
const known: ReadonlyMap<string, Flags> = new Map([
  ["11.3", { late: bytes, small, seldom: seldomBytes }],
  ["12.4", { late: calls, small, seldom: seldomCalls }],
  ["13.6", { late: calls, small, seldom: seldomCalls }],
]);

const flagsHere = known.get(process.versions.v8.split(".", 2).join("."));

const set = (flags: readonly Flag[] | undefined, how: keyof Flag): void => {
  for (const flag of flags ?? []) setFlagsFromString(flag[how]);
};

/** Does the work while functions are optimised later and less than usual. */
export function withDelayedOptimisation<T>(work: () => T): T {
  const optimiseAsUsual = delayOptimisation();
  try {
    return work();
  } finally {
    optimiseAsUsual();
  }
}

/**
 * Makes V8 optimise functions later and less than usual, until the returned function is called. A link of 100 objects then takes
 * a third less CPU time, one of 1000 a quarter, and one of 5000 a tenth.
 */
export function delayOptimisation(): () => void {
  set(flagsHere?.late, "during");
  return () => set(flagsHere?.late, "usual");
}

/**
 * Makes V8 inline few callees and leave loops unpeeled, in all threads, until the returned function is called. Assembling 1000
 * sources takes 7 to 9 % less CPU time for the first, and 4 % for the second; optimising later as well does not improve that.
 */
export function optimiseSmall(): () => void {
  set(flagsHere?.small, "during");
  return () => set(flagsHere?.small, "usual");
}

/**
 * Garbage, in hundredths of the memory in use, that triggers a collection of all memory; V8's default allows up to thrice the
 * memory in use.
 */
const garbage = (hundredths: number): Flag => threshold("heap-growing-percent", 0, hundredths);

const little = [garbage(20)];

/**
 * Makes memory grow by little more than the memory in use, until the returned function is called. For work with much garbage and
 * much live data, where a collection is cheap in comparison.
 */
export function slowHeapGrowth(): () => void {
  set(flagsHere && little, "during");
  return () => set(flagsHere && little, "usual");
}

/** Bytes of word or name lists at which they, and not the program, are most of the memory in use. */
const LARGE_LIST = 2 ** 20;

/** Does the work with slow heap growth if it starts with this many bytes of lists, which are traversed several times and kept. */
export async function withSlowGrowthForLists<T>(bytes: number, work: () => Promise<T>): Promise<T> {
  if (bytes < LARGE_LIST) return work();
  const growAsUsual = slowHeapGrowth();
  try {
    return await work();
  } finally {
    growAsUsual();
  }
}

/** Growth factor of the young generation when many of its objects survive. The default lets it grow to 48 MB. */
const young = threshold("semi-space-growth-factor", 2, 1);

/** Bytes of a file at which its objects, and not the program, are most of the memory in use. */
const LARGE_FILE = 2 ** 20;
/** From this size on, frequent collections take more time than they are worth, so garbage may reach half of the memory in use. */
const HUGE_FILE = 2 ** 24;

/**
 * Does the work with slow heap growth if a file is large. A module of 10 MB with debug sections is assembled in 120 MB instead of
 * 200. That takes a tenth more CPU time, for `--emit ptx` up to a fifth. A module of 40 MB is linked in 210 MB instead of 290.
 * Thousands of small files need no such care: their objects are garbage soon. `sizes`: of files, in bytes.
 */
export async function withSlowGrowthForFiles<T>(
  sizes: readonly (number | undefined)[],
  work: () => T | Promise<T>,
): Promise<T> {
  slowGrowthFor(sizes.reduce<number>((most, size = 0) => Math.max(most, size), 0));
  try {
    return await work();
  } finally {
    set(flagsHere && [garbage(0), young], "usual");
    set(flagsHere?.seldom, "usual");
  }
}

/**
 * Makes V8 optimise fewer functions until `withSlowGrowthForFiles` ends. Compiling NVVM IR runs through many functions: all of
 * libdevice takes a quarter less CPU time, a megabyte of text a third, and four a tenth.
 */
export function reduceOptimisation(): void {
  set(flagsHere?.seldom, "during");
}

/** Slows heap growth for an input whose size in bytes becomes known during `withSlowGrowthForFiles`, until that ends. */
export function slowGrowthFor(bytes: number): void {
  if (bytes >= LARGE_FILE) set(flagsHere && [garbage(bytes < HUGE_FILE ? 20 : 50), young], "during");
}
