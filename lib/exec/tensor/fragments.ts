// Layouts of a matrix in the registers of a warp: PTX ISA 9.0 sections 9.7.14.4.1 (wmma, which PTX leaves open: these are sm_90's
// registers, as recorded), 9.7.14.5.1 to .13 (mma), 9.7.15.5.1 (wgmma). Thread t has g = t / 4 and q = t % 4.

import type { Binder } from "../operands/binder.js";
import type { Frame, Place } from "../state/frame.js";
import { elementBits } from "./arithmetic.js";
import type { Extent } from "./multiply.js";

/** Row and column of an element by register, thread and position in the register; for B the column is n and the row k. */
export type Layout = (register: number, thread: number, position: number) => readonly [row: number, column: number];

/** Elements that share a register, the first in its lowest bits. */
export const perRegister = (type: string): number => Math.max(1, 32 / elementBits(type));

/** Rows and columns of all layouts of one instruction. */
export interface Layouts {
  readonly a: (type: string) => Layout;
  readonly b: (type: string) => Layout;
  /** The layout of C and D. */
  readonly c: (type: string) => Layout;
}

const alongK = (k: number, per: number): number => Math.max(1, k / (4 * per));

const layoutA =
  ({ m, k }: Extent, per: number): Layout =>
  (register, thread, position) => {
    const [g, q] = [thread >> 2, thread & 3];
    const count = alongK(k, per);
    const halves = Math.min(2, m / 8);
    const r = register % ((count * m) / 8);
    const across = Math.floor(r / (halves * count));
    const along = Math.floor(r / halves) % count;
    return [g + 8 * (r % halves) + 16 * across, per * (q + 4 * along) + position];
  };

const layoutB =
  ({ n, k }: Extent, per: number): Layout =>
  (register, thread, position) => {
    const [g, q] = [thread >> 2, thread & 3];
    const count = alongK(k, per);
    const r = register % ((count * n) / 8);
    return [per * (q + 4 * (r % count)) + position, g + 8 * Math.floor(r / count)];
  };

const layoutC =
  ({ m }: Extent, per: number): Layout =>
  (register, thread, position) => {
    const [g, q] = [thread >> 2, thread & 3];
    const perRow = 2 / per;
    const halves = Math.min(2, m / 8);
    const half = Math.floor(register / perRow) % halves;
    const tile = Math.floor(register / (perRow * halves));
    const column = 2 * q + (per === 2 ? position : register % 2);
    // Tiles are sixteen rows below each other, or eight columns next to each other.
    return m === 32 ? [g + 8 * half + 16 * tile, column] : [g + 8 * half, column + 8 * tile];
  };

const transposed =
  (layout: Layout): Layout =>
  (register, thread, position) => {
    const [row, column] = layout(register, thread, position);
    return [column, row];
  };

/** mma, wgmma (a warp's sixteen rows) and wmma. wmma's m8n32 is m32n8 of the transposed problem. */
export function layoutsOf(extent: Extent): Layouts {
  const { m, n, k } = extent;
  if (m === 8 && n === 32) {
    const other = { m: n, n: m, k };
    return {
      a: (type) => transposed(layoutB(other, perRegister(type))),
      b: (type) => transposed(layoutA(other, perRegister(type))),
      c: (type) => transposed(layoutC(other, perRegister(type))),
    };
  }
  return {
    a: (type) => layoutA(extent, perRegister(type)),
    b: (type) => layoutB(extent, perRegister(type)),
    c: (type) => layoutC(extent, perRegister(type)),
  };
}

/**
 * mma.m8n8k4 on f16: four products, one for each quad pair of threads (4 p to 4 p + 3 and 16 more), stacked: rows 8 p to 8 p + 7
 * of A and C, columns 8 p to 8 p + 7 of B.
 */
