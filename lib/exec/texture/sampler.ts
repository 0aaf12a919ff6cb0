// A texture prepared for fetches: the location of its texels, and the conversion of each channel. One for each texture object
// and, in independent mode, each sampler of an instruction.

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
  /** The summand of filters. */
  readonly value: (view: DataView, offset: number) => number;
  /** 32 bits of a texel that is read alone. */
  readonly bits: (view: DataView, offset: number) => number;
  /** The border colour as both. */
  readonly borderValue: number;
  readonly borderBits: number;
  /** Undefined for formats that are never filtered. */
  readonly sum: Sum | undefined;
}

export interface Sampler {
  readonly object: TextureObject;
  readonly levels: readonly ImageLevel[];
  /** Layers, of all faces. */
  readonly slices: number;
  readonly texelBytes: number;
  readonly channelBytes: number;
  /** As many as the memory has. */
  readonly channels: readonly Channel[];
  /** By dimension. */
  readonly modes: readonly number[];
  readonly normalized: boolean;
  /** Linear filters are for what reads as floats. */
  readonly linear: boolean;
  readonly mipLinear: boolean;
  readonly limits: LevelLimits;
  readonly seamless: boolean;
  /** A 1-D image, which integer coordinates do not reach. */
  readonly isPlain1d: boolean;
  /** The texels' bytes; of a buffer found anew when memory has been released. */
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

/** The mode of a dimension as it acts: without normalised coordinates wrap and mirror act as clamp. */
function actingMode(mode: AddressMode, normalized: boolean): number {
  return normalized || mode === "border" ? MODE[mode] : MODE.clamp;
}

const nowhere = new DataView(new ArrayBuffer(0));

/** `sampling`: the texture's own, or what a sampler makes of it. The view of a buffer is still to be found. */
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
    view: memory.kind === "image" ? memory.image.stretch.view : nowhere,
    base: 0,
  };
}

// ---------------------------------------------------------------------------------------------------- independent mode

/** addr_mode_0 to addr_mode_2 by their numbers: wrap, mirror, clamp_ogl, clamp_to_edge, clamp_to_border. */
const fieldModes: readonly AddressMode[] = ["wrap", "mirror", "clamp", "clamp", "border"];

/** A sampler as its declaration sets it: PTX ISA section 5.3.2. What is not set is 0. */
export function samplingOfFields(fields: readonly OpaqueField[]): Sampling {
  const valueOf = (name: string): number => fields.find((field) => field.name === name)?.value ?? 0;
  return {
    address: [0, 1, 2].map((d) => fieldModes[valueOf(`addr_mode_${d}`)] ?? "clamp"),
    filter: valueOf("filter_mode") === 1 ? "linear" : "point",
    normalized: valueOf("force_unnormalized_coords") === 0,
  };
}

/** A texture's sampling with a sampler of its own: how memory is read is the texture's, everything else the sampler's. */
export const withSampler = (texture: Sampling, sampler: Sampling): Sampling => ({
  ...sampler,
  ...(texture.read === undefined ? {} : { read: texture.read }),
  srgb: texture.srgb === true,
  normalized: texture.normalized === true && sampler.normalized === true,
});
