// Short pointers: 32 bits in memory, in vectors and structures, as integers and compared, in the slots of functions.

import test from "ava";
import { compile } from "../support.js";
import { runKernel } from "./run.js";

const head = `target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@s = internal addrspace(3) global [16 x i32] undef, align 16
`;

const words = ({ bytes }: { readonly bytes: Uint8Array }): readonly number[] => [
  ...new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4),
];

test("short pointers keep their pointee's space in memory, structures, vectors and phis", async (t) => {
  const run = await runKernel(
    `define ptx_kernel void @k(ptr %in, ptr %out) {
entry:
  %list = alloca [4 x ptr addrspace(3)]
  %i = load i32, ptr %in
  %a = getelementptr i32, ptr addrspace(3) @s, i32 %i
  %b = getelementptr i32, ptr addrspace(3) %a, i64 -1
  store i32 11, ptr addrspace(3) %a
  store i32 22, ptr addrspace(3) %b
  %at = getelementptr [4 x ptr addrspace(3)], ptr %list, i32 0, i32 %i
  store ptr addrspace(3) %a, ptr %at
  %pair = insertvalue { i8, ptr addrspace(3) } { i8 9, ptr addrspace(3) null }, ptr addrspace(3) %b, 1
  store { i8, ptr addrspace(3) } %pair, ptr %out
  %v = insertelement <2 x ptr addrspace(3)> undef, ptr addrspace(3) %a, i32 0
  %w = insertelement <2 x ptr addrspace(3)> %v, ptr addrspace(3) %b, i32 1
  %vp = getelementptr i8, ptr %out, i64 8
  store <2 x ptr addrspace(3)> %w, ptr %vp, align 8
  %c = load ptr addrspace(3), ptr %at
  %d = load <2 x ptr addrspace(3)>, ptr %vp, align 8
  %e = extractelement <2 x ptr addrspace(3)> %d, i32 1
  %both = icmp ne ptr addrspace(3) %c, %e
  br i1 %both, label %differ, label %end
differ:
  br label %end
end:
  %p = phi ptr addrspace(3) [ %c, %entry ], [ %e, %differ ]
  %x = load i32, ptr addrspace(3) %c
  %y = load i32, ptr addrspace(3) %p
  %xp = getelementptr i8, ptr %out, i64 16
  %yp = getelementptr i8, ptr %out, i64 20
  store i32 %x, ptr %xp
  store i32 %y, ptr %yp
  ret void
}
`,
    new Uint8Array(Int32Array.of(2).buffer),
    24,
    1,
    head,
  );
  t.is(run.fault, undefined);
  const [first, b, a, same, x, y] = words(run);
  t.is(first! & 0xff, 9);
  t.is(b, a! - 4);
  t.is(same, b);
  t.deepEqual([x, y], [11, 22]);
});

test("short pointers have 32 bits as integers, in comparisons, and in atomics", async (t) => {
  const run = await runKernel(
    `define i64 @bits(ptr addrspace(3) %p) {
  %n = ptrtoint ptr addrspace(3) %p to i64
  ret i64 %n
}
define ptr addrspace(3) @next(ptr addrspace(3) %p) noinline {
  %n = getelementptr i32, ptr addrspace(3) %p, i32 1
  ret ptr addrspace(3) %n
}
define ptx_kernel void @k(ptr %in, ptr %out) {
  %n = load i64, ptr %in
  %p = inttoptr i64 %n to ptr addrspace(3)
  %q = inttoptr i32 4 to ptr addrspace(3)
  %below = getelementptr i8, ptr addrspace(3) %q, i32 -8
  %b0 = call i64 @bits(ptr addrspace(3) %p)
  %b1 = call i64 @bits(ptr addrspace(3) %below)
  %e0 = icmp eq ptr addrspace(3) %p, %q
  %e1 = icmp ugt ptr addrspace(3) %below, %q
  %z0 = zext i1 %e0 to i32
  %z1 = zext i1 %e1 to i32
  store i64 %b0, ptr %out
  %o1 = getelementptr i8, ptr %out, i64 8
  store i64 %b1, ptr %o1
  %o2 = getelementptr i8, ptr %out, i64 16
  store i32 %z0, ptr %o2
  %o3 = getelementptr i8, ptr %out, i64 20
  store i32 %z1, ptr %o3
  %o4 = getelementptr i8, ptr %out, i64 24
  %o5 = getelementptr i8, ptr %out, i64 28
  store i32 -1, ptr %o5
  %next = call ptr addrspace(3) @next(ptr addrspace(3) %q)
  %pair = cmpxchg ptr %o4, ptr addrspace(3) null, ptr addrspace(3) %next monotonic monotonic
  %old = extractvalue { ptr addrspace(3), i1 } %pair, 0
  %o6 = getelementptr i8, ptr %out, i64 32
  store ptr addrspace(3) %old, ptr %o6
  %g = addrspacecast ptr addrspace(3) @s to ptr
  store i32 5, ptr %g
  %v = load i32, ptr addrspace(3) @s
  %o7 = getelementptr i8, ptr %out, i64 36
  store i32 %v, ptr %o7
  ret void
}
`,
    new Uint8Array(BigInt64Array.of(0x1_0000_0004n).buffer),
    40,
    1,
    head,
  );
  t.is(run.fault, undefined);
  t.deepEqual(words(run), [4, 0, -4, 0, 1, 1, 8, -1, 0, 5]);
});

test("initial values take 4 bytes for one, and addresses in shared memory are refused", (t) => {
  const right = compile(`${head}
@c = internal addrspace(4) constant i32 7
@g = addrspace(1) global { i32, ptr addrspace(4), ptr addrspace(3) } { i32 1, ptr addrspace(4) @c, ptr addrspace(3) inttoptr (i32 8 to ptr addrspace(3)) }
@one = addrspace(1) global ptr addrspace(4) @c
`);
  t.deepEqual(right.found, []);
  t.regex(right.text, /\.visible \.global \.align 4 \.u32 g\[3\] = \{1, c, 8\};/);
  t.regex(right.text, /\.visible \.global \.align 4 \.u32 one = c;/);
  const wrong = compile(`${head}@g = addrspace(1) global ptr addrspace(3) @s\n`);
  t.deepEqual(
    wrong.found.map(({ code, place }) => `${code} ${place?.line}`),
    ["nvvm-initializer 4"],
  );
});
