// cvt with scales, and cvt to and from s2f6: PTX ISA 9.2 section 9.7.9.21. A conversion to a smaller type divides by the scale
// first, one to bf16 multiplies by it. Scales are powers of two, so that only the conversion rounds.

import { f32FromBits } from "../../base/num/bits.js";
import { BF16, smallDecoder, smallEncoder, type SmallFloat } from "../../base/num/small-float.js";
import { decodeUe8m0 } from "../../base/num/ue8m0.js";
import { hasModifier, typesOf } from "../../isa/opcode.js";
import { lanesIn } from "../machine/walk.js";
import { custom, type Meaning, type Reading } from "./meaning.js";
import { smallFormats, smallResult } from "./small-result.js";

const ONE_SCALE = "scaled::n1::ue8m0";
const EACH_SCALE = "scaled::n2::ue8m0";

/** Size and conversions of an element of a pair. */
interface Element {
  readonly bits: number;
  readonly decode: (bits: number) => number;
  readonly encode: (value: number) => number;
}

/** A signed byte in units of 2^-6. There is no NaN: it becomes the greatest number. */
const s2f6 = (isRelu: boolean): Element => ({
  bits: 8,
  decode: (bits) => ((bits << 24) >> 24) / 64,
  encode: (value) => {
    if (Number.isNaN(value)) return 127;
    const scaled = value * 64;
    // Beyond these it saturates; within, adding 2^52 and more rounds to the nearest even.
    const rounded = Math.abs(scaled) > 256 ? Math.sign(scaled) * 256 : scaled + 1.5 * 2 ** 52 - 1.5 * 2 ** 52;
    return Math.min(Math.max(rounded, isRelu ? 0 : -128), 127) & 0xff;
  },
});

function elementOf(name: string, opcode: Parameters<Reading>[0]): Element | undefined {
  if (name === "s2f6x2") return s2f6(hasModifier(opcode, "relu"));
  const format: SmallFloat | undefined = smallFormats[name.replace(/x2$/, "")];
  if (format === undefined) return undefined;
  const encode = smallEncoder(format, hasModifier(opcode, "rz") ? "rz" : "rn");
  const finish = smallResult(opcode, format);
  const bits = name === "e2m1x2" ? 4 : format === BF16 || name === "f16x2" ? 16 : 8;
  return { bits, decode: smallDecoder(format), encode: (value) => finish(encode(value)) };
}

/** Conversions of pairs with a scale, or to or from s2f6; undefined for all others. */
export const scaledConversion: Reading = (opcode): Meaning | undefined => {
  const isScaled = hasModifier(opcode, ONE_SCALE) || hasModifier(opcode, EACH_SCALE);
  const [to, from] = typesOf(opcode);
  if (to === undefined || from === undefined || hasModifier(opcode, "pzo")) return undefined;
  if (!isScaled && to.name !== "s2f6x2" && from.name !== "s2f6x2") return undefined;
  const target = elementOf(to.name, opcode);
  const isFromFloats = from.name === "f32";
  const source = isFromFloats ? undefined : elementOf(from.name, opcode);
  if (target === undefined || (source === undefined && !isFromFloats)) return undefined;
  const isUp = to.name === "bf16x2";
  const ones = source === undefined ? 0 : 2 ** source.bits - 1;
  return custom((binder) => {
    const read = (index: number, bits: number): number => binder.read(binder.operand(index), bits).word;
    const d = binder.write(binder.operand(0), Math.max(8, to.bits)).word;
    const high = read(1, isFromFloats ? 32 : Math.max(8, from.bits));
    const low = isFromFloats ? read(2, 32) : high;
    const scales = isScaled ? read(isFromFloats ? 3 : 2, hasModifier(opcode, ONE_SCALE) ? 8 : 16) : undefined;
    const shift = hasModifier(opcode, EACH_SCALE) ? 8 : 0;
    return {
      lanes: ({ words: w }, mask) => {
        for (const lane of lanesIn(mask)) {
          const scale = scales === undefined ? 0 : w[scales + lane]!;
          const one = (word: number, part: 0 | 1): number => {
            const value =
              source === undefined ? f32FromBits(word) : source.decode((word >>> (part * source.bits)) & ones);
            if (scales === undefined) return target.encode(value);
            const factor = decodeUe8m0((scale >>> (part * shift)) & 0xff);
            return target.encode(isUp ? value * factor : value / factor);
          };
          w[d + lane] = (one(w[high + lane]!, 1) << target.bits) | one(w[low + lane]!, 0);
        }
      },
    };
  });
};
