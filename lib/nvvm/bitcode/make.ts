// Creates an instruction from the properties of all instructions and those of its kind.

import type { Instruction } from "../ir/instruction.js";

/** Properties of every instruction. */
export type Base = Pick<
  Instruction,
  "kind" | "name" | "index" | "operandStarts" | "flags" | "attachments" | "start" | "end"
>;

/** Properties that each kind of instruction adds. */
type Parts<I> = I extends Instruction ? Omit<I, keyof Base> & { readonly flags?: number } : never;

/** `base` with `parts` added. A literal that begins with a spread costs a hundred times as much in V8. */
export const make = (base: Base, parts: Parts<Instruction>): Instruction => Object.assign(base, parts) as Instruction;
