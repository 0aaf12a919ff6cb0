// Look-ups of the library's device: kernels and module variables by name, host arrays by type. Throws RangeError.

import { describe } from "../../base/known-options.js";
import { nearest } from "../../base/nearest.js";
import { findVariable } from "../../load/load.js";
import type { LoadedKernel, LoadedVariable, Process } from "../../load/process.js";
import type { HostArray, HostArrayType } from "./interface.js";

/** The declared type of a parameter; empty if there is none. */
export const parameterType = (kernel: LoadedKernel, index: number): string =>
  kernel.function.symbol.prototype.parameters[index]?.layout.type.name ?? "";

export function kernelNamed(process: Process, name: string): LoadedKernel {
  demandName(name, "kernel");
  const kernel = process.kernels.get(name);
  if (kernel === undefined)
    throw new RangeError(`no kernel '${name}'; ${didYouMean(name, [...process.kernels.keys()])}`);
  return kernel;
}

export function variableNamed(process: Process, name: string): LoadedVariable {
  demandName(name, "variable");
  const variable = findVariable(process, name);
  if (variable === "ambiguous") throw new RangeError(`several modules have a static '${name}': say NAME@MODULE`);
  if (variable !== undefined) return variable;
  const names = process.variables.map((each) => each.name);
  throw new RangeError(`no module variable '${name}'; ${didYouMean(name, names)}`);
}

function demandName(name: unknown, of: string): void {
  if (typeof name !== "string") throw new RangeError(`the name of a ${of} is expected, not ${describe(name)}`);
}

function didYouMean(name: string, names: readonly string[]): string {
  const [meant] = nearest(name, names);
  if (meant !== undefined) return `did you mean '${meant}'?`;
  return `there are: ${names.slice(0, 8).join(", ") || "none"}${names.length > 8 ? " and more" : ""}`;
}

/** The array's bytes. `what` names the operation, for messages. */
export function asBytes(data: HostArray, what: string): Uint8Array {
  if (!ArrayBuffer.isView(data))
    throw new RangeError(`${what}: a typed array, as Float32Array.of(1, 2), is expected, not ${describe(data)}`);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

export function arrayFor<T extends HostArray>({ size }: { readonly size: number }, type: HostArrayType<T>): T {
  const length = size / type.BYTES_PER_ELEMENT;
  if (!Number.isInteger(length))
    throw new RangeError(`${size} bytes are not a multiple of the ${type.BYTES_PER_ELEMENT} bytes of an element`);
  return new type(length);
}
