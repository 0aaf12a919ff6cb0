// Operands of the tensor unit's generated code: eight 16-bit elements as f32 values and i16 exponents. Special values
// (infinities, NaNs, and bf16 values far from 1) are reported to the caller, which uses the reference.

import { CodeWriter, type Local } from "../../../../formats/wasm/index.js";

export type HalfType = "f16" | "bf16";

/** Exponent of a zero: two of them added are still below every other. */
const ZERO_EXPONENT = -16384;
/**
 * bf16 elements whose exponents are farther from 0 are left to the reference, so that products and sums stay in the range of f32.
 */
const FARTHEST = 48;

const halves = (value: number): readonly [number, number, number, number] => {
  const word = (value & 0xffff) | (value << 16);
  return [word, word, word, word];
};

/** Pushes ones for lanes that the unit refuses: infinity, NaN, and in bf16 a nonzero number whose exponent is beyond FARTHEST. */
const pushRefused: Readonly<Record<HalfType, (code: CodeWriter, magnitude: Local) => void>> = {
  f16: (code, magnitude) => void code.get(magnitude).v128(halves(0x7bff)).op("i16x8.gt_s"),
  bf16: (code, magnitude) => {
    code
      .get(magnitude)
      .v128(halves(((127 + FARTHEST) << 7) | 0x7f))
      .op("i16x8.gt_s");
    code
      .get(magnitude)
      .v128(halves((127 - FARTHEST) << 7))
      .op("i16x8.lt_s");
    code.get(magnitude).v128(halves(0)).op("i16x8.ne", "v128.and", "v128.or");
  },
};

/** Pushes the exponents of numbers other than zero. */
const pushExponents: Readonly<Record<HalfType, (code: CodeWriter, magnitude: Local) => void>> = {
  // A subnormal has the exponent of the least normal number.
  f16: (code, magnitude) => {
    code.get(magnitude).i32(10).op("i16x8.shr_u").v128(halves(1)).op("i16x8.max_s");
    code.v128(halves(15)).op("i16x8.sub");
  },
  bf16: (code, magnitude) => void code.get(magnitude).i32(7).op("i16x8.shr_u").v128(halves(127)).op("i16x8.sub"),
};

/** Pushes four values of the eight elements in `bits`. */
const pushValues: Readonly<Record<HalfType, (code: CodeWriter, bits: Local, half: "low" | "high") => void>> = {
  // Moves the fields of a half to those of an f32, whose exponent bias is 112 higher.
  f16: (code, bits, half) => {
    code.get(bits).op(`i32x4.extend_${half}_i16x8_u`);
    code.i32(13).op("i32x4.shl").words(0x0fffe000).op("v128.and").words(0x77800000).op("f32x4.mul");
    code.get(bits).op(`i32x4.extend_${half}_i16x8_s`).words(-0x80000000).op("v128.and", "v128.or");
  },
  bf16: (code, bits, half) => void code.get(bits).op(`i32x4.extend_${half}_i16x8_u`).i32(16).op("i32x4.shl"),
};

/** decode(from, values, exponents): returns 1 if an element is refused. */
export function decodeFunction(type: HalfType): CodeWriter {
  const code = new CodeWriter(["i32", "i32", "i32"], ["i32"]);
  const [from, values, exponents] = [0, 1, 2] as const;
  const { bits, magnitude } = code.named("v128", ["bits", "magnitude"]);
  code.get(from).memory("v128.load").tee(bits).v128(halves(0x7fff)).op("v128.and").set(magnitude);
  code.get(exponents).v128(halves(ZERO_EXPONENT));
  pushExponents[type](code, magnitude);
  code.get(magnitude).v128(halves(0)).op("i16x8.eq", "v128.bitselect").memory("v128.store");
  for (const [i, half] of (["low", "high"] as const).entries()) {
    code.get(values);
    pushValues[type](code, bits, half);
    code.memory("v128.store", 16 * i);
  }
  pushRefused[type](code, magnitude);
  return code.op("v128.any_true");
}

/** Bytes of a shuffle that takes elements of `size` bytes alternately from both operands, from their low or high halves. */
const zip = (size: number, high: boolean): readonly number[] =>
  Array.from({ length: 16 }, (_, byte) => {
    const element = Math.floor(byte / size);
    return (element % 2) * 16 + (high ? 8 : 0) + Math.floor(element / 2) * size + (byte % size);
  });

/** In a row of B the even columns come first, as in the registers of C. */
const COLUMN_ORDER = [0, 2, 4, 6, 1, 3, 5, 7];

/** turn(from, to): transposes eight columns of eight elements along k to eight rows. */
export function turnFunction(): CodeWriter {
  const code = new CodeWriter(["i32", "i32"], []);
  let rows = COLUMN_ORDER.map((column) => {
    const local = code.local("v128");
    code
      .get(0)
      .memory("v128.load", 16 * column)
      .set(local);
    return local;
  });
  // Each round zips neighbours; after three rounds row k has element k of every column.
  for (const size of [2, 4, 8]) {
    const next: Local[] = [];
    const span = size / 2;
    for (let block = 0; block < 8; block += 2 * span)
      for (let i = 0; i < span; i++)
        for (const high of [false, true]) {
          const local = code.local("v128");
          code
            .get(rows[block + i]!)
            .get(rows[block + span + i]!)
            .shuffle(zip(size, high))
            .set(local);
          next[block + 2 * i + (high ? 1 : 0)] = local;
        }
    rows = next;
  }
  rows.forEach((row, k) =>
    code
      .get(1)
      .get(row)
      .memory("v128.store", 16 * k),
  );
  return code;
}
