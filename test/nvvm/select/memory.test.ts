// Memory, calls and control flow: results of kernels, and instructions of their PTX.

import test from "ava";
import { compile } from "../support.js";
import { head, runKernel } from "./run.js";

const words = (bytes: Uint8Array): readonly number[] => [
  ...new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4),
];
const input = (...values: readonly number[]): Uint8Array => new Uint8Array(Int32Array.from(values).buffer);
const bodyOf = (text: string): string => compile(`${head}${text}`, { arch: "sm_90" }).text;

test("an alloca that is only loaded and stored whole needs no memory", (t) => {
  const text = bodyOf(`define i32 @f(i32 %x, i1 %c) {
  %a = alloca { i32, i64 }
  %p = getelementptr { i32, i64 }, ptr %a, i32 0, i32 0
  store i32 %x, ptr %p
  br i1 %c, label %y, label %n
y:
  store i32 7, ptr %p
  br label %n
n:
  %r = load i32, ptr %p
  ret i32 %r
}`);
  t.notRegex(text, /\.local/);
});

test("pointers provably in one space are accessed in it, through phis, too", (t) => {
  const text = bodyOf(`@s = internal addrspace(3) global [8 x i32] undef
define i32 @f(i1 %c) {
entry:
  br i1 %c, label %y, label %n
y:
  br label %n
n:
  %p = phi ptr [ addrspacecast (ptr addrspace(3) @s to ptr), %entry ], [ getelementptr (i8, ptr addrspacecast (ptr addrspace(3) @s to ptr), i64 16), %y ]
  %v = load i32, ptr %p
  ret i32 %v
}`);
  t.regex(text, /ld\.shared/);
  t.notRegex(text, /ld\.b32|cvta/);
});

test("adjacent loads are combined where the first is aligned for all", (t) => {
  const text = bodyOf(`define float @f(ptr addrspace(1) %p) {
  %q = getelementptr float, ptr addrspace(1) %p, i64 1
  %a = load float, ptr addrspace(1) %p, align 8
  %b = load float, ptr addrspace(1) %q, align 4
  %r = fadd float %a, %b
  ret float %r
}`);
  t.regex(text, /ld\.global\.v2\.b32/);
});

test("swaps in loops, and values live into the next iteration", async (t) => {
  const { bytes } = await runKernel(
    `define ptx_kernel void @k(ptr %in, ptr %out) {
entry:
  %n = load i32, ptr %in
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %a = phi i32 [ 1, %entry ], [ %b, %loop ]
  %b = phi i32 [ 2, %entry ], [ %a, %loop ]
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, %n
  br i1 %c, label %loop, label %end
end:
  store i32 %a, ptr %out
  %p1 = getelementptr i32, ptr %out, i64 1
  store i32 %b, ptr %p1
  %p2 = getelementptr i32, ptr %out, i64 2
  store i32 %i, ptr %p2
  %p3 = getelementptr i32, ptr %out, i64 3
  store i32 %j, ptr %p3
  ret void
}`,
    input(4),
    16,
  );
  t.deepEqual(words(bytes), [2, 1, 3, 4]);
});

