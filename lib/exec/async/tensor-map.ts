// A tensor map as a tensor copy uses it, decoded from its 128 bytes (load/tensor-map.ts), with the traps of an H200 for maps that
// no copy can use.

import { KernelFault } from "../state/fault.js";
import { FIELD, MAX_DIMENSIONS } from "../../load/tensor-map.js";
import { swizzleSpans, tensorTypes, type TensorType } from "../../load/tensor-map-types.table.js";
import type { Spot } from "../state/warp.js";

/** Dimensions are ordered innermost first. */
export interface TensorMapObject {
  /** Generic address of the first element. */
  readonly address: number;
  readonly isImage: boolean;
  readonly rank: number;
  readonly type: TensorType;
  readonly isInterleaved: boolean;
  /** Bytes of a row that the swizzle permutes; 0 without one. */
  readonly span: number;
  readonly fillsNan: boolean;
  readonly extents: readonly number[];
  /** Bytes from one element to the next in each dimension, including the innermost. */
  readonly strides: readonly number[];
  /** Elements of a tile; for im2col, channels of a pixel and pixels of a column. */
  readonly box: readonly number[];
  readonly steps: readonly number[];
  readonly lower: readonly number[];
  readonly upper: readonly number[];
}

const trap = (message: string, lane: number): KernelFault =>
  new KernelFault("trap", `tensor map: ${message}`, { lane });

export function readTensorMapObject({ view, offset }: Spot, lane: number): TensorMapObject {
  const byte = (field: number): number => view.getUint8(offset + field);
  const list = (count: number, read: (i: number) => number): readonly number[] =>
    Array.from({ length: count }, (_, i) => read(i));
  const rank = byte(FIELD.rank) + 1;
  const type = tensorTypes[byte(FIELD.type)];
  const span = swizzleSpans[byte(FIELD.swizzle)];
  if (rank > MAX_DIMENSIONS) throw trap(`the rank is ${rank}; the limit is ${MAX_DIMENSIONS} dimensions`, lane);
  if (type === undefined) throw trap(`element type ${byte(FIELD.type)} is not supported`, lane);
  if (span === undefined) throw trap(`swizzle mode ${byte(FIELD.swizzle)} is not supported`, lane);
  const fillsNan = byte(FIELD.fill) !== 0;
  if (fillsNan && !type.isFloat) throw trap(`elements of ${type.name} cannot be filled with NaN`, lane);
  const spatial = Math.max(0, rank - 2);
  return {
    address: Number(view.getBigUint64(offset + FIELD.address, true)),
    isImage: byte(FIELD.mode) === 1,
    rank,
    type,
    isInterleaved: byte(FIELD.interleave) !== 0,
    span,
    fillsNan,
    extents: list(rank, (i) => view.getUint32(offset + FIELD.extents + 4 * i, true) + 1),
    strides: list(rank, (i) =>
      i === 0 ? type.bytes : Number(view.getBigUint64(offset + FIELD.strides + 8 * (i - 1), true)),
    ),
    box: list(rank, (i) => view.getUint16(offset + FIELD.box + 2 * i, true)),
    // In a map that tensormap.replace has built, they may be 0.
    steps: list(rank, (i) => Math.max(1, byte(FIELD.elementStrides + i))),
    lower: list(spatial, (i) => view.getInt16(offset + FIELD.lowerCorner + 2 * i, true)),
    upper: list(spatial, (i) => view.getInt16(offset + FIELD.upperCorner + 2 * i, true)),
  };
}
