// The .npy format: the exports for other folders.
export { looksLikeNpy, NPY_TYPES, readNpy, writeNpy, type NpyArray, type NpyType } from "./npy.js";
