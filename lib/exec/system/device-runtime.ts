// The device runtime's functions (isa/device-runtime.table.ts), as kernels call them. Each returns an error, which the thread's
// cudaGetLastError then returns. Streams and events order the requests of one block, and these run in that order anyway
// (work.ts). A handle is a number that has been created and not destroyed.

import type { Dimensions } from "../../base/dimensions.js";
import type { Address } from "../../base/brand.js";
import type { DeviceRuntimeFunction } from "../../isa/device-runtime.table.js";
import type { LoadedKernel } from "../../load/process.js";
import { readBytes } from "../operands/generic-bytes.js";
import { launchProblem } from "../machine/launch-limits.js";
import type { Frame } from "../state/frame.js";
import type { LaunchState, NestedWork, DeviceRuntime, Planned } from "../state/launch.js";
import { lanesIn } from "../machine/walk.js";
import { deviceAttribute, deviceLimit, funcAttributes, residentBlocks } from "./device-attributes.js";
import { cudaError, errorTexts, UNKNOWN_ERROR, type CudaError } from "../../isa/cuda-errors.table.js";
import { littleEndian, type SystemCall } from "./system-call.js";

/** Handles of streams that always exist: the default one, legacy and per thread, tail launch, fire and forget. */
const STREAM = { none: 0, legacy: 1, perThread: 2, tailLaunch: 3, fireAndForget: 4 } as const;
const FIRST_HANDLE = 0x1000;
const RUNTIME_VERSION = 13_000;

export const createDeviceRuntime = (): DeviceRuntime => ({
  work: [],
  buffers: new Map(),
  lastErrors: new Map(),
  handles: new Set(),
  nextHandle: FIRST_HANDLE,
});

/** One thread's call. */
interface Call {
  readonly frame: Frame;
  readonly lane: number;
  readonly launch: LaunchState;
  readonly runtime: DeviceRuntime;
  /** An argument as an unsigned number, or as a dim3. */
  readonly number: (index: number) => number;
  readonly dimensions: (index: number) => Dimensions;
}

/** Functions that return an error, and functions that return an address. */
type ErrorOf = (call: Call) => CudaError;
type AddressOf = (call: Call) => number;

const signed = (value: number): number => value | 0;

function store({ frame, lane }: Call, address: number, bytes: Uint8Array): CudaError {
  frame.warp.block.launch.sanitizer?.written(frame, lane, address, bytes.length);
  readBytes(frame, lane, address, bytes.length).set(bytes);
  return cudaError.success;
}

/** Stores a value at the address in an argument; returns the error `missing` if there is no value. */
const stored = (call: Call, index: number, value: number | undefined, bytes: 4 | 8, missing: CudaError): CudaError =>
  value === undefined ? missing : store(call, call.number(index), littleEndian(value, bytes));

const threadOf = ({ frame, lane, launch }: Call): number =>
  frame.warp.block.index * launch.threadsPerBlock + 32 * frame.warp.index + lane;

function kernelAt({ launch: { process } }: Call, address: number): LoadedKernel | undefined {
  const fn = process.functionAt(address);
  const kernel = fn && process.kernels.get(fn.name);
  return kernel?.function === fn ? kernel : undefined;
}

const isStream = ({ runtime }: Call, handle: number): boolean =>
  handle <= STREAM.fireAndForget || runtime.handles.has(handle);

const isEvent = ({ runtime }: Call, handle: number): boolean => runtime.handles.has(handle);

function put(call: Call, work: NestedWork["work"], stream: number): CudaError {
  if (!isStream(call, stream)) return cudaError.invalidResourceHandle;
  const { index, coordinates } = call.frame.warp.block;
  call.runtime.work.push({ work, block: index, coordinates, isTail: stream === STREAM.tailLaunch });
  return cudaError.success;
}

// -------------------------------------------------------------------------------------------------------------- launches

function takeBuffer({ launch, runtime }: Call, bytes: number, planned: Planned | undefined): number {
  const { memory } = launch.process;
  try {
    const { base } = memory.allocate(Math.max(1, bytes), undefined, "heap");
    runtime.buffers.set(base, planned);
    return base;
  } catch (error) {
    if (error instanceof RangeError) return 0;
    throw error;
  }
}

const parameterBufferV2: AddressOf = (call) => {
  const kernel = kernelAt(call, call.number(0));
  const planned = { kernel, grid: call.dimensions(1), block: call.dimensions(2), sharedBytes: call.number(3) };
  return takeBuffer(call, kernel?.info.parameterBytes ?? 0, planned);
};

