// Numbers of random-sets.ts as initialisers spell them: every base, suffix and operator of constant expressions (PTX ISA 9.0
// sections 4.5.1 to 4.5.5) with C's precedence, casts, decimals and bits of floats, numbers that are too wide for their holder.
// Left out is what has no value (division by zero, NaN in a sum) and the bits of an .f32 in an expression (docs/differences.md).

import type { Random } from "./random.js";

export const must = <T>(value: T | undefined): T => value!;

export const hex = ({ below }: Random, digits: number): string =>
  Array.from({ length: digits }, () => below(16).toString(16)).join("");

const digitsOf = ({ below }: Random, base: number, count: number): string =>
  Array.from({ length: count }, () => below(base)).join("");

function integerLiteral(random: Random): string {
  const { below, pick } = random;
  const spellings: readonly (() => string)[] = [
    () => String(below(100)),
    () => String(below(2 ** 31)),
    () => `1${digitsOf(random, 10, 1 + below(18))}`,
    () => `0x${hex(random, 1 + below(16))}`,
    () => `0X${hex(random, 2)}`,
    () => `0${digitsOf(random, 8, 1 + below(21))}`,
    () => `0b1${digitsOf(random, 2, below(64))}`,
    () => "0",
  ];
  return `${must(pick(spellings))()}${below(4) === 0 ? "U" : ""}`;
}

const binaryOperators = "+ - * & | ^ << >> < <= > >= == != && ||".split(" ");
const unaryOperators = ["-", "+", "~", "!", "(.s64)", "(.u64)"];

/** A constant expression with an integer's value. */
export function integerText(random: Random, depth = random.below(4)): string {
  const { below, pick } = random;
  if (depth === 0) return below(12) === 0 ? "WARP_SZ" : integerLiteral(random);
  const part = (): string => integerText(random, below(depth));
  switch (below(8)) {
    case 0:
      return `${must(pick(unaryOperators))}(${part()})`;
    case 1:
      return `-${integerLiteral(random)}`;
    case 2:
      return `(${part()}) ${must(pick(["/", "%"]))} ${1 + below(99)}${must(pick(["", "U"]))}`;
    case 3:
      return `((${part()}) ? ${part()} : ${part()})`;
    case 4:
      return `(${floatText(random, 0)} ${must(pick(["<", "<=", ">", ">=", "==", "!="]))} ${floatText(random, 0)})`;
    default:
      return `${part()} ${must(pick(binaryOperators))} ${part()}`;
  }
}

/** A constant expression with a float's value. */
export function floatText(random: Random, depth = random.below(3)): string {
  const { below, pick } = random;
  const part = (): string => floatText(random, below(depth));
  if (depth === 0) {
    const spellings: readonly (() => string)[] = [
      () => `${below(100)}.${digitsOf(random, 10, 1 + below(17))}`,
      () => `${below(10)}.5e${must(pick(["", "+", "-"]))}${below(40)}`,
      () => `${below(10)}e${must(pick(["", "-"]))}${below(300)}`,
      () => `${below(1000)}.`,
      () => "0.0",
      // Not infinite, and no NaN.
      () => `0d${must(pick(["3f", "40", "bf", "c0", "00", "80"]))}${hex(random, 14)}`,
    ];
    return must(pick(spellings))();
  }
  switch (below(4)) {
    case 0:
      return `${must(pick(["-", "+"]))}(${part()})`;
    case 1:
      return `(${part()}) / ${1 + below(9)}.${below(10)}`;
    default:
      return `${part()} ${must(pick(["+", "-", "*"]))} ${part()}`;
  }
}

/** The bits of an .f32 or .f64, whatever they are. */
export const bitsText = (random: Random, width: 32 | 64): string =>
  width === 32 ? `0f${hex(random, 8)}` : `0${must(random.pick(["d", "D"]))}${hex(random, 16)}`;
