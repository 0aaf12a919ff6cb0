// Conversions between types: PTX ISA 9.0 section 9.7.9.21 f. There is one row per kind of conversion, because each has its own
// rounding. It has none if the result is exact, an integer mode (rni ...) if the result is an integer, and a float mode (rn ...)
// if it is a float that may not hold the value.

import type { Row } from "../form.js";
import { newerConvertRows } from "./convert-newer.table.js";
import { integerRounding, rounding } from "./sets.js";

const integer = "u8 u16 u32 u64 s8 s16 s32 s64";
const section = "9.7.9.21";
/** The small-float conversions of Blackwell: sm_100a, 101a, 120a, and their families. */
const small = "8.6:sm_100f|sm_101f|sm_120f";

/**
 * Limits of .sat: allowed if the destination cannot hold every value of the source, but not between types of one sign and size.
 */
const saturating = [
  "sat atype=u8 -> dtype=s8",
  "sat atype=u16 -> dtype=u8|s8|s16",
  "sat atype=u32 -> dtype=u8|s8|u16|s16|s32",
  "sat atype=u64 -> dtype!=u64",
  "sat atype=s8 -> dtype=u8|u16|u32|u64",
  "sat atype=s16 -> dtype!=s16|s32|s64",
  "sat atype=s32 -> dtype!=s32|s64",
  "sat atype=s64 -> dtype!=s64",
];

/** Section 9.7.9.21 and ptxas: if one of the types is .bf16, no register may be wider than its type. */
const bfloat = { dtype: "dtype=bf16 -> narrow", atype: "atype=bf16 -> narrow" };

