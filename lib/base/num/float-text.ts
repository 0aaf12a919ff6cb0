// Spellings of floating-point constants (PTX ISA 4.5.2): 0f and 8 hex digits, 0d and 16, and decimal literals.
// A decimal literal is always a double; what needs an f32 converts it at its use, so roundToF32.rn of the double is the
// rule and not a double rounding to be avoided.

const F32_HEX = /^0[fF][0-9a-fA-F]{8}$/;
const F64_HEX = /^0[dD][0-9a-fA-F]{16}$/;
const DECIMAL = /^(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

/** The bits (uint32) of a 0f literal, or undefined if the text is none. */
export function parseF32Hex(text: string): number | undefined {
  return F32_HEX.test(text) ? Number.parseInt(text.slice(2), 16) : undefined;
}

/** The bits of a 0d literal, or undefined if the text is none. */
export function parseF64Hex(text: string): bigint | undefined {
  return F64_HEX.test(text) ? BigInt(`0x${text.slice(2)}`) : undefined;
}

/** The nearest double of a decimal literal without a sign, or undefined if the text is none. Number() rounds correctly. */
export function parseDecimal(text: string): number | undefined {
  return DECIMAL.test(text) ? Number(text) : undefined;
}

/** The 0f literal of an f32's bits (int32 or uint32), digits in upper case as NVIDIA's compilers print them. */
export function formatF32Hex(bits: number): string {
  return `0f${(bits >>> 0).toString(16).toUpperCase().padStart(8, "0")}`;
}

/** The 0d literal of an f64's bits. */
export function formatF64Hex(bits: bigint): string {
  return `0d${BigInt.asUintN(64, bits).toString(16).toUpperCase().padStart(16, "0")}`;
}
