// What a meaning may ask of the fast engine's tensor unit (exec/fast/tensor): products of 16-bit floats with f32 sums, a tile of 16
// rows and 8 columns at a time, with the same bits as step.ts. It refuses operands that are no ordinary numbers.

/** Types of the unit's factors: those whose products with f32 sums it does. */
export const isQuick = (types: { readonly a: string; readonly c: string; readonly d: string }): boolean =>
  (types.a === "f16" || types.a === "bf16") && types.c === "f32" && types.d === "f32";
