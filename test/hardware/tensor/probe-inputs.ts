// Register files of the probes: probe_inputs of the recording's tensor_inputs.py. wgmma: a probe is in rows 0 to 15.

import { crc32 } from "node:zlib";
import { BITS, FORMATS, type Instruction, threadsOf, type Words, wordCounts, wordsFor } from "./formats.js";
import { COLUMNS, type ProbeTile, probeTiles, ROWS } from "./probe-tiles.js";
import type { Tile } from "./runner.js";
import { type ElementIndex, layoutA, layoutB, layoutC } from "./tile-layouts.js";

/** Writes `rows` x `columns` elements, row by row in `bits`, to the words of a register file. */
export function place(
  words: Words,
  type: string,
  index: ElementIndex,
  bits: readonly bigint[],
  rows: number,
  columns: number,
  rowOf = (row: number): number => row,
): void {
  const width = BITS[type]!;
  const per = Math.max(1, 32 / width);
  const shift = type === "tf32" ? 13n : 0n;
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const element = index(rowOf(row), column);
      const value = bits[row * columns + column]! << shift;
      if (words instanceof BigUint64Array) words[element] = value;
      else words[Math.floor(element / per)]! |= Number(value) << (width * (element % per));
    }
}

/** All probes of an instruction; none for integers and m8n8k4 on f16. */
export function probeInputs(instruction: Instruction): readonly Tile[] {
  const { ta, tb, tc, K, M, layout, sparse } = instruction;
  if (FORMATS[ta] === undefined || layout === "volta") return [];
  const [countA, countB, countC] = wordCounts(instruction);
  const [indexA, indexB, indexC] = [layoutA(instruction), layoutB(instruction), layoutC(instruction)];
  const rows = Math.min(ROWS, M);
  const stored = K / (sparse ? 2 : 1);
  const column = (s: number): number => (!sparse ? s : ta === "tf32" ? 2 * s : 4 * (s >> 1) + (s & 1));
  return probeTiles(instruction).map(({ a, b, c }: ProbeTile): Tile => {
    const [wordsA, wordsB, wordsC] = [wordsFor(ta, countA), wordsFor(tb, countB), wordsFor(tc, countC)];
    place(wordsA, ta, indexA, a, rows, stored);
    place(wordsB, tb, indexB, b, stored, COLUMNS, column);
    place(wordsC, tc, indexC, c, rows, COLUMNS);
    return [
      wordsA,
      wordsB,
      wordsC,
      sparse ? new Uint32Array(threadsOf(instruction)).fill(0x44444444) : new Uint32Array(1),
    ];
  });
}

/** CRC-32 of A, B, C and metadata of all probes. */
export function checksums(tiles: readonly Tile[]): readonly string[] {
  return [0, 1, 2, 3].map((role) => {
    const sum = tiles.reduce((crc, tile) => {
      const { buffer, byteOffset, byteLength } = tile[role]!;
      return crc32(new Uint8Array(buffer, byteOffset, byteLength), crc);
    }, 0);
    return sum.toString(16).padStart(8, "0");
  });
}
