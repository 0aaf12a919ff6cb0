// One row of a tile in generated code: exec/tensor/step.ts for eight elements of D. Products of 16-bit floats are exact in f32.
// They are scaled so that the last bit kept is 1, truncated to integers, and added.

import { CodeWriter, type Local } from "../../../../formats/wasm/index.js";
import { SLOT } from "./layout.table.js";

export interface TileOptions {
  /** Bits below the largest exponent that are kept of a term: CORE.half of exec/tensor/cores.table.ts. */
  readonly alignmentBits: number;
  /** Whether the host has the relaxed conversion; every operand is inside its defined range. */
  readonly isRelaxed: boolean;
}

/** Tiles with C below 2^-100, infinite or NaN are left to the interpreter, so that scales stay in the range of f32. */
export const MIN_EXPONENT = -100;

const halves = ["low", "high"] as const;

/** State while `row` is emitted. Pairs are for the even and the odd elements of D. */
interface RowCode {
  readonly code: CodeWriter;
  readonly alignmentBits: number;
  /** Truncates products to integers. */
  readonly cut: "i32x4.relaxed_trunc_f32x4_s" | "i32x4.trunc_sat_f32x4_s";
  readonly left: Local;
  readonly at: Local;
  readonly b: Local;
  readonly largest: Local;
  readonly splat: Local;
  readonly c: readonly [Local, Local];
  readonly scale: readonly [Local, Local];
  readonly sum: readonly [Local, Local];
  readonly exponent: readonly [Local, Local];
}

/** Parameters of `row`. */
const ROW = { valuesA: 0, exponentsA: 1, slot: 2, blocks: 3, even: 4, odd: 5, toEven: 6, toOdd: 7 } as const;

/**
 * row(valuesA, exponentsA, slot, blocks, even, odd, toEven, toOdd): computes eight elements of D. `even` and `odd` are the
 * addresses of four elements of C each; B is in the slot, with eight rows a block.
 */
export function rowFunction({ alignmentBits, isRelaxed }: TileOptions): CodeWriter {
  const code = new CodeWriter(["i32", "i32", "i32", "i32", "i32", "i32", "i32", "i32"], []);
  const pair = (): readonly [Local, Local] => [code.local("v128"), code.local("v128")];
  const row: RowCode = {
    code,
    alignmentBits,
    cut: isRelaxed ? "i32x4.relaxed_trunc_f32x4_s" : "i32x4.trunc_sat_f32x4_s",
    ...code.named("i32", ["left", "at", "b"]),
    ...code.named("v128", ["largest", "splat"]),
    c: pair(),
    scale: pair(),
    sum: pair(),
    exponent: pair(),
  };
  findLargestExponent(row);
  setScales(row);
  sumProducts(row);
  addToC(row, ROW.toEven, 0);
  addToC(row, ROW.toOdd, 1);
  return code;
}

/** Emits a loop over the blocks of B, with `step` for each of their eight rows. */
function forBlocks(
  { code, left, at, b }: RowCode,
  bytes: number,
  rowBytes: number,
  start: number,
  from: Local,
  step: (i: number) => void,
): void {
  code.get(from).set(at).get(ROW.slot).i32(start).op("i32.add").set(b).get(ROW.blocks).set(left).loop();
  for (let i = 0; i < 8; i++) step(i);
  code
    .get(at)
    .i32(8 * bytes)
    .op("i32.add")
    .set(at);
  code
    .get(b)
    .i32(8 * rowBytes)
    .op("i32.add")
    .set(b);
  code.get(left).i32(1).op("i32.sub").tee(left).brIf(0).op("end");
}

/** Finds the largest exponent of C and all products, for each element of D. */
function findLargestExponent(row: RowCode): void {
  const { code, at, b, c, largest } = row;
  for (const i of [0, 1] as const) {
    const from = i === 0 ? ROW.even : ROW.odd;
    code.get(from).memory("v128.load").tee(c[i]).i32(23).op("i32x4.shr_u").words(255).op("v128.and");
    code.words(127).op("i32x4.sub");
  }
  code.op("i16x8.narrow_i32x4_s").set(largest);
  forBlocks(row, 2, 16, SLOT.exponents, ROW.exponentsA, (i) => {
    code
      .get(at)
      .memory("v128.load16_splat", 2 * i)
      .get(b)
      .memory("v128.load", 16 * i)
      .op("i16x8.add");
    code.get(largest).op("i16x8.max_s").set(largest);
  });
  const least = (MIN_EXPONENT & 0xffff) | (MIN_EXPONENT << 16);
  code.get(largest).words(least).op("i16x8.max_s").set(largest);
}

/** Scales map the last bit that is kept to 1; sums begin with 0. */
function setScales({ code, alignmentBits, largest, scale, sum, exponent }: RowCode): void {
  halves.forEach((half, i) => {
    code
      .words(127 + alignmentBits)
      .get(largest)
      .op(`i32x4.extend_${half}_i16x8_s`)
      .tee(exponent[i]!);
    code.op("i32x4.sub").i32(23).op("i32x4.shl").set(scale[i]!);
    code.words(0).set(sum[i]!);
  });
}

function sumProducts(row: RowCode): void {
  const { code, cut, at, b, splat, scale, sum } = row;
  forBlocks(row, 4, 32, SLOT.values, ROW.valuesA, (i) => {
    code
      .get(at)
      .memory("v128.load32_splat", 4 * i)
      .set(splat);
    for (const part of [0, 1] as const) {
      code
        .get(b)
        .memory("v128.load", 32 * i + 16 * part)
        .get(splat)
        .op("f32x4.mul");
      code.get(scale[part]).op("f32x4.mul", cut).get(sum[part]).op("i32x4.add").set(sum[part]);
    }
  });
}

/** Stores four elements of D. */
function addToC(row: RowCode, to: Local, part: 0 | 1): void {
  const { code, alignmentBits, cut } = row;
  const [c, scale, sum, exponent] = [row.c[part], row.scale[part], row.sum[part], row.exponent[part]];
  code.get(to);
  code.get(c).get(scale).op("f32x4.mul", cut).set(c);
  for (const half of halves) {
    // The sum of products may need all 32 bits; with c it is a double, of which 24 significant bits are kept.
    for (const [i, local] of [sum, c].entries()) {
      code.get(local);
      if (half === "high") code.get(local).shuffleWords([2, 3, 2, 3]);
      code.op("f64x2.convert_low_i32x4_s");
      if (i === 1) code.op("f64x2.add");
    }
    code.longs(-(1n << 29n)).op("v128.and");
    code
      .get(exponent)
      .op(`i64x2.extend_${half}_i32x4_s`)
      .longs(BigInt(1023 - alignmentBits))
      .op("i64x2.add");
    code.i32(52).op("i64x2.shl", "f64x2.mul", "f32x4.demote_f64x2_zero");
  }
  code.shuffleWords([0, 1, 4, 5]).memory("v128.store");
}
