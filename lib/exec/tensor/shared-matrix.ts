// Matrices of tcgen05.mma and tcgen05.cp in shared memory: descriptors and swizzles of PTX ISA 9.0 sections 9.7.16.3, 9.7.16.4.1
// and 9.7.16.10.6. A matrix is addressed in pieces of 16 bytes, each of which a swizzle moves as a whole. Pieces are located, and
// must be in the block's memory, when the instruction is issued; their contents are read later.

import { hex } from "../operands/access.js";
import { KernelFault } from "../state/fault.js";
import type { Block } from "../state/block.js";
import { trap } from "./memory.js";

/** Bytes that a swizzle moves together. */
export const PIECE = 16;

/** Fields of a descriptor, in bytes, except for the base offset, which is in units of 128 bytes. */
export interface SharedDescriptor {
  readonly start: number;
  readonly leading: number;
  readonly stride: number;
  readonly baseOffset: number;
  /** `leading` is the address of the part of a row after its first 128 bytes. */
  readonly isAbsolute: boolean;
  readonly swizzle: Swizzle;
}

export interface Swizzle {
  /** Bytes of a row of the pattern. */
  readonly row: number;
  /** Lines of the pattern if rows of A or columns of B are contiguous. If k is contiguous, there are always 8. */
  readonly rows: number;
  /**
   * The swizzle moves units of 1 << `shift` bytes. The address bits that select the new position are `distance` bits above it.
   */
  readonly shift: number;
  readonly distance: number;
  readonly mask: number;
}

const plain = (row: number): Swizzle => ({ row, rows: 8, shift: 4, distance: 3, mask: row / 16 - 1 });

/** Swizzles by bits 61 to 63 of a descriptor. */
const swizzles: Readonly<Record<number, Swizzle>> = {
  0: plain(16),
  1: { row: 128, rows: 4, shift: 5, distance: 2, mask: 3 },
  2: plain(128),
  4: plain(64),
  6: plain(32),
};

export function readSharedDescriptor(low: number, high: number, lane: number): SharedDescriptor {
  const swizzle = swizzles[high >>> 29];
  if (swizzle === undefined)
    throw trap(`the swizzle mode of a matrix descriptor must be 0, 1, 2, 4 or 6, not ${high >>> 29}`, lane);
  if (((high >>> 14) & 7) !== 1)
    throw trap(`bits 46 to 48 of a matrix descriptor of tcgen05 must be 1, not ${(high >>> 14) & 7}`, lane);
  return {
    start: (low & 0x3fff) << 4,
    leading: ((low >>> 16) & 0x3fff) << 4,
    stride: (high & 0x3fff) << 4,
    baseOffset: (high >>> 17) & 7,
    isAbsolute: ((high >>> 20) & 1) === 1,
    swizzle,
  };
}

/** Address of the piece with number `piece` along the matrix's contiguous dimension, in line `line` of the other one. */
function pieceAddress(descriptor: SharedDescriptor, isAlongK: boolean, line: number, piece: number): number {
  const { start, leading, stride, baseOffset, isAbsolute, swizzle } = descriptor;
  const { row, shift, distance, mask } = swizzle;
  const rows = isAlongK ? 8 : swizzle.rows;
  const group = Math.floor(line / rows);
  const inGroup = line % rows;
  let address;
  if (isAlongK) {
    const along = PIECE * piece;
    if (mask === 0) address = start + group * stride + inGroup * row + piece * leading;
    else if (isAbsolute && (start & 127) + along >= 128)
      address = leading + group * stride + inGroup * row + along - (128 - (start & 127));
    else address = start + group * stride + inGroup * row + along;
  } else {
    const inRow = row / PIECE;
    const [across, down] = mask === 0 ? [stride, leading] : [leading, stride];
    address = start + Math.floor(piece / inRow) * across + group * down + inGroup * row + (piece % inRow) * PIECE;
  }
  // The pattern repeats in absolute addresses, and the base offset shifts it.
  return address ^ ((((address >> (shift + distance)) - baseOffset) & mask) << shift);
}

