// Functions with variable arguments: calls pack them as libNVVM and LLVM do, and va_arg reads them.

import { readFileSync } from "node:fs";
import test from "ava";
import { linkSources, openDevice } from "../../../lib/index.js";
import { compile } from "../support.js";
import { head, runKernel } from "./run.js";

const intrinsics = `declare void @llvm.va_start(ptr)
declare void @llvm.va_end(ptr)
declare void @llvm.va_copy(ptr, ptr)
`;

test("arguments of every size come in order, and copies of a list advance separately", async (t) => {
  const run = await runKernel(
    `${intrinsics}%pair = type { i8, i32 }
define i64 @second(ptr %list) noinline {
  %x = va_arg ptr %list, double
  %y = va_arg ptr %list, i64
  ret i64 %y
}
define i64 @sum(i32 %count, ...) noinline {
  %list = alloca ptr
  %other = alloca ptr
  call void @llvm.va_start(ptr %list)
  %a = va_arg ptr %list, i32
  call void @llvm.va_copy(ptr %other, ptr %list)
  %b = va_arg ptr %list, double
  %c = va_arg ptr %list, i64
  %d = va_arg ptr %list, i8
  %e = va_arg ptr %list, %pair
  %f = call i64 @second(ptr %other)
  call void @llvm.va_end(ptr %other)
  call void @llvm.va_end(ptr %list)
  %e1 = extractvalue %pair %e, 1
  %wa = zext i32 %a to i64
  %wb = fptosi double %b to i64
  %wd = zext i8 %d to i64
  %we = zext i32 %e1 to i64
  %ten = mul i64 %wa, 10
  %s0 = add i64 %ten, %wb
  %s1 = mul i64 %s0, 10
  %s2 = add i64 %s1, %c
  %s3 = mul i64 %s2, 10
  %s4 = add i64 %s3, %wd
  %s5 = mul i64 %s4, 10
  %s6 = add i64 %s5, %we
  %s7 = mul i64 %s6, 10
  %s8 = add i64 %s7, %f
  ret i64 %s8
}
define ptx_kernel void @k(ptr %in, ptr %out) {
  %r = call i64 (i32, ...) @sum(i32 5, i32 1, double 2.0, i64 3, i8 4, %pair { i8 9, i32 5 })
  store i64 %r, ptr %out
  %f = select i1 true, ptr @sum, ptr null
  %p = getelementptr i8, ptr %out, i64 8
  store ptr %f, ptr %p
  %g = load ptr, ptr %p
  %q = call i64 (i32, ...) %g(i32 5, i32 6, double 5.0, i64 4, i8 3, %pair { i8 9, i32 2 })
  store i64 %q, ptr %p
  ret void
}
`,
    new Uint8Array(0),
    16,
  );
  t.is(run.fault, undefined);
  t.deepEqual([...new BigInt64Array(run.bytes.buffer, run.bytes.byteOffset, 2)], [123453n, 654324n]);
});

test("variable arguments are one array of alignment 8, each at its own alignment, as in libNVVM", (t) => {
  const { text, found } = compile(`${head}declare i32 @vf(i32, ...)
define i32 @g(i32 %a, double %b, i64 %c) {
  %r = call i32 (i32, ...) @vf(i32 %a, i32 7, double %b, i64 %c)
  ret i32 %r
}
`);
  t.deepEqual(found, []);
  t.regex(
    text,
    /\.extern \.func \(\.param \.b32 func_retval0\) vf\(\.param \.b32 vf_param_0, \.param \.align 8 \.b8 vf_vararg\[\]\)/,
  );
  for (const line of [
    /\.param \.align 8 \.b8 va\[24\]/,
    /st\.param\.b32 \[va\], 7/,
    /st\.param\.b64 \[va\+8\]/,
    /\[va\+16\]/,
  ])
    t.regex(text, line);
});

test("va_start is only valid in a function with variable arguments", (t) => {
  const { found } = compile(`${head}${intrinsics}define void @f(ptr %p) {
  call void @llvm.va_start(ptr %p)
  ret void
}
`);
  t.deepEqual(
    found.map(({ code, place }) => `${code} ${place?.line}`),
    ["nvvm-call 7"],
  );
});

// testdata/nvvm/varargs/theirs.ptx is libNVVM 13's output for theirs.ll in the same folder, for compute_80 with -opt=3.
test("a va_list is passed between our functions and libNVVM's", async (t) => {
  const ours = `${head}${intrinsics}declare i32 @their_next(ptr)
declare i32 @their_sum(i32, ...)
define i32 @our_next(ptr %list) noinline {
  %a = va_arg ptr %list, double
  %b = fptosi double %a to i32
  ret i32 %b
}
define i32 @our_sum(i32 %n, ...) noinline {
  %list = alloca ptr
  call void @llvm.va_start(ptr %list)
  %a = va_arg ptr %list, i32
  %b = call i32 @their_next(ptr %list)
  %c = va_arg ptr %list, i32
  %a10 = mul i32 %a, 10
  %ab = add i32 %a10, %b
  %ab10 = mul i32 %ab, 10
  %abc = add i32 %ab10, %c
  ret i32 %abc
}
define ptx_kernel void @k(ptr %out) {
  %a = call i32 (i32, ...) @our_sum(i32 3, i32 1, double 2.0, i32 3)
  %b = call i32 (i32, ...) @their_sum(i32 3, i32 4, double 5.0, i32 6)
  store i32 %a, ptr %out
  %q = getelementptr i32, ptr %out, i64 1
  store i32 %b, ptr %q
  ret void
}
`;
  const theirs = readFileSync(new URL("../../../../testdata/nvvm/varargs/theirs.ptx", import.meta.url), "utf8");
  const device = openDevice(linkSources({ "ours.ll": ours, "theirs.ptx": theirs }));
  const out = device.alloc(new Uint8Array(8));
  const { fault } = await device.launch("k", { grid: 1, block: 1, args: [out] });
  t.is(fault, undefined);
  t.deepEqual([...new Int32Array(device.read(out, new Uint8Array(8)).buffer)], [123, 456]);
});

test("code that walks a va_list itself, as clang writes it, gets generic addresses", async (t) => {
  const { bytes, fault } = await runKernel(
    `${intrinsics}define i32 @second(i32 %n, ...) noinline {
  %list = alloca ptr
  call void @llvm.va_start(ptr %list)
  %at = load ptr, ptr %list
  %next = getelementptr inbounds i8, ptr %at, i64 4
  %b = load i32, ptr %next
  ret i32 %b
}
define ptx_kernel void @k(ptr %in, ptr %out) {
  %a = call i32 (i32, ...) @second(i32 2, i32 1, i32 7)
  store i32 %a, ptr %out
  ret void
}
`,
    new Uint8Array(0),
    4,
  );
  t.is(fault, undefined);
  t.is(bytes[0], 7);
});
