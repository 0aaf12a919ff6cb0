// Only what names need is kept of a library: references in bodies, values of variables, and aliases are followed.

import test from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { isDeviceLibrary, neededOf } from "../../lib/nvvm/library.js";
import { parseModule } from "../../lib/nvvm/text/parse.js";
import type { Module } from "../../lib/nvvm/ir/module.js";

const text = `
target triple = "nvptx64-nvidia-gpulibs"
@arch = private constant [12 x i8] c"__CUDA_ARCH\\00"
@table = internal global [2 x i32 ()*] [i32 ()* @first, i32 ()* @other]
@unused = global i32 1
@renamed = alias i32 (), i32 ()* @first
declare i32 @__nvvm_reflect(i8*)
declare i32 @outside()
define i32 @first() {
  ret i32 1
}
define i32 @other() {
  %a = call i32 @outside()
  ret i32 %a
}
define i32 @by_table(i64 %i) {
  %p = getelementptr [2 x i32 ()*], [2 x i32 ()*]* @table, i64 0, i64 %i
  %f = load i32 ()*, i32 ()** %p
  %r = call i32 %f()
  ret i32 %r
}
define i32 @by_arch() {
  %a = call i32 @__nvvm_reflect(i8* getelementptr ([12 x i8], [12 x i8]* @arch, i32 0, i32 0))
  %c = icmp sge i32 %a, 800
  br i1 %c, label %new, label %old
new:
  %r = call i32 @first()
  ret i32 %r
old:
  %s = call i32 @other()
  ret i32 %s
}
`;

function parse(): Module {
  const module = parseModule({ name: "lib.ll", bytes: Buffer.from(text) }, createSink());
  if (module === undefined) throw new Error("not parsed");
  return module;
}

/** What remains of the library for `names`, with linkage. */
function kept(arch: number | undefined, ...names: readonly string[]): readonly string[] {
  const reflect = arch === undefined ? undefined : { arch, ftz: false, precDiv: true, precSqrt: true };
  const sink = createSink();
  const part = neededOf(parse(), names, { reflect, others: "internal" }, sink);
  return [...part.globals.values()].map(({ name, linkage }) => `${linkage} ${name}`).toSorted();
}

test("NVIDIA's libraries are recognised by their triple", (t) => {
  t.true(isDeviceLibrary(parse()));
});

test("a function's callees come with it, and become internal", (t) => {
  t.deepEqual(kept(90, "by_arch"), ["external by_arch", "internal first"]);
  t.deepEqual(kept(75, "by_arch"), ["external by_arch", "external outside", "internal other"]);
});

test("code that options decide is kept where there are no options", (t) => {
  t.deepEqual(kept(undefined, "by_arch"), [
    "external __nvvm_reflect",
    "external by_arch",
    "external outside",
    "internal first",
    "internal other",
    "private arch",
  ].toSorted()); // prettier-ignore
});

test("functions in the values of variables, and behind aliases, are needed", (t) => {
  t.deepEqual(kept(90, "by_table"), [
    "external by_table",
    "external outside",
    "internal first",
    "internal other",
    "internal table",
  ]);
  t.deepEqual(kept(90, "renamed"), ["external renamed", "internal first"]);
  t.deepEqual(kept(90, "nobody"), []);
});
