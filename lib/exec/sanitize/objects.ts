// What an address may belong to: variables, buffers, blocks of the device heap, variables of calls. A pointer keeps the number of the
// object that it was derived from, and an access has to stay in it.

import { windowBase } from "../../load/address-space.js";
import type { Address } from "../../base/brand.js";
import type { LoadedFunction, LoadedSlot, Process } from "../../load/process.js";
import type { LaunchState } from "../launch-state.js";
import type { AccessedSpace } from "../observer.js";
import { sharedVariables, writtenName } from "../shared-variables.js";

export interface MemoryObject {
  readonly id: number;
  readonly space: AccessedSpace;
  /** As in accesses: a generic address in global memory, else the offset in the space. */
  readonly base: number;
  readonly size: number;
  /** As messages say it: "variable 'tile'". */
  readonly title: string;
  /** The bare name; undefined where it has none. */
  readonly name: string | undefined;
  readonly kind: "variable" | "buffer" | "heap" | "local" | "parameter" | "dynamic";
  /** Lanes for which it is gone; of the heap all or none. */
  dead: number;
}

/** Whose shared memory it is: a launch. */
export type SharedOwner = Pick<LaunchState, "kernel" | "sharedBytes">;

export interface Objects {
  at(id: number): MemoryObject | undefined;
  /** The variable, buffer or heap block that holds a generic address of global memory; 0 for none. */
  ofGlobal(address: number): number;
  /** Also one that is gone. */
  heapAt(address: number): MemoryObject | undefined;
  ofConstant(offset: number): number;
  /** What a function's name for a variable means in that launch. */
  ofSlot(launch: SharedOwner, fn: LoadedFunction, slot: LoadedSlot): number;
  /** The variable of the launch's shared memory at that offset; 0 for none. */
  ofShared(launch: LaunchState, offset: number): number;
  /** Whether there is anything at all at the offset of shared memory: undefined where nothing is known of its variables. */
  local(name: string, base: number, size: number): number;
  parameter(name: string, base: number, size: number): number;
  heap(address: number, size: number): number;
  /** Names a buffer of the host's. */
  name(address: number, name: string): void;
  /** Live blocks of the heap. */
  readonly living: readonly MemoryObject[];
}

interface SharedLayout {
  readonly variables: readonly number[];
  readonly dynamic: number;
}

export function createObjects(process: Process): Objects {
  const objects: (MemoryObject | undefined)[] = [undefined];
  const names = new Map<number, string>();
  const buffers = new Map<Address, number>();
  const heap = new Map<number, number>();
  const layouts = new Map<number, SharedLayout>();

  const add = (
    kind: MemoryObject["kind"],
    space: AccessedSpace,
    base: number,
    size: number,
    name: string | undefined,
    title: string,
  ): number => {
    const id = objects.length;
    objects.push({ id, space, base, size, title, name, kind, dead: 0 });
    return id;
  };
  const called = (name: string): string => `variable '${name}'`;

  const constBase = windowBase("const", process.space);
  const globals: number[] = [];
  const constants: number[] = [];
  for (const { name: whole, address, size, symbol } of process.variables) {
    const name = writtenName(whole);
    if (symbol.alias === true || size === 0) continue;
    if (symbol.space === "global") globals.push(add("variable", "global", address, size, name, called(name)));
    else constants.push(add("variable", "const", address - constBase, size, name, called(name)));
  }
  const holding = (ids: readonly number[], at: number): number =>
    ids.find((id) => {
      const { base, size } = objects[id]!;
      return at >= base && at < base + size;
    }) ?? 0;

  const ofGlobal = (address: number): number => {
    const variable = holding(globals, address);
    if (variable !== 0) return variable;
    const region = process.memory.find(address, 1);
    if (region === undefined) return 0;
    if (region.owner === "heap") return heap.get(region.base) ?? 0;
    let id = buffers.get(region.base);
    if (id === undefined) {
      if (globals.some((each) => objects[each]!.base >= region.base && objects[each]!.base < region.base + region.size))
        return 0;
      const name = names.get(region.base);
      id = add(
        "buffer",
        "global",
        region.base,
        region.size,
        name,
        name === undefined ? "a buffer" : `buffer '${name}'`,
      );
      buffers.set(region.base, id);
    }
    return id;
  };

  /** Shared variables of a kernel by the sections that the linker gave them. */
  const layoutOf = ({ kernel, sharedBytes }: SharedOwner): SharedLayout => {
    const { systemSharedBytes, info } = kernel;
    const key = info.symbol * 2 ** 24 + sharedBytes;
    const known = layouts.get(key);
    if (known !== undefined) return known;
    const end = systemSharedBytes + sharedBytes;
    const found = sharedVariables(process, kernel);
    const variables = found.variables.map(({ name, offset, size }) =>
      add("variable", "shared", offset, size, name, called(name)),
    );
    const start = found.dynamicOffset;
    const dynamicName = found.dynamic?.name;
    const dynamic = add(
      "dynamic",
      "shared",
      start,
      Math.max(0, end - start),
      dynamicName,
      dynamicName === undefined ? "dynamic shared memory" : `variable '${dynamicName}' in dynamic shared memory`,
    );
    const layout: SharedLayout = { variables, dynamic };
    layouts.set(key, layout);
    return layout;
  };
  const ofShared = (launch: LaunchState, offset: number): number => {
    const { variables, dynamic } = layoutOf(launch);
    const variable = holding(variables, offset);
    return variable !== 0 ? variable : holding([dynamic], offset);
  };

  return {
    at: (id) => objects[id],
    ofGlobal,
    heapAt(address) {
      for (const id of heap.values()) {
        const object = objects[id]!;
        if (address >= object.base && address < object.base + Math.max(1, object.size)) return object;
      }
      return undefined;
    },
    ofConstant: (offset) => holding(constants, offset),
    ofSlot(launch, _, { space, value }) {
      switch (space) {
        case "global":
          return ofGlobal(value);
        case "const":
          return holding(constants, value);
        case "shared": {
          const { variables, dynamic } = layoutOf(launch);
          const variable = holding(variables, value);
          return variable === 0 && value >= objects[dynamic]!.base ? dynamic : variable;
        }
        default:
          return 0;
      }
    },
    ofShared,
    local: (name, base, size) => add("local", "local", base, size, name, called(name)),
    parameter: (name, base, size) => add("parameter", "param", base, size, name, `parameter '${name}'`),
    heap(address, size) {
      const id = add("heap", "global", address, size, undefined, "a block of the device heap");
      heap.set(address, id);
      return id;
    },
    name: (base, name) => void names.set(base, name),
    get living() {
      return [...heap.values()].map((id) => objects[id]!).filter(({ dead }) => dead === 0);
    },
  };
}
