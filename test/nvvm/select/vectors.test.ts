// Vector intrinsics that LLVM 20 to 22 added: values in memory, and types that do not fit.

import test from "ava";
import { InputError } from "../../../lib/index.js";
import { runKernel } from "./run.js";

const inputs = Uint8Array.from({ length: 96 }, (_, i) => (i * 7 + 3) & 255);

/** Result of a call on vectors read from `inputs`, which are lists of 16-bit integers. */
async function run(declaration: string, result: string, outBytes: number, loads: string, call: string) {
  const { bytes, fault } = await runKernel(
    `declare ${declaration}
define ptx_kernel void @k(ptr %in, ptr %out) {
${loads}
  %r = call ${call}
  store ${result} %r, ptr %out, align 2
  ret void
}
`,
    inputs,
    outBytes,
  );
  return { values: [...new Int16Array(bytes.slice().buffer)], fault };
}

const words = [...new Int16Array(inputs.slice().buffer)];
const load = (name: string, type: string, offset: number): string =>
  `  %p${name} = getelementptr i8, ptr %in, i64 ${offset}\n  %${name} = load ${type}, ptr %p${name}, align 2`;

for (const count of [2, 3, 5, 8])
  test(`interleave${count} takes an element of each vector in turn, and deinterleave${count} undoes it`, async (t) => {
    const whole = `<${2 * count} x i16>`;
    const names = Array.from({ length: count }, (_, i) => `v${i}`);
    const joined = await run(
      `${whole} @llvm.vector.interleave${count}.v${2 * count}i16(${names.map(() => "<2 x i16>").join(", ")})`,
      whole,
      4 * count,
      names.map((name, i) => load(name, "<2 x i16>", 4 * i)).join("\n"),
      `${whole} @llvm.vector.interleave${count}.v${2 * count}i16(${names.map((name) => `<2 x i16> %${name}`).join(", ")})`,
    );
    t.is(joined.fault, undefined);
    const expected = [0, 1].flatMap((lane) => names.map((_, i) => words[2 * i + lane]!));
    t.deepEqual(joined.values, expected);
    const parts = `{ ${names.map(() => "<2 x i16>").join(", ")} }`;
    const apart = await run(
      `${parts} @llvm.vector.deinterleave${count}.v${2 * count}i16(${whole})`,
      parts,
      4 * count,
      load("v", whole, 0),
      `${parts} @llvm.vector.deinterleave${count}.v${2 * count}i16(${whole} %v)`,
    );
    t.deepEqual(apart.values, names.flatMap((_, n) => [words[n]!, words[n + count]!])); // prettier-ignore
  });

test("a partial reduction keeps the sum of all elements", async (t) => {
  for (const prefix of ["vector", "experimental.vector"]) {
    const name = `@llvm.${prefix}.partial.reduce.add.v4i16.v12i16`;
    const { values, fault } = await run(
      `<4 x i16> ${name}(<4 x i16>, <12 x i16>)`,
      "<4 x i16>",
      8,
      `${load("a", "<4 x i16>", 0)}\n${load("b", "<12 x i16>", 8)}`,
      `<4 x i16> ${name}(<4 x i16> %a, <12 x i16> %b)`,
    );
    t.is(fault, undefined);
    const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0) & 0xffff;
    t.is(sum(values), sum(words.slice(0, 16)));
  }
});

test("vectors of mismatched types are refused", async (t) => {
  for (const [declaration, loads, call] of [
    [
      "<6 x i16> @llvm.vector.interleave3.v6i16(<2 x i16>, <2 x i16>, <2 x i8>)",
      `${load("a", "<2 x i16>", 0)}\n${load("b", "<2 x i8>", 0)}`,
      "<6 x i16> @llvm.vector.interleave3.v6i16(<2 x i16> %a, <2 x i16> %a, <2 x i8> %b)",
    ],
    [
      "<4 x i16> @llvm.vector.partial.reduce.add.v4i16.v6i16(<4 x i16>, <6 x i16>)",
      `${load("a", "<4 x i16>", 0)}\n${load("b", "<6 x i16>", 0)}`,
      "<4 x i16> @llvm.vector.partial.reduce.add.v4i16.v6i16(<4 x i16> %a, <6 x i16> %b)",
    ],
  ] as const) {
    const error = await t.throwsAsync(run(declaration, call.slice(0, 9), 16, loads, call), { instanceOf: InputError });
    t.regex(error.message, /nvvm-intrinsic/);
  }
});

test("constrained intrinsics that check exceptions are accepted, and rounding is to nearest", async (t) => {
  const { bytes, fault } = await runKernel(
    `declare i1 @llvm.allow.runtime.check(metadata)
declare i1 @llvm.allow.ubsan.check(i8 immarg)
declare i32 @llvm.get.rounding()
define ptx_kernel void @k(ptr %in, ptr %out) {
  %a = call i1 @llvm.allow.runtime.check(metadata !"check")
  %b = call i1 @llvm.allow.ubsan.check(i8 7)
  %r = call i32 @llvm.get.rounding()
  %both = and i1 %a, %b
  %x = select i1 %both, i32 %r, i32 9
  store i32 %x, ptr %out
  ret void
}
`,
    inputs,
    4,
  );
  t.is(fault, undefined);
  t.deepEqual([...bytes], [1, 0, 0, 0]);
});
