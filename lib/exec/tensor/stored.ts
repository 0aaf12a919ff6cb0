// A matrix of wgmma in shared memory, addressed in pieces of 16 bytes that a swizzle moves as a whole. Pieces run along k, or, in
// a transposed matrix, along the rows of A (columns of B). They are located, and must be in the block's memory, when the
// instruction is issued; they are read later.

import type { Operand } from "../../isa/instruction.js";
import { hex } from "../operands/access.js";
import type { Binder } from "../operands/binder.js";
import { KernelFault } from "../state/fault.js";
import type { Frame } from "../state/frame.js";
import type { TensorUnit } from "../state/step.js";
import { type Descriptor, elementAddress, readDescriptor } from "./descriptor.js";

/** Bytes that a swizzle moves together. */
const PIECE = 16;

export interface StoredShape {
  /** Rows of A, or columns of B. */
  readonly rows: number;
  readonly k: number;
  /** Bytes of an element. */
  readonly bytes: number;
  readonly isTransposed: boolean;
}

export interface Stored {
  /** Reads `count` rows, starting with row `from`, as element bits in row order. */
  read(bits: Int32Array, from: number, count: number): void;
  /**
   * Packs 16-bit elements (16 along k) into registers of the unit, from byte `offset` on. Each register holds eight rows of eight
   * elements along k. Registers of the same half of k are adjacent for A, those of the same rows for B.
   */
  pack(unit: TensorUnit, offset: number, isA: boolean): void;
  /** Identifies the location of the rows from 8 * `eight` on: equal numbers mean equal locations. */
  startOf(eight: number): number;
}

/** Binds a descriptor operand. The returned function locates rows `firstRow` and up of the matrix described in `lane`. */
export function bindStored(
  binder: Binder,
  operand: Operand | undefined,
  shape: StoredShape,
): (frame: Frame, lane: number, firstRow: number) => Stored {
  const { rows, k, bytes, isTransposed } = shape;
  const { word } = binder.read(operand, 64);
  const perPiece = PIECE / bytes;
  const [lines, pieces] = isTransposed ? [k, rows / perPiece] : [rows, k / perPiece];
  const locate = (descriptor: Descriptor, firstRow: number): Located => {
    const addresses = new Int32Array(lines * pieces);
    let last = 0;
    for (let line = 0, at = 0; line < lines; line++)
      for (let piece = 0; piece < pieces; piece++, at++) {
        const address = isTransposed
          ? elementAddress(descriptor, true, firstRow + piece * perPiece, line, bytes)
          : elementAddress(descriptor, false, firstRow + line, piece * perPiece, bytes);
        addresses[at] = address;
        last = Math.max(last, address);
      }
    return { addresses, last };
  };
  // Loops repeat the same descriptors, and the addresses depend only on the descriptor and the first row.
  const known = new Map<number, Located>();
  return (frame, lane, firstRow) => {
    const { words } = frame;
    const descriptor = readDescriptor(words[word + 2 * lane]!, words[word + 2 * lane + 1]!);
    const key = keyOf(descriptor, firstRow);
    let located = known.get(key);
    if (located === undefined) {
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(key, (located = locate(descriptor, firstRow)));
    }
    const { addresses, last } = located;
    const { shared, sharedBytes } = frame.warp.block;
    if (last + PIECE > shared.byteLength) throw outside(last, shared.byteLength, lane);
    const { buffer, byteOffset, byteLength } = sharedBytes.bytes;
    const from = new Int32Array(buffer, byteOffset, byteLength >> 2);
    return {
      read: (bits, first, count) => readRows(from, addresses, shape, bits, first, count),
      pack: (unit, offset, isA) => {
        if (isTransposed || sharedBytes.offset < 0) packRows(from, addresses, shape, unit.packed, offset, isA);
        else gatherRows(unit, sharedBytes.offset, addresses, rows, offset, isA);
      },
      startOf: (eight) => addresses[isTransposed ? eight : 16 * eight]! >> 4,
    };
  };
}

/** Addresses of all pieces, line by line, and the highest address. */
interface Located {
  readonly addresses: Int32Array;
  readonly last: number;
}

