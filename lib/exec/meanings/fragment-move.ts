// ldmatrix, stmatrix and movmatrix: PTX ISA 9.0 sections 9.7.14.5.15 to 9.7.14.5.17. For 8 x 8 matrices of 16-bit elements, lane
// 8 i + r has the address of row r of matrix i. A lane's register i holds two neighbouring elements of row lane / 4 of matrix i.

import { bindAddress } from "../operands/access.js";
import { hasModifier, modifier, type Opcode } from "../../isa/opcode.js";
import type { Binder, Bound } from "../operands/binder.js";
import type { Place } from "../state/frame.js";
import type { Spot } from "../state/warp.js";
import { everyLane } from "../machine/step.js";
import { lanesIn } from "../machine/walk.js";
import { custom, type Meaning, type Meanings, type Reading } from "./meaning.js";
import { spaceOfOpcode } from "./memory.js";

/** Rows of a matrix in memory have 16 bytes each; their addresses are those of lanes in order, one matrix after the other. */
interface Shape {
  readonly rows: number;
  /** Registers that a matrix takes. */
  readonly registers: number;
  /** Bits of an element in a register. */
  readonly bits: 16 | 8;
  /** Row and column, in memory, of element `e` of a lane's register. */
  readonly position: (lane: number, register: number, e: number) => readonly [row: number, column: number];
}

/**
 * Shapes by their name in the opcode. The ISA shows m16n16 and m16n8, which are always transposed, in figures. A lane holds four
 * neighbouring columns of two rows of the transposed matrix, or for m16n8 two columns of two rows.
 */
const shapes: Readonly<Record<string, Shape>> = {
  m8n8: { rows: 8, registers: 1, bits: 16, position: (lane, _, e) => [lane >> 2, (lane & 3) * 2 + e] },
  m8n16: { rows: 8, registers: 1, bits: 8, position: (lane, _, e) => [lane >> 2, (lane & 3) * 4 + e] },
  m16n16: {
    rows: 16,
    registers: 2,
    bits: 8,
    position: (lane, register, e) => [(lane & 3) * 4 + 2 * register + (e & 1), (lane >> 2) + 8 * (e >> 1)],
  },
  m16n8: {
    rows: 8,
    registers: 1,
    bits: 8,
    position: (lane, _, e) => [(lane & 3) * 2 + (e & 1), (lane >> 2) + 8 * (e >> 1)],
  },
};

/** Bits of an element in memory for formats that pack sixteen elements before padding; each becomes the low bits of a byte. */
const packedBits: Readonly<Record<string, number>> = { b6x16_p32: 6, b4x16_p64: 4 };

/** ldmatrix.s8.s4 of PTX ISA 9.4: sixteen integers of 4 bits, which become bytes of the same value. */
const isExtending = (opcode: Opcode): boolean => opcode.form.id === "ldmatrix.extend";

function placesOf(binder: Binder, index: number, isStore: boolean): readonly Place[] {
  return binder
    .elements(binder.operand(index))
    .map((element) => (isStore ? binder.read(element, 32) : binder.write(element, 32)));
}

/** Reads the element that begins at that bit of a row. */
function readElement({ view, offset }: Spot, bit: number, bits: number): number {
  const at = offset + (bit >> 3);
  if (bits === 16) return view.getUint16(at, true);
  // An element that crosses a byte's end is not at the end of the row.
  const both = view.getUint8(at) | ((bit & 7) + bits > 8 ? view.getUint8(at + 1) << 8 : 0);
  return (both >> (bit & 7)) & ((1 << bits) - 1);
}

