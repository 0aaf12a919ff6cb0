// Entry of the bundle: runs the program in a real process. Everything else is in program.ts, so that tests can run it without a
// process.

import { nodeHost } from "./files/host.js";
import { runProgram } from "./program.js";
import type { Status } from "./base/status.js";

/** Runs one command line; resolves to the exit status. */
export function start(args: readonly string[]): Promise<Status> {
  return runProgram(args, nodeHost());
}
