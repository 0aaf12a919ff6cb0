// Conversions from floats to integers of 64 bits and within f64, and the approximations that see the upper word of an f64 only:
// PTX ISA 9.0 sections 9.7.3.14, 9.7.3.17 and 9.7.9.21.

import type { PlainName } from "../../../../formats/wasm/index.js";
import type { Opcode } from "../../../isa/opcode.js";
import { has, isInteger, typeOf, typesOf } from "../../meanings/meaning.js";
import type { Lanes } from "../lanes.js";
import { double } from "./float.js";
import { eachLane64, type Emit, HALVES, type Lowering, type Lowerings } from "./lowering.js";

const scalarRoundings = { rni: "nearest", rzi: "trunc", rmi: "floor", rpi: "ceil" } as const;

type Mode = keyof typeof scalarRoundings;

const modeOf = (opcode: Opcode): Mode | undefined =>
  (Object.keys(scalarRoundings) as Mode[]).find((mode) => has(opcode, mode));

/** A float on the stack to an i64: rounded and clamped; a NaN becomes the top bit alone. */
const convert =
  (mode: Mode, float: "f32" | "f64", sign: "s" | "u") =>
  (lanes: Lanes): void => {
    const { code } = lanes;
    const value = lanes.temporary(float);
    code.op(`${float}.${scalarRoundings[mode]}`).tee(value).op(`i64.trunc_sat_${float}_${sign}`);
    code
      .i64(-(2n ** 63n))
      .get(value)
      .get(value)
      .op(`${float}.eq`, "select");
  };

function fromSingles(scalar: (lanes: Lanes) => void): Emit {
  return (lanes) => {
    const { code } = lanes;
    const value = lanes.temporary("v128");
    lanes.pushFloat(lanes.operand(1));
    code.set(value);
    for (const half of HALVES) {
      for (const lane of [0, 1]) {
        code.get(value).lane("f32x4.extract_lane", 2 * half + lane);
        scalar(lanes);
        if (lane === 0) code.op("i64x2.splat");
        else code.lane("i64x2.replace_lane", 1);
      }
      lanes.write64(lanes.operand(0), half);
    }
  };
}

const vectorRoundings = { rni: "f64x2.nearest", rzi: "f64x2.trunc", rmi: "f64x2.floor", rpi: "f64x2.ceil" } as const;

const cvt: Lowering = (opcode) => {
  const [to, from] = typesOf(opcode);
  if (to === undefined || from === undefined || opcode.form.operands.length !== 2 || has(opcode, "ftz"))
    return undefined;
  const mode = modeOf(opcode);
  if (to.name === "f64" && from.name === "f64")
    return mode === undefined || has(opcode, "sat")
      ? undefined
      : double(1, ({ code }) => void code.op(vectorRoundings[mode]));
  if (!isInteger(to) || to.bits !== 64) return undefined;
  const sign = to.class === "signed" ? "s" : "u";
  if (from.name === "f32") return fromSingles(convert(mode ?? "rzi", "f32", sign));
  if (from.name !== "f64") return undefined;
  const scalar = convert(mode ?? "rzi", "f64", sign);
  return eachLane64(1, 0, (lanes) => {
    lanes.code.op("f64.reinterpret_i64");
    scalar(lanes);
  });
};

const UPPER = 0xffff_ffff_0000_0000n;
const EXPONENT = 0x7ff0_0000_0000_0000n;
const TOP = -(2n ** 63n);

/** The f64 on the stack, a subnormal as a zero of its sign. */
function flush64({ code, temporary }: Lanes): void {
  const value = temporary("v128");
  code.tee(value).get(value).longs(EXPONENT).op("v128.and").longs(0n).op("i64x2.ne").longs(TOP);
  code.op("v128.or", "v128.and");
}

/** .approx.ftz of f64: from the upper word to the upper word; the lower one is zero. */
const ofUpperWords =
  (compute: readonly PlainName[]): Emit =>
  (lanes) => {
    const { code } = lanes;
    const result = lanes.temporary("v128");
    for (const half of HALVES) {
      code.longs(0x3ff0_0000_0000_0000n);
      lanes.push64(lanes.operand(1), half);
      code.longs(UPPER).op("v128.and");
      flush64(lanes);
      code.op(...compute, "f64x2.div").tee(result);
      code.longs(0x8000_0000n).op("i64x2.add").longs(UPPER).op("v128.and");
      flush64(lanes);
      code.longs(0x7fff_ffff_0000_0000n).get(result).get(result).op("f64x2.eq", "v128.bitselect");
      lanes.write64(lanes.operand(0), half);
    }
  };

const isUpper = (opcode: Opcode): boolean =>
  typeOf(opcode)?.name === "f64" && has(opcode, "approx") && has(opcode, "ftz");

const rcp: Lowering = (opcode) => (isUpper(opcode) ? ofUpperWords([]) : undefined);

const rsqrt: Lowering = (opcode) => {
  if (isUpper(opcode)) return ofUpperWords(["f64x2.sqrt"]);
  if (typeOf(opcode)?.name !== "f64") return undefined;
  return double(1, (lanes) => {
    const root = lanes.temporary("v128");
    lanes.code.op("f64x2.sqrt").set(root).longs(0x3ff0_0000_0000_0000n).get(root).op("f64x2.div");
  });
};

export const wideLowerings: Lowerings = { cvt, rcp, rsqrt };
