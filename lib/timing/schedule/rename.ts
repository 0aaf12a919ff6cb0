// Separate slots for the successive values of a register, as the compiler would allocate separate registers. The last value
// keeps the register. A predicated write keeps the register of the previous value.

import { isPredicated, type Draft } from "./step.js";

/** Replaces slots in `drafts`. Guards are renamed like sources. */
export function rename(drafts: readonly Draft[], temporary: () => number): void {
  const lastWrite = new Map<number, number>();
  drafts.forEach((draft, i) => {
    for (const slot of draft.results) lastWrite.set(slot, i);
  });
  const current = new Map<number, number>();
  const named = (slot: number): number => current.get(slot) ?? slot;
  drafts.forEach((draft, i) => {
    draft.sources = draft.sources.map(named);
    draft.guards = draft.guards.map(named);
    const predicated = isPredicated(draft);
    draft.results = draft.results.map((slot) => {
      if (predicated) return named(slot);
      const fresh = lastWrite.get(slot) === i ? slot : temporary();
      current.set(slot, fresh);
      return fresh;
    });
  });
}
