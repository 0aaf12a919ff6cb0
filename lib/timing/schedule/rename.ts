// Separate slots for the successive values of a register, as the compiler would allocate separate registers. The last value
// keeps the register. A predicated write keeps the register of the previous value, unless the write is in one arm of an if and
// else whose other arm writes the register as well: then neither arm waits for the other.

import { isPredicated, type Draft } from "./step.js";

/** Replaces slots in `drafts`. Guards are renamed like sources. */
export function rename(drafts: readonly Draft[], temporary: () => number): void {
  renameArms(drafts, temporary);
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

/** In the first arm, gives other slots to registers that the second arm writes as well, which comes later and keeps them. */
function renameArms(drafts: readonly Draft[], temporary: () => number): void {
  const written = new Map<number, Set<number>>();
  for (const { instruction, results } of drafts)
    if (instruction.arm < 0) {
      const slots = written.get(instruction.arm);
      if (slots === undefined) written.set(instruction.arm, new Set(results));
      else for (const slot of results) slots.add(slot);
    }
  if (written.size === 0) return;
  let arm = 0;
  const names = new Map<number, number>();
  const named = (slot: number): number => names.get(slot) ?? slot;
  for (const draft of drafts) {
    if (draft.instruction.arm !== arm) names.clear();
    arm = draft.instruction.arm;
    const others = written.get(-arm);
    if (arm <= 0 || others === undefined) continue;
    draft.sources = draft.sources.map(named);
    for (const slot of draft.results) if (others.has(slot) && !names.has(slot)) names.set(slot, temporary());
    draft.results = draft.results.map(named);
  }
}
