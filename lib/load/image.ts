// Images: memory of texels that kernels access through textures and surfaces only (docs/textures.md). Texels are stored in the order of the contents in a specification: channel, x, y, z or layer, level, without
// padding.

import { imageFormat, type ImageFormat, type ImageFormatName, imageFormatNames } from "./image-formats.table.js";
import {
  CUBE_FACES,
  type ExtentName,
  imageKind,
  type ImageKind,
  type ImageKindName,
  imageKindNames,
} from "./image-kinds.table.js";

/** An image as the host describes it. */
export interface ImageDescription {
  readonly kind: ImageKindName;
  readonly format: ImageFormatName;
  /** 1, 2 or 4. */
  readonly channels: number;
  /** Extents in texels. */
  readonly width: number;
  readonly height?: number;
  readonly depth?: number;
  readonly layers?: number;
  /** Mip levels; 1 by default. */
  readonly levels?: number;
  /** Allows tld4. */
  readonly gather?: boolean;
}

/** One mip level. Extents in texels; `offset`, `rowBytes` and `sliceBytes` in bytes. */
export interface ImageLevel {
  readonly width: number;
  readonly height: number;
  /** Slices of a 3-D image. */
  readonly depth: number;
  /** Byte offset of the level's first texel in the image. */
  readonly offset: number;
  readonly rowBytes: number;
  /** Bytes from one slice, layer or face to the next. */
  readonly sliceBytes: number;
}

/** Layout of an image: its levels and sizes. */
export interface ImageShape {
  readonly kind: ImageKind;
  readonly format: ImageFormat;
  readonly channels: number;
  readonly texelBytes: number;
  /** Layers times faces; 1 for kinds without them. */
  readonly slices: number;
  readonly levels: readonly ImageLevel[];
  readonly bytes: number;
}

/** A wrong member of a description, and the message about it. */
export interface MemberProblem {
  readonly member: string;
  readonly message: string;
  readonly remedy?: string;
}

const extentNames: readonly ExtentName[] = ["width", "height", "depth", "layers"];

/** The first member that is wrong, or undefined. */
export function imageProblem(image: ImageDescription): MemberProblem | undefined {
  const kind = imageKind(image.kind);
  if (kind === undefined)
    return {
      member: "kind",
      message: `there is no kind '${image.kind}'`,
      remedy: `one of ${imageKindNames.join(", ")}`,
    };
  const format = formatProblem(image.format, image.channels);
  if (format !== undefined) return format;
  for (const name of extentNames) {
    const value = image[name];
    const most = kind.limits[name];
    if (most === undefined) {
      if (value !== undefined) return { member: name, message: `a ${kind.name} image has no ${name}` };
    } else if (value === undefined) return { member: name, message: `a ${kind.name} image has a ${name}` };
    else if (!isCount(value, 1, most))
      return { member: name, message: `${name} must be a whole number from 1 to ${most}` };
  }
  if (kind.isCube && image.height !== image.width)
    return { member: "height", message: `the faces of a cube are square: height must be ${image.width}` };
  const most = 1 + Math.floor(Math.log2(Math.max(image.width, image.height ?? 1, image.depth ?? 1)));
  if (!isCount(image.levels ?? 1, 1, most))
    return { member: "levels", message: `levels must be a whole number from 1 to ${most} for these extents` };
  return undefined;
}

/** The first problem of `format` and `channels`, or undefined. */
export function formatProblem(format: string, channels: number): MemberProblem | undefined {
  if (imageFormat(format) === undefined)
    return {
      member: "format",
      message: `there is no format '${format}'`,
      remedy: `one of ${imageFormatNames.join(", ")}`,
    };
  if (![1, 2, 4].includes(channels)) return { member: "channels", message: "channels must be 1, 2 or 4" };
  return undefined;
}

export const isCount = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most;

/** The shape of an image; `imageProblem` must have found nothing. */
export function imageShape(image: ImageDescription): ImageShape {
  const kind = imageKind(image.kind)!;
  const format = imageFormat(image.format)!;
  const texelBytes = format.element.bytes * image.channels;
  const slices = (image.layers ?? 1) * (kind.isCube ? CUBE_FACES : 1);
  const levels: ImageLevel[] = [];
  let offset = 0;
  for (let level = 0; level < (image.levels ?? 1); level++) {
    const [width, height, depth] = [image.width, image.height ?? 1, image.depth ?? 1].map((extent) =>
      Math.max(1, Math.floor(extent / 2 ** level)),
    );
    const rowBytes = width! * texelBytes;
    const sliceBytes = rowBytes * height!;
    levels.push({ width: width!, height: height!, depth: depth!, offset, rowBytes, sliceBytes });
    offset += sliceBytes * depth! * slices;
  }
  return { kind, format, channels: image.channels, texelBytes, slices, levels, bytes: offset };
}
