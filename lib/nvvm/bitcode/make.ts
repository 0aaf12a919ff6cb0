// Puts an instruction together from what all have and what its kind has.

import type { Instruction } from "../ir/instruction.js";

/** What every instruction has. */
export type Base = Pick<
  Instruction,
  "kind" | "name" | "index" | "operandStarts" | "flags" | "attachments" | "start" | "end"
>;

/** What an instruction's kind adds, for each kind. */
type Parts<I> = I extends Instruction ? Omit<I, keyof Base> & { readonly flags?: number } : never;

/** `base` with `parts` added. A literal that begins with a spread costs a hundred times as much in V8. */
export const make = (base: Base, parts: Parts<Instruction>): Instruction => Object.assign(base, parts) as Instruction;
