// What NVVM IR 1.0 lists as supported is valid in a module of version 1.0; what it lists as unsupported is refused.

import test from "ava";
import { diagnosticsOf } from "./support.js";

const version = "!nvvmir.version = !{!99}\n!99 = metadata !{i32 1, i32 0}\n";
const messages = (text: string): readonly string[] =>
  diagnosticsOf(text + version).map(({ code, message }) => `${code}: ${message}`);
const codes = (text: string): readonly string[] => diagnosticsOf(text + version).map(({ code }) => code);

/** Element types of sections 13.1 and 13.3. */
const elements = [
  ["i8", "i8"],
  ["i16", "i16"],
  ["i32", "i32"],
  ["i64", "i64"],
  ["f32", "float"],
  ["f64", "double"],
] as const;

const spaces = [
  ["global", 1],
  ["shared", 3],
  ["constant", 4],
  ["local", 5],
] as const;

test("every function of chapter 13 can be declared", (t) => {
  const conversions = spaces.flatMap(([name, space]) =>
    elements.flatMap(([short, type]) => [
      `declare ${type}* @llvm.nvvm.ptr.${name}.to.gen.p0${short}.p${space}${short}(${type} addrspace(${space})*)`,
      `declare ${type} addrspace(${space})* @llvm.nvvm.ptr.gen.to.${name}.p${space}${short}.p0${short}(${type}*)`,
    ]),
  );
  const atomics = ["", " addrspace(1)", " addrspace(3)"].flatMap((space, i) => {
    const number = [0, 1, 3][i];
    return [
      `declare float @llvm.nvvm.atomic.load.add.f32.p${number}f32(float${space}* %address, float %val)`,
      `declare i32 @llvm.nvvm.atomic.load.inc.32.p${number}i32(i32${space}* %address, i32 %val)`,
      `declare i32 @llvm.nvvm.atomic.load.dec.32.p${number}i32(i32${space}* %address, i32 %val)`,
    ];
  });
  const barriers = [
    "declare void @llvm.nvvm.barrier0()",
    ...["popc", "and", "or"].map((name) => `declare i32 @llvm.nvvm.barrier0.${name}(i32)`),
    ...["cta", "gl", "sys"].map((name) => `declare void @llvm.nvvm.membar.${name}()`),
  ];
  const registers = [
    ...["tid", "ntid", "ctaid", "nctaid"].flatMap((name) =>
      ["x", "y", "z"].map((axis) => `declare i32 @llvm.nvvm.read.ptx.sreg.${name}.${axis}()`),
    ),
    "declare i32 @llvm.nvvm.read.ptx.sreg.warpsize()",
  ];
  const handle = "declare i64 @llvm.nvvm.texsurf.handle.p1i64(metadata, i64 addrspace(1)*)";
  t.deepEqual(messages([...conversions, ...atomics, ...barriers, ...registers, handle, ""].join("\n")), []);
});

test("names are accepted as the specification misprints them, with a note", (t) => {
  const text = [
    "declare float @llvm.nvvm.atomic.load.add.f32.plf32(float addrspace(1)*, float)",
    "declare i32 @llvm.nvvm.atomic.load.inc.32.pli32(i32 addrspace(1)*, i32)",
    "declare i8* @llvm.nvvm.ptr.global.to.gen.p0i8.pli8(i8 addrspace(1)*)",
    "declare i8 addrspace(1)* @llvm.nvvm.ptr.gen.to.global.pli8.p0i8(i8*)",
    "",
  ];
  t.deepEqual(
    codes(text.join("\n")),
    Array.from({ length: 4 }, () => "nvvm-misprint"),
  );
});

test("functions of chapter 9 that are supported can be declared", (t) => {
  const text = [
    "declare void @llvm.memcpy.p0i8.p1i8.i64(i8*, i8 addrspace(1)*, i64, i32, i1)",
    "declare void @llvm.memmove.p0i8.p0i8.i32(i8*, i8*, i32, i32, i1)",
    "declare void @llvm.memset.p3i8.i64(i8 addrspace(3)*, i8, i64, i32, i1)",
    "declare float @llvm.sqrt.f32(float)",
    "declare <2 x double> @llvm.sqrt.v2f64(<2 x double>)",
    "declare double @llvm.fma.f64(double, double, double)",
    "declare i16 @llvm.bswap.i16(i16)",
    "declare i8 @llvm.ctpop.i8(i8)",
    "declare <4 x i32> @llvm.ctlz.v4i32(<4 x i32>, i1)",
    "declare i64 @llvm.cttz.i64(i64, i1)",
    "declare i16 @llvm.convert.to.fp16(float)",
    "declare float @llvm.convert.from.fp16(i16)",
    "declare void @llvm.dbg.declare(metadata, metadata)",
    "declare void @llvm.dbg.value(metadata, i64, metadata)",
    "declare void @llvm.lifetime.start(i64, i8*)",
    "declare void @llvm.lifetime.end(i64, i8*)",
    "declare {}* @llvm.invariant.start(i64, i8*)",
    "declare void @llvm.invariant.end({}*, i64, i8*)",
    "declare void @llvm.var.annotation(i8*, i8*, i8*, i32)",
    "declare i32 @llvm.annotation.i32(i32, i8*, i8*, i32)",
    "",
  ];
  t.deepEqual(messages(text.join("\n")), []);
});