test("calls pass and return values by the ABI: byval, aggregates, small integers, by pointer", async (t) => {
  const { bytes, fault } = await runKernel(
    `%pair = type { i8, i64 }
define internal i8 @narrow(i8 signext %a, i1 zeroext %b) noinline {
  %z = zext i1 %b to i8
  %r = sub i8 %a, %z
  ret i8 %r
}
define internal { i8, <3 x float> } @wide({ i8, <3 x float> } %x) noinline {
  %b = extractvalue { i8, <3 x float> } %x, 0
  %c = add i8 %b, 1
  %r = insertvalue { i8, <3 x float> } %x, i8 %c, 0
  ret { i8, <3 x float> } %r
}
define internal i64 @object(ptr byval(%pair) align 8 %p) noinline {
  %f = getelementptr %pair, ptr %p, i32 0, i32 1
  %v = load i64, ptr %f
  store i64 0, ptr %f
  %w = load i64, ptr %f
  %r = add i64 %v, %w
  ret i64 %r
}
define ptx_kernel void @k(ptr %in, ptr %out) {
  %a = load i8, ptr %in
  %n = call signext i8 @narrow(i8 signext %a, i1 zeroext true)
  %n32 = sext i8 %n to i32
  store i32 %n32, ptr %out
  %x0 = insertvalue { i8, <3 x float> } zeroinitializer, i8 %a, 0
  %x1 = insertvalue { i8, <3 x float> } %x0, <3 x float> <float 1.0, float 2.0, float 3.0>, 1
  %y = call { i8, <3 x float> } @wide({ i8, <3 x float> } %x1)
  %y0 = extractvalue { i8, <3 x float> } %y, 0
  %y1 = extractvalue { i8, <3 x float> } %y, 1
  %y12 = extractelement <3 x float> %y1, i32 2
  %y0w = sext i8 %y0 to i32
  %yi = fptosi float %y12 to i32
  %o1 = getelementptr i32, ptr %out, i64 1
  %o2 = getelementptr i32, ptr %out, i64 2
  store i32 %y0w, ptr %o1
  store i32 %yi, ptr %o2
  %obj = alloca %pair
  %of = getelementptr %pair, ptr %obj, i32 0, i32 1
  store i64 77, ptr %of
  %r = call i64 @object(ptr byval(%pair) align 8 %obj)
  %kept = load i64, ptr %of
  %r32 = trunc i64 %r to i32
  %k32 = trunc i64 %kept to i32
  %o3 = getelementptr i32, ptr %out, i64 3
  %o4 = getelementptr i32, ptr %out, i64 4
  store i32 %r32, ptr %o3
  store i32 %k32, ptr %o4
  %isneg = icmp slt i8 %a, 0
  %fp = select i1 %isneg, ptr @narrow, ptr null
  %n2 = call i8 %fp(i8 signext 5, i1 zeroext false)
  %n2w = zext i8 %n2 to i32
  %o5 = getelementptr i32, ptr %out, i64 5
  store i32 %n2w, ptr %o5
  ret void
}`,
    input(-3),
    24,
  );
  t.is(fault, undefined);
  t.deepEqual(words(bytes), [-4, -2, 3, 77, 77, 5]);
});

test("copies and fills of known and unknown size, that overlap or not", async (t) => {
  const { bytes, fault } = await runKernel(
    `declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define ptx_kernel void @k(ptr %in, ptr %out) {
  %n = load i32, ptr %in
  %w = zext i32 %n to i64
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %out, ptr align 4 %in, i64 %w, i1 false)
  %o1 = getelementptr i8, ptr %out, i64 4
  call void @llvm.memmove.p0.p0.i64(ptr %o1, ptr %out, i64 %w, i1 false)
  %o8 = getelementptr i8, ptr %out, i64 32
  call void @llvm.memset.p0.i64(ptr align 4 %o8, i8 3, i64 8, i1 false)
  %o9 = getelementptr i8, ptr %out, i64 44
  call void @llvm.memset.p0.i64(ptr %o9, i8 1, i64 %w, i1 false)
  %o10 = getelementptr i8, ptr %out, i64 64
  call void @llvm.memset.p0.i64(ptr align 8 %o10, i8 2, i64 200, i1 false)
  ret void
}`,
    input(12, 5, 6),
    264,
  );
  t.is(fault, undefined);
  const found = words(bytes);
  t.deepEqual(found.slice(0, 4), [12, 12, 5, 6]);
  t.deepEqual(found.slice(8, 14), [0x03030303, 0x03030303, 0, 0x01010101, 0x01010101, 0x01010101]);
  t.true(found.slice(16).every((one) => one === 0x02020202));
});

test("atomics of every width and operation return the old value", async (t) => {
  const operations = [
    "add",
    "sub",
    "and",
    "or",
    "xor",
    "nand",
    "max",
    "min",
    "umax",
    "umin",
    "xchg",
    "uinc_wrap",
    "udec_wrap",
  ];
  const types = ["i8", "i16", "i32", "i64"];
  const lines = types.flatMap((type, k) =>
    operations.map((operation, i) => {
      const at = (k * operations.length + i) * 8;
      return `  %p${k}_${i} = getelementptr i8, ptr %out, i64 ${at}
  store ${type} 9, ptr %p${k}_${i}
  %r${k}_${i} = atomicrmw ${operation} ptr %p${k}_${i}, ${type} 5 seq_cst
  %w${k}_${i} = ${type === "i64" ? `add i64 %r${k}_${i}, 0` : `zext ${type} %r${k}_${i} to i64`}
  %s${k}_${i} = add i64 ${i === 0 && k === 0 ? "0" : i === 0 ? `%s${k - 1}_${operations.length - 1}` : `%s${k}_${i - 1}`}, %w${k}_${i}`;
    }),
  );
  const last = types.length * operations.length * 8;
  const { bytes, fault } = await runKernel(
    `define ptx_kernel void @k(ptr %in, ptr %out) {
${lines.join("\n")}
  %sum = getelementptr i8, ptr %out, i64 ${last}
  store i64 %s${types.length - 1}_${operations.length - 1}, ptr %sum
  ret void
}`,
    input(0),
    last + 8,
  );
  t.is(fault, undefined);
  const left = [14, 4, 1, 13, 12, -2, 9, 5, 9, 5, 5, 0, 5];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  types.forEach((type, k) => {
    const bits = Number(type.slice(1));
    left.forEach((value, i) => {
      const found = BigInt.asUintN(bits, view.getBigUint64((k * operations.length + i) * 8, true));
      t.is(found, BigInt.asUintN(bits, BigInt(value)), `${operations[i]} ${type}`);
    });
  });
  t.is(view.getBigUint64(last, true), BigInt(9 * types.length * operations.length));
});

