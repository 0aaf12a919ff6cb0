import test from "ava";
import fc from "fast-check";
import { rounds } from "../../sample.js";
import * as bits from "../../../lib/base/num/bits.js";
import * as f32 from "../../../lib/base/num/f32.js";
import * as f64 from "../../../lib/base/num/f64.js";
import { flushF32, ROUNDING_MODES, saturateUnit } from "../../../lib/base/num/rounding.js";

const anyF32 = fc.float();
const anyF64 = fc.double();
const holds = (property: fc.IRawProperty<unknown>) => () => fc.assert(property, { numRuns: rounds(5000, 4) });

test("flushing keeps the sign and touches subnormals only", (t) => {
  t.is(flushF32(2 ** -149), 0);
  t.is(flushF32(-(2 ** -127)), -0);
  t.is(flushF32(2 ** -126), 2 ** -126);
  t.is(flushF32(-0), -0);
  t.is(flushF32(NaN), NaN);
  t.is(flushF32(-Infinity), -Infinity);
});

test("saturation gives +0.0 for NaN and for both zeros", (t) => {
  t.deepEqual([NaN, -0, -5, 0.5, 1, 7, Infinity].map(saturateUnit), [0, 0, 0, 0.5, 1, 1, 1]);
  t.is(saturateUnit(-0), 0);
});

test("an exact zero has the operands' sign if they agree, else minus only in .rm", (t) => {
  for (const mode of ROUNDING_MODES) {
    const mixed = mode === "rm" ? -0 : 0;
    for (const add of [f32.addF32[mode], f64.addF64[mode]]) {
      t.is(add(0, 0), 0);
      t.is(add(-0, -0), -0);
      t.is(add(0, -0), mixed);
      t.is(add(1, -1), mixed);
    }
    for (const fma of [f32.fmaF32[mode], f64.fmaF64[mode]]) {
      t.is(fma(0, 5, 0), 0);
      t.is(fma(-0, 5, -0), -0);
      t.is(fma(-0, 5, 0), mixed);
      t.is(fma(2, 3, -6), mixed);
    }
  }
});

test("fma with an infinite addend is infinite even if the product overflows", (t) => {
  for (const mode of ROUNDING_MODES) {
    t.is(f64.fmaF64[mode](1e300, 1e300, -Infinity), -Infinity);
    t.is(f64.fmaF64[mode](Infinity, 1, -Infinity), NaN);
    t.is(f64.fmaF64[mode](1e300, 1e300, NaN), NaN);
  }
});

test("sub is add of the negative and rcp is a division, in every mode", (t) => {
  for (const mode of ROUNDING_MODES) {
    t.notThrows(
      holds(
        fc.property(anyF32, anyF32, (a, b) => {
          return (
            Object.is(f32.subF32[mode](a, b), f32.addF32[mode](a, -b)) &&
            Object.is(f32.rcpF32[mode](a), f32.divF32[mode](1, a))
          );
        }),
      ),
      mode,
    );
    t.notThrows(
      holds(
        fc.property(anyF64, anyF64, (a, b) => {
          return (
            Object.is(f64.subF64[mode](a, b), f64.addF64[mode](a, -b)) &&
            Object.is(f64.rcpF64[mode](a), f64.divF64[mode](1, a))
          );
        }),
      ),
      mode,
    );
  }
});

test("fma by 1 is an addition and fma with -0 is a multiplication, in every mode", (t) => {
  for (const mode of ROUNDING_MODES) {
    t.notThrows(
      holds(
        fc.property(anyF64, anyF64, (a, b) => {
          const product = f64.mulF64[mode](a, b);
          return (
            Object.is(f64.fmaF64[mode](a, 1, b), f64.addF64[mode](a, b)) &&
            (product === 0 || Object.is(f64.fmaF64[mode](a, b, -0), product))
          );
        }),
      ),
      mode,
    );
  }
});

test("the exact value lies between .rm and .rp, which are equal or neighbours", (t) => {
  t.notThrows(
    holds(
      fc.property(anyF64, anyF64, (a, b) => {
        return [f64.addF64, f64.mulF64, f64.divF64].every((operation) => {
          const [low, high, nearest] = [operation.rm(a, b), operation.rp(a, b), operation.rn(a, b)];
          if (Number.isNaN(nearest)) return Number.isNaN(low) && Number.isNaN(high);
          const isBracketed = low <= nearest && nearest <= high;
          return isBracketed && (low === high || bits.nextUpF64(low) === high);
        });
      }),
    ),
  );
});

test("neighbours cross zero and word boundaries", (t) => {
  t.is(bits.nextUpF64(0), 2 ** -1074);
  t.is(bits.nextUpF64(-(2 ** -1074)), -0);
  t.is(bits.nextDownF64(Infinity), Number.MAX_VALUE);
  t.is(bits.nextUpF64(bits.f64FromWords(0x3ff00000, -1)), bits.f64FromWords(0x3ff00001, 0));
  t.is(bits.nextDownF64(bits.f64FromWords(0x3ff00001, 0)), bits.f64FromWords(0x3ff00000, -1));
  t.is(bits.nextUpF32(-0), bits.f32FromBits(1));
  t.is(bits.nextDownF32(Infinity), bits.f32FromBits(0x7f7fffff));
});

test("NaN becomes the canonical bits of its format", (t) => {
  t.is(bits.f32ToBits(NaN), 0x7fffffff);
  t.is(bits.f64ToBits(NaN), 0xfff8000000000000n);
  t.is(f64.nanOperandF64(5n, 0x7ff0000000000123n, 0xfff8000000000000n), 0x7ff8000000000123n);
  t.is(f64.nanOperandF64(5n, 6n), 0xfff8000000000000n);
});
