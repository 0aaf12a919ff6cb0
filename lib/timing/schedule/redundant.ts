// What ptxas 13.0 removes of a region, seen in the machine code of our microbenchmarks: loads whose results nobody reads, and the old
// values of atomics that are overwritten before they are read; these become reductions (three of four in each `atomg_*`). Registers
// are renamed before.

import { isCombined } from "../atomic-cost.js";
import type { Program } from "../lowering.js";
import { isPredicated, type Draft } from "./step.js";

/** Loads without a reader go; atomics without one become reductions, except exchanges. */
export function dropUnreadResults(drafts: readonly Draft[], { slots }: Pick<Program, "slots">): void {
  const read = new Map<number, boolean>();
  // Behind the region, whatever is not renamed may be read.
  const isRead = (slot: number): boolean => read.get(slot) ?? slot < slots;
  for (let i = drafts.length - 1; i >= 0; i--) {
    const draft = drafts[i]!;
    if (draft.results.length > 0 && !draft.results.some(isRead)) {
      if (draft.kind === "atomic") makeReduction(draft);
      else if (draft.kind === "load" && draft.instruction.order.keeps === "free") {
        draft.kind = "free";
        draft.ops = [];
        draft.sources = [];
        draft.results = [];
      }
    }
    if (!isPredicated(draft)) for (const slot of draft.results) read.set(slot, false);
    for (const slot of [...draft.sources, ...draft.guards]) read.set(slot, true);
  }
}

function makeReduction(draft: Draft): void {
  const { instruction } = draft;
  const { reduction } = instruction;
  if (reduction === undefined) return;
  draft.kind = "reduce";
  draft.ops = reduction.ops;
  draft.instruction = { ...instruction, ...reduction, kind: "reduce", isUnread: true };
}

/** What a warp has added up for one atomic it does not add up again for the next one of the region. */
export function shareSums(drafts: readonly Draft[]): void {
  const known = new Set<string>();
  for (const draft of drafts) {
    const { atomic, countsLanes, instruction } = draft.instruction;
    if (isCombined(atomic)) {
      const operation = instruction.opcode.chosen.find((word) => /^(add|min|max|and|or|xor)$/.test(word ?? ""));
      const key = countsLanes ? "lanes" : `${operation} ${draft.sources.at(-1)}`;
      if (known.has(key)) draft.instruction = { ...draft.instruction, isSummed: true };
      known.add(key);
    }
    for (const slot of draft.results) for (const key of known) if (key.endsWith(` ${slot}`)) known.delete(key);
  }
}
