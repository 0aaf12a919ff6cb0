// Floating-point arithmetic on f32 and f64: PTX ISA 9.0 section 9.7.3, rounding to nearest. Other rounding modes are in
// directed.ts, halves in half.ts, approximations in approximate.ts.

import type { PlainName } from "../../../../formats/wasm/index.js";
import { hasModifier, type Opcode, typeOf } from "../../../isa/opcode.js";

import { HELPER } from "../helpers.js";
import type { Lanes } from "../lanes.js";
import { flush, flushResult, pushLifted, saturate } from "./bounds.js";
import { directedAdd, directedFma, directedMul, directedSub } from "./directed.js";
import { approximate, approximateQuotient, approximateRcp, approximateRsqrt } from "./approximate.js";
import { type Emit, firstOf, HALVES, type Lowering, type Lowerings } from "./lowering.js";

const isNearest = (opcode: Opcode): boolean => !["rz", "rm", "rp"].some((mode) => hasModifier(opcode, mode));

/**
 * An operation on f32 vectors. Operands are on the stack, flushed if .ftz requires it. `mayRoundUp`: a subnormal result may be
 * rounded up to 2^-126; then operands other than the second are also multiplied by 2^64.
 */
const single = (opcode: Opcode, arity: number, compute: (lanes: Lanes) => void, mayRoundUp = false): Emit => {
  const [ftz, sat] = [hasModifier(opcode, "ftz"), hasModifier(opcode, "sat")];
  return (lanes) => {
    const { code } = lanes;
    const operands = ftz && mayRoundUp ? Array.from({ length: arity }, () => lanes.temporary("v128")) : [];
    for (let i = 1; i <= arity; i++) {
      lanes.pushFloat(lanes.operand(i));
      if (ftz) flush(lanes);
      if (operands.length > 0) code.tee(operands[i - 1]!);
    }
    compute(lanes);
    if (operands.length > 0)
      flushResult(lanes, () => {
        operands.forEach((operand, i) => (i === 1 ? code.get(operand) : pushLifted(lanes, operand)));
        compute(lanes);
      });
    else if (ftz) flush(lanes);
    if (sat) saturate(lanes);
    if (sat) lanes.write32(lanes.operand(0));
    else lanes.writeFloat(lanes.operand(0));
  };
};

/** The NaN of a result is that of one operand, made quiet, or without one the canonical NaN: ../../meanings/nan.ts. */
const QUIET = 0x00080000_00000000n;
const NAN = 0xfff80000_00000000n;

/**
 * An operation on f64 vectors. NaN results are rare, and their bits are determined only if there is one. `order` lists the
 * operands by the precedence of their NaNs, from 0 on; its default is the order in PTX.
 */
export const double =
  (arity: number, compute: (lanes: Lanes) => void, order = Array.from({ length: arity }, (_, i) => i)): Emit =>
  (lanes) => {
    const { code } = lanes;
    const [result, isNaN, payload] = [lanes.temporary("v128"), lanes.temporary("v128"), lanes.temporary("v128")];
    const operands = Array.from({ length: arity }, () => lanes.temporary("v128"));
    for (const half of HALVES) {
      operands.forEach((local, i) => {
        lanes.push64(lanes.operand(i + 1), half);
        code.tee(local);
      });
      compute(lanes);
      code.tee(result).get(result).op("f64x2.ne").tee(isNaN).op("v128.any_true").if();
      code.longs(NAN).set(payload);
      for (const i of order.toReversed()) {
        const local = operands[i]!;
        code.get(local).longs(QUIET).op("v128.or").get(payload);
        code.get(local).get(local).op("f64x2.ne", "v128.bitselect").set(payload);
      }
      code.get(payload).get(result).get(isNaN).op("v128.bitselect").set(result).op("end");
      code.get(result);
      lanes.write64(lanes.operand(0), half);
    }
  };

const does =
  (...names: readonly PlainName[]) =>
  ({ code }: Lanes): void =>
    void code.op(...names);

interface Family {
  readonly forSingle: (lanes: Lanes) => void;
  readonly forDouble?: (lanes: Lanes) => void;
  /** As in `double` and `single`. */
  readonly order?: number[];
  readonly mayRoundUp?: boolean;
}

const exact =
  (arity: number, { forSingle, forDouble, order, mayRoundUp }: Family): Lowering =>
  (opcode) => {
    if (!isNearest(opcode)) return undefined;
    const name = typeOf(opcode)?.name;
    if (name === "f32") return single(opcode, arity, forSingle, mayRoundUp);
    return name === "f64" ? forDouble && double(arity, forDouble, order) : undefined;
  };

const both = (
  arity: number,
  name: "add" | "sub" | "mul" | "div" | "sqrt",
  rest: Pick<Family, "order" | "mayRoundUp"> = {},
): Lowering => exact(arity, { forSingle: does(`f32x4.${name}`), forDouble: does(`f64x2.${name}`), ...rest });

