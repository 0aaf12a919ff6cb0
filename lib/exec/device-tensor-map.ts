// Tensor maps made by a program: what cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col do.

import { encodeTensorMap, type TensorMap, tensorMapProblem } from "../load/tensor-map.js";
import type { DeviceBuffer } from "./device-arguments.js";

/** A tensor map with its memory: `offset` bytes into a buffer, from its beginning unless given. */
export interface DeviceTensorMap extends TensorMap {
  readonly buffer: DeviceBuffer;
  readonly offset?: number;
}

/** The 128 bytes of a map. Throws RangeError where it breaks a limit of the driver. */
export function tensorMapBytes({ buffer, offset = 0, ...map }: DeviceTensorMap): Uint8Array {
  const problem = tensorMapProblem(map, buffer.address + offset, buffer.size - offset);
  if (problem !== undefined) throw new RangeError(`tensor map, ${problem.member}: ${problem.message}`);
  return encodeTensorMap(map, buffer.address + offset);
}
