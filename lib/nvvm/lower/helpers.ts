// Static PTX functions for code that would be long inline: a module contains those that it needs.

import { divisionHelper } from "./wide.js";

export const remainderHelper32 = "__ptxkit_fmodf";
export const remainderHelper64 = "__ptxkit_fmod";

/**
 * Quotient and remainder of 128 bits, unsigned: one bit a step, from the dividend's highest. A division by zero gives all
 * ones, and the dividend.
 */
const division = `.func (.param .align 16 .b8 results[32]) ${divisionHelper}(.param .align 16 .b8 dividend[16], .param .align 16 .b8 divisor[16])
{
  .reg .pred %p<8>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<22>;
  ld.param.b64 %rd1, [dividend];
  ld.param.b64 %rd2, [dividend+8];
  ld.param.b64 %rd3, [divisor];
  ld.param.b64 %rd4, [divisor+8];
  or.b64 %rd5, %rd2, %rd4;
  setp.ne.b64 %p1, %rd5, 0;
  @%p1 bra $Lwide;
  div.u64 %rd6, %rd1, %rd3;
  rem.u64 %rd8, %rd1, %rd3;
  mov.b64 %rd7, 0;
  mov.b64 %rd9, 0;
  bra $Ldone;
$Lwide:
  mov.b64 %rd8, 0;
  mov.b64 %rd9, 0;
  mov.b32 %r1, 128;
  setp.ne.b64 %p1, %rd2, 0;
  @%p1 bra $Lloop;
  mov.b64 %rd2, %rd1;
  mov.b64 %rd1, 0;
  mov.b32 %r1, 64;
$Lloop:
  shr.u64 %rd10, %rd2, 63;
  shr.u64 %rd11, %rd1, 63;
  shr.u64 %rd12, %rd8, 63;
  shr.u64 %rd13, %rd9, 63;
  shl.b64 %rd1, %rd1, 1;
  shl.b64 %rd2, %rd2, 1;
  or.b64 %rd2, %rd2, %rd11;
  shl.b64 %rd8, %rd8, 1;
  or.b64 %rd8, %rd8, %rd10;
  shl.b64 %rd9, %rd9, 1;
  or.b64 %rd9, %rd9, %rd12;
  setp.ne.b64 %p1, %rd13, 0;
  setp.gt.u64 %p2, %rd9, %rd4;
  setp.eq.b64 %p3, %rd9, %rd4;
  setp.ge.u64 %p4, %rd8, %rd3;
  and.pred %p3, %p3, %p4;
  or.pred %p2, %p2, %p3;
  or.pred %p1, %p1, %p2;
  @!%p1 bra $Lnext;
  sub.cc.u64 %rd8, %rd8, %rd3;
  subc.u64 %rd9, %rd9, %rd4;
  or.b64 %rd1, %rd1, 1;
$Lnext:
  sub.s32 %r1, %r1, 1;
  setp.ne.s32 %p5, %r1, 0;
  @%p5 bra $Lloop;
  mov.b64 %rd6, %rd1;
  mov.b64 %rd7, %rd2;
$Ldone:
  st.param.b64 [results], %rd6;
  st.param.b64 [results+8], %rd7;
  st.param.b64 [results+16], %rd8;
  st.param.b64 [results+24], %rd9;
  ret;
}`;

interface FloatFormat {
  readonly name: string;
  readonly width: 32 | 64;
  /** Bits of the stored fraction, and the largest stored exponent. */
  readonly fraction: number;
  readonly infinity: string;
  /** A quiet NaN. */
  readonly nan: string;
}

/**
 * x − trunc(x / y)·y without rounding, as C's fmod: the fractions as integers of one length, the dividend's doubled and reduced once for
 * each step between the exponents. The sign is the dividend's. Words in braces are a format's.
 */
