// Integer arithmetic: PTX ISA 9.0 section 9.7.1.

import type { PlainName } from "../../../../formats/wasm/index.js";
import { hasModifier, type Opcode } from "../../../isa/opcode.js";

import type { Lanes } from "../lanes.js";
import {
  eachLane32,
  eachLane64,
  type Emit,
  HALVES,
  integers,
  type Lowering,
  type Lowerings,
  narrowed,
  on32,
  on64,
  onViews,
  viewOf,
} from "./lowering.js";

const plain = (opcode: Opcode): boolean => !hasModifier(opcode, "cc") && !hasModifier(opcode, "sat");

/** Arithmetic that does not depend on upper bits: results of 8 and 16 bits are the lower bits of 32. */
const modular = (narrow: PlainName, wide: PlainName): Lowering =>
  integers((type, opcode) => (plain(opcode) ? (type.bits === 64 ? on64(2, wide) : on32(2, narrow)) : undefined));

/** Pushes the 64-bit products of two 32-bit operands, for two lanes. */
export function pushProduct(lanes: Lanes, signed: boolean, half: 0 | 1): void {
  lanes.push32(lanes.operand(1));
  lanes.push32(lanes.operand(2));
  lanes.code.op(`i64x2.extmul_${half === 0 ? "low" : "high"}_i32x4_${signed ? "s" : "u"}`);
}

/**
 * mul.wide and mad.wide of 32 bits. Operands are pushed again for the second half, since the 64-bit result cannot be one of them.
 */
const wideProduct =
  (signed: boolean, adds: boolean): Emit =>
  (lanes) => {
    for (const half of HALVES) {
      pushProduct(lanes, signed, half);
      if (adds) {
        lanes.push64(lanes.operand(3), half);
        lanes.code.op("i64x2.add");
      }
      lanes.write64(lanes.operand(0), half);
    }
  };

/** mul.hi and mad.hi of 32 bits: the odd words of the products. */
const highProduct =
  (signed: boolean, adds: boolean): Emit =>
  (lanes) => {
    pushProduct(lanes, signed, 0);
    pushProduct(lanes, signed, 1);
    lanes.code.shuffleWords([1, 3, 5, 7]);
    if (adds) {
      lanes.push32(lanes.operand(3));
      lanes.code.op("i32x4.add");
    }
    lanes.write32(lanes.operand(0));
  };

/** The upper 64 bits of the product of two i64, from products of their words. */
export const wideHighProduct =
  (signed: boolean) =>
  (lanes: Lanes): void => {
    const { code } = lanes;
    const [a, b, middle, cross] = [0, 1, 2, 3].map(() => lanes.temporary("i64")) as [number, number, number, number];
    const low = (local: number): void => void code.get(local).i64(0xffffffffn).op("i64.and");
    const high = (local: number): void => void code.get(local).i64(32n).op("i64.shr_u");
    code.set(b).set(a);
    high(a);
    low(b);
    code.op("i64.mul");
    low(a);
    low(b);
    code.op("i64.mul").i64(32n).op("i64.shr_u", "i64.add").set(middle);
    low(a);
    high(b);
    code.op("i64.mul");
    low(middle);
    code.op("i64.add").set(cross);
    high(a);
    high(b);
    code.op("i64.mul");
    high(middle);
    code.op("i64.add");
    high(cross);
    code.op("i64.add");
    if (!signed) return;
    // Taken as unsigned, a negative factor is 2^64 too large.
    code.get(a).i64(63n).op("i64.shr_s").get(b).op("i64.and", "i64.sub");
    code.get(b).i64(63n).op("i64.shr_s").get(a).op("i64.and", "i64.sub");
  };

const mul = integers((type, opcode) => {
  const signed = type.class === "signed";
  if (hasModifier(opcode, "wide")) return type.bits === 32 ? wideProduct(signed, false) : onViews(type, 2, "i32x4.mul");
  if (hasModifier(opcode, "hi"))
    return type.bits === 32
      ? highProduct(signed, false)
      : type.bits === 64
        ? eachLane64(2, 0, wideHighProduct(signed))
        : undefined;
  return type.bits === 64 ? on64(2, "i64x2.mul") : on32(2, "i32x4.mul");
});

