// Matrix multiplication by a warp: wmma and the dense mma.sync. PTX ISA 9.0 section 9.7.14. Which lane holds which element of a
// fragment is fixed for mma (section 9.7.14.5) and left open for wmma, where a lane here holds neighbouring elements.
// Integers are exact. Products of floats are exact in a double; they are added up in the order of k in doubles, and rounded
// once to the type of d: at least as exact as PTX asks, and the same on every machine. Not executed: mma.m8n8k4 of f16, sparse
// and block-scaled forms.

import { f32FromBits } from "../../base/num/bits.js";
import { fmaF64 } from "../../base/num/f64.js";
import { BF16, E4M3, E5M2, F16, smallDecoder, smallEncoder, type SmallFloat } from "../../base/num/small-float.js";
import { matrixShape } from "../../isa/fragments.js";
import { modifier, type Opcode } from "../../isa/opcode.js";
import { bindAddress, hex, type Spot } from "../access.js";
import type { Binder, Bound } from "../binder.js";
import { KernelFault } from "../fault.js";
import type { Frame } from "../frame.js";
import type { Place } from "../lanes.js";
import { everyLane } from "../step.js";
import { firstLane } from "../warp.js";
import { custom, has, type Meaning, type Meanings, type Reading } from "./meaning.js";
import { spaceOfOpcode } from "./memory.js";

/** How elements of a type are read from and written to their bits. */
interface Element {
  readonly bits: number;
  readonly decode: (bits: number) => number;
  /** For types of results. */
  readonly encode?: (value: number) => number;
}

const small = (format: SmallFloat, bits: number): Element => ({
  bits,
  decode: smallDecoder(format),
  encode: smallEncoder(format, "rn"),
});
const scratch = new DataView(new ArrayBuffer(4));

const elements: Readonly<Record<string, Element>> = {
  f16: small(F16, 16),
  bf16: small(BF16, 16),
  e4m3: small(E4M3, 8),
  e5m2: small(E5M2, 8),
  // The low 13 bits of a tf32 are not part of it.
  tf32: { bits: 32, decode: (bits) => f32FromBits(bits & ~0x1fff) },
  f32: {
    bits: 32,
    decode: f32FromBits,
    encode: (value) => {
      scratch.setFloat32(0, value);
      return Number.isNaN(value) ? 0x7fffffff : scratch.getInt32(0);
    },
  },
  s32: { bits: 32, decode: (bits) => bits | 0, encode: (value) => value | 0 },
  s8: { bits: 8, decode: (bits) => (bits << 24) >> 24 },
  u8: { bits: 8, decode: (bits) => bits & 0xff },
  s4: { bits: 4, decode: (bits) => (bits << 28) >> 28 },
  u4: { bits: 4, decode: (bits) => bits & 15 },
  b1: { bits: 1, decode: (bits) => bits & 1 },
};

/** Where an element is: row and column, for a lane and the element's number in the lane. */
type Layout = (lane: number, element: number) => readonly [row: number, column: number];

interface Fragment {
  readonly rows: number;
  readonly columns: number;
  readonly type: string;
  readonly layout: Layout;
}

// --------------------------------------------------------------------------------------------------------------- layouts

/** mma's A: groups of four lanes have a row, registers alternate between the two halves of the rows. */
function layoutA(rows: number, perRegister: number): Layout {
  return (lane, element) => {
    const register = Math.floor(element / perRegister);
    const halves = rows / 8;
    const column = (lane & 3) * perRegister + (element % perRegister) + 4 * perRegister * Math.floor(register / halves);
    return [(lane >> 2) + 8 * (register % halves), column];
  };
}

/** mma's B: groups of four lanes have a column. */
function layoutB(perRegister: number): Layout {
  return (lane, element) => {
    const register = Math.floor(element / perRegister);
    return [(lane & 3) * perRegister + (element % perRegister) + 4 * perRegister * register, lane >> 2];
  };
}

/** mma's C and D: two neighbouring columns, then the same eight rows below. */
const layoutC: Layout = (lane, element) => [(lane >> 2) + 8 * (element >> 1), (lane & 3) * 2 + (element & 1)];

/** wmma's: neighbouring elements in a lane, row by row; where there are more places than elements, they repeat. */
function linear(rows: number, columns: number, perLane: number): Layout {
  return (lane, element) => {
    const index = (lane * perLane + element) % (rows * columns);
    return [Math.floor(index / columns), index % columns];
  };
}

// ------------------------------------------------------------------------------------------------------------- fragments

/** Registers of a fragment, and how many elements a lane has in them. */
interface Held extends Fragment {
  readonly places: readonly Place[];
  readonly perLane: number;
}

const bitsOf = (type: string): number => (type === "f64" ? 64 : elements[type]!.bits);

function hold(
  places: readonly Place[],
  type: string,
  rows: number,
  columns: number,
  layout: (perLane: number, perRegister: number) => Layout,
): Held {
  const perRegister = Math.max(1, 32 / bitsOf(type));
  const perLane = places.length * perRegister;
  return { places, perLane, rows, columns, type, layout: layout(perLane, perRegister) };
}

