// Collects the relocations of a section as runs, as `.ptxkit.decl` stores them (docs/format.md, "Declarations"), while they are
// written.

import { larger32 } from "./strings.js";

/** The runs of a section's relocations in .ptxkit.decl: consecutive relocations of the same kind form one run. */
export interface Runs {
  length: number;
  /** For each run, the number of relocations, and their code. */
  words: Int32Array;
}

export const createRuns = (): Runs => ({ length: 0, words: new Int32Array(64) });

/** Adds relocations to those of a section, whose runs begin at `start`. */
export function addToRuns(runs: Runs, code: number, count = 1, start = 0): void {
  const last = runs.length - 2;
  if (last >= start && runs.words[last + 1] === code) {
    runs.words[last]! += count;
    return;
  }
  putWord(runs, count);
  putWord(runs, code);
}

/** Begins a section in `.ptxkit.decl`: a word for the number of its runs precedes them. Returns the index of the word. */
export function openRuns(runs: Runs): number {
  putWord(runs, 0);
  return runs.length - 1;
}

/** Ends the section that begins at `start`. */
export function closeRuns(runs: Runs, start: number): void {
  runs.words[start] = (runs.length - start - 1) / 2;
}

function putWord(runs: Runs, word: number): void {
  if (runs.length === runs.words.length) runs.words = larger32(runs.words);
  runs.words[runs.length++] = word;
}
