// Runs commands in this process, but on the real files of a folder, for tests that are about files and not about the process: starting
// one takes a quarter of a second.

import { nodeHost } from "../../cli/files/host.js";
import { runProgram } from "../../cli/program.js";

/** What a command printed, both streams in the order of writing, and its exit status. */
export interface Printed {
  readonly status: number;
  readonly text: string;
}

/** Runs `ptxkit` with these arguments in a folder, which is the process's current one meanwhile: tests that call this are serial. */
export async function runInFolder(folder: string, args: readonly string[]): Promise<Printed> {
  const before = process.cwd();
  const written: string[] = [];
  const print = (text: string): void => void written.push(text);
  process.chdir(folder);
  try {
    const status = await runProgram(args, { ...nodeHost(), out: print, err: print });
    return { status, text: written.join("") };
  } finally {
    process.chdir(before);
  }
}
