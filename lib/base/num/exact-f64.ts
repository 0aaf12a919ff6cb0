// Exact arithmetic on doubles as big integers, for values for which error-free transforms would overflow or underflow. A call
// takes microseconds; only values near the ends of the double range need it.

import { f64ToBits } from "./bits.js";

const FRACTION_BITS = 52n;
const FRACTION_MASK = (1n << FRACTION_BITS) - 1n;
/** Exponent of the last bit of the subnormal doubles. */
const MIN_EXPONENT = -1074;
const PRECISION = 53;

function exponentOfLastBit(bits: bigint): number {
  return Math.max(Number((bits >> FRACTION_BITS) & 0x7ffn), 1) + MIN_EXPONENT - 1;
}

function significand(bits: bigint): bigint {
  const isNormal = ((bits >> FRACTION_BITS) & 0x7ffn) !== 0n;
  const magnitude = (bits & FRACTION_MASK) | (isNormal ? 1n << FRACTION_BITS : 0n);
  return bits >> 63n === 0n ? magnitude : -magnitude;
}

// All sums are in units of the last bit of the smallest product of two doubles.
const UNIT_EXPONENT = 2 * MIN_EXPONENT;

function inUnits(x: number): bigint {
  const bits = f64ToBits(x);
  return significand(bits) << BigInt(exponentOfLastBit(bits) - UNIT_EXPONENT);
}

function productInUnits(a: number, b: number): bigint {
  const aBits = f64ToBits(a);
  const bBits = f64ToBits(b);
  const shift = exponentOfLastBit(aBits) + exponentOfLastBit(bBits) - UNIT_EXPONENT;
  return (significand(aBits) * significand(bBits)) << BigInt(shift);
}

/** The sign of a * b + c - d, as -1, 0 or 1; finite operands. */
export function signOfFmaMinus(a: number, b: number, c: number, d: number): number {
  const difference = productInUnits(a, b) + inUnits(c) - inUnits(d);
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
}

/** a * b + c rounded once to nearest even; finite operands, a and b not zero. */
export function fmaNearest(a: number, b: number, c: number): number {
  const total = productInUnits(a, b) + inUnits(c);
  return total < 0n ? -nearest(-total) : nearest(total);
}

// `units` times 2^UNIT_EXPONENT as the nearest double.
function nearest(units: bigint): number {
  const bitLength = units.toString(2).length;
  const dropped = Math.max(bitLength - PRECISION, MIN_EXPONENT - UNIT_EXPONENT);
  const half = 1n << BigInt(dropped - 1);
  const kept = units >> BigInt(dropped);
  const rest = units - (kept << BigInt(dropped));
  const isUp = rest > half || (rest === half && (kept & 1n) === 1n);
  const exponent = UNIT_EXPONENT + dropped;
  // The product is exact by construction, or overflows correctly. 2^exponent itself may be too large for a double.
  const rounded = Number(isUp ? kept + 1n : kept);
  return exponent > 971 ? Infinity : rounded * 2 ** exponent;
}
