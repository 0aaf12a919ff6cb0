// How eagerly the JavaScript engine compiles: what runs for half a second in all pays for optimised code that it hardly uses.

import { setFlagsFromString } from "node:v8";

/** A flag of V8, its default, and fifteen times that. */
interface Threshold {
  readonly flag: string;
  readonly usual: number;
  readonly late: number;
}

/** Bytes of bytecode that a function runs before it is optimised. */
const bytes: readonly Threshold[] = [{ flag: "interrupt-budget", usual: 66 * 1024, late: 1_000_000 }];
/** How often it is called, for each of the two compilers. */
const calls: readonly Threshold[] = [
  { flag: "invocation-count-for-maglev", usual: 400, late: 6000 },
  { flag: "invocation-count-for-turbofan", usual: 3000, late: 45_000 },
];

/** By the version of V8: of Node 20, 22 and 24. Others are left alone, and would speak of a flag they lack. */
const known: ReadonlyMap<string, readonly Threshold[]> = new Map([
  ["11.3", bytes],
  ["12.4", calls],
  ["13.6", calls],
]);

/**
 * Does the work with functions optimised only when they have run for long. A link of 1000 objects then takes a fifth to a
 * quarter less CPU time, one of 5000 a little less.
 */
export function whileOptimisingLate<T>(work: () => T): T {
  const thresholds = known.get(process.versions.v8.split(".", 2).join(".")) ?? [];
  for (const { flag, late } of thresholds) setFlagsFromString(`--${flag}=${late}`);
  try {
    return work();
  } finally {
    for (const { flag, usual } of thresholds) setFlagsFromString(`--${flag}=${usual}`);
  }
}
