// Reads bytes at generic addresses of a lane, for arguments of the system functions: format strings, argument blocks, messages.

import { CLUSTER_STRIDE, spaceOf, windowBase } from "../../load/address-space.js";
import { hex } from "./access.js";
import { KernelFault } from "../state/fault.js";
import type { Frame } from "../state/frame.js";

/** Bytes from `address` to the end of the memory that contains it; undefined if none does. */
function bytesFrom(frame: Frame, lane: number, address: number): Uint8Array | undefined {
  const { warp } = frame;
  const { launch } = warp.block;
  const slice = (view: DataView, offset: number, end = view.byteLength): Uint8Array | undefined =>
    offset < end ? new Uint8Array(view.buffer, view.byteOffset + offset, end - offset) : undefined;
  const layout = launch.process.space;
  const space = spaceOf(address, layout);
  switch (space) {
    case "shared": {
      const offset = address - windowBase("shared", layout);
      const peer = warp.block.cluster.blocks[Math.floor(offset / CLUSTER_STRIDE)];
      return peer && slice(peer.shared, offset % CLUSTER_STRIDE);
    }
    case "const":
      return slice(launch.process.constants.view, address - windowBase("const", layout));
    case "param":
      return slice(launch.parameters, address - windowBase("param", layout));
    case "local": {
      const start = lane * warp.localStride;
      return slice(warp.local, start + address - windowBase("local", layout), start + frame.localTop);
    }
    case "global": {
      const region = launch.process.memory.find(address, 1);
      return region && region.bytes.subarray(address - region.base);
    }
    case undefined:
      return undefined;
  }
}

/** `length` bytes at a generic address. Throws KernelFault if not all of them exist. */
export function readBytes(frame: Frame, lane: number, address: number, length: number): Uint8Array {
  const bytes = bytesFrom(frame, lane, address);
  if (bytes === undefined || bytes.length < length)
    throw new KernelFault("illegal-address", `no memory at ${hex(address)} (${length} bytes)`, { lane, address });
  return bytes.subarray(0, length);
}

/** Bytes before the next zero byte. Throws KernelFault if there is no memory or no zero byte. */
export function readString(frame: Frame, lane: number, address: number): Uint8Array {
  const bytes = bytesFrom(frame, lane, address);
  const end = bytes === undefined ? -1 : bytes.indexOf(0);
  if (bytes === undefined || end < 0)
    throw new KernelFault("illegal-address", `no string at ${hex(address)}`, { lane, address });
  return bytes.subarray(0, end);
}
