// The library's device as programs use it: what it is opened with, its launches, images and results. Names are the CUDA driver API's
// where it has some.

import type { Address } from "../../base/brand.js";
import type { ImageDescription } from "../../load/image.js";
import type { LoadedImage } from "../../load/images.js";
import type { LoadOptions } from "../../load/load.js";
import type { LoadedKernel, Process } from "../../load/process.js";
import type { TensorMap } from "../../load/tensor-map.js";
import type { BufferTexels, Sampling } from "../../load/texture.js";
import type { DeviceAttributes, KernelAttributes } from "../machine/attributes.js";
import type { LaunchOptions } from "../launch/launch-options.js";
import type { Launch } from "../launch/launch.js";
import type { LaunchConfig, LaunchResult } from "../state/result.js";
import type { Finding } from "../sanitize/finding.js";
import type { WorkerOptions } from "../launch/workers/workers.js";
import type { DeviceArgument, DeviceBuffer, Extent, TypedNumber } from "./arguments.js";

/** Arrays whose bytes can be copied to and from a device; 64-bit integers are bigints. */
export type HostArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array
  | DataView;

/** `Float32Array`, `BigUint64Array` and their kind. */
export interface HostArrayType<T extends HostArray> {
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): T;
}

/** A GPU model's result for a launch; timedOn() has more than this. */
export interface DeviceTiming {
  readonly cycles: number;
  readonly microseconds: number;
}

/** Runs a launch and answers how long it took; timedOn() makes one. */
export type TimeLaunch<Timing extends DeviceTiming> = (
  launch: Launch,
  kernel: LoadedKernel,
  shape: LaunchConfig,
) => Timing | Promise<Timing>;

/** Options of a device. */
export interface DeviceOptions<Timing extends DeviceTiming = DeviceTiming> extends LoadOptions, WorkerOptions {
  /**
   * Threads of the host that run the blocks of a launch, this one included; 1 unless given. The others are started when a launch
   * first has enough to do for them. Launches on a GPU model and cooperative ones run on one.
   */
  readonly threads?: number;
  /** Is given what a launch printed, when it ends. */
  readonly onPrint?: (text: string) => void;
  /** Runs launches on a GPU model: `timedOn(findGpu("h100"))`. */
  readonly time?: TimeLaunch<Timing>;
}

/** The shape of a launch, its arguments and limits. */
export interface DeviceLaunch extends Omit<LaunchOptions, "programs" | "workers" | "sanitizer"> {
  /** Looks for what the kernel does wrong (docs/sanitizer.md): the result has `findings`. On the reference engine, one thread. */
  readonly sanitize?: boolean;
  readonly grid: Extent;
  readonly block: Extent;
  readonly cluster?: Extent;
  /** Dynamic shared memory, bytes. */
  readonly sharedBytes?: number;
  /** All blocks are there together and may wait for each other, as grid.sync() of cooperative groups does. */
  readonly cooperative?: boolean;
  /**
   * Programmatic dependent launch: may begin before the launch before it has ended. It never does here: launches run in order, and
   * griddepcontrol.wait finds what it waits for done.
   */
  readonly dependent?: boolean;
  readonly args?: readonly DeviceArgument[];
}

/** The result of a launch: its fault if it has one, counts, output, and time on a GPU model. */
export interface DeviceResult<Timing extends DeviceTiming | undefined = DeviceTiming | undefined> extends LaunchResult {
  /** Where the device has a GPU model. */
  readonly timing: Timing;
  /** Of a launch that was sanitized. */
  readonly findings?: readonly Finding[];
}

/** A device's totals at some point of its work: differences give the work in between. */
export interface DeviceEvent {
  readonly launches: number;
  readonly warpInstructions: number;
  readonly threadInstructions: number;
  /** By the GPU model; 0 without one. */
  readonly cycles: number;
  readonly microseconds: number;
}

/** Device memory: buffers, the image's variables, what kernels took with malloc, and the texels of images. Bytes. */
export interface MemoryStatistics {
  readonly allocatedBytes: number;
  /** The most that was allocated at one time. */
  readonly peakBytes: number;
  readonly limitBytes: number;
  /** How many there are, images not counted. */
  readonly allocations: number;
}

/** `Timing`: what results say of time; undefined where the device has no GPU model. */
export interface Device<Timing extends DeviceTiming | undefined = DeviceTiming | undefined> {
  readonly process: Process;
  readonly attributes: DeviceAttributes;
  readonly memory: MemoryStatistics;
  /** Memory of that many bytes, zeroed, or holding a copy of the array's bytes. */
  alloc(content: number | HostArray): DeviceBuffer;
  /** An image, zeroed, or holding a copy of the array's bytes. */
  image(description: ImageDescription, content?: HostArray): DeviceImage;
  /** A texture object: an image, or a buffer as texels, and how it is read. */
  texture(description: TextureDescription): DeviceTexture;
  surface(description: SurfaceDescription): DeviceSurface;
  /** Gives a .texref, .samplerref or .surfref of the module its texture or surface. */
  bind(name: string, object: DeviceTexture | DeviceSurface): void;
  /** Gives memory back. */
  free(memory: DeviceBuffer | DeviceImage): void;
  /** The bytes from `offset` on, `size` of them or all; for an argument in the middle of a buffer, a copy, a fill. */
  part(buffer: DeviceBuffer, offset: number, size?: number): DeviceBuffer;
  /** Copies to the device, from `offset` bytes into the buffer or image on. */
  write(memory: DeviceBuffer | DeviceImage, data: HostArray, offset?: number): void;
  /** Fills the array from the buffer or image, from `offset` bytes into it on, and returns it. */
  read<T extends HostArray>(memory: DeviceBuffer | DeviceImage, into: T, offset?: number): T;
  /** All of the buffer or image as an array of that type. */
  read<T extends HostArray>(memory: DeviceBuffer | DeviceImage, as: HostArrayType<T>): T;
  /** Copies all of `source` to the beginning of `target`; they may overlap. */
  copy(target: DeviceBuffer, source: DeviceBuffer): void;
  /** Sets every element to a value: memset, of any type. */
  fill(buffer: DeviceBuffer, element: TypedNumber): void;
  /** A module variable by name, or `NAME@MODULE`, as a buffer. */
  symbol(name: string): DeviceBuffer;
  /**
   * A tensor map of device memory, to be an argument of a kernel with a parameter of 128 bytes. Throws RangeError where it breaks a
   * limit of the driver.
   */
  tensorMap(map: DeviceTensorMap): Uint8Array;
  /** Names of all kernels. */
  readonly kernels: readonly string[];
  kernel(name: string): KernelAttributes;
  /**
   * Runs a kernel to its end, after all that were launched before. Rejects with RangeError when there is no such kernel or
   * the arguments do not fit it, and with BindError when it uses an instruction that is not executed.
   */
  launch(kernel: string, launch: DeviceLaunch): Promise<DeviceResult<Timing>>;
  /** Blocks of the device heap that launches which were sanitized have left, by the call that took them. */
  leaks(): readonly Finding[];
  /** The totals when everything launched before has ended. */
  record(): Promise<DeviceEvent>;
  /** When all that was launched has ended. */
  synchronize(): Promise<void>;
  /** Ends the threads that launches have started; they also end with the host's program, and later launches start others. */
  close(): Promise<void>;
}

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

/** A tensor map with its memory: `offset` bytes into a buffer, from its beginning unless given. */
export interface DeviceTensorMap extends TensorMap {
  readonly buffer: DeviceBuffer;
  readonly offset?: number;
}
