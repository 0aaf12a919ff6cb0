// The rows of a tensor that a tensor copy moves: PTX ISA 9.0 section 5.5, and records of an H200. A row is contiguous in shared
// memory: the innermost extent of a box, or the channels of a pixel.

import type { TensorMapObject } from "./tensor-map.js";

/**
 * A row: whether its outer coordinates are inside the tensor, where the tensor's row begins, and the index of its first element
 * there.
 */
export interface TensorRow {
  readonly isInside: boolean;
  /** Generic address of element 0 of the tensor's row. */
  readonly address: number;
  readonly first: number;
}

export interface TensorRows {
  readonly rows: readonly TensorRow[];
  /** Elements of each row, and the distance between them in elements of the tensor. */
  readonly count: number;
  readonly step: number;
}

export type CopyMode = "tile" | "rows" | "im2col" | "im2col::w" | "im2col::w::128";

/** Parameters of an instruction. */
export interface TensorRequest {
  readonly mode: CopyMode;
  readonly coordinates: readonly number[];
  /**
   * im2col: the offset that is added to each spatial coordinate. im2col::w: the number of halo pixels, and the offset along w.
   */
  readonly offsets: readonly number[];
}

/** Number of elements along each dimension of a tile: those of the box that the element stride selects. */
export const tileCounts = ({ box, steps, isInterleaved }: TensorMapObject): readonly number[] =>
  box.map((extent, i) => (i === 0 && !isInterleaved ? extent : Math.ceil(extent / steps[i]!)));

export function tensorRows(map: TensorMapObject, request: TensorRequest): TensorRows {
  switch (request.mode) {
    case "tile":
      return tileRows(map, request.coordinates);
    case "rows": {
      const [column, ...indices] = request.coordinates;
      return {
        count: map.box[0]!,
        step: 1,
        rows: indices.map((index) => rowAt(map, [column!, index])),
      };
    }
    case "im2col":
      return { count: map.box[0]!, step: 1, rows: pixelRows(map, request) };
    case "im2col::w":
    case "im2col::w::128":
      return { count: map.box[0]!, step: 1, rows: lineRows(map, request) };
  }
}

function rowAt({ address, extents, strides }: TensorMapObject, coordinates: readonly number[]): TensorRow {
  let isInside = true;
  let start = address;
  for (let i = 1; i < coordinates.length; i++) {
    const at = coordinates[i]!;
    isInside &&= at >= 0 && at < extents[i]!;
    start += at * strides[i]!;
  }
  return { isInside, address: start, first: coordinates[0]! };
}

/** Rows of a tile; dimension 1 runs fastest. */
function tileRows(map: TensorMapObject, start: readonly number[]): TensorRows {
  const [count, ...outer] = tileCounts(map);
  const total = outer.reduce((product, extent) => product * extent, 1);
  const rows: TensorRow[] = [];
  const coordinates = [...start];
  for (let number = 0; number < total; number++) {
    rows.push(rowAt(map, coordinates));
    for (let i = 1; i < coordinates.length; i++) {
      coordinates[i]! += map.steps[i]!;
      if (coordinates[i]! < start[i]! + outer[i - 1]! * map.steps[i]!) break;
      coordinates[i] = start[i]!;
    }
  }
  return { rows, count: count!, step: map.isInterleaved ? map.steps[0]! : 1 };
}

/** Rows of a column's pixels, starting at the given one: w runs within the bounding box, then h, then d, then the image. */
function pixelRows(map: TensorMapObject, { coordinates, offsets }: TensorRequest): readonly TensorRow[] {
  const { rank, box, extents, lower, upper, steps } = map;
  const at = [...coordinates];
  return Array.from({ length: box[1]! }, () => {
    const row = rowAt(
      map,
      at.map((value, i) => value + (i > 0 && i < rank - 1 ? (offsets[i - 1] ?? 0) : 0)),
    );
    for (let i = 1; i < rank; i++) {
      at[i]! += i === rank - 1 ? 1 : steps[i]!;
      if (i === rank - 1 || at[i]! <= extents[i]! - 1 + upper[i - 1]!) break;
      at[i] = lower[i - 1]!;
    }
    return row;
  });
}

/**
 * Rows of pixels along w only, continuing in the next image. The halo's pixels follow all of them (for ::128, each 32 of them),
 * and continue from the last one.
 */
function lineRows(map: TensorMapObject, { mode, coordinates, offsets }: TensorRequest): readonly TensorRow[] {
  const { rank, box, extents, lower, upper, steps } = map;
  const [halo = 0, offset = 0] = offsets;
  const [first, last] = [lower[0]! + offset, extents[1]! - 1 + upper[0]! + offset];
  const pixels = mode === "im2col::w" ? box[1]! : 128;
  const group = mode === "im2col::w" ? pixels : 32;
  const at = [...coordinates];
  at[1]! += offset;
  const rows: TensorRow[] = [];
  for (let i = 0; i < pixels; i++) {
    rows.push(rowAt(map, at));
    const behind = at[1]! + steps[1]!;
    if ((i + 1) % group === 0) for (let j = 0; j < halo; j++) rows.push(rowAt(map, at.with(1, behind + j * steps[1]!)));
    at[1] = behind;
    if (behind <= last) continue;
    at[1] = first;
    at[rank - 1]!++;
  }
  return rows;
}
