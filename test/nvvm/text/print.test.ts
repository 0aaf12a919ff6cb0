// Printed text is read as the same module, in each spelling, and llvm-as accepts it if it is installed.

import { spawnSync } from "node:child_process";
import test from "ava";
import { createSink } from "../../../lib/diag/sink.js";
import type { Module } from "../../../lib/nvvm/ir/module.js";
import { parseModule } from "../../../lib/nvvm/text/parse.js";
import { printModule, type PrintOptions } from "../../../lib/nvvm/text/print.js";
import { dialectA, dialectB, dialectC } from "./modules.js";
import { installed, testWith } from "../../tools.js";

function parse(text: string): Module {
  const sink = createSink();
  const module = parseModule({ name: "a.ll", bytes: Buffer.from(text, "latin1") }, sink);
  if (module === undefined)
    throw new Error(sink.all.map(({ message, place }) => `${place?.line}: ${message}`).join("\n"));
  return module;
}

/** Without what the tree does not keep completely. */
const printable: Readonly<Record<string, string>> = {
  A: dialectA.replace("  unwind\n", "  unreachable\n"),
  B: dialectB.replace(/; <label>:20[^]*?(?=other:)/, "").replace('[ "deopt"(i32 1) ]', ""),
  C: dialectC,
};

const tool = "llvm-as-14";

/** The messages of llvm-as; "" if it accepts the text. */
function askTool(text: string, { opaque }: PrintOptions): string {
  const args = ["-disable-verify", ...(opaque ? ["-opaque-pointers"] : []), "-o", "/dev/null", "-"];
  return spawnSync(tool, args, { input: Buffer.from(text, "latin1"), encoding: "utf8" }).stderr;
}

const spellings: readonly (readonly [name: string, options: PrintOptions])[] = [
  ["A", { version: 14, opaque: false, upgrade: true }],
  ["A", { version: 14, opaque: true, upgrade: true }],
  ["A", { version: 7, opaque: false, upgrade: true }],
  ["B", { version: 14, opaque: false, upgrade: false }],
  ["B", { version: 14, opaque: true, upgrade: false }],
  ["B", { version: 7, opaque: false, upgrade: true }],
  ["C", { version: 20, opaque: true, upgrade: false }],
];

for (const [name, options] of spellings) {
  const how = `LLVM ${options.version}, ${options.opaque ? "opaque" : "typed"}${options.upgrade ? ", upgraded" : ""}`;
  test(`dialect ${name} printed (${how}) is read back as the same`, (t) => {
    const text = printModule(parse(printable[name]!), options)!;
    const again = parse(text);
    t.is(printModule(again, options), text);
    t.is(again.spellings.first, undefined, "nothing of 1.0 is left");
    for (const { body } of again.functions) t.is(body?.read(createSink())?.spellings?.first, undefined);
  });
  if (options.version === 14)
    testWith(installed(tool))(`dialect ${name} printed (${how}) is accepted by llvm-as`, (t) => {
      t.is(askTool(printModule(parse(printable[name]!), options)!, options), "");
    });
}

test("numbers, names and constants are printed as they were read", (t) => {
  const text = printModule(
    parse(`@0 = global float 0x7FF0000020000000
@"a b" = global <{ i8, half }> <{ i8 -1, half 0xH7C01 }>
@c = constant [3 x i8] c"a\\22\\00"
@d = global i8* getelementptr inbounds ([3 x i8], [3 x i8]* @c, i32 0, i64 add nuw nsw (i64 0, i64 1))
define i32 @f(i32, i32 %x) {
  %2 = add nsw i32 %0, %x
  br label %4
4:
  %"7" = mul i32 %2, 3
  ret i32 %"7"
}
`),
    { version: 14, opaque: false, upgrade: false },
  );
  t.is(
    text,
    `@0 = global float 0x7FF0000020000000
@"a b" = global <{ i8, half }> <{ i8 -1, half 0xH7C01 }>
@c = constant [3 x i8] c"a\\22\\00"
@d = global i8* getelementptr inbounds ([3 x i8], [3 x i8]* @c, i32 0, i64 add nuw nsw (i64 0, i64 1))
define i32 @f(i32, i32 %x) {
  %2 = add nsw i32 %0, %x
  br label %3
3:
  %"7" = mul i32 %2, 3
  ret i32 %"7"
}
`,
  );
});

test("NVVM IR 1.0 becomes 2.0", (t) => {
  const text = printModule(
    parse(`target triple = "nvptx64-unknown-cuda"
define i32 @f(i32* %p, float %x) {
  %old = cmpxchg i32* %p, i32 1, i32 2 release
  %half = call i16 @llvm.convert.to.fp16(float %x)
  %q = bitcast i32* %p to i32 addrspace(1)*
  ret i32 %old
}
declare i16 @llvm.convert.to.fp16(float)
`),
    { version: 7, opaque: false, upgrade: true },
  )!;
  t.true(text.includes('target triple = "nvptx64-nvidia-cuda"'));
  t.regex(
    text,
    /%pair.0 = cmpxchg i32\* %p, i32 1, i32 2 release monotonic\n {2}%old = extractvalue \{ i32, i1 \} %pair.0, 0/,
  );
  t.regex(text, /call i16 @llvm.convert.to.fp16.f32\(float %x\)/);
  t.regex(text, /addrspacecast i32\* %p to i32 addrspace\(1\)\*/);
  t.regex(text, /!nvvmir.version = !\{!0\}\n!0 = !\{i32 2, i32 0\}/);
});

test("metadata strings stay metadata strings", (t) => {
  const text = `!named = !{!0}
!0 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "p", baseType: !"_ZTS1A")
`;
  t.is(printModule(parse(text), { version: 14, opaque: false, upgrade: false }), text);
});

test("opaque pointers are not printed as typed ones, and incomplete trees are refused", (t) => {
  t.is(printModule(parse(dialectC), { version: 14, opaque: false, upgrade: false }), undefined);
  t.is(printModule(parse(dialectB), { version: 14, opaque: false, upgrade: false }), undefined);
});
