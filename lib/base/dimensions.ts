// Sizes and coordinates in three dimensions, as CUDA uses them for grids, clusters and blocks.

/** Sizes of a grid, a cluster or a block, or a position in one: x, y and z. */
export type Dimensions = readonly [x: number, y: number, z: number];
