// Why a spelling names no instruction, and what was probably meant.

import { formsOf, resolveOpcode } from "./opcode.js";
import { opcodeNames } from "./rows/all.table.js";

export interface Explanation {
  readonly message: string;
  readonly remedy?: string;
}

/** The faults of a spelling that resolveOpcode does not know, from the coarsest to the finest. */
export function explainSpelling(spelling: string): Explanation {
  const [base, ...modifiers] = spelling.split(".");
  const forms = formsOf(base!);
  if (forms.length === 0) return explain(`there is no instruction '${base}'`, nearest(base!, opcodeNames()));

  const known = new Set(
    forms.flatMap((form) => form.slots.flatMap((slot) => slot.choices.map((choice) => choice.text))),
  );
  const unknown = modifiers.find((text) => !known.has(text));
  if (unknown !== undefined) {
    return explain(`'${base}' has no modifier '.${unknown}'`, nearest(unknown, [...known])?.replace(/^/, "."));
  }
  // One modifier too many, or one too few, is the commonest fault: say which, when one change makes it right.
  for (const [i, text] of modifiers.entries()) {
    const without = [base, ...modifiers.slice(0, i), ...modifiers.slice(i + 1)].join(".");
    if (resolveOpcode(without).length > 0) return explain(`'.${text}' cannot stand in '${spelling}'`, without);
  }
  const missing = forms.flatMap((form) =>
    form.slots.filter((slot) => !slot.optional && !slot.choices.some((choice) => modifiers.includes(choice.text))),
  )[0];
  if (missing !== undefined) {
    const choices = missing.choices.slice(0, 6).map((choice) => `.${choice.text}`);
    const more = missing.choices.length > choices.length ? ", …" : "";
    return { message: `'${spelling}' lacks a modifier`, remedy: `one of ${choices.join(", ")}${more} is needed` };
  }
  return { message: `the modifiers of '${spelling}' do not go together`, remedy: `the form is: ${forms[0]!.syntax}` };
}

function explain(message: string, meant: string | undefined): Explanation {
  return meant === undefined ? { message } : { message, remedy: `did you mean '${meant}'?` };
}

/** The candidate with the smallest edit distance, when it is close enough to be meant. */
export function nearest(text: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(text.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - text.length) >= least) continue;
    const distance = editDistance(text, candidate, least);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** Levenshtein's distance, counting a swap of neighbours as one; stops at `limit`. Long texts count as far apart. */
function editDistance(a: string, b: string, limit: number): number {
  if (a.length > 64 || b.length > 64) return limit;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1);
      next.push(cost);
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}
