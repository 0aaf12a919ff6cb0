// Functions of CUDA's device runtime, with which kernels launch kernels (CUDA C++ programming guide, "CUDA dynamic parallelism";
// declarations: cuda_device_runtime_api.h 13.0). nvcc declares them and leaves their definition to libcudadevrt, which is machine
// code for most architectures; ptxkit has them built in. Names are `__cudaCDP2` or, before CUDA 12, `cuda`, followed by one of
// these. Some also have `_ptsz`, for code with per-thread default streams. cudaDeviceSynchronize is missing: CDP2 has removed it.

/** Type of the result, then of the parameters; dim3 is 12 bytes by value. */
const signatures = {
  DeviceGetAttribute: "b32 b64 b32 b32",
  DeviceGetLimit: "b32 b64 b32",
  DeviceGetCacheConfig: "b32 b64",
  DeviceGetSharedMemConfig: "b32 b64",
  GetLastError: "b32",
  PeekAtLastError: "b32",
  GetErrorString: "b64 b32",
  GetErrorName: "b64 b32",
  GetDeviceCount: "b32 b64",
  GetDevice: "b32 b64",
  RuntimeGetVersion: "b32 b64",
  StreamCreateWithFlags: "b32 b64 b32",
  StreamDestroy: "b32 b64",
  StreamWaitEvent: "b32 b64 b64 b32",
  EventCreateWithFlags: "b32 b64 b32",
  EventRecord: "b32 b64 b64",
  EventRecordWithFlags: "b32 b64 b64 b32",
  EventDestroy: "b32 b64",
  FuncGetAttributes: "b32 b64 b64",
  OccupancyMaxActiveBlocksPerMultiprocessor: "b32 b64 b64 b32 b64",
  OccupancyMaxActiveBlocksPerMultiprocessorWithFlags: "b32 b64 b64 b32 b64 b32",
  Malloc: "b32 b64 b64",
  Free: "b32 b64",
  MemcpyAsync: "b32 b64 b64 b64 b32 b64",
  Memcpy2DAsync: "b32 b64 b64 b64 b64 b64 b64 b32 b64",
  MemsetAsync: "b32 b64 b32 b64 b64",
  Memset2DAsync: "b32 b64 b64 b32 b64 b64 b64",
  GetParameterBuffer: "b64 b64 b64",
  GetParameterBufferV2: "b64 b64 dim3 dim3 b32",
  LaunchDevice: "b32 b64 b64 dim3 dim3 b32 b64",
  LaunchDeviceV2: "b32 b64 b64",
} as const;

export type DeviceRuntimeFunction = keyof typeof signatures;

const perThread: ReadonlySet<string> = new Set<DeviceRuntimeFunction>([
  ...(["StreamWaitEvent", "EventRecord", "EventRecordWithFlags"] as const),
  ...(["MemcpyAsync", "Memcpy2DAsync", "MemsetAsync", "Memset2DAsync", "LaunchDevice", "LaunchDeviceV2"] as const),
]);

const byName = new Map<string, DeviceRuntimeFunction>();
for (const stem of Object.keys(signatures) as DeviceRuntimeFunction[])
  for (const prefix of ["__cudaCDP2", "cuda"])
    for (const suffix of perThread.has(stem) ? ["", "_ptsz"] : [""]) byName.set(`${prefix}${stem}${suffix}`, stem);

/** All names, with the function of each. */
export const deviceRuntimeNames: ReadonlyMap<string, DeviceRuntimeFunction> = byName;

export const isDeviceRuntime = (name: string): boolean => byName.has(name);

/** Types of the result and of the parameters. */
export const signatureOf = (stem: DeviceRuntimeFunction): readonly string[] => signatures[stem].split(" ");
