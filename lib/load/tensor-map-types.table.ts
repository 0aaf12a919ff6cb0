// Element types of tensor maps, by their numbers in tensormap.replace (PTX ISA 9.0 section 9.7.9.26, table 33). Types of 4 and 6
// bits (13 to 15) belong to later chips than those whose results were recorded.

export interface TensorType {
  readonly name: string;
  /** Bytes of an element. */
  readonly bytes: number;
  readonly isFloat: boolean;
  /** Type by which reductions combine; a reduction of a type without one traps. */
  readonly reduced: string | undefined;
  /** Loads round to tf32. */
  readonly rounds?: boolean;
}

export const tensorTypes: readonly TensorType[] = [
  { name: "u8", bytes: 1, isFloat: false, reduced: undefined },
  { name: "u16", bytes: 2, isFloat: false, reduced: "u16" },
  { name: "u32", bytes: 4, isFloat: false, reduced: "u32" },
  { name: "s32", bytes: 4, isFloat: false, reduced: "s32" },
  { name: "u64", bytes: 8, isFloat: false, reduced: "u64" },
  { name: "s64", bytes: 8, isFloat: false, reduced: "s64" },
  { name: "f16", bytes: 2, isFloat: true, reduced: "f16" },
  { name: "f32", bytes: 4, isFloat: true, reduced: "f32" },
  { name: "f32ftz", bytes: 4, isFloat: true, reduced: "f32ftz" },
  { name: "f64", bytes: 8, isFloat: true, reduced: "f64" },
  { name: "bf16", bytes: 2, isFloat: true, reduced: "bf16" },
  { name: "tf32", bytes: 4, isFloat: true, reduced: "f32", rounds: true },
  { name: "tf32ftz", bytes: 4, isFloat: true, reduced: "f32ftz", rounds: true },
];

export const interleaves = ["none", "16B", "32B"] as const;
export const swizzles = ["none", "32B", "64B", "128B"] as const;
export const fills = ["zero", "nan"] as const;

/** Bytes of the row of shared memory that each swizzle mode permutes; 0 for none. */
export const swizzleSpans = [0, 32, 64, 128] as const;
