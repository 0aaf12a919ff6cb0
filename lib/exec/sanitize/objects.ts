// Memory objects of a process: variables, buffers, blocks of the device heap, variables of calls. A pointer keeps the number of
// the object that it was derived from, and an access must stay inside it.

import { windowBase } from "../../load/address-space.js";
import type { Address } from "../../base/brand.js";
import type { LoadedSlot, Process } from "../../load/process.js";
import { sharedVariables, writtenName } from "../machine/shared-variables.js";
import type { LaunchState } from "../state/launch.js";
import type { AccessedSpace } from "../state/observer.js";

export interface MemoryObject {
  readonly id: number;
  readonly space: AccessedSpace;
  /** As in accesses: a generic address in global memory, else the offset in the space. */
  readonly base: number;
  readonly size: number;
  /** For messages: "variable 'tile'". */
  readonly title: string;
  /** The bare name; undefined if it has none. */
  readonly name: string | undefined;
  readonly kind: "variable" | "buffer" | "heap" | "local" | "parameter" | "dynamic";
  /** Lanes for which its lifetime is over; for a heap block all or none. */
  dead: number;
}

/** The launch that shared memory belongs to. */
export type SharedOwner = Pick<LaunchState, "kernel" | "sharedBytes">;

/** The objects of a process. Numbers are indices of `list`; 0 is no object. */
export interface Objects {
  readonly process: Process;
  readonly list: (MemoryObject | undefined)[];
  /** Module variables. */
  readonly globals: readonly number[];
  readonly constants: readonly number[];
  /** The host's names of buffers, by address. */
  readonly bufferNames: Map<number, string>;
  /** By address of the region or block. */
  readonly buffers: Map<Address, number>;
  readonly heap: Map<number, number>;
  /** By kernel and size of dynamic shared memory. */
  readonly sharedLayouts: Map<number, SharedLayout>;
}

interface SharedLayout {
  readonly variables: readonly number[];
  readonly dynamic: number;
}

type ObjectDescription = Pick<MemoryObject, "kind" | "space" | "base" | "size" | "name" | "title">;

function addObject(list: (MemoryObject | undefined)[], description: ObjectDescription): number {
  const id = list.length;
  list.push({ id, ...description, dead: 0 });
  return id;
}

const variableTitle = (name: string): string => `variable '${name}'`;

export function createObjects(process: Process): Objects {
  const list: (MemoryObject | undefined)[] = [undefined];
  const globals: number[] = [];
  const constants: number[] = [];
  const constBase = windowBase("const", process.space);
  for (const { name: symbolName, address, size, symbol } of process.variables) {
    if (symbol.alias === true || size === 0) continue;
    const isGlobal = symbol.space === "global";
    const name = writtenName(symbolName);
    const id = addObject(list, {
      kind: "variable",
      space: isGlobal ? "global" : "const",
      base: isGlobal ? address : address - constBase,
      size,
      name,
      title: variableTitle(name),
    });
    (isGlobal ? globals : constants).push(id);
  }
  return {
    process,
    list,
    globals,
    constants,
    bufferNames: new Map(),
    buffers: new Map(),
    heap: new Map(),
    sharedLayouts: new Map(),
  };
}

export const objectAt = ({ list }: Objects, id: number): MemoryObject | undefined => list[id];

/** The object among `ids` that holds the address; 0 for none. */
const holding = ({ list }: Objects, ids: readonly number[], at: number): number =>
  ids.find((id) => {
    const { base, size } = list[id]!;
    return at >= base && at < base + size;
  }) ?? 0;

// -------------------------------------------------------------------------------------------------------- global memory

