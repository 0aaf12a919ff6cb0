// Registers to and from tensor memory: PTX ISA 9.0 section 9.7.16.8. A load is complete at once, so reading its registers needs
// no wait. A store reads its registers at once, and is complete at the wait::st that covers it.

import type { Operand } from "../../isa/instruction.js";
import { hasModifier, modifier, type Opcode, typeOf } from "../../isa/opcode.js";
import { issueInGroup, waitGroup } from "../async/pending.js";
import type { Binder, Bound } from "../operands/binder.js";
import { KernelFault } from "../state/fault.js";
import type { Frame, Place } from "../state/frame.js";
import { everyLane } from "../machine/step.js";
import { moveShape } from "../tensor/cells.js";
import { checkColumns, COLUMNS, hex, tensorMemoryOf } from "../tensor/memory.js";
import { lanesIn } from "../machine/walk.js";
import { firstLane } from "../machine/warp.js";
import { constantOf, named } from "./async-operands.js";
import { reductionOf } from "./collective.js";
import { custom, type Meanings, type Reading } from "./meaning.js";

/** The value of an address in tensor memory. */
export function tensorAddress(binder: Binder, operand: Operand | undefined): (frame: Frame, lane: number) => number {
  if (operand?.kind !== "address" || operand.base.kind !== "register")
    throw new TypeError(`${binder.opcode.spelling}: no address in tensor memory`);
  const offset = Number(operand.offset);
  const { word, stride } = binder.read({ kind: "register", register: operand.base.register }, 32);
  return ({ words }, lane) => (words[word + stride * lane]! + offset) >>> 0;
}

/** The cells that a warp moves, by register and thread; with 16 bits in a cell, the first of each two. */
interface Move {
  readonly address: (frame: Frame, lane: number) => number;
  readonly places: readonly Place[];
  readonly rows: number;
  /** Columns from the address on. */
  readonly columns: number;
  readonly cells: Int32Array;
  readonly isHalf: boolean;
}

function bindMove(binder: Binder, opcode: Opcode, registers: Operand | undefined, access: "read" | "write"): Move {
  const isHalf = hasModifier(opcode, "pack::16b") || hasModifier(opcode, "unpack::16b");
  const split = constantOf(named(binder, "offset"), 0);
  const { rows, cell } = moveShape(modifier(opcode, "shape")!);
  const places = binder.elements(registers).map((one) => binder[access](one, 32));
  const cells = new Int32Array(32 * places.length);
  let columns = 0;
  places.forEach((_, r) => {
    for (let thread = 0; thread < 32; thread++) {
      const [row, column] = cell(r, thread);
      // The upper threads of 16x32bx2 begin `split` columns later; these columns are not packed.
      const second = opcode.form.id.endsWith(".split") ? split * (thread >> 4) : 0;
      const first = (isHalf ? 2 * column : column) + second;
      cells[32 * r + thread] = COLUMNS * row + first;
      columns = Math.max(columns, first + (isHalf ? 2 : 1));
    }
  });
  return { address: tensorAddress(binder, named(binder, "t")), places, rows, columns, cells, isHalf };
}

/** Index of the first cell; throws if the warp may not access all of them. */
function startOf({ address, rows, columns }: Move, frame: Frame, mask: number): number {
  const lane = firstLane(mask);
  const whole = address(frame, lane);
  const { block, index } = frame.warp;
  const [row, column] = [whole >>> 16, whole & 0xffff];
  const quarter = 32 * (index % 4);
  if (lanesIn(mask).some((other) => address(frame, other) !== whole))
    throw new KernelFault(
      "illegal-address",
      "tcgen05: the threads of the warp have different addresses of tensor memory",
      {
        lane,
      },
    );
  if (row < quarter || row + rows > quarter + 32)
    throw new KernelFault(
      "illegal-address",
      `tcgen05: lanes ${row} to ${row + rows - 1} at ${hex(whole)} are out of reach: warp ${index} accesses lanes ${quarter} to ${quarter + 31} of tensor memory`,
      { lane, address: whole },
    );
  if (row % rows !== 0)
    throw new KernelFault(
      "misaligned-address",
      `tcgen05: lane ${row} at ${hex(whole)} must be a multiple of ${rows} for this shape`,
      { lane, address: whole },
    );
  checkColumns(block, column, columns, "the access", lane);
  return COLUMNS * row + column;
}

const load: Reading = (opcode) => {
  const isReduction = opcode.form.id.startsWith("tcgen05.ld.red");
  return custom((binder): Bound => {
    const move = bindMove(binder, opcode, named(binder, "d"), "write");
    const { places, cells, isHalf } = move;
    const total = isReduction ? binder.write(named(binder, "q"), 32) : undefined;
    const combine = isReduction
      ? reductionOf(
          modifier(opcode, "op")!,
          typeOf(opcode)!.name,
          hasModifier(opcode, "NaN"),
          hasModifier(opcode, "abs"),
        )
      : undefined;
    return {
      members: everyLane,
      memory: true,
      lanes: (frame, mask) => {
        const start = startOf(move, frame, mask);
        const from = tensorMemoryOf(frame.warp.block).words;
        const { words } = frame;
        const valueAt = (register: number, lane: number): number => {
          const at = start + cells[32 * register + lane]!;
          return isHalf ? (from[at]! & 0xffff) | (from[at + 1]! << 16) : from[at]!;
        };
        for (const lane of lanesIn(mask)) {
          places.forEach(({ word, stride }, r) => {
            words[word + stride * lane] = valueAt(r, lane);
          });
          if (total === undefined) continue;
          let result = valueAt(0, lane);
          for (let r = 1; r < places.length; r++) result = combine!(result, valueAt(r, lane));
          words[total.word + total.stride * lane] = result;
        }
      },
    };
  });
};

const store: Reading = (opcode) =>
  custom((binder): Bound => {
    const move = bindMove(binder, opcode, named(binder, "a"), "read");
    const { places, cells, isHalf } = move;
    return {
      members: everyLane,
      memory: true,
      lanes: (frame, mask) => {
        const start = startOf(move, frame, mask);
        const to = tensorMemoryOf(frame.warp.block).words;
        const lanes = lanesIn(mask);
        const values = places.map(({ word, stride }) => lanes.map((lane) => frame.words[word + stride * lane]!));
        issueInGroup(frame, "tensor-store", 1 << firstLane(mask), {
          complete: () =>
            values.forEach((ofLanes, r) =>
              ofLanes.forEach((value, i) => {
                const at = start + cells[32 * r + lanes[i]!]!;
                to[at] = isHalf ? value & 0xffff : value;
                if (isHalf) to[at + 1] = value >>> 16;
              }),
            ),
        });
      },
    };
  });

const wait: Reading = (opcode) =>
  custom(() => ({
    members: everyLane,
    memory: true,
    lanes: (frame, mask) => {
      if (hasModifier(opcode, "wait::st")) waitGroup(frame, "tensor-store", mask, -1);
    },
  }));

export const tcgen05MoveMeanings: Meanings = {
  "tcgen05.ld": load,
  "tcgen05.ld.split": load,
  "tcgen05.ld.red": load,
  "tcgen05.ld.red.split": load,
  "tcgen05.st": store,
  "tcgen05.st.split": store,
  "tcgen05.wait": wait,
};
