// Copies from shared to tensor memory, and shifts of tensor memory by one row: PTX ISA 9.0 section 9.7.16.9. Both are complete
// before a later commit signals.

import { hasModifier, modifier } from "../../isa/opcode.js";
import { issueTensor } from "../async/pending.js";
import type { Bound } from "../operands/binder.js";
import { blocksOf, checkColumns, COLUMNS, LANES, tensorMemoryOf, trap } from "../tensor/memory.js";
import {
  elementOf,
  locatePieces,
  type Packing,
  packings,
  PIECE,
  readSharedDescriptor,
} from "../tensor/shared-matrix.js";
import { lanesIn } from "../machine/walk.js";
import { named } from "./async-operands.js";
import { custom, type Meanings, type Reading } from "./meaning.js";
import { tensorAddress } from "./tcgen05-move.js";

/** Rows of the source, and the lanes of tensor memory where each goes, counted from the address's lane. */
interface Target {
  readonly rows: number;
  /** Pieces of 16 bytes in a row. */
  readonly pieces: number;
  readonly lanes: (row: number) => readonly number[];
}

const targets: Readonly<Record<string, Target>> = {
  "128x256b": { rows: 128, pieces: 2, lanes: (row) => [row] },
  "128x128b": { rows: 128, pieces: 1, lanes: (row) => [row] },
  // A row for each quarter of the lanes.
  "4x256b": { rows: 4, pieces: 2, lanes: (row) => [32 * row] },
  "64x128b.warpx2::02_13": { rows: 64, pieces: 1, lanes: (row) => [row, row + 64] },
  "64x128b.warpx2::01_23": {
    rows: 64,
    pieces: 1,
    lanes: (row) => [row + 32 * (row >> 5), row + 32 * (row >> 5) + 32],
  },
  "32x128b.warpx4": { rows: 32, pieces: 1, lanes: (row) => [row, row + 32, row + 64, row + 96] },
};

/** Elements of 4 and 6 bits become bytes, as tcgen05.mma reads them from tensor memory. */
const unpackings: Readonly<Record<string, Packing>> = {
  b4x16_p64: packings["e2m1"]!,
  b6x16_p32: packings["e3m2"]!,
};

/** Reads the four words of a piece. */
function readPiece(bytes: Uint8Array, address: number, packing: Packing | undefined, words: Int32Array): void {
  for (let i = 0; i < 4; i++) words[i] = 0;
  for (let i = 0; i < PIECE; i++)
    words[i >> 2]! |=
      (packing === undefined ? bytes[address + i]! : elementOf(bytes, address, packing, i)) << (8 * (i & 3));
}

const copy: Reading = (opcode) => {
  const multicast = modifier(opcode, "multicast");
  const { rows, pieces, lanes: lanesOf } = targets[[modifier(opcode, "shape"), multicast].filter(Boolean).join(".")]!;
  const packing = unpackings[modifier(opcode, "from") ?? ""];
  return custom((binder): Bound => {
    const address = tensorAddress(binder, named(binder, "t"));
    const { word } = binder.read(named(binder, "s"), 64);
    const four = new Int32Array(4);
    return {
      memory: true,
      lanes: (frame, mask) => {
        for (const lane of lanesIn(mask)) {
          const whole = address(frame, lane);
          const [row, column] = [whole >>> 16, whole & 0xffff];
          const last = row + Math.max(...lanesOf(rows - 1));
          if (last >= LANES) throw trap(`cp writes lanes up to ${last}; tensor memory has ${LANES}`, lane);
          const { words } = frame;
          const descriptor = readSharedDescriptor(words[word + 2 * lane]!, words[word + 2 * lane + 1]!, lane);
          for (const block of blocksOf(frame.warp.block, hasModifier(opcode, "cta_group::2"), lane)) {
            checkColumns(block, column, 4 * pieces, "cp", lane);
            const addresses = locatePieces(block, descriptor, true, rows, pieces, lane);
            const to = tensorMemoryOf(block).words;
            issueTensor(frame, () =>
              addresses.forEach((from, at) => {
                readPiece(block.sharedBytes.bytes, from, packing, four);
                const first = COLUMNS * row + column + 4 * (at % pieces);
                for (const target of lanesOf(Math.floor(at / pieces))) to.set(four, first + COLUMNS * target);
              }),
            );
          }
        }
      },
    };
  });
};

/** Columns and lanes that a shift moves. */
const SHIFTED = { columns: 8, lanes: 32 } as const;

/** shift: each of 32 lanes but the last gets the next lane's value. */
const shift: Reading = (opcode) =>
  custom((binder): Bound => {
    const address = tensorAddress(binder, named(binder, "t"));
    return {
      memory: true,
      lanes: (frame, mask) => {
        for (const lane of lanesIn(mask)) {
          const whole = address(frame, lane);
          const [row, column] = [whole >>> 16, whole & 0xffff];
          if (row % SHIFTED.lanes !== 0 || row >= LANES)
            throw trap(`shift from lane ${row}: the lane must be 0, 32, 64 or 96`, lane);
          for (const block of blocksOf(frame.warp.block, hasModifier(opcode, "cta_group::2"), lane)) {
            checkColumns(block, column, SHIFTED.columns, "shift", lane);
            const { words } = tensorMemoryOf(block);
            issueTensor(frame, () => {
              for (let i = row; i < row + SHIFTED.lanes - 1; i++) {
                const to = COLUMNS * i + column;
                words.copyWithin(to, to + COLUMNS, to + COLUMNS + SHIFTED.columns);
              }
            });
          }
        }
      },
    };
  });

export const tcgen05CopyMeanings: Meanings = {
  "tcgen05.cp": copy,
  "tcgen05.shift": shift,
};
