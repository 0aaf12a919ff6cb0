// The program with the surroundings of a real process; where the bundle begins. Everything else is in program.ts, so that
// tests can run it without a process of its own.

import { nodeHost } from "./host.js";
import { runProgram } from "./program.js";
import type { Status } from "./status.js";

/** Runs one command line; the exit status. */
export function start(args: readonly string[]): Promise<Status> {
  return runProgram(args, nodeHost());
}