export function quarterLayouts(aIsRow: boolean, bIsColumn: boolean): Layouts {
  const factor =
    (isStraight: boolean): Layout =>
    (register, thread, position) => {
      const first = 8 * ((thread >> 2) & 3) + 4 * (thread >> 4);
      const i = 2 * register + position;
      return isStraight ? [first + (thread & 3), i] : [first + i, thread & 3];
    };
  return {
    a: () => factor(aIsRow),
    b: () => transposed(factor(bIsColumn)),
    c: (type) => (register, thread, position) => {
      const first = 8 * ((thread >> 2) & 3) + 4 * (thread >> 4);
      if (type === "f16") return [first + (thread & 3), 2 * register + position];
      return [first + (thread & 1) + (register & 2), (register & 4) + (thread & 2) + (register & 1)];
    },
  };
}

// ------------------------------------------------------------------------------------------------- registers and bits

/** A fragment's registers, with the index of each element in its matrix. */
export interface Fragment {
  readonly places: readonly Place[];
  readonly bits: number;
  /** By register, thread, position. */
  readonly index: Int32Array;
}

/** Registers of a vector operand. */
export function placesOf(binder: Binder, operand: number, type: string, access: "read" | "write"): readonly Place[] {
  const width = elementBits(type) === 64 ? 64 : 32;
  return binder.elements(binder.operand(operand)).map((element) => binder[access](element, width));
}

/** Makes a fragment; `indexOf` numbers the elements of the matrix. */
export function fragmentOf(
  places: readonly Place[],
  type: string,
  layout: Layout,
  indexOf: (row: number, column: number) => number,
): Fragment {
  const per = perRegister(type);
  const index = new Int32Array(places.length * 32 * per);
  for (let at = 0; at < index.length; at++) {
    const register = Math.floor(at / (32 * per));
    index[at] = indexOf(...layout(register, Math.floor(at / per) % 32, at % per));
  }
  return { places, bits: elementBits(type), index };
}

/** An array for all elements of the fragment's matrix. */
export function matrixFor({ bits, index }: Fragment): Int32Array {
  const last = index.reduce((most, i) => Math.max(most, i), 0);
  return new Int32Array((last + 1) * (bits === 64 ? 2 : 1));
}

/**
 * Reads the matrix that the warp's lanes hold together. wmma holds f16 factors twice: the first copy is read
 * (raw-fragments.json).
 */
export function gather({ words }: Frame, { places, bits, index }: Fragment, matrix: Int32Array): void {
  if (bits === 64) {
    places.forEach(({ word }, register) => {
      for (let lane = 0; lane < 32; lane++) {
        const to = 2 * index[32 * register + lane]!;
        matrix[to] = words[word + 2 * lane]!;
        matrix[to + 1] = words[word + 2 * lane + 1]!;
      }
    });
    return;
  }
  const per = 32 / bits;
  const mask = bits === 32 ? -1 : (1 << bits) - 1;
  for (let register = places.length - 1; register >= 0; register--) {
    const { word, stride } = places[register]!;
    let at = 32 * per * register;
    for (let lane = 0; lane < 32; lane++) {
      const value = words[word + stride * lane]!;
      for (let i = 0; i < per; i++) matrix[index[at++]!] = (value >>> (i * bits)) & mask;
    }
  }
}

/** Writes the matrix to the registers of the lanes in `lanes`. */
export function scatter({ words }: Frame, { places, bits, index }: Fragment, matrix: Int32Array, lanes: number): void {
  const per = Math.max(1, 32 / bits);
  const mask = bits >= 32 ? -1 : (1 << bits) - 1;
  let at = 0;
  for (const { word, stride } of places)
    for (let lane = 0; lane < 32; lane++, at += per) {
      if (((lanes >>> lane) & 1) === 0) continue;
      const to = word + stride * lane;
      if (bits === 64) {
        words[to] = matrix[2 * index[at]!]!;
        words[to + 1] = matrix[2 * index[at]! + 1]!;
        continue;
      }
      let value = 0;
      for (let i = 0; i < per; i++) value |= (matrix[index[at + i]!]! & mask) << (i * bits);
      words[to] = value;
    }
}
