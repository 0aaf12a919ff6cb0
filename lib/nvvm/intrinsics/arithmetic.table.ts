// llvm.nvvm intrinsics of arithmetic: one PTX instruction each (PTX ISA 9.7.1 to 9.7.5). How rows are written: row.ts.

import type { IntrinsicRow } from "./row.js";

const rounding = "<rn|rz|rm|rp>";
/** A row for each format of half precision, with its PTX name and its type. */
type HalfRow = (format: string, type: string) => IntrinsicRow;
const f16Rows = (row: HalfRow): readonly IntrinsicRow[] => [row("f16", "f16"), row("f16x2", "v2f16")];
const bf16Rows = (row: HalfRow): readonly IntrinsicRow[] => [row("bf16", "bf16"), row("bf16x2", "v2bf16")];

const binary = (operation: string): readonly IntrinsicRow[] => [
  {
    name: `nvvm.${operation}.${rounding}<|.ftz>.f`,
    type: "f32 (f32, f32)",
    ptx: `${operation}.<1><2>.f32 $d, $0, $1;`,
  },
  { name: `nvvm.${operation}.${rounding}.d`, type: "f64 (f64, f64)", ptx: `${operation}.<1>.f64 $d, $0, $1;` },
];

const unary = (operation: string): readonly IntrinsicRow[] => [
  { name: `nvvm.${operation}.${rounding}<|.ftz>.f`, type: "f32 (f32)", ptx: `${operation}.<1><2>.f32 $d, $0;` },
  { name: `nvvm.${operation}.${rounding}.d`, type: "f64 (f64)", ptx: `${operation}.<1>.f64 $d, $0;` },
];

/** Instructions with `.approx` alone, of f32. */
const approximate = (operation: string): IntrinsicRow => ({
  name: `nvvm.${operation}.approx<|.ftz>.f`,
  type: "f32 (f32)",
  ptx: `${operation}.approx<1>.f32 $d, $0;`,
});

/** Rounding to an integer in the same format. */
const integral = (operation: string, mode: string): readonly IntrinsicRow[] => [
  { name: `nvvm.${operation}<|.ftz>.f`, type: "f32 (f32)", ptx: `cvt.${mode}<1>.f32.f32 $d, $0;` },
  { name: `nvvm.${operation}.d`, type: "f64 (f64)", ptx: `cvt.${mode}.f64.f64 $d, $0;` },
];

const lengths = "<s=s16|us=u16|i=s32|ui=u32|ll=s64|ull=u64>";

const modifiers = "<|.ftz><|.nan=.NaN><|.xorsign.abs>";

