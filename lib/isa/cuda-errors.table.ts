// Errors that ptxkit's device runtime can return (driver_types.h 13.0), with the texts of cudaGetErrorString.

export const cudaError = {
  success: 0,
  invalidValue: 1,
  memoryAllocation: 2,
  invalidConfiguration: 9,
  invalidDeviceFunction: 98,
  invalidDevice: 101,
  unsupportedLimit: 215,
  invalidResourceHandle: 400,
  notSupported: 801,
} as const;

export type CudaError = (typeof cudaError)[keyof typeof cudaError];

/** Name and text by number. */
export const errorTexts: ReadonlyMap<number, readonly [name: string, text: string]> = new Map([
  [cudaError.success, ["cudaSuccess", "no error"]],
  [cudaError.invalidValue, ["cudaErrorInvalidValue", "invalid argument"]],
  [cudaError.memoryAllocation, ["cudaErrorMemoryAllocation", "out of memory"]],
  [cudaError.invalidConfiguration, ["cudaErrorInvalidConfiguration", "invalid configuration argument"]],
  [cudaError.invalidDeviceFunction, ["cudaErrorInvalidDeviceFunction", "invalid device function"]],
  [cudaError.invalidDevice, ["cudaErrorInvalidDevice", "invalid device ordinal"]],
  [cudaError.unsupportedLimit, ["cudaErrorUnsupportedLimit", "limit is not supported on this architecture"]],
  [cudaError.invalidResourceHandle, ["cudaErrorInvalidResourceHandle", "invalid resource handle"]],
  [cudaError.notSupported, ["cudaErrorNotSupported", "operation not supported"]],
]);

export const UNKNOWN_ERROR: readonly [name: string, text: string] = [
  "unrecognized error code",
  "unrecognized error code",
];
