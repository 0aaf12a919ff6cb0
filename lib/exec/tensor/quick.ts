// Types that meanings multiply with the fast engine's tensor unit (exec/fast/tensor): 16-bit floats with f32 sums, in tiles of 16
// rows and 8 columns. The unit returns the same bits as step.ts, and refuses operands that are not ordinary numbers.

/** Whether the unit computes products of these types. */
export const isQuick = (types: { readonly a: string; readonly c: string; readonly d: string }): boolean =>
  (types.a === "f16" || types.a === "bf16") && types.c === "f32" && types.d === "f32";