/** The variable, buffer or heap block that holds a generic address of global memory; 0 for none. */
export function globalObject(objects: Objects, address: number): number {
  const variable = holding(objects, objects.globals, address);
  if (variable !== 0) return variable;
  const region = objects.process.memory.find(address, 1);
  if (region === undefined) return 0;
  const { base, size, owner } = region;
  if (owner === "heap") return objects.heap.get(base) ?? 0;
  const known = objects.buffers.get(base);
  if (known !== undefined) return known;
  const isOfModule = objects.globals.some((id) => {
    const at = objects.list[id]!.base;
    return at >= base && at < base + size;
  });
  if (isOfModule) return 0;
  const name = objects.bufferNames.get(base);
  const title = name === undefined ? "a buffer" : `buffer '${name}'`;
  const id = addObject(objects.list, { kind: "buffer", space: "global", base, size, name, title });
  objects.buffers.set(base, id);
  return id;
}

export function addHeapBlock({ list, heap }: Objects, base: number, size: number): void {
  const title = "a block of the device heap";
  heap.set(base, addObject(list, { kind: "heap", space: "global", base, size, name: undefined, title }));
}

/** The heap block at an address, freed or not. */
export function heapBlockAt({ list, heap }: Objects, address: number): MemoryObject | undefined {
  for (const id of heap.values()) {
    const object = list[id]!;
    if (address >= object.base && address < object.base + Math.max(1, object.size)) return object;
  }
  return undefined;
}

export const liveHeapBlocks = ({ list, heap }: Objects): readonly MemoryObject[] =>
  [...heap.values()].map((id) => list[id]!).filter(({ dead }) => dead === 0);

// --------------------------------------------------------------------------------------------------------- other spaces

export const constantObject = (objects: Objects, offset: number): number => holding(objects, objects.constants, offset);

export const addLocal = ({ list }: Objects, name: string, base: number, size: number): number =>
  addObject(list, { kind: "local", space: "local", base, size, name, title: variableTitle(name) });

export const addParameter = ({ list }: Objects, name: string, base: number, size: number): number =>
  addObject(list, { kind: "parameter", space: "param", base, size, name, title: `parameter '${name}'` });

/** Shared variables of a kernel, by the sections that the linker assigned. */
function sharedLayout(objects: Objects, { kernel, sharedBytes }: SharedOwner): SharedLayout {
  const { process, list, sharedLayouts } = objects;
  const key = kernel.info.symbol * 2 ** 24 + sharedBytes;
  const known = sharedLayouts.get(key);
  if (known !== undefined) return known;
  const found = sharedVariables(process, kernel);
  const variables = found.variables.map(({ name, offset, size }) =>
    addObject(list, { kind: "variable", space: "shared", base: offset, size, name, title: variableTitle(name) }),
  );
  const base = found.dynamicOffset;
  const name = found.dynamic?.name;
  const dynamic = addObject(list, {
    kind: "dynamic",
    space: "shared",
    base,
    size: Math.max(0, kernel.systemSharedBytes + sharedBytes - base),
    name,
    title: name === undefined ? "dynamic shared memory" : `variable '${name}' in dynamic shared memory`,
  });
  const layout: SharedLayout = { variables, dynamic };
  sharedLayouts.set(key, layout);
  return layout;
}

/** The variable of the launch's shared memory at that offset; 0 for none. */
export function sharedObject(objects: Objects, launch: SharedOwner, offset: number): number {
  const { variables, dynamic } = sharedLayout(objects, launch);
  return holding(objects, variables, offset) || holding(objects, [dynamic], offset);
}

/** The object that a symbol operand names in that launch. */
export function slotObject(objects: Objects, launch: SharedOwner, { space, value }: LoadedSlot): number {
  switch (space) {
    case "global":
      return globalObject(objects, value);
    case "const":
      return constantObject(objects, value);
    case "shared": {
      const { variables, dynamic } = sharedLayout(objects, launch);
      const variable = holding(objects, variables, value);
      // Without dynamic shared memory its name means the address where it would begin.
      return variable === 0 && value >= objects.list[dynamic]!.base ? dynamic : variable;
    }
    default:
      return 0;
  }
}
