// Formats of small floats by their names in PTX, and the effect of .satfinite, .sat and .relu on a result (PTX ISA 9.0 section
// 9.7.9.21).

import {
  BF16,
  E2M1,
  E2M3,
  E3M2,
  E4M3,
  E5M2,
  F16,
  reluSmall,
  saturateFiniteSmall,
  saturateUnitSmall,
  type SmallFloat,
  TF32,
} from "../../base/num/small-float.js";
import { hasModifier, type Opcode } from "../../isa/opcode.js";

/** Formats of floats of at most 19 bits, by their type names in PTX. */
export const smallFormats: Readonly<Record<string, SmallFloat>> = {
  f16: F16,
  bf16: BF16,
  tf32: TF32,
  e4m3: E4M3,
  e5m2: E5M2,
  e2m3: E2M3,
  e3m2: E3M2,
  e2m1: E2M1,
};

/** Applies .satfinite, .sat and .relu to the bits of a small result. */
export function smallResult(opcode: Opcode, format: SmallFloat): (bits: number) => number {
  const steps: ((bits: number) => number)[] = [];
  if (hasModifier(opcode, "satfinite")) steps.push((bits) => saturateFiniteSmall(format, bits));
  if (hasModifier(opcode, "sat")) steps.push((bits) => saturateUnitSmall(format, bits));
  if (hasModifier(opcode, "relu")) steps.push((bits) => reluSmall(format, bits));
  return steps.length === 0 ? (bits) => bits : (bits) => steps.reduce((x, step) => step(x), bits);
}
