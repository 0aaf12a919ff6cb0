// Images, textures and surfaces of the library's device. Invalid descriptions throw RangeError, with the messages of launch
// specifications.

import { checkOptions } from "../../base/known-options.js";
import { type ImageDescription, imageProblem, type MemberProblem } from "../../load/image.js";
import type { Process } from "../../load/process.js";
import { bufferTexelsProblem, samplingProblem } from "../../load/texture.js";
import { demandBindable, demandBuffer, demandImage } from "./handles.js";
import type { DeviceImage, DeviceTexture, DeviceSurface, TextureDescription, SurfaceDescription } from "./interface.js";
import { surfaceOptions, textureOptions } from "./options.js";

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
        const { image: given, ...sampling } = description;
        const image = demandImage(given, "texture, image");
        demand(samplingProblem(sampling, image.description.levels ?? 1), "texture");
        return { kind: "texture", handle: images.createTexture({ kind: "image", image: image.image }, sampling) };
      }
      const { buffer, format, channels, width, height, pitch, ...sampling } = description;
      demandBuffer(buffer, "texture, buffer");
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
      const { levels } = demandImage(image, "surface, image").image.shape;
      if (levels[level] === undefined)
        throw new RangeError(`surface, level: the image has ${levels.length} levels, no level ${level}`);
      return { kind: "surface", handle: images.createSurface(image.image, level) };
    },
    bind(name, object) {
      const { kind, handle } = demandBindable(object, "bind");
      const types = kind === "texture" ? ["texref", "samplerref"] : ["surfref"];
      const isDeclared = program.symbols.some(
        (symbol) => symbol.kind === "reference" && symbol.name === name && types.includes(symbol.type),
      );
      if (!isDeclared) throw new RangeError(`the module has no .${types.join(" or .")} '${name}'`);
      images.bind(name, handle);
    },
    free({ image }) {
      if (!images.releaseImage(image)) throw new RangeError("free of an image that is not allocated");
    },
  };
}
