// What a meaning may ask of the fast engine's tensor unit (exec/fast/tensor): products of 16-bit floats with f32 sums, a tile of 16
// rows and 8 columns at a time, with the same bits as step.ts. It refuses operands that are no ordinary numbers.

/** Byte addresses of registers of 32 lanes, in the arena. */
export interface TileOperands {
  /** One register for each block of eight along k. */
  readonly b: readonly number[];
  /** Where B comes from: what the unit has decoded of it is kept by this number, and used again where B's bits are the same. */
  readonly key: number;
  readonly c: readonly number[];
  readonly d: readonly number[];
  readonly blocks: 1 | 2;
}

export type Eight = readonly [number, number, number, number, number, number, number, number];

export interface TensorUnit {
  /** Decodes A for the tiles to come: two registers for each block. Undefined for types that the unit does not have. */
  prepareOf(type: string): ((a: readonly number[], blocks: 1 | 2) => boolean) | undefined;
  /** One tile with the A that was prepared; false: nothing was written. */
  tileOf(type: string): ((operands: TileOperands) => boolean) | undefined;
  /** Eight pieces of 16 bytes, at the offsets behind `from`, to the register at `to`; addresses in the arena. */
  readonly gather: (to: number, from: number, ...offsets: Eight) => void;
  /** Address of a register of zeros. */
  readonly zeros: number;
  /** The unit's memory as words, from `base` on, and where in it matrices from shared memory are put, in bytes. */
  readonly packed: Int32Array;
  readonly packedA: number;
  readonly packedB: number;
  readonly base: number;
}

/** Types of the unit's factors: those whose products with f32 sums it does. */
export const isQuick = (types: { readonly a: string; readonly c: string; readonly d: string }): boolean =>
  (types.a === "f16" || types.a === "bf16") && types.c === "f32" && types.d === "f32";
