// Arithmetic through the carry flag CC.CF: PTX ISA 9.0 section 9.7.2. The flag is a predicate of each function: PTX defines only
// chains of instructions between which control does not leave the function. Where the text says "borrow", hardware keeps a carry
// (an H200's records, testdata/hardware/h200/scalar): a - b is a + ~b + 1, and the flag is 1 after a subtraction that borrowed
// nothing. 64-bit values are added as pairs of words; bigints serve only for the upper half of their products.

import { mulHiS32, mulHiS64, mulHiU32, mulHiU64 } from "../../base/num/integer.js";
import { hasModifier, type Opcode, typeOf } from "../../isa/opcode.js";
import type { Bound } from "../operands/binder.js";
import type { Frame } from "../state/frame.js";
import { custom, type Meaning, type Meanings, type Reading } from "./meaning.js";
import { productHigh } from "./pairs.js";

const TWO_32 = 2 ** 32;

/** A value of one lane as unsigned words; `high` is ignored in 32-bit operations. */
interface Pair {
  low: number;
  high: number;
}

/** Fills `into` with the first summand: an operand, or a product of two. */
type First = (frame: Frame, into: Pair, at: number, atB: number) => void;

const operand: First = ({ unsigned }, into, at) => {
  into.low = unsigned[at]!;
  into.high = unsigned[at + 1]!;
};

const low32: First = ({ words }, into, at, atB) => {
  into.low = Math.imul(words[at]!, words[atB]!) >>> 0;
};
const highU32: First = ({ unsigned }, into, at, atB) => {
  into.low = mulHiU32(unsigned[at]!, unsigned[atB]!) >>> 0;
};
const highS32: First = ({ words }, into, at, atB) => {
  into.low = mulHiS32(words[at]!, words[atB]!) >>> 0;
};
const low64: First = ({ words }, into, at, atB) => {
  into.low = Math.imul(words[at]!, words[atB]!) >>> 0;
  into.high = productHigh(words, at, atB) >>> 0;
};
const setPair = (into: Pair, value: bigint): void => {
  into.low = Number(value & 0xffffffffn);
  into.high = Number((value >> 32n) & 0xffffffffn);
};
const highU64: First = ({ ulongs }, into, at, atB) => setPair(into, mulHiU64(ulongs[at >> 1]!, ulongs[atB >> 1]!));
const highS64: First = ({ longs }, into, at, atB) => setPair(into, mulHiS64(longs[at >> 1]!, longs[atB >> 1]!));

interface Chain {
  readonly bits: number;
  readonly reads: boolean;
  readonly writes: boolean;
  readonly subtracts: boolean;
  readonly first: First;
}

/** Adds or subtracts; `reads` and `writes` tell how the flag is used. */
function chained({ bits, reads, writes, subtracts, first }: Chain): Meaning {
  return custom((binder): Bound => {
    const d = binder.write(binder.operand(0), bits).word;
    const places = binder.opcode.form.operands.slice(1).map((_, i) => binder.read(binder.operand(i + 1), bits).word);
    const [a, b] = [places[0]!, places[1]!];
    const last = places.at(-1)!;
    const flag = binder.scope.carry().word;
    const stride = bits / 32;
    const inverted = subtracts ? -1 : 0;
    const one = subtracts ? 1 : 0;
    const x: Pair = { low: 0, high: 0 };
    return {
      lanes: (frame, mask) => {
        const { words: w } = frame;
        for (let lane = 0; lane < 32; lane++) {
          if (((mask >>> lane) & 1) === 0) continue;
          const at = stride * lane;
          first(frame, x, a + at, b + at);
          // Sums of two words and a carry are exact.
          let sum = x.low + ((w[last + at]! ^ inverted) >>> 0) + (reads ? (w[flag]! >>> lane) & 1 : one);
          const low = sum;
          if (stride === 2) {
            sum = x.high + ((w[last + at + 1]! ^ inverted) >>> 0) + (low >= TWO_32 ? 1 : 0);
            w[d + at + 1] = sum;
          }
          w[d + at] = low;
          if (writes) w[flag] = sum >= TWO_32 ? w[flag]! | (1 << lane) : w[flag]! & ~(1 << lane);
        }
      },
    };
  });
}

const sum =
  (reads: boolean, subtracts: boolean): Reading =>
  (opcode) => {
    const writes = hasModifier(opcode, "cc");
    return reads || writes
      ? chained({ bits: typeOf(opcode)!.bits, reads, writes, subtracts, first: operand })
      : undefined;
  };

function productOf(opcode: Opcode): First {
  const { bits, class: cls } = typeOf(opcode)!;
  if (!hasModifier(opcode, "hi")) return bits === 64 ? low64 : low32;
  if (cls === "signed") return bits === 64 ? highS64 : highS32;
  return bits === 64 ? highU64 : highU32;
}

const mad =
  (reads: boolean): Reading =>
  (opcode) => {
    const writes = hasModifier(opcode, "cc");
    return reads || writes
      ? chained({ bits: typeOf(opcode)!.bits, reads, writes, subtracts: false, first: productOf(opcode) })
      : undefined;
  };

export const extendedMeanings: Meanings = {
  add: sum(false, false),
  addc: sum(true, false),
  sub: sum(false, true),
  subc: sum(true, true),
  mad: mad(false),
  madc: mad(true),
};