test("cmpxchg of a byte leaves the neighbouring bytes alone", async (t) => {
  const { bytes } = await runKernel(
    `define ptx_kernel void @k(ptr %in, ptr %out) {
  store i32 16909060, ptr %out
  %p = getelementptr i8, ptr %out, i64 2
  %x = cmpxchg ptr %p, i8 2, i8 77 acq_rel monotonic
  %y = cmpxchg ptr %p, i8 2, i8 99 acq_rel monotonic
  %xs = extractvalue { i8, i1 } %x, 1
  %ys = extractvalue { i8, i1 } %y, 1
  %old = extractvalue { i8, i1 } %y, 0
  %o4 = getelementptr i8, ptr %out, i64 4
  %o5 = getelementptr i8, ptr %out, i64 5
  %o6 = getelementptr i8, ptr %out, i64 6
  store i1 %xs, ptr %o4
  store i1 %ys, ptr %o5
  store i8 %old, ptr %o6
  ret void
}`,
    input(0),
    8,
  );
  t.deepEqual([...bytes], [4, 3, 77, 1, 1, 0, 77, 0]);
});

test("inline assembly: constraints, tied operands, several results, locations of its lines", async (t) => {
  const text = `define ptx_kernel void @k(ptr %in, ptr %out) {
  %x = load i32, ptr %in
  %r = call { i32, i64 } asm "{ .reg .b32 %t; add.s32 %t, $2, $3;\\0A shl.b32 $0, %t, 1;\\0A mov.b64 $1, {$2, %t}; }", "=r,=l,r,n"(i32 %x, i32 5)
  %a = extractvalue { i32, i64 } %r, 0
  %b = extractvalue { i32, i64 } %r, 1
  %c = call i32 asm "add.s32 $0, \${1:x}, 1;", "=r,0"(i32 %a)
  %bl = trunc i64 %b to i32
  %d = add i32 %c, %bl
  store i32 %d, ptr %out
  ret void
}`;
  const { bytes } = await runKernel(text, input(10), 4);
  t.deepEqual(words(bytes), [31 + 10]);
});

test("inline assembly takes 32-bit shared addresses, too", async (t) => {
  const { bytes } = await runKernel(
    `@s = internal addrspace(3) global [4 x i32] undef
define ptx_kernel void @k(ptr %in, ptr %out) {
  %p = getelementptr i32, ptr addrspace(3) @s, i32 2
  store i32 77, ptr addrspace(3) %p
  %v = call i32 asm sideeffect "ld.shared.b32 $0, [ $1 + 0 ];", "=r,r"(ptr addrspace(3) %p)
  %q = call ptr addrspace(3) asm sideeffect "mov.b32 $0, $1;", "=r,r"(ptr addrspace(3) %p)
  %w = load i32, ptr addrspace(3) %q
  %sum = add i32 %v, %w
  store i32 %sum, ptr %out
  ret void
}`,
    input(0),
    4,
  );
  t.deepEqual(words(bytes), [154]);
});

test("switches by table, tree and chain", async (t) => {
  const cases = (values: readonly number[]): string =>
    values.map((value, i) => `i32 ${value}, label %c${i % 3}`).join(" ");
  const body = (values: readonly number[]): string => `declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %in, ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = sub i32 %t, 2
  %p = getelementptr i32, ptr %out, i32 %t
  switch i32 %x, label %d [ ${cases(values)} ]
c0:
  br label %d
c1:
  br label %d
c2:
  br label %d
d:
  %r = phi i32 [ 9, %entry ], [ 0, %c0 ], [ 1, %c1 ], [ 2, %c2 ]
  store i32 %r, ptr %p
  ret void
}`;
  const table = Array.from({ length: 20 }, (_, i) => i);
  for (const values of [[3], [1, 5, 9], [0, 7, 1000, 4, 12, -1, 70000], table]) {
    const { bytes } = await runKernel(body(values), input(0), 128, 32);
    const expected = Array.from({ length: 32 }, (_, thread) => {
      const found = values.indexOf(thread - 2);
      return found < 0 ? 9 : found % 3;
    });
    t.deepEqual(words(bytes), expected, `${values}`);
  }
});
