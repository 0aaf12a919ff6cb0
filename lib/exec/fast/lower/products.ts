// Products of bytes, halves and 24 bits, and sums of differences: PTX ISA 9.0 sections 9.7.1.5 to 9.7.1.7, 9.7.1.23 and 9.7.1.24.

import { hasModifier, typesOf } from "../../../isa/opcode.js";

import type { Lanes } from "../lanes.js";
import { integers, type Lowering, type Lowerings } from "./lowering.js";

/** Pushes a field of each word of an operand, sign- or zero-extended. */
function pushField(lanes: Lanes, index: number, start: number, bits: number, signed: boolean): void {
  const { code } = lanes;
  lanes.push32(lanes.operand(index));
  if (start + bits < 32) code.i32(32 - start - bits).op("i32x4.shl");
  code.i32(32 - bits).op(signed ? "i32x4.shr_s" : "i32x4.shr_u");
}

/** Adds products: of each field of `bits` of the first operand and a byte of the second, whose bytes begin at `first`. */
const dot =
  (bits: 8 | 16): Lowering =>
  (opcode) => {
    const [aSigned, bSigned] = typesOf(opcode).map((type) => type.class === "signed");
    const first = bits === 16 && hasModifier(opcode, "hi") ? 2 : 0;
    return (lanes) => {
      lanes.push32(lanes.operand(3));
      for (let i = 0; i < 32 / bits; i++) {
        pushField(lanes, 1, bits * i, bits, aSigned!);
        pushField(lanes, 2, 8 * (first + i), 8, bSigned!);
        lanes.code.op("i32x4.mul", "i32x4.add");
      }
      lanes.write32(lanes.operand(0));
    };
  };

const lowOf24 = (adds: boolean): Lowering =>
  integers((type, opcode) =>
    hasModifier(opcode, "hi") || hasModifier(opcode, "sat")
      ? undefined
      : (lanes) => {
          for (const i of [1, 2]) pushField(lanes, i, 0, 24, type.class === "signed");
          lanes.code.op("i32x4.mul");
          if (adds) {
            lanes.push32(lanes.operand(3));
            lanes.code.op("i32x4.add");
          }
          lanes.write32(lanes.operand(0));
        },
  );

/** c + |a - b| */
const sad = integers((type) => {
  if (type.bits !== 32) return undefined;
  const sign = type.class === "signed" ? "s" : "u";
  return (lanes) => {
    const { code } = lanes;
    const [a, b] = [lanes.temporary("v128"), lanes.temporary("v128")];
    lanes.push32(lanes.operand(1));
    code.set(a);
    lanes.push32(lanes.operand(2));
    code.set(b).get(a).get(b).op(`i32x4.max_${sign}`).get(a).get(b).op(`i32x4.min_${sign}`, "i32x4.sub");
    lanes.push32(lanes.operand(3));
    code.op("i32x4.add");
    lanes.write32(lanes.operand(0));
  };
});

export const productLowerings: Lowerings = {
  dp4a: dot(8),
  dp2a: dot(16),
  mul24: lowOf24(false),
  mad24: lowOf24(true),
  sad,
};
