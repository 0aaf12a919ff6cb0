// lrint goes to the even integer, lround away from zero; deinterleave2 parts even elements from odd ones.

import test from "ava";
import { runKernel } from "./run.js";

test("halves are rounded as the name says", async (t) => {
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