/** The matrix that the warp's lanes hold together, row by row. */
function gather(frame: Frame, held: Held): Float64Array {
  const { type, places, perLane, columns, layout } = held;
  const matrix = new Float64Array(held.rows * columns);
  for (let lane = 0; lane < 32; lane++)
    for (let e = 0; e < perLane; e++) {
      const [row, column] = layout(lane, e);
      matrix[row * columns + column] = elementAt(frame, places, type, lane, e);
    }
  return matrix;
}

function elementAt(frame: Frame, places: readonly Place[], type: string, lane: number, e: number): number {
  if (type === "f64") return frame.doubles[(places[e]!.word >> 1) + lane]!;
  const { bits, decode } = elements[type]!;
  const perRegister = 32 / bits;
  const { word, stride } = places[Math.floor(e / perRegister)]!;
  return decode(frame.words[word + stride * lane]! >>> (bits * (e % perRegister)));
}

function scatter(frame: Frame, held: Held, matrix: Float64Array): void {
  const { type, places, perLane, columns, layout } = held;
  for (let lane = 0; lane < 32; lane++)
    for (let e = 0; e < perLane; e++) {
      const [row, column] = layout(lane, e);
      const value = matrix[row * columns + column]!;
      if (type === "f64") frame.doubles[(places[e]!.word >> 1) + lane] = value;
      else putElement(frame, places, type, lane, e, elements[type]!.encode!(value));
    }
}

function putElement(
  frame: Frame,
  places: readonly Place[],
  type: string,
  lane: number,
  e: number,
  value: number,
): void {
  const { bits } = elements[type]!;
  const perRegister = 32 / bits;
  const { word, stride } = places[Math.floor(e / perRegister)]!;
  const at = word + stride * lane;
  const shift = bits * (e % perRegister);
  const field = bits === 32 ? -1 : ((1 << bits) - 1) << shift;
  frame.words[at] = (frame.words[at]! & ~field) | ((value << shift) & field);
}

// --------------------------------------------------------------------------------------------------------------- product

type Combine = (a: number, b: number, sum: number) => number;

/** How a product is added: xor and and count bits, f64 fuses, everything else is exact or rounded as doubles are. */
function combineOf(opcode: Opcode, type: string): Combine {
  if (type === "b1") return has(opcode, "and") ? (a, b, sum) => sum + (a & b) : (a, b, sum) => sum + (a ^ b);
  if (type === "f64") {
    const mode = (["rz", "rm", "rp"] as const).find((each) => has(opcode, each)) ?? "rn";
    return fmaF64[mode];
  }
  return (a, b, sum) => sum + a * b;
}

function multiply(
  a: Float64Array,
  b: Float64Array,
  c: Float64Array,
  m: number,
  n: number,
  k: number,
  combine: Combine,
): Float64Array {
  const d = new Float64Array(m * n);
  for (let row = 0; row < m; row++)
    for (let column = 0; column < n; column++) {
      let sum = c[row * n + column]!;
      for (let i = 0; i < k; i++) sum = combine(a[row * k + i]!, b[i * n + column]!, sum);
      d[row * n + column] = sum;
    }
  return d;
}

const clampWord = (x: number): number => Math.min(Math.max(x, -(2 ** 31)), 2 ** 31 - 1);

/** Of wmma before PTX 6.5 on floats: infinities become the largest number, NaN becomes +0.0. */
const finite =
  (largest: number) =>
  (x: number): number =>
    Number.isNaN(x) ? 0 : Math.min(Math.max(x, -largest), largest);

/** .satfinite by the type of d. */
const saturations: Readonly<Record<string, (x: number) => number>> = {
  s32: clampWord,
  f16: finite(65504),
  f32: finite(f32FromBits(0x7f7fffff)),
};

/** Types of d, a, b and c; forms that say fewer mean f16 factors. */
function typesIn(opcode: Opcode): readonly [string, string, string, string] {
  const of = (slot: string, otherwise: string): string => modifier(opcode, slot) ?? otherwise;
  const d = of("dtype", "f32");
  return [d, of("atype", "f16"), of("btype", "f16"), of("ctype", d)];
}

