// Kinds of images: the extents of each, and their limits (compute capability 9.0).

export type ImageKindName = "1d" | "2d" | "3d" | "1dLayered" | "2dLayered" | "cube" | "cubeLayered";

export type ExtentName = "width" | "height" | "depth" | "layers";

export interface ImageKind {
  readonly name: ImageKindName;
  /** Coordinates that select a texel inside a layer or face. */
  readonly dimensions: 1 | 2 | 3;
  readonly isCube: boolean;
  readonly isLayered: boolean;
  /** The extents of this kind, with the largest value of each. */
  readonly limits: Readonly<Partial<Record<ExtentName, number>>>;
}

const kind = (name: ImageKindName, dimensions: 1 | 2 | 3, limits: ImageKind["limits"]): ImageKind => ({
  name,
  dimensions,
  isCube: name.startsWith("cube"),
  isLayered: "layers" in limits,
  limits,
});

const rows: readonly ImageKind[] = [
  kind("1d", 1, { width: 131072 }),
  kind("2d", 2, { width: 131072, height: 65536 }),
  kind("3d", 3, { width: 16384, height: 16384, depth: 16384 }),
  kind("1dLayered", 1, { width: 32768, layers: 2048 }),
  kind("2dLayered", 2, { width: 32768, height: 32768, layers: 2048 }),
  kind("cube", 2, { width: 32768, height: 32768 }),
  kind("cubeLayered", 2, { width: 32768, height: 32768, layers: 341 }),
];

const byName: ReadonlyMap<string, ImageKind> = new Map(rows.map((row) => [row.name, row]));

export const imageKindNames: readonly string[] = rows.map(({ name }) => name);

export const imageKind = (name: string): ImageKind | undefined => byName.get(name);

/** The faces are +x -x +y -y +z -z, in this order. */
export const CUBE_FACES = 6;
