// The names of all options of the library's device, used to find misspelt ones.

import type { OptionNames } from "../../base/known-options.js";
import type { ImageDescription } from "../../load/image.js";
import type { Sampling, BufferTexels } from "../../load/texture.js";
import type { DeviceLaunch, DeviceOptions, SurfaceDescription, DeviceTensorMap } from "./interface.js";

export const deviceOptions: OptionNames<DeviceOptions> = {
  memoryBytes: true,
  threads: true,
  onPrint: true,
  time: true,
  hotAfter: true,
  instrument: true,
  checkAt: true,
  callFrom: true,
  onReply: true,
};

export const launchOptions: OptionNames<DeviceLaunch> = {
  grid: true,
  block: true,
  cluster: true,
  args: true,
  sharedBytes: true,
  cooperative: true,
  dependent: true,
  sanitize: true,
  maxInstructions: true,
  signal: true,
  engine: true,
  async: true,
  onProgress: true,
  onFault: true,
  probe: true,
};

export const imageOptions: OptionNames<ImageDescription> = {
  kind: true,
  format: true,
  channels: true,
  width: true,
  height: true,
  depth: true,
  layers: true,
  levels: true,
  gather: true,
};

const samplingOptions: OptionNames<Sampling> = {
  address: true,
  border: true,
  filter: true,
  normalized: true,
  read: true,
  srgb: true,
  seamless: true,
  mip: true,
  maxAnisotropy: true,
};

const texelOptions: OptionNames<BufferTexels> = {
  format: true,
  channels: true,
  width: true,
  height: true,
  pitch: true,
};

/** Options of a texture that reads an image, and of one that reads a buffer. */
export const textureOptions = {
  image: { image: true, ...samplingOptions },
  buffer: { buffer: true, ...texelOptions, ...samplingOptions },
} as const;

export const surfaceOptions: OptionNames<SurfaceDescription> = { image: true, level: true };

export const tensorMapOptions: OptionNames<DeviceTensorMap> = {
  buffer: true,
  offset: true,
  type: true,
  dims: true,
  strides: true,
  box: true,
  elementStrides: true,
  interleave: true,
  swizzle: true,
  oobFill: true,
  mode: true,
  lowerCorner: true,
  upperCorner: true,
  channelsPerPixel: true,
  pixelsPerColumn: true,
};
