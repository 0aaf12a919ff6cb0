// The relocations of a section as `.ptxkit.decl` counts them (docs/format.md, "Declarations"), made as they are written.

import { putVarU, type Growing } from "./bytes.js";
import { larger32 } from "./texts.js";

/** The runs of a section's relocations as .ptxkit.decl has them, which neighbours of one kind are one of. */
export interface Runs {
  length: number;
  /** Of each run how many relocations, and their code. */
  words: Int32Array;
}

export const createRuns = (): Runs => ({ length: 0, words: new Int32Array(64) });

/** Adds relocations. */
export function addToRuns(runs: Runs, code: number, count = 1): void {
  const last = runs.length - 2;
  if (last >= 0 && runs.words[last + 1] === code) {
    runs.words[last]! += count;
    return;
  }
  if (runs.length === runs.words.length) runs.words = larger32(runs.words);
  runs.words[runs.length++] = count;
  runs.words[runs.length++] = code;
}

export function writeRuns(into: Growing, { words, length }: Runs): void {
  putVarU(into, length / 2);
  for (let at = 0; at < length; at++) putVarU(into, words[at]!);
}
