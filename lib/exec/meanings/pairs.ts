// 64-bit additions and products as pairs of words: address arithmetic consists of them, and bigints cost ten times as much.

import { mulHiS32, mulHiU32 } from "../../base/num/integer.js";
import { type Meaning, words } from "./meaning.js";

/** d = {low, high} + c. */
function addPair(w: Int32Array, d: number, low: number, high: number, c: number): void {
  const sum = (low + w[c]!) | 0;
  const carry = sum >>> 0 < low >>> 0 ? 1 : 0;
  w[d + 1] = high + w[c + 1]! + carry;
  w[d] = sum;
}

/** High word of the low 64 bits of a product. */
export function productHigh(w: Int32Array, a: number, b: number): number {
  const low = w[a]!;
  const other = w[b]!;
  return mulHiU32(low >>> 0, other >>> 0) + Math.imul(low, w[b + 1]!) + Math.imul(w[a + 1]!, other);
}

export const add64: Meaning = words([64, 64, 64], (w, d, a, b) => addPair(w, d!, w[a!]!, w[a! + 1]!, b!));

export const sub64: Meaning = words([64, 64, 64], (w, d, a, b) => {
  const low = w[a!]!;
  const taken = w[b!]!;
  const borrow = low >>> 0 < taken >>> 0 ? 1 : 0;
  w[d! + 1] = w[a! + 1]! - w[b! + 1]! - borrow;
  w[d!] = low - taken;
});

export const mul64: Meaning = words([64, 64, 64], (w, d, a, b) => {
  const low = Math.imul(w[a!]!, w[b!]!);
  w[d! + 1] = productHigh(w, a!, b!);
  w[d!] = low;
});

export const mad64: Meaning = words([64, 64, 64, 64], (w, d, a, b, c) =>
  addPair(w, d!, Math.imul(w[a!]!, w[b!]!), productHigh(w, a!, b!) | 0, c!),
);

const wide = (signed: boolean): ((x: number, y: number) => number) =>
  signed ? mulHiS32 : (x, y) => mulHiU32(x >>> 0, y >>> 0);

export const mulWide32 = (signed: boolean): Meaning => {
  const high = wide(signed);
  return words([64, 32, 32], (w, d, a, b) => {
    const x = w[a!]!;
    const y = w[b!]!;
    w[d!] = Math.imul(x, y);
    w[d! + 1] = high(x, y);
  });
};

export const madWide32 = (signed: boolean): Meaning => {
  const high = wide(signed);
  return words([64, 32, 32, 64], (w, d, a, b, c) => {
    const x = w[a!]!;
    const y = w[b!]!;
    addPair(w, d!, Math.imul(x, y), high(x, y), c!);
  });
};
