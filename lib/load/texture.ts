// Textures and surfaces as the host describes them: how kernels read an image or a buffer
// (docs/textures.md).

import { imageFormat, type ImageFormatName } from "./image-formats.table.js";
import { imageKind } from "./image-kinds.table.js";
import { formatProblem, type ImageLevel, type ImageShape, isCount, type MemberProblem } from "./image.js";

/** How a texture maps coordinates outside the image to texels. */
export type AddressMode = "wrap" | "clamp" | "mirror" | "border";
/** Whether a texture reads the nearest texel or mixes neighbours. */
export type Filter = "point" | "linear";

export const addressModes: readonly AddressMode[] = ["wrap", "clamp", "mirror", "border"];
export const filters: readonly Filter[] = ["point", "linear"];
export const readModes: readonly string[] = ["element", "normalized"];

/** How a texture reads its memory: the properties of a sampler. */
export interface Sampling {
  /** One mode for all dimensions, or a list with one for each; `clamp` by default. */
  readonly address?: AddressMode | readonly AddressMode[];
  /** Four numbers; 0 by default. */
  readonly border?: readonly number[];
  /** `point` by default. */
  readonly filter?: Filter;
  /** Whether coordinates range from 0 to 1. */
  readonly normalized?: boolean;
  /** `element` by default. */
  readonly read?: "element" | "normalized";
  readonly srgb?: boolean;
  /** Whether filters cross the edges of a cube. */
  readonly seamless?: boolean;
  readonly mip?: { readonly filter?: Filter; readonly bias?: number; readonly min?: number; readonly max?: number };
  readonly maxAnisotropy?: number;
}

/** A buffer that is read as texels: 1-D linear memory or, with a height, pitched 2-D memory. */
export interface BufferTexels {
  readonly format: ImageFormatName;
  readonly channels: number;
  /** Extents in texels. */
  readonly width: number;
  readonly height?: number;
  /** Bytes from row to row; by default those of a row's texels. */
  readonly pitch?: number;
}

/** Limits in texels: the width of a 1-D texture of linear memory, and the extents of a pitched one (compute capability 9.0). */
const LINEAR_LIMIT = 2 ** 28;
const PITCHED_LIMIT = { width: 131072, height: 65000 } as const;

/** The reason why a buffer of that many bytes cannot be read as these texels. */
export function bufferTexelsProblem(texels: BufferTexels, bufferBytes: number): MemberProblem | undefined {
  const problem = formatProblem(texels.format, texels.channels);
  if (problem !== undefined) return problem;
  const { width, height, pitch } = texels;
  const most = height === undefined ? LINEAR_LIMIT : PITCHED_LIMIT.width;
  if (!isCount(width, 1, most)) return { member: "width", message: `width must be a whole number from 1 to ${most}` };
  if (height !== undefined && !isCount(height, 1, PITCHED_LIMIT.height))
    return { member: "height", message: `height must be a whole number from 1 to ${PITCHED_LIMIT.height}` };
  const row = width * imageFormat(texels.format)!.element.bytes * texels.channels;
  if (pitch !== undefined && height === undefined)
    return { member: "pitch", message: "only memory with a height has a pitch" };
  if (pitch !== undefined && !isCount(pitch, row, 2 ** 31))
    return { member: "pitch", message: `pitch must be a whole number of at least ${row} bytes, those of a row` };
  const bytes = (pitch ?? row) * ((height ?? 1) - 1) + row;
  if (bytes > bufferBytes)
    return { member: "width", message: `the texture reads ${bytes} bytes; its buffer has ${bufferBytes}` };
  return undefined;
}

/** The reason why an image with that many levels cannot be sampled like that. */
export function samplingProblem(sampling: Sampling, levels: number): MemberProblem | undefined {
  const { address = [], border = [], filter = "point", read = "element", mip = {} } = sampling;
  const modes = typeof address === "string" ? [address] : address;
  const oneOf = (words: readonly string[]): string => `must be one of ${words.join(", ")}`;
  if (!modes.every((mode) => addressModes.includes(mode)))
    return { member: "address", message: `address ${oneOf(addressModes)}` };
  if (modes.length > 3) return { member: "address", message: "address has at most three modes" };
  if (border.length !== 0 && border.length !== 4)
    return { member: "border", message: "border must be a list of 4 numbers" };
  if (!filters.includes(filter)) return { member: "filter", message: `filter ${oneOf(filters)}` };
  if (!readModes.includes(read)) return { member: "read", message: `read ${oneOf(readModes)}` };
  if (!filters.includes(mip.filter ?? "point")) return { member: "mip", message: `its filter ${oneOf(filters)}` };
  if (levels > 1 && sampling.normalized !== true)
    return { member: "normalized", message: 'a texture of several levels needs "normalized": true' };
  return undefined;
}

/** The shape of a buffer's texels; `bufferTexelsProblem` must have found nothing. */
export function bufferShape({ format, channels, width, height, pitch }: BufferTexels): ImageShape {
  const row = imageFormat(format)!;
  const texelBytes = row.element.bytes * channels;
  const rowBytes = pitch ?? width * texelBytes;
  const level: ImageLevel = {
    width,
    height: height ?? 1,
    depth: 1,
    offset: 0,
    rowBytes,
    sliceBytes: rowBytes * (height ?? 1),
  };
  return {
    kind: imageKind(height === undefined ? "1d" : "2d")!,
    format: row,
    channels,
    texelBytes,
    slices: 1,
    levels: [level],
    bytes: rowBytes * ((height ?? 1) - 1) + width * texelBytes,
  };
}
