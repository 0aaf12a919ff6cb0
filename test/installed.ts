// Whether command-line tools are installed. Separate from tools.ts, because programs that run without ava need it.

import { spawnSync } from "node:child_process";

const answers = new Map<string, boolean>();

/** Whether a tool can be run; tried once per process. */
export function isInstalled(tool: string): boolean {
  const known = answers.get(tool);
  if (known !== undefined) return known;
  const found = spawnSync(tool, ["--version"], { stdio: "ignore" }).status === 0;
  answers.set(tool, found);
  return found;
}
