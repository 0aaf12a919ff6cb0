// .ftz and .sat of an f32: PTX ISA 9.0 section 9.7.3.

import type { Local } from "../../../../formats/wasm/index.js";
import type { Lanes } from "../lanes.js";

/** A writer of code, with the temporaries that the code needs. */
export type Writing = Pick<Lanes, "code" | "temporary">;

/** Replaces a subnormal f32 on the stack by a zero of its sign. */
export function flush({ code, temporary }: Writing): void {
  const value = temporary("v128");
  code.tee(value).get(value).words(0x7f800000).op("v128.and").words(0).op("i32x4.ne");
  code.words(-0x80000000).op("v128.or", "v128.and");
}

/** 2^-126; 2^64, which scales values near it out of the subnormals; their product. */
const MIN_NORMAL = 0x00800000;
const LIFT = 0x5f800000;
const LIFTED_NORMAL = 0x20800000;

/** Pushes an operand times 2^64. */
export const pushLifted = ({ code }: Writing, operand: Local): void =>
  void code.get(operand).words(LIFT).op("f32x4.mul");

/**
 * Flushes the rounded result on the stack as hardware does. `lifted` decides about results that were rounded up to 2^-126: it
 * pushes the result times 2^64 (flushResultF32 in ../../../base/num/rounding.ts).
 */
export function flushResult(writing: Writing, lifted: () => void): void {
  const { code, temporary } = writing;
  const [value, isLeast] = [temporary("v128"), temporary("v128")];
  code.tee(value).op("f32x4.abs").words(MIN_NORMAL).op("i32x4.eq").tee(isLeast).op("v128.any_true").if();
  code.get(value).get(isLeast);
  lifted();
  code.op("f32x4.abs").words(LIFTED_NORMAL).op("f32x4.lt", "v128.and").words(0x7fffffff).op("v128.and", "v128.andnot");
  code.set(value).op("end").get(value);
  flush(writing);
}

/** Clamps the f32 on the stack to [+0.0, 1.0]; NaN becomes +0.0. */
export function saturate({ code, temporary }: Writing): void {
  const value = temporary("v128");
  const one = 0x3f800000;
  code.tee(value).words(one).get(value).words(one).op("f32x4.lt", "v128.bitselect");
  code.get(value).words(0).op("f32x4.gt", "v128.and");
}
