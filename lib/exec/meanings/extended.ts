// Arithmetic through the carry flag CC.CF: PTX ISA 9.0 section 9.7.2. The flag is a predicate that every function has one of;
// a chain of instructions between which control does not leave the function is all that PTX defines.

import { mulHiS32, mulHiS64, mulHiU32, mulHiU64 } from "../../base/num/integer.js";
import type { Bound } from "../binder.js";
import { custom, has, type Meaning, type Meanings, type Reading, typeOf } from "./meaning.js";

/** Adds or subtracts with the flag: which of them read it, which write it. */
function chained(
  bits: number,
  reads: boolean,
  writes: boolean,
  subtracts: boolean,
  product: ((a: bigint, b: bigint) => bigint) | undefined,
): Meaning {
  return custom((binder): Bound => {
    const d = binder.write(binder.operand(0), bits);
    const operands = (product === undefined ? [1, 2] : [1, 2, 3]).map((i) => binder.read(binder.operand(i), bits));
    const flag = binder.scope.carry().word;
    const isWide = bits === 64;
    return {
      lanes: ({ words: w, unsigned, ulongs }, mask) => {
        for (let lane = 0; lane < 32; lane++) {
          if (((mask >>> lane) & 1) === 0) continue;
          const values = operands.map((place) =>
            isWide ? ulongs[(place.word >> 1) + lane]! : BigInt(unsigned[place.word + lane]!),
          );
          const [a, b] =
            product === undefined ? values : [BigInt.asUintN(bits, product(values[0]!, values[1]!)), values[2]!];
          const carry = reads ? BigInt((w[flag]! >>> lane) & 1) : 0n;
          const exact = subtracts ? a! - b! - carry : a! + b! + carry;
          if (isWide) ulongs[(d.word >> 1) + lane] = exact;
          else w[d.word + lane] = Number(BigInt.asIntN(32, exact));
          if (!writes) continue;
          const out = subtracts ? exact < 0n : exact >> BigInt(bits) !== 0n;
          w[flag] = out ? w[flag]! | (1 << lane) : w[flag]! & ~(1 << lane);
        }
      },
    };
  });
}

const sum =
  (reads: boolean, subtracts: boolean): Reading =>
  (opcode) =>
    reads || has(opcode, "cc")
      ? chained(typeOf(opcode)!.bits, reads, has(opcode, "cc"), subtracts, undefined)
      : undefined;

const mad =
  (reads: boolean): Reading =>
  (opcode) => {
    if (!reads && !has(opcode, "cc")) return undefined;
    const type = typeOf(opcode)!;
    const isSigned = type.class === "signed";
    const high =
      type.bits === 64
        ? isSigned
          ? (a: bigint, b: bigint) => mulHiS64(BigInt.asIntN(64, a), BigInt.asIntN(64, b))
          : mulHiU64
        : (a: bigint, b: bigint) =>
            BigInt(isSigned ? mulHiS32(Number(a) | 0, Number(b) | 0) : mulHiU32(Number(a), Number(b)));
    return chained(type.bits, reads, has(opcode, "cc"), false, has(opcode, "hi") ? high : (a, b) => a * b);
  };

export const extendedMeanings: Meanings = {
  add: sum(false, false),
  addc: sum(true, false),
  sub: sum(false, true),
  subc: sum(true, true),
  mad: mad(false),
  madc: mad(true),
};