export const convertRows: readonly Row[] = [
  {
    id: "cvt.int",
    syntax: "cvt{.sat}.dtype.atype d:dtype>, %a:atype>",
    slots: { dtype: integer, atype: integer },
    limits: saturating,
    needs: "1.0",
    section,
  },
  {
    id: "cvt.int.to.float",
    syntax: "cvt.rnd{.ftz}{.sat}.dtype.atype d:dtype>, a:atype>",
    slots: { rnd: rounding, dtype: "f16 f32 f64 bf16@7.8:sm_90", atype: integer },
    limits: ["ftz -> dtype=f32", "ftz atype=u8|s8 -> @1.5", "sat -> dtype!=bf16", bfloat.dtype],
    needs: "1.0",
    section,
  },
  {
    id: "cvt.float.to.int",
    syntax: "cvt.rnd{.ftz}{.sat}.dtype.atype d:dtype>, a:atype>",
    slots: { rnd: integerRounding, dtype: integer, atype: "f16 f32 f64 bf16@7.8:sm_90" },
    limits: ["ftz -> atype=f32", "ftz dtype=u64|s64 -> @1.5", "sat -> atype!=bf16", bfloat.atype],
    needs: "1.0",
    section,
  },
  {
    // ptxas accepts a rounding mode for .bf16 without effect: the result is exact.
    id: "cvt.float.widen",
    syntax: "cvt{.rnd}{.ftz}{.sat}.dtype.atype d:dtype>, a:atype>",
    slots: { rnd: rounding, dtype: "f32 f64", atype: "f16 bf16@7.1:sm_80 f32" },
    limits: [
      "rnd -> atype=bf16",
      "atype=f32 -> dtype=f64",
      "sat -> atype!=bf16",
      "ftz dtype=f64 -> atype=f32",
      "ftz dtype=f64 -> @1.5",
      "atype=bf16 ftz -> @7.8:sm_90",
      "atype=bf16 dtype=f64 -> @7.8:sm_90",
      bfloat.atype,
    ],
    needs: "1.0",
    section,
  },
  {
    id: "cvt.float.same",
    syntax: "cvt{.rnd}{.ftz}{.sat}.dtype.atype d:dtype>, a:atype>",
    slots: { rnd: integerRounding, dtype: "f16 f32 f64 bf16@7.8:sm_90", atype: "f16 f32 f64 bf16" },
    limits: [
      "dtype=f16 -> atype=f16",
      "dtype=f32 -> atype=f32",
      "dtype=f64 -> atype=f64",
      "dtype=bf16 -> atype=bf16",
      "ftz -> dtype=f32",
      "sat -> dtype!=bf16",
      bfloat.dtype,
    ],
    needs: "1.0",
    section,
  },
  {
    // Between f16 and bf16, neither of which includes the other, the rounding mode is optional and defaults to .rn (ptxas).
    id: "cvt.float.narrow",
    syntax: "cvt{.rnd}{.ftz}{.sat}.dtype.atype d:dtype>, a:atype>",
    slots: { rnd: rounding, dtype: "f16 f32 bf16@7.0:sm_80", atype: "f32 f64 f16 bf16" },
    limits: [
      "!rnd -> dtype=f16|bf16 atype=f16|bf16",
      "dtype=f32 -> atype=f64",
      "ftz dtype=f16|bf16 -> atype=f32",
      "sat -> atype!=bf16",
      "sat -> dtype!=bf16",
      "dtype=f16 -> atype!=f16",
      "dtype=bf16 -> atype!=bf16",
      "dtype=bf16 atype=f64|f16 -> @7.8:sm_90",
      "dtype=f16 atype=bf16 -> @7.8:sm_90",
      bfloat.dtype,
      bfloat.atype,
    ],
    needs: "1.0",
    section,
  },
  {
    id: "cvt.float.narrow.relu",
    syntax: "cvt.rnd{.relu}{.satfinite}.dtype.f32 d:dtype>, a:f32>",
    slots: { rnd: "rn rz", satfinite: "satfinite@8.1:sm_70", dtype: "f16 bf16@7.0:sm_80" },
    limits: ["!relu -> satfinite", "relu -> @7.0:sm_80", bfloat.dtype],
    needs: "7.0:sm_70",
    section,
  },
  {
    id: "cvt.pair",
    syntax: "cvt.rnd{.relu}{.satfinite}.dtype.f32 d:dtype, a:f32, b:f32",
    slots: { rnd: "rn rz", satfinite: "satfinite@8.1:sm_80", dtype: "f16x2 bf16x2" },
    needs: "7.0:sm_80",
    section,
  },
  {
    id: "cvt.pair.stochastic",
    syntax: "cvt.rs{.relu}{.satfinite}.dtype.f32 d:dtype, a:f32, b:f32, $r:b32!",
    slots: { dtype: "f16x2 bf16x2" },
    needs: "8.7:sm_100a|sm_103a",
    section,
  },
  {
    id: "cvt.tf32",
    syntax: "cvt.rnd{.relu}{.satfinite}.tf32.f32 d:tf32, a:f32",
    slots: { rnd: "rna rn@7.8:sm_90 rz@7.8:sm_90", satfinite: "satfinite@8.1:sm_80" },
    limits: ["rnd=rna -> !relu", "rnd=rn|rz satfinite -> @8.6:sm_100"],
    needs: "7.0:sm_80",
    section,
  },
  {
    id: "cvt.f8x2",
    syntax: "cvt.rn.satfinite{.relu}.dtype.f32 d:dtype, a:f32, b:f32",
    slots: { dtype: "e4m3x2 e5m2x2" },
    needs: "7.8:sm_90|8.1:sm_89",
    section,
  },
  {
    id: "cvt.f8x2.from.f16x2",
    syntax: "cvt.rn.satfinite{.relu}.dtype.f16x2 d:dtype, a:f16x2",
    slots: { dtype: "e4m3x2 e5m2x2" },
    needs: "7.8:sm_90|8.1:sm_89",
    section,
  },
  {
    id: "cvt.f8x2.to.f16x2",
    syntax: "cvt.rn{.relu}.f16x2.atype d:f16x2, a:atype",
    slots: { atype: "e4m3x2 e5m2x2" },
    needs: "7.8:sm_90|8.1:sm_89",
    section,
  },
  {
    id: "cvt.f6x2",
    syntax: "cvt.rn.satfinite{.relu}.dtype.f32 d:dtype, a:f32, b:f32",
    slots: { dtype: "e2m3x2 e3m2x2" },
    needs: small,
    section,
  },
  {
    id: "cvt.f6x2.to.f16x2",
    syntax: "cvt.rn{.relu}.f16x2.atype d:f16x2, a:atype",
    slots: { atype: "e2m3x2 e3m2x2" },
    needs: small,
    section,
  },
  {
    id: "cvt.f4x2",
    syntax: "cvt.rn.satfinite{.relu}.e2m1x2.f32 d:b8!, a:f32, b:f32",
    needs: small,
    section,
  },
  {
    // In the manual since PTX 9.1, in ptxas 13.0 since 8.6.
    id: "cvt.f4x2.from.f16x2",
    syntax: "cvt.rn.satfinite{.relu}.e2m1x2.f16x2 d:b8!, a:f16x2",
    needs: small,
    section,
  },
  {
    id: "cvt.f4x2.to.f16x2",
    syntax: "cvt.rn{.relu}.f16x2.e2m1x2 d:f16x2, a:b8!",
    needs: small,
    section,
  },
  {
    id: "cvt.small.stochastic",
    syntax: "cvt.rs{.relu}.satfinite.dtype.f32 d:dtype, a:f32*4, $r:b32!",
    slots: { dtype: "e4m3x4 e5m2x4 e2m3x4 e3m2x4 e2m1x4" },
    needs: "8.7:sm_100a|sm_103a",
    section,
  },
  {
    id: "cvt.ue8m0x2",
    syntax: "cvt.rnd{.satfinite}.ue8m0x2.f32 d:ue8m0x2, a:f32, b:f32",
    slots: { rnd: "rz rp" },
    needs: small,
    section,
  },
  {
    id: "cvt.ue8m0x2.from.bf16x2",
    syntax: "cvt.rnd{.satfinite}.ue8m0x2.bf16x2 d:ue8m0x2, a:bf16x2",
    slots: { rnd: "rz rp" },
    needs: small,
    section,
  },
  {
    id: "cvt.ue8m0x2.to.bf16x2",
    syntax: "cvt.rn.bf16x2.ue8m0x2 d:bf16x2, a:ue8m0x2",
    needs: small,
    section,
  },
  ...newerConvertRows,
  {
    id: "cvt.pack",
    syntax: "cvt.pack.sat.dtype.s32 d:u32>, a:s32>, b:s32>",
    slots: { dtype: "u16 s16" },
    needs: "6.5:sm_72",
    section: "9.7.9.22",
  },
  {
    id: "cvt.pack.accumulate",
    syntax: "cvt.pack.sat.dtype.s32.b32 d:u32>, a:s32>, b:s32>, c:b32>",
    slots: { dtype: "u2@6.5:sm_75 s2@6.5:sm_75 u4@6.5:sm_75 s4@6.5:sm_75 u8 s8" },
    needs: "6.5:sm_72",
    section: "9.7.9.22",
  },
];
