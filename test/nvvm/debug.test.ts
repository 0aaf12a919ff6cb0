// `!dbg` becomes `.file` and `.loc`, from the nodes of LLVM 3.2, of 3.3 and of current versions.

import test from "ava";
import { compile } from "./support.js";

/** `.file` and `.loc` lines, and the section of names. */
const locations = (ir: string): readonly string[] =>
  compile(ir).lines.filter((line) => /^\.(?:file|loc|section|b8)|^\$L__info/.test(line));

const version = (ir: string): string => compile(ir).lines[0]!;

test("DILocation: files are numbered by first use, and an unchanged location is not repeated", (t) => {
  const ir = `define void @f(ptr %p) !dbg !1 {
  store volatile i32 1, ptr %p, !dbg !4
  store volatile i32 2, ptr %p, !dbg !4
  store volatile i32 3, ptr %p
  store volatile i32 4, ptr %p, !dbg !5
  ret void, !dbg !6
}
!0 = !DIFile(filename: "a.cu", directory: "/src")
!1 = distinct !DISubprogram(name: "f", file: !0, line: 1)
!2 = !DIFile(filename: "/include/b.h", directory: "/src")
!3 = !DILexicalBlockFile(scope: !1, file: !2, discriminator: 0)
!4 = !DILocation(line: 7, column: 3, scope: !1)
!5 = !DILocation(line: 0, scope: !1)
!6 = !DILocation(line: 9, scope: !3)`;
  t.deepEqual(locations(ir), ['.file 1 "/src/a.cu"', '.file 2 "/include/b.h"', ".loc 1 7 3", ".loc 2 9 0"]);
  t.is(version(ir), ".version 6.3");
});

test("inlined calls are listed from the outermost in, with the name of the inlined function", (t) => {
  const ir = `define void @f(ptr %p) !dbg !1 {
  store volatile i32 1, ptr %p, !dbg !4
  ret void, !dbg !5
}
!0 = !DIFile(filename: "a.cu", directory: "")
!1 = distinct !DISubprogram(name: "f", file: !0)
!2 = distinct !DISubprogram(name: "g", linkageName: "_Z1gv", file: !0)
!3 = distinct !DISubprogram(name: "h", file: !0)
!4 = !DILocation(line: 30, column: 5, scope: !3, inlinedAt: !6)
!5 = !DILocation(line: 3, column: 1, scope: !1)
!6 = distinct !DILocation(line: 20, column: 5, scope: !2, inlinedAt: !7)
!7 = distinct !DILocation(line: 2, column: 5, scope: !1)`;
  t.deepEqual(locations(ir), [
    '.file 1 "a.cu"',
    ".loc 1 2 5",
    ".loc 1 20 5, function_name $L__info_string0, inlined_at 1 2 5",
    ".loc 1 30 5, function_name $L__info_string1, inlined_at 1 20 5",
    ".loc 1 3 1",
    ".section .debug_str",
    "$L__info_string0:",
    ".b8 95, 90, 49, 103, 118, 0",
    "$L__info_string1:",
    ".b8 104, 0",
  ]);
  t.is(version(ir), ".version 7.2");
});

/** A function with one location; `subprogram` and `block` are nodes in the form of a version of LLVM. */
const old = (subprogram: string, block: string, more: string): string => `define void @f(i32* %p) {
  store volatile i32 1, i32* %p, !dbg !1
  ret void, !dbg !1
}
!1 = metadata !{i32 14, i32 7, metadata !2, null}
!2 = metadata !{i32 786443, ${block}}
!3 = metadata !{i32 786478, ${subprogram}}
${more}`;

test("LLVM 3.2's nodes, by their tags", (t) => {
  const ir = old(
    'i32 0, metadata !4, metadata !"f", metadata !"f", metadata !"_Z1fPi", metadata !4, i32 3',
    "metadata !3, i32 4, i32 1, metadata !4, i32 0",
    '!4 = metadata !{i32 786473, metadata !"k.cu", metadata !"/src", null}',
  );
  t.deepEqual(locations(ir), ['.file 1 "/src/k.cu"', ".loc 1 14 7"]);
});

test("LLVM 3.3's nodes, which have the file second", (t) => {
  const ir = old(
    'metadata !5, metadata !4, metadata !"f", metadata !"f", metadata !"", i32 3',
    "metadata !5, metadata !3, i32 4, i32 1, i32 0",
    '!4 = metadata !{i32 786473, metadata !5}\n!5 = metadata !{metadata !"k.cu", metadata !"/src"}',
  );
  t.deepEqual(locations(ir), ['.file 1 "/src/k.cu"', ".loc 1 14 7"]);
});

test("nodes in cycles, and locations without a file, give no location", (t) => {
  const circle = `define void @f(ptr %p) {
  store volatile i32 1, ptr %p, !dbg !0
  ret void, !dbg !3
}
!0 = distinct !DILocation(line: 1, column: 1, scope: !1, inlinedAt: !0)
!1 = distinct !DILexicalBlock(scope: !2, file: !4)
!2 = distinct !DILexicalBlock(scope: !1, file: !4)
!3 = !DILocation(line: 4, column: 1, scope: !5)
!4 = !DIFile(filename: "a.cu", directory: "")
!5 = distinct !DISubprogram(name: "f")`;
  t.true(locations(circle).length > 0);
  t.false(locations(circle).some((line) => line.startsWith(".loc 1 4")));
});
