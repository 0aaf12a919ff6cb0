// Converts numbers of specifications and the command line to elements, and elements to text.

import type { ElementType } from "./elements.table.js";

/** A number, a 64-bit integer as text, or "NaN", "Infinity", "-Infinity". */
export type WrittenNumber = number | string;

const special: Readonly<Record<string, number>> = { NaN, Infinity, "+Infinity": Infinity, "-Infinity": -Infinity };

/** The value to store, or the reason why the text is not a value of that type. */
export function parseElement(type: ElementType, written: WrittenNumber): number | bigint | { readonly fault: string } {
  if (type.class === "float") {
    const value = typeof written === "number" ? written : (special[written] ?? parseFloatText(written));
    return value ?? { fault: `'${written}' is not a number` };
  }
  const value = typeof written === "number" ? wholeNumber(written) : parseIntegerText(written);
  if (value === undefined) return { fault: `'${written}' is not a whole number, as .${type.name} needs` };
  const [low, high] = type.range!;
  return value >= low && value <= high ? value : { fault: `${value} does not fit .${type.name}` };
}

function wholeNumber(value: number): bigint | undefined {
  return Number.isInteger(value) ? BigInt(value) : undefined;
}

function parseIntegerText(text: string): bigint | undefined {
  const match = /^([+-]?)(0[xX][0-9a-fA-F]{1,32}|\d{1,40})$/.exec(text);
  if (match === null) return undefined;
  return match[1] === "-" ? -BigInt(match[2]!) : BigInt(match[2]!);
}

function parseFloatText(text: string): number | undefined {
  return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) ? Number(text) : undefined;
}

/** An element as text; floats have as many digits as distinguish them from their neighbours. */
export function elementText(type: ElementType, view: DataView, index: number): string {
  const value = type.load(view, index * type.bytes);
  if (type.class === "integer" || typeof value === "bigint") return String(value);
  if (type.name === "f64") return String(value);
  const back = new DataView(new ArrayBuffer(8));
  const isSame = (digits: number): boolean => {
    type.store(back, 0, Number(value.toPrecision(digits)));
    return Object.is(type.load(back, 0), value);
  };
  // Bisection works because more digits are never less exact.
  let [few, enough] = [0, MAX_DIGITS];
  while (enough - few > 1) {
    const middle = (few + enough) >> 1;
    if (isSame(middle)) enough = middle;
    else few = middle;
  }
  return String(enough === MAX_DIGITS ? value : Number(value.toPrecision(enough)));
}

/** Decimal digits that distinguish any two doubles. */
const MAX_DIGITS = 17;

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}

/** The bytes, or undefined when the text is not pairs of hexadecimal digits. */
export function fromHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text)) return undefined;
  return new Uint8Array(Buffer.from(text, "hex"));
}
