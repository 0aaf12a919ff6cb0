// fma.rn.f32 on four lanes, by the host's own instruction or by exact arithmetic in doubles. A product of two f32 is exact in a
// double; the sum is rounded once to a double and once to f32. The result is right unless the double ends in 28 zero bits
// (../../base/num/f32.ts). In that case the sum is first rounded to odd, by its error.

import { CodeWriter, type Local } from "../../../formats/wasm/index.js";

export function fusedF32(): CodeWriter {
  const code = new CodeWriter(["v128", "v128", "v128"], ["v128"]);
  return code.get(0).get(1).get(2).op("f32x4.relaxed_madd");
}

export function fusedF64(): CodeWriter {
  const code = new CodeWriter(["v128", "v128", "v128"], ["v128"]);
  return code.get(0).get(1).get(2).op("f64x2.relaxed_madd");
}

export function exactF32(): CodeWriter {
  const code = new CodeWriter(["v128", "v128", "v128"], ["v128"]);
  const products = [code.local("v128"), code.local("v128")];
  const addends = [code.local("v128"), code.local("v128")];
  const sums = [code.local("v128"), code.local("v128")];
  const scratch = Array.from({ length: 4 }, () => code.local("v128"));
  for (const half of [0, 1]) {
    const promoted = (local: Local): void => {
      code.get(local);
      if (half === 1) code.get(local).shuffleWords([2, 3, 2, 3]);
      code.op("f64x2.promote_low_f32x4");
    };
    promoted(0);
    promoted(1);
    code.op("f64x2.mul").tee(products[half]!);
    promoted(2);
    code.tee(addends[half]!).op("f64x2.add").set(sums[half]!);
  }
  // Tests whether some sum ends in 28 zero bits.
  code.get(sums[0]!).get(sums[1]!).shuffleWords([0, 2, 4, 6]).words(0x0fffffff).op("v128.and");
  code.words(0).op("i32x4.eq", "v128.any_true").if();
  for (const half of [0, 1]) roundToOdd(code, sums[half]!, products[half]!, addends[half]!, scratch);
  code.op("end");
  for (const half of [0, 1]) code.get(sums[half]!).op("f32x4.demote_f64x2_zero");
  return code.shuffleWords([0, 1, 4, 5]);
}

/** Rounds the sum to odd: if it is even and not exact, moves it one place towards the error. */
export function roundToOdd(
  code: CodeWriter,
  sum: Local,
  product: Local,
  addend: Local,
  scratch: readonly Local[],
): void {
  const [part, error, step, even] = scratch as [Local, Local, Local, Local];
  // Knuth's two-sum: (product - (sum - part)) + (addend - part), where part = sum - product.
  code.get(sum).get(product).op("f64x2.sub").set(part);
  code.get(product).get(sum).get(part).op("f64x2.sub", "f64x2.sub");
  code.get(addend).get(part).op("f64x2.sub", "f64x2.add").set(error);
  // -1 where the error has the other sign, else 1.
  code.get(error).get(sum).op("v128.xor").i32(63).op("i64x2.shr_s").longs(1n).op("v128.or").set(step);
  code.get(sum).longs(1n).op("v128.and").longs(0n).op("i64x2.eq").set(even);
  // Ordered comparisons: the error of an infinite sum is NaN, and such a sum stays.
  code.get(error).longs(0n).op("f64x2.lt").get(error).longs(0n).op("f64x2.gt", "v128.or");
  code.get(even).op("v128.and").get(step).op("v128.and").get(sum).op("i64x2.add").set(sum);
}
