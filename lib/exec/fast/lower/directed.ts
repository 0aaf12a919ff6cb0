// f32 arithmetic and conversions to f32 in the rounding modes .rz, .rm and .rp: PTX ISA 9.0 sections 9.7.3.3 to 9.7.3.6 and
// 9.7.9.21. In doubles, products are exact, and sums are rounded to odd, which keeps them on the same side of every f32. The
// nearest f32 is then at most one place off. (nvcc's expf uses fma.rm.) .ftz is also decided on the doubles, because rounding may
// lift a result to 2^-126. Quotients, roots and doubles are left to the interpreter.

import { CodeWriter, type Local } from "../../../../formats/wasm/index.js";
import { f64ToBits } from "../../../base/num/bits.js";
import { hasModifier, type Opcode, typeOf, typesOf } from "../../../isa/opcode.js";
import { isInteger } from "../../meanings/meaning.js";
import { roundToOdd } from "../fma.js";
import { flush, saturate, type Writing } from "./bounds.js";
import type { Lowering } from "./lowering.js";

type Mode = "rz" | "rm" | "rp";

const modeOf = (opcode: Opcode): Mode | undefined =>
  (["rz", "rm", "rp"] as const).find((mode) => hasModifier(opcode, mode));

/** Rounds two doubles on the stack to f32 in the lower two words. */
function round(code: CodeWriter, mode: Mode): void {
  const [exact, nearest, back] = [0, 1, 2].map(() => code.local("v128")) as [Local, Local, Local];
  code.tee(exact).op("f32x4.demote_f64x2_zero").tee(nearest).op("f64x2.promote_low_f32x4").set(back);
  code.get(nearest);
  // The step in the value's bits: rp raises the magnitude of positive values and lowers that of negative ones, rm the reverse; rz
  // always lowers it.
  if (mode === "rz") code.words(-1);
  else code.get(nearest).i32(31).op("i32x4.shr_s").words(1).op("v128.or");
  if (mode === "rm") code.op("i32x4.neg");
  code.get(back);
  if (mode === "rz") code.op("f64x2.abs");
  code.get(exact);
  if (mode === "rz") code.op("f64x2.abs");
  code.op(mode === "rp" ? "f64x2.lt" : "f64x2.gt");
  code.get(exact).shuffleWords([0, 2, 0, 2]).op("v128.and", "i32x4.add");
}

/** 2^-126, and the most that is not rounded up to it with an unbounded exponent: 2^-126 - 2^-150. */
const MIN_NORMAL = 2 ** -126;
const BELOW_NORMAL = MIN_NORMAL - 2 ** -150;

/** Replaces doubles on the stack by zeros of their sign if they are below 2^-126 once rounded in that mode to 24 bits. */
function flushExact(code: CodeWriter, mode: Mode): void {
  const value = code.local("v128");
  const bound = (x: number): CodeWriter => code.longs(f64ToBits(x));
  code.tee(value).get(value);
  // Rounding away from zero lifts values above the bound to 2^-126; rounding towards zero lifts none.
  if (mode === "rp") bound(BELOW_NORMAL).op("f64x2.le");
  else bound(MIN_NORMAL).op("f64x2.lt");
  code.get(value);
  if (mode === "rm") bound(-BELOW_NORMAL).op("f64x2.ge");
  else bound(-MIN_NORMAL).op("f64x2.gt");
  code
    .op("v128.and")
    .longs(2n ** 63n - 1n)
    .op("v128.and", "v128.andnot");
}

/** Pushes two lanes of an f32 as doubles. */
function promote(code: CodeWriter, local: Local, half: 0 | 1): void {
  code.get(local);
  if (half === 1) code.get(local).shuffleWords([2, 3, 2, 3]);
  code.op("f64x2.promote_low_f32x4");
}

/** Pushes the result as doubles, exact or rounded to odd. */
type Compute = (code: CodeWriter, operands: readonly Local[], half: 0 | 1, mode: Mode) => void;

const product: Compute = (code, [a, b], half) => {
  promote(code, a!, half);
  promote(code, b!, half);
  code.op("f64x2.mul");
};