const mad = integers((type, opcode) => {
  if (!plain(opcode)) return undefined;
  const signed = type.class === "signed";
  if (hasModifier(opcode, "wide")) return type.bits === 32 ? wideProduct(signed, true) : undefined;
  if (hasModifier(opcode, "hi")) return type.bits === 32 ? highProduct(signed, true) : undefined;
  const [product, sum] =
    type.bits === 64 ? (["i64x2.mul", "i64x2.add"] as const) : (["i32x4.mul", "i32x4.add"] as const);
  return (lanes) => {
    const push = (index: number, half: 0 | 1): void =>
      type.bits === 64 ? lanes.push64(lanes.operand(index), half) : lanes.push32(lanes.operand(index));
    for (const half of type.bits === 64 ? HALVES : ([0] as const)) {
      push(1, half);
      push(2, half);
      lanes.code.op(product);
      push(3, half);
      lanes.code.op(sum);
      if (type.bits === 64) lanes.write64(lanes.operand(0), half);
      else lanes.write32(lanes.operand(0));
    }
  };
});

const extremum = (name: "min" | "max"): Lowering =>
  integers((type, opcode) => {
    if (hasModifier(opcode, "relu")) return undefined;
    const signed = type.class === "signed";
    if (type.bits < 64) return onViews(type, 2, `i32x4.${name}_${signed ? "s" : "u"}`);
    return wideExtremum(name, signed);
  });

const wideExtremum =
  (name: "min" | "max", signed: boolean): Emit =>
  (lanes) => {
    const { code } = lanes;
    for (const half of HALVES) {
      const [a, b] = [1, 2].map((i) => {
        const local = lanes.temporary("v128");
        lanes.push64(lanes.operand(i), half);
        lanes.code.set(local);
        return local;
      });
      code.get(a!).get(b!);
      for (const local of [a!, b!]) {
        code.get(local);
        // Only signed comparisons exist; with the top bits inverted they compare as unsigned.
        if (!signed) code.longs(-(2n ** 63n)).op("v128.xor");
      }
      code.op(name === "min" ? "i64x2.lt_s" : "i64x2.gt_s", "v128.bitselect");
      lanes.write64(lanes.operand(0), half);
    }
  };

/** Quotient or remainder, lane by lane. Division by zero gives all ones; PTX leaves it unspecified. */
const division = (isQuotient: boolean): Lowering =>
  integers((type) => {
    const signed = type.class === "signed";
    const isWide = type.bits === 64;
    const value = isWide ? "i64" : "i32";
    const name: PlainName = `${value}.${isQuotient ? "div" : "rem"}_${signed ? "s" : "u"}`;
    const scalar = (lanes: Lanes): void => {
      const { code } = lanes;
      const [a, b] = [lanes.temporary(value), lanes.temporary(value)];
      const constant = (n: number): void => void (isWide ? code.i64(BigInt(n)) : code.i32(n));
      code.set(b).set(a).get(b).op(`${value}.eqz`).if(value);
      constant(-1);
      code.op("else");
      if (signed && isQuotient) {
        // The host traps on the least number divided by -1; 0 - a is right for every a.
        code.get(b);
        constant(-1);
        code.op(`${value}.eq`).if(value);
        constant(0);
        code.get(a).op(`${value}.sub`, "else").get(a).get(b).op(name, "end");
      } else code.get(a).get(b).op(name);
      code.op("end");
    };
    return isWide ? eachLane64(2, 0, scalar) : eachLane32([viewOf(type), viewOf(type)], scalar, signed ? "s" : "u");
  });

const negate = integers((type) => (type.bits === 64 ? on64(1, "i64x2.neg") : on32(1, "i32x4.neg")));

const absolute = integers((type) => (type.bits === 64 ? on64(1, "i64x2.abs") : onViews(type, 1, "i32x4.abs")));

/** popc, clz: a count of 32 bits from operands of either width. */
const count = (name: "clz" | "popcnt"): Lowering =>
  integers((type) =>
    type.bits === 32
      ? eachLane32(["u32"], ({ code }) => code.op(`i32.${name}`))
      : type.bits === 64
        ? narrowed(({ code }) => code.op(`i64.${name}`, "i32.wrap_i64"))
        : undefined,
  );

export const integerLowerings: Lowerings = {
  add: modular("i32x4.add", "i64x2.add"),
  sub: modular("i32x4.sub", "i64x2.sub"),
  mul,
  mad,
  min: extremum("min"),
  max: extremum("max"),
  div: division(true),
  rem: division(false),
  neg: negate,
  abs: absolute,
  clz: count("clz"),
  popc: count("popcnt"),
};