/** Layout of the elements in a piece. */
export interface Packing {
  /** Bits from one element to the next. */
  readonly bits: number;
  /** Elements of a piece. */
  readonly perPiece: number;
  /** Left shift of an element's bits in the container that arithmetic expects. */
  readonly shift: number;
}

/** Packings by type. A piece of sixteen 4-bit or 6-bit floats ends with padding: section 9.7.16.10.4.4. */
export const packings: Readonly<Record<string, Packing>> = {
  f16: { bits: 16, perPiece: 8, shift: 0 },
  bf16: { bits: 16, perPiece: 8, shift: 0 },
  tf32: { bits: 32, perPiece: 4, shift: 0 },
  e4m3: { bits: 8, perPiece: 16, shift: 0 },
  e5m2: { bits: 8, perPiece: 16, shift: 0 },
  s8: { bits: 8, perPiece: 16, shift: 0 },
  u8: { bits: 8, perPiece: 16, shift: 0 },
  e2m3: { bits: 6, perPiece: 16, shift: 0 },
  e3m2: { bits: 6, perPiece: 16, shift: 0 },
  e2m1: { bits: 4, perPiece: 16, shift: 2 },
  "e2m1.packed": { bits: 4, perPiece: 32, shift: 0 },
};

/** Element `i` of the piece at `address`. */
export function elementOf(bytes: Uint8Array, address: number, { bits, shift }: Packing, i: number): number {
  const at = address + ((i * bits) >> 3);
  if (bits === 32) return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
  if (bits === 8) return bytes[at]!;
  const two = bytes[at]! | (bytes[at + 1]! << 8);
  return ((two >> ((i * bits) & 7)) & ((1 << bits) - 1)) << shift;
}

export interface SharedShape {
  /** Rows of A, or columns of B. */
  readonly rows: number;
  readonly k: number;
  readonly packing: Packing;
  readonly isTransposed: boolean;
}

/** Locates a matrix; the returned function reads its elements, row by row. */
export function locateMatrix(
  block: Block,
  descriptor: SharedDescriptor,
  { rows, k, packing, isTransposed }: SharedShape,
  lane: number,
): (bits: Int32Array) => void {
  const { perPiece } = packing;
  const [lines, pieces] = isTransposed ? [k, Math.ceil(rows / perPiece)] : [rows, k / perPiece];
  const addresses = locatePieces(block, descriptor, !isTransposed, lines, pieces, lane);
  return (bits) => {
    const { bytes } = block.sharedBytes;
    for (let row = 0; row < rows; row++)
      for (let i = 0; i < k; i++) {
        const [line, along] = isTransposed ? [i, row] : [row, i];
        const address = addresses[line * pieces + Math.floor(along / perPiece)]!;
        bits[row * k + i] = elementOf(bytes, address, packing, along % perPiece);
      }
  };
}

/** Locates the pieces of a matrix. Returns their addresses, line by line. */
export function locatePieces(
  { shared }: Block,
  descriptor: SharedDescriptor,
  isAlongK: boolean,
  lines: number,
  pieces: number,
  lane: number,
): Int32Array {
  const addresses = new Int32Array(lines * pieces);
  for (let line = 0; line < lines; line++)
    for (let piece = 0; piece < pieces; piece++) {
      const address = pieceAddress(descriptor, isAlongK, line, piece);
      if (address < 0 || address + PIECE > shared.byteLength)
        throw new KernelFault(
          "illegal-address",
          `tcgen05: a matrix descriptor refers to ${PIECE} bytes at offset ${hex(address)}, outside shared memory of ${shared.byteLength} bytes`,
          { lane, address },
        );
      addresses[line * pieces + piece] = address;
    }
  return addresses;
}
