// One process of the fuzzer: inspects mutants FIRST to LAST - 1, and prints a line for each defect. The file PROGRESS
// has the number of the current mutant, which the parent reads if this process ends early or hangs.
//
// node child.js FIRST LAST PROGRESS [SEED...]

import { openSync, readFileSync, writeSync } from "node:fs";
import { exercise, recordedSeeds } from "./mutants.js";

const [first, last, progress, ...files] = process.argv.slice(2);
const seeds = files.length > 0 ? files.map((name) => ({ name, bytes: readFileSync(name) })) : recordedSeeds();
const descriptor = openSync(progress!, "w");

/** CPU seconds, and bytes of memory beyond the previous peak, that a file of some kilobytes may take. */
const MAX_SECONDS = 3;
const MAX_BYTES = 500 * 2 ** 20;

const report = (number: number, what: string): void =>
  void process.stdout.write(`${number}\t${what.replaceAll("\n", " | ")}\n`);

for (let number = Number(first); number < Number(last); number++) {
  writeSync(descriptor, String(number).padEnd(16), 0);
  const before = process.cpuUsage();
  const memory = process.memoryUsage.rss();
  try {
    exercise(seeds, number);
  } catch (error) {
    const [message = "", ...places] = ((error as Error).stack ?? String(error)).split("\n");
    report(number, `${message} ${places.slice(0, 3).join(" ").replaceAll(/\s+/g, " ")}`);
  }
  const { user } = process.cpuUsage(before);
  if (user > MAX_SECONDS * 1e6) report(number, `slow: ${(user / 1e6).toFixed(1)} s of CPU`);
  if (process.memoryUsage.rss() - memory > MAX_BYTES)
    report(number, `memory: ${process.memoryUsage.rss() - memory} bytes`);
}
