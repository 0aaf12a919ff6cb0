// Tensor maps made by a program, as cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col make them.

import { checkOptions } from "../../base/known-options.js";
import { encodeTensorMap, tensorMapProblem } from "../../load/tensor-map.js";
import { demandBuffer } from "./handles.js";
import type { DeviceTensorMap } from "./interface.js";
import { tensorMapOptions } from "./options.js";

/** The 128 bytes of a map. Throws RangeError if it breaks a limit of the driver. */
export function tensorMapBytes(description: DeviceTensorMap): Uint8Array {
  checkOptions(description, tensorMapOptions, "tensorMap");
  const { buffer, offset = 0, ...map } = description;
  demandBuffer(buffer, "tensorMap, buffer");
  const problem = tensorMapProblem(map, buffer.address + offset, buffer.size - offset);
  if (problem !== undefined) throw new RangeError(`tensor map, ${problem.member}: ${problem.message}`);
  return encodeTensorMap(map, buffer.address + offset);
}
