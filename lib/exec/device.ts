// The library's device: a process with buffers and launches, for programs that need results rather than stages. A launch's result
// contains the kernel's faults; wrong arguments throw, because the calling program caused them. Names are the CUDA driver API's
// where it has some.
// Launches and events run in the order of the calls, as in one stream. The host's copies run at once, so a caller must await a
// launch before it reads the results.

import type { LinkedImage } from "../object/object.js";
import { checkOptions } from "../base/known-options.js";
import type { ImageDescription } from "../load/image.js";
import { loadImage, type LoadOptions } from "../load/load.js";
import type { LoadedKernel, Process } from "../load/process.js";
import { type DeviceAttributes, deviceAttributes, type KernelAttributes, kernelAttributes } from "./attributes.js";
import type { DeviceArgument, DeviceBuffer, Extent, TypedNumber } from "./device-arguments.js";
import { createLaunchQueue, enqueueLaunch, inOrder } from "./device-launches.js";
import { allocateBuffer, copyBuffer, fillBuffer, partOfBuffer, readBytes, writeBytes } from "./device-memory.js";
import {
  createDeviceImages,
  type DeviceImage,
  type DeviceSurface,
  type DeviceTexture,
  type SurfaceDescription,
  type TextureDescription,
} from "./device-images.js";
import { kernelNamed, variableNamed } from "./device-names.js";
import { deviceOptions, imageOptions } from "./device-options.js";
import { type DeviceTensorMap, tensorMapBytes } from "./device-tensor-map.js";
import type { Launch, LaunchOptions } from "./launch.js";
import type { LaunchConfig, LaunchResult } from "./result.js";
import type { Finding } from "./sanitize/finding.js";
import type { WorkerOptions } from "./workers/workers.js";

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

/** Runs a launch and answers how long it took; timedOn() makes one. */
export type TimeLaunch<Timing extends DeviceTiming> = (
  launch: Launch,
  kernel: LoadedKernel,
  shape: LaunchConfig,
) => Timing | Promise<Timing>;

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

/** The device's work between two events. */
export function elapsed(start: DeviceEvent, end: DeviceEvent): DeviceEvent {
  return {
    launches: end.launches - start.launches,
    warpInstructions: end.warpInstructions - start.warpInstructions,
    threadInstructions: end.threadInstructions - start.threadInstructions,
    cycles: end.cycles - start.cycles,
    microseconds: end.microseconds - start.microseconds,
  };
}

/** Opens a device with the image loaded. */
export function openDevice<Timing extends DeviceTiming>(
  image: LinkedImage,
  options: DeviceOptions<Timing> & { readonly time: TimeLaunch<Timing> },
): Device<Timing>;
export function openDevice(image: LinkedImage, options?: DeviceOptions): Device;
export function openDevice<Timing extends DeviceTiming>(
  image: LinkedImage,
  options: DeviceOptions<Timing> = {},
): Device<Timing | undefined> {
  checkOptions(options, deviceOptions, "openDevice");
  const process = loadImage(image, options);
  const { memory } = process;
  const images = createDeviceImages(process);
  const queue = createLaunchQueue(process, options);
  return {
    process,
    attributes: deviceAttributes(memory.limitBytes),
    kernels: [...process.kernels.keys()],
    get memory() {
      const { allocatedBytes, peakBytes, limitBytes, allocations } = memory;
      return { allocatedBytes, peakBytes, limitBytes, allocations };
    },
    alloc: (content) => allocateBuffer(process, content),
    image(description, content) {
      checkOptions(description, imageOptions, "image");
      const created = images.image(description);
      if (content !== undefined) writeBytes(process, created, content, 0);
      return created;
    },
    texture: (description) => images.texture(description),
    surface: (description) => images.surface(description),
    bind: (name, object) => images.bind(name, object),
    free(buffer) {
      if ("image" in buffer) images.free(buffer);
      else if (!memory.release(buffer.address)) throw new RangeError("free of memory that is not allocated");
    },
    part: partOfBuffer,
    write: (target, data, offset = 0) => writeBytes(process, target, data, offset),
    read: <T extends HostArray>(source: DeviceBuffer | DeviceImage, into: T | HostArrayType<T>, offset = 0): T =>
      readBytes(process, source, into, offset),
    copy: (target, source) => copyBuffer(process, target, source),
    fill: (buffer, element) => fillBuffer(process, buffer, element),
    symbol(name) {
      const { address, size } = variableNamed(process, name);
      return { address, size };
    },
    tensorMap: tensorMapBytes,
    kernel: (name) => kernelAttributes(kernelNamed(process, name)),
    // Asynchronous, so that wrong arguments reject.
    launch: async (name, launch) => enqueueLaunch(queue, name, launch),
    leaks: queue.sanitizing.leaks,
    record: () => inOrder(queue, () => queue.done),
    synchronize: () => inOrder(queue, () => {}),
    close: () => inOrder(queue, () => queue.workers?.close()),
  };
}
