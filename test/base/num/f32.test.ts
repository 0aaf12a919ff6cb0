import test from "ava";
import { f32FromBits, f32ToBits } from "../../../lib/base/num/bits.js";
import { addF32, divF32, fmaF32, mulF32, sqrtF32 } from "../../../lib/base/num/f32.js";
import { ROUNDING_MODES } from "../../../lib/base/num/rounding.js";
import { triple32 } from "./operands.js";
import { compareAll } from "./reference.js";

test("f32 add, mul, fma, div, sqrt agree with the host's FPU in all four modes", (t) => {
  const { compared, mismatches } = compareAll("f32", 0x2545f491, (from, results, check) => {
    const bits = triple32(from);
    const [a, b, c] = [f32FromBits(bits[0]), f32FromBits(bits[1]), f32FromBits(bits[2])];
    for (const mode of ROUNDING_MODES) {
      check(`add.${mode}`, bits, results.next32(), f32ToBits(addF32[mode](a, b)));
      check(`mul.${mode}`, bits, results.next32(), f32ToBits(mulF32[mode](a, b)));
      check(`fma.${mode}`, bits, results.next32(), f32ToBits(fmaF32[mode](a, b, c)));
      check(`div.${mode}`, bits, results.next32(), f32ToBits(divF32[mode](a, b)));
      check(`sqrt.${mode}`, bits, results.next32(), f32ToBits(sqrtF32[mode](a)));
    }
  });
  t.deepEqual(mismatches, []);
  t.log(`${compared} results`);
});
