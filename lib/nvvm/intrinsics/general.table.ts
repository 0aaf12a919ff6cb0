// Intrinsics of LLVM itself (NVVM IR 1.0 chapter 9; LLVM Language Reference, "Intrinsic Functions"). How rows are written:
// row.ts.

import type { IntrinsicRow } from "./row.js";

const first = (section: string, types = "*"): Pick<IntrinsicRow, "first" | "section"> => ({ first: types, section });

const memoryRows: readonly IntrinsicRow[] = [
  // Until LLVM 6 the alignment was the fourth of five arguments.
  { name: "memcpy<|.inline>*", type: "void (S, T, N, ...)", does: "memcpy", ...first("9.4") },
  { name: "memmove*", type: "void (S, T, N, ...)", does: "memmove", ...first("9.4") },
  { name: "memset<|.inline>*", type: "void (S, i8, N, ...)", does: "memset", ...first("9.4") },
  { name: "prefetch*", type: "void (S, i32!, i32!, i32!)", does: "prefetch" },
  { name: "masked.load*", type: "U (S, i32!, U.i1, U)", does: "masked.load" },
  { name: "masked.store*", type: "void (U, S, i32!, U.i1)", does: "masked.store" },
  { name: "masked.gather*", type: "U (U.ptr, i32!, U.i1, U)", does: "masked.gather" },
  { name: "masked.scatter*", type: "void (U, U.ptr, i32!, U.i1)", does: "masked.scatter" },
  { name: "load.relative*", type: "S (S, N)", does: "load.relative" },
  { name: "ptrmask*", type: "P (P, I)", does: "ptrmask" },
  { name: "threadlocal.address*", type: "S (S)", does: "value" },
];

/** A float function that is one instruction for each type. */
const float = (name: string, f32: string, f64: string, more: Partial<IntrinsicRow> = {}): IntrinsicRow => ({
  name: `${name}*`,
  type: "F (F)",
  ptx: { f32: `${f32} $d, $0;`, f64: `${f64} $d, $0;` },
  ...more,
});

/** A float function of libdevice. */
const library = (name: string, libdevice: string, type = "F (F)"): IntrinsicRow => ({
  name: `${name}*`,
  type,
  does: "libdevice",
  libdevice,
});

const floatRows: readonly IntrinsicRow[] = [
  float("sqrt", "sqrt.rn<ftz>.f32", "sqrt.rn.f64", first("9.4", "f32 f64 vectors")),
  { name: "fma*", type: "F (F, F, F)", does: "fma", ...first("9.4", "f32 f64 vectors") },
  { name: "fmuladd*", type: "F (F, F, F)", does: "fma" },
  float("fabs", "abs<ftz>.f32", "abs.f64"),
  float("floor", "cvt.rmi<ftz>.f32.f32", "cvt.rmi.f64.f64"),
  float("ceil", "cvt.rpi<ftz>.f32.f32", "cvt.rpi.f64.f64"),
  float("trunc", "cvt.rzi<ftz>.f32.f32", "cvt.rzi.f64.f64"),
  float("<rint|nearbyint|roundeven>", "cvt.rni<ftz>.f32.f32", "cvt.rni.f64.f64"),
  // Halves away from zero, which is not a rounding mode of PTX.
  { name: "round*", type: "F (F)", does: "round" },
  { name: "<lrint|llrint>*", type: "I (F)", does: "lrint" },
  { name: "<lround|llround>*", type: "I (F)", does: "lround" },
  { name: "canonicalize*", type: "F (F)", does: "canonicalize" },
  { name: "<minnum|maxnum|minimum|maximum|minimumnum|maximumnum>*", type: "F (F, F)", does: "minmax" },
  { name: "copysign*", type: "F (F, F)", does: "copysign" },
  { name: "ldexp*", type: "F (F, I)", does: "ldexp" },
  { name: "frexp*", type: "{F, I} (F)", does: "frexp" },
  { name: "powi*", type: "F (F, N)", does: "powi" },
  { name: "is.fpclass*", type: "F.i1 (F, i32!)", does: "is.fpclass" },
  // Approximate instructions if the call has afn, otherwise libdevice's functions.
  ...(
    [
      ["sin", "sin"],
      ["cos", "cos"],
      ["exp2", "exp2"],
      ["log2", "log2"],
    ] as const
  ).map(([name, libdevice]): IntrinsicRow => ({
    name: `${name}*`,
    type: "F (F)",
    does: "approximate",
    libdevice,
  })),
  ...["tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "exp10", "log", "log10"].map((name) =>
    library(name, name),
  ),
  library("pow", "pow", "F (F, F)"),
  library("atan2", "atan2", "F (F, F)"),
  { name: "convert.to.fp16", type: "i16 (f32)", ptx: "cvt.rn<ftz>.f16.f32 $d, $0;", ...first("9.7") },
  { name: "convert.from.fp16", type: "f32 (i16)", ptx: "cvt.f32.f16 $d, $0;", ...first("9.7") },
  { name: "convert.to.fp16.<f32|f64>", type: "i16 (<1>)", ptx: "cvt.rn.f16.<1> $d, $0;" },
  { name: "convert.from.fp16.<f32|f64>", type: "<1> (i16)", ptx: "cvt.<1>.f16 $d, $0;" },
  { name: "arithmetic.fence*", type: "F (F)", does: "value" },
  { name: "fpto<si|ui>.sat*", type: "I (F)", does: "fptosi.sat" },
  {
    name: "experimental.constrained.<fadd|fsub|fmul|fdiv|frem>*",
    type: "F (F, F, metadata, metadata)",
    does: "constrained",
  },
  { name: "experimental.constrained.<fma|fmuladd>*", type: "F (F, F, F, metadata, metadata)", does: "constrained" },
  { name: "experimental.constrained.sqrt*", type: "F (F, metadata, metadata)", does: "constrained" },
];

