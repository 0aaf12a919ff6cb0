// Arithmetic through the carry flag: PTX ISA 9.0 section 9.7.2. The flag is a predicate of the function
// (../../meanings/extended.ts).

import type { Local } from "../../../../formats/wasm/index.js";
import { hasModifier, type Opcode } from "../../../isa/opcode.js";

import { CARRY, type Lanes } from "../lanes.js";
import { pushProduct, wideHighProduct } from "./integer.js";
import { type Emit, HALVES, integers, type Lowering, type Lowerings } from "./lowering.js";

const flag = { kind: "register", register: CARRY } as const;

interface Chain {
  readonly isWide: boolean;
  readonly reads: boolean;
  readonly writes: boolean;
  readonly subtracts: boolean;
  /** Pushes the first summand of four lanes, or of two of 64 bits. */
  readonly first: (lanes: Lanes, half: 0 | 1) => void;
}

/** The flag's words for two lanes of 64 bits. */
const WIDENED = [
  [0, 0, 1, 1],
  [2, 2, 3, 3],
] as const;

/** Pushes the carry out of the top bit, as words of ones: if a + b and the carry in make sum, it is a & b | (a | b) & ~sum. */
function pushCarried(lanes: Lanes, isWide: boolean, [a, b, sum]: readonly Local[]): void {
  const { code } = lanes;
  code.get(a!).get(b!).op("v128.and").get(a!).get(b!).op("v128.or").get(sum!).op("v128.andnot", "v128.or");
  code.i32(isWide ? 63 : 31).op(isWide ? "i64x2.shr_s" : "i32x4.shr_s");
}

/** Emits a sum of two operands; a - b is a + ~b + 1, as in ../../meanings/extended.ts. */
function chained({ isWide, reads, writes, subtracts, first }: Chain): Emit {
  const shape = isWide ? "i64x2" : "i32x4";
  const [add, sub] = [`${shape}.add`, `${shape}.sub`] as const;
  return (lanes) => {
    const { code } = lanes;
    const last = lanes.operand(lanes.instruction.operands.length - 1);
    const parts = (isWide ? HALVES : ([0] as const)).map((half) => {
      const [a, b, sum] = [0, 1, 2].map(() => lanes.temporary("v128")) as [Local, Local, Local];
      first(lanes, half);
      code.set(a);
      if (isWide) lanes.push64(last, half);
      else lanes.push32(last);
      if (subtracts) code.op("v128.not");
      code.set(b).get(a).get(b).op(add);
      // Ones are -1: subtracting them adds 1.
      if (reads) {
        lanes.pushPredicate(flag);
        if (isWide) {
          const word = lanes.temporary("v128");
          code.tee(word).get(word).shuffleWords(WIDENED[half]);
        }
        code.op(sub);
      } else if (subtracts) code.i32(-1).op("i32x4.splat", sub);
      code.set(sum);
      return [a, b, sum] as const;
    });
    if (writes) {
      for (const part of parts) pushCarried(lanes, isWide, part);
      if (isWide) code.shuffleWords([0, 2, 4, 6]);
      lanes.writePredicate(flag);
    }
    parts.forEach(([, , sum], half) => {
      code.get(sum);
      if (isWide) lanes.write64(lanes.operand(0), half as 0 | 1);
      else lanes.write32(lanes.operand(0));
    });
  };
}

const summand =
  (isWide: boolean): Chain["first"] =>
  (lanes, half) => {
    if (isWide) lanes.push64(lanes.operand(1), half);
    else lanes.push32(lanes.operand(1));
  };

const sum = (reads: boolean, subtracts: boolean): Lowering =>
  integers(({ bits }, opcode) => {
    const writes = hasModifier(opcode, "cc");
    const isWide = bits === 64;
    return (reads || writes) && bits >= 32
      ? chained({ isWide, reads, writes, subtracts, first: summand(isWide) })
      : undefined;
  });

/** Pushes the upper halves of the 64-bit products of two lanes. */
const wideHigh =
  (signed: boolean): Chain["first"] =>
  (lanes, half) => {
    const { code } = lanes;
    const scalar = wideHighProduct(signed);
    for (const lane of [0, 1]) {
      for (const operand of [1, 2]) {
        lanes.push64(lanes.operand(operand), half);
        code.lane("i64x2.extract_lane", lane);
      }
      scalar(lanes);
      if (lane === 0) code.op("i64x2.splat");
      else code.lane("i64x2.replace_lane", 1);
    }
  };

function productOf(opcode: Opcode, isWide: boolean, signed: boolean): Chain["first"] {
  if (hasModifier(opcode, "hi")) {
    if (isWide) return wideHigh(signed);
    return (lanes) => {
      pushProduct(lanes, signed, 0);
      pushProduct(lanes, signed, 1);
      lanes.code.shuffleWords([1, 3, 5, 7]);
    };
  }
  return (lanes, half) => {
    for (const operand of [1, 2])
      if (isWide) lanes.push64(lanes.operand(operand), half);
      else lanes.push32(lanes.operand(operand));
    lanes.code.op(isWide ? "i64x2.mul" : "i32x4.mul");
  };
}

/** mad.hi of 64 bits without the carry flag has the same code. */
const mad = (reads: boolean): Lowering =>
  integers(({ bits, class: kind }, opcode) => {
    const isWide = bits === 64;
    if (bits < 32 || hasModifier(opcode, "wide") || hasModifier(opcode, "sat")) return undefined;
    const first = productOf(opcode, isWide, kind === "signed");
    return chained({ isWide, reads, writes: hasModifier(opcode, "cc"), subtracts: false, first });
  });

export const extendedLowerings: Lowerings = {
  add: sum(false, false),
  addc: sum(true, false),
  sub: sum(false, true),
  subc: sum(true, true),
  mad: mad(false),
  madc: mad(true),
};
