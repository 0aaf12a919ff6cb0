// All options of the library's device, used to find misspelt ones and wrong values. `any`: the code that uses the value checks it.

import type { OptionKinds } from "../../base/known-options.js";
import { executionOptions } from "../launch/launch-options.js";
import type { ImageDescription } from "../../load/image.js";
import type { Sampling, BufferTexels } from "../../load/texture.js";
import type { DeviceLaunch, DeviceOptions, SurfaceDescription, DeviceTensorMap } from "./interface.js";

export const deviceOptions: OptionKinds<DeviceOptions> = {
  memoryBytes: "count",
  threads: "any",
  onPrint: "function",
  time: "function",
  hotAfter: "count",
  instrument: "function",
  checkAt: "function",
  callFrom: "count",
  onReply: "function",
};

export const launchOptions: OptionKinds<DeviceLaunch> = {
  grid: "any",
  block: "any",
  cluster: "any",
  args: "list",
  sharedBytes: "any",
  cooperative: "flag",
  dependent: "flag",
  sanitize: "flag",
  ...executionOptions,
};

export const imageOptions: OptionKinds<ImageDescription> = {
  kind: "any",
  format: "any",
  channels: "any",
  width: "any",
  height: "any",
  depth: "any",
  layers: "any",
  levels: "any",
  gather: "flag",
};

const samplingOptions: OptionKinds<Sampling> = {
  address: "any",
  border: "list",
  filter: "any",
  normalized: "flag",
  read: ["element", "normalized"],
  srgb: "flag",
  seamless: "flag",
  mip: "any",
  maxAnisotropy: "any",
};

const texelOptions: OptionKinds<BufferTexels> = {
  format: "any",
  channels: "any",
  width: "any",
  height: "any",
  pitch: "any",
};

/** Options of a texture that reads an image, and of one that reads a buffer. */
export const textureOptions = {
  image: { image: "any", ...samplingOptions },
  buffer: { buffer: "any", ...texelOptions, ...samplingOptions },
} as const;

export const surfaceOptions: OptionKinds<SurfaceDescription> = { image: "any", level: "any" };

export const tensorMapOptions: OptionKinds<DeviceTensorMap> = {
  buffer: "any",
  offset: "any",
  type: "any",
  dims: "list",
  strides: "list",
  box: "list",
  elementStrides: "list",
  interleave: "any",
  swizzle: "any",
  oobFill: "any",
  mode: "any",
  lowerCorner: "list",
  upperCorner: "list",
  channelsPerPixel: "any",
  pixelsPerColumn: "any",
};
