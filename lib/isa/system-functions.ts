// Functions that CUDA's device runtime provides and that PTX declares `.extern .func` without any module defining them
// (CUDA C++ programming guide, "formatted output", "dynamic global memory allocation", "assertion"). The linker lets these
// names stay undefined, the loader gives them code addresses, and an engine carries out calls of them.

import type { Layout, Parameter, Prototype } from "./code.js";
import { dataType } from "./types.table.js";

export type SystemFunction = "vprintf" | "malloc" | "free" | "__assertfail";

/** "b64" -> a parameter of eight bytes. */
function parameter(type: string): Parameter {
  const data = dataType(type)!;
  const layout: Layout = { type: data, vector: 1, dimensions: [], align: data.bits / 8, size: data.bits / 8 };
  return { name: "", space: "param", layout };
}

const prototype = (returns: readonly string[], parameters: readonly string[], noreturn = false): Prototype => ({
  returns: returns.map(parameter),
  parameters: parameters.map(parameter),
  noreturn,
});

/** Their prototypes, as nvcc declares them. */
export const systemFunctions: Readonly<Record<SystemFunction, Prototype>> = {
  vprintf: prototype(["b32"], ["b64", "b64"]),
  malloc: prototype(["b64"], ["b64"]),
  free: prototype([], ["b64"]),
  __assertfail: prototype([], ["b64", "b64", "b32", "b64", "b64"], true),
};

/** The system function of that name, if there is one. */
export function systemFunction(name: string): SystemFunction | undefined {
  return Object.hasOwn(systemFunctions, name) ? (name as SystemFunction) : undefined;
}
