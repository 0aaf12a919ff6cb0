// Arithmetic on f16, bf16 and their pairs: PTX ISA 9.0 section 9.7.4; mixed with f32: section 9.7.5.

import type { Row } from "../form.js";
import { rounding } from "./sets.js";

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
];
