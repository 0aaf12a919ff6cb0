// What .ftz and .sat make of an f32: PTX ISA 9.0 section 9.7.3.

import type { Lanes } from "../lanes.js";

/** Where code goes that needs locals. */
export type Writing = Pick<Lanes, "code" | "temporary">;

/** The f32 on the stack, subnormals as zeros of their sign. */
export function flush({ code, temporary }: Writing): void {
  const value = temporary("v128");
  code.tee(value).get(value).words(0x7f800000).op("v128.and").words(0).op("i32x4.ne");
  code.words(-0x80000000).op("v128.or", "v128.and");
}

/** The f32 on the stack into [+0.0, 1.0]; NaN becomes +0.0. */
export function saturate({ code, temporary }: Writing): void {
  const value = temporary("v128");
  const one = 0x3f800000;
  code.tee(value).words(one).get(value).words(one).op("f32x4.lt", "v128.bitselect");
  code.get(value).words(0).op("f32x4.gt", "v128.and");
}
