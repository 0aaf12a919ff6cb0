// How eagerly the JavaScript engine compiles: what runs for half a second in all pays for optimised code that it hardly uses.

import { setFlagsFromString } from "node:v8";

/** Of V8's "interrupt budget", bytes of bytecode that a function runs before it is optimised: the usual, and fifteen times that. */
const usual = 66 * 1024;
const late = 1_000_000;

/** Versions of V8 whose default is the usual (Node 20 to 24); others are left alone, and would speak of a flag they lack. */
const known = { first: 11, last: 13 };

/**
 * Does the work with functions optimised only when they have run for long. A link of 1000 objects then takes a quarter less
 * CPU time, one of 5000 a little less (measured with Node 20).
 */
export function whileOptimisingLate<T>(work: () => T): T {
  const version = Number.parseInt(process.versions.v8, 10);
  if (version < known.first || version > known.last) return work();
  setFlagsFromString(`--interrupt-budget=${late}`);
  try {
    return work();
  } finally {
    setFlagsFromString(`--interrupt-budget=${usual}`);
  }
}