export const arithmeticRows: readonly IntrinsicRow[] = [
  ...binary("add"),
  ...binary("mul"),
  ...binary("div"),
  { name: "nvvm.sub.<rn|rz|rm|rp><|.ftz>.f", type: "f32 (f32, f32)", ptx: "sub.<1><2>.f32 $d, $0, $1;" },
  { name: "nvvm.sub.<rn|rz|rm|rp>.d", type: "f64 (f64, f64)", ptx: "sub.<1>.f64 $d, $0, $1;" },
  { name: "nvvm.div.approx<|.ftz>.f", type: "f32 (f32, f32)", ptx: "div.approx<1>.f32 $d, $0, $1;" },
  { name: "nvvm.div.full<|.ftz>", type: "f32 (f32, f32)", ptx: "div.full<1>.f32 $d, $0, $1;" },
  {
    name: `nvvm.fma.${rounding}<|.ftz>.f`,
    type: "f32 (f32, f32, f32)",
    ptx: "fma.<1><2>.f32 $d, $0, $1, $2;",
  },
  { name: `nvvm.fma.${rounding}.d`, type: "f64 (f64, f64, f64)", ptx: "fma.<1>.f64 $d, $0, $1, $2;" },
  ...f16Rows((format, type) => ({
    name: `nvvm.fma.rn<|.ftz><|.sat|.relu>.${format}`,
    type: `${type} (${type}, ${type}, ${type})`,
    ptx: `fma.rn<1><2>.${format} $d, $0, $1, $2;`,
  })),
  ...bf16Rows((format, type) => ({
    name: `nvvm.fma.rn<|.relu>.${format}`,
    type: `${type} (${type}, ${type}, ${type})`,
    ptx: `fma.rn<1>.${format} $d, $0, $1, $2;`,
  })),
  ...unary("rcp"),
  ...unary("sqrt"),
  { name: "nvvm.rcp.approx.ftz.<f=f32|d=f64>", type: "<1> (<1>)", ptx: "rcp.approx.ftz.<1> $d, $0;" },
  { name: "nvvm.sqrt.approx<|.ftz>.f", type: "f32 (f32)", ptx: "sqrt.approx<1>.f32 $d, $0;" },
  { name: "nvvm.sqrt.f", type: "f32 (f32)", ptx: "sqrt.<sqrt><ftz>.f32 $d, $0;" },
  { name: "nvvm.rsqrt.approx<|.ftz>.<f=f32|d=f64>", type: "<2> (<2>)", ptx: "rsqrt.approx<1>.<2> $d, $0;" },
  approximate("ex2"),
  approximate("lg2"),
  approximate("sin"),
  approximate("cos"),
  ...f16Rows((format, type) => ({
    name: `nvvm.ex2.approx.${format}`,
    type: `${type} (${type})`,
    ptx: `ex2.approx.${format} $d, $0;`,
  })),
  { name: "nvvm.tanh.approx.<f|f32>", type: "f32 (f32)", ptx: "tanh.approx.f32 $d, $0;" },
  ...[f16Rows, bf16Rows].flatMap((rows) =>
    rows((format, type) => ({
      name: `nvvm.tanh.approx.${format}`,
      type: `${type} (${type})`,
      ptx: `tanh.approx.${format} $d, $0;`,
    })),
  ),
  ...integral("floor", "rmi"),
  ...integral("ceil", "rpi"),
  ...integral("trunc", "rzi"),
  ...integral("round", "rni"),
  { name: "nvvm.saturate<|.ftz>.f", type: "f32 (f32)", ptx: "cvt.sat<1>.f32.f32 $d, $0;" },
  { name: "nvvm.saturate.d", type: "f64 (f64)", ptx: "cvt.sat.f64.f64 $d, $0;" },
  { name: "nvvm.fabs<|.ftz>.<f|f32>", type: "f32 (f32)", ptx: "abs<1>.f32 $d, $0;" },
  { name: "nvvm.fabs.<d|f64>", type: "f64 (f64)", ptx: "abs.f64 $d, $0;" },
  { name: "nvvm.fabs<|.ftz>.f16", type: "f16 (f16)", ptx: "abs<1>.f16 $d, $0;" },
  { name: "nvvm.fabs<|.ftz>.v2f16", type: "v2f16 (v2f16)", ptx: "abs<1>.f16x2 $d, $0;" },
  ...bf16Rows((format, type) => ({
    name: `nvvm.<fabs=abs|abs|neg>.<${format}|${type}>`,
    type: `${type} (${type})`,
    ptx: `<1>.${format} $d, $0;`,
  })),
  // Least and greatest.
  { name: `nvvm.f<min|max>${modifiers}.f`, type: "f32 (f32, f32)", ptx: "<1><2><3><4>.f32 $d, $0, $1;" },
  { name: "nvvm.f<min|max>.d", type: "f64 (f64, f64)", ptx: "<1>.f64 $d, $0, $1;" },
  ...f16Rows((format, type) => ({
    name: `nvvm.f<min|max>${modifiers}.${format}`,
    type: `${type} (${type}, ${type})`,
    ptx: `<1><2><3><4>.${format} $d, $0, $1;`,
  })),
  ...bf16Rows((format, type) => ({
    name: `nvvm.f<min|max><|.nan=.NaN><|.xorsign.abs>.${format}`,
    type: `${type} (${type}, ${type})`,
    ptx: `<1><2><3>.${format} $d, $0, $1;`,
  })),
  { name: "nvvm.<min|max>.<i=s32|ui=u32|ll=s64|ull=u64>", type: "<2> (<2>, <2>)", ptx: "<1>.<2> $d, $0, $1;" },
  { name: "nvvm.<min|max>.<s=s16|us=u16>", type: "<2> (<2>, <2>)", ptx: "<1>.<2> $d, $0, $1;" },
  { name: "nvvm.abs.<i=s32|ll=s64>", type: "<1> (<1>)", ptx: "abs.<1> $d, $0;" },
  // Integers.
  { name: `nvvm.mulhi.${lengths}`, type: "<1> (<1>, <1>)", ptx: "mul.hi.<1> $d, $0, $1;" },
  { name: "nvvm.mul24.<i=s32|ui=u32>", type: "<1> (<1>, <1>)", ptx: "mul24.lo.<1> $d, $0, $1;" },
  { name: `nvvm.sad.${lengths}`, type: "<1> (<1>, <1>, <1>)", ptx: "sad.<1> $d, $0, $1, $2;" },
  { name: "nvvm.prmt", type: "i32 (i32, i32, i32)", ptx: "prmt.b32 $d, $0, $1, $2;" },
  { name: "nvvm.prmt.<f4e|b4e>", type: "i32 (i32, i32, i32)", ptx: "prmt.b32.<1> $d, $0, $1, $2;" },
  { name: "nvvm.prmt.<rc8|ecl|ecr|rc16>", type: "i32 (i32, i32)", ptx: "prmt.b32.<1> $d, $0, 0, $1;" },
  { name: "nvvm.popc.i", type: "i32 (i32)", ptx: "popc.b32 $d, $0;" },
  { name: "nvvm.popc.ll", type: "i32 (i64)", ptx: "popc.b64 $d, $0;" },
  { name: "nvvm.clz.i", type: "i32 (i32)", ptx: "clz.b32 $d, $0;" },
  { name: "nvvm.clz.ll", type: "i32 (i64)", ptx: "clz.b64 $d, $0;" },
  { name: "nvvm.brev<32=b32|64=b64>", type: "<1> (<1>)", ptx: "brev.<1> $d, $0;" },
  { name: "nvvm.rotate.b32", type: "i32 (i32, i32)", ptx: "shf.l.wrap.b32 $d, $0, $0, $1;" },
  {
    name: "nvvm.rotate<=add|.right=sub>.b64",
    type: "i64 (i64, i32)",
    // Left by n, then right by the rest of 64; a rotation to the right is one to the left by 64 - n.
    ptx:
      "{ .reg .b64 %a, %b; .reg .b32 %n; <1>.s32 %n, 0, $1; and.b32 %n, %n, 63; shl.b64 %a, $0, %n; " +
      "sub.s32 %n, 64, %n; shr.u64 %b, $0, %n; or.b64 $d, %a, %b; }",
  },
  {
    name: "nvvm.swap.lo.hi.b64",
    type: "i64 (i64)",
    ptx: "{ .reg .b32 %a, %b; mov.b64 {%a, %b}, $0; mov.b64 $d, {%b, %a}; }",
  },
  {
    name: "nvvm.idp4a.<s=s32|u=u32>.<s=s32|u=u32>",
    type: "i32 (i32, i32, i32)",
    ptx: "dp4a.<1>.<2> $d, $0, $1, $2;",
  },
  {
    name: "nvvm.idp2a.<s=s32|u=u32>.<s=s32|u=u32>",
    type: "i32 (i32, i32, i1!, i32)",
    ptx: "dp2a<?2:.hi><!2:.lo>.<1>.<2> $d, $0, $1, $3;",
  },
  { name: "nvvm.fsh<l|r>.clamp*", type: "I (I, I, I)", ptx: { i32: "shf.<1>.clamp.b32 $d, $1, $0, $2;" } },
  {
    name: "nvvm.flo.<s|u>*",
    type: "i32 (I, i1!)",
    ptx: { i32: "bfind<?1:.shiftamt>.<1>32 $d, $0;", i64: "bfind<?1:.shiftamt>.<1>64 $d, $0;" },
  },
  {
    name: "nvvm.<sext=s32|zext=u32>.<wrap|clamp>",
    type: "i32 (i32, i32)",
    ptx: "szext.<2>.<1> $d, $0, $1;",
  },
  { name: "nvvm.bmsk.<wrap|clamp>", type: "i32 (i32, i32)", ptx: "bmsk.<1>.b32 $d, $0, $1;" },
  { name: "nvvm.fns", type: "i32 (i32, i32, i32)", ptx: "fns.b32 $d, $0, $1, $2;" },
];
