// Functions of NVVM IR as PTX: linkage, prototypes, directives, aliases, and the places of generated code (NVVM IR 1.0
// sections 3.6, 3.7, 11.3 and 14).

import test from "ava";
import { checkSource } from "../../lib/check/check.js";
import { createSink } from "../../lib/diag/sink.js";
import { placeOf } from "../../lib/ptx/source.js";
import { compile } from "./support.js";

/** Lines outside of bodies. */
const heads = (ir: string, arch?: string): readonly string[] =>
  compile(ir, arch === undefined ? {} : { arch })
    .text.replaceAll(/\{\n[^]*?\n\}\n\n/g, "{}\n")
    .split("\n")
    .filter((line) => line !== "")
    .slice(3);

const header = (ir: string, arch?: string): string =>
  compile(ir, arch === undefined ? {} : { arch })
    .lines.slice(0, 3)
    .join(" ");

test("linkage of functions is the directive of section 14.1", (t) => {
  const of = (linkage: string): string | undefined => heads(`define ${linkage} void @f() { ret void }`)[0];
  t.deepEqual(["internal", "private", "", "weak", "weak_odr", "linkonce", "linkonce_odr"].map(of), [
    ".func f()",
    ".func f()",
    ".visible .func f()",
    ...Array<string>(4).fill(".weak .func f()"),
  ]);
});

test("functions called before their definition, or never defined, are declared; uncalled ones are not", (t) => {
  const ir = `declare void @ext(i8 signext, double)
declare void @unused()
define void @a() {
  call void @b()
  call void @ext(i8 1, double 0.0)
  ret void
}
define internal void @b() {
  call void @b()
  call void @a()
  ret void
}
define available_externally void @c() { ret void }
define void @d() {
  call void @c()
  ret void
}`;
  t.deepEqual(heads(ir), [
    ".extern .func ext(.param .b32 ext_param_0, .param .b64 ext_param_1);",
    ".func b();",
    ".extern .func c();",
    ".visible .func a()",
    "{}",
    ".func b()",
    "{}",
    ".visible .func d()",
    "{}",
  ]);
});

test("annotations, string attributes and the convention make kernels and their directives", (t) => {
  const ir = `define void @k(i8 %a, ptr addrspace(3) align 16 %b) { ret void }
define ptx_kernel void @l() #0 { ret void }
define void @m() { ret void }
attributes #0 = { "nvvm.maxntid"="128,2" "nvvm.minctasm"="3" "nvvm.maxnreg"="40" }
!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr @k, !"kernel", i32 1, !"reqntidx", i32 64}
!1 = !{ptr @k, !"cluster_dim_x", i32 2, !"maxclusterrank", i32 8}
!2 = !{ptr @m, !"kernel", i32 0}`;
  t.deepEqual(heads(ir, "sm_90"), [
    ".visible .entry k(.param .u8 k_param_0, .param .u64 .ptr .shared .align 16 k_param_1)",
    ".reqntid 64, 1, 1",
    ".explicitcluster",
    ".reqnctapercluster 2, 1, 1",
    ".maxclusterrank 8",
    "{}",
    ".visible .entry l()",
    ".maxntid 128, 2, 1",
    ".minnctapersm 3",
    ".maxnreg 40",
    "{}",
    ".visible .func m()",
    "{}",
  ]);
  // Clusters need sm_90.
  t.deepEqual(heads(ir, "sm_80").slice(0, 3), [
    ".visible .entry k(.param .u8 k_param_0, .param .u64 .ptr .shared .align 16 k_param_1)",
    ".reqntid 64, 1, 1",
    "{}",
  ]);
});

test("align annotations are the alignments of parameters and results", (t) => {
  const ir = `%s = type { i32, i32 }
define %s @f(i32 %a, %s %b) { ret %s %b }
!nvvm.annotations = !{!0}
!0 = !{%s (i32, %s)* @f, !"align", i32 16, !"align", i32 131080}`;
  t.is(
    heads(ir)[0],
    ".visible .func (.param .align 16 .b8 func_retval0[8]) f(.param .b32 f_param_0, .param .align 8 .b8 f_param_1[8])",
  );
});

test("properties that other modules give a name apply to its definition; two different values are an error", (t) => {
  const ir = 'define void @k() { ret void }\n!nvvm.annotations = !{!0}\n!0 = !{void ()* @k, !"maxntidx", i32 32}';
  const kernel = { name: "kernel", value: 1, file: "b.ll" };
  const merged = compile(ir, { annotations: { k: [kernel, { name: "maxntidx", value: 32, file: "b.ll" }] } });
  t.deepEqual(merged.lines.slice(3, 5), [".visible .entry k()", ".maxntid 32, 1, 1"]);
  const { found } = compile(ir, { annotations: { k: [kernel, { name: "maxntidx", value: 64, file: "b.ll" }] } });
  t.is(found[0]?.code, "nvvm-annotation");
  t.is(found[0]?.message, "'k' has the property 'maxntidx' of 32 here, and of 64 in b.ll");
  t.is(found[0]?.place?.column, 13);
});

