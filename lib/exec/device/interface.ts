// The library's device as programs use it: its options, launches, images and results. Names are the CUDA driver API's where it
// has some.

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

/** A constructor such as `Float32Array` or `BigUint64Array`. */
export interface HostArrayType<T extends HostArray> {
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): T;
}

/** A GPU model's result for a launch; that of timedOn() has more than this. */
export interface DeviceTiming {
  readonly cycles: number;
  readonly microseconds: number;
}

/** Runs a launch and returns how long it took; timedOn() makes such a function. */
export type TimeLaunch<Timing extends DeviceTiming> = (
  launch: Launch,
  kernel: LoadedKernel,
  shape: LaunchConfig,
) => Timing | Promise<Timing>;

/** Options of a device. */
export interface DeviceOptions<Timing extends DeviceTiming = DeviceTiming> extends LoadOptions, WorkerOptions {
  /**
   * Host threads that run the blocks of a launch, including this one; 1 by default. The others start when a launch first has
   * enough work for them. Launches on a GPU model and cooperative ones run on one thread.
   */
  readonly threads?: number;
  /** Receives what a launch printed, when it ends. */
  readonly onPrint?: (text: string) => void;
  /** Runs launches on a GPU model: `timedOn(findGpu("h100"))`. */
  readonly time?: TimeLaunch<Timing>;
}

/** The shape of a launch, its arguments and limits. */
export interface DeviceLaunch extends Omit<LaunchOptions, "programs" | "workers" | "sanitizer" | "isObserved"> {
  /**
   * Checks the kernel for errors (docs/sanitizer.md): the result has `findings`. Runs on one thread, and on the reference engine
   * unless a fast screening pass finds nothing.
   */
  readonly sanitize?: boolean;
  readonly grid: Extent;
  readonly block: Extent;
  readonly cluster?: Extent;
  /** Dynamic shared memory, in bytes. */
  readonly sharedBytes?: number;
  /** All blocks exist together and may wait for each other, as in grid.sync() of cooperative groups. */
  readonly cooperative?: boolean;
  /**
   * Programmatic dependent launch: it may begin before the preceding launch has ended. Here it never does: launches run in order,
   * and griddepcontrol.wait finds its predecessors complete.
   */
  readonly dependent?: boolean;
  readonly args?: readonly DeviceArgument[];
}

/** The result of a launch: its fault if it has one, counts, output, and time on a GPU model. */
export interface DeviceResult<Timing extends DeviceTiming | undefined = DeviceTiming | undefined> extends LaunchResult {
  /** Time on the GPU model, if the device has one. */
  readonly timing: Timing;
  /** Findings of a sanitized launch. */
  readonly findings?: readonly Finding[];
}

/** A device's totals at some point of its work: differences give the work in between. */
export interface DeviceEvent {
  readonly launches: number;
  readonly warpInstructions: number;
  readonly threadInstructions: number;
  /** Time by the GPU model; 0 without one. */
  readonly cycles: number;
  readonly microseconds: number;
}

/**
 * Device memory in bytes: buffers, the image's variables, blocks that kernels allocated with malloc, and the texels of images.
 */
export interface MemoryStatistics {
  readonly allocatedBytes: number;
  /** Maximum that was allocated at one time. */
  readonly peakBytes: number;
  readonly limitBytes: number;
  /** Number of allocations, not counting images. */
  readonly allocations: number;
}

/** `Timing` is the type of the time in results; undefined if the device has no GPU model. */
export interface Device<Timing extends DeviceTiming | undefined = DeviceTiming | undefined> {
  readonly process: Process;
  readonly attributes: DeviceAttributes;
  readonly memory: MemoryStatistics;
  /** Allocates that many bytes, zeroed, or memory with a copy of the array's bytes. */
  alloc(content: number | HostArray): DeviceBuffer;
  /** Creates an image, zeroed or with a copy of the array's bytes. */
  image(description: ImageDescription, content?: HostArray): DeviceImage;
  /** Creates a texture object from an image, or from a buffer as texels, and how it is read. */
  texture(description: TextureDescription): DeviceTexture;
  surface(description: SurfaceDescription): DeviceSurface;
  /** Binds a texture or surface to a .texref, .samplerref or .surfref of the module. */
  bind(name: string, object: DeviceTexture | DeviceSurface): void;
  /** Frees memory. */
  free(memory: DeviceBuffer | DeviceImage): void;
  /**
   * Part of a buffer: `size` bytes from `offset` on, or all of them. For an argument in the middle of a buffer, a copy, a fill.
   */
  part(buffer: DeviceBuffer, offset: number, size?: number): DeviceBuffer;
  /** Copies an array's bytes to the buffer or image, beginning at byte `offset`. */
  write(memory: DeviceBuffer | DeviceImage, data: HostArray, offset?: number): void;
  /** Fills the array with bytes of the buffer or image, beginning at byte `offset`, and returns it. */
  read<T extends HostArray>(memory: DeviceBuffer | DeviceImage, into: T, offset?: number): T;
  /** Reads the whole buffer or image as an array of that type. */
  read<T extends HostArray>(memory: DeviceBuffer | DeviceImage, as: HostArrayType<T>): T;
  /** Copies all of `source` to the beginning of `target`; they may overlap. */
  copy(target: DeviceBuffer, source: DeviceBuffer): void;
  /** Sets every element to a value: memset, of any type. */
  fill(buffer: DeviceBuffer, element: TypedNumber): void;
  /** A module variable by name, or `NAME@MODULE`, as a buffer. */
  symbol(name: string): DeviceBuffer;
  /**
   * Makes a tensor map of device memory, for a kernel parameter of 128 bytes. Throws RangeError if it breaks a limit of the
   * driver.
   */
  tensorMap(map: DeviceTensorMap): Uint8Array;
  /** Names of all kernels. */
  readonly kernels: readonly string[];
  kernel(name: string): KernelAttributes;
  /**
   * Runs a kernel to its end, after all earlier launches. Rejects with RangeError if there is no such kernel or the arguments do
   * not fit it, and with BindError if it uses an instruction that is not executed.
   */
  launch(kernel: string, launch: DeviceLaunch): Promise<DeviceResult<Timing>>;
  /** Blocks of the device heap that sanitized launches have not freed, by the call that allocated them. */
  leaks(): readonly Finding[];
  /** The totals, once everything launched before has ended. */
  record(): Promise<DeviceEvent>;
  /** Resolves once everything launched before has ended. */
  synchronize(): Promise<void>;
  /** Ends the threads that launches have started. They also end with the host's program, and later launches start others. */
  close(): Promise<void>;
}

/** Memory of texels, which kernels access through textures and surfaces. */
export interface DeviceImage {
  readonly image: LoadedImage;
  readonly description: ImageDescription;
  /** Bytes of all levels, in the order channel, x, y, z or layer, level, without padding. */
  readonly size: number;
}

/** A texture object: an opaque handle, which is a .u64 argument of a launch. */
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

/** The image, and the level of it, that a surface accesses. */
export interface SurfaceDescription {
  readonly image: DeviceImage;
  /** Mip level; 0 by default. */
  readonly level?: number;
}

/** A tensor map with its memory, which begins `offset` bytes (0 by default) into a buffer. */
export interface DeviceTensorMap extends TensorMap {
  readonly buffer: DeviceBuffer;
  readonly offset?: number;
}
