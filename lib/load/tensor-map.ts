// Tensor maps: the host's description of a tensor (CUDA driver API, cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col), its
// limits, and the 128 bytes that a kernel sees. This encoding is ptxkit's own. All zero bytes are a map, too, which
// tensormap.replace fills field by field:
//
//   +0 address (8)   +8 mode: 0 tiled, 1 im2col   +9 rank - 1   +10 element type   +11 interleave   +12 swizzle   +13 fill
//   +16 extents - 1 (5 x 4)   +40 strides of dimensions 1 to 4 (4 x 8)
//   +72 box (5 x 2), or channels of a pixel and pixels of a column   +82 element strides (5 x 1)
//   +88 lower corner (3 x 2, signed)   +94 upper corner (3 x 2, signed)

import { fills, interleaves, swizzles, swizzleSpans, tensorTypes } from "./tensor-map-types.table.js";

export const TENSOR_MAP_BYTES = 128;
export const MAX_DIMENSIONS = 5;

/** A tensor map without the address of its memory. Dimensions and corners are ordered innermost first. */
export interface TensorMap {
  readonly type: string;
  /** Elements in each dimension. */
  readonly dims: readonly number[];
  /** Bytes from element to element in every dimension but the innermost; dense by default. */
  readonly strides?: readonly number[];
  /** Tiled: elements of a tile in each dimension. */
  readonly box?: readonly number[];
  readonly elementStrides?: readonly number[];
  readonly interleave?: (typeof interleaves)[number];
  readonly swizzle?: (typeof swizzles)[number];
  readonly oobFill?: (typeof fills)[number];
  readonly mode?: "tiled" | "im2col";
  /** im2col: the bounding box in each spatial dimension. */
  readonly lowerCorner?: readonly number[];
  readonly upperCorner?: readonly number[];
  readonly channelsPerPixel?: number;
  readonly pixelsPerColumn?: number;
}

export type TensorMapMember = keyof TensorMap;

/** A problem of a map: the wrong member, and the message. */
export interface TensorMapProblem {
  readonly member: TensorMapMember | "offset";
  readonly message: string;
}

/** Byte offsets of the fields. */
export const FIELD = {
  address: 0,
  mode: 8,
  rank: 9,
  type: 10,
  interleave: 11,
  swizzle: 12,
  fill: 13,
  extents: 16,
  strides: 40,
  box: 72,
  elementStrides: 82,
  lowerCorner: 88,
  upperCorner: 94,
} as const;

const MAX_EXTENT = 2 ** 32;
const MAX_STRIDE = 2 ** 40;
const MAX_BOX = 256;
const MAX_ELEMENT_STRIDE = 8;
const MAX_PIXELS = 1024;

/** Bits of a corner's coordinate, by rank. */
const cornerBits: Readonly<Record<number, number>> = { 3: 16, 4: 8, 5: 5 };

const typeNamed = (name: string) => tensorTypes.find((type) => type.name === name);

/** Strides in bytes: those of the map, or dense ones. */
function stridesOf({ type, dims, strides }: TensorMap): readonly number[] {
  if (strides !== undefined) return strides;
  let bytes = typeNamed(type)?.bytes ?? 1;
  return dims.slice(0, -1).map((extent) => (bytes *= extent));
}

const whole = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most;

/**
 * The first limit of the driver that a map breaks. `offset` is that of the map's memory in a buffer; `available` is the number of
 * bytes from there to its end.
 */
export function tensorMapProblem(map: TensorMap, offset: number, available: number): TensorMapProblem | undefined {
  const { dims, swizzle = "none", interleave = "none", oobFill = "zero" } = map;
  const problem = (member: TensorMapProblem["member"], message: string): TensorMapProblem => ({ member, message });
  const type = typeNamed(map.type);
  if (type === undefined)
    return problem(
      "type",
      `there is no type '${map.type}'; there are ${tensorTypes.map(({ name }) => name).join(", ")}`,
    );
  if (dims.length < 1 || dims.length > MAX_DIMENSIONS) return problem("dims", "the tensor must have 1 to 5 dimensions");
  if (!dims.every((extent) => whole(extent, 1, MAX_EXTENT)))
    return problem("dims", "an extent must be a whole number from 1 to 4294967296");
  const align = interleave === "32B" ? 32 : 16;
  if (!whole(offset, 0, Number.MAX_SAFE_INTEGER) || offset % align !== 0)
    return problem("offset", `the tensor must begin at a multiple of ${align} bytes`);
  const strides = stridesOf(map);
  if (strides.length !== dims.length - 1)
    return problem("strides", `there must be ${dims.length - 1} strides, one for each dimension but the innermost`);
  if (!strides.every((stride) => whole(stride, 0, MAX_STRIDE - 1) && stride % align === 0))
    return problem(
      map.strides === undefined ? "dims" : "strides",
      `a stride must be a multiple of ${align} bytes, below 2^40; the strides are ${strides.join(", ")}`,
    );
  const needed = dims.reduce(
    (sum, extent, i) => sum + (extent - 1) * (i === 0 ? type.bytes : strides[i - 1]!),
    type.bytes,
  );
  if (needed > available) return problem("dims", `the tensor has ${needed} bytes; its buffer has ${available}`);
  const elementStrides = map.elementStrides ?? dims.map(() => 1);
  if (elementStrides.length !== dims.length || !elementStrides.every((step) => whole(step, 1, MAX_ELEMENT_STRIDE)))
    return problem("elementStrides", "there must be an element stride for each dimension, from 1 to 8");
  if (interleave !== "none" && dims.length < 3)
    return problem("interleave", "an interleaved tensor must have at least 3 dimensions");
  if (interleave === "32B" && swizzle !== "32B") return problem("interleave", "interleave 32B requires swizzle 32B");
  if (oobFill === "nan" && !type.isFloat) return problem("oobFill", `nan is not a value of type ${type.name}`);
  const inner = map.mode === "im2col" ? pixelProblem(map) : boxProblem(map);
  if (typeof inner !== "number") return inner;
  const member = map.mode === "im2col" ? "channelsPerPixel" : "box";
  const bytes = inner * type.bytes;
  if (interleave === "none" && bytes % 16 !== 0)
    return problem(member, `the innermost extent of a tile must be a multiple of 16 bytes; it has ${bytes}`);
  const span = swizzleSpans[swizzles.indexOf(swizzle)]!;
  if (interleave === "none" && span > 0 && bytes > span)
    return problem(
      member,
      `with swizzle ${swizzle}, the innermost extent of a tile is limited to ${span} bytes; it has ${bytes}`,
    );
  return undefined;
}