/** Frees the buffer, and requests the launch that its parameters are for. */
function launchWith(call: Call, buffer: number, planned: Planned | undefined, stream: number): CudaError {
  const { frame, lane, launch, runtime } = call;
  if (!runtime.buffers.has(buffer) || planned === undefined) return cudaError.invalidValue;
  const { kernel, grid, block, sharedBytes } = planned;
  const bytes = kernel === undefined ? undefined : readBytes(frame, lane, buffer, kernel.info.parameterBytes).slice();
  runtime.buffers.delete(buffer);
  launch.process.memory.release(buffer as Address, "heap");
  if (kernel === undefined || bytes === undefined) return cudaError.invalidDeviceFunction;
  const isEmpty = [...grid, ...block].includes(0);
  if (isEmpty || launchProblem(kernel, { grid, block, sharedBytes }) !== undefined)
    return cudaError.invalidConfiguration;
  const config = { grid, block, sharedBytes, parameters: bytes };
  return put(call, { kind: "launch", kernel: kernel.name, config }, stream);
}

const launchV2: ErrorOf = (call) => {
  const buffer = call.number(0);
  return launchWith(call, buffer, call.runtime.buffers.get(buffer), call.number(1));
};

const launchV1: ErrorOf = (call) => {
  const kernel = kernelAt(call, call.number(0));
  const planned = { kernel, grid: call.dimensions(2), block: call.dimensions(3), sharedBytes: call.number(4) };
  return launchWith(call, call.number(1), planned, call.number(5));
};

// ------------------------------------------------------------------------------------------------------ streams, memory

const create: ErrorOf = (call) => {
  const handle = call.runtime.nextHandle++;
  call.runtime.handles.add(handle);
  return store(call, call.number(0), littleEndian(handle, 8));
};

const destroy: ErrorOf = ({ runtime, number }) =>
  runtime.handles.delete(number(0)) ? cudaError.success : cudaError.invalidResourceHandle;

const onEvent =
  (event: number, stream: number): ErrorOf =>
  (call) =>
    isEvent(call, call.number(event)) && isStream(call, call.number(stream))
      ? cudaError.success
      : cudaError.invalidResourceHandle;

const malloc: ErrorOf = (call) => {
  const { memory } = call.launch.process;
  try {
    return store(call, call.number(0), littleEndian(memory.allocate(call.number(1), undefined, "heap").base, 8));
  } catch (error) {
    if (error instanceof RangeError) return cudaError.memoryAllocation;
    throw error;
  }
};

const free: ErrorOf = ({ launch, number }) => {
  const address = number(0);
  return address === 0 || launch.process.memory.release(address as Address, "heap")
    ? cudaError.success
    : cudaError.invalidValue;
};

// -------------------------------------------------------------------------------------------------------------- questions

const occupancy: ErrorOf = (call) => {
  const kernel = kernelAt(call, call.number(1));
  const threads = signed(call.number(2));
  if (kernel === undefined) return cudaError.invalidDeviceFunction;
  if (threads <= 0) return cudaError.invalidValue;
  return stored(call, 0, residentBlocks(kernel, threads, call.number(3)), 4, cudaError.invalidValue);
};

const kernelFacts: ErrorOf = (call) => {
  const kernel = kernelAt(call, call.number(1));
  if (kernel === undefined) return cudaError.invalidDeviceFunction;
  const { launch } = call;
  const { frameBytes } = launch.programOf(kernel.function);
  return store(call, call.number(0), funcAttributes(launch.process, kernel, frameBytes));
};

