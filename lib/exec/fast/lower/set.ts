// set, slct and cnot: PTX ISA 9.0 sections 9.7.6.2, 9.7.6.4 and 9.7.8.5.

import { hasModifier, modifier, typeOf, typesOf } from "../../../isa/opcode.js";

import { flush } from "./bounds.js";
import { combinations, comparisonOf } from "./logic.js";
import { integers, type Lowering, type Lowerings } from "./lowering.js";

/** The value for true. */
const truth: Readonly<Record<string, number>> = { f32: 0x3f800000, u32: -1, s32: -1 };

const set: Lowering = (opcode) => {
  const [dtype] = typesOf(opcode);
  const one = truth[dtype!.name];
  const bool = modifier(opcode, "bool");
  const compare = comparisonOf(opcode, typeOf(opcode)!);
  if (one === undefined || compare === undefined) return undefined;
  return (lanes) => {
    compare(lanes);
    if (bool !== undefined) {
      lanes.pushPredicate(lanes.operand(3));
      lanes.code.op(combinations[bool]!);
    }
    lanes.code.words(one).op("v128.and");
    lanes.write32(lanes.operand(0), dtype!.class === "signed" ? "s" : "u");
  };
};

/** The first operand where the third is not negative. */
const slct: Lowering = (opcode) => {
  const [dtype, ctype] = typesOf(opcode);
  if (dtype?.bits !== 32) return undefined;
  return (lanes) => {
    const { code } = lanes;
    lanes.push32(lanes.operand(1));
    lanes.push32(lanes.operand(2));
    if (ctype!.name === "f32") {
      lanes.pushFloat(lanes.operand(3));
      if (hasModifier(opcode, "ftz")) flush(lanes);
      code.words(0).op("f32x4.ge");
    } else {
      lanes.push32(lanes.operand(3));
      code.words(0).op("i32x4.ge_s");
    }
    code.op("v128.bitselect");
    lanes.write32(lanes.operand(0));
  };
};

const cnot = integers((type) =>
  type.bits !== 32
    ? undefined
    : (lanes) => {
        lanes.push32(lanes.operand(1));
        lanes.code.words(0).op("i32x4.eq").words(1).op("v128.and");
        lanes.write32(lanes.operand(0));
      },
);

export const setLowerings: Lowerings = { set, slct, cnot };
