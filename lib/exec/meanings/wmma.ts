// wmma: PTX ISA 9.0 section 9.7.14.4. PTX leaves open which thread holds which element. Fragments here are sm_90's, as recorded
// (testdata/hardware/h200/tensor/gaps.json), for programs that inspect them.

import { matrixShape } from "../../isa/fragments.js";
import { hasModifier, modifier } from "../../isa/opcode.js";
import { bindAddress, faultBeyond } from "../operands/access.js";
import type { Binder, Bound } from "../operands/binder.js";
import { KernelFault } from "../state/fault.js";
import type { Frame } from "../state/frame.js";
import type { Spot } from "../state/warp.js";
import { everyLane } from "../machine/step.js";
import { arithmeticOf, elementBits, elementsAlong, saturateFloat } from "../tensor/arithmetic.js";
import { fragmentOf, gather, layoutsOf, matrixFor, perRegister, placesOf, scatter } from "../tensor/fragments.js";
import { lanesIn } from "../machine/walk.js";
import { firstLane } from "../machine/warp.js";
import { custom, type Meanings, type Reading } from "./meaning.js";
import { spaceOfOpcode } from "./memory.js";
import { bindProduct, matrixTypes, operationOf, stridesOf } from "./mma.js";

const product: Reading = (opcode) => {
  const shape = matrixShape(modifier(opcode, "shape"));
  const types = matrixTypes(opcode);
  const extent = { ...shape, k: elementsAlong(shape.k, types.a) };
  const multiply = arithmeticOf(extent, types, operationOf(opcode, "wmma"));
  if (multiply === undefined) return undefined;
  const saturate = hasModifier(opcode, "satfinite") ? saturateFloat[types.d] : undefined;
  return custom((binder): Bound => ({
    members: everyLane,
    lanes: bindProduct(binder, stridesOf(extent), types, layoutsOf(extent), multiply, saturate).lanes,
  }));
};

/** wmma.load and wmma.store: every lane has the matrix's address; the stride counts elements. */
function move(part: "a" | "b" | "c", isStore: boolean): Reading {
  return (opcode) => {
    const type = modifier(opcode, "type")!;
    const { m, n, k: elements } = matrixShape(modifier(opcode, "shape"));
    // Elements smaller than a byte are moved by whole registers, along k: A's rows and B's columns.
    const isSmall = elementBits(type) < 8 || type === "b1";
    const perWord = type === "b1" ? 32 : isSmall ? perRegister(type) : 1;
    const moved = isSmall ? "b1" : type;
    const k = elements / perWord;
    const [rows, columns] = part === "a" ? [m, k] : part === "b" ? [k, n] : [m, n];
    const bytes = elementBits(moved) / 8;
    const isRow = hasModifier(opcode, "row");
    return custom((binder): Bound => {
      const places = placesOf(binder, isStore ? 1 : 0, moved, isStore ? "read" : "write");
      const layout = layoutsOf({ m, n, k })[part](moved);
      const fragment = fragmentOf(places, moved, layout, (row, column) => row * columns + column);
      const matrix = matrixFor(fragment);
      const address = binder.operand(isStore ? 0 : 1);
      const bound = bindAddress(binder, address, spaceOfOpcode(opcode), bytes, bytes, isStore);
      const { locate } = bound;
      const strideOf = strideOperand(binder, perWord * (isRow ? columns : rows));
      const spot: Spot = { view: new DataView(new ArrayBuffer(0)), offset: 0 };
      const words = bytes === 8 ? 2 : 1;
      return {
        members: everyLane,
        memory: true,
        lanes: (frame, mask) => {
          const lane = firstLane(mask);
          const stride = strideOf(frame, lane) / perWord;
          if (isStore) gather(frame, fragment, matrix);
          // All lanes have the same address; records it for each of them.
          if (frame.warp.block.observer !== undefined) for (const each of lanesIn(mask)) locate(frame, each, spot);
          locate(frame, lane, spot);
          for (let row = 0; row < rows; row++)
            for (let column = 0; column < columns; column++) {
              const offset = spot.offset + bytes * (isRow ? row * stride + column : column * stride + row);
              if (offset + bytes > spot.view.byteLength) {
                const where = { bytes, align: bytes, writes: isStore };
                const further = offset - spot.offset;
                const { kind, message, address } = faultBeyond(binder, bound, { frame, lane, spot, further, where });
                const element = `row ${row * (part === "b" ? perWord : 1)}, column ${column * (part === "a" ? perWord : 1)}`;
                throw new KernelFault(kind, `${element} of the matrix: ${message}`, { lane, address: address! });
              }
              moveElement(spot.view, offset, bytes, matrix, words * (row * columns + column), isStore);
            }
          if (!isStore) scatter(frame, fragment, matrix, mask);
        },
      };
    });
  };
}

function strideOperand(binder: Binder, fallback: number): (frame: Frame, lane: number) => number {
  const operand = binder.operand(2);
  if (operand === undefined) return () => fallback;
  const { word, stride } = binder.read(operand, 32);
  return (frame, lane) => frame.unsigned[word + stride * lane]!;
}

/** Moves one element between a matrix of bits and memory. */
function moveElement(
  view: DataView,
  offset: number,
  bytes: number,
  matrix: Int32Array,
  at: number,
  isStore: boolean,
): void {
  if (bytes >= 4) {
    for (let i = 0; i < bytes / 4; i++) {
      if (isStore) view.setInt32(offset + 4 * i, matrix[at + i]!, true);
      else matrix[at + i] = view.getInt32(offset + 4 * i, true);
    }
  } else if (bytes === 2) {
    if (isStore) view.setInt16(offset, matrix[at]!, true);
    else matrix[at] = view.getUint16(offset, true);
  } else if (isStore) view.setInt8(offset, matrix[at]!);
  else matrix[at] = view.getUint8(offset);
}

export const wmmaMeanings: Meanings = {
  "wmma.load.a": move("a", false),
  "wmma.load.b": move("b", false),
  "wmma.load.c": move("c", false),
  "wmma.store": move("c", true),
  "wmma.mma.f16": product,
  "wmma.mma.int": product,
  "wmma.mma.alternate": product,
  "wmma.mma.f64": product,
  "wmma.mma.b1": product,
};