const refused = [
  "declare void @llvm.va_start(i8*)",
  "declare void @llvm.gcroot(i8**, i8*)",
  "declare i8* @llvm.returnaddress(i32)",
  "declare i8* @llvm.stacksave()",
  "declare void @llvm.prefetch(i8*, i32, i32, i32)",
  "declare float @llvm.powi.f32(float, i32)",
  "declare float @llvm.sin.f32(float)",
  "declare float @llvm.cos.f32(float)",
  "declare float @llvm.pow.f32(float, float)",
  "declare float @llvm.exp.f32(float)",
  "declare float @llvm.log.f32(float)",
  "declare {i32, i1} @llvm.sadd.with.overflow.i32(i32, i32)",
  "declare i32 @llvm.eh.typeid.for(i8*)",
  "declare void @llvm.init.trampoline(i8*, i8*, i8*)",
  "declare void @llvm.trap()",
  "declare void @llvm.stackprotector(i8*, i8**)",
  "declare i32 @llvm.objectsize.i32(i8*, i1)",
  "declare <2 x i16> @llvm.bswap.v2i16(<2 x i16>)",
  "declare i24 @llvm.ctpop.i24(i24)",
];

test("functions of chapter 9 that are not supported are refused", (t) => {
  for (const line of refused) t.deepEqual(codes(`${line}\n`), ["nvvm-intrinsic"], line);
});

test("attributes of section 3.11: eight are supported, ten are not", (t) => {
  const supported = "alwaysinline inlinehint noreturn nounwind optsize readnone";
  t.deepEqual(codes(`declare void @f() ${supported}\ndeclare void @g() noinline readonly\n`), []);
  const others =
    "alignstack(8) nonlazybind naked noimplicitfloat noredzone returns_twice ssp sspreq uwtable address_safety";
  for (const name of others.split(" ")) t.deepEqual(codes(`declare void @f() ${name}\n`), ["nvvm-attribute"], name);
});

test("linkages of section 14.1", (t) => {
  for (const linkage of ["private", "internal", "linkonce", "linkonce_odr", "weak", "weak_odr", "available_externally"])
    t.deepEqual(codes(`define ${linkage} void @f() {\n  ret void\n}\n`), [], linkage);
  t.deepEqual(codes("@v = common addrspace(1) global i32 0\n"), []);
  for (const linkage of ["dllimport", "extern_weak"])
    t.deepEqual(codes(`declare ${linkage} void @f()\n`), ["nvvm-linkage"]);
});

test("unsupported types of chapter 4 are refused wherever they occur", (t) => {
  for (const type of ["half", "fp128", "x86_fp80", "ppc_fp128"])
    for (const text of [
      `declare void @f(${type})\n`,
      `declare { i32, [2 x <2 x ${type}>] } @f()\n`,
      `@v = external global ${type}*\n`,
      `define void @f(i8* %p) {\n  %q = bitcast i8* %p to ${type}*\n  ret void\n}\n`,
    ])
      t.deepEqual(codes(text), ["nvvm-type"], text);
});

test("both layouts of section 3.13 are valid, in any order, and so is a module without one", (t) => {
  const rest =
    "i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64";
  for (const bits of [32, 64]) {
    const layout = `e-p:${bits}:${bits}:${bits}-${rest}`;
    t.deepEqual(codes(`target datalayout = "${layout}"\n`), []);
    t.deepEqual(codes(`target datalayout = "${layout.split("-").reverse().join("-")}"\n`), []);
  }
  t.deepEqual(codes(""), []);
  t.deepEqual(codes(`target datalayout = "e-p:64:64:64-${rest.replace("f64:64:64", "f64:32:64")}"\n`), ["nvvm-layout"]);
  t.deepEqual(codes(`target datalayout = "E-p:64:64:64-${rest}"\n`), ["nvvm-layout"]);
});

test("the example of section 3.2.1, rule 8", (t) => {
  const text = (fields: string): string =>
    `%struct.S = type { i32, i32 }
define void @f(%struct.S (%struct.S*, %struct.S)* %fp1, %struct.S* %arg1p, %struct.S %arg2) {
  %call = call %struct.S %fp1(%struct.S* byval align 8 %arg1p, %struct.S %arg2), !callalign !10
  ret void
}
!10 = metadata !{${fields}}
`;
  t.deepEqual(messages(text("i32 8, i32 131080")), []);
  t.deepEqual(codes(text("i32 131080, i32 8")), ["nvvm-align"]);
  t.deepEqual(codes(text("i32 8, i32 65540")), ["nvvm-align"], "align of byval says 8");
});
