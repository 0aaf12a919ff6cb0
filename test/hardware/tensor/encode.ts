// Exact numbers as bits of a format, as the recordings' generator encodes them.

import { FORMATS, limitsOf } from "./formats.js";

const scratch = new DataView(new ArrayBuffer(8));

/** Throws where x is no number of the format. NaN is the quiet one without a payload. */
export function encode(type: string, x: number): bigint {
  const [exponentBits, mantissaBits] = FORMATS[type]!;
  const { bias, least, most } = limitsOf(type);
  const sign = BigInt(Object.is(x, -0) || x < 0 ? 1 : 0) << BigInt(exponentBits + mantissaBits);
  const top = ((1n << BigInt(exponentBits)) - 1n) << BigInt(mantissaBits);
  const size = Math.abs(x);
  if (!Number.isFinite(x)) {
    if (type === "e4m3") return 0x7fn | sign;
    return (Number.isNaN(x) ? top | (1n << BigInt(mantissaBits - 1)) : top) | sign;
  }
  if (size === 0) return sign;
  scratch.setFloat64(0, size);
  const exponent = Math.max((scratch.getUint32(0) >>> 20) - 1023, least);
  // In two steps: the power alone may be beyond the doubles.
  const half = Math.floor((mantissaBits - exponent) / 2);
  const significand = size * 2 ** half * 2 ** (mantissaBits - exponent - half);
  if (!Number.isInteger(significand) || exponent > most) throw new RangeError(`${x} is no ${type}`);
  const mantissa = BigInt(significand);
  if (mantissa >> BigInt(mantissaBits) === 0n) return mantissa | sign;
  return (BigInt(exponent + bias) << BigInt(mantissaBits)) | (mantissa & ((1n << BigInt(mantissaBits)) - 1n)) | sign;
}
