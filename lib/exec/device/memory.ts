// A device's memory as its buffers and images: allocations, copies and fills by the host.

import { variableBytes } from "../../load/load.js";
import type { Process } from "../../load/process.js";
import { type DeviceBuffer, numberBytes, type TypedNumber, wholeNumber } from "./arguments.js";
import { demandBuffer, demandMemory } from "./handles.js";
import type { HostArray, HostArrayType, DeviceImage } from "./interface.js";
import { arrayFor, asBytes } from "./names.js";

/** The current bytes of a buffer. */
function bytesOf(process: Process, { address, size }: DeviceBuffer): Uint8Array {
  const variable = process.variables.find(
    (each) => address >= each.address && address + size <= each.address + each.size,
  );
  if (variable !== undefined) {
    const at = address - variable.address;
    return variableBytes(process, variable).subarray(at, at + size);
  }
  const region = process.memory.find(address, size);
  if (region === undefined) throw new RangeError(`there is no device memory of ${size} bytes at that address`);
  return region.bytes.subarray(address - region.base, address - region.base + size);
}

/** A range of bytes of a buffer or an image. */
function bytesAt(process: Process, of: DeviceBuffer | DeviceImage, offset: number, size: number): Uint8Array {
  if (!("image" in of)) return bytesOf(process, partOfBuffer(of, offset, size));
  if (offset < 0 || offset + size > of.size)
    throw new RangeError(`${size} bytes at offset ${offset} do not fit an image of ${of.size} bytes`);
  if (of.image.isReleased) throw new RangeError("the memory of this image has been freed");
  return of.image.storage.bytes.subarray(offset, offset + size);
}

export function allocateBuffer({ memory }: Process, content: number | HostArray): DeviceBuffer {
  const bytes = typeof content === "number" ? undefined : asBytes(content, "alloc");
  const region = memory.allocate(bytes?.length ?? wholeNumber(content as number, "alloc, bytes", 0));
  if (bytes !== undefined) region.bytes.set(bytes);
  return { address: region.base, size: region.size };
}

export function partOfBuffer(buffer: DeviceBuffer, offset: number, size = buffer.size - offset): DeviceBuffer {
  if (offset < 0 || size < 0 || offset + size > buffer.size)
    throw new RangeError(`${size} bytes at offset ${offset} do not fit a buffer of ${buffer.size} bytes`);
  return { address: (buffer.address + offset) as DeviceBuffer["address"], size };
}

export function writeBytes(process: Process, to: DeviceBuffer | DeviceImage, data: HostArray, offset: number): void {
  const bytes = asBytes(data, "write");
  bytesAt(process, demandMemory(to, "write"), offset, bytes.length).set(bytes);
}

export function readBytes<T extends HostArray>(
  process: Process,
  from: DeviceBuffer | DeviceImage,
  into: T | HostArrayType<T>,
  offset: number,
): T {
  const array = typeof into === "function" ? arrayFor(demandMemory(from, "read"), into) : into;
  const bytes = asBytes(array, "read");
  bytes.set(bytesAt(process, demandMemory(from, "read"), offset, bytes.length));
  return array;
}

export function copyBuffer(process: Process, target: DeviceBuffer, source: DeviceBuffer): void {
  const from = bytesOf(process, demandBuffer(source, "copy"));
  bytesOf(process, partOfBuffer(demandBuffer(target, "copy"), 0, source.size)).set(from);
}

export function fillBuffer(process: Process, buffer: DeviceBuffer, element: TypedNumber): void {
  const one = numberBytes(element, "fill");
  demandBuffer(buffer, "fill");
  if (buffer.size % one.length !== 0)
    throw new RangeError(`${buffer.size} bytes are not a multiple of an element's ${one.length}`);
  const bytes = bytesOf(process, buffer);
  for (let at = 0; at < bytes.length; at += one.length) bytes.set(one, at);
}
