// Units of memory instructions: a leaf's bytes split into aligned pieces of 1, 2, 4 or 8, and runs of equal pieces as vectors.

import { classOf, type Leaf, type Part } from "./parts.js";

/** Some bytes of a leaf. */
export interface Piece {
  readonly leaf: Leaf;
  /** Offset from the value's start. */
  readonly offset: number;
  /** Offset from the leaf's start. */
  readonly inside: number;
  /** 1, 2, 4 or 8. */
  readonly bytes: number;
}

/** Pieces that one instruction moves: 1, 2 or 4. */
export type Run = readonly Piece[];

/** The largest power of two that divides both. */
export function alignmentAt(align: number, offset: number): number {
  const low = offset === 0 ? align : offset & -offset;
  return Math.min(align, low);
}

/** Pieces of a leaf, none larger than its registers or than the alignment allows. */
function piecesOf(leaf: Leaf, align: number): readonly Piece[] {
  const pieces: Piece[] = [];
  const size = Math.ceil(leaf.bits / 8);
  for (let inside = 0; inside < size;) {
    let bytes = Math.min(alignmentAt(align, leaf.offset + inside), 8);
    while (bytes > size - inside) bytes /= 2;
    pieces.push({ leaf, offset: leaf.offset + inside, inside, bytes });
    inside += bytes;
  }
  return pieces;
}

/** The runs that move a value of these leaves at that alignment, which is a power of two. */
export function runsOf(leaves: readonly Leaf[], align: number, vectors: boolean): readonly Run[] {
  const pieces = leaves.flatMap((leaf) => piecesOf(leaf, align));
  if (!vectors) return pieces.map((piece) => [piece]);
  const runs: Run[] = [];
  for (let at = 0; at < pieces.length;) {
    let count = 4;
    while (count > 1 && !isRun(pieces.slice(at, at + count), count, align)) count /= 2;
    runs.push(pieces.slice(at, at + count));
    at += count;
  }
  return runs;
}

function isRun(pieces: readonly Piece[], count: number, align: number): boolean {
  const [first] = pieces;
  if (first === undefined || pieces.length < count || first.bytes * count > 16) return false;
  // Vectors of one-byte elements gain nothing: each is a register of its own.
  if (alignmentAt(align, first.offset) < first.bytes * count) return false;
  return pieces.every(({ offset, bytes }, i) => bytes === first.bytes && offset === first.offset + i * bytes);
}

/** Whether a piece fills the register of one part. */
export function isWholePart({ leaf, bytes, inside }: Piece, parts: readonly Part[]): boolean {
  if (leaf.elementBits !== undefined) return false;
  const part = parts[leaf.first + Math.floor(inside / 8)];
  if (part === undefined || part.class !== classOf(part.bits)) return false;
  return inside % 8 === 0 && Math.ceil(part.bits / 8) === bytes;
}
