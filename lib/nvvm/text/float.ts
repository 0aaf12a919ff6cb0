// Floating-point constants: decimals and every hexadecimal spelling to the bits of the type's own format (LLVM Language
// Reference, "Simple Constants"). A decimal, and `0x` with 16 digits, are a double, which must be exact in the type.

import type { FloatName, FloatType } from "../ir/type.js";

const view = new DataView(new ArrayBuffer(8));

interface Format {
  readonly exponentBits: number;
  readonly fractionBits: number;
}

const formats: Readonly<Partial<Record<FloatName, Format>>> = {
  half: { exponentBits: 5, fractionBits: 10 },
  bfloat: { exponentBits: 8, fractionBits: 7 },
  float: { exponentBits: 8, fractionBits: 23 },
  fp128: { exponentBits: 15, fractionBits: 112 },
};

const ones = (bits: number): bigint => (1n << BigInt(bits)) - 1n;

/** The bits of a double. */
export function doubleBits(value: number): bigint {
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}

/** The bits of a double in a type; undefined if the type has no such value. */
export function fromDouble(bits: bigint, { name }: FloatType): bigint | undefined {
  if (name === "double" || name === "ppc_fp128") return bits;
  if (name === "float") {
    view.setBigUint64(0, bits);
    const value = view.getFloat64(0);
    if (!Number.isNaN(value)) {
      if (Math.fround(value) !== value) return undefined;
      view.setFloat32(0, value);
      return BigInt(view.getUint32(0));
    }
  }
  const sign = bits >> 63n;
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & ones(52);
  if (name === "x86_fp80") return toExtended(sign, exponent, fraction);
  const { exponentBits, fractionBits } = formats[name]!;
  const wanted = BigInt(fractionBits);
  const signed = sign << BigInt(exponentBits + fractionBits);
  const top = ones(exponentBits) << wanted;
  if (exponent === 0x7ff) {
    if (fraction === 0n) return signed | top;
    const cut = fractionBits >= 52 ? fraction << (wanted - 52n) : fraction >> (52n - wanted);
    // A signalling NaN stays one, with the smallest payload if the type has no room for its own.
    return signed | top | (cut === 0n ? 1n : cut);
  }
  if (exponent === 0 && fraction === 0n) return signed;
  const bias = (1 << (exponentBits - 1)) - 1;
  const [mantissa, power] = normalized(exponent, fraction);
  const target = power + bias;
  if (target >= (1 << exponentBits) - 1) return undefined;
  // Number of mantissa bits (53 with the leading one) that are kept.
  const kept = target > 0 ? fractionBits + 1 : fractionBits + target;
  if (kept <= 0) return undefined;
  const dropped = 53 - kept;
  if (dropped > 0 && (mantissa & ones(dropped)) !== 0n) return undefined;
  const cut = dropped >= 0 ? mantissa >> BigInt(dropped) : mantissa << BigInt(-dropped);
  return signed | (target > 0 ? (BigInt(target) << wanted) | (cut & ones(fractionBits)) : cut);
}

/** 53 bits with the leading one, and its power of two. */
function normalized(exponent: number, fraction: bigint): readonly [mantissa: bigint, power: number] {
  if (exponent !== 0) return [fraction | (1n << 52n), exponent - 1023];
  const shift = 53 - fraction.toString(2).length;
  return [fraction << BigInt(shift), -1022 - shift];
}

/** x87's format: the leading one is explicit. */
function toExtended(sign: bigint, exponent: number, fraction: bigint): bigint {
  const signed = sign << 79n;
  if (exponent === 0x7ff) return signed | (0x7fffn << 64n) | (1n << 63n) | (fraction << 11n);
  if (exponent === 0 && fraction === 0n) return signed;
  const [mantissa, power] = normalized(exponent, fraction);
  return signed | (BigInt(power + 16383) << 64n) | (mantissa << 11n);
}

/** The type of a letter after `0x`, and its maximum number of digits. */
const letters: Readonly<Record<string, { readonly name: FloatName; readonly digits: number }>> = {
  H: { name: "half", digits: 4 },
  R: { name: "bfloat", digits: 4 },
  K: { name: "x86_fp80", digits: 20 },
  L: { name: "fp128", digits: 32 },
  M: { name: "ppc_fp128", digits: 32 },
};

export type HexFloat = { readonly bits: bigint; readonly name: FloatName | undefined } | { readonly fault: string };

/** `0x3FF0000000000000` and similar; without a letter they are the bits of a double. */
export function readHexFloat(text: string): HexFloat {
  if (/^0x[0-9A-F]{16}$/.test(text)) return { bits: BigInt(text), name: undefined };
  const letter = letters[text[2]!];
  const digits = text.slice(letter === undefined ? 2 : 3);
  if (!/^[0-9A-Fa-f]+$/.test(digits)) return { fault: `'${text}' is not a hexadecimal number` };
  const most = letter?.digits ?? 16;
  if (digits.replace(/^0+/, "").length > most) return { fault: `'${text}' has more than ${most} digits` };
  const value = BigInt(`0x${digits}`);
  if (letter === undefined) return { bits: value, name: undefined };
  if (most < 32) return { bits: value, name: letter.name };
  // The first sixteen digits are the lower half.
  const padded = digits.padStart(32, "0");
  return { bits: (BigInt(`0x${padded.slice(16)}`) << 64n) | BigInt(`0x${padded.slice(0, 16)}`), name: letter.name };
}

/** The bits of a double with the value of a float; a signalling NaN stays one. */
export function toDouble(bits: bigint): bigint {
  const sign = (bits >> 31n) << 63n;
  const exponent = Number((bits >> 23n) & 0xffn);
  const fraction = bits & ones(23);
  if (exponent === 0xff) return sign | (0x7ffn << 52n) | (fraction << 29n);
  if (exponent !== 0) return sign | (BigInt(exponent + 896) << 52n) | (fraction << 29n);
  if (fraction === 0n) return sign;
  const shift = 24 - fraction.toString(2).length;
  return sign | (BigInt(897 - shift) << 52n) | (((fraction << BigInt(shift)) & ones(23)) << 29n);
}
