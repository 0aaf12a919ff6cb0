// Attributes of a device and its kernels that a program can query: cuDeviceGetAttribute and cuFuncGetAttributes of the CUDA
// driver API, under their names without the prefixes.

import type { Dimensions } from "../../base/dimensions.js";
import { DEFAULT_MEMORY_LIMIT } from "../../load/memory.js";
import { signature } from "../../load/parameters.js";
import type { LoadedKernel } from "../../load/process.js";
import { LOCAL_BYTES_LIMIT } from "./block.js";
import { dimensionsOf, launchLimits } from "./launch-limits.js";
import { MULTIPROCESSORS } from "./special.js";

/** A device's attributes, under the CUDA runtime's names. */
export interface DeviceAttributes {
  readonly warpSize: number;
  readonly maxThreadsPerBlock: number;
  readonly maxBlockDim: Dimensions;
  readonly maxGridDim: Dimensions;
  /** The value of %nsmid. */
  readonly multiprocessorCount: number;
  /** Local memory of a thread, in bytes. */
  readonly maxLocalMemoryPerThread: number;
  readonly totalGlobalMemory: number;
  readonly cooperativeLaunch: boolean;
  readonly unifiedAddressing: boolean;
}

/** A parameter of a kernel: its type, size and offset. */
export interface KernelParameter {
  /** Empty if the object does not keep names. */
  readonly name: string;
  /** Bytes, and their offset in the parameter block. */
  readonly size: number;
  readonly offset: number;
}

/** A kernel's requirements and limits. */
export interface KernelAttributes {
  readonly name: string;
  /** As in its PTX declaration: "k(.u64 out, .u32 n)". */
  readonly signature: string;
  readonly parameters: readonly KernelParameter[];
  /** Static shared memory, in bytes. */
  readonly sharedSizeBytes: number;
  /** By .maxntid or .reqntid; otherwise the device's limit. */
  readonly maxThreadsPerBlock: number;
  readonly requiredBlockDim: Dimensions | undefined;
  readonly requiredClusterDim: Dimensions | undefined;
}

export function deviceAttributes(memoryBytes: number = DEFAULT_MEMORY_LIMIT): DeviceAttributes {
  return {
    warpSize: 32,
    maxThreadsPerBlock: launchLimits.threadsPerBlock,
    maxBlockDim: launchLimits.block,
    maxGridDim: launchLimits.grid,
    multiprocessorCount: MULTIPROCESSORS,
    maxLocalMemoryPerThread: LOCAL_BYTES_LIMIT,
    totalGlobalMemory: memoryBytes,
    cooperativeLaunch: true,
    unifiedAddressing: true,
  };
}

export function kernelAttributes(kernel: LoadedKernel): KernelAttributes {
  const { info, function: fn } = kernel;
  const required = dimensionsOf(kernel, "reqntid");
  const [x, y, z] = required ?? dimensionsOf(kernel, "maxntid") ?? [launchLimits.threadsPerBlock, 1, 1];
  return {
    name: kernel.name,
    signature: signature(kernel),
    parameters: fn.symbol.prototype.parameters.map(({ name, layout }, i) => ({
      name,
      size: layout.size,
      offset: info.parameterOffsets[i]!,
    })),
    sharedSizeBytes: Math.max(0, info.sharedBytes - kernel.systemSharedBytes),
    maxThreadsPerBlock: Math.min(x * y * z, launchLimits.threadsPerBlock),
    requiredBlockDim: required,
    requiredClusterDim: dimensionsOf(kernel, "reqnctapercluster"),
  };
}
