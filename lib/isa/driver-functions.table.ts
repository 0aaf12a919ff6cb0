// Functions that no module defines because the driver does: what ptxas 13.0 takes as built in (it compiles calls of them as a
// whole, and refuses their addresses) and nvlink 13.0 leaves undefined in an image, which are the same. Found by linking calls
// of 54000 names, those of CUDA's headers and of the tools' own texts among them, for sm_75 to sm_120; what each tool says of
// names and of their neighbours is in testdata/oracle/driver-functions.json. A variable with such a name is nothing of the
// driver's. Those of system-functions.ts are given a meaning here.

import { isDeviceRuntime } from "./device-runtime.table.js";

/** But for those that begin with `prefix`. */
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
  // Graphs, from inside a kernel.
  "cudaGraphKernelNodeSetEnabled",
  "cudaGraphKernelNodeSetGridDim",
  "cudaGraphKernelNodeSetParam",
  "cudaGraphKernelNodeUpdatesApply",
  "cudaGraphLaunch",
  "cudaGraphSetConditional",
];

const names: ReadonlySet<string> = new Set(driverFunctions);

/** The one beginning that counts, whatever follows it. */
const prefix = "__cuda_syscall";

/** Whether a name needs no definition: the driver's, or one of the device runtime, which ptxkit has built in. */
export const isProvided = (name: string): boolean => isDriverFunction(name) || isDeviceRuntime(name);

export const isDriverFunction = (name: string): boolean => names.has(name) || name.startsWith(prefix);
