// Memory as a stopped thread sees it: bytes at generic addresses, and named variables and buffers. Shared memory belongs to a
// block and local memory to a lane; all other memory is common.

import type { Block } from "../exec/state/block.js";
import type { LaunchState } from "../exec/state/launch.js";
import type { Warp } from "../exec/state/warp.js";
import { CLUSTER_STRIDE, spaceOf, windowBase } from "../load/address-space.js";
import { qualified } from "../load/load.js";
import type { LoadedKernel, Process } from "../load/process.js";
import type { Layout } from "../isa/code.js";
import { dataType, type DataType } from "../isa/types.table.js";
import { sharedVariables, writtenName } from "../exec/machine/shared-variables.js";
import { typeBytes } from "./values.js";

/** The memories that are visible; omitted ones are not. */
export interface MemoryContext {
  readonly process: Process;
  readonly launch?: LaunchState;
  readonly block?: Block;
  readonly warp?: Warp;
  readonly lane?: number;
}

export type MemorySpace = "global" | "const" | "shared" | "local" | "param";

/** A variable or buffer. */
export interface NamedMemory {
  readonly name: string;
  readonly space: MemorySpace;
  /** Generic address. */
  readonly address: number;
  /** Bytes. */
  readonly size: number;
  readonly type: DataType;
  /** Elements of a vector type; 1 for a scalar. */
  readonly vector: number;
  /** Extents; an undefined one is derived from the memory's size. */
  readonly dimensions: readonly (number | undefined)[];
  readonly isBuffer: boolean;
}

/** Up to `size` bytes from a generic address on, as a view of the memory; undefined if nothing is there. */
export function bytesAtAddress(context: MemoryContext, address: number, size: number): Uint8Array | undefined {
  const { process, launch, block, warp, lane } = context;
  const space = spaceOf(address, process.space);
  const within = (bytes: Uint8Array | undefined, offset: number): Uint8Array | undefined =>
    bytes === undefined || offset < 0 || offset >= bytes.length
      ? undefined
      : bytes.subarray(offset, Math.min(bytes.length, offset + size));
  switch (space) {
    case undefined:
      return undefined;
    case "global": {
      const region = process.memory.find(address, 1);
      return region && within(region.bytes, address - region.base);
    }
    case "const":
      return within(process.constants.bytes, address - windowBase("const", process.space));
    case "param":
      return within(launch?.parameterBytes.bytes, address - windowBase("param", process.space));
    case "shared": {
      const offset = address - windowBase("shared", process.space);
      const of =
        block?.cluster.blocks.length === 1 ? block : block?.cluster.blocks[Math.floor(offset / CLUSTER_STRIDE)];
      return within(of?.sharedBytes.bytes, block?.cluster.blocks.length === 1 ? offset : offset % CLUSTER_STRIDE);
    }
    case "local": {
      if (warp === undefined || lane === undefined) return undefined;
      const { bytes } = warp.localBytes;
      const own = bytes.subarray(lane * warp.localStride, (lane + 1) * warp.localStride);
      return within(own, address - windowBase("local", process.space));
    }
  }
}

const ofLayout = ({ type, vector, dimensions }: Layout) => ({ type, vector, dimensions });

/** Variables of the module in global and constant memory. */
export function moduleVariables(process: Process): readonly NamedMemory[] {
  const names = new Map<string, number>();
  for (const { name } of process.variables) names.set(name, (names.get(name) ?? 0) + 1);
  return process.variables.flatMap((variable): NamedMemory[] => {
    const { address, size, symbol } = variable;
    if (size === 0 || symbol.alias === true || names.get(variable.name) === undefined) return [];
    const name = names.get(variable.name)! > 1 ? qualified(variable) : writtenName(variable.name);
    const space = symbol.space === "global" ? "global" : "const";
    return [{ name, space, address, size, ...ofLayout(symbol.layout), isBuffer: false }];
  });
}

/** Shared variables of a kernel; `rank` is the block's in its cluster. */
export function sharedMemory(
  process: Process,
  kernel: LoadedKernel,
  sharedBytes: number,
  rank = 0,
): readonly NamedMemory[] {
  const { variables, dynamicOffset, dynamic } = sharedVariables(process, kernel);
  const base = windowBase("shared", process.space) + rank * CLUSTER_STRIDE;
  const named = variables.map(({ name, offset, size, symbol }): NamedMemory => ({
    name,
    space: "shared",
    address: base + offset,
    size,
    ...ofLayout(symbol.layout),
    isBuffer: false,
  }));
  const size = kernel.systemSharedBytes + sharedBytes - dynamicOffset;
  if (dynamic === undefined || size <= 0) return named;
  const { name, layout } = dynamic;
  return [
    ...named,
    {
      name: writtenName(name),
      space: "shared",
      address: base + dynamicOffset,
      size,
      ...ofLayout(layout),
      isBuffer: false,
    },
  ];
}

/** Buffers of the launch specification by name; `typeOf` returns their element types. */
export function bufferMemory(process: Process, typeOf: (name: string) => DataType | undefined): readonly NamedMemory[] {
  return [...process.history.names].flatMap(([address, name]): NamedMemory[] => {
    const region = process.memory.find(address, 1);
    if (region === undefined) return [];
    const { size } = region;
    const type = typeOf(name) ?? dataType("b8")!;
    return [{ name, space: "global", address, size, type, vector: 1, dimensions: [undefined], isBuffer: true }];
  });
}

/** Extents of all dimensions, with undefined ones computed from the size. */
export function extentsOf({ dimensions, size, type, vector }: NamedMemory): readonly number[] {
  const known = dimensions.reduce<number>((product, each) => product * (each ?? 1), 1);
  const open = Math.floor(size / Math.max(1, typeBytes(type) * vector * known));
  return dimensions.map((each) => each ?? open);
}

/** The declaration without the name, in PTX: `.shared .f32 tile[32][33]`. */
export function typeText({ space, type, vector, dimensions }: NamedMemory): string {
  const brackets = dimensions.map((each) => `[${each ?? ""}]`).join("");
  return `.${space} ${vector > 1 ? `.v${vector} ` : ""}.${type.name}${brackets}`;
}
