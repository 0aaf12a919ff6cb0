// The .approx and .full instructions of f32 and f64: PTX ISA 9.0 sections 9.7.3.8 to 9.7.3.22, by functions of generated code
// (../mufu).

import type { CodeWriter } from "../../../../formats/wasm/index.js";
import { hasModifier, type Opcode, typeOf } from "../../../isa/opcode.js";

import { approximationFunction, approximations, type ApproximationName } from "../mufu/functions.js";
import { quotientFunction } from "../mufu/quotients.js";
import { rcpHigh, rsqrtDouble, rsqrtHigh } from "../mufu/doubles.js";
import { type Emit, HALVES, type Lowering } from "./lowering.js";

const isSingle = (opcode: Opcode): boolean => typeOf(opcode)?.name === "f32";

/** For f32: calls the function of that name, or its .ftz variant if there is one. */
export const approximate =
  (name: ApproximationName): Lowering =>
  (opcode) => {
    if (!isSingle(opcode) || !hasModifier(opcode, "approx")) return undefined;
    const ftz = `${name}.ftz`;
    const chosen = hasModifier(opcode, "ftz") && Object.hasOwn(approximations, ftz) ? (ftz as ApproximationName) : name;
    return (lanes) => {
      lanes.pushFloat(lanes.operand(1));
      lanes.call(`${chosen}.f32`, () => approximationFunction(approximations[chosen], lanes.mufu));
      lanes.writeFloat(lanes.operand(0));
    };
  };

export const approximateQuotient: Lowering = (opcode) => {
  const kind = (["approx", "full"] as const).find((each) => hasModifier(opcode, each));
  if (!isSingle(opcode) || kind === undefined) return undefined;
  const name = hasModifier(opcode, "ftz") ? (`${kind}.ftz` as const) : kind;
  return (lanes) => {
    lanes.pushFloat(lanes.operand(1));
    lanes.pushFloat(lanes.operand(2));
    lanes.call(`div.${name}.f32`, () => quotientFunction(name, lanes.mufu));
    lanes.writeFloat(lanes.operand(0));
  };
};

// ------------------------------------------------------------------------------------------------------------------- f64

const isDouble = (opcode: Opcode): boolean => typeOf(opcode)?.name === "f64" && hasModifier(opcode, "approx");

/** .approx.ftz of f64: computes upper words from upper words; the lower ones are zeros. */
const ofUpperWords =
  (name: string, make: (mufu: number) => CodeWriter): Emit =>
  (lanes) => {
    const { code } = lanes;
    const result = lanes.temporary("v128");
    for (const half of HALVES) lanes.push64(lanes.operand(1), half);
    code.shuffleWords([1, 3, 5, 7]);
    lanes.call(name, () => make(lanes.mufu));
    code.set(result);
    for (const half of HALVES) {
      code
        .words(0)
        .get(result)
        .shuffleWords(half === 0 ? [0, 4, 0, 5] : [0, 6, 0, 7]);
      lanes.write64(lanes.operand(0), half);
    }
  };

export const approximateRcp: Lowering = (opcode) =>
  isDouble(opcode) && hasModifier(opcode, "ftz") ? ofUpperWords("rcp.high", rcpHigh) : undefined;

export const approximateRsqrt: Lowering = (opcode, site) => {
  if (!isDouble(opcode)) return undefined;
  if (hasModifier(opcode, "ftz")) return ofUpperWords("rsqrt.high", rsqrtHigh);
  if (!site.isFused()) return undefined;
  return (lanes) => {
    for (const half of HALVES) {
      lanes.push64(lanes.operand(1), half);
      lanes.call("rsqrt.f64", () => rsqrtDouble(lanes.mufu));
      lanes.write64(lanes.operand(0), half);
    }
  };
};
