// ue8m0, the format of block scale factors: the power of two 2^(bits - 127), or NaN at 0xff; no sign, no zero (PTX ISA 5.2.3; cvt
// to and from ue8m0x2 in 9.7.9.21). Not a SmallFloat: it has neither sign nor subnormals. PTX does not define the conversion of
// negative values; NVIDIA's conversion for the host drops the sign, and so does this.

import { exponentOf, powerOfTwo } from "./bits.js";
import { type Unary } from "./rounding.js";

const BIAS = 127;
const MAX_NORM = 0xfe;
const NAN = 0xff;

/** Encodes an f32 or bf16 value as ue8m0; too large values become NaN, or MAX_NORM with .satfinite. */
export function ue8m0Encoder(mode: "rz" | "rp", isSatfinite: boolean): Unary {
  const overflow = isSatfinite ? MAX_NORM : NAN;
  return (x) => {
    if (x !== x) return NAN;
    const size = Math.abs(x);
    if (size === Infinity) return overflow;
    const floor = exponentOf(size);
    if (floor < -BIAS) return 0;
    const isUp = mode === "rp" && size > powerOfTwo(floor);
    const bits = floor + BIAS + (isUp ? 1 : 0);
    return bits > MAX_NORM ? overflow : bits;
  };
}

/** The value of ue8m0 bits. */
export function decodeUe8m0(bits: number): number {
  return bits === NAN ? NaN : powerOfTwo(bits - BIAS);
}
