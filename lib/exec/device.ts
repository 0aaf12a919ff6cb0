// The library's device: a process with buffers and launches, for programs that need results rather than stages. A launch's result
// contains the kernel's faults; wrong arguments throw, because the calling program caused them. Names are the CUDA driver API's
// where it has some.
// Launches and events run in the order of the calls, as in one stream. The host's copies run at once, so a caller must await a
// launch before it reads the results.

import type { LinkedImage } from "../object/object.js";
import { checkOptions } from "../base/known-options.js";
import type { ImageDescription } from "../load/image.js";
import { loadImage, type LoadOptions, variableBytes } from "../load/load.js";
import { packParameters, pointerBytes } from "../load/parameters.js";
import type { LoadedKernel, Process } from "../load/process.js";
import { type DeviceAttributes, deviceAttributes, type KernelAttributes, kernelAttributes } from "./attributes.js";
import { createPrograms } from "./bind.js";
import { createEventLoopYield } from "./event-loop-yield.js";
import {
  argumentValue,
  type DeviceArgument,
  type DeviceBuffer,
  dimensions,
  type Extent,
  numberBytes,
  type TypedNumber,
  wholeNumber,
} from "./device-arguments.js";
import {
  createDeviceImages,
  type DeviceImage,
  type DeviceSurface,
  type DeviceTexture,
  type SurfaceDescription,
  type TextureDescription,
} from "./device-images.js";
import { arrayFor, asBytes, kernelNamed, parameterType, variableNamed } from "./device-names.js";
import { deviceOptions, imageOptions, launchOptions } from "./device-options.js";
import { type DeviceTensorMap, tensorMapBytes } from "./device-tensor-map.js";
import { createLaunch, type Launch, type LaunchOptions } from "./launch.js";
import { launchProblem } from "./launch-limits.js";
import type { LaunchConfig, LaunchResult } from "./result.js";
import type { Finding } from "./sanitize/finding.js";
import { createDeviceSanitizer } from "./device-sanitizer.js";
import { createWorkers, type WorkerOptions } from "./workers/workers.js";

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

