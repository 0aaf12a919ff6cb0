// The multiply-add for hosts without an exact one, compared with base/num.

import test from "ava";
import { CodeWriter, encodeModule } from "../../../formats/wasm/index.js";
import { f32FromBits, f32ToBits } from "../../../lib/base/num/bits.js";
import { fmaF32 } from "../../../lib/base/num/f32.js";
import { webAssembly } from "../../../lib/base/web-assembly.js";
import { exactF32 } from "../../../lib/exec/fast/fma.js";
import { tellingWords, words } from "./both.js";

const lane = new CodeWriter(["f32", "f32", "f32"], ["f32"]);
for (const i of [0, 1, 2]) lane.get(i).op("f32x4.splat");
lane.call(0).lane("f32x4.extract_lane", 3);
const bytes = encodeModule({ imports: [], functions: [exactF32(), lane], exports: { fma: 1 } });
const { fma } = new webAssembly!.Instance(new webAssembly!.Module(bytes), {}).exports;

test("fma is exact on chosen and on random operands, near midpoints too", (t) => {
  const next = words(7);
  const operand = (): number => {
    const random = next();
    const bits = (random & 3) === 0 ? next() : tellingWords[(random >>> 2) % tellingWords.length]!;
    return f32FromBits(bits);
  };
  let wrong = 0;
  const check = (a: number, b: number, c: number): void => {
    const [found, wanted] = [fma!(a, b, c), fmaF32.rn(a, b, c)];
    if (found !== found ? wanted === wanted : f32ToBits(found) !== f32ToBits(wanted)) wrong++;
  };
  for (let i = 0; i < 40_000; i++) {
    const [a, b, c] = [operand(), operand(), operand()];
    check(a, b, c);
    // A small addend with a product of 24 + 24 bits, where rounding twice is wrong.
    check(a, b, Math.fround(a * b * (1 + (i % 7)) * 2 ** -((i % 30) + 20)));
    check(
      Math.fround(1 + (i & 1023) * 2 ** -23),
      Math.fround(1 + (i >>> 4) * 2 ** -23),
      Math.fround(2 ** -((i % 40) + 20)),
    );
  }
  t.is(wrong, 0);
});
