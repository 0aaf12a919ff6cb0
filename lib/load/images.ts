// Images, textures and surfaces of a process, and the handles by which kernels refer to them. Handles are above every address
// (address-space.ts), so that a load through one faults. A .texref, .samplerref or .surfref of the module resolves to the object
// that the host bound to its name.

import type { Address } from "../base/brand.js";
import type { OpaqueField } from "../isa/opaque-fields.table.js";
import type { ObjectSymbol, ReferenceSymbol } from "../object/object.js";
import { HANDLE, handleOf, type HandleKind } from "./address-space.js";
import { releaseBytes, type ArenaBlock, allocateBytes } from "./arena.js";
import { type ImageDescription, type ImageShape, imageShape } from "./image.js";
import type { Memory } from "./memory.js";
import { type BufferTexels, bufferShape, type Sampling } from "./texture.js";

export interface LoadedImage {
  readonly description: ImageDescription;
  readonly shape: ImageShape;
  readonly storage: ArenaBlock;
  /** Set when the image's memory has been freed. */
  isReleased: boolean;
}

/** The memory that a texture reads: an image or a buffer. */
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
  /** The bound object; undefined if the host bound none. */
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
  /** Pairs of a kind with a name, and the number of the object bound to it. */
  readonly names: readonly (readonly [string, number])[];
}

export interface Images {
  /** Creates a zeroed image, whose bytes count as allocated. Throws RangeError if memory has no room for it. */
  createImage(description: ImageDescription): LoadedImage;
  /** Frees an image; its textures and surfaces then fault. Returns false if the image was already released. */
  releaseImage(image: LoadedImage): boolean;
  /** Create an object and return its handle. */
  createTexture(memory: TexelMemory, sampling: Sampling): Address;
  createSurface(image: LoadedImage, level: number): Address;
  /** Binds an object to the module's references of that name: textures to .texref and .samplerref, surfaces to .surfref. */
  bind(name: string, handle: Address): void;
  /** The object of a handle, given as two words; undefined if it is no handle of this process. */
  object(high: number, low: number): TextureObject | SurfaceObject | undefined;
  /** The module's reference of a handle; undefined if it is none. */
  reference(high: number, low: number): OpaqueReference | undefined;
  /** Changes whenever a handle may refer to another object than before. */
  readonly version: number;
  /** The message for other threads; undefined if they cannot access all images. */
  transfer(): ImagesTransfer | undefined;
  /** Replaces the images of this thread by those of another thread. */
  join(transfer: ImagesTransfer): void;
}

type Opaque = TextureObject | SurfaceObject;

/** The images, textures and surfaces of a process. */
interface ImagesState {
  readonly symbols: readonly ObjectSymbol[];
  readonly memory: Memory;
  images: LoadedImage[];
  /** Objects, by the number in their handles. */
  objects: Opaque[];
  /** Numbers of bound objects, by kind and name. */
  names: Map<string, number>;
  version: number;
}

/** Creates the images of a process with none yet, for a module with these symbols. */
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

function addImage(state: ImagesState, description: ImageDescription, storage: ArenaBlock): LoadedImage {
  const image: LoadedImage = { description, shape: imageShape(description), storage, isReleased: false };
  state.images.push(image);
  return image;
}

function createImage(state: ImagesState, description: ImageDescription): LoadedImage {
  const { memory } = state;
  const { bytes } = imageShape(description);
  memory.charge(bytes);
  state.version++;
  return addImage(state, description, allocateBytes(memory.arena, bytes));
}

function releaseImage(state: ImagesState, image: LoadedImage): boolean {
  const { memory } = state;
  if (image.isReleased || !state.images.includes(image)) return false;
  image.isReleased = true;
  state.images = state.images.filter((other) => other !== image);
  memory.charge(-image.shape.bytes);
  state.version++;
  releaseBytes(memory.arena, image.storage);
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
  if (images.some(({ storage }) => storage.offset < 0)) return undefined;
  return {
    version,
    images: images.map(({ description, storage }) => ({ description, offset: storage.offset })),
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
  // Objects of released images keep their numbers; their memory is not read.
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
const noImage = { description: nothing, shape: imageShape(nothing), storage: allocateBytes(undefined, 1) };
