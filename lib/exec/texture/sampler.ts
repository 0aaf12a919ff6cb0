// A texture prepared for fetches: the location of its texels and the conversion of each channel. There is one for each texture
// object and, in independent mode, one for each sampler of an instruction.

import type { OpaqueField } from "../../isa/opaque-fields.table.js";
import type { TextureObject } from "../../load/images.js";
import type { ImageLevel } from "../../load/image.js";
import type { AddressMode, Sampling } from "../../load/texture.js";
import { f32ToBits } from "../../base/num/bits.js";
import { MODE } from "./coordinates.js";
import { inLevels, type LevelLimits } from "./levels.js";
import { srgbValues } from "./srgb.table.js";
import { type Sum, sums } from "./sums.js";
import { type TexelFormat, texelFormats } from "./texel-formats.table.js";

/** The conversion of one channel. */
export interface Channel {
  /** Summand of a texel in a filter. */
  readonly value: (view: DataView, offset: number) => number;
  /** 32-bit result of a texel that is read alone. */
  readonly bits: (view: DataView, offset: number) => number;
  /** The border colour in both forms. */
  readonly borderValue: number;
  readonly borderBits: number;
  /** Undefined for formats that are never filtered. */
  readonly sum: Sum | undefined;
}

export interface Sampler {
  readonly object: TextureObject;
  readonly levels: readonly ImageLevel[];
  /** Number of layers; each face of a cube counts. */
  readonly slices: number;
  readonly texelBytes: number;
  readonly channelBytes: number;
  /** One for each channel in memory. */
  readonly channels: readonly Channel[];
  /** Addressing mode by dimension. */
  readonly modes: readonly number[];
  readonly normalized: boolean;
  /** Linear filter, which needs a format that reads as floats. */
  readonly linear: boolean;
  readonly mipLinear: boolean;
  readonly limits: LevelLimits;
  readonly seamless: boolean;
  /** A 1-D image, which fetches with integer coordinates cannot read. */
  readonly isPlain1d: boolean;
  /** Bytes of the texels. Those of a buffer are looked up again after memory has been released. */
  view: DataView;
  /** Offset of the first texel in the view. */
  base: number;
}

const asBits =
  (normalized: (v: number) => number, value: TexelFormat["value"]): TexelFormat["bits"] =>
  (view, offset) =>
    f32ToBits(normalized(value(view, offset)));

function channelOf(name: string, format: TexelFormat, isNormal: boolean, color: number, isSrgb: boolean): Channel {
  if (isSrgb) {
    const border = srgbValues[format.border(color)]!;
    const value: Channel["value"] = (view, offset) => srgbValues[view.getUint8(offset)]!;
    return {
      value,
      bits: (view, offset) => f32ToBits(value(view, offset)),
      borderValue: border,
      borderBits: f32ToBits(border),
      sum: sums["srgb"],
    };
  }
  const { normalized, integerBorder } = format;
  if (normalized !== undefined && isNormal) {
    const border = format.border(color);
    return {
      value: format.value,
      bits: asBits(normalized, format.value),
      borderValue: border,
      borderBits: f32ToBits(normalized(border)),
      sum: sums[name],
    };
  }
  const border = (integerBorder ?? format.border)(color);
  return {
    value: format.value,
    bits: format.bits,
    borderValue: border,
    borderBits: integerBorder === undefined ? f32ToBits(border) : border | 0,
    sum: integerBorder === undefined ? sums[name] : undefined,
  };
}

/** The effective mode of a dimension: without normalised coordinates, wrap and mirror act as clamp. */
function actingMode(mode: AddressMode, normalized: boolean): number {
  return normalized || mode === "border" ? MODE[mode] : MODE.clamp;
}

const nowhere = new DataView(new ArrayBuffer(0));

/** Prepares a texture with `sampling`: its own, or that of withSampler. For a buffer, the view is looked up at the access. */
export function createSampler(object: TextureObject, sampling: Sampling): Sampler {
  const { shape, memory } = object;
  const { kind, format, levels } = shape;
  const { address = "clamp", border = [], filter, normalized = false, read, srgb = false, mip = {} } = sampling;
  const texels = texelFormats[format.name];
  const isNormal = read === "normalized";
  const isSrgb = srgb && isNormal && format.name === "u8";
  const channels = Array.from({ length: shape.channels }, (_, c) =>
    channelOf(format.name, texels, isNormal, Math.fround(border[c] ?? 0), isSrgb && c < 3),
  );
  const { bias = 0, min = 0, max = 1000 } = mip;
  return {
    object,
    levels,
    slices: shape.slices,
    texelBytes: shape.texelBytes,
    channelBytes: texels.bytes,
    channels,
    modes: [0, 1, 2].map((d) =>
      actingMode(typeof address === "string" ? address : (address[d] ?? "clamp"), normalized),
    ),
    normalized,
    linear: filter === "linear" && channels.every(({ sum }) => sum !== undefined),
    mipLinear: mip.filter === "linear" && channels.every(({ sum }) => sum !== undefined),
    limits: { bias: inLevels(bias), min: inLevels(min), max: inLevels(max), last: levels.length - 1 },
    seamless: sampling.seamless === true,
    isPlain1d: kind.name === "1d" && memory.kind === "image",
    view: memory.kind === "image" ? memory.image.storage.view : nowhere,
    base: 0,
  };
}

// ---------------------------------------------------------------------------------------------------- independent mode

/** addr_mode_0 to addr_mode_2 by number: wrap, mirror, clamp_ogl, clamp_to_edge, clamp_to_border. */
const fieldModes: readonly AddressMode[] = ["wrap", "mirror", "clamp", "clamp", "border"];

/** Sampling of a sampler by its declaration: PTX ISA section 5.3.2. Fields that are not set are 0. */
export function samplingOfFields(fields: readonly OpaqueField[]): Sampling {
  const valueOf = (name: string): number => fields.find((field) => field.name === name)?.value ?? 0;
  return {
    address: [0, 1, 2].map((d) => fieldModes[valueOf(`addr_mode_${d}`)] ?? "clamp"),
    filter: valueOf("filter_mode") === 1 ? "linear" : "point",
    normalized: valueOf("force_unnormalized_coords") === 0,
  };
}

/**
 * Sampling of a texture with a separate sampler. How memory is read comes from the texture, everything else from the sampler.
 * Coordinates are normalised only if both say so.
 */
export const withSampler = (texture: Sampling, sampler: Sampling): Sampling => ({
  ...sampler,
  ...(texture.read === undefined ? {} : { read: texture.read }),
  srgb: texture.srgb === true,
  normalized: texture.normalized === true && sampler.normalized === true,
});