/** Locates the rows of all matrices, then moves elements: loads read every row before they write a register. */
function move(isStore: boolean): Reading {
  return (opcode) => {
    const { rows: height, registers, bits, position } = shapes[shapeIn(opcode)]!;
    const swaps = bits === 16 && hasModifier(opcode, "trans");
    const extends4 = isExtending(opcode);
    const stored = extends4 ? 4 : (packedBits[modifier(opcode, "from") ?? ""] ?? bits);
    const inRegister = (value: number): number => (extends4 ? ((value ^ 8) - 8) & 0xff : value);
    return custom((binder): Bound => {
      const places = placesOf(binder, isStore ? 1 : 0, isStore);
      const address = binder.operand(isStore ? 0 : 1);
      const { locate } = bindAddress(binder, address, spaceOfOpcode(opcode), 16, 16, isStore);
      const rows: readonly Spot[] = Array.from({ length: (height * places.length) / registers }, () => ({
        view: new DataView(new ArrayBuffer(0)),
        offset: 0,
      }));
      const values = new Int32Array(32 * places.length);
      const perRegister = 32 / bits;
      // By register, lane and element: the row, and the bit where the element begins in it.
      const elements = places.flatMap((_, i) =>
        Array.from({ length: 32 * perRegister }, (_, at) => {
          const [r, c] = position(Math.floor(at / perRegister), i % registers, at % perRegister);
          const [row, column] = swaps ? [c, r] : [r, c];
          return [height * Math.floor(i / registers) + row, column * stored] as const;
        }),
      );
      const rowOf = Int32Array.from(elements, ([row]) => row);
      const bitOf = Int32Array.from(elements, ([, bit]) => bit);
      return {
        members: everyLane,
        memory: true,
        lanes: (frame, mask) => {
          const w = frame.words;
          rows.forEach((spot, lane) => locate(frame, lane, spot));
          for (let i = 0, at = 0; i < places.length; i++) {
            const { word } = places[i]!;
            for (let lane = 0; lane < 32; lane++, at += perRegister) {
              if (((mask >>> lane) & 1) === 0) continue;
              let value = 0;
              for (let e = 0; e < perRegister; e++) {
                const spot = rows[rowOf[at + e]!]!;
                const bit = bitOf[at + e]!;
                if (!isStore) value |= inRegister(readElement(spot, bit, stored)) << (bits * e);
                else if (bits === 16) spot.view.setInt16(spot.offset + (bit >> 3), w[word + lane]! >> (16 * e), true);
                else spot.view.setInt8(spot.offset + (bit >> 3), w[word + lane]! >> (8 * e));
              }
              values[32 * i + lane] = value;
            }
          }
          if (isStore) return;
          places.forEach(({ word }, i) => {
            for (const lane of lanesIn(mask)) w[word + lane] = values[32 * i + lane]!;
          });
        },
      };
    });
  };
}

/** The shape, which is a word of the opcode's name without a slot of its own. */
const shapeIn = (opcode: Opcode): string =>
  Object.keys(shapes).find((shape) => opcode.spelling.split(".").includes(shape))!;

/** Row and column of element `e` of a lane's register of an 8 x 8 matrix. */
const positionOf = (lane: number, e: number): readonly [number, number] => [lane >> 2, (lane & 3) * 2 + e];

/** movmatrix transposes the matrix that the lanes hold. */
const transpose: Meaning = custom((binder): Bound => {
  const d = binder.write(binder.operand(0), 32).word;
  const a = binder.read(binder.operand(1), 32).word;
  return {
    members: everyLane,
    lanes: ({ words: w }, mask) => {
      const matrix = new Uint16Array(64);
      for (let lane = 0; lane < 32; lane++)
        for (const e of [0, 1]) {
          const [r, c] = positionOf(lane, e);
          matrix[8 * r + c] = w[a + lane]! >> (16 * e);
        }
      for (const lane of lanesIn(mask)) {
        const [r, c] = positionOf(lane, 0);
        w[d + lane] = matrix[8 * c + r]! | (matrix[8 * (c + 1) + r]! << 16);
      }
    },
  };
});

export const fragmentMoveMeanings: Meanings = {
  ldmatrix: move(false),
  stmatrix: move(true),
  movmatrix: () => transpose,
};
