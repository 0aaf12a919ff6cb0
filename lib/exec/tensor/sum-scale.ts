// scale-input-d of tcgen05.mma: division of the accumulator by a power of two, PTX ISA 9.0 section 9.7.16.10.9.1.

import { f32FromBits, f32ToBits, powerOfTwo } from "../../base/num/bits.js";
import { F16, smallDecoder } from "../../base/num/small-float.js";

const decodeF16 = smallDecoder(F16);

/** Divides the accumulators by 2^`scale` and returns their new type. A scaled f16 becomes an f32, which represents it exactly. */
export function scaleDown(sums: Int32Array, type: string, scale: number): string {
  if (type === "f16" && scale === 0) for (let i = 0; i < sums.length; i++) sums[i]! &= 0xffff;
  if (scale === 0) return type;
  const decode = type === "f16" ? (bits: number) => decodeF16(bits & 0xffff) : f32FromBits;
  const factor = powerOfTwo(-scale);
  for (let i = 0; i < sums.length; i++) sums[i] = f32ToBits(Math.fround(decode(sums[i]!) * factor));
  return "f32";
}