/** fma and mad of f32. Unlike them and mul, div needs no `mayRoundUp`: no quotient is near enough to 2^-126. */
const fusedSingle = exact(3, {
  forSingle: ({ code, isFused }) => void (isFused ? code.op("f32x4.relaxed_madd") : code.call(HELPER.fma32)),
  mayRoundUp: true,
});

/** fma and mad of f64 are lowered only if the host has an exact multiply-add. */
const fused: Lowering = (opcode, site) =>
  typeOf(opcode)?.name === "f64" && isNearest(opcode) && site.isFused()
    ? double(3, does("f64x2.relaxed_madd"), [1, 2, 0])
    : fusedSingle(opcode, site);

/** 1 / the operand on the stack. */
const reciprocal =
  (type: "f32x4" | "f64x2") =>
  ({ code, temporary }: Lanes): void => {
    const value = temporary("v128");
    code.set(value);
    if (type === "f32x4") code.words(0x3f800000);
    else code.longs(0x3ff00000_00000000n);
    code.get(value).op(`${type}.div`);
  };

const exactRcp = exact(1, { forSingle: reciprocal("f32x4"), forDouble: reciprocal("f64x2") });

/**
 * min and max of two. The host's instruction orders -0.0 below +0.0 and propagates NaN; without .NaN the other operand is the
 * result.
 */
const extremum =
  (name: "min" | "max"): Lowering =>
  (opcode) => {
    const type = typeOf(opcode)?.name;
    if ((type !== "f32" && type !== "f64") || opcode.form.operands.length !== 3) return undefined;
    if (hasModifier(opcode, "xorsign") || hasModifier(opcode, "abs")) return undefined;
    const vector = type === "f32" ? ("f32x4" as const) : ("f64x2" as const);
    const passesNaN = hasModifier(opcode, "NaN");
    const compute = (lanes: Lanes): void => {
      const { code } = lanes;
      if (passesNaN) {
        code.op(`${vector}.${name}`);
        return;
      }
      const [a, b] = [lanes.temporary("v128"), lanes.temporary("v128")];
      const isNumber = (x: number): void => void code.get(x).get(x).op(`${vector}.eq`);
      code.set(b).set(a);
      // b where a is NaN; else a where b is NaN; else the extremum.
      code.get(a).get(b).op(`${vector}.${name}`).get(a);
      isNumber(b);
      code.op("v128.bitselect").get(b);
      isNumber(a);
      code.op("v128.bitselect");
    };
    return type === "f32" ? single(opcode, 2, compute) : double(2, compute, [1, 0]);
  };

/** neg and abs change the sign bit of numbers. A NaN of f64 keeps its sign and becomes quiet; that of f32 is canonical. */
const signBit =
  (name: "neg" | "abs"): Lowering =>
  (opcode) => {
    const type = typeOf(opcode)?.name;
    if (type === "f32")
      return (lanes) => {
        lanes.pushFloat(lanes.operand(1));
        if (hasModifier(opcode, "ftz")) flush(lanes);
        lanes.code.op(`f32x4.${name}`);
        lanes.writeFloat(lanes.operand(0));
      };
    if (type !== "f64") return undefined;
    return (lanes) => {
      const { code } = lanes;
      const value = lanes.temporary("v128");
      for (const half of HALVES) {
        lanes.push64(lanes.operand(1), half);
        code.tee(value).op(`f64x2.${name}`).get(value).longs(QUIET).op("v128.or");
        code.get(value).get(value).op("f64x2.eq", "v128.bitselect");
        lanes.write64(lanes.operand(0), half);
      }
    };
  };

/** The sign of operand 1, the rest of operand 2. */
const copysign: Lowering = (opcode) =>
  typeOf(opcode)?.name === "f32"
    ? (lanes) => {
        lanes.push32(lanes.operand(1));
        lanes.push32(lanes.operand(2));
        lanes.code.words(-0x80000000).op("v128.bitselect");
        lanes.write32(lanes.operand(0));
      }
    : undefined;

export const floatLowerings: Lowerings = {
  add: firstOf(both(2, "add", { order: [1, 0] }), directedAdd),
  sub: firstOf(both(2, "sub", { order: [1, 0] }), directedSub),
  mul: firstOf(both(2, "mul", { order: [1, 0], mayRoundUp: true }), directedMul),
  fma: firstOf(fused, directedFma),
  mad: firstOf(fused, directedFma),
  div: firstOf(approximateQuotient, both(2, "div")),
  rcp: firstOf(approximate("rcp"), approximateRcp, exactRcp),
  sqrt: firstOf(approximate("sqrt"), both(1, "sqrt")),
  rsqrt: firstOf(approximate("rsqrt"), approximateRsqrt),
  ex2: approximate("ex2"),
  lg2: approximate("lg2"),
  sin: approximate("sin"),
  cos: approximate("cos"),
  tanh: approximate("tanh"),
  min: extremum("min"),
  max: extremum("max"),
  neg: signBit("neg"),
  abs: signBit("abs"),
  copysign,
};
