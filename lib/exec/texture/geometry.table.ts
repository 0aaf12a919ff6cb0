// Geometries of texture and surface instructions: the role of each coordinate. PTX ISA sections 9.7.10.3 and 9.7.11.1.

import type { ImageKind } from "../../load/image-kinds.table.js";

export interface Geometry {
  readonly name: string;
  /** Number of coordinates inside a layer or a face; 3 for the direction into a cube. */
  readonly coordinates: number;
  /** Number of dimensions of the image. */
  readonly dimensions: 1 | 2 | 3;
  /** Indices of the layer, the sample and the first coordinate among the operands; -1 if there is none. */
  readonly layer: number;
  readonly sample: number;
  readonly first: number;
  readonly isCube: boolean;
}

const geometry = (
  name: string,
  dimensions: 1 | 2 | 3,
  { layer = -1, sample = -1, isCube = false }: { layer?: number; sample?: number; isCube?: boolean } = {},
): Geometry => ({
  name,
  coordinates: isCube ? 3 : dimensions,
  dimensions,
  layer,
  sample,
  first: Math.max(layer, sample) + 1,
  isCube,
});

const rows: readonly Geometry[] = [
  geometry("1d", 1),
  geometry("2d", 2),
  geometry("3d", 3),
  geometry("a1d", 1, { layer: 0 }),
  geometry("a2d", 2, { layer: 0 }),
  geometry("cube", 2, { isCube: true }),
  geometry("acube", 2, { layer: 0, isCube: true }),
  geometry("2dms", 2, { sample: 0 }),
  geometry("a2dms", 2, { layer: 0, sample: 1 }),
];

const byName: ReadonlyMap<string, Geometry> = new Map(rows.map((row) => [row.name, row]));

export const geometryNamed = (name: string): Geometry => byName.get(name)!;

/**
 * Whether an instruction of that geometry can read an image of that kind. It may ignore the image's layers and faces, or count
 * faces as layers.
 */
export const fitsKind = ({ dimensions, isCube }: Geometry, kind: ImageKind): boolean =>
  dimensions === kind.dimensions && (!isCube || kind.isCube);
