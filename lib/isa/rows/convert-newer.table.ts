// Conversions added in PTX ISA 9.1 to 9.4: section 9.7.9.21 of ISA 9.2, and of 9.4 as far as it is known. `scale` has powers of
// two: one for both elements in a .b8 (n1), or one for each in a .b16 (n2).

import type { Row } from "../form.js";
import { rubin } from "./sets.js";

const section = "9.7.9.21";
/** Results of these forms for zeros and signed values are unknown. */
const unexecuted = "9.7.20.4";
const halves = "f16x2 bf16x2";
/** Types of pairs in a .b16; .e2m1x2 is in a .b8. */
const bytes = "e4m3x2 e5m2x2 e2m3x2 e3m2x2";
const eachScale = { scaled: "scaled::n2::ue8m0" };
const oneScale = { scaled: "scaled::n1::ue8m0" };

/** PTX ISA 9.1: conversions from pairs of halves. */
const fromHalves: readonly Row[] = [
  {
    id: "cvt.f8x2.from.bf16x2",
    syntax: "cvt.rn.satfinite{.relu}.dtype.bf16x2 d:dtype, a:bf16x2",
    slots: { dtype: "e4m3x2 e5m2x2" },
    needs: "9.1:sm_100f|sm_110f|sm_120f",
    section,
  },
  {
    id: "cvt.f6x2.from.halves",
    syntax: "cvt.rn.satfinite{.relu}.dtype.atype d:dtype, a:atype",
    slots: { dtype: "e2m3x2 e3m2x2", atype: halves },
    needs: "9.1:sm_100f|sm_110f|sm_120f",
    section,
  },
  {
    id: "cvt.f4x2.from.bf16x2",
    syntax: "cvt.rn.satfinite{.relu}.e2m1x2.bf16x2 d:b8!, a:bf16x2",
    needs: "9.1:sm_100f|sm_110f|sm_120f",
    section,
  },
];

/** PTX ISA 9.1: targets of conversions with s8 in units of 2^-6. */
const specific = "9.1:sm_100a|sm_103a|sm_110a|sm_120a|sm_121a";
const fixed: readonly Row[] = [
  {
    id: "cvt.s2f6x2",
    syntax: "cvt.rn.satfinite{.relu}{.scaled}.s2f6x2.f32 d:s2f6x2, a:f32, b:f32{, scale:b16?scaled}",
    slots: eachScale,
    needs: specific,
    section,
  },
  {
    id: "cvt.s2f6x2.from.bf16x2",
    syntax: "cvt.rn.satfinite{.relu}{.scaled}.s2f6x2.bf16x2 d:s2f6x2, a:bf16x2{, scale:b16?scaled}",
    slots: eachScale,
    needs: specific,
    section,
  },
  {
    id: "cvt.s2f6x2.to.bf16x2",
    syntax: "cvt.rn{.satfinite}{.relu}{.scaled}.bf16x2.s2f6x2 d:bf16x2, a:s2f6x2{, scale:b16?scaled}",
    slots: eachScale,
    needs: specific,
    section,
  },
];

/** PTX ISA 9.2: small floats to bf16. The manual allows .relu and .satfinite in either order. */
const toBfloat: readonly Row[] = ["{.relu}{.satfinite}", "{.satfinite}{.relu}"].flatMap((modifiers, i): Row[] => {
  const turned = i === 0 ? "" : ".turned";
  // If both are present, only one order is allowed in each row, so that a spelling belongs to one row.
  const limits = i === 0 ? [] : ["satfinite -> relu", "relu -> satfinite", "!satfinite -> never"];
  return [
    {
      id: `cvt.small.to.bf16x2${turned}`,
      syntax: `cvt.rn${modifiers}{.scaled}.bf16x2.atype d:bf16x2, a:atype{, scale:b16?scaled}`,
      slots: { ...eachScale, satfinite: "satfinite", relu: "relu", atype: bytes },
      limits,
      needs: "9.2:sm_100f|sm_110f|sm_120f",
      section,
    },
    {
      id: `cvt.f4x2.to.bf16x2${turned}`,
      syntax: `cvt.rn${modifiers}{.scaled}.bf16x2.e2m1x2 d:bf16x2, a:b8!{, scale:b16?scaled}`,
      slots: { ...eachScale, satfinite: "satfinite", relu: "relu" },
      limits,
      needs: "9.2:sm_100f|sm_110f|sm_120f",
      section,
    },
  ];
});

