// Runs commands in this process, but on the real files of a folder, for tests that are about files and not about the process: starting
// one takes a quarter of a second.

import { nodeHost, type Host } from "../../cli/files/host.js";
import { runProgram } from "../../cli/program.js";

export interface Printed {
  readonly status: number;
  /** Both streams, in the order of writing. */
  readonly text: string;
  readonly out: string;
  readonly err: string;
}

/** Runs `ptxkit` with these arguments in a folder, which is the process's current one meanwhile: tests that call this are serial. */
export async function runInFolder(folder: string, args: readonly string[]): Promise<Printed> {
  const before = process.cwd();
  let [text, out, err] = ["", "", ""];
  const host: Host = {
    ...nodeHost(),
    out(part) {
      text += part;
      out += part;
    },
    err(part) {
      text += part;
      err += part;
    },
  };
  process.chdir(folder);
  try {
    const status = await runProgram(args, host);
    return { status, text, out, err };
  } finally {
    process.chdir(before);
  }
}
