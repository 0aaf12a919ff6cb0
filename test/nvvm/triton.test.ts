// Modules as Triton writes them: short pointers in the data layout, and accumulators passed through inline assembly.

import test from "ava";
import { compile } from "./support.js";

const layout =
  'target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"';

test("short pointers to shared memory are values of any size, and 4 bytes in memory", (t) => {
  const right = compile(`${layout}
@smem = external addrspace(3) global [0 x i8], align 16
define ptx_kernel void @k(i32 %i) {
  %a = getelementptr i8, ptr addrspace(3) @smem, i32 %i
  %n = ptrtoint ptr addrspace(3) %a to i32
  store i32 %n, ptr addrspace(3) %a
  ret void
}
`);
  t.deepEqual(right.found, []);
  t.true(
    right.lines.some((line) => /st\.shared\.b32 \[/.test(line)),
    right.text,
  );
  const stored = compile(`${layout}
define void @f(ptr %p, ptr addrspace(3) %s) {
  store ptr addrspace(3) %s, ptr %p
  ret void
}
`);
  t.deepEqual(stored.found, []);
  t.true(
    stored.lines.some((line) => /st\.b32 \[/.test(line)),
    stored.text,
  );
});

test("values that assembly passes through stay in one register, around a loop, too", (t) => {
  const { lines, found } = compile(`define void @f(ptr %p, i32 %n) {
entry:
  %first = load i32, ptr %p
  br label %loop
loop:
  %acc = phi i32 [ %first, %entry ], [ %next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %more, %loop ]
  %half = call i32 asm sideeffect "// adds $0", "=r,0"(i32 %acc)
  %next = call i32 asm sideeffect "// waits for $0", "=r,0"(i32 %half)
  %more = add i32 %i, 1
  %again = icmp slt i32 %more, %n
  br i1 %again, label %loop, label %end
end:
  store i32 %next, ptr %p
  ret void
}
`);
  t.deepEqual(found, []);
  const named = lines.flatMap((line) => /\/\/ (?:adds|waits for) (%r\d+)/.exec(line)?.[1] ?? []);
  t.is(named.length, 2);
  t.is(named[0], named[1]);
  t.false(
    lines.some(
      (line) => line.includes(`mov.b32 ${named[0]!}`) || (line.endsWith(`${named[0]!};`) && line.includes("mov")),
    ),
  );
});

test("a tied operand that is still live is copied first, all copies at once", (t) => {
  const { lines, found } = compile(`define void @f(ptr %p, i32 %a, i32 %b) {
  %r = call { i32, i32 } asm sideeffect "// $0 $1", "=r,=r,0,1"(i32 %a, i32 %a)
  %x = extractvalue { i32, i32 } %r, 0
  %y = extractvalue { i32, i32 } %r, 1
  %s = add i32 %x, %y
  %t = add i32 %s, %a
  store i32 %t, ptr %p
  ret void
}
`);
  t.deepEqual(found, []);
  const [, first, second] = /\/\/ (%r\d+) (%r\d+)/.exec(lines.join("\n"))!;
  t.not(first, second);
  t.is(lines.filter((line) => line.includes("mov.b32")).length, 2);
});