/** mma and wmma.mma: `layouts` tells where the elements of a, b and of c and d are. */
function product(
  opcode: Opcode,
  layouts: (part: "a" | "b" | "c", rows: number, columns: number) => (perLane: number, perRegister: number) => Layout,
): Meaning | undefined {
  const { m, n, k } = matrixShape(modifier(opcode, "shape"));
  const [dType, aType, bType, cType] = typesIn(opcode);
  if ([dType, aType, bType, cType].some((type) => type !== "f64" && elements[type] === undefined)) return undefined;
  const combine = combineOf(opcode, aType);
  const saturate = has(opcode, "satfinite") ? saturations[dType] : undefined;
  return custom((binder): Bound => {
    const read = (index: number, type: string): readonly Place[] =>
      binder.elements(binder.operand(index)).map((element) => binder.read(element, bitsOf(type) === 64 ? 64 : 32));
    const a = hold(read(1, aType), aType, m, k, layouts("a", m, k));
    const b = hold(read(2, bType), bType, k, n, layouts("b", k, n));
    const c = hold(read(3, cType), cType, m, n, layouts("c", m, n));
    const targets = binder.elements(binder.operand(0)).map((e) => binder.write(e, bitsOf(dType) === 64 ? 64 : 32));
    const d = hold(targets, dType, m, n, layouts("c", m, n));
    return {
      members: everyLane,
      lanes: (frame) => {
        const result = multiply(gather(frame, a), gather(frame, b), gather(frame, c), m, n, k, combine);
        scatter(frame, d, saturate === undefined ? result : result.map(saturate));
      },
    };
  });
}

const mma: Reading = (opcode) =>
  product(opcode, (part, rows) => (_, perRegister) => {
    switch (part) {
      case "a":
        return layoutA(rows, perRegister);
      case "b":
        return layoutB(perRegister);
      case "c":
        return layoutC;
    }
  });

const wmma: Reading = (opcode) => product(opcode, (_, rows, columns) => (perLane) => linear(rows, columns, perLane));

// ---------------------------------------------------------------------------------------------------- loads and stores

/** wmma.load and wmma.store: all lanes have the matrix's address; the stride counts elements. */
function move(part: "a" | "b" | "c", isStore: boolean): Reading {
  return (opcode) => {
    const { m, n, k } = matrixShape(modifier(opcode, "shape"));
    const [rows, columns] = part === "a" ? [m, k] : part === "b" ? [k, n] : [m, n];
    const type = modifier(opcode, "type")!;
    const bits = bitsOf(type);
    if (bits < 8) return undefined;
    const bytes = bits / 8;
    const isRow = has(opcode, "row");
    return custom((binder): Bound => {
      const values = binder.elements(binder.operand(isStore ? 1 : 0));
      const width = bits === 64 ? 64 : 32;
      const places = values.map((e) => (isStore ? binder.read(e, width) : binder.write(e, width)));
      const held = hold(places, type, rows, columns, (perLane) => linear(rows, columns, perLane));
      const { locate } = bindAddress(
        binder,
        binder.operand(isStore ? 0 : 1),
        spaceOfOpcode(opcode),
        bytes,
        bytes,
        isStore,
      );
      const strideOf = strideOperand(binder, isRow ? columns : rows);
      const spot: Spot = { view: new DataView(new ArrayBuffer(0)), offset: 0 };
      return {
        members: everyLane,
        memory: true,
        lanes: (frame, mask) => {
          const stride = strideOf(frame, firstLane(mask));
          for (let lane = 0; lane < 32; lane++) {
            locate(frame, lane, spot);
            for (let e = 0; e < held.perLane; e++) {
              const [row, column] = held.layout(lane, e);
              const offset = spot.offset + bytes * (isRow ? row * stride + column : column * stride + row);
              if (offset + bytes > spot.view.byteLength)
                throw new KernelFault("illegal-address", `the matrix leaves its memory at ${hex(offset)}`, { lane });
              moveElement(frame, held, lane, e, spot.view, offset, isStore);
            }
          }
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

/** One element between a lane's registers and memory, as bits. */
function moveElement(
  frame: Frame,
  { places, type }: Held,
  lane: number,
  e: number,
  view: DataView,
  offset: number,
  isStore: boolean,
): void {
  const { words } = frame;
  const bits = bitsOf(type);
  if (bits === 64) {
    const at = places[e]!.word + 2 * lane;
    for (const i of [0, 1]) {
      if (isStore) view.setInt32(offset + 4 * i, words[at + i]!, true);
      else words[at + i] = view.getInt32(offset + 4 * i, true);
    }
    return;
  }
  if (!isStore) {
    const value =
      bits === 32 ? view.getInt32(offset, true) : bits === 16 ? view.getUint16(offset, true) : view.getUint8(offset);
    putElement(frame, places, type, lane, e, value);
    return;
  }
  const perRegister = 32 / bits;
  const { word, stride } = places[Math.floor(e / perRegister)]!;
  const value = words[word + stride * lane]! >>> (bits * (e % perRegister));
  if (bits === 32) view.setInt32(offset, value, true);
  else if (bits === 16) view.setInt16(offset, value, true);
  else view.setInt8(offset, value);
}

export const matrixMeanings: Meanings = {
  "wmma.load.a": move("a", false),
  "wmma.load.b": move("b", false),
  "wmma.load.c": move("c", false),
  "wmma.store": move("c", true),
  "wmma.mma.f16": wmma,
  "wmma.mma.int": wmma,
  "wmma.mma.alternate": wmma,
  "wmma.mma.f64": wmma,
  "mma.f16": mma,
  "mma.alternate": mma,
  "mma.f8": mma,
  "mma.f64": mma,
  "mma.int8": mma,
  "mma.int4": mma,
  "mma.b1": mma,
};
