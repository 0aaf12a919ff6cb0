// Three sizes or coordinates, as CUDA has them of grids, clusters and blocks.

/** Sizes of a grid, a cluster or a block, or a position in one: x, y and z. */
export type Dimensions = readonly [x: number, y: number, z: number];
