// Names of memory in a launch: shared variables of its kernel, buffers of the host, variables of the module.

import { nearest } from "../base/nearest.js";
import type { LaunchState } from "../exec/state/launch.js";
import { dataType } from "../isa/types.table.js";
import type { LaunchSpec } from "../load/launch-spec.js";
import type { LoadedKernel, Process } from "../load/process.js";
import { sharedBytesOf } from "../exec/machine/launch-limits.js";
import { memoryNamed } from "./evaluate.js";
import { bufferMemory, moduleVariables, sharedMemory, type NamedMemory } from "./memory.js";

export interface MemoryNames {
  /** The named memories of a launch, the nearest scope first. */
  of(launch: LaunchState): readonly NamedMemory[];
  /** The named memories of all launches of the specification, for messages; buffers without a known address have address 0. */
  readonly known: readonly NamedMemory[];
  /** The memory of that name, in PTX or in the C++ source. */
  find(name: string): NamedMemory | undefined;
  /** A similar name, for messages. */
  near(name: string): string | undefined;
}

export function createMemoryNames(process: Process, spec: Pick<LaunchSpec, "buffers" | "launches">): MemoryNames {
  const typeOf = (name: string) => dataType(spec.buffers.get(name)?.type.name ?? "b8");
  const modules = moduleVariables(process);
  const sharedOf = (kernel: LoadedKernel, bytes: number): readonly NamedMemory[] =>
    sharedMemory(process, kernel, bytes);
  const planned = [...spec.buffers].map(([name, { type, bytes }]): NamedMemory => ({
    name,
    space: "global",
    address: 0,
    size: bytes.length,
    type: dataType(type.name)!,
    vector: 1,
    dimensions: [undefined],
    isBuffer: true,
  }));
  const shared = spec.launches.flatMap((launch) => {
    const kernel = process.kernels.get(launch.kernel);
    return kernel === undefined ? [] : sharedOf(kernel, sharedBytesOf(kernel, launch));
  });
  const known = [...shared, ...planned, ...modules];
  return {
    of: ({ kernel, sharedBytes }) => [...sharedOf(kernel, sharedBytes), ...bufferMemory(process, typeOf), ...modules],
    known,
    find: (name) => memoryNamed(known, name),
    near: (name) => nearest(name, [...new Set(known.map((each) => each.name))])[0],
  };
}