const NOTHING: DeviceEvent = { launches: 0, warpInstructions: 0, threadInstructions: 0, cycles: 0, microseconds: 0 };

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
  const programs = createPrograms(process, options);
  const threads = wholeNumber(options.threads ?? 1, "threads", 1);
  const workers = threads === 1 ? undefined : createWorkers(process, threads - 1, options);
  const attributes = deviceAttributes(memory.limitBytes);
  const yieldToHost = createEventLoopYield();
  const images = createDeviceImages(process);
  const sanitizing = createDeviceSanitizer(process, options);
  let done = NOTHING;
  let last = 0;
  let queue: Promise<unknown> = Promise.resolve();

  const inOrder = <T>(work: () => T | Promise<T>): Promise<T> => {
    const result = queue.then(work);
    queue = result.catch(() => {});
    return result;
  };
  /** Bytes of a buffer, as they are now. */
  const bytesOf = ({ address, size }: DeviceBuffer): Uint8Array => {
    const variable = process.variables.find(
      (each) => address >= each.address && address + size <= each.address + each.size,
    );
    if (variable !== undefined) {
      const at = address - variable.address;
      return variableBytes(process, variable).subarray(at, at + size);
    }
    const region = memory.find(address, size);
    if (region === undefined) throw new RangeError(`there is no device memory of ${size} bytes at that address`);
    return region.bytes.subarray(address - region.base, address - region.base + size);
  };
  /** So many bytes of a buffer or an image. */
  const partOf = (of: DeviceBuffer | DeviceImage, offset: number, size: number): Uint8Array => {
    if (!("image" in of)) return bytesOf(device.part(of, offset, size));
    if (offset < 0 || offset + size > of.size)
      throw new RangeError(`${size} bytes at offset ${offset} do not fit an image of ${of.size}`);
    if (of.image.isReleased) throw new RangeError("the memory of this image has been given back");
    return of.image.stretch.bytes.subarray(offset, offset + size);
  };
  const run = async (
    kernel: LoadedKernel,
    config: LaunchConfig,
    rest: LaunchOptions,
    sanitize: boolean,
  ): Promise<DeviceResult<Timing | undefined>> => {
    await yieldToHost(last);
    const watching = sanitize ? sanitizing.begin() : undefined;
    const launch = createLaunch(process, kernel, config, {
      ...rest,
      programs,
      ...(workers === undefined ? {} : { workers }),
      ...watching?.options,
    });
    const timing = await options.time?.(launch, kernel, config);
    const result = await (timing === undefined ? launch.run() : launch.finish());
    last = result.warpInstructions;
    done = {
      launches: done.launches + 1,
      warpInstructions: done.warpInstructions + result.warpInstructions,
      threadInstructions: done.threadInstructions + result.threadInstructions,
      cycles: done.cycles + (timing?.cycles ?? 0),
      microseconds: done.microseconds + (timing?.microseconds ?? 0),
    };
    if (result.printf !== "") options.onPrint?.(result.printf);
    return { ...result, timing, ...(watching === undefined ? {} : { findings: watching.findings() }) };
  };

  const device: Device<Timing | undefined> = {
    process,
    attributes,
    kernels: [...process.kernels.keys()],
    get memory() {
      const { allocatedBytes, peakBytes, limitBytes, allocations } = memory;
      return { allocatedBytes, peakBytes, limitBytes, allocations };
    },
    alloc(content) {
      const bytes = typeof content === "number" ? undefined : asBytes(content, "alloc");
      const region = memory.allocate(bytes?.length ?? wholeNumber(content as number, "alloc, bytes", 0));
      if (bytes !== undefined) region.bytes.set(bytes);
      return { address: region.base, size: region.size };
    },
    image(description, content) {
      checkOptions(description, imageOptions, "image");
      const image = images.image(description);
      if (content !== undefined) device.write(image, content);
      return image;
    },
    texture: (description) => images.texture(description),
    surface: (description) => images.surface(description),
    bind: (name, object) => images.bind(name, object),
    free(buffer) {
      if ("image" in buffer) images.free(buffer);
      else if (!memory.release(buffer.address)) throw new RangeError("free of memory that is not allocated");
    },
    part(buffer, offset, size = buffer.size - offset) {
      if (offset < 0 || size < 0 || offset + size > buffer.size)
        throw new RangeError(`${size} bytes at offset ${offset} do not fit a buffer of ${buffer.size}`);
      return { address: (buffer.address + offset) as DeviceBuffer["address"], size };
    },
    write(buffer, data, offset = 0) {
      const bytes = asBytes(data, "write");
      partOf(buffer, offset, bytes.length).set(bytes);
    },
    read<T extends HostArray>(buffer: DeviceBuffer | DeviceImage, into: T | HostArrayType<T>, offset = 0): T {
      const array = typeof into === "function" ? arrayFor(buffer, into) : into;
      const bytes = asBytes(array, "read");
      bytes.set(partOf(buffer, offset, bytes.length));
      return array;
    },
    copy(target, source) {
      bytesOf(device.part(target, 0, source.size)).set(bytesOf(source));
    },
    fill(buffer, element) {
      const one = numberBytes(element, "fill");
      if (buffer.size % one.length !== 0)
        throw new RangeError(`${buffer.size} bytes are no whole number of elements of ${one.length}`);
      const bytes = bytesOf(buffer);
      for (let at = 0; at < bytes.length; at += one.length) bytes.set(one, at);
    },
    symbol(name) {
      const { address, size } = variableNamed(process, name);
      return { address, size };
    },
    tensorMap: tensorMapBytes,
    kernel: (name) => kernelAttributes(kernelNamed(process, name)),
    async launch(name, options) {
      checkOptions(options, launchOptions, "launch");
      const {
        grid,
        block,
        cluster,
        sharedBytes = 0,
        cooperative = false,
        args = [],
        sanitize = false,
        ...more
      } = options;
      const { dependent: _, ...rest } = more;
      const kernel = kernelNamed(process, name);
      const shape = {
        grid: dimensions(grid, "grid"),
        block: dimensions(block, "block"),
        sharedBytes: wholeNumber(sharedBytes, "sharedBytes", 0),
        cooperative,
        ...(cluster === undefined ? {} : { cluster: dimensions(cluster, "cluster") }),
      };
      const values = args.map((argument, i) =>
        argumentValue(argument, pointerBytes(kernel, i), `argument ${i} of '${name}'`, parameterType(kernel, i)),
      );
      const packed = packParameters(kernel, values);
      if (!packed.ok) throw new RangeError(packed.message);
      const config = { ...shape, parameters: packed.bytes };
      const problem = launchProblem(kernel, config);
      if (problem !== undefined) throw new RangeError(problem);
      return inOrder(() => run(kernel, config, rest, sanitize));
    },
    leaks: sanitizing.leaks,
    record: () => inOrder(() => done),
    synchronize: () => inOrder(() => {}),
    close: () => inOrder(() => workers?.close()),
  };
  return device;
}
