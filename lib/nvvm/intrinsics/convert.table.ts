// llvm.nvvm conversions (PTX ISA 9.7.9.21, cvt) and moves of bits. How rows are written: row.ts.

import type { IntrinsicRow } from "./row.js";

/** To an integer: the rounding modes end in i. */
const toInteger = "<rn=rni|rz=rzi|rm=rmi|rp=rpi>";
const rounding = "<rn|rz|rm|rp>";
const integers = "<i=s32|ui=u32|ll=s64|ull=u64>";

/** Two f32 into one register of eight-bit, six-bit or four-bit formats. */
const packed = (format: string, suffix: string): readonly IntrinsicRow[] => [
  {
    name: `nvvm.ff.to.${format}.rn<|.relu>${suffix}`,
    type: "i16 (f32, f32)",
    ptx: `cvt.rn.satfinite<1>.${format}.f32 $d, $0, $1;`,
  },
  {
    name: `nvvm.${format}.to.f16x2.rn<|.relu>`,
    type: "v2f16 (i16)",
    ptx: `cvt.rn<1>.f16x2.${format} $d, $0;`,
  },
];

export const convertRows: readonly IntrinsicRow[] = [
  { name: `nvvm.d2f.${rounding}<|.ftz>`, type: "f32 (f64)", ptx: "cvt.<1><2>.f32.f64 $d, $0;" },
  { name: `nvvm.d2${integers}.${toInteger}`, type: "<1> (f64)", ptx: "cvt.<2>.<1>.f64 $d, $0;" },
  { name: `nvvm.f2${integers}.${toInteger}<|.ftz>`, type: "<1> (f32)", ptx: "cvt.<2><3>.<1>.f32 $d, $0;" },
  { name: `nvvm.${integers}2<f=f32|d=f64>.${rounding}`, type: "<2> (<1>)", ptx: "cvt.<3>.<2>.<1> $d, $0;" },
  { name: "nvvm.d2i.lo", type: "i32 (f64)", ptx: "{ .reg .b32 %t; mov.b64 {$d, %t}, $0; }" },
  { name: "nvvm.d2i.hi", type: "i32 (f64)", ptx: "{ .reg .b32 %t; mov.b64 {%t, $d}, $0; }" },
  { name: "nvvm.lohi.i2d", type: "f64 (i32, i32)", ptx: "mov.b64 $d, {$0, $1};" },
  { name: "nvvm.bitcast.f2i", type: "i32 (f32)", ptx: "mov.b32 $d, $0;" },
  { name: "nvvm.bitcast.i2f", type: "f32 (i32)", ptx: "mov.b32 $d, $0;" },
  { name: "nvvm.bitcast.d2ll", type: "i64 (f64)", ptx: "mov.b64 $d, $0;" },
  { name: "nvvm.bitcast.ll2d", type: "f64 (i64)", ptx: "mov.b64 $d, $0;" },
  { name: "nvvm.f2h.rn<|.ftz>", type: "i16 (f32)", ptx: "cvt.rn<1>.f16.f32 $d, $0;" },
  { name: "nvvm.h2f", type: "f32 (i16)", ptx: "cvt.f32.f16 $d, $0;" },
  // Half precision.
  { name: "nvvm.f2bf16.<rn|rz><|.relu>", type: "bf16 (f32)", ptx: "cvt.<1><2>.bf16.f32 $d, $0;" },
  { name: "nvvm.f2f16.<rn|rz><|.relu>", type: "f16 (f32)", ptx: "cvt.<1><2>.f16.f32 $d, $0;" },
  { name: "nvvm.ff2bf16x2.<rn|rz><|.relu>", type: "v2bf16 (f32, f32)", ptx: "cvt.<1><2>.bf16x2.f32 $d, $0, $1;" },
  { name: "nvvm.ff2f16x2.<rn|rz><|.relu>", type: "v2f16 (f32, f32)", ptx: "cvt.<1><2>.f16x2.f32 $d, $0, $1;" },
  { name: "nvvm.f2tf32.rna<|.satfinite>", type: "i32 (f32)", ptx: "cvt.rna<1>.tf32.f32 $d, $0;" },
  {
    name: "nvvm.f2tf32.<rn|rz><|.relu><|.satfinite>",
    type: "i32 (f32)",
    // In PTX satfinite precedes relu.
    ptx: "cvt.<1><3><2>.tf32.f32 $d, $0;",
  },
  // Eight bits and fewer.
  ...packed("e4m3x2", ""),
  ...packed("e5m2x2", ""),
  ...packed("e2m3x2", ".satfinite"),
  ...packed("e3m2x2", ".satfinite"),
  {
    name: "nvvm.f16x2.to.<e4m3x2|e5m2x2>.rn<|.relu>",
    type: "i16 (v2f16)",
    ptx: "cvt.rn.satfinite<2>.<1>.f16x2 $d, $0;",
  },
  {
    name: "nvvm.ff.to.e2m1x2.rn<|.relu>.satfinite",
    type: "i16 (f32, f32)",
    ptx: "{ .reg .b8 %t; cvt.rn.satfinite<1>.e2m1x2.f32 %t, $0, $1; cvt.u16.u8 $d, %t; }",
  },
  {
    name: "nvvm.e2m1x2.to.f16x2.rn<|.relu>",
    type: "v2f16 (i16)",
    ptx: "{ .reg .b8 %t; cvt.u8.u16 %t, $0; cvt.rn<1>.f16x2.e2m1x2 $d, %t; }",
  },
  {
    name: "nvvm.ff.to.ue8m0x2.<rz|rp><|.satfinite>",
    type: "i16 (f32, f32)",
    ptx: "cvt.<1><2>.ue8m0x2.f32 $d, $0, $1;",
  },
  {
    name: "nvvm.bf16x2.to.ue8m0x2.<rz|rp><|.satfinite>",
    type: "i16 (v2bf16)",
    ptx: "cvt.<1><2>.ue8m0x2.bf16x2 $d, $0;",
  },
  { name: "nvvm.ue8m0x2.to.bf16x2", type: "v2bf16 (i16)", ptx: "cvt.rn.bf16x2.ue8m0x2 $d, $0;" },
  // Moves, which NVIDIA's compilers insert between their passes.
  { name: "nvvm.move.<i16|i32|i64|float=f32|double=f64>", type: "<1> (<1>)", does: "value" },
  { name: "nvvm.move.ptr*", type: "P (P)", does: "value" },
  { name: "nvvm.internal.addrspace.wrap*", type: "S (T)", does: "value" },
];
