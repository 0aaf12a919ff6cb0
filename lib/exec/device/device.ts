// The library's device: a process with buffers and launches, for programs that need results rather than stages. A launch's result
// contains the kernel's faults; wrong arguments throw, because the calling program caused them. Names are the CUDA driver API's
// where it has some.
// Launches and events run in the order of the calls, as in one stream. The host's copies run immediately, so a caller must await
// a launch before it reads the results.

import type { LinkedImage } from "../../object/object.js";
import { checkOptions, describe } from "../../base/known-options.js";
import { loadImage } from "../../load/load.js";
import { deviceAttributes, kernelAttributes } from "../machine/attributes.js";
import type { DeviceBuffer } from "./arguments.js";
import type {
  DeviceImage,
  HostArray,
  HostArrayType,
  DeviceTiming,
  TimeLaunch,
  DeviceOptions,
  DeviceEvent,
  Device,
} from "./interface.js";
import { demandBuffer, demandMemory } from "./handles.js";
import { createLaunchQueue, enqueueLaunch, inOrder } from "./launches.js";
import { allocateBuffer, copyBuffer, fillBuffer, partOfBuffer, readBytes, writeBytes } from "./memory.js";
import { createDeviceImages } from "./images.js";
import { kernelNamed, variableNamed } from "./names.js";
import { deviceOptions, imageOptions, launchOptions } from "./options.js";
import { tensorMapBytes } from "./tensor-map.js";

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

/** Opens a device and loads the image. */
export function openDevice<Timing extends DeviceTiming>(
  image: LinkedImage,
  options: DeviceOptions<Timing> & { readonly time: TimeLaunch<Timing> },
): Device<Timing>;
export function openDevice(image: LinkedImage, options?: DeviceOptions): Device;
export function openDevice<Timing extends DeviceTiming>(
  image: LinkedImage,
  options: DeviceOptions<Timing> = {},
): Device<Timing | undefined> {
  checkOptions(options, deviceOptions, "openDevice", { launch: launchOptions });
  if (typeof image !== "object" || image === null || !("kernels" in image))
    throw new RangeError(`openDevice: a linked image, as linkSources returns it, is expected, not ${describe(image)}`);
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
      demandMemory(buffer, "free");
      if ("image" in buffer) images.free(buffer);
      else if (!memory.release(buffer.address)) throw new RangeError("free of memory that is not allocated");
    },
    part: (buffer, offset, size) => partOfBuffer(demandBuffer(buffer, "part"), offset, size),
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
