// Rules for operands whose type or count depends on several modifiers. A rule takes the chosen modifiers and returns the element
// type and the number of registers in braces; rows refer to it as `@rule`.

import { assert } from "../base/assert.js";
import { mma, outputLanes, tensorMemory, wgmmaResult, wmma, type MatrixOperand } from "./fragments.js";
import type { Shape, Rule } from "./rule.js";
import { bitType, dataType, type DataType } from "./types.table.js";

function known(name: string): DataType {
  const type = dataType(name);
  assert(type !== undefined, `no type '${name}'`);
  return type;
}

/** dp4a, dp2a, the video instructions: the result is signed if either factor is (sections 9.7.1.23, 9.7.18). */
const dot: Rule = (chosen) => ({
  type: known(chosen("atype") === "u32" && chosen("btype") === "u32" ? "u32" : "s32"),
  count: undefined,
});

// ------------------------------------------------------------------------------------------------ textures and surfaces

/** Elements of each geometry's coordinates: their number, and how many of the first are indices of an array or a sample. */
const geometries: Readonly<Record<string, { readonly places: number; readonly indices: number }>> = {
  "1d": { places: 1, indices: 0 },
  "2d": { places: 2, indices: 0 },
  "3d": { places: 4, indices: 0 },
  a1d: { places: 2, indices: 1 },
  a2d: { places: 4, indices: 1 },
  cube: { places: 4, indices: 0 },
  acube: { places: 4, indices: 1 },
  "2dms": { places: 4, indices: 1 },
  a2dms: { places: 4, indices: 2 },
};

/** Section 9.7.10.3: array index (.u32) first, then the coordinates, padded to two or four. */
function coordinates(geometry: string, type: DataType): Shape {
  const { places, indices } = geometries[geometry]!;
  const elements = Array.from({ length: places }, (_, i) => (i < indices ? known("u32") : type));
  return { type, count: places, elements, bare: places === 1, padded: true };
}

/** Derivatives and offsets have no array index: they have one element for each coordinate of the geometry. */
const plainPlaces: Readonly<Record<string, number>> = { "1d": 1, a1d: 1, "2d": 2, a2d: 2, "2dms": 2, a2dms: 2 };

const perDimension =
  (type: string, padded: boolean): Rule =>
  (chosen) => {
    const count = plainPlaces[chosen("geom")!] ?? 4;
    return { type: known(type), count, bare: padded && count === 1, padded };
  };

// -------------------------------------------------------------------------------------------------------- tensor copies

/** Section 5.5: one coordinate per dimension; gather4 and scatter4 take a column and four rows. */
const tensorCoordinates: Rule = (chosen) => ({
  type: known("s32"),
  count: /gather4|scatter4/.test(chosen("mode") ?? "") ? 5 : Number(chosen("dim")![0]),
});

/** Offsets of im2col: one for each spatial dimension; im2col::w has a start and an end. */
const imageOffsets: Rule = (chosen) => ({
  type: known("u16"),
  count: chosen("mode") === "im2col" ? Number(chosen("dim")![0]) - 2 : 2,
});

/** multimem on small floats: elements of 8 and 16 bits use registers of their size, packed ones .b32. */
const multimem: Rule = (chosen) => {
  const type = known(chosen("type")!);
  const vector = chosen("vec");
  return {
    type: type.declarable ? type : (bitType(type.bits) ?? type),
    count: vector === undefined ? undefined : Number(vector.slice(1)),
  };
};

/**
 * Selector of mma's scales (section 9.7.14.5.8): the first of the bytes in a register, and the thread, one of two for A and of
 * four for B.
 */
const scaleSelector =
  (threads: number, alone: "scale_vec::1X" | "scale_vec::2X"): Rule =>
  (chosen) => {
    const bytes = { "scale_vec::1X": [0n, 1n, 2n, 3n], "scale_vec::2X": [0n, 2n], "scale_vec::4X": [0n] };
    const first = bytes[(chosen("vector") as keyof typeof bytes | undefined) ?? alone];
    return { type: known("u16"), count: 2, allowed: [first, [0n, 1n, 2n, 3n].slice(0, threads)] };
  };

/** Sizes of spcompress and spdecompress: number of elements, number of kept elements, and their bits. */
interface SparseShape {
  readonly kept: number;
  readonly all: number;
  readonly indexBits: number;
  readonly elementBits: number;
}

