// mma.sync, dense and sparse: PTX ISA 9.0 sections 9.7.14.5.14 and 9.7.14.6.3. Gathers the warp's registers to matrices,
// multiplies (exec/tensor), and scatters the result. Block-scaled forms are in mma-scaled.ts.

import type { RoundingMode } from "../../base/num/rounding.js";
import { matrixShape } from "../../isa/fragments.js";
import type { Operand } from "../../isa/instruction.js";
import { hasModifier, modifier, type Opcode } from "../../isa/opcode.js";
import type { Binder, Bound } from "../operands/binder.js";
import { KernelFault } from "../state/fault.js";
import type { Frame } from "../state/frame.js";
import type { LaneOp, QuickOp, TensorUnit } from "../state/step.js";
import { everyLane } from "../machine/step.js";
import { arithmeticOf, elementBits, elementsAlong, type Operation } from "../tensor/arithmetic.js";
import {
  type Fragment,
  fragmentOf,
  gather,
  matrixFor,
  type Layouts,
  layoutsOf,
  placesOf,
  quarterLayouts,
  scatter,
} from "../tensor/fragments.js";
import { selectorOf } from "../tensor/metadata.js";
import { isQuick } from "../tensor/quick.js";
import type { Extent, MatrixTypes, Multiply } from "../tensor/multiply.js";
import { firstLane } from "../machine/warp.js";
import { custom, type Meanings, type Reading } from "./meaning.js";

/** Types of d, a, b and c; forms that name fewer have f16 factors. */
export function matrixTypes(opcode: Opcode): MatrixTypes {
  const d = modifier(opcode, "dtype") ?? "f32";
  return {
    d,
    a: modifier(opcode, "atype") ?? "f16",
    b: modifier(opcode, "btype") ?? "f16",
    c: modifier(opcode, "ctype") ?? d,
  };
}

/** The arithmetic that the modifiers select. */
export function operationOf(opcode: Opcode, unit: Operation["unit"]): Operation {
  return {
    unit,
    saturates: hasModifier(opcode, "satfinite"),
    rounding: (["rz", "rm", "rp"] as const).find((mode) => hasModifier(opcode, mode)) ?? ("rn" satisfies RoundingMode),
    bits: hasModifier(opcode, "and") ? "and" : "xor",
    isQuarter: false,
  };
}

