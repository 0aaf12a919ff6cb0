// ldmatrix, stmatrix and movmatrix of 8 x 8 matrices of 16-bit elements: PTX ISA 9.0 sections 9.7.14.5.15 to 9.7.14.5.17. Lane 8 i + r
// has the address of row r of matrix i; a lane's register i holds two neighbouring elements of row lane / 4 of matrix i.

import { bindAddress, type Spot } from "../access.js";
import type { Binder, Bound } from "../binder.js";
import type { Place } from "../lanes.js";
import { everyLane } from "../step.js";
import { lanesIn } from "../walk.js";
import { custom, has, type Meaning, type Meanings, type Reading } from "./meaning.js";
import { spaceOfOpcode } from "./memory.js";

/** Row and column of element `e` of a lane's register. */
const positionOf = (lane: number, e: number): readonly [number, number] => [lane >> 2, (lane & 3) * 2 + e];

function placesOf(binder: Binder, index: number, isStore: boolean): readonly Place[] {
  return binder
    .elements(binder.operand(index))
    .map((element) => (isStore ? binder.read(element, 32) : binder.write(element, 32)));
}

/** Rows of all matrices, then elements: loads read every row before a register is written. */
function move(isStore: boolean): Reading {
  return (opcode) => {
    if (!has(opcode, "b16")) return undefined;
    const transposed = has(opcode, "trans");
    return custom((binder): Bound => {
      const places = placesOf(binder, isStore ? 1 : 0, isStore);
      const address = binder.operand(isStore ? 0 : 1);
      const { locate } = bindAddress(binder, address, spaceOfOpcode(opcode), 16, 16, isStore);
      const spot: Spot = { view: new DataView(new ArrayBuffer(0)), offset: 0 };
      return {
        members: everyLane,
        memory: true,
        lanes: (frame, mask) => {
          const w = frame.words;
          const rows = Array.from({ length: 8 * places.length }, (_, lane) => {
            locate(frame, lane, spot);
            return { view: spot.view, offset: spot.offset };
          });
          const loaded: number[] = [];
          places.forEach(({ word }, matrix) => {
            for (const lane of lanesIn(mask)) {
              let value = 0;
              for (const e of [0, 1]) {
                const [r, c] = positionOf(lane, e);
                const { view, offset } = rows[8 * matrix + (transposed ? c : r)]!;
                const at = offset + 2 * (transposed ? r : c);
                if (isStore) view.setInt16(at, w[word + lane]! >> (16 * e), true);
                else value |= view.getUint16(at, true) << (16 * e);
              }
              loaded.push(value);
            }
          });
          if (isStore) return;
          const values = loaded.values();
          for (const { word } of places) for (const lane of lanesIn(mask)) w[word + lane] = values.next().value!;
        },
      };
    });
  };
}

/** movmatrix: the matrix that the lanes hold, transposed. */
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