const integerRows: readonly IntrinsicRow[] = [
  { name: "bswap*", type: "I (I)", does: "bswap", ...first("9.5", "i16 i32 i64") },
  { name: "ctpop*", type: "I (I)", does: "ctpop", narrow: "zero", ...first("9.5", "i8 i16 i32 i64 vectors") },
  // The flag exists since LLVM 3.1; before, the result for zero was defined.
  { name: "ctlz*", type: "I (I, i1?)", does: "ctlz", narrow: "zero", ...first("9.5", "i8 i16 i32 i64 vectors") },
  { name: "cttz*", type: "I (I, i1?)", does: "cttz", narrow: "any", ...first("9.5", "i8 i16 i32 i64 vectors") },
  { name: "bitreverse*", type: "I (I)", does: "bitreverse" },
  { name: "fshl*", type: "I (I, I, I)", does: "fshl" },
  { name: "fshr*", type: "I (I, I, I)", does: "fshr" },
  { name: "abs*", type: "I (I, i1!)", does: "abs", narrow: "sign" },
  { name: "smax*", type: "I (I, I)", does: "smax", narrow: "sign" },
  { name: "smin*", type: "I (I, I)", does: "smin", narrow: "sign" },
  { name: "umax*", type: "I (I, I)", does: "umax", narrow: "zero" },
  { name: "umin*", type: "I (I, I)", does: "umin", narrow: "zero" },
  { name: "scmp*", type: "J (I, I)", does: "scmp", narrow: "sign" },
  { name: "ucmp*", type: "J (I, I)", does: "ucmp", narrow: "zero" },
  { name: "<sadd|ssub|smul>.with.overflow*", type: "{I, I.i1} (I, I)", does: "overflow", narrow: "sign" },
  { name: "<uadd|usub|umul>.with.overflow*", type: "{I, I.i1} (I, I)", does: "overflow", narrow: "zero" },
  { name: "<sadd|ssub|sshl>.sat*", type: "I (I, I)", does: "saturating", narrow: "sign" },
  { name: "<uadd|usub|ushl>.sat*", type: "I (I, I)", does: "saturating", narrow: "zero" },
];

const vectorRows: readonly IntrinsicRow[] = [
  {
    name: "<|experimental.>vector.reduce.<add|mul|and|or|xor|smax|smin|umax|umin>*",
    type: "X.element (X)",
    does: "reduce",
  },
  { name: "<|experimental.>vector.reduce.<fmax|fmin|fmaximum|fminimum>*", type: "Y.element (Y)", does: "reduce" },
  { name: "<|experimental.>vector.reduce.<|v2.><fadd|fmul>*", type: "Y.element (Y.element, Y)", does: "reduce" },
  { name: "<|experimental.>vector.insert*", type: "U (U, Z, i64!)", does: "vector.insert" },
  { name: "<|experimental.>vector.extract*", type: "U (Z, i64!)", does: "vector.extract" },
  { name: "<|experimental.>vector.splice*", type: "U (U, U, i32!)", does: "vector.splice" },
  { name: "<|experimental.>vector.reverse*", type: "U (U)", does: "vector.reverse" },
  { name: "<|experimental.>vector.interleave<2|3|4|5|6|7|8>*", type: "U (Z*<2>)", does: "vector.interleave" },
  { name: "<|experimental.>vector.deinterleave<2|3|4|5|6|7|8>*", type: "{Z*<2>} (U)", does: "vector.deinterleave" },
  { name: "<|experimental.>vector.partial.reduce.add*", type: "X (X, U)", does: "partial.reduce" },
  { name: "<|experimental.>stepvector*", type: "X ()", does: "step" },
];

