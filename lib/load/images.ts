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

/** The images, textures and surfaces of a process. */
interface ImagesState {
  readonly symbols: readonly ObjectSymbol[];
  readonly memory: Memory;
  images: LoadedImage[];
  /** By the number in their handles. */
  objects: Opaque[];
  /** Numbers of bound objects, by kind and name. */
  names: Map<string, number>;
  version: number;
}

/** No images yet, for a module with these symbols. */
export function createImages(symbols: readonly ObjectSymbol[], memory: Memory): Images {
  const state: ImagesState = { symbols, memory, images: [], objects: [], names: new Map(), version: 0 };
  return {
    get version() {
      return state.version;
    },
    createImage: (description) => createImage(state, description),
    releaseImage: (image) => releaseImage(state, image),
    createTexture(texels, sampling) {
      const shape = texels.kind === "image" ? texels.image.shape : bufferShape(texels.texels);
      return addObject(state, { kind: "texture", memory: texels, shape, sampling });
    },
    createSurface: (image, level) => addObject(state, { kind: "surface", image, level }),
    bind: (name, handle) => bindName(state, name, handle),
    object(high, low) {
      const object = state.objects[low];
      return object !== undefined && high === HANDLE[object.kind] ? object : undefined;
    },
    reference: (high, low) => referenceOf(state, high, low),
    transfer: () => transferImages(state),
    join: (transfer) => joinImages(state, transfer),
  };
}

function addObject(state: ImagesState, object: Opaque): Address {
  state.version++;
  state.objects.push(object);
  return handleOf(object.kind, state.objects.length - 1);
}

function addImage(state: ImagesState, description: ImageDescription, stretch: Stretch): LoadedImage {
  const image: LoadedImage = { description, shape: imageShape(description), stretch, isReleased: false };
  state.images.push(image);
  return image;
}

function createImage(state: ImagesState, description: ImageDescription): LoadedImage {
  const { memory } = state;
  const { bytes } = imageShape(description);
  memory.charge(bytes);
  state.version++;
  return addImage(state, description, takeBytes(memory.arena, bytes));
}

function releaseImage(state: ImagesState, image: LoadedImage): boolean {
  const { memory } = state;
  if (image.isReleased || !state.images.includes(image)) return false;
  image.isReleased = true;
  state.images = state.images.filter((other) => other !== image);
  memory.charge(-image.shape.bytes);
  state.version++;
  giveBytesBack(memory.arena, image.stretch);
  return true;
}

function bindName(state: ImagesState, name: string, handle: Address): void {
  state.version++;
  const index = handle % 2 ** 32;
  state.names.set(`${state.objects[index]!.kind} ${name}`, index);
}

function referenceOf({ symbols, objects, names }: ImagesState, high: number, low: number): OpaqueReference | undefined {
  const symbol = high === HANDLE.reference ? symbols[low] : undefined;
  if (symbol?.kind !== "reference") return undefined;
  const { name, type, fields = [] } = symbol;
  const kind: HandleKind = type === "surfref" ? "surface" : "texture";
  return { name, type, fields, bound: objects[names.get(`${kind} ${name}`) ?? -1] };
}

function transferImages({ version, images, objects, names }: ImagesState): ImagesTransfer | undefined {
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
}

function joinImages(state: ImagesState, transfer: ImagesTransfer): void {
  if (transfer.version === state.version) return;
  state.version = transfer.version;
  state.images = [];
  for (const { description, offset } of transfer.images)
    addImage(state, description, state.memory.arena!.at(offset, imageShape(description).bytes));
  // Objects of released images keep their numbers; nothing is read through them.
  const released = (): LoadedImage => ({ ...noImage, isReleased: true });
  state.objects = transfer.objects.map(({ kind, image: index, buffer, sampling, level }): Opaque => {
    const image = state.images[index] ?? released();
    if (kind === "surface") return { kind, image, level };
    const texels: TexelMemory = buffer === undefined ? { kind: "image", image } : { kind: "buffer", ...buffer };
    const shape = texels.kind === "image" ? image.shape : bufferShape(texels.texels);
    return { kind: "texture", memory: texels, shape, sampling };
  });
  state.names = new Map(transfer.names);
}

const nothing: ImageDescription = { kind: "1d", format: "u8", channels: 1, width: 1 };
const noImage = { description: nothing, shape: imageShape(nothing), stretch: takeBytes(undefined, 1) };