/** PTX ISA 9.4: .rz, one scale for both elements. */
const scaledSmall: readonly Row[] = [
  {
    id: "cvt.small.scaled",
    syntax: "cvt.rnd.satfinite{.relu}{.scaled}.dtype.f32 d:dtype, a:f32, b:f32{, scale:b8?scaled}",
    slots: { ...oneScale, rnd: "rn rz", dtype: bytes },
    needs: rubin,
    section,
  },
  {
    id: "cvt.small.scaled.from.halves",
    syntax: "cvt.rnd.satfinite{.relu}{.scaled}.dtype.atype d:dtype, a:atype{, scale:b8?scaled}",
    slots: { ...oneScale, rnd: "rn rz", dtype: bytes, atype: halves },
    needs: rubin,
    section,
  },
  {
    id: "cvt.f4x2.scaled",
    syntax: "cvt.rnd.satfinite{.relu}{.scaled}.e2m1x2.f32 d:b8!, a:f32, b:f32{, scale:b8?scaled}",
    slots: { ...oneScale, rnd: "rn rz" },
    needs: rubin,
    section,
  },
  {
    id: "cvt.f4x2.scaled.from.halves",
    syntax: "cvt.rnd.satfinite{.relu}{.scaled}.e2m1x2.atype d:b8!, a:atype{, scale:b8?scaled}",
    slots: { ...oneScale, rnd: "rn rz", atype: halves },
    needs: rubin,
    section,
  },
];

/** PTX ISA 9.4: .pzo, of which only the name is known. */
const positiveZeros: readonly Row[] = [
  {
    id: "cvt.half.pzo",
    syntax: "cvt.rnd{.relu}{.satfinite}.pzo.dtype.f32 d:dtype>, a:f32>",
    slots: { rnd: "rn rz", dtype: "f16 bf16" },
    limits: ["dtype=bf16 -> narrow"],
    needs: rubin,
    section: unexecuted,
  },
  {
    id: "cvt.pair.pzo",
    syntax: "cvt.rnd{.relu}{.satfinite}.pzo.dtype.f32 d:dtype, a:f32, b:f32",
    slots: { rnd: "rn rz", dtype: halves },
    needs: rubin,
    section: unexecuted,
  },
  {
    id: "cvt.tf32.pzo",
    syntax: "cvt.rnd{.satfinite}{.relu}.pzo.tf32.f32 d:tf32, a:f32",
    slots: { rnd: "rn rz" },
    needs: rubin,
    section: unexecuted,
  },
  {
    id: "cvt.small.pzo",
    syntax: "cvt.rnd.satfinite{.relu}.pzo{.scaled}.dtype.f32 d:dtype, a:f32, b:f32{, scale:b8?scaled}",
    slots: { ...oneScale, rnd: "rn rz", dtype: bytes },
    needs: rubin,
    section: unexecuted,
  },
  {
    id: "cvt.small.pzo.from.halves",
    syntax: "cvt.rnd.satfinite{.relu}.pzo{.scaled}.dtype.atype d:dtype, a:atype{, scale:b8?scaled}",
    slots: { ...oneScale, rnd: "rn rz", dtype: bytes, atype: halves },
    needs: rubin,
    section: unexecuted,
  },
  {
    id: "cvt.f4x2.pzo",
    syntax: "cvt.rnd.satfinite{.relu}.pzo{.scaled}.e2m1x2.f32 d:b8!, a:f32, b:f32{, scale:b8?scaled}",
    slots: { ...oneScale, rnd: "rn rz" },
    needs: rubin,
    section: unexecuted,
  },
  {
    id: "cvt.f4x2.pzo.from.halves",
    syntax: "cvt.rnd.satfinite{.relu}.pzo{.scaled}.e2m1x2.atype d:b8!, a:atype{, scale:b8?scaled}",
    slots: { ...oneScale, rnd: "rn rz", atype: halves },
    needs: rubin,
    section: unexecuted,
  },
];

/** PTX ISA 9.4: unsigned floats with five bits of exponent and three of mantissa. */
const unsigned: readonly Row[] = [
  {
    id: "cvt.ue5m3x2",
    syntax: "cvt.rnd{.satfinite}{.scaled}.ue5m3x2.f32 d:ue5m3x2, a:f32, b:f32{, scale:b8?scaled}",
    slots: { ...oneScale, rnd: "rn rz rp" },
    limits: ["scaled -> rnd=rn|rz"],
    needs: rubin,
    section: unexecuted,
  },
  {
    id: "cvt.ue5m3x2.from.halves",
    syntax: "cvt.rnd{.satfinite}{.scaled}.ue5m3x2.atype d:ue5m3x2, a:atype{, scale:b8?scaled}",
    slots: { ...oneScale, rnd: "rn rz rp", atype: halves },
    limits: ["scaled -> rnd=rn|rz"],
    needs: rubin,
    section: unexecuted,
  },
  { id: "cvt.ue5m3x2.to.f16x2", syntax: "cvt.rn.f16x2.ue5m3x2 d:f16x2, a:ue5m3x2", needs: rubin, section: unexecuted },
  {
    id: "cvt.ue5m3x2.to.bf16x2",
    syntax: "cvt.rn{.satfinite}{.scaled}.bf16x2.ue5m3x2 d:bf16x2, a:ue5m3x2{, scale:b16?scaled}",
    slots: eachScale,
    needs: rubin,
    section: unexecuted,
  },
];

export const newerConvertRows: readonly Row[] = [
  ...fromHalves,
  ...fixed,
  ...toBfloat,
  ...scaledSmall,
  ...positiveZeros,
  ...unsigned,
];
