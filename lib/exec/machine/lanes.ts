// Turns a scalar meaning such as (a, b) => a + b into an instruction that loops over the lanes of a warp. The loop is text,
// compiled once for each meaning, with the reads and the write of the meaning's types. Because every meaning has a loop of its
// own, V8 sees a single callee in it and inlines it. (Measured on Node 20, 32 lanes: one shared loop that calls any meaning, 5 M
// instructions per second; a loop for each, 11 M. The texts must differ, or V8's compilation cache returns the same function
// again: hence the running number. No text of the input enters the loop: it is assembled from the tables below.)

import { F32_NAN_BITS } from "../../base/num/bits.js";
import type { Frame, Place } from "../state/frame.js";
import type { LaneOp } from "../state/step.js";

/**
 * How a meaning reads or writes a register's bits. 64-bit integers are bigints, everything else numbers. `pair64` reads 64 bits
 * as two arguments, low and high int32: bigints cost ten times as much.
 */
export type View = "s8" | "u8" | "s16" | "u16" | "s32" | "u32" | "s64" | "u64" | "f32" | "f64" | "pred" | "pair64";

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- views decide what the arguments are: numbers or bigints
export type ScalarFunction = (...operands: any[]) => number | bigint | boolean;

export interface Scalar {
  readonly kind: "scalar";
  readonly write: Exclude<View, "pair64">;
  readonly reads: readonly View[];
  readonly fn: ScalarFunction;
  /**
   * Writes a NaN result whose bits depend on the operands; called like the function of WordMoves. Without it, the NaN is the
   * type's canonical one.
   */
  readonly nan?: WordMoves["fn"];
}

/** A meaning that moves words itself: called with the words and the index of each operand's first word in that lane. */
export interface WordMoves {
  readonly kind: "words";
  /** Bits of the written operand, then of those read. */
  readonly bits: readonly number[];
  readonly fn: (words: Int32Array, ...at: number[]) => void;
}

/** Makes a loop for operands at certain places. */
export type LoopFactory = (places: readonly Place[]) => LaneOp;

/** Arrays of a frame, by their names in the loop. */
const arrays: Readonly<Record<string, keyof Frame>> = {
  i: "words",
  u: "unsigned",
  f: "floats",
  g: "doubles",
  b: "longs",
  q: "ulongs",
};

/** Source of a read; `#` is replaced by the operand's first word, `@` by the word of lane l. */
const readText: Readonly<Record<View, string>> = {
  s8: "(i[@] << 24 >> 24)",
  u8: "(i[@] & 255)",
  s16: "(i[@] << 16 >> 16)",
  u16: "(i[@] & 65535)",
  s32: "i[@]",
  u32: "u[@]",
  s64: "b[(@) >> 1]",
  u64: "q[(@) >> 1]",
  f32: "f[@]",
  f64: "g[(@) >> 1]",
  pred: "(i[#] >>> l & 1)",
  pair64: "i[@], i[(@) + 1]",
};

const plainWrite = "i[@] = value;";
const writeText: Readonly<Record<Exclude<View, "pair64">, string>> = {
  s8: plainWrite,
  u8: plainWrite,
  s16: plainWrite,
  u16: plainWrite,
  s32: plainWrite,
  u32: plainWrite,
  s64: "b[(@) >> 1] = value;",
  u64: "q[(@) >> 1] = value;",
  f32: `if (value === value) f[@] = value; else i[@] = ${F32_NAN_BITS};`,
  f64: "if (value === value) g[(@) >> 1] = value; else { i[@] = 0; i[(@) + 1] = -524288; }",
  pred: "if (value) bits |= 1 << l;",
};

/** Writes the upper word of a 64-bit register whose value is a small integer. */
const upperWord = (view: View): string => (view.startsWith("s") ? "i[(@) + 1] = value >> 31;" : "i[(@) + 1] = 0;");

const is64 = (view: View): boolean => view === "s64" || view === "u64" || view === "f64";

export interface LoopCompiler {
  /** Compiles a loop for operands with these strides; the written operand is first. */
  compile(meaning: Scalar | WordMoves, strides: readonly Place["stride"][]): LoopFactory;
}

export function createLoopCompiler(): LoopCompiler {
  let compiled = 0;
  return {
    compile(meaning, strides) {
      const serial = compiled++;
      const text = meaning.kind === "words" ? wordsText(strides, serial) : loopText(meaning, strides, serial);
      const make = new Function("fn", "nan", text) as (fn: unknown, nan: unknown) => (...words: number[]) => LaneOp;
      const factory = make(meaning.fn, meaning.kind === "scalar" ? meaning.nan : undefined);
      return (places) => factory(...places.map((place) => place.word));
    },
  };
}

function wordsText(strides: readonly Place["stride"][], serial: number): string {
  const names = strides.map((_, i) => `r${i}`);
  return `"use strict"; // ${serial}
    return (${names.join(", ")}) => (frame, mask) => {
      const words = frame.words;
      for (let l = 0; l < 32; l++) {
        if ((mask >>> l & 1) !== 0) fn(words, ${names.map((name, i) => `${name} + ${strides[i]} * l`).join(", ")});
      }
    };`;
}

function loopText(meaning: Scalar, strides: readonly Place["stride"][], serial: number): string {
  const [writeStride, ...readStrides] = strides;
  const at = (text: string, name: string, stride: number): string =>
    text.replaceAll("@", stride === 1 ? `${name} + l` : `${name} + ${stride} * l`).replaceAll("#", name);
  const names = meaning.reads.map((_, i) => `r${i}`);
  const values = meaning.reads.map((view, i) => at(readText[view], names[i]!, readStrides[i]!));
  const widened = writeStride === 2 && !is64(meaning.write) ? upperWord(meaning.write) : "";
  const places = strides.map((stride, i) => at("@", i === 0 ? "d" : names[i - 1]!, stride)).join(", ");
  const write =
    meaning.nan === undefined
      ? writeText[meaning.write]
      : writeText[meaning.write].replace(/else .*$/, `else nan(i, ${places});`);
  const used = Object.entries(arrays).map(([name, field]) => `${name} = frame.${field}`);
  const isPredicate = meaning.write === "pred";
  return `"use strict"; // ${serial}
    return (d${names.map((name) => `, ${name}`).join("")}) => (frame, mask) => {
      const ${used.join(", ")};
      ${isPredicate ? "let bits = 0;" : ""}
      for (let l = 0; l < 32; l++) {
        if ((mask >>> l & 1) === 0) continue;
        const value = fn(${values.join(", ")});
        ${at(write + widened, "d", writeStride!)}
      }
      ${isPredicate ? "i[d] = i[d] & ~mask | bits;" : ""}
    };`;
}