const ignoredRows: readonly IntrinsicRow[] = [
  // Lifetimes lost their size with LLVM 22.
  { name: "lifetime.<start|end>*", type: "void (...)", does: "ignored", ...first("9.11") },
  { name: "invariant.start*", type: "V (I, P)", does: "ignored", ...first("9.11") },
  { name: "invariant.end*", type: "void (V, I, P)", does: "ignored", ...first("9.11") },
  { name: "dbg.declare", type: "void (metadata, metadata, ...)", does: "ignored", ...first("9.8") },
  { name: "dbg.value", type: "void (metadata, ...)", does: "ignored", ...first("9.8") },
  { name: "dbg.<addr|label|assign>", type: "void (metadata, ...)", does: "ignored" },
  { name: "var.annotation*", type: "void (P, Q, ...)", does: "ignored", ...first("9.12") },
  { name: "annotation*", type: "I (I, P, ...)", does: "value", ...first("9.12") },
  { name: "ptr.annotation*", type: "P (P, ...)", does: "value", ...first("9.12") },
  { name: "assume", type: "void (i1)", does: "ignored" },
  { name: "experimental.noalias.scope.decl", type: "void (metadata)", does: "ignored" },
  { name: "<donothing|sideeffect>", type: "void ()", does: "ignored" },
  { name: "pseudoprobe", type: "void (i64!, i64!, i32!, i64!)", does: "ignored" },
  { name: "codeview.annotation", type: "void (metadata)", does: "ignored" },
  { name: "expect*", type: "I (I, I)", does: "value" },
  { name: "expect.with.probability*", type: "I (I, I, f64!)", does: "value" },
  { name: "ssa.copy*", type: "V (V)", does: "value" },
  { name: "fake.use", type: "void (...)", does: "ignored" },
  { name: "<launder|strip>.invariant.group*", type: "P (P)", does: "value" },
  { name: "preserve.<array|struct|union>.access.index*", type: "S (T, ...)", does: "value" },
];

const otherRows: readonly IntrinsicRow[] = [
  { name: "<trap|debugtrap>", type: "void ()", does: "trap" },
  { name: "ubsantrap", type: "void (i8!)", does: "trap" },
  { name: "is.constant*", type: "i1 (V)", does: "is.constant" },
  { name: "objectsize*", type: "N (S, ...)", does: "objectsize" },
  { name: "<|nvvm.>stacksave*", type: "S ()", does: "stacksave" },
  { name: "<|nvvm.>stackrestore*", type: "void (S)", does: "stackrestore" },
  // Whether code that only checks should run: it does.
  { name: "allow.runtime.check", type: "i1 (metadata)", does: "true" },
  { name: "allow.ubsan.check", type: "i1 (i8!)", does: "true" },
  // To nearest, as each instruction without a direction rounds.
  { name: "get.rounding", type: "i32 ()", ptx: "mov.b32 $d, 1;" },
  { name: "<readcyclecounter>", type: "i64 ()", ptx: "mov.u64 $d, %clock64;" },
  { name: "<readsteadycounter>", type: "i64 ()", ptx: "mov.u64 $d, %globaltimer;" },
  { name: "va_<start|end>*", type: "void (S)", does: "varargs" },
  { name: "va_copy*", type: "void (S, S)", does: "varargs.copy" },
  { name: "nvvm.reflect*", type: "i32 (S)", does: "reflect" },
  { name: "nvvm.compiler.<error|warn>*", type: "void (S)", does: "message" },
];

export const generalRows: readonly IntrinsicRow[] = [
  ...memoryRows,
  ...floatRows,
  ...integerRows,
  ...vectorRows,
  ...ignoredRows,
  ...otherRows,
];
