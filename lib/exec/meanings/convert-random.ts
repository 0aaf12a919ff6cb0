// cvt.rs (stochastic rounding) and cvt to and from block scales (ue8m0): PTX ISA 9.0 section 9.7.9.21. Its text assigns the 32
// random bits to elements. For the byte pairs of e2m1x4 only its figure does: operand a gets the uppermost byte, e the next, b
// the next and f the lowest.

import { decodeUe8m0, ue8m0Encoder } from "../../base/num/ue8m0.js";
import {
  BF16,
  F16,
  smallDecoder,
  smallEncoder,
  stochasticEncoder,
  type SmallFloat,
} from "../../base/num/small-float.js";
import { f32FromBits } from "../../base/num/bits.js";
import { hasModifier, typesOf } from "../../isa/opcode.js";
import { lanesIn } from "../machine/walk.js";
import { smallFormats, smallResult } from "./small-result.js";
import { custom, type Reading, scalar } from "./meaning.js";

/** Number of random bits for an element, and where those of each element begin. */
interface Share {
  readonly bits: number;
  readonly from: readonly number[];
}

const shareOf = (format: SmallFloat, lanes: number, bits: number): Share => {
  if (lanes === 2) return { bits: format === F16 ? 13 : 16, from: [16, 0] };
  return bits === 4 ? { bits: 8, from: [24, 8, 16, 0] } : { bits: 16, from: [16, 16, 0, 0] };
};

/** cvt.rs of two or four f32; the first result is in the uppermost part. */
export const stochastic: Reading = (opcode) => {
  const [to] = typesOf(opcode);
  if (!hasModifier(opcode, "rs") || to === undefined) return undefined;
  const format = smallFormats[to.name.replace(/x[24]$/, "")]!;
  const elementBits = to.bits / to.lanes;
  const share = shareOf(format, to.lanes, elementBits);
  const encode = stochasticEncoder(format, share.bits);
  const finish = smallResult(opcode, format);
  const ones = 2 ** share.bits - 1;
  return custom((binder) => {
    const d = binder.write(binder.operand(0), to.bits).word;
    const values = to.lanes === 2 ? [binder.operand(1), binder.operand(2)] : binder.elements(binder.operand(1));
    const sources = values.map((operand) => binder.read(operand, 32).word);
    const random = binder.read(binder.operand(to.lanes === 2 ? 3 : 2), 32).word;
    return {
      lanes: ({ words: w }, mask) => {
        for (const lane of lanesIn(mask)) {
          let result = 0;
          sources.forEach((source, i) => {
            const bits = (w[random + lane]! >>> share.from[i]!) & ones;
            result = (result << elementBits) | finish(encode(f32FromBits(w[source + lane]!), bits));
          });
          w[d + lane] = result;
        }
      },
    };
  });
};

/** cvt to scales, which come in pairs; the first operand's is in the upper byte. */
export const toScales: Reading = (opcode) => {
  const [to, from] = typesOf(opcode);
  if (to?.name !== "ue8m0x2") return undefined;
  const encode = ue8m0Encoder(hasModifier(opcode, "rp") ? "rp" : "rz", hasModifier(opcode, "satfinite"));
  if (from!.name === "f32")
    return scalar("u32", ["f32", "f32"], (high: number, low: number) => (encode(high) << 8) | encode(low));
  const decode = smallDecoder(BF16);
  return scalar("u32", ["u32"], (pair: number) => (encode(decode(pair >>> 16)) << 8) | encode(decode(pair & 0xffff)));
};

export const fromScales: Reading = (opcode) => {
  const [to, from] = typesOf(opcode);
  if (to?.name !== "bf16x2" || from?.name !== "ue8m0x2") return undefined;
  const encode = smallEncoder(BF16, "rn");
  const one = (bits: number): number => encode(decodeUe8m0(bits));
  return scalar("u32", ["u16"], (pair: number) => (one(pair >>> 8) << 16) | one(pair & 0xff));
};
