// Images, textures and surfaces of the library's device. Wrong descriptions throw RangeError, as launch specifications report
// them.

import type { Address } from "../base/brand.js";
import { checkOptions } from "../base/known-options.js";
import { type ImageDescription, imageProblem, type MemberProblem } from "../load/image.js";
import type { LoadedImage } from "../load/images.js";
import type { Process } from "../load/process.js";
import { type BufferTexels, bufferTexelsProblem, type Sampling, samplingProblem } from "../load/texture.js";
import type { DeviceBuffer } from "./device-arguments.js";
import { surfaceOptions, textureOptions } from "./device-options.js";

/** Memory of texels, which kernels reach by textures and surfaces. */
export interface DeviceImage {
  readonly image: LoadedImage;
  readonly description: ImageDescription;
  /** Bytes of all levels: channel, x, y, z or layer, level, without padding. */
  readonly size: number;
}

/** An opaque handle, a .u64 argument of a launch. */
export interface DeviceTexture {
  readonly kind: "texture";
  readonly handle: Address;
}

/** A surface object: an image that kernels read and write. */
export interface DeviceSurface {
  readonly kind: "surface";
  readonly handle: Address;
}

/** How a texture reads an image, or a buffer as texels. */
export type TextureDescription = Sampling &
  ({ readonly image: DeviceImage } | ({ readonly buffer: DeviceBuffer } & BufferTexels));

/** Which level of which image a surface is. */
export interface SurfaceDescription {
  readonly image: DeviceImage;
  /** Mip level; 0 unless given. */
  readonly level?: number;
}

function demand(problem: MemberProblem | undefined, what: string): void {
  if (problem === undefined) return;
  const { member, message, remedy } = problem;
  throw new RangeError(`${what}, ${member}: ${message}${remedy === undefined ? "" : `; ${remedy}`}`);
}

export interface DeviceImages {
  image(description: ImageDescription): DeviceImage;
  texture(description: TextureDescription): DeviceTexture;
  surface(description: SurfaceDescription): DeviceSurface;
  bind(name: string, object: DeviceTexture | DeviceSurface): void;
  free(image: DeviceImage): void;
}

export function createDeviceImages({ images, image: program }: Process): DeviceImages {
  return {
    image(description) {
      demand(imageProblem(description), "image");
      const image = images.createImage(description);
      return { image, description, size: image.shape.bytes };
    },
    texture(description) {
      const kind =
        typeof description === "object" && description !== null && "image" in description ? "image" : "buffer";
      checkOptions(description, textureOptions[kind], "texture");
      if ("image" in description) {
        const { image, ...sampling } = description;
        demand(samplingProblem(sampling, image.description.levels ?? 1), "texture");
        return { kind: "texture", handle: images.createTexture({ kind: "image", image: image.image }, sampling) };
      }
      const { buffer, format, channels, width, height, pitch, ...sampling } = description;
      const texels = {
        format,
        channels,
        width,
        ...(height === undefined ? {} : { height }),
        ...(pitch === undefined ? {} : { pitch }),
      };
      demand(bufferTexelsProblem(texels, buffer.size), "texture");
      demand(samplingProblem(sampling, 1), "texture");
      return {
        kind: "texture",
        handle: images.createTexture({ kind: "buffer", address: buffer.address, texels }, sampling),
      };
    },
    surface(description) {
      checkOptions(description, surfaceOptions, "surface");
      const { image, level = 0 } = description;
      const { levels } = image.image.shape;
      if (levels[level] === undefined)
        throw new RangeError(`surface, level: the image has ${levels.length} levels, no level ${level}`);
      return { kind: "surface", handle: images.createSurface(image.image, level) };
    },
    bind(name, { kind, handle }) {
      const types = kind === "texture" ? ["texref", "samplerref"] : ["surfref"];
      const isThere = program.symbols.some(
        (symbol) => symbol.kind === "reference" && symbol.name === name && types.includes(symbol.type),
      );
      if (!isThere) throw new RangeError(`the module has no .${types.join(" or .")} '${name}'`);
      images.bind(name, handle);
    },
    free({ image }) {
      if (!images.releaseImage(image)) throw new RangeError("free of an image that is not allocated");
    },
  };
}
