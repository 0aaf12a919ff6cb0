// The library's device: a process with buffers and launches, for programs that want results rather than stages. Faults of a
// kernel are in the launch's result; wrong arguments throw, because they are the calling program's own.

import type { Address } from "../base/brand.js";
import type { LinkedImage } from "../object/object.js";
import { elementType, type ElementName } from "../load/elements.table.js";
import { findVariable, loadImage, type LoadOptions, variableBytes } from "../load/load.js";
import { packParameters } from "../load/parameters.js";
import type { LoadedVariable, Process } from "../load/process.js";
import { createPrograms } from "./bind.js";
import { createLaunch, type LaunchOptions } from "./launch.js";
import type { LaunchResult } from "./result.js";

/** Arrays whose bytes can be copied to and from a device. */
export type HostArray = Exclude<NodeJS.TypedArray, Uint8ClampedArray> | DataView;

/** Memory on the device; its address is what a kernel is passed. */
export interface DeviceBuffer {
  readonly address: Address;
  /** Bytes. */
  readonly size: number;
}

/** One argument of a launch: a buffer's address, bytes as they are, or a number of a type ("u32", "f64" ...). */
export type DeviceArgument =
  DeviceBuffer | Uint8Array | { readonly type: ElementName; readonly value: number | bigint };

export type Extent = number | readonly [number, number?, number?];

export interface DeviceLaunch extends Omit<LaunchOptions, "programs"> {
  readonly grid: Extent;
  readonly block: Extent;
  readonly cluster?: Extent;
  /** Dynamic shared memory, bytes. */
  readonly sharedBytes?: number;
  /** All blocks are there together and may wait for each other, as grid.sync() of cooperative groups does. */
  readonly cooperative?: boolean;
  readonly args?: readonly DeviceArgument[];
}

export interface Device {
  readonly process: Process;
  /** Memory of that many bytes, zeroed, or holding a copy of the array's bytes. */
  alloc(content: number | HostArray): DeviceBuffer;
  /** Gives memory back. */
  free(buffer: DeviceBuffer): void;
  /** Copies to the device, from `offset` bytes into the buffer on. */
  write(buffer: DeviceBuffer, data: HostArray, offset?: number): void;
  /** Fills the array from the buffer, from `offset` bytes into it on, and returns it. */
  read<T extends HostArray>(buffer: DeviceBuffer, into: T, offset?: number): T;
  /** A module variable by name, or `NAME@MODULE`, as a buffer. */
  symbol(name: string): DeviceBuffer;
  /**
   * Runs a kernel to its end. Rejects with RangeError when there is no such kernel or the arguments do not fit it, and with
   * BindError when it uses an instruction that is not executed.
   */
  launch(kernel: string, launch: DeviceLaunch): Promise<LaunchResult>;
}

const MOST_THREADS = 1024;

/** Opens a device with the image loaded. */
export function openDevice(image: LinkedImage, options: LoadOptions = {}): Device {
  const process = loadImage(image, options);
  const programs = createPrograms(process);
  const bytesOf = ({ address, size }: DeviceBuffer): Uint8Array => {
    const variable = process.variables.find((each) => each.address === address);
    if (variable !== undefined) return variableBytes(process, variable);
    const region = process.memory.find(address, size);
    if (region === undefined) throw new RangeError(`there is no device memory of ${size} bytes at that address`);
    return region.bytes.subarray(address - region.base, address - region.base + size);
  };
  const part = (buffer: DeviceBuffer, offset: number, size: number): Uint8Array => {
    if (offset < 0 || offset + size > buffer.size)
      throw new RangeError(`${size} bytes at offset ${offset} do not fit a buffer of ${buffer.size}`);
    return bytesOf(buffer).subarray(offset, offset + size);
  };
  const device: Device = {
    process,
    alloc(content) {
      const size = typeof content === "number" ? content : content.byteLength;
      const { base } = process.memory.allocate(size);
      const buffer = { address: base, size };
      if (typeof content !== "number") device.write(buffer, content);
      return buffer;
    },
    free(buffer) {
      if (!process.memory.release(buffer.address)) throw new RangeError("free of memory that is not allocated");
    },
    write(buffer, data, offset = 0) {
      part(buffer, offset, data.byteLength).set(asBytes(data));
    },
    read(buffer, into, offset = 0) {
      asBytes(into).set(part(buffer, offset, into.byteLength));
      return into;
    },
    symbol(name) {
      const { address, size } = variableNamed(process, name);
      return { address, size };
    },
    async launch(name, { grid, block, cluster, sharedBytes = 0, cooperative = false, args = [], ...rest }) {
      const kernel = process.kernels.get(name);
      if (kernel === undefined)
        throw new RangeError(`no kernel '${name}'; there are: ${[...process.kernels.keys()].join(", ") || "none"}`);
      const packed = packParameters(kernel, args.map(argumentBytes));
      if (!packed.ok) throw new RangeError(packed.message);
      const config = {
        grid: extents(grid, "grid", Infinity),
        block: extents(block, "block", MOST_THREADS),
        sharedBytes: count(sharedBytes, "sharedBytes", 0),
        parameters: packed.bytes,
        cooperative,
        ...(cluster === undefined ? {} : { cluster: extents(cluster, "cluster", Infinity) }),
      };
      return createLaunch(process, kernel, config, { ...rest, programs }).run();
    },
  };
  return device;
}

function asBytes(data: HostArray): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

function variableNamed(process: Process, name: string): LoadedVariable {
  const variable = findVariable(process, name);
  if (variable === undefined) throw new RangeError(`no module variable '${name}'`);
  if (variable === "ambiguous") throw new RangeError(`several modules have a static '${name}': say NAME@MODULE`);
  return variable;
}

function extents(extent: Extent, what: string, most: number): readonly [number, number, number] {
  const [x, y = 1, z = 1] = typeof extent === "number" ? [extent] : extent;
  const total = count(x, what, 1) * count(y, what, 1) * count(z, what, 1);
  if (total > most) throw new RangeError(`${what}: ${total} threads; at most ${most} are possible`);
  return [x, y, z];
}

function count(value: number, what: string, least: number): number {
  if (!Number.isSafeInteger(value) || value < least) throw new RangeError(`${what}: ${value} is no count`);
  return value;
}

function argumentBytes(argument: DeviceArgument): Uint8Array {
  if (argument instanceof Uint8Array) return argument;
  if ("address" in argument) return argumentBytes({ type: "u64", value: BigInt(argument.address) });
  const type = elementType(argument.type);
  if (type === undefined) throw new RangeError(`no element type '${argument.type}'`);
  const { value } = argument;
  const isWhole = typeof value === "bigint" || Number.isInteger(value);
  const [low, high] = type.range ?? [];
  if (low !== undefined && high !== undefined && !(isWhole && value >= low && value <= high))
    throw new RangeError(`${value} does not fit .${type.name}`);
  const view = new DataView(new ArrayBuffer(type.bytes));
  type.store(view, 0, value);
  return new Uint8Array(view.buffer);
}
