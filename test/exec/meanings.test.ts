// Results of single instructions at the edges of their types, taken from the text of the PTX ISA.

import test from "ava";
import { type Case, evaluate } from "./kernel.js";

type Row = readonly [
  text: string,
  kinds: string,
  ...lanes: (readonly [expected: bigint | number, ...operands: (bigint | number)[]])[],
];

const f32 = (x: number): bigint => {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, x);
  return BigInt(view.getUint32(0));
};
const f64 = (x: number): bigint => {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  return view.getBigUint64(0);
};
const u32 = (x: number): bigint => BigInt(x >>> 0);
const u64 = (x: bigint): bigint => BigInt.asUintN(64, x);
const NAN32 = 0x7fffffffn;
const most32 = 0x7fffffffn;
const least32 = 0x80000000n;

const rows: readonly Row[] = [
  ["add.s32 d, a, b", "b32 b32 b32", [least32, most32, 1], [0, u32(-1), 1]],
  ["add.sat.s32 d, a, b", "b32 b32 b32", [most32, most32, 1], [least32, least32, u32(-1)], [5, 2, 3]],
  ["add.s64 d, a, b", "b64 b64 b64", [0x100000000n, 0xffffffffn, 1], [0, u64(-1n), 1], [u64(-3n), u64(-5n), 2]],
  ["sub.s64 d, a, b", "b64 b64 b64", [u64(-1n), 0, 1], [0xffffffffn, 0x100000000n, 1]],
  ["add.u16 d, a, b", "b16 b16 b16", [0, 0xffff, 1]],
  ["add.s16x2 d, a, b", "b32 b32 b32", [0x0000ffffn, 0xffff7fffn, 0x00018000n]],
  ["mul.lo.s32 d, a, b", "b32 b32 b32", [u32(-6), 2, u32(-3)], [0, 0x10000, 0x10000]],
  ["mul.hi.s32 d, a, b", "b32 b32 b32", [u32(-1), 2, u32(-3)], [1, 0x10000, 0x10000]],
  ["mul.hi.u32 d, a, b", "b32 b32 b32", [0xfffffffen, u32(-1), u32(-1)]],
  ["mul.lo.s64 d, a, b", "b64 b64 b64", [u64(-6n), 2, u64(-3n)], [0xfffffffe00000001n, 0xffffffffn, 0xffffffffn]],
  ["mul.hi.u64 d, a, b", "b64 b64 b64", [u64(-2n), u64(-1n), u64(-1n)]],
  ["mul.wide.s32 d, a, b", "b64 b32 b32", [u64(-6n), 2, u32(-3)], [0x4000000000000000n, least32, least32]],
  ["mul.wide.u32 d, a, b", "b64 b32 b32", [0xfffffffe00000001n, u32(-1), u32(-1)]],
  ["mul.wide.s16 d, a, b", "b32 b16 b16", [u32(-6), 2, 0xfffd]],
  ["mad.wide.s32 d, a, b, c", "b64 b32 b32 b64", [u64(-5n), 2, u32(-3), 1], [0x100000000n, 1, 1, 0xffffffffn]],
  ["mad.lo.s32 d, a, b, c", "b32 b32 b32 b32", [u32(-5), 2, u32(-3), 1]],
  ["mad.lo.s64 d, a, b, c", "b64 b64 b64 b64", [u64(-5n), 2, u64(-3n), 1]],
  ["div.s32 d, a, b", "b32 b32 b32", [u32(-2), u32(-7), 3], [least32, least32, u32(-1)]],
  ["rem.s32 d, a, b", "b32 b32 b32", [u32(-1), u32(-7), 3], [0, least32, u32(-1)]],
  ["div.u64 d, a, b", "b64 b64 b64", [u64(-1n) / 10n, u64(-1n), 10]],
  ["abs.s32 d, a", "b32 b32", [least32, least32], [5, u32(-5)]],
  ["neg.s64 d, a", "b64 b64", [u64(-5n), 5], [0, 0]],
  ["min.s32 d, a, b", "b32 b32 b32", [u32(-1), u32(-1), 1]],
  ["min.u32 d, a, b", "b32 b32 b32", [1, u32(-1), 1]],
  ["max.relu.s32 d, a, b", "b32 b32 b32", [0, u32(-1), u32(-2)], [3, 3, 1]],
  ["max.u64 d, a, b", "b64 b64 b64", [u64(-1n), u64(-1n), 1]],
  ["popc.b64 d, a", "b32 b64", [64, u64(-1n)], [1, 0x8000000000000000n]],
  ["clz.b32 d, a", "b32 b32", [32, 0], [0, least32]],
  ["bfind.u32 d, a", "b32 b32", [u32(-1), 0], [31, least32]],
  ["bfind.shiftamt.s32 d, a", "b32 b32", [1, 0x9ffffffbn]],
  ["brev.b32 d, a", "b32 b32", [1, least32]],
  ["bfe.s32 d, a, 4, 8", "b32 b32", [u32(-1), 0xff0], [0x7f, 0x7f0]],
  ["bfi.b32 d, a, b, 8, 8", "b32 b32 b32", [0xffff34ffn, 0x1234, u32(-1)]],
  ["dp4a.s32.s32 d, a, b, c", "b32 b32 b32 b32", [u32(-3), 0x01010101, 0xffffffffn, 1]],
  ["sad.s32 d, a, b, c", "b32 b32 b32 b32", [12, 3, u32(-4), 5]],
  ["and.b64 d, a, b", "b64 b64 b64", [0xf000000000000000n, u64(-1n), 0xf000000000000000n]],
  ["not.b64 d, a", "b64 b64", [u64(-1n), 0]],
  ["cnot.b32 d, a", "b32 b32", [1, 0], [0, 5]],
  ["shl.b32 d, a, b", "b32 b32 b32", [0, 1, 32], [least32, 1, 31], [0, 1, u32(-1)]],
  ["shl.b64 d, a, b", "b64 b64 b32", [0x100000000n, 1, 32], [0, 1, 64], [2, 1, 1]],
  ["shr.s32 d, a, b", "b32 b32 b32", [u32(-1), least32, 40], [0, most32, 40]],
  ["shr.u64 d, a, b", "b64 b64 b32", [1, 0x8000000000000000n, 63], [0, u64(-1n), 64], [0x80000000n, 0x100000000n, 1]],
  ["shr.s64 d, a, b", "b64 b64 b32", [u64(-1n), 0x8000000000000000n, 100], [u64(-1n), 0x8000000000000000n, 63]],
  ["shf.l.wrap.b32 d, a, b, c", "b32 b32 b32 b32", [0x23456789n, 0x90000000n, 0x02345678n, 4]],
  [
    "prmt.b32 d, a, b, c",
    "b32 b32 b32 b32",
    [0x44332211n, 0x44332211, 0x88776655n, 0x3210],
    [0xffffff00n, 0x80, 0, 0x8881],
  ],
  ["lop3.b32 d, a, b, c, 0xe8", "b32 b32 b32 b32", [0b1110_1000, 0xf0, 0xcc, 0xaa]],
  ["setp.lt.s64 d, a, b", "pred b64 b64", [1, u64(-1n), 0], [0, 0, u64(-1n)], [1, 1, 0x100000000n]],
  ["setp.lo.u64 d, a, b", "pred b64 b64", [0, u64(-1n), 0], [1, 0, u64(-1n)]],
  ["setp.ne.b64 d, a, b", "pred b64 b64", [1, 0x100000000n, 0], [0, 7, 7]],
  ["setp.eq.f32 d, a, b", "pred f32 f32", [1, f32(0), f32(-0)], [0, NAN32, NAN32]],
  ["setp.neu.f32 d, a, b", "pred f32 f32", [1, NAN32, f32(1)], [0, f32(1), f32(1)]],
  ["setp.lt.and.s32 d, a, b, c", "pred b32 b32 pred", [1, 1, 2, 1], [0, 1, 2, 0], [0, 2, 1, 1]],
  ["setp.lt.and.s32 d, a, b, !c", "pred b32 b32 pred", [0, 1, 2, 1], [1, 1, 2, 0]],
  ["set.gt.u32.f32 d, a, b", "b32 f32 f32", [u32(-1), f32(2), f32(1)], [0, NAN32, f32(1)]],
  ["selp.b64 d, a, b, c", "b64 b64 b64 pred", [0x7ff0000000000001n, 0x7ff0000000000001n, 2, 1], [2, 1, 2, 0]],
  ["slct.s32.f32 d, a, b, c", "b32 b32 b32 f32", [1, 1, 2, f32(-0)], [2, 1, 2, f32(-1)], [2, 1, 2, NAN32]],
  ["slct.ftz.s32.f32 d, a, b, c", "b32 b32 b32 f32", [1, 1, 2, 0x80000001n], [2, 1, 2, f32(-1)]],
  ["add.f32 d, a, b", "f32 f32 f32", [f32(3), f32(1), f32(2)], [NAN32, f32(Infinity), f32(-Infinity)]],
  ["add.rz.f32 d, a, b", "f32 f32 f32", [0x3f800000n, f32(1), f32(2 ** -24 * 1.5)]],
  ["add.ftz.f32 d, a, b", "f32 f32 f32", [0, 1, 1]],
  ["mul.sat.f32 d, a, b", "f32 f32 f32", [f32(1), f32(3), f32(2)], [0, f32(-3), f32(2)], [0, NAN32, f32(1)]],
  ["fma.rn.f32 d, a, b, c", "f32 f32 f32 f32", [0x3f800001n, 0x3f800001n, f32(1), f32(2 ** -40)]],
  ["div.rn.f32 d, a, b", "f32 f32 f32", [f32(1 / 3), f32(1), f32(3)], [f32(Infinity), f32(1), f32(0)]],
  ["sqrt.rn.f32 d, a", "f32 f32", [f32(Math.fround(Math.SQRT2)), f32(2)], [NAN32, f32(-1)]],
  ["rcp.rn.f64 d, a", "f64 f64", [f64(1 / 3), f64(3)]],
  ["add.f64 d, a, b", "f64 f64 f64", [f64(0.1 + 0.2), f64(0.1), f64(0.2)]],
  ["neg.f32 d, a", "f32 f32", [NAN32, 0x7f800001n], [f32(-0), f32(0)]],
  ["abs.f64 d, a", "f64 f64", [0xfff8000000000001n, 0xfff0000000000001n], [f64(1), f64(-1)]],
  ["min.f32 d, a, b", "f32 f32 f32", [f32(1), NAN32, f32(1)], [f32(-0), f32(0), f32(-0)]],
  ["min.xorsign.abs.f32 d, a, b", "f32 f32 f32", [f32(-2), 0xffc00000n, f32(2)], [f32(1), f32(-1), f32(-2)]],
  ["max.NaN.f32 d, a, b", "f32 f32 f32", [NAN32, NAN32, f32(1)]],
  ["copysign.f32 d, a, b", "f32 f32 f32", [f32(-2), f32(-1), f32(2)]],
  ["testp.subnormal.f32 d, a", "pred f32", [1, 1], [0, f32(1)]],
  ["add.f16 d, a, b", "b16 b16 b16", [0x4200, 0x3c00, 0x4000]],
  ["fma.rn.f16x2 d, a, b, c", "b32 b32 b32 b32", [0x42004500n, 0x3c004000n, 0x40004000n, 0x3c003c00n]],
  ["setp.num.f64 d, a, b", "pred f64 f64", [1, f64(1), f64(2)], [0, 0x7ff8000000000000n, 0]],
  ["add.f32.f16 d, a, b", "f32 b16 f32", [f32(2), 0x3c00, f32(1)]],
  ["sub.rz.sat.f32.bf16 d, a, b", "f32 b16 f32", [f32(1), 0x4040, f32(1)]],
  ["fma.rn.f32.f16 d, a, b, c", "f32 b16 b16 f32", [f32(3), 0x3c00, 0x4000, f32(1)]],
  ["add.bf16 d, a, b", "b16 b16 b16", [0x4040, 0x3f80, 0x4000]],
  ["setp.gt.f16 d, a, b", "pred b16 b16", [1, 0x4000, 0x3c00], [0, 0x7fff, 0x3c00]],
  ["cvt.u8.s32 d, a", "b32 b32", [0xff, u32(-1)]],
  ["cvt.s8.s32 d, a", "b32 b32", [u32(-1), 0xff]],
  ["cvt.s64.s32 d, a", "b64 b32", [u64(-1n), u32(-1)]],
  ["cvt.u64.u32 d, a", "b64 b32", [0xffffffffn, u32(-1)]],
  ["cvt.u32.u64 d, a", "b32 b64", [2, 0x100000002n]],
  ["cvt.sat.u8.s32 d, a", "b32 b32", [0, u32(-5)], [255, 300]],
  ["cvt.rn.f32.s32 d, a", "f32 b32", [f32(-1), u32(-1)], [f32(16777216), 16777217]],
  ["cvt.rz.f32.u64 d, a", "f32 b64", [0x5f7fffffn, u64(-1n)]],
  ["cvt.rzi.s32.f32 d, a", "b32 f32", [most32, f32(3e9)], [u32(-1), f32(-1.9)], [0, NAN32]],
  ["cvt.rni.s64.f64 d, a", "b64 f64", [2, f64(2.5)], [u64(-4n), f64(-3.5)]],
  ["cvt.rmi.f32.f32 d, a", "f32 f32", [f32(-2), f32(-1.5)]],
  ["cvt.rn.f32.f64 d, a", "f32 f64", [f32(0.1), f64(0.1)]],
  ["cvt.f64.f32 d, a", "f64 f32", [f64(Math.fround(0.1)), f32(0.1)]],
  ["cvt.rn.f16.f32 d, a", "b16 f32", [0x3c00, f32(1)], [0x7c00, f32(70000)]],
  ["cvt.f32.f16 d, a", "f32 b16", [f32(1), 0x3c00]],
  ["cvt.rn.bf16x2.f32 d, a, b", "b32 f32 f32", [0x3f804000n, f32(1), f32(2)]],
  ["cvt.rna.tf32.f32 d, a", "b32 f32", [f32(1), f32(1)]],
  ["cvt.rn.satfinite.e4m3x2.f32 d, a, b", "b16 f32 f32", [0x3840, f32(1), f32(2)]],
  ["mov.b64 d, {a, b}", "b64 b32 b32", [0x0000000200000001n, 1, 2]],
  ["mov.b32 d, {a, b}", "b32 b16 b16", [0x00020001n, 1, 2]],
  ["{ .reg .b32 hi; mov.b64 {d, hi}, a; }", "b32 b64", [1, 0x200000001n]],
  ["{ .reg .b32 hi; add.cc.u32 hi, a, b; addc.u32 d, 0, 0; }", "b32 b32 b32", [1, u32(-1), 1], [0, 1, 1]],
  ["{ .reg .b32 lo; sub.cc.u32 lo, a, b; subc.u32 d, 5, 0; }", "b32 b32 b32", [4, 0, 1], [5, 1, 0]],
  ["{ .reg .b32 lo; sub.cc.u32 lo, a, b; addc.u32 d, 0, 0; }", "b32 b32 b32", [0, 5, 7], [1, 7, 5]],
  ["{ .reg .b32 lo; add.cc.u32 lo, a, b; subc.u32 d, 0, 0; }", "b32 b32 b32", [u32(-1), 1, 1], [0, u32(-1), 1]],
];

for (const [text, kinds, ...lanes] of rows) {
  test(text, async (t) => {
    const operands = lanes.map(([, ...values]) => values.map((value) => BigInt.asUintN(64, BigInt(value))));
    const found = await evaluate({ text, kinds: kinds.split(" ") as unknown as Case["kinds"], operands });
    t.deepEqual(
      found,
      lanes.map(([expected]) => BigInt(expected)),
    );
  });
}