/** A vector of 32-bit registers for `bitsOf` bits. */
const sparse =
  (bitsOf: (shape: SparseShape) => number, compresses = false): Rule =>
  (chosen) => {
    const [elementBits, indexBits] = [chosen("etype"), chosen("itype")].map((text) => Number(text!.slice(1)));
    const times = Number(chosen("num")!.slice(1));
    const [kept, all] = chosen("sparsity")!.slice("sp::".length).split(":").map(Number);
    // `num` counts registers with kept elements for a compression, and groups of elements for a decompression.
    const groups = (times * (compresses ? 32 / elementBits! : kept!)) / kept!;
    const bits = bitsOf({ kept: kept! * groups, all: all! * groups, indexBits: indexBits!, elementBits: elementBits! });
    return { type: known("b32"), count: Math.ceil(bits / 32) };
  };

const parts: readonly MatrixOperand[] = ["a", "b", "c", "d"];
const perPart = (name: string, rule: (part: MatrixOperand) => Rule): Readonly<Record<string, Rule>> =>
  Object.fromEntries(parts.map((part) => [`${name}.${part}`, rule(part)]));

export const typeRules: Readonly<Record<string, Rule>> = {
  dot,
  multimem,
  "tex.coordinates": (chosen) => coordinates(chosen("geom")!, known(chosen("ctype")!)),
  "tld4.coordinates": (chosen) => coordinates(chosen("geom")!, known("f32")),
  "surface.coordinates": (chosen) => coordinates(chosen("geom")!, known("s32")),
  // Four registers with the result's size: ptxas allows floats to be received as integers.
  "tex.result": (chosen) => ({ type: bitType(known(chosen("dtype")!).bits)!, count: 4 }),
  "tld4.result": (chosen) => ({ type: known(chosen("dtype") === "f32" ? "b32" : chosen("dtype")!), count: 4 }),
  "tex.derivatives": perDimension("f32", false),
  "tex.lod": (chosen) => ({ type: known(chosen("ctype")!), count: undefined }),
  "tex.offsets": perDimension("s32", true),
  // Extents and strides of dimensions are integers: ptxas computes with 32-bit ones.
  tensormap: (chosen) => ({ type: known(chosen("type") === "b32" ? "u32" : "b64"), count: undefined }),
  "tensor.coordinates": tensorCoordinates,
  "tensor.offsets": imageOffsets,
  ...perPart("mma", (part) => mma(part)),
  ...perPart("mma.packed", (part) => mma(part, { packed: true })),
  ...perPart("mma.sparse", (part) => mma(part, { sparse: true })),
  ...perPart("mma.sparse.packed", (part) => mma(part, { sparse: true, packed: true })),
  ...perPart("wmma", (part) => wmma(part)),
  ...perPart("wmma.move", (part) => wmma(part, "type")),
  "mma.scale.a": scaleSelector(2, "scale_vec::2X"),
  "mma.scale.b": scaleSelector(4, "scale_vec::2X"),
  "mma.scale.bytes.a": scaleSelector(2, "scale_vec::1X"),
  "mma.scale.bytes.b": scaleSelector(4, "scale_vec::1X"),
  "wgmma.d": wgmmaResult,
  "ldmatrix.wide": (chosen) => ({ type: known("b32"), count: 2 * Number(chosen("num")!.slice(1)) }),
  // For 32x32b.xN: two of four elements are kept, with an index of two bits each.
  "tcgen05.indices": (chosen) => ({ type: known("b32"), count: Math.ceil(Number(chosen("num")!.slice(1)) / 32) }),
  "tcgen05.kept": (chosen) => ({ type: known("b32"), count: Number(chosen("num")!.slice(1)) / 2 }),
  "spcompress.indices": sparse((shape) => shape.kept * shape.indexBits, true),
  "spcompress.kept": sparse((shape) => shape.kept * shape.elementBits, true),
  "spcompress.all": sparse((shape) => shape.all * shape.elementBits, true),
  "spdecompress.indices": sparse((shape) => shape.kept * shape.indexBits),
  "spdecompress.kept": sparse((shape) => shape.kept * shape.elementBits),
  "spdecompress.all": sparse((shape) => shape.all * shape.elementBits),
  "tcgen05.registers": tensorMemory,
  "tcgen05.lanes": outputLanes,
};
