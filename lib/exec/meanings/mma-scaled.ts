// mma.sync and mma.sp with block scales: PTX ISA 9.0 sections 9.7.14.5.13, 9.7.14.5.14 and 9.7.14.6.3. One thread of each quad
// (of two for A) holds the scales of a row of A or a column of B in the bytes of a register.

import { matrixShape } from "../../isa/fragments.js";
import { hasModifier, modifier, type Opcode } from "../../isa/opcode.js";
import type { Binder, Bound } from "../operands/binder.js";
import type { Frame } from "../state/frame.js";
import { everyLane } from "../machine/step.js";
import { layoutsOf } from "../tensor/fragments.js";
import { selectorOf } from "../tensor/metadata.js";
import type { Extent, MatrixTypes } from "../tensor/multiply.js";
import { scaledArithmetic, type ScaledMultiply, type ScaleShape } from "../tensor/scaled.js";
import { custom, type Meanings, type Reading } from "./meaning.js";
import { bindProduct, constantNamed, matrixTypes, operandNamed, stridesOf } from "./mma.js";

function shapeOfScales(opcode: Opcode): ScaleShape {
  const alone = hasModifier(opcode, "kind::mxf8f6f4") ? "scale_vec::1X" : "scale_vec::2X";
  const vector = modifier(opcode, "vector") ?? alone;
  return { type: modifier(opcode, "stype")!, count: Number(vector.at(-2)) };
}

/** kind::mxf4 and mxf4nvf4 have two elements in a byte. */
function typesOf(opcode: Opcode): MatrixTypes {
  const types = matrixTypes(opcode);
  return hasModifier(opcode, "kind::mxf8f6f4") ? types : { ...types, a: "e2m1.packed", b: "e2m1.packed" };
}

/** Reads the scales of all rows of A, or columns of B, from the register `data` by its selector. */
function bindScales(
  binder: Binder,
  [data, selector]: readonly [data: string, selector: string],
  rows: number,
  { count }: ScaleShape,
): { readonly bits: Int32Array; readonly read: (frame: Frame) => void } {
  const { word } = binder.read(operandNamed(binder, data), 32);
  const [byte, thread] = binder.elements(operandNamed(binder, selector)).map((one) => binder.read(one, 32).word);
  const bits = new Int32Array(rows * count);
  // Rows 8 to 15 of A are in the second thread of a pair; the pairs of a quad are chosen as its threads are for B.
  const lanesEach = rows === 16 ? 2 : 1;
  return {
    bits,
    read: ({ words }) => {
      const shift = 8 * (words[byte!]! & 3);
      const first = lanesEach * (words[thread!]! & 3);
      for (let row = 0; row < rows; row++) {
        const value = words[word + 4 * (row & 7) + first + (row >> 3)]! >>> shift;
        for (let i = 0; i < count; i++) bits[row * count + i] = (value >>> (8 * i)) & 0xff;
      }
    },
  };
}

/** Multiplies row by row, each with the elements of B that correspond to its stored elements. */
function byRows(
  { m, n, k }: Extent,
  types: MatrixTypes,
  scales: ScaleShape,
  selector: number,
): (...operands: [...Parameters<ScaledMultiply>, metadata: Int32Array]) => void {
  const multiplyRow = scaledArithmetic({ m: 1, n, k }, types, scales);
  const select = selectorOf(types.a, k, selector);
  const selected = new Int32Array(n * k);
  return (a, b, c, d, scalesA, scalesB, metadata) => {
    for (let row = 0; row < m; row++) {
      select(metadata, row, b, n, selected);
      const part = (of: Int32Array, length: number): Int32Array => of.subarray(row * length, (row + 1) * length);
      multiplyRow(part(a, k), selected, part(c, n), part(d, n), part(scalesA, scales.count), scalesB);
    }
  };
}

const scaled: Reading = (opcode) => {
  const { m, n, k } = matrixShape(modifier(opcode, "shape"));
  const types = typesOf(opcode);
  const isSparse = opcode.form.id.startsWith("mma.sp");
  const extent = { m, n, k: isSparse ? k / 2 : k };
  const scales = shapeOfScales(opcode);
  return custom((binder): Bound => {
    const a = bindScales(binder, ["sa", "ia"], m, scales);
    const b = bindScales(binder, ["sb", "ib"], n, scales);
    const metadata = new Int32Array(32);
    const e = isSparse ? binder.read(operandNamed(binder, "e"), 32) : undefined;
    const multiply = isSparse
      ? byRows(extent, types, scales, constantNamed(binder, "f"))
      : scaledArithmetic(extent, types, scales);
    const layouts = { ...layoutsOf(extent), b: layoutsOf({ m, n, k }).b };
    const { lanes: product } = bindProduct(binder, { ...stridesOf(extent), b: k }, types, layouts, (...matrices) =>
      multiply(...matrices, a.bits, b.bits, metadata),
    );
    return {
      members: everyLane,
      lanes: (frame, mask) => {
        a.read(frame);
        b.read(frame);
        if (e !== undefined)
          for (let lane = 0; lane < 32; lane++) metadata[lane] = frame.words[e.word + e.stride * lane]!;
        product(frame, mask);
      },
    };
  });
};

const kinds = ["mxf4", "mxf4nvf4", "mxf8f6f4"];

export const mmaScaledMeanings: Meanings = Object.fromEntries(
  kinds.flatMap((kind) => [
    [`mma.scaled.${kind}`, scaled],
    [`mma.sp.scaled.${kind}`, scaled],
  ]),
);
