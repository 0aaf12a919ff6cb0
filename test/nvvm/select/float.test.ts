// Float arithmetic without an instruction of its own, compared with the host's.

import test from "ava";
import { runKernel } from "./run.js";

const numbers = [
  0,
  -0,
  1,
  -1,
  0.5,
  1.5,
  2.5,
  -2.5,
  3.75,
  1e10,
  -1e300,
  5e-324,
  1e-310,
  Infinity,
  -Infinity,
  NaN,
  7.25,
  123456789.125,
];

/** `body` computes %r from %a and %b, for every pair. */
async function pairs(body: string, declarations = ""): Promise<readonly number[]> {
  const count = numbers.length;
  const { bytes } = await runKernel(
    `${declarations}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = udiv i32 %t, ${count}
  %y = urem i32 %t, ${count}
  %px = getelementptr double, ptr %in, i32 %x
  %py = getelementptr double, ptr %in, i32 %y
  %a = load double, ptr %px
  %b = load double, ptr %py
  ${body}
  %to = getelementptr double, ptr %out, i32 %t
  store double %r, ptr %to
  ret void
}`,
    new Uint8Array(Float64Array.from(numbers).buffer),
    8 * count * count,
    count * count,
  );
  return [...new Float64Array(bytes.buffer, bytes.byteOffset, count * count)];
}

const expected = (meaning: (a: number, b: number) => number): readonly number[] =>
  numbers.flatMap((a) => numbers.map((b) => meaning(a, b)));

test("frem is exact, of f64 and f32", async (t) => {
  t.deepEqual(
    await pairs("%r = frem double %a, %b"),
    expected((a, b) => a % b),
  );
  const single = Math.fround;
  t.deepEqual(
    await pairs(`%a1 = fptrunc double %a to float
  %b1 = fptrunc double %b to float
  %q = frem float %a1, %b1
  %r = fpext float %q to double`),
    expected((a, b) => single(a) % single(b)),
  );
});

test("rounding half away from zero", async (t) => {
  const round = (a: number): number =>
    Number.isFinite(a) && a !== 0 ? Math.sign(a) * Math.floor(Math.abs(a) + 0.5) : a;
  const found = await pairs("%r = call double @llvm.round.f64(double %a)", "declare double @llvm.round.f64(double)");
  t.deepEqual(
    found,
    expected((a) => round(a)),
  );
});

test("wide integers to and from f64", async (t) => {
  const found = await pairs(`%c = fcmp olt double %a, 1.0e30
  %d = fcmp ogt double %a, -1.0e30
  %e = and i1 %c, %d
  %f = select i1 %e, double %a, double 3.0
  %i = fptosi double %f to i128
  %j = add i128 %i, 1
  %r = sitofp i128 %j to double`);
  t.deepEqual(
    found,
    expected((a) => (a > -1e30 && a < 1e30 ? Number(BigInt(Math.trunc(a)) + 1n) : 4)),
  );
});

test("ldexp rounds once", async (t) => {
  const found = await pairs(
    `%r = call double @llvm.ldexp.f64.i32(double %a, i32 -1070)`,
    "declare double @llvm.ldexp.f64.i32(double, i32)",
  );
  t.deepEqual(
    found,
    expected((a) => a * 2 ** -500 * 2 ** -500 * 2 ** -70),
  );
});

test("fcmp has all sixteen predicates", async (t) => {
  const unordered = (a: number, b: number): boolean => Number.isNaN(a) || Number.isNaN(b);
  const plain: Readonly<Record<string, (a: number, b: number) => boolean>> = {
    eq: (a, b) => a === b,
    gt: (a, b) => a > b,
    ge: (a, b) => a >= b,
    lt: (a, b) => a < b,
    le: (a, b) => a <= b,
    ne: (a, b) => a !== b && !unordered(a, b),
  };
  const meanings: (readonly [string, (a: number, b: number) => boolean])[] = [
    ["false", () => false],
    ["true", () => true],
    ["ord", (a, b) => !unordered(a, b)],
    ["uno", unordered],
    ...Object.entries(plain).flatMap(([name, meaning]) => [
      [`o${name}`, meaning] as const,
      [`u${name}`, (a: number, b: number): boolean => unordered(a, b) || meaning(a, b)] as const,
    ]),
  ];
  const lines = meanings.map(
    ([name], i) => `%c${i} = fcmp ${name} double %a, %b
  %z${i} = zext i1 %c${i} to i32
  %s${i} = shl i32 %z${i}, ${i}
  %m${i} = or i32 ${i === 0 ? "0" : `%m${i - 1}`}, %s${i}`,
  );
  const found = await pairs(`${lines.join("\n  ")}\n  %r = uitofp i32 %m${meanings.length - 1} to double`);
  const all = (a: number, b: number): number =>
    meanings.reduce((sum, [, meaning], i) => sum + (meaning(a, b) ? 2 ** i : 0), 0);
  t.deepEqual(found, expected(all));
});
