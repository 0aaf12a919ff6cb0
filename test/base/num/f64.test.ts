import test from "ava";
import { f64FromBits, f64ToBits } from "../../../lib/base/num/bits.js";
import { addF64, divF64, fmaF64, mulF64, sqrtF64 } from "../../../lib/base/num/f64.js";
import { ROUNDING_MODES } from "../../../lib/base/num/rounding.js";
import { triple64 } from "./operands.js";
import { compareAll } from "./reference.js";

test("f64 add, mul, fma, div, sqrt agree with the host's FPU in all four modes", (t) => {
  const { compared, mismatches } = compareAll("f64", 0x9e3779b9, (from, results, check) => {
    const bits = triple64(from);
    const [a, b, c] = [f64FromBits(bits[0]), f64FromBits(bits[1]), f64FromBits(bits[2])];
    for (const mode of ROUNDING_MODES) {
      check(`add.${mode}`, bits, results.next64(), f64ToBits(addF64[mode](a, b)));
      check(`mul.${mode}`, bits, results.next64(), f64ToBits(mulF64[mode](a, b)));
      check(`fma.${mode}`, bits, results.next64(), f64ToBits(fmaF64[mode](a, b, c)));
      check(`div.${mode}`, bits, results.next64(), f64ToBits(divF64[mode](a, b)));
      check(`sqrt.${mode}`, bits, results.next64(), f64ToBits(sqrtF64[mode](a)));
    }
  });
  t.deepEqual(mismatches, []);
  t.log(`${compared} results`);
});
