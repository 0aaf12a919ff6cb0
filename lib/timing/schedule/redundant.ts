// Code that ptxas 13.0 removes from a region, as seen in the machine code of our microbenchmarks: loads of local memory whose
// bytes a store of the region has just written (`local_st_ld`), loads whose results are never read, and the old values of
// atomics that are overwritten before they are read. The latter become reductions (three of four in each `atomg_*`). Registers
// are renamed before.

import { modifier } from "../../isa/opcode.js";
import { isCombined } from "../lowering/atomic-cost.js";
import type { Program } from "../lowering/lowered.js";
import { isPredicated, type Draft } from "./step.js";

/**
 * A load of the bytes that a store to local memory has written, with no other store in between, becomes another name for the
 * value.
 */
export function forwardStores(drafts: readonly Draft[]): void {
  let last:
    { readonly address: string; readonly values: readonly number[]; readonly base: readonly number[] } | undefined;
  for (const draft of drafts) {
    const { kind, instruction, results } = draft;
    const { space } = instruction.order;
    const address = space === "local" && !isPredicated(draft) ? addressOf(draft) : undefined;
    if (
      kind === "load" &&
      address !== undefined &&
      address === last?.address &&
      last.values.length === results.length
    ) {
      draft.kind = "free";
      draft.ops = [];
      draft.sources = [...last.values];
    } else if (instruction.order.keeps === "fixed" && (space === "local" || space === "any"))
      last =
        kind === "store" && address !== undefined
          ? { address, values: draft.sources.slice(1), base: draft.sources.slice(0, 1) }
          : undefined;
    if (last !== undefined && results.some((slot) => last!.values.includes(slot) || last!.base.includes(slot)))
      last = undefined;
  }
}

/** A key that is equal for accesses to the same bytes whose base is in a register. */
function addressOf({ instruction: { instruction }, sources }: Draft): string | undefined {
  const address = instruction.operands.find((operand) => operand?.kind === "address");
  if (address?.kind !== "address" || address.base.kind !== "register") return undefined;
  return `${modifier(instruction.opcode, "type")} ${sources[0]}+${address.offset}`;
}

/** Removes loads without a reader; atomics without one become reductions, except exchanges. */
export function dropUnreadResults(drafts: readonly Draft[], { slots }: Pick<Program, "slots">): void {
  const read = new Map<number, boolean>();
  // After the region, every slot that is not renamed may be read.
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

/** What a warp has added up for one atomic it does not add up again for the next one of the region, unless predicates choose the lanes. */
export function shareSums(drafts: readonly Draft[]): void {
  const known = new Set<string>();
  for (const draft of drafts) {
    const { atomic, countsLanes, instruction } = draft.instruction;
    if (isCombined(atomic) && !isPredicated(draft)) {
      const operation = instruction.opcode.chosen.find((word) => /^(add|min|max|and|or|xor)$/.test(word ?? ""));
      const key = countsLanes ? "lanes" : `${operation} ${draft.sources.at(-1)}`;
      if (known.has(key)) draft.instruction = { ...draft.instruction, isSummed: true };
      known.add(key);
    }
    for (const slot of draft.results) for (const key of known) if (key.endsWith(` ${slot}`)) known.delete(key);
  }
}
