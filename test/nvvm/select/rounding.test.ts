// lrint rounds ties to even, lround away from zero; deinterleave2 separates even and odd elements.

import test from "ava";
import { integerAt, runKernel } from "./run.js";

test("halves are rounded as the intrinsic's name says", async (t) => {
  const { bytes, fault } = await runKernel(
    `declare i64 @llvm.lrint.i64.f32(float)
declare i32 @llvm.lround.i32.f64(double)
define ptx_kernel void @k(ptr %in, ptr %out) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %n, %loop ]
  %p = getelementptr float, ptr %in, i64 %i
  %x = load float, ptr %p
  %a = call i64 @llvm.lrint.i64.f32(float %x)
  %d = fpext float %x to double
  %b = call i32 @llvm.lround.i32.f64(double %d)
  %b64 = sext i32 %b to i64
  %q = getelementptr [2 x i64], ptr %out, i64 %i
  store i64 %a, ptr %q
  %r = getelementptr i64, ptr %q, i64 1
  store i64 %b64, ptr %r
  %n = add i64 %i, 1
  %more = icmp ult i64 %n, 4
  br i1 %more, label %loop, label %end
end:
  ret void
}
`,
    new Uint8Array(Float32Array.of(2.5, 3.5, -2.5, 0.25).buffer),
    64,
  );
  t.is(fault, undefined);
  t.deepEqual([...new BigInt64Array(bytes.buffer, bytes.byteOffset, 8)], [2n, 3n, 4n, 4n, -2n, -3n, 0n, 0n]);
});

test("even and odd elements", async (t) => {
  const { bytes } = await runKernel(
    `declare { <2 x i32>, <2 x i32> } @llvm.vector.deinterleave2.v4i32(<4 x i32>)
define ptx_kernel void @k(ptr %in, ptr %out) {
  %v = load <4 x i32>, ptr %in
  %r = call { <2 x i32>, <2 x i32> } @llvm.vector.deinterleave2.v4i32(<4 x i32> %v)
  store { <2 x i32>, <2 x i32> } %r, ptr %out
  ret void
}
`,
    new Uint8Array(Int32Array.of(1, 2, 3, 4).buffer),
    16,
  );
  t.deepEqual([...new Int32Array(bytes.buffer, bytes.byteOffset, 4)], [1, 3, 2, 4]);
});

const doubles = [0, -0.5, 1.9, -3.99, 2 ** 63, -(2 ** 64) * 1.5, 2 ** 126, 2 ** 127, -(2 ** 127), -(2 ** 127) * 1.001, 2 ** 128, 1e300, -1e300, Infinity, -Infinity, NaN, 5e-324]; // prettier-ignore

const saturated = (value: number, bits: number, signed: boolean): bigint => {
  const [least, most] = signed
    ? [-(1n << BigInt(bits - 1)), (1n << BigInt(bits - 1)) - 1n]
    : [0n, (1n << BigInt(bits)) - 1n];
  if (Number.isNaN(value)) return 0n;
  if (!Number.isFinite(value)) return value > 0 ? most : least;
  const whole = BigInt(Math.trunc(value));
  return whole < least ? least : whole > most ? most : whole;
};

for (const bits of [65, 128, 200])
  test(`conversions to i${bits} that saturate`, async (t) => {
    const { bytes, fault } = await runKernel(
      `declare i${bits} @llvm.fptosi.sat.i${bits}.f64(double)
declare i${bits} @llvm.fptoui.sat.i${bits}.f64(double)
declare i${bits} @llvm.fptosi.sat.i${bits}.f16(half)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr double, ptr %in, i32 %t
  %x = load double, ptr %p
  %h = fptrunc double %x to half
  %s = call i${bits} @llvm.fptosi.sat.i${bits}.f64(double %x)
  %u = call i${bits} @llvm.fptoui.sat.i${bits}.f64(double %x)
  %v = call i${bits} @llvm.fptosi.sat.i${bits}.f16(half %h)
  %q = getelementptr [3 x i256], ptr %out, i32 %t
  %s256 = sext i${bits} %s to i256
  %u256 = zext i${bits} %u to i256
  %v256 = sext i${bits} %v to i256
  store i256 %s256, ptr %q
  %q1 = getelementptr i256, ptr %q, i32 1
  store i256 %u256, ptr %q1
  %q2 = getelementptr i256, ptr %q, i32 2
  store i256 %v256, ptr %q2
  ret void
}
`,
      new Uint8Array(Float64Array.from(doubles).buffer),
      96 * doubles.length,
      doubles.length,
    );
    t.is(fault, undefined);
    doubles.forEach((value, i) => {
      const [s, u, v] = [0, 32, 64].map((at) => integerAt(bytes, 96 * i + at, 32));
      t.is(BigInt.asIntN(256, s!), saturated(value, bits, true), `signed ${value}`);
      t.is(u, saturated(value, bits, false), `unsigned ${value}`);
      const half = Math.abs(value) >= 65520 ? value * Infinity : value;
      t.is(BigInt.asIntN(256, v!), saturated(half, bits, true), `half ${value}`);
    });
  });
