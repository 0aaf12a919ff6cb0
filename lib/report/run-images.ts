// Creates the images, textures and surfaces of a launch specification in a process, before its first launch.

import type { Address } from "../base/brand.js";
import type { DiagnosticSink } from "../diag/sink.js";
import type { LoadedImage, TexelMemory } from "../load/images.js";
import type { LaunchSpec } from "../load/launch-spec.js";
import type { Process } from "../load/process.js";
import type { Region } from "../load/region-list.js";
import type { SpecTexture } from "../load/spec-images.js";

/** The objects by their names in the specification. */
export interface OpaqueObjects {
  readonly images: ReadonlyMap<string, LoadedImage>;
  readonly handles: Readonly<Record<"texture" | "surface", ReadonlyMap<string, Address>>>;
}

/** Creates the objects, and binds each to the references of its name. Objects that memory has no room for are reported. */
export function createOpaque(
  process: Process,
  spec: LaunchSpec,
  buffers: ReadonlyMap<string, Region>,
  sink: DiagnosticSink,
): OpaqueObjects {
  const images = new Map<string, LoadedImage>();
  for (const [name, { description, bytes, place }] of spec.images) {
    try {
      const image = process.images.createImage(description);
      image.storage.bytes.set(bytes);
      images.set(name, image);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      sink.report("device-memory", `image '${name}': ${error.message}`, place);
    }
  }
  const bind = (name: string, handle: Address): Address => {
    process.images.bind(name, handle);
    return handle;
  };
  const texture = new Map<string, Address>();
  for (const [name, { memory, sampling }] of spec.textures) {
    const texels = texelMemory(memory, images, buffers);
    if (texels !== undefined) texture.set(name, bind(name, process.images.createTexture(texels, sampling)));
  }
  const surface = new Map<string, Address>();
  for (const [name, { image, level }] of spec.surfaces) {
    const loaded = images.get(image);
    if (loaded !== undefined) surface.set(name, bind(name, process.images.createSurface(loaded, level)));
  }
  return { images, handles: { texture, surface } };
}

/** The texture's memory; undefined if the image could not be created. */
function texelMemory(
  memory: SpecTexture["memory"],
  images: ReadonlyMap<string, LoadedImage>,
  buffers: ReadonlyMap<string, Region>,
): TexelMemory | undefined {
  if (memory.kind === "image") {
    const image = images.get(memory.image);
    return image && { kind: "image", image };
  }
  const region = buffers.get(memory.buffer);
  return region && { kind: "buffer", address: region.base, texels: memory.texels };
}
