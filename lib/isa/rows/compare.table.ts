// Comparison and selection: PTX ISA 9.0 section 9.7.6, and for halves 9.7.7.

import type { Row } from "../form.js";
import { comparisons, floatComparisons, scalars, rubin } from "./sets.js";

const bool = "and or xor";
const onlyFloats = "cmp=equ|neu|ltu|leu|gtu|geu|num|nan -> ";
const onlyUnsigned = "cmp=lo|ls|hi|hs -> ";

const setpLimits = [
  "ftz -> type=f32",
  `${onlyFloats}type=f32|f64`,
  `${onlyUnsigned}type=u16|u32|u64`,
  "type=b16|b32|b64 -> cmp=eq|ne",
];
const setLimits = [
  "ftz -> stype=f32",
  `${onlyFloats}stype=f32|f64`,
  `${onlyUnsigned}stype=u16|u32|u64`,
  "stype=b16|b32|b64 -> cmp=eq|ne",
];

/** Rows of a comparison without and with a predicate that is combined with its result. */
const both = (row: Row, c = "{!}c"): readonly Row[] => [
  row,
  {
    ...row,
    id: `${row.id}.bool`,
    syntax: `${row.syntax.replace(".cmp", ".cmp.bool")}, ${c}:pred`,
    slots: { ...row.slots, bool },
  },
];

export const compareRows: readonly Row[] = [
  ...both({
    id: "set",
    syntax: "set.cmp{.ftz}.dtype.stype d:dtype, a:stype, b:stype",
    slots: { cmp: comparisons, dtype: "u32 s32 f32", stype: scalars },
    limits: setLimits,
    needs: "1.0",
    section: "9.7.6.1",
  }),
  ...both({
    id: "setp",
    syntax: "setp.cmp{.ftz}.type {_}p:pred{|{_}q:pred}, a, b",
    slots: { cmp: comparisons, type: scalars },
    limits: setpLimits,
    needs: "1.0",
    section: "9.7.6.2",
  }),
  {
    id: "set.packed",
    syntax: "set.cmp.type d:b32, a, b",
    slots: { cmp: "eq ne lt le gt ge lo ls hi hs", type: "u8x4 s8x4 u16x2 s16x2" },
    limits: ["cmp=lo|ls|hi|hs -> type=u8x4|u16x2"],
    needs: rubin,
    section: "9.7.6.1",
  },
  { id: "selp", syntax: "selp.type d, a, b, {!}c:pred", slots: { type: scalars }, needs: "1.0", section: "9.7.6.3" },
  {
    id: "slct",
    syntax: "slct{.ftz}.dtype.ctype d:dtype, a:dtype, b:dtype, c:ctype",
    slots: { dtype: scalars, ctype: "s32 f32" },
    limits: ["ftz -> ctype=f32"],
    needs: "1.0",
    section: "9.7.6.4",
  },
  ...both({
    id: "set.f16",
    syntax: "set.cmp{.ftz}.dtype.stype d:dtype, a:stype, b:stype",
    slots: {
      cmp: floatComparisons,
      dtype: "u16@6.5:sm_53 s16@6.5:sm_53 u32@6.5:sm_53 s32@6.5:sm_53 f16",
      stype: "f16",
    },
    needs: "4.2:sm_53",
    section: "9.7.7.1",
  }),
  ...both({
    id: "set.f16x2",
    syntax: "set.cmp{.ftz}.dtype.f16x2 d:dtype, a:f16x2, b:f16x2",
    slots: { cmp: floatComparisons, dtype: "u32@6.5:sm_53 s32@6.5:sm_53 f16x2" },
    needs: "4.2:sm_53",
    section: "9.7.7.1",
  }),
  ...both(
    {
      id: "set.bf16",
      syntax: "set.cmp.dtype.bf16 d:dtype, a:bf16, b:bf16",
      slots: { cmp: floatComparisons, dtype: "u16 s16 u32 s32 bf16" },
      needs: "7.8:sm_90",
      section: "9.7.7.1",
    },
    "{!}$c",
  ),
  ...both(
    {
      id: "set.bf16x2",
      syntax: "set.cmp.dtype.bf16x2 d:dtype, a:bf16x2, b:bf16x2",
      slots: { cmp: floatComparisons, dtype: "u32 s32 bf16x2" },
      needs: "7.8:sm_90",
      section: "9.7.7.1",
    },
    "{!}$c",
  ),
  ...both({
    id: "set.to.f16",
    syntax: "set.cmp{.ftz}.dtype.stype d:dtype, a:stype, b:stype",
    slots: { cmp: comparisons, dtype: "f16 bf16@7.8:sm_90", stype: scalars },
    limits: [...setLimits, "dtype=bf16 ftz -> never"],
    needs: "4.2:sm_53",
    section: "9.7.7.1",
  }),
  ...both({
    id: "setp.f16",
    syntax: "setp.cmp{.ftz}.type {_}p:pred, a, b",
    slots: { cmp: floatComparisons, type: "f16 bf16@7.8:sm_90" },
    limits: ["ftz -> type=f16"],
    needs: "4.2:sm_53",
    section: "9.7.7.2",
  }),
  ...both({
    id: "setp.f16x2",
    syntax: "setp.cmp{.ftz}.type {_}p:pred{|{_}q:pred}, a, b",
    slots: { cmp: floatComparisons, type: "f16x2 bf16x2@7.8:sm_90" },
    limits: ["ftz -> type=f16x2"],
    needs: "4.2:sm_53",
    section: "9.7.7.2",
  }),
];
