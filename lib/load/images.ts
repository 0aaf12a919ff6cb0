// Images, textures and surfaces of a process, and the handles that kernels hold them by. Handles are opaque: they lie beyond
// every address (address-space.ts), so that a load through one is a fault. A .texref, .samplerref or .surfref of the module
// is found by the name that the host bound.

import type { Address } from "../base/brand.js";
import type { OpaqueField } from "../isa/opaque-fields.table.js";
import type { ObjectSymbol, ReferenceSymbol } from "../object/object.js";
import { HANDLE, handleOf, type HandleKind } from "./address-space.js";
import { giveBytesBack, type Stretch, takeBytes } from "./arena.js";
import { type ImageDescription, type ImageShape, imageShape } from "./image.js";
import type { Memory } from "./memory.js";
import { type BufferTexels, bufferShape, type Sampling } from "./texture.js";

export interface LoadedImage {
  readonly description: ImageDescription;
  readonly shape: ImageShape;
  readonly stretch: Stretch;
  /** Its memory has been given back. */
  isReleased: boolean;
}

/** The memory that a texture reads. */
export type TexelMemory =
  | { readonly kind: "image"; readonly image: LoadedImage }
  | { readonly kind: "buffer"; readonly address: Address; readonly texels: BufferTexels };

export interface TextureObject {
  readonly kind: "texture";
  readonly memory: TexelMemory;
  readonly shape: ImageShape;
  readonly sampling: Sampling;
}

export interface SurfaceObject {
  readonly kind: "surface";
  readonly image: LoadedImage;
  readonly level: number;
}

/** A texture, sampler or surface reference of the module: the object bound to its name, and the fields of its declaration. */
export interface OpaqueReference {
  readonly name: string;
  readonly type: ReferenceSymbol["type"];
  readonly fields: readonly OpaqueField[];
  /** Undefined where the host bound nothing. */
  readonly bound: TextureObject | SurfaceObject | undefined;
}

/** The message for other threads: values that structured cloning supports. */
export interface ImagesTransfer {
  readonly version: number;
  readonly images: readonly { readonly description: ImageDescription; readonly offset: number }[];
  readonly objects: readonly {
    readonly kind: HandleKind;
    readonly image: number;
    readonly buffer?: { readonly address: Address; readonly texels: BufferTexels };
    readonly sampling: Sampling;
    readonly level: number;
  }[];
  /** Kinds and names with the numbers of the objects bound to them. */
  readonly names: readonly (readonly [string, number])[];
}

export interface Images {
  /** A zeroed image, whose bytes count as allocated; throws RangeError when memory has no room for it. */
  createImage(description: ImageDescription): LoadedImage;
  /** Gives its memory back; textures and surfaces of it then fault. False when that was done before. */
  releaseImage(image: LoadedImage): boolean;
  /** Handles of new objects. */
  createTexture(memory: TexelMemory, sampling: Sampling): Address;
  createSurface(image: LoadedImage, level: number): Address;
  /** Gives the module's references of that name their object: textures to .texref and .samplerref, surfaces to .surfref. */
  bind(name: string, handle: Address): void;
  /** The object of a handle in two words; undefined if it is no handle of this process. */
  object(high: number, low: number): TextureObject | SurfaceObject | undefined;
  /** The module's reference of a handle; undefined where it is none. */
  reference(high: number, low: number): OpaqueReference | undefined;
  /** Changes whenever a handle may mean something else than before. */
  readonly version: number;
  /** Undefined where other threads cannot reach all images. */
  transfer(): ImagesTransfer | undefined;
  /** Replaces the images here by those of another thread. */
  join(transfer: ImagesTransfer): void;
}

type Opaque = TextureObject | SurfaceObject;

/** No images yet, for a module with these symbols. */
export function createImages(symbols: readonly ObjectSymbol[], memory: Memory): Images {
  let objects: Opaque[] = [];
  let images: LoadedImage[] = [];
  let names = new Map<string, number>();
  let version = 0;

  const add = (object: Opaque): Address => {
    version++;
    objects.push(object);
    return handleOf(object.kind, objects.length - 1);
  };
  const placeImage = (description: ImageDescription, place: (shape: ImageShape) => Stretch): LoadedImage => {
    const shape = imageShape(description);
    const image: LoadedImage = { description, shape, stretch: place(shape), isReleased: false };
    images.push(image);
    return image;
  };
  return {
    get version() {
      return version;
    },
    createImage(description) {
      const { bytes: wanted } = imageShape(description);
      memory.charge(wanted);
      version++;
      return placeImage(description, () => takeBytes(memory.arena, wanted));
    },
    releaseImage(image) {
      if (image.isReleased || !images.includes(image)) return false;
      image.isReleased = true;
      images = images.filter((other) => other !== image);
      memory.charge(-image.shape.bytes);
      version++;
      giveBytesBack(memory.arena, image.stretch);
      return true;
    },
    createTexture(texels, sampling) {
      const shape = texels.kind === "image" ? texels.image.shape : bufferShape(texels.texels);
      return add({ kind: "texture", memory: texels, shape, sampling });
    },
    createSurface: (image, level) => add({ kind: "surface", image, level }),
    bind(name, handle) {
      version++;
      const index = handle % 2 ** 32;
      names.set(`${objects[index]!.kind} ${name}`, index);
    },
    object(high, low) {
      const object = objects[low];
      return object !== undefined && high === HANDLE[object.kind] ? object : undefined;
    },
    reference(high, low) {
      const symbol = high === HANDLE.reference ? symbols[low] : undefined;
      if (symbol?.kind !== "reference") return undefined;
      const { name, type, fields = [] } = symbol;
      const kind: HandleKind = type === "surfref" ? "surface" : "texture";
      return { name, type, fields, bound: objects[names.get(`${kind} ${name}`) ?? -1] };
    },
    transfer() {
      if (images.some(({ stretch }) => stretch.offset < 0)) return undefined;
      return {
        version,
        images: images.map(({ description, stretch }) => ({ description, offset: stretch.offset })),
        objects: objects.map((object) => {
          const common = { kind: object.kind, image: -1, sampling: {}, level: 0 };
          if (object.kind === "surface") return { ...common, image: images.indexOf(object.image), level: object.level };
          const { memory: texels, sampling } = object;
          return texels.kind === "image"
            ? { ...common, sampling, image: images.indexOf(texels.image) }
            : { ...common, sampling, buffer: { address: texels.address, texels: texels.texels } };
        }),
        names: [...names],
      };
    },
    join(transfer) {
      if (transfer.version === version) return;
      version = transfer.version;
      images = [];
      for (const { description, offset } of transfer.images)
        placeImage(description, (shape) => memory.arena!.at(offset, shape.bytes));
      // Objects of images that were released keep their numbers; nothing is read through them.
      const gone = (): LoadedImage => ({ ...noImage, isReleased: true });
      objects = transfer.objects.map(({ kind, image: index, buffer, sampling, level }): Opaque => {
        const image = images[index] ?? gone();
        if (kind === "surface") return { kind, image, level };
        const texels: TexelMemory = buffer === undefined ? { kind: "image", image } : { kind: "buffer", ...buffer };
        const shape = texels.kind === "image" ? image.shape : bufferShape(texels.texels);
        return { kind: "texture", memory: texels, shape, sampling };
      });
      names = new Map(transfer.names);
    },
  };
}

const nothing: ImageDescription = { kind: "1d", format: "u8", channels: 1, width: 1 };
const noImage = { description: nothing, shape: imageShape(nothing), stretch: takeBytes(undefined, 1) };
