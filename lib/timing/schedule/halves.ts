// Halves of 64-bit integers that ptxas 13.0 omits, as seen in the machine code of our microbenchmarks: an unread upper half
// is not computed (`op_shl_b64`, whose shifts feed conversions to 32 bits), and one that is known to be zero is not counted
// (`op_popc_b64`, whose operands were 32 bits wide). Registers are renamed before.

import { modifier } from "../../isa/opcode.js";
import { dataType } from "../../isa/types.table.js";
import type { Program } from "../lowering/lowered.js";
import { microOp } from "../lowering/lowering.js";
import type { OpName } from "../gpus/model.js";
import { isPredicated, type Draft } from "./step.js";

/** The op for the lower half alone, by form: those whose lower half depends only on lower halves. */
const lowerHalves: Readonly<Record<string, OpName>> = {
  "add.int": "iadd",
  "sub.int": "iadd",
  "neg.int": "iadd",
  "mul.lo": "imad",
  "mad.lo": "imad",
  shl: "alu",
  and: "alu",
  or: "alu",
  xor: "alu",
  not: "alu",
};

/** The op of an instruction whose operands' upper halves are zero, by form. */
const zeroUpper: Readonly<Record<string, OpName>> = { popc: "bits" };

const bitsOf = ({ instruction: { instruction } }: Draft, slot: string): number | undefined =>
  dataType(modifier(instruction.opcode, slot) ?? "")?.bits;

/** Whether its first source is a 32-bit address. */
const hasShortAddress = ({ kind, instruction: { order } }: Draft): boolean =>
  order.space === "local" && (kind === "load" || kind === "store");

/** Drops the computation of halves that are unread or zero. */
export function dropHalves(drafts: readonly Draft[], { model, slots }: Pick<Program, "model" | "slots">): void {
  const readsUpper = new Map<number, boolean>();
  // After the region, every slot that is not renamed may be read.
  const isUpperRead = (slot: number): boolean => readsUpper.get(slot) ?? slot < slots;
  for (let i = drafts.length - 1; i >= 0; i--) {
    const draft = drafts[i]!;
    const op = lowerHalves[draft.instruction.form];
    const isLower =
      op !== undefined && draft.ops.length > 1 && bitsOf(draft, "type") === 64 && !draft.results.some(isUpperRead);
    if (isLower) draft.ops = [microOp(model, op, true)];
    if (!isPredicated(draft)) for (const slot of draft.results) readsUpper.set(slot, false);
    const truncates = bitsOf(draft, "dtype") === 32 && bitsOf(draft, "atype") === 64 && draft.kind === "free";
    if (!isLower && !truncates)
      draft.sources.forEach((slot, at) => {
        if (at > 0 || !hasShortAddress(draft)) readsUpper.set(slot, true);
      });
  }
  const zero = new Set<number>();
  for (const draft of drafts) {
    const op = zeroUpper[draft.instruction.form];
    if (op !== undefined && draft.ops.length > 1 && draft.sources.every((slot) => zero.has(slot)))
      draft.ops = [microOp(model, op, true)];
    const extends32 =
      bitsOf(draft, "dtype") === 64 && modifier(draft.instruction.instruction.opcode, "atype") === "u32";
    for (const slot of draft.results)
      if (extends32 && !isPredicated(draft)) zero.add(slot);
      else zero.delete(slot);
  }
}
