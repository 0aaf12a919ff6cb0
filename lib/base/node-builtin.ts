// Accesses Node's own modules if the host is Node. They are requested on use instead of imported, so that browsers can load, and
// bundlers can bundle, the library unchanged.

import type workerThreads from "node:worker_threads";
import type v8 from "node:v8";

interface Builtins {
  readonly "node:v8": typeof v8;
  readonly "node:worker_threads": typeof workerThreads;
}

interface Host {
  readonly process?: { getBuiltinModule?(name: string): unknown };
}

/** The module; undefined on other hosts. */
export function nodeBuiltin<Name extends keyof Builtins>(name: Name): Builtins[Name] | undefined {
  return (globalThis as Host).process?.getBuiltinModule?.(name) as Builtins[Name] | undefined;
}