const errors: { readonly [Name in DeviceRuntimeFunction]?: ErrorOf } = {
  LaunchDevice: launchV1,
  LaunchDeviceV2: launchV2,
  StreamCreateWithFlags: create,
  StreamDestroy: destroy,
  StreamWaitEvent: onEvent(1, 0),
  EventCreateWithFlags: create,
  EventDestroy: destroy,
  EventRecord: onEvent(0, 1),
  EventRecordWithFlags: onEvent(0, 1),
  Malloc: malloc,
  Free: free,
  MemcpyAsync: (call) => {
    const [to, from, width] = [0, 1, 2].map(call.number) as [number, number, number];
    return put(call, { kind: "copy", to, from, width, height: 1, toPitch: width, fromPitch: width }, call.number(4));
  },
  Memcpy2DAsync: (call) => {
    const [to, toPitch, from, fromPitch, width, height] = [0, 1, 2, 3, 4, 5].map(call.number) as [
      ...[number, number, number],
      ...[number, number, number],
    ];
    if (width > toPitch || width > fromPitch) return cudaError.invalidValue;
    return put(call, { kind: "copy", to, toPitch, from, fromPitch, width, height }, call.number(7));
  },
  MemsetAsync: (call) => {
    const [to, value, width] = [0, 1, 2].map(call.number) as [number, number, number];
    return put(call, { kind: "fill", to, toPitch: width, value: value & 255, width, height: 1 }, call.number(3));
  },
  Memset2DAsync: (call) => {
    const [to, toPitch, value, width, height] = [0, 1, 2, 3, 4].map(call.number) as [
      ...[number, number, number],
      ...[number, number],
    ];
    if (width > toPitch) return cudaError.invalidValue;
    return put(call, { kind: "fill", to, toPitch, value: value & 255, width, height }, call.number(5));
  },
  DeviceGetAttribute: (call) =>
    call.number(2) === 0
      ? stored(call, 0, deviceAttribute(call.launch.process, call.number(1)), 4, cudaError.invalidValue)
      : cudaError.invalidDevice,
  DeviceGetLimit: (call) =>
    stored(call, 0, deviceLimit(call.launch.process, call.number(1)), 8, cudaError.unsupportedLimit),
  DeviceGetCacheConfig: (call) => stored(call, 0, 0, 4, cudaError.invalidValue),
  DeviceGetSharedMemConfig: (call) => stored(call, 0, 1, 4, cudaError.invalidValue),
  GetDeviceCount: (call) => stored(call, 0, 1, 4, cudaError.invalidValue),
  GetDevice: (call) => stored(call, 0, 0, 4, cudaError.invalidValue),
  RuntimeGetVersion: (call) => stored(call, 0, RUNTIME_VERSION, 4, cudaError.invalidValue),
  FuncGetAttributes: kernelFacts,
  OccupancyMaxActiveBlocksPerMultiprocessor: occupancy,
  OccupancyMaxActiveBlocksPerMultiprocessorWithFlags: occupancy,
};

/** The address of a text that the device can read. Each text is stored once. */
function addressOfText({ launch: { process } }: Call, text: string): number {
  const { texts } = process.history;
  let address = texts.get(text);
  if (address === undefined) {
    const bytes = new TextEncoder().encode(`${text}\0`);
    const region = process.memory.allocate(bytes.length);
    region.bytes.set(bytes);
    texts.set(text, (address = region.base));
  }
  return address;
}

const addresses: { readonly [Name in DeviceRuntimeFunction]?: AddressOf } = {
  GetParameterBuffer: (call) => takeBuffer(call, call.number(1), undefined),
  GetParameterBufferV2: parameterBufferV2,
  GetErrorName: (call) => addressOfText(call, (errorTexts.get(call.number(0)) ?? UNKNOWN_ERROR)[0]),
  GetErrorString: (call) => addressOfText(call, (errorTexts.get(call.number(0)) ?? UNKNOWN_ERROR)[1]),
};

function lastError(call: Call, isForgotten: boolean): CudaError {
  const thread = threadOf(call);
  const { lastErrors } = call.runtime;
  const error = lastErrors.get(thread) ?? cudaError.success;
  if (isForgotten) lastErrors.delete(thread);
  return error;
}

type Carry = (call: SystemCall) => void;

const forEachLane =
  (answer: (call: Call) => Uint8Array): Carry =>
  ({ warp, frame, mask, arguments: values, argumentBytes, result }) => {
    const { launch } = warp.block;
    for (const lane of lanesIn(mask)) {
      const dimensions = (index: number): Dimensions => {
        const bytes = argumentBytes[index]!(lane);
        const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
        return [view.getUint32(0, true), view.getUint32(4, true), view.getUint32(8, true)];
      };
      const number = (index: number): number => values[index]!(lane);
      result(lane, answer({ frame, lane, launch, runtime: launch.runtime, number, dimensions }));
    }
  };

const withError = (of: ErrorOf): Carry =>
  forEachLane((call) => {
    const error = of(call);
    if (error !== cudaError.success) call.runtime.lastErrors.set(threadOf(call), error);
    return littleEndian(error, 4);
  });

const entriesOf = <Of>(table: { readonly [Name in DeviceRuntimeFunction]?: Of }, carry: (of: Of) => Carry) =>
  (Object.entries(table) as [DeviceRuntimeFunction, Of][]).map(([name, of]) => [name, carry(of)] as const);

export const deviceRuntimeCalls = Object.fromEntries([
  ...entriesOf(errors, withError),
  ...entriesOf(addresses, (of) => forEachLane((call) => littleEndian(of(call), 8))),
  ["GetLastError", forEachLane((call) => littleEndian(lastError(call, true), 4))],
  ["PeekAtLastError", forEachLane((call) => littleEndian(lastError(call, false), 4))],
]) as Readonly<Record<DeviceRuntimeFunction, Carry>>;
