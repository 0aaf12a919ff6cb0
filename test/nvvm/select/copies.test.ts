// Copies and fills of a size that is known at run time only: the widest accesses that the alignment allows, and single
// bytes for the rest. The result is that of a loop over bytes.

import test from "ava";
import { compile } from "../support.js";
import { head, runKernel } from "./run.js";

const declarations = `declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
`;

const room = 64;
const input = Uint8Array.from({ length: room }, (_, i) => i + 1);

/** Contents of `out` after the kernel with those lines; it begins with the bytes of the input, and %n is the size. */
async function left(lines: string, size: number): Promise<readonly number[]> {
  const text = `${declarations}@n = internal addrspace(1) global i64 ${size}
define ptx_kernel void @k(ptr %in, ptr %out) {
  %n = load volatile i64, ptr addrspace(1) @n
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %out, ptr align 8 %in, i64 ${room}, i1 false)
${lines}
  ret void
}
`;
  const run = await runKernel(text, input, room);
  if (run.fault !== undefined) throw new Error(run.fault);
  return [...run.bytes];
}

const at = (name: string, offset: number): string => `  %${name} = getelementptr i8, ptr %out, i64 ${offset}`;

for (const size of [0, 1, 7, 8, 13, 24]) {
  test(`${size} bytes: copied, moved both ways, filled`, async (t) => {
    const plain = [...input];
    const copied = await left(
      `${at("a", 32)}\n  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %a, ptr align 8 %in, i64 %n, i1 false)`,
      size,
    );
    t.deepEqual(copied, plain.toSpliced(32, size, ...plain.slice(0, size)));
    const up = await left(
      `${at("a", 4)}\n  call void @llvm.memmove.p0.p0.i64(ptr align 4 %a, ptr align 4 %out, i64 %n, i1 false)`,
      size,
    );
    t.deepEqual(up, plain.toSpliced(4, size, ...plain.slice(0, size)));
    const down = await left(
      `${at("a", 4)}\n  call void @llvm.memmove.p0.p0.i64(ptr align 4 %out, ptr align 4 %a, i64 %n, i1 false)`,
      size,
    );
    t.deepEqual(down, plain.toSpliced(0, size, ...plain.slice(4, 4 + size)));
    const filled = await left("  call void @llvm.memset.p0.i64(ptr align 4 %out, i8 -7, i64 %n, i1 false)", size);
    t.deepEqual(filled, plain.toSpliced(0, size, ...new Array<number>(size).fill(249)));
  });
}

const codeOf = (size: string, align: number): string =>
  compile(
    `${head}${declarations}define void @f(ptr %to, ptr %from, i32 %x) {
  %size = ${size}
  %n = zext i32 %size to i64
  call void @llvm.memcpy.p0.p0.i64(ptr align ${align} %to, ptr align ${align} %from, i64 %n, i1 false)
  ret void
}
`,
  ).text;

test("a size that is provably a multiple needs no byte loop", (t) => {
  for (const size of ["shl i32 %x, 3", "mul i32 %x, 24", "and i32 %x, -8"]) {
    t.regex(codeOf(size, 8), /ld\.b64 %rd\d+, \[/, size);
    t.notRegex(codeOf(size, 8), /ld\.u8/, size);
  }
});

test("other sizes are copied by words with a byte tail; without alignment by bytes alone", (t) => {
  const words = codeOf("add i32 %x, 1", 4);
  t.regex(words, /ld\.b32[^]*ld\.u8/);
  t.notRegex(codeOf("add i32 %x, 1", 1), /ld\.b(?:32|64) %r\d+, \[%rd/);
});
