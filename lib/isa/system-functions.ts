// Functions that CUDA's device runtime provides and that PTX declares `.extern .func` without a definition in any module (CUDA
// C++ programming guide, "formatted output", "dynamic global memory allocation", "assertion"). The linker leaves these names
// undefined, the loader assigns code addresses, and the engines execute calls of them. Functions for nested launches
// (device-runtime.table.ts) are treated alike.

import type { Layout, Parameter, Prototype } from "./code.js";
import { deviceRuntimeNames, signatureOf, type DeviceRuntimeFunction } from "./device-runtime.table.js";
import { dataType } from "./types.table.js";

/** The operation of a function; several names may refer to one function of the device runtime. */
export type SystemFunction = "vprintf" | "malloc" | "free" | "__assertfail" | DeviceRuntimeFunction;

const DIM3: Layout = { type: dataType("b8")!, vector: 1, dimensions: [12], align: 4, size: 12 };

/** A parameter of a type: "b64" is a parameter of eight bytes. */
function parameter(type: string): Parameter {
  if (type === "dim3") return { name: "", space: "param", layout: DIM3 };
  const data = dataType(type)!;
  const layout: Layout = { type: data, vector: 1, dimensions: [], align: data.bits / 8, size: data.bits / 8 };
  return { name: "", space: "param", layout };
}

const prototype = (returns: readonly string[], parameters: readonly string[], noreturn = false): Prototype => ({
  returns: returns.map(parameter),
  parameters: parameters.map(parameter),
  noreturn,
});

/** `word`: the type of an address and of size_t. */
const driversOf = (word: "b32" | "b64") => ({
  vprintf: prototype(["b32"], [word, word]),
  malloc: prototype([word], [word]),
  free: prototype([], [word]),
  __assertfail: prototype([], [word, word, "b32", word, word], true),
});

const drivers = { 32: driversOf("b32"), 64: driversOf("b64") };

const runtimes = [...deviceRuntimeNames].map(([name, stem]): [string, Prototype] => {
  const [result, ...parameters] = signatureOf(stem);
  return [name, prototype([result!], parameters)];
});

type Prototypes = ReadonlyMap<string, Prototype>;

const prototypesOf = (bits: 32 | 64): Prototypes => new Map([...Object.entries(drivers[bits]), ...runtimes]);

/** Prototypes by address bits and by name, as nvcc declares them; those of the device runtime have 64 bits. */
export const systemPrototypes: Readonly<Record<32 | 64, Prototypes>> = { 32: prototypesOf(32), 64: prototypesOf(64) };

/** The system function with that name, or undefined. */
export function systemFunction(name: string): SystemFunction | undefined {
  return Object.hasOwn(drivers[64], name) ? (name as keyof (typeof drivers)[64]) : deviceRuntimeNames.get(name);
}
