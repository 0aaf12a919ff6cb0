// One register for several values: all but the last get slots of their own, as the compiler would have given them registers.
// What is written under a predicate goes on with the value that was there.

import type { Program } from "../lowering.js";
import { isPredicated, type MachineDraft } from "./step.js";

/** Replaces slots in `drafts`. Guards are renamed as sources are. Returns the guards' slots per draft. */
export function rename(
  drafts: readonly MachineDraft[],
  program: Program,
  temporary: () => number,
): readonly (readonly number[])[] {
  const lastWrite = new Map<number, number>();
  drafts.forEach((draft, i) => {
    for (const slot of draft.results) lastWrite.set(slot, i);
  });
  const current = new Map<number, number>();
  const named = (slot: number): number => current.get(slot) ?? slot;
  return drafts.map((draft, i) => {
    draft.sources = draft.sources.map(named);
    const guards = draft.guards.map(named);
    const predicated = isPredicated(draft);
    draft.results = draft.results.map((slot) => {
      if (predicated) return named(slot);
      const fresh = slot >= program.slots || lastWrite.get(slot) === i ? slot : temporary();
      current.set(slot, fresh);
      return fresh;
    });
    return guards;
  });
}
