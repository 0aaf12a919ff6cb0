// Floating-point arithmetic on f32, f32x2 and f64: PTX ISA 9.0 section 9.7.3.
//
// The manual requires sm_13 for f64, or the option map_f64_to_f32. All later GPUs have f64, ptxas compiles it for every target,
// and nvopencc wrote it into modules for sm_10.

import type { Row } from "../form.js";
import { rounding } from "./sets.js";

/** Rows of add, sub and mul, which have the same form. Without a rounding mode it is rn, and the compiler may contract. */
const basic = (name: string, section: string): readonly Row[] => [
  {
    id: `${name}.f32`,
    syntax: `${name}{.rnd}{.ftz}{.sat}.f32 d, a, b`,
    slots: { rnd: rounding },
    limits: ["rnd=rm|rp -> @2.0:sm_20"],
    needs: "1.0",
    section,
  },
  {
    id: `${name}.f32x2`,
    syntax: `${name}{.rnd}{.ftz}.f32x2 d, a, b`,
    slots: { rnd: rounding },
    needs: "8.6:sm_100",
    section,
  },
  {
    id: `${name}.f64`,
    syntax: `${name}{.rnd}.f64 d, a, b`,
    slots: { rnd: rounding },
    limits: ["rnd=rm|rp -> @1.0:sm_13"],
    needs: "1.0",
    section,
  },
];

const minimum = (name: string, section: string): readonly Row[] => [
  {
    id: `${name}.f32`,
    syntax: `${name}{.ftz}{.nan}{.xorsign}{.abs}.f32 d, a, b`,
    slots: { nan: "NaN@7.0:sm_80", xorsign: "xorsign@7.2:sm_86", abs: "abs@7.2:sm_86" },
    limits: ["xorsign -> abs", "abs -> xorsign"],
    needs: "1.0",
    section,
  },
  {
    id: `${name}.f32.three`,
    syntax: `${name}{.ftz}{.NaN}{.abs}.f32 d, a, b, c`,
    needs: "8.8:sm_100",
    section,
  },
  { id: `${name}.f64`, syntax: `${name}.f64 d, a, b`, needs: "1.0", section },
];

/** Before PTX 1.4 the instruction without modifiers was the approximate one, and it flushed subnormals. */
const approximate = (id: string, syntax: string, section: string): Row => ({
  id,
  syntax,
  limits: ["!approx -> !ftz", "!approx -> until 1.3", "approx -> @1.4"],
  needs: "1.0",
  section,
});

/** Rows of rcp and sqrt, which have the same form; before PTX 1.4 the approximate one was the default. */
const unary = (name: string, section: string, roundedSince: readonly string[] = []): readonly Row[] => [
  {
    id: `${name}.f32`,
    syntax: `${name}.rnd{.ftz}.f32 d, a`,
    slots: { rnd: rounding },
    needs: "2.0:sm_20",
    section,
  },
  approximate(`${name}.approx`, `${name}{.approx}{.ftz}.f32 d, a`, section),
  {
    id: `${name}.f64`,
    syntax: `${name}{.rnd}.f64 d, a`,
    slots: { rnd: rounding },
    needs: "1.0",
    limits: ["!rnd -> until 1.3", ...roundedSince, "rnd=rz|rm|rp -> @2.0:sm_20"],
    section,
  },
];

