// Arithmetic on f16, bf16 and their pairs: PTX ISA 9.0 section 9.7.4; mixed with f32: section 9.7.5.

import type { Row } from "../form.js";
import { rounding, rubin } from "./sets.js";

const halves = "f16 f16x2";
const brains = "bf16 bf16x2";

const basic = (name: string, section: string): readonly Row[] => [
  {
    id: `${name}.f16`,
    syntax: `${name}{.rn}{.ftz}{.sat}.type d, a, b`,
    slots: { type: halves },
    needs: "4.2:sm_53",
    section,
  },
  { id: `${name}.bf16`, syntax: `${name}{.rn}.type d, a, b`, slots: { type: brains }, needs: "7.8:sm_90", section },
];

const minimum = (name: string, section: string): readonly Row[] => [
  {
    id: `${name}.f16`,
    syntax: `${name}{.ftz}{.NaN}{.xorsign}{.abs}.type d, a, b`,
    slots: { xorsign: "xorsign@7.2:sm_86", abs: "abs@7.2:sm_86", type: halves },
    limits: ["xorsign -> abs", "abs -> xorsign"],
    needs: "7.0:sm_80",
    section,
  },
  {
    id: `${name}.bf16`,
    syntax: `${name}{.NaN}{.xorsign}{.abs}.type d, a, b`,
    slots: { xorsign: "xorsign@7.2:sm_86", abs: "abs@7.2:sm_86", type: brains },
    limits: ["xorsign -> abs", "abs -> xorsign"],
    needs: "7.0:sm_80",
    section,
  },
];

const pairs = "f16x2 bf16x2";
/** The number of roundings of these forms, and their flushing, are unknown. */
const unexecuted = "9.7.20.3";

/** PTX ISA 9.4: pairs of f32 with pairs of halves. A half is widened, and the result is rounded once. */
const mixedPairs: readonly Row[] = [
  ...["add", "sub"].flatMap((name, i): Row[] => [
    {
      id: `${name}.mixed.x2`,
      syntax: `${name}{.rnd}.f32x2.atype.f32x2 d:f32x2, a:atype, c:f32x2`,
      slots: { rnd: rounding, atype: pairs },
      needs: rubin,
      section: `9.7.5.${i + 1}`,
    },
    {
      id: `${name}.narrow.f16x2`,
      syntax: `${name}.rz.ftz.f16x2.f32x2.f32x2 d:f16x2, a:f32x2, b:f32x2`,
      needs: rubin,
      section: unexecuted,
    },
    {
      id: `${name}.narrow.bf16x2`,
      syntax: `${name}.rz.bf16x2.f32x2.f32x2 d:bf16x2, a:f32x2, b:f32x2`,
      needs: rubin,
      section: unexecuted,
    },
  ]),
  {
    id: "fma.mixed.x2",
    syntax: "fma.rnd.f32x2.atype.f32x2.f32x2 d:f32x2, a:atype, b:f32x2, c:f32x2",
    slots: { rnd: rounding, atype: pairs },
    needs: rubin,
    section: "9.7.5.3",
  },
  {
    id: "mul.narrow.f16x2",
    syntax: "mul.ftz.rz.f16x2.f32x2.f32x2 d:f16x2, a:f32x2, b:f32x2",
    needs: rubin,
    section: unexecuted,
  },
  {
    id: "mul.narrow.bf16x2",
    syntax: "mul.rz.bf16x2.f32x2.f32x2 d:bf16x2, a:f32x2, b:f32x2",
    needs: rubin,
    section: unexecuted,
  },
  {
    id: "mul.mixed.bf16x2",
    syntax: "mul.bf16x2.bf16x2.f16x2 d:bf16x2, a:bf16x2, b:f16x2",
    needs: rubin,
    section: "9.7.5.4",
  },
  {
    id: "mul.mixed.f16x2",
    syntax: "mul.f16x2.f16x2.bf16x2 d:f16x2, a:f16x2, b:bf16x2",
    needs: rubin,
    section: "9.7.5.4",
  },
];

const results = "e4m3x4 e5m2x4";
const factors = `${results} e2m3x4 e3m2x4 e2m1x4 e2m1p4x4 ue8m0x4`;

