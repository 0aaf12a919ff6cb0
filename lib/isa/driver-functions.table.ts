// Functions that the driver defines. ptxas 13.0 treats them as built in (it compiles calls of them as a whole program, and
// rejects their addresses). nvlink 13.0 leaves them undefined in an image. Both have the same functions. Found by linking calls
// of 54000 names, among them those of CUDA's headers and of strings in the tools, for sm_75 to sm_120. The tools' verdicts on the
// names and on similar ones are in testdata/oracle/driver-functions.json. A variable with such a name is not the driver's. ptxkit
// executes those of system-functions.ts.

import { isDeviceRuntime } from "./device-runtime.table.js";

/** All names except those with `prefix`. */
export const driverFunctions: readonly string[] = [
  "__assertfail",
  "__profile",
  "free",
  "malloc",
  "vfprintf",
  "vprintf",
  // Internal functions of the device runtime.
  "cnpCtxSynchronize",
  "cnpDeviceGetAttribute",
  "cnpDeviceGetName",
  "cnpDeviceGetTotalMem",
  "cnpEventCreate",
  "cnpEventDestroy",
  "cnpEventRecord",
  "cnpFuncGetAttribute",
  "cnpGetCacheConfig",
  "cnpGetDevice",
  "cnpGetDeviceCount",
  "cnpGetLastError",
  "cnpGetLimit",
  "cnpGetParameterBuffer",
  "cnpGetParameterBufferV2",
  "cnpGetSharedMemConfig",
  "cnpLaunchDevice",
  "cnpLaunchDeviceV2",
  "cnpSetLastError",
  "cnpStreamCreate",
  "cnpStreamDestroy",
  "cnpStreamWaitEvent",
  // Graphs, for calls from a kernel.
  "cudaGraphKernelNodeSetEnabled",
  "cudaGraphKernelNodeSetGridDim",
  "cudaGraphKernelNodeSetParam",
  "cudaGraphKernelNodeUpdatesApply",
  "cudaGraphLaunch",
  "cudaGraphSetConditional",
];

const names: ReadonlySet<string> = new Set(driverFunctions);

/** All names with this prefix belong to the driver. */
const prefix = "__cuda_syscall";

/** Whether a name needs no definition: a function of the driver, or of the device runtime, which ptxkit has built in. */
export const isProvided = (name: string): boolean => isDriverFunction(name) || isDeviceRuntime(name);

export const isDriverFunction = (name: string): boolean => names.has(name) || name.startsWith(prefix);