/** Adds the last operand to the value on the stack. */
function addTo(code: CodeWriter, operand: Local, half: 0 | 1, mode: Mode, negated: boolean): void {
  const { first, second, sum } = code.named("v128", ["first", "second", "sum"]);
  const scratch = Array.from({ length: 4 }, () => code.local("v128"));
  code.set(first);
  promote(code, operand, half);
  if (negated) code.op("f64x2.neg");
  code.tee(second).get(first).op("f64x2.add").set(sum);
  roundToOdd(code, sum, first, second, scratch);
  code.get(sum);
  if (mode !== "rm") return;
  // A zero is negative unless both are positive zeros.
  code
    .get(first)
    .get(second)
    .op("v128.or")
    .longs(-(2n ** 63n))
    .op("v128.and");
  code.get(sum).longs(0n).op("f64x2.eq", "v128.and", "v128.or");
}

const sum =
  (negated: boolean): Compute =>
  (code, [a, b], half, mode) => {
    promote(code, a!, half);
    addTo(code, b!, half, mode, negated);
  };

const fused: Compute = (code, operands, half, mode) => {
  product(code, operands, half, mode);
  addTo(code, operands[2]!, half, mode, false);
};

/** Builds the function of four f32. */
function functionOf(opcode: Opcode, mode: Mode, arity: number, compute: Compute): CodeWriter {
  const code = new CodeWriter(new Array<"v128">(arity).fill("v128"), ["v128"]);
  const writing: Writing = { code, temporary: (type) => code.local(type) };
  const ftz = hasModifier(opcode, "ftz");
  const operands = Array.from({ length: arity }, (_, i) => i);
  for (const operand of ftz ? operands : []) {
    code.get(operand);
    flush(writing);
    code.set(operand);
  }
  for (const half of [0, 1] as const) {
    compute(code, operands, half, mode);
    if (ftz) flushExact(code, mode);
    round(code, mode);
  }
  code.shuffleWords([0, 1, 4, 5]);
  if (hasModifier(opcode, "sat")) saturate(writing);
  return code;
}

const directed =
  (arity: number, compute: Compute): Lowering =>
  (opcode) => {
    const mode = modeOf(opcode);
    if (mode === undefined || typeOf(opcode)?.name !== "f32" || opcode.form.operands.length !== arity + 1)
      return undefined;
    return (lanes) => {
      for (let i = 1; i <= arity; i++) lanes.pushFloat(lanes.operand(i));
      lanes.call(opcode.spelling, () => functionOf(opcode, mode, arity, compute));
      lanes.writeFloat(lanes.operand(0));
    };
  };

export const directedAdd = directed(2, sum(false));
export const directedSub = directed(2, sum(true));
export const directedMul = directed(2, product);
export const directedFma = directed(3, fused);

/** cvt to f32 from f64 and from integers of 32 bits. */
export const directedCvt: Lowering = (opcode) => {
  const [to, from] = typesOf(opcode);
  const mode = modeOf(opcode);
  if (mode === undefined || to?.name !== "f32" || from === undefined || opcode.form.operands.length !== 2)
    return undefined;
  if (["ftz", "sat", "relu", "satfinite"].some((text) => hasModifier(opcode, text))) return undefined;
  const isWide = from.name === "f64";
  if (!isWide && !(isInteger(from) && from.bits === 32)) return undefined;
  return (lanes) => {
    const { code } = lanes;
    const value = lanes.temporary("v128");
    if (!isWide) {
      lanes.push32(lanes.operand(1));
      code.set(value);
    }
    for (const half of [0, 1] as const) {
      if (isWide) lanes.push64(lanes.operand(1), half);
      else {
        code.get(value);
        if (half === 1) code.get(value).shuffleWords([2, 3, 2, 3]);
        code.op(`f64x2.convert_low_i32x4_${from.class === "signed" ? "s" : "u"}`);
      }
      lanes.call(`${mode}.f32.f64`, () => {
        const inner = new CodeWriter(["v128"], ["v128"]);
        inner.get(0);
        round(inner, mode);
        return inner;
      });
    }
    code.shuffleWords([0, 1, 4, 5]);
    lanes.write32(lanes.operand(0));
  };
};