/** The innermost extent of a tiled map's box, or its problem. */
function boxProblem({ dims, box = [], ...map }: TensorMap): number | TensorMapProblem {
  for (const member of ["lowerCorner", "upperCorner", "channelsPerPixel", "pixelsPerColumn"] as const)
    if (map[member] !== undefined) return { member, message: `${member} requires "mode": "im2col"` };
  if (box.length !== dims.length || !box.every((extent) => whole(extent, 1, MAX_BOX)))
    return { member: "box", message: "a box must have an extent for each dimension, from 1 to 256" };
  return box[0]!;
}

function pixelProblem({
  dims,
  box,
  lowerCorner = [],
  upperCorner = [],
  channelsPerPixel = 0,
  pixelsPerColumn = 0,
}: TensorMap): number | TensorMapProblem {
  if (box !== undefined)
    return { member: "box", message: "a map with mode im2col has no box: give corners, channels and pixels" };
  if (dims.length < 3) return { member: "dims", message: "a map with mode im2col must have 3 to 5 dimensions" };
  const half = 2 ** (cornerBits[dims.length]! - 1);
  for (const [member, corner] of [
    ["lowerCorner", lowerCorner],
    ["upperCorner", upperCorner],
  ] as const)
    if (corner.length !== dims.length - 2 || !corner.every((at) => whole(at, -half, half - 1)))
      return { member, message: `${member} must have ${dims.length - 2} numbers from ${-half} to ${half - 1}` };
  if (!whole(channelsPerPixel, 1, MAX_BOX))
    return { member: "channelsPerPixel", message: "a pixel must have 1 to 256 channels" };
  if (!whole(pixelsPerColumn, 1, MAX_PIXELS))
    return { member: "pixelsPerColumn", message: "a column must have 1 to 1024 pixels" };
  return channelsPerPixel;
}

/** Encodes a map as 128 bytes, for memory at that generic address. */
export function encodeTensorMap(map: TensorMap, address: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(TENSOR_MAP_BYTES));
  const { dims, box = [], mode = "tiled", interleave = "none", swizzle = "none", oobFill = "zero" } = map;
  view.setBigUint64(FIELD.address, BigInt(address), true);
  view.setUint8(FIELD.mode, mode === "im2col" ? 1 : 0);
  view.setUint8(FIELD.rank, dims.length - 1);
  view.setUint8(
    FIELD.type,
    tensorTypes.findIndex(({ name }) => name === map.type),
  );
  view.setUint8(FIELD.interleave, interleaves.indexOf(interleave));
  view.setUint8(FIELD.swizzle, swizzles.indexOf(swizzle));
  view.setUint8(FIELD.fill, fills.indexOf(oobFill));
  dims.forEach((extent, i) => view.setUint32(FIELD.extents + 4 * i, extent - 1, true));
  stridesOf(map).forEach((stride, i) => view.setBigUint64(FIELD.strides + 8 * i, BigInt(stride), true));
  const extents = mode === "im2col" ? [map.channelsPerPixel!, map.pixelsPerColumn!] : box;
  extents.forEach((extent, i) => view.setUint16(FIELD.box + 2 * i, extent, true));
  (map.elementStrides ?? dims.map(() => 1)).forEach((step, i) => view.setUint8(FIELD.elementStrides + i, step));
  map.lowerCorner?.forEach((at, i) => view.setInt16(FIELD.lowerCorner + 2 * i, at, true));
  map.upperCorner?.forEach((at, i) => view.setInt16(FIELD.upperCorner + 2 * i, at, true));
  return new Uint8Array(view.buffer);
}
