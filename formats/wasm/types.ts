// Value and function types of WebAssembly: core specification 2.0, section 5.3.

export const valueTypes = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b } as const;

export type ValueType = keyof typeof valueTypes;

export interface FunctionType {
  readonly parameters: readonly ValueType[];
  readonly results: readonly ValueType[];
}

/** Index of a local of a function, parameters first. */
export type Local = number;