/** Elements in a row of A and of C, and in a column of B. */
export interface Strides {
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

/** Binds d, a, b and c, as matrices with these layouts, to one multiplication. */
export function bindProduct(
  binder: Binder,
  strides: Strides,
  types: MatrixTypes,
  layouts: Layouts,
  multiply: Multiply,
  saturate?: (bits: number) => number,
): { readonly lanes: LaneOp; readonly quick: QuickOp | undefined } {
  const byRow = (stride: number) => (row: number, column: number) => row * stride + column;
  const byColumn = (row: number, column: number): number => column * strides.b + row;
  const a = fragmentOf(placesOf(binder, 1, types.a, "read"), types.a, layouts.a(types.a), byRow(strides.a));
  const b = fragmentOf(placesOf(binder, 2, types.b, "read"), types.b, layouts.b(types.b), byColumn);
  const c = fragmentOf(placesOf(binder, 3, types.c, "read"), types.c, layouts.c(types.c), byRow(strides.c));
  const d = fragmentOf(placesOf(binder, 0, types.d, "write"), types.d, layouts.c(types.d), byRow(strides.c));
  const [bitsA, bitsB, bitsC, bitsD] = [matrixFor(a), matrixFor(b), matrixFor(c), matrixFor(d)];
  const lanes: LaneOp = (frame, mask) => {
    gather(frame, a, bitsA);
    gather(frame, b, bitsB);
    gather(frame, c, bitsC);
    multiply(bitsA, bitsB, bitsC, bitsD);
    if (saturate !== undefined) for (let i = 0; i < bitsD.length; i++) bitsD[i] = saturate(bitsD[i]!);
    scatter(frame, d, bitsD, mask);
  };
  return { lanes, quick: saturate === undefined ? quickTile([a, b, c, d], types, lanes) : undefined };
}

/** Multiplies one tile of sixteen rows and eight columns by the tensor unit, if the registers are those of such an mma. */
function quickTile(fragments: readonly Fragment[], types: MatrixTypes, lanes: LaneOp): QuickOp | undefined {
  const [a, b, c, d] = fragments.map(({ places }) => places.map(({ word }) => 4 * word));
  const blocks = b!.length;
  if (!isQuick(types) || (blocks !== 1 && blocks !== 2)) return undefined;
  if (a!.length !== 2 * blocks || c!.length !== 4 || d!.length !== 4) return undefined;
  // By the frame's offset: frames of a program have their registers at the same offsets.
  const known = new Map<number, () => boolean>();
  const tileIn = ({ offset }: Frame, unit: TensorUnit): (() => boolean) => {
    const at = (offsets: readonly number[]): readonly number[] => offsets.map((each) => offset + each);
    const [prepare, tile] = [unit.prepareOf(types.a)!, unit.tileOf(types.a)!];
    const factor = at(a!);
    const operands = { b: at(b!), key: (offset + b![0]!) >> 7, c: at(c!), d: at(d!), blocks } as const;
    return () => prepare(factor, blocks) && tile(operands);
  };
  return (frame, mask, unit) => {
    let tile = known.get(frame.offset);
    if (tile === undefined) known.set(frame.offset, (tile = tileIn(frame, unit)));
    if (mask !== -1 || !tile()) lanes(frame, mask);
  };
}

export const stridesOf = ({ n, k }: Extent): Strides => ({ a: k, b: k, c: n });

/** kind::f8f6f4 exists on chips from sm_100 on. */
const unitOf = ({ form }: Opcode): Operation["unit"] => (form.id.endsWith(".f8f6f4") ? "blackwell" : "mma");

const dense: Reading = (opcode) => {
  const shape = matrixShape(modifier(opcode, "shape"));
  const types = matrixTypes(opcode);
  const extent = { ...shape, k: elementsAlong(shape.k, types.a) };
  const multiply = arithmeticOf(extent, types, operationOf(opcode, unitOf(opcode)));
  if (multiply === undefined) return undefined;
  return custom((binder): Bound => ({
    members: everyLane,
    ...bindProduct(binder, stridesOf(extent), types, layoutsOf(extent), multiply),
  }));
};

/** mma.m8n8k4 on f16 multiplies four pairs of matrices, which are stacked here. */
const quarters: Reading = (opcode) => {
  const types = matrixTypes(opcode);
  const each = { m: 8, n: 8, k: 4 };
  const multiply = arithmeticOf(each, types, { ...operationOf(opcode, "mma"), isQuarter: true })!;
  const layouts = quarterLayouts(modifier(opcode, "alayout") === "row", modifier(opcode, "blayout") === "col");
  const fourTimes: Multiply = (a, b, c, d) => {
    for (let p = 0; p < 4; p++) {
      const factor = [32 * p, 32 * p + 32] as const;
      const sum = [64 * p, 64 * p + 64] as const;
      multiply(a.subarray(...factor), b.subarray(...factor), c.subarray(...sum), d.subarray(...sum));
    }
  };
  return custom((binder): Bound => ({
    members: everyLane,
    lanes: bindProduct(binder, stridesOf(each), types, layouts, fourTimes).lanes,
  }));
};

/** Multiplies A row by row, each with the elements of B that correspond to its stored elements. */
export function sparseMultiply(
  { m, n, k }: Extent,
  type: string,
  selector: number,
  multiplyRow: Multiply,
): (a: Int32Array, b: Int32Array, c: Int32Array, d: Int32Array, metadata: Int32Array) => void {
  const select = selectorOf(type, k, selector);
  const selected = new Int32Array(n * k);
  return (a, b, c, d, metadata) => {
    for (let row = 0; row < m; row++) {
      select(metadata, row, b, n, selected);
      const sums = [row * n, row * n + n] as const;
      multiplyRow(a.subarray(row * k, row * k + k), selected, c.subarray(...sums), d.subarray(...sums));
    }
  };
}

/** The operand of that name: of several that exclude each other, the one that is present. */
export function operandNamed({ opcode, operand }: Binder, name: string): Operand | undefined {
  return opcode.form.operands.flatMap((spec, i) => (spec.name === name ? (operand(i) ?? []) : []))[0];
}

/** The value of a constant operand; 0 if it is absent. */
export function constantNamed(binder: Binder, name: string): number {
  const operand = operandNamed(binder, name);
  return operand?.kind === "immediate" ? Number(BigInt.asIntN(32, operand.bits)) : 0;
}

/** Whether the metadata of a row fits in four threads, at 16 bits a thread, from the selector's first thread on. */
const bitsFit = (stored: number, type: string, selector: number): boolean =>
  elementBits(type) !== 16 || (selector + 1) * stored <= 32;

const sparse: Reading = (opcode) => {
  const { m, n, k } = matrixShape(modifier(opcode, "shape"));
  const types = matrixTypes(opcode);
  const extent = { m, n, k: k / 2 };
  const multiplyRow = arithmeticOf({ ...extent, m: 1 }, types, operationOf(opcode, unitOf(opcode)));
  if (multiplyRow === undefined) return undefined;
  return custom((binder): Bound => {
    const metadata = new Int32Array(32);
    const e = binder.read(operandNamed(binder, "e"), 32);
    const selector = constantNamed(binder, "f");
    // ptxas accepts 2 and 3 where two threads of four hold a row's metadata; the chip stops with an illegal instruction (an H100,
    // CUDA 715).
    const isIllegal = !bitsFit(extent.k, types.a, selector);
    const multiply = sparseMultiply(extent, types.a, isIllegal ? 0 : selector, multiplyRow);
    const stored = layoutsOf(extent);
    const layouts = { ...stored, b: layoutsOf({ m, n, k }).b };
    const { lanes: product } = bindProduct(binder, { a: k / 2, b: k, c: n }, types, layouts, (a, b, c, d) =>
      multiply(a, b, c, d, metadata),
    );
    return {
      members: everyLane,
      lanes: (frame, mask) => {
        if (isIllegal)
          throw new KernelFault("trap", `the sparsity selector of ${opcode.spelling} must be 0 or 1, not ${selector}`, {
            lane: firstLane(mask),
          });
        for (let lane = 0; lane < 32; lane++) metadata[lane] = frame.words[e.word + e.stride * lane]!;
        product(frame, mask);
      },
    };
  });
};

export const mmaMeanings: Meanings = {
  "mma.f16.m8n8k4": quarters,
  "mma.f16": dense,
  "mma.alternate": dense,
  "mma.f8": dense,
  "mma.f8f6f4": dense,
  "mma.f64": dense,
  "mma.int8": dense,
  "mma.int4": dense,
  "mma.b1": dense,
  "mma.sp.f16": sparse,
  "mma.sp.alternate": sparse,
  "mma.sp.f8": sparse,
  "mma.sp.f8f6f4": sparse,
  "mma.sp.int8": sparse,
  "mma.sp.int4": sparse,
};