/** Number of descriptors remembered per instruction. */
const MAX_KNOWN = 256;

/** Unique key of a descriptor and a first row; below 2^53. */
const keyOf = ({ start, leading, stride, baseOffset, mode }: Descriptor, firstRow: number): number =>
  (start + leading * 2 ** 14) / 16 + stride * 2 ** 24 + (baseOffset + 8 * mode + 2 * firstRow) * 2 ** 42;

const outside = (address: number, size: number, lane: number): KernelFault =>
  new KernelFault(
    "illegal-address",
    `a matrix descriptor refers to ${PIECE} bytes at offset ${hex(address)}, outside shared memory of ${size} bytes`,
    { lane, address },
  );

/** Element `i` of the piece at `address`. */
function elementAt(from: Int32Array, address: number, i: number, bytes: number): number {
  const value = from[(address + i * bytes) >> 2]!;
  return bytes === 4 ? value : (value >>> (8 * ((i * bytes) & 3))) & (bytes === 2 ? 0xffff : 0xff);
}

function readRows(
  from: Int32Array,
  addresses: Int32Array,
  { rows, k, bytes, isTransposed }: StoredShape,
  bits: Int32Array,
  first: number,
  count: number,
): void {
  const perPiece = PIECE / bytes;
  for (let row = 0; row < count; row++)
    for (let i = 0; i < k; i++) {
      const [across, along] = isTransposed ? [i, first + row] : [first + row, i];
      const pieces = (isTransposed ? rows : k) / perPiece;
      const address = addresses[across * pieces + Math.floor(along / perPiece)]!;
      bits[row * k + i] = elementAt(from, address, along % perPiece, bytes);
    }
}

/** Words in a register of 32 lanes, and in one of its rows. */
const REGISTER = 32;
const ROW = 4;

/** Index of the register with eight rows and a half of k. */
const registerOf = (eight: number, half: number, isA: boolean): number => (isA ? eight + 2 * half : 2 * eight + half);

/** packRows for a matrix in an arena that is not transposed: its pieces are rows of registers. */
function gatherRows(
  { gather, base }: TensorUnit,
  shared: number,
  p: Int32Array,
  rows: number,
  offset: number,
  isA: boolean,
): void {
  for (let eight = 0; eight < rows >> 3; eight++)
    for (let half = 0; half < 2; half++) {
      const to = base + offset + 4 * REGISTER * registerOf(eight, half, isA);
      const i = 16 * eight + half;
      gather(to, shared, p[i]!, p[i + 2]!, p[i + 4]!, p[i + 6]!, p[i + 8]!, p[i + 10]!, p[i + 12]!, p[i + 14]!);
    }
}

function packRows(
  from: Int32Array,
  addresses: Int32Array,
  { rows, isTransposed }: StoredShape,
  packed: Int32Array,
  offset: number,
  isA: boolean,
): void {
  const start = offset >> 2;
  // First word of the register for a group of eight rows and a half of k.
  const registerAt = (eight: number, half: number): number => start + REGISTER * registerOf(eight, half, isA);
  if (!isTransposed) {
    for (let row = 0; row < rows; row++)
      for (let half = 0; half < 2; half++) {
        const source = addresses[2 * row + half]! >> 2;
        const to = registerAt(row >> 3, half) + ROW * (row & 7);
        for (let i = 0; i < ROW; i++) packed[to + i] = from[source + i]!;
      }
    return;
  }
  const pieces = rows >> 3;
  for (let eight = 0; eight < pieces; eight++)
    for (let k = 0; k < 16; k += 2) {
      const [low, high] = [addresses[k * pieces + eight]! >> 2, addresses[(k + 1) * pieces + eight]! >> 2];
      const to = registerAt(eight, k >> 3) + ((k & 7) >> 1);
      for (let i = 0; i < 4; i++) {
        const [x, y] = [from[low + i]!, from[high + i]!];
        packed[to + ROW * 2 * i] = (x & 0xffff) | (y << 16);
        packed[to + ROW * (2 * i + 1)] = (x >>> 16) | (y & 0xffff0000);
      }
    }
}