test("an annotation of a declaration is reported for a module that is compiled alone", (t) => {
  const ir = 'declare void @k()\n!nvvm.annotations = !{!0}\n!0 = !{void ()* @k, !"kernel", i32 1}';
  t.deepEqual(compile(ir).found, []);
  const { found } = compile(ir, { alone: true });
  t.deepEqual(
    found.map(({ code, severity, place }) => [code, severity, place?.line]),
    [["nvvm-annotation-elsewhere", "warning", 1]],
  );
});

test("functions that never return are marked .noreturn", (t) => {
  const ir = "declare void @stop() noreturn\ndefine void @f() {\n call void @stop()\n unreachable\n}";
  t.deepEqual(heads(ir).slice(0, 2), [".extern .func stop()", ".noreturn;"]);
  t.is(header(ir), ".version 6.4 .target sm_75 .address_size 64");
});

test("an alias of a function becomes an .alias, declared before its uses", (t) => {
  const ir = `define internal void @f() { ret void }
@a = alias void (), void ()* @f
@b = internal alias void (), void ()* @a
define void @g() {
  call void @a()
  ret void
}`;
  const made = heads(ir);
  t.deepEqual(made.slice(0, 2), [".visible .func a();", ".func b();"]);
  t.deepEqual(made.slice(-2), [".alias a, f;", ".alias b, f;"]);
  t.deepEqual(checked(ir), []);
});

/** Diagnostics of the PTX checker for the generated PTX. */
function checked(ir: string): readonly string[] {
  const sink = createSink();
  checkSource({ name: "a.ll", bytes: Buffer.from(ir) }, sink);
  return sink.all.map(({ code, message }) => `${code}: ${message}`);
}

test("the target is that of the options, else the newest of the functions, else sm_75", (t) => {
  const of = (cpu: string) => `define void @f() "target-cpu"="${cpu}" { ret void }`;
  t.is(header(of("sm_90")), ".version 7.8 .target sm_90 .address_size 64");
  t.is(header(of("sm_90"), "sm_80"), ".version 7.0 .target sm_80 .address_size 64");
  t.is(header(of("sm_52")), ".version 6.3 .target sm_75 .address_size 64");
  t.is(header(of("gfx90a")), ".version 6.3 .target sm_75 .address_size 64");
  t.is(header("@a = addrspace(1) global i32 0"), ".version 6.3 .target sm_75 .address_size 64");
});

test("a layout or triple of 32 bits makes PTX of 32-bit addresses", (t) => {
  const ir = "@a = global i32 1\n@p = global i32* getelementptr (i32, i32* @a, i32 1)";
  const layout = 'target datalayout = "e-p:32:32:32-i64:64:64-n16:32:64"\n';
  for (const first of [layout, 'target triple = "nvptx-nvidia-cuda"\n']) {
    const { lines, found } = compile(first + ir);
    t.deepEqual(
      found.map(({ code, place }) => [code, place?.line]),
      [["nvvm-32-bit", 1]],
    );
    t.is(lines[2], ".address_size 32");
    t.is(lines[4], ".visible .global .align 4 .u32 p = generic(a)+4;");
  }
});

test("module assembly follows the header, and its faults are located in its string", (t) => {
  const ir = 'module asm ".global .u32 ok;"\nmodule asm ".global .u32 bad"\nmodule asm "  = %r1;"\n';
  t.deepEqual(compile(ir).lines.slice(3), [".global .u32 ok;", ".global .u32 bad", "  = %r1;"]);
  const sink = createSink();
  checkSource({ name: "a.ll", bytes: Buffer.from(ir) }, sink);
  const place = sink.all[0]?.place;
  t.deepEqual([place?.file, place?.line, place?.column], ["a.ll", 3, ir.split("\n")[2]!.indexOf("%") + 1]);
});

test("each line of a body has the location of its instruction", (t) => {
  const ir = "define i32 @f(i32 %a) {\n  %b = mul i32 %a, 7\n  ret i32 %b\n}\n";
  const { source, text } = compile(ir);
  const at = (what: string) => {
    const start = text.indexOf(what);
    const { line, column } = placeOf(source, { start, end: start + what.length });
    return `${line}:${column}`;
  };
  t.deepEqual([at("mul."), at("ret;"), at(".visible .func")], ["2:3", "3:3", "1:1"]);
});

test("a call finds a name whose escape begins with a digit", (t) => {
  const { lines } = compile(`declare void @"foo-1bar"()\ndefine void @f() {\n  call void @"foo-1bar"()\n  ret void\n}`);
  t.true(lines.includes("call foo_$2d_1bar;"), lines.join("\n"));
});

test("names of JavaScript's built-in properties are ordinary names", (t) => {
  const text = compile(`define void @constructor(i32* %p) "constructor"="1" "toString" {
  %x = load atomic i32, i32* %p syncscope("constructor") acquire, align 4
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{void (i32*)* @constructor, !"hasOwnProperty", i32 1, !"toString", i32 1}
`).text;
  t.regex(text, /\.visible \.func constructor\(/);
  t.regex(text, /ld\.acquire\.sys/);
});
