// Functions that no module defines because the driver does: what nvlink 13.0 takes as built in (found by linking calls of
// them). The engines give those of isa/system-functions.ts a meaning.

import { systemFunction } from "../isa/system-functions.js";

/** Beginnings of names that may stay undefined: the device runtime's entry into the driver. */
const prefixes = ["__cuda_syscall_", "cnp"] as const;

export function isSystemSymbol(name: string): boolean {
  return systemFunction(name) !== undefined || prefixes.some((prefix) => name.startsWith(prefix));
}
