// Places of the rows of A and D of a tcgen05.mma in tensor memory: PTX ISA 9.0 section 9.7.16.10.5, layouts A to G.

import type { Block } from "../state/block.js";

/** A contiguous part of D in one block's tensor memory. */
export interface DataPath {
  readonly block: Block;
  /** Number of the block in its pair; 0 without one. */
  readonly member: number;
  /** Rows of D, from the block's own first row on. */
  readonly rows: number;
  /** Columns of D. */
  readonly firstColumn: number;
  readonly columns: number;
  /** Lane of a row. */
  readonly lane: (row: number) => number;
}

interface Multiplied {
  readonly m: number;
  readonly n: number;
  readonly isSparse: boolean;
  readonly isWeightStationary: boolean;
}

/** Whether only the lower or upper 16 of each 32 lanes are used: layouts F and C. */
export const usesHalf = ({ m, isSparse, isWeightStationary }: Multiplied, isPair: boolean): boolean =>
  isPair ? m === 128 && isSparse : m === 64 && !isWeightStationary;

/** `alignment`: the lane of D's address. */
export function dataPaths(blocks: readonly Block[], multiplied: Multiplied, alignment: number): readonly DataPath[] {
  const { m, n, isWeightStationary } = multiplied;
  const isPair = blocks.length === 2;
  const rows = m / blocks.length;
  const isHalf = usesHalf(multiplied, isPair);
  // With fewer rows than lanes, the columns are divided among the lanes, except in layouts that use half of the lanes.
  const across = isHalf || !(isPair || isWeightStationary) ? 1 : 128 / rows;
  return blocks.flatMap((block, member) =>
    Array.from({ length: across }, (_, i) => ({
      block,
      member,
      rows,
      firstColumn: (i * n) / across,
      columns: n / across,
      lane: isHalf ? (row: number) => 32 * (row >> 4) + (row & 15) + alignment : (row: number) => i * rows + row,
    })),
  );
}