export const floatRows: readonly Row[] = [
  {
    id: "testp",
    syntax: "testp.op.type p:pred, a",
    slots: { op: "finite infinite number notanumber normal subnormal", type: "f32 f64" },
    needs: "2.0:sm_20",
    section: "9.7.3.1",
  },
  {
    id: "copysign",
    syntax: "copysign.type d, a, b",
    slots: { type: "f32 f64" },
    needs: "2.0:sm_20",
    section: "9.7.3.2",
  },
  ...basic("add", "9.7.3.3"),
  ...basic("sub", "9.7.3.4"),
  ...basic("mul", "9.7.3.5"),
  {
    id: "fma.f32",
    syntax: "fma.rnd{.ftz}{.sat}.f32 d, a, b, c",
    slots: { rnd: rounding },
    needs: "2.0:sm_20",
    section: "9.7.3.6",
  },
  {
    id: "fma.f32x2",
    syntax: "fma.rnd{.ftz}.f32x2 d, a, b, c",
    slots: { rnd: rounding },
    needs: "8.6:sm_100",
    section: "9.7.3.6",
  },
  {
    id: "fma.f64",
    syntax: "fma.rnd.f64 d, a, b, c",
    slots: { rnd: rounding },
    needs: "1.4",
    section: "9.7.3.6",
  },
  {
    id: "mad.f32",
    syntax: "mad{.rnd}{.ftz}{.sat}.f32 d, a, b, c",
    slots: { rnd: rounding },
    limits: ["!rnd -> until 3.1:sm_20", "rnd -> @2.0:sm_20"],
    needs: "1.0",
    section: "9.7.3.7",
  },
  {
    id: "mad.f64",
    syntax: "mad{.rnd}.f64 d, a, b, c",
    slots: { rnd: rounding },
    limits: ["!rnd -> until 1.3"],
    needs: "1.0",
    section: "9.7.3.7",
  },
  approximate("div.approx", "div{.approx}{.ftz}.f32 d, a, b", "9.7.3.8"),
  { id: "div.full", syntax: "div.full{.ftz}.f32 d, a, b", needs: "1.4", section: "9.7.3.8" },
  {
    id: "div.f32",
    syntax: "div.rnd{.ftz}.f32 d, a, b",
    slots: { rnd: rounding },
    needs: "1.4:sm_20",
    section: "9.7.3.8",
  },
  {
    id: "div.f64",
    syntax: "div{.rnd}.f64 d, a, b",
    slots: { rnd: rounding },
    limits: ["!rnd -> until 1.3", "rnd=rz|rm|rp -> @1.4:sm_20"],
    needs: "1.0",
    section: "9.7.3.8",
  },
  { id: "abs.f32", syntax: "abs{.ftz}.f32 d, a", needs: "1.0", section: "9.7.3.9" },
  { id: "abs.f64", syntax: "abs.f64 d, a", needs: "1.0", section: "9.7.3.9" },
  { id: "neg.f32", syntax: "neg{.ftz}.f32 d, a", needs: "1.0", section: "9.7.3.10" },
  { id: "neg.f64", syntax: "neg.f64 d, a", needs: "1.0", section: "9.7.3.10" },
  ...minimum("min", "9.7.3.11"),
  ...minimum("max", "9.7.3.12"),
  ...unary("rcp", "9.7.3.13", ["rnd -> @1.4"]),
  { id: "rcp.approx.f64", syntax: "rcp.approx.ftz.f64 d, a", needs: "2.1:sm_20", section: "9.7.3.14" },
  ...unary("sqrt", "9.7.3.15"),
  approximate("rsqrt.approx", "rsqrt{.approx}{.ftz}.f32 d, a", "9.7.3.16"),
  {
    id: "rsqrt.approx.f64",
    syntax: "rsqrt{.approx}{.ftz}.f64 d, a",
    slots: { ftz: "ftz@4.0:sm_20" },
    limits: ["!approx -> !ftz", "!approx -> until 1.3", "approx -> @1.4"],
    needs: "1.0",
    section: "9.7.3.16",
  },
  approximate("sin.approx", "sin{.approx}{.ftz}.f32 d, a", "9.7.3.18"),
  approximate("cos.approx", "cos{.approx}{.ftz}.f32 d, a", "9.7.3.19"),
  approximate("lg2.approx", "lg2{.approx}{.ftz}.f32 d, a", "9.7.3.20"),
  approximate("ex2.approx", "ex2{.approx}{.ftz}.f32 d, a", "9.7.3.21"),
  { id: "tanh.approx", syntax: "tanh.approx.f32 d, a", needs: "7.0:sm_75", section: "9.7.3.22" },
];
