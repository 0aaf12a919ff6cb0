// Parameters narrower than 32 bits: the calling convention passes them widened, so that functions with them cannot be called
// through a pointer.

import type { Layout } from "../isa/code.js";

export const narrowFault = ({ type }: Pick<Layout, "type">): string =>
  `a .${type.name} cannot be passed to or from a function; a .b${Math.max(8, type.bits)}, an array or 32 bits can`;

/** The remedy: the declaration to use on both sides. */
export const narrowRemedy = ({ type }: Pick<Layout, "type">): string =>
  `declare a .param .b${Math.max(8, type.bits)}, here and where the function is defined`;

/** A predicate or a small number; ptxas passes untyped bits, halves and vectors of any size. */
export function isNarrowValue({ type, vector }: Layout): boolean {
  return vector === 1 && type.bits < 32 && type.class !== "float" && type.class !== "bits";
}
