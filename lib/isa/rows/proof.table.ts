// Hard shapes, kept together only while the table is being settled.

import type { Row } from "../form.js";

export const proofRows: readonly Row[] = [
  {
    id: "mov",
    syntax: "mov.type d, a",
    slots: { type: "b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64 pred b128" },
    needs: "1.0",
    section: "9.7.9.3",
  },
  {
    id: "mov.address",
    syntax: "mov.type d, a:symbol",
    slots: { type: "u32 u64 b32 b64 s32 s64" },
    needs: "1.0",
    section: "9.7.9.3",
  },
  {
    id: "mov.pack",
    syntax: "mov.type d, a:split",
    slots: { type: "b16 b32 b64 b128" },
    needs: "1.0",
    section: "9.7.9.4",
  },
  {
    id: "mov.unpack",
    syntax: "mov.type d:split, a",
    slots: { type: "b16 b32 b64 b128" },
    needs: "1.0",
    section: "9.7.9.4",
  },
  {
    id: "setp",
    syntax: "setp.cmp{.ftz}.type p:pred{|q:pred}, a, b",
    slots: {
      cmp: "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan",
      type: "b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64",
    },
    needs: "1.0",
    section: "9.7.6.2",
  },
  {
    id: "setp.bool",
    syntax: "setp.cmp.bool{.ftz}.type p:pred{|q:pred}, a, b, {!}c:pred",
    slots: {
      cmp: "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan",
      bool: "and or xor",
      type: "b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64",
    },
    needs: "1.0",
    section: "9.7.6.2",
  },
  {
    id: "ld",
    syntax: "ld{.weak}{.ss}{.cop}{.evict}{.hint}{.prefetch}{.vec}.type d:type*vec, [a]{, pol:b64}",
    slots: {
      ss: "const global local param param::entry param::func shared shared::cta shared::cluster",
      cop: "ca cg cs lu cv",
      evict: "L1::evict_normal L1::no_allocate",
      hint: "L2::cache_hint",
      prefetch: "L2::64B L2::128B L2::256B",
      vec: "v2 v4 v8",
      type: "b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64",
    },
    needs: "1.0",
    section: "9.7.9.8",
  },
  { id: "call", syntax: "call{.uni} {(d), }f:callee{, (a)}{, t:prototype}", needs: "1.0", section: "9.7.12.5" },
  { id: "brx.idx", syntax: "brx.idx{.uni} a:u32, t:labels", needs: "6.0:sm_30", section: "9.7.12.4" },
  {
    id: "mma.f16",
    syntax: "mma.sync.aligned.shape.row.col.dtype.f16.f16.ctype d:@mma.d, a:@mma.a, b:@mma.b, c:@mma.c",
    slots: { shape: "m16n8k8 m16n8k16", dtype: "f16 f32", ctype: "f16 f32" },
    needs: "7.0:sm_80",
    section: "9.7.14",
  },
  {
    id: "tex.2d",
    syntax: "tex.2d.v4.dtype.ctype d:dtype*4{|p:pred}, [t{, s:any}, c:ctype*2]{, e:any}{, f:f32}",
    slots: { dtype: "f32 s32 u32", ctype: "s32 f32" },
    needs: "1.0",
    section: "9.7.10",
  },
  {
    id: "vadd4",
    syntax: "vadd4.dtype.atype.btype{.sat} d:dtype, a:atype, b:btype, c:dtype",
    slots: { dtype: "u32 s32", atype: "u32 s32", btype: "u32 s32" },
    needs: "3.0:sm_30",
    section: "9.7.19",
  },
];
