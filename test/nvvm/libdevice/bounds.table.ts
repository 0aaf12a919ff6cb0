// Errors that NVIDIA documents for its mathematical functions (CUDA C++ Programming Guide, "Mathematical Functions"),
// in units in the last place, by the name without `__nv_`. Functions that are not listed are exact. Where editions of
// the guide differ, this table has the tighter bound; docs/nvvm.md says what the rows were compared with.

/** A bound for given arguments and exact value: `absolute` instead of `ulp` where the guide has an absolute error. */
export interface Bound {
  readonly ulp?: number;
  readonly absolute?: number;
}

/** Arguments as numbers. */
export type BoundOf = number | ((...values: number[]) => Bound | undefined);

/** Beyond 8, the guide bounds Bessel functions by an absolute error. */
const bessel =
  (ulp: number, absolute: number) =>
  (x: number): Bound =>
    Math.abs(x) < 8 ? { ulp } : { absolute };
/** No bound without elements, where the functions return the first one. */
const elements =
  (ulp: number) =>
  (count: number): Bound | undefined =>
    count < 1 ? undefined : { ulp };
const orders = (absolute: number) => (): Bound => ({ absolute });
const inside = (x: number, low: number, high: number): boolean => x >= low && x <= high;

/** `undefined`: the guide has no bound. */
export const bounds: Readonly<Record<string, BoundOf>> = {
  rsqrtf: 2, cbrtf: 1, rcbrtf: 1, hypotf: 3, rhypotf: 2, norm3df: 3, rnorm3df: 2, norm4df: 3, rnorm4df: 2, expf: 1, exp2f: 2,
  exp10f: 2, expm1f: 1, logf: 1, log2f: 1, log10f: 2, log1pf: 1, sinf: 2, cosf: 2, tanf: 4, sincosf: 2, sinpif: 1, cospif: 1,
  sincospif: 1, asinf: 2, acosf: 2, atanf: 2, atan2f: 3, sinhf: 3, coshf: 2, tanhf: 2, asinhf: 3, acoshf: 4, atanhf: 3, powf: 4,
  erff: 2, erfcf: 4, erfinvf: 2, erfcinvf: 2, erfcxf: 4, normcdff: 5, normcdfinvf: 5, tgammaf: 5, cyl_bessel_i0f: 6,
  cyl_bessel_i1f: 6,
  rsqrt: 1, cbrt: 1, rcbrt: 1, hypot: 2, rhypot: 1, norm3d: 2, rnorm3d: 1, norm4d: 2, rnorm4d: 1, exp: 1, exp2: 1, exp10: 1,
  expm1: 1, log: 1, log2: 1, log10: 1, log1p: 1, sin: 1, cos: 1, tan: 2, sincos: 1, sinpi: 1, cospi: 1, sincospi: 1, asin: 2,
  acos: 1, atan: 2, atan2: 2, sinh: 1, cosh: 1, tanh: 1, asinh: 2, acosh: 2, atanh: 2, pow: 2, erf: 2, erfc: 4, erfinv: 5,
  erfcinv: 6, erfcx: 3, normcdf: 5, normcdfinv: 7, tgamma: 8, cyl_bessel_i0: 6, cyl_bessel_i1: 6,
  // No bound near zeros of the function.
  lgammaf: (x) => (inside(x, -10.001, -2.264) ? undefined : { ulp: 6 }),
  lgamma: (x) => (inside(x, -11.0001, -2.2637) ? undefined : { ulp: 4 }),
  j0f: bessel(9, 2.2e-6), j1f: bessel(9, 2.2e-6), y0f: bessel(9, 2.2e-6), y1f: bessel(9, 2.2e-6), jnf: orders(2.2e-6),
  ynf: (n, x) => (Math.abs(x) < n ? { ulp: Math.ceil(2 + 2.5 * n) } : { absolute: 2.2e-6 }),
  j0: bessel(7, 5e-12), j1: bessel(7, 5e-12), y0: bessel(7, 5e-12), y1: bessel(7, 5e-12), jn: orders(5e-12),
  yn: (n, x) => (Math.abs(x) > 1.5 * n ? { absolute: 5e-12 } : undefined),
  normf: elements(4), rnormf: elements(3), norm: elements(3), rnorm: elements(2),
  // Products of powers: no bound.
  powif: () => undefined, powi: () => undefined,
  // Intrinsics.
  fast_fdividef: 2, fast_expf: (x) => ({ ulp: 2 + Math.floor(Math.abs(1.173 * x)) }),
  fast_exp10f: (x) => ({ ulp: 2 + Math.floor(Math.abs(2.97 * x)) }),
  fast_logf: (x) => (inside(x, 0.5, 2) ? { absolute: 2 ** -21.41 } : { ulp: 3 }),
  fast_log2f: (x) => (inside(x, 0.5, 2) ? { absolute: 2 ** -22 } : { ulp: 2 }),
  fast_log10f: (x) => (inside(x, 0.5, 2) ? { absolute: 2 ** -24 } : { ulp: 3 }),
  fast_sinf: (x) => (inside(x, -Math.PI, Math.PI) ? { absolute: 2 ** -21.41 } : undefined),
  fast_cosf: (x) => (inside(x, -Math.PI, Math.PI) ? { absolute: 2 ** -21.19 } : undefined),
  fast_sincosf: (x) => (inside(x, -Math.PI, Math.PI) ? { absolute: 2 ** -21.19 } : undefined),
  fast_tanf: () => undefined, fast_powf: () => undefined,
  // tanh.approx.f32: a relative error of 2^-11.
  fast_tanhf: () => ({ ulp: 2 ** 13 }),
  // rcp.approx.ftz.f64: a relative error of 2^-23.
  rcp64h: () => ({ ulp: 2 ** 32 }),
}; // prettier-ignore
