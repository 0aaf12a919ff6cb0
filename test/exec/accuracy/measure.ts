// The greatest error of an approximate instruction over its inputs.

import { rsqrtApproxF64 } from "../../../lib/base/num/approx.js";
import { f64FromWords } from "../../../lib/base/num/bits.js";
import { decoderOf, type Domain, type Measure, type Quotient, type Subject } from "./subjects.js";

/** The maximum error in units of the subject's measure, the bits of the first input that reaches it, and the count of inputs. */
export interface Worst {
  readonly error: number;
  readonly input: number;
  readonly count: number;
}

const CHUNK = 1 << 16;

/** The reciprocal of the unit in the last place of an f32 with that exponent field. */
const PLACES = Float64Array.from({ length: 256 }, (_, field) => 2 ** (150 - Math.max(field, 1)));

/** `every`: measures one in that many of each domain's inputs, on top of the domain's step. */
export function measure(subject: Subject, every = 1): Worst {
  let worst: Worst = { error: 0, input: 0, count: 0 };
  for (const domain of subject.domains) {
    const found = subject.format === "f32" ? overF32(subject, domain, every) : overBits(subject, domain, every);
    const count = worst.count + found.count;
    worst = found.error > worst.error ? { ...found, count } : { ...worst, count };
  }
  return worst;
}

/** In chunks: inputs, results and their bits are typed arrays that share memory, so nothing is converted one by one. */
function overF32({ fn, truth, measure: unit }: Subject, { from, to, step }: Domain, every: number): Worst {
  const inputs = new Float32Array(CHUNK);
  const inputBits = new Uint32Array(inputs.buffer);
  const results = new Float32Array(CHUNK);
  const resultBits = new Uint32Array(results.buffer);
  const stride = step * every;
  let worst = 0;
  let input = from;
  let count = 0;
  for (let at = from; at < to;) {
    let filled = 0;
    for (; filled < CHUNK && at < to; filled++, at += stride) inputBits[filled] = at;
    for (let i = 0; i < filled; i++) results[i] = fn(inputs[i]!);
    for (let i = 0; i < filled; i++) {
      const exact = truth(inputs[i]!);
      const result = results[i]!;
      if (result === exact) continue;
      const distance = Math.abs(result - exact);
      const error = inMeasure(unit, distance, exact, (resultBits[i]! >>> 23) & 255);
      if (error > worst) {
        worst = error;
        input = inputBits[i]!;
      }
    }
    count += filled;
  }
  return { error: worst, input, count };
}

function inMeasure(unit: Measure, distance: number, exact: number, exponentField: number): number {
  // Beyond the greatest finite number infinity is correct and has no distance.
  if (exponentField === 255) return Math.abs(exact) >= 2 ** 128 * (1 - 2 ** -25) ? 0 : Infinity;
  if (unit === "absolute") return distance;
  // For subnormal results a relative error is meaningless: an error within the last place counts as none.
  if (unit === "relative") return exponentField === 0 && distance <= 2 ** -150 ? 0 : distance / Math.abs(exact);
  return distance * PLACES[exponentField]!;
}

/** Formats whose values are given as bits. */
function overBits({ fn, truth, measure: unit, format }: Subject, { from, to, step }: Domain, every: number): Worst {
  const decode =
    format === "f64 high" ? (bits: number): number => f64FromWords(bits | 0, 0) : decoderOf(format as "f16");
  const least = format === "f16" ? 2 ** -14 : format === "bf16" ? 2 ** -126 : 2 ** -1022;
  const greatest = format === "f16" ? 65504 : 3.3895313892515355e38;
  let worst = 0;
  let input = from;
  let count = 0;
  for (let bits = from; bits < to; bits += step * every, count++) {
    const x = decode(bits);
    const exact = truth(x);
    const result = decode(fn(bits));
    if (exact !== exact || result === exact) continue;
    if (format !== "f64 high" && Math.abs(exact) > greatest) continue;
    if (unit === "relative" && Math.abs(exact) < least) continue;
    const distance = Math.abs(result - exact);
    const error = unit === "absolute" ? distance : distance / Math.abs(exact);
    if (error > worst) {
      worst = error;
      input = bits;
    }
  }
  return { error: worst, input, count };
}

/** Random pairs, the same on every run. */
export function measureQuotient({ fn, holds }: Quotient, pairs: number): Worst {
  const values = new Float32Array(2);
  const bits = new Uint32Array(values.buffer);
  const result = new Float32Array(1);
  const resultBits = new Uint32Array(result.buffer);
  let [state, worst, input, count] = [1, 0, 0, 0];
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) >>> 0;
  };
  for (let pair = 0; pair < pairs; pair++) {
    bits[0] = random();
    bits[1] = (pair & 1) === 0 ? random() : (bits[0] & 0x7f800000) ^ (random() & 0x81ffffff);
    const [a, b] = [values[0]!, values[1]!];
    const exact = a / b;
    if (!holds(b) || !Number.isFinite(exact) || b === 0) continue;
    count++;
    result[0] = fn(a, b);
    if (result[0] === exact) continue;
    const field = (resultBits[0]! >>> 23) & 255;
    const error = inMeasure("ulp", Math.abs(result[0] - exact), exact, field);
    if (error > worst) {
      worst = error;
      input = bits[1];
    }
  }
  return { error: worst, input, count };
}

/** The integer square root: the greatest integer whose square is at most x. */
function rootOf(x: bigint): bigint {
  let root = 1n << BigInt((x.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + x / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

const SCALE = 140n;

const doubles = new Float64Array(1);
const doubleWords = new Int32Array(doubles.buffer);

function rsqrt(x: number): number {
  doubles[0] = x;
  rsqrtApproxF64(doubleWords, 0, 0);
  return doubles[0];
}

/**
 * The error of rsqrt.approx.f64 in units in the last place, for numbers from 1 to 4; other exponents only scale the
 * results.
 */
export function measureRsqrtF64(count: number): Worst {
  let [state, worst, input] = [1n, 0, 0];
  for (let i = 0; i < count; i++) {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    // 53 bits and an exponent of 0 or 1: x = mantissa / 2^52 or / 2^51.
    const mantissa = (1n << 52n) | (state >> 12n);
    const isUpper = (state & 1n) === 1n;
    const x = Number(mantissa) * 2 ** (isUpper ? -51 : -52);
    const exact = rootOf((1n << (2n * SCALE + (isUpper ? 51n : 52n))) / mantissa);
    const result = rsqrt(x);
    const place = result >= 1 ? 2 ** -52 : 2 ** -53;
    const distance = BigInt(result * 2 ** 53) * (1n << (SCALE - 53n)) - exact;
    const error = (Math.abs(Number(distance)) * 2 ** -Number(SCALE)) / place;
    if (error > worst) [worst, input] = [error, Number(mantissa >> 32n)];
  }
  return { error: worst, input, count };
}