/** PTX ISA 9.4 section 9.7.6: groups of four small floats. ptxas also accepts .satfinite at the end. */
const alternate: readonly Row[] = ["", ".last"].flatMap((place): Row[] => {
  const early = place === "" ? "{.satfinite}" : "";
  const late = place === "" ? "" : ".satfinite";
  const needs = "9.4:sm_100a|sm_103a";
  return [
    ...["add", "sub"].map((name): Row => ({
      id: `${name}.alternate${place}`,
      syntax: `${name}{.rn}${early}.dtype.atype${late} d:dtype, a:atype, c:dtype`,
      slots: { dtype: results, atype: factors },
      needs,
      section: unexecuted,
    })),
    {
      id: `mul.alternate${place}`,
      syntax: `mul{.rn}${early}.dtype.atype.btype${late} d:dtype, a:atype, b:btype`,
      slots: { dtype: results, atype: factors, btype: factors },
      needs,
      section: unexecuted,
    },
    {
      id: `fma.alternate${place}`,
      syntax: `fma{.rn}${early}.dtype.atype.btype${late} d:dtype, a:atype, b:btype, c:dtype`,
      slots: { dtype: results, atype: factors, btype: factors },
      needs,
      section: unexecuted,
    },
  ];
});

export const halfRows: readonly Row[] = [
  ...basic("add", "9.7.4.1"),
  ...basic("sub", "9.7.4.2"),
  ...basic("mul", "9.7.4.3"),
  {
    id: "fma.f16",
    syntax: "fma.rn{.ftz}{.sat}{.relu}.type d, a, b, c",
    slots: { relu: "relu@7.0:sm_80", sat: "sat", type: halves },
    limits: ["relu sat -> never"],
    needs: "4.2:sm_53",
    section: "9.7.4.4",
  },
  {
    id: "fma.bf16",
    syntax: "fma.rn{.relu}.type d, a, b, c",
    slots: { type: brains },
    needs: "7.0:sm_80",
    section: "9.7.4.4",
  },
  {
    id: "fma.oob",
    syntax: "fma.rn.oob{.relu}.type d, a, b, c",
    slots: { type: `${halves} ${brains}` },
    needs: "8.1:sm_90",
    section: "9.7.4.4",
  },
  { id: "neg.f16", syntax: "neg{.ftz}.type d, a", slots: { type: halves }, needs: "6.0:sm_53", section: "9.7.4.5" },
  { id: "neg.bf16", syntax: "neg.type d, a", slots: { type: brains }, needs: "7.0:sm_80", section: "9.7.4.5" },
  { id: "abs.f16", syntax: "abs{.ftz}.type d, a", slots: { type: halves }, needs: "6.5:sm_53", section: "9.7.4.6" },
  { id: "abs.bf16", syntax: "abs.type d, a", slots: { type: brains }, needs: "7.0:sm_80", section: "9.7.4.6" },
  ...minimum("min", "9.7.4.7"),
  ...minimum("max", "9.7.4.8"),
  {
    id: "tanh.approx.f16",
    syntax: "tanh.approx.type d, a",
    slots: { type: "f16 f16x2 bf16@7.8:sm_90 bf16x2@7.8:sm_90" },
    needs: "7.0:sm_75",
    section: "9.7.4.9",
  },
  {
    id: "ex2.approx.f16",
    syntax: "ex2.approx.type d, a",
    slots: { type: halves },
    needs: "7.0:sm_75",
    section: "9.7.4.10",
  },
  {
    id: "ex2.approx.bf16",
    syntax: "ex2.approx.ftz.type d, a",
    slots: { type: brains },
    needs: "7.8:sm_90",
    section: "9.7.4.10",
  },
  ...["add", "sub"].map((name, i): Row => ({
    id: `${name}.mixed`,
    syntax: `${name}{.rnd}{.sat}.f32.atype d:f32, a:atype, c:f32`,
    slots: { rnd: rounding, atype: "f16 bf16" },
    needs: "8.6:sm_100",
    section: `9.7.5.${i + 1}`,
  })),
  {
    id: "fma.mixed",
    syntax: "fma.rnd{.sat}.f32.abtype d:f32, a:abtype, b:abtype, c:f32",
    slots: { rnd: rounding, abtype: "f16 bf16" },
    needs: "8.6:sm_100",
    section: "9.7.5.3",
  },
  ...mixedPairs,
  ...alternate,
];