const remainderText = `.func (.param .{b} result) {name}(.param .{b} x, .param .{b} y)
{
  .reg .pred %p<8>;
  .reg .b32 %r<24>;
  .reg .b64 %rd<24>;
  .reg .b32 %e<8>;
  ld.param.{b} {r}1, [x];
  ld.param.{b} {r}2, [y];
  and.{b} {r}3, {r}1, {magnitude};
  and.{b} {r}4, {r}2, {magnitude};
  xor.{b} {r}5, {r}1, {r}3;
  setp.ge.{u} %p1, {r}3, {infinity};
  setp.gt.{u} %p2, {r}4, {infinity};
  setp.eq.{b} %p3, {r}4, 0;
  or.pred %p1, %p1, %p2;
  or.pred %p1, %p1, %p3;
  mov.{b} {r}6, {nan};
  @%p1 bra $Ldone;
  mov.{b} {r}6, {r}1;
  setp.lt.{u} %p1, {r}3, {r}4;
  @%p1 bra $Ldone;
  shr.{u} {r}7, {r}3, {fraction};
  {toInt} %e1, {r}7;
  shr.{u} {r}8, {r}4, {fraction};
  {toInt} %e2, {r}8;
  and.{b} {r}3, {r}3, {below};
  and.{b} {r}4, {r}4, {below};
  setp.eq.s32 %p1, %e1, 0;
  @%p1 mov.b32 %e1, 1;
  @!%p1 or.{b} {r}3, {r}3, {hidden};
  setp.eq.s32 %p1, %e2, 0;
  @%p1 mov.b32 %e2, 1;
  @!%p1 or.{b} {r}4, {r}4, {hidden};
$Lsmall:
  setp.ge.{u} %p1, {r}4, {hidden};
  @%p1 bra $Lsmaller;
  shl.{b} {r}4, {r}4, 1;
  sub.s32 %e2, %e2, 1;
  bra $Lsmall;
$Lsmaller:
  setp.ge.{u} %p1, {r}3, {hidden};
  @%p1 bra $Lloop;
  shl.{b} {r}3, {r}3, 1;
  sub.s32 %e1, %e1, 1;
  bra $Lsmaller;
$Lloop:
  setp.ge.{u} %p1, {r}3, {r}4;
  @%p1 sub.{u} {r}3, {r}3, {r}4;
  setp.le.s32 %p2, %e1, %e2;
  @%p2 bra $Lreduced;
  shl.{b} {r}3, {r}3, 1;
  sub.s32 %e1, %e1, 1;
  bra $Lloop;
$Lreduced:
  setp.eq.{b} %p1, {r}3, 0;
  mov.{b} {r}6, {r}5;
  @%p1 bra $Ldone;
  max.s32 %e2, %e1, 1;
  sub.s32 %e3, %e2, %e1;
  shr.{u} {r}3, {r}3, %e3;
  mov.b32 %e1, %e2;
$Lnormal:
  setp.ge.{u} %p1, {r}3, {hidden};
  @%p1 bra $Lpack;
  setp.eq.s32 %p2, %e1, 1;
  @%p2 bra $Lpack;
  shl.{b} {r}3, {r}3, 1;
  sub.s32 %e1, %e1, 1;
  bra $Lnormal;
$Lpack:
  @!%p1 mov.b32 %e1, 0;
  and.{b} {r}3, {r}3, {below};
  cvt.{u}.u32 {r}9, %e1;
  shl.{b} {r}9, {r}9, {fraction};
  or.{b} {r}6, {r}9, {r}3;
  or.{b} {r}6, {r}6, {r}5;
$Ldone:
  st.param.{b} [result], {r}6;
  ret;
}`;

function remainder({ name, width, fraction, infinity, nan }: FloatFormat): string {
  const hidden = 1n << BigInt(fraction);
  const words: Readonly<Record<string, string | number | bigint>> = {
    name,
    r: width === 32 ? "%r" : "%rd",
    b: `b${width}`,
    u: `u${width}`,
    hidden,
    below: hidden - 1n,
    magnitude: (1n << BigInt(width - 1)) - 1n,
    toInt: width === 32 ? "mov.b32" : "cvt.u32.u64",
    fraction,
    infinity,
    nan,
  };
  return remainderText.replace(/\{(\w+)\}/g, (_, word: string) => `${words[word]}`);
}

/** The text of each helper, by its name. */
export const helpers: ReadonlyMap<string, string> = new Map([
  [divisionHelper, division],
  [
    remainderHelper32,
    remainder({ name: remainderHelper32, width: 32, fraction: 23, infinity: "0x7F800000", nan: "0x7FFFFFFF" }),
  ],
  [
    remainderHelper64,
    remainder({
      name: remainderHelper64,
      width: 64,
      fraction: 52,
      infinity: "0x7FF0000000000000",
      nan: "0x7FF8000000000000",
    }),
  ],
]);
