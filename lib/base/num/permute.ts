// Shifts, funnel shifts, byte permutation and three-input logic (PTX ISA 9.7.8.6 lop3, 9.7.8.7 shf, 9.7.8.8 shl, 9.7.8.9 shr,
// 9.7.9.7 prmt). b32 operands may be int32 or uint32; results are uint32, except int32 for s32 forms.

import { type OutOfRange } from "./bitfield.js";

/** shl.b32: amounts of 32 and more shift everything out. For the 16-bit form, truncate the result. */
export function shl32(x: number, amount: number): number {
  return amount >>> 0 > 31 ? 0 : (x << amount) >>> 0;
}

/** shr.u32, .b32; the 16-bit forms take zero-extended operands. */
export function shrU32(x: number, amount: number): number {
  return amount >>> 0 > 31 ? 0 : x >>> amount;
}

/** shr.s32; the 16-bit form takes a sign-extended operand. */
export function shrS32(x: number, amount: number): number {
  return x >> Math.min(amount >>> 0, 31);
}

export function shl64(x: bigint, amount: number): bigint {
  return amount >>> 0 > 63 ? 0n : BigInt.asUintN(64, x << BigInt(amount));
}

/** shr.u64 and shr.s64: the shift extends the sign of the operand, which is in its type's range. */
export function shr64(x: bigint, amount: number): bigint {
  return x >> BigInt(Math.min(amount >>> 0, 64));
}

function funnelAmount(amount: number, mode: OutOfRange): number {
  return mode === "clamp" ? Math.min(amount >>> 0, 32) : amount & 31;
}

/** shf.l: the upper word of high:low shifted left. */
export function shfLeft(low: number, high: number, amount: number, mode: OutOfRange): number {
  const n = funnelAmount(amount, mode);
  return (n === 0 ? high : n === 32 ? low : (high << n) | (low >>> (32 - n))) >>> 0;
}

/** shf.r: the lower word of high:low shifted right. */
export function shfRight(low: number, high: number, amount: number, mode: OutOfRange): number {
  const n = funnelAmount(amount, mode);
  return (n === 0 ? low : n === 32 ? high : (high << (32 - n)) | (low >>> n)) >>> 0;
}

/** lop3: bit i of the table is the result for the operand bits (a, b, c) that make up i in binary. */
export function lop3(a: number, b: number, c: number, table: number): number {
  let result = 0;
  for (let i = 0; i < 8; i++) {
    if (((table >>> i) & 1) === 0) continue;
    result |= ((i & 4) !== 0 ? a : ~a) & ((i & 2) !== 0 ? b : ~b) & ((i & 1) !== 0 ? c : ~c);
  }
  return result >>> 0;
}

/** The special modes of prmt. */
export type PermuteMode = "f4e" | "b4e" | "rc8" | "ecl" | "ecr" | "rc16";

// For each mode, the generic selectors for its control values 0..3.
const SELECTORS: Readonly<Record<PermuteMode, readonly number[]>> = {
  f4e: [0x3210, 0x4321, 0x5432, 0x6543],
  b4e: [0x5670, 0x6701, 0x7012, 0x0123],
  rc8: [0x0000, 0x1111, 0x2222, 0x3333],
  ecl: [0x3210, 0x3211, 0x3222, 0x3333],
  ecr: [0x0000, 0x1110, 0x2210, 0x3210],
  rc16: [0x1010, 0x3232, 0x1010, 0x3232],
};

/** The generic selector for a special mode and its control operand. */
export function permuteSelector(mode: PermuteMode, control: number): number {
  return SELECTORS[mode][control & 3]!;
}

/** prmt.b32: each nibble of the selector selects a byte of b:a; with its top bit set, the byte's sign is replicated. */
export function prmt(a: number, b: number, selector: number): number {
  let result = 0;
  for (let i = 0; i < 4; i++) {
    const control = selector >>> (4 * i);
    const word = (control & 4) === 0 ? a : b;
    const byte = (word >>> (8 * (control & 3))) & 0xff;
    result |= ((control & 8) === 0 ? byte : -(byte >>> 7) & 0xff) << (8 * i);
  }
  return result >>> 0;
}
