// Operand shapes that follow from several modifiers at once: the fragments of the matrix instructions, above all. A rule
// takes the chosen modifiers and answers the element type and how many registers in braces; rows name it `@rule`.

import { InternalError } from "../base/assert.js";
import { dataType, type DataType } from "./types.table.js";

/** What an operand must be: elements of `type`, in braces when `count` is given. */
export interface Shape {
  readonly type: DataType;
  readonly count: number | undefined;
  /** Where the elements' types differ: array index first, then coordinates. */
  readonly elements?: readonly DataType[];
  /** One element may stand without its braces. */
  readonly bare?: boolean;
}

/** The chosen text of a slot, or undefined when it was left out. */
export type Chosen = (slot: string) => string | undefined;

/** m16n8k32 -> [16, 8, 32]. */
export function shapeOf(text: string | undefined): readonly [number, number, number] {
  const match = /^m(\d+)n(\d+)k(\d+)$/.exec(text ?? "");
  if (match === null) throw new InternalError(`no matrix shape '${text ?? ""}'`);
  return [Number(match[1]), Number(match[2]), Number(match[3])];
}

function known(name: string): DataType {
  const type = dataType(name);
  if (type === undefined) throw new InternalError(`no type '${name}'`);
  return type;
}

/** dp4a, dp2a: the sum is signed when either factor is (section 9.7.1.23). */
const dot = (chosen: Chosen): Shape => ({
  type: known(chosen("atype") === "u32" && chosen("btype") === "u32" ? "u32" : "s32"),
  count: undefined,
});

export const typeRules: Readonly<Record<string, (chosen: Chosen) => Shape>> = {
  dot,
};
