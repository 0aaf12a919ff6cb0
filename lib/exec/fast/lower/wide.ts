// Conversions from floats to integers of 64 bits and within f64: PTX ISA 9.0 section 9.7.9.21.

import { hasModifier, type Opcode, typesOf } from "../../../isa/opcode.js";
import { isInteger } from "../../meanings/meaning.js";
import type { Lanes } from "../lanes.js";
import { double } from "./float.js";
import { eachLane64, type Emit, HALVES, type Lowering, type Lowerings } from "./lowering.js";

const scalarRoundings = { rni: "nearest", rzi: "trunc", rmi: "floor", rpi: "ceil" } as const;

type Mode = keyof typeof scalarRoundings;

const modeOf = (opcode: Opcode): Mode | undefined =>
  (Object.keys(scalarRoundings) as Mode[]).find((mode) => hasModifier(opcode, mode));

/** Converts a float on the stack to an i64, rounded and clamped; a NaN becomes the top bit alone. */
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
  if (to === undefined || from === undefined || opcode.form.operands.length !== 2 || hasModifier(opcode, "ftz"))
    return undefined;
  const mode = modeOf(opcode);
  if (to.name === "f64" && from.name === "f64")
    return mode === undefined || hasModifier(opcode, "sat")
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

export const wideLowerings: Lowerings = { cvt };
