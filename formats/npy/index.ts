// The .npy format: what other rooms import.
export { looksLikeNpy, NPY_TYPES, readNpy, writeNpy, type NpyArray, type NpyType } from "./npy.js";
