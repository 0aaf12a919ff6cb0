// Separate slots for the successive values of a register, as the compiler would allocate separate registers. The last value
// keeps the register. A predicated write keeps the register of the previous value, unless the write is in one arm of an if and
// else whose other arm writes the register as well: then neither arm waits for the other.

import type { LoweredInstruction } from "../lowering/lowered.js";
import { draftOf, isPredicated, NO_POSITION, type Draft } from "./step.js";

/** Replaces slots in `drafts`, and adds drafts where the arms of an if and else meet. Guards are renamed like sources. */
export function rename(drafts: Draft[], temporary: () => number): void {
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

/**
 * In the first arm of an if and else, gives other slots to registers that the second arm writes as well. Behind the arms, the register
 * is ready when both of them have written it.
 */
function renameArms(drafts: Draft[], temporary: () => number): void {
  for (let from = 0; from < drafts.length; from++) {
    const { arm } = drafts[from]!.instruction;
    if (arm <= 0) continue;
    const to = endOfArm(drafts, from);
    // The branch that ends the first arm is in neither.
    if (drafts[to + 1]?.instruction.arm === -arm) {
      const end = endOfArm(drafts, to + 1);
      const joined = renameFirst(drafts.slice(from, to), drafts.slice(to + 1, end), temporary);
      const { instruction } = drafts[to]!;
      drafts.splice(end, 0, ...joined.map((names) => joinOf(instruction, names)));
    }
    from = to - 1;
  }
}

/** The first draft from `from` on that is not in its arm. */
function endOfArm(drafts: readonly Draft[], from: number): number {
  let end = from;
  while (drafts[end]?.instruction.arm === drafts[from]!.instruction.arm) end++;
  return end;
}

/** Renames results of the first arm. Returns pairs of a register's slot and the other one. */
function renameFirst(
  first: readonly Draft[],
  second: readonly Draft[],
  temporary: () => number,
): readonly (readonly [number, number])[] {
  const others = new Set(second.flatMap(({ results }) => results));
  const names = new Map<number, number>();
  const named = (slot: number): number => names.get(slot) ?? slot;
  for (const draft of first) {
    draft.sources = draft.sources.map(named);
    draft.guards = draft.guards.map(named);
    for (const slot of draft.results) if (others.has(slot) && !names.has(slot)) names.set(slot, temporary());
    draft.results = draft.results.map(named);
  }
  return [...names];
}

/** Issues nothing: the register waits for its values of both arms. */
const joinOf = (branch: LoweredInstruction, [slot, other]: readonly [number, number]): Draft => ({
  ...draftOf(branch, NO_POSITION),
  kind: "free",
  ops: [],
  sources: [slot, other],
  results: [slot],
  guards: [],
});
