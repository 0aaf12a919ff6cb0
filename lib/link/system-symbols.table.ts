// Functions that no module defines because the driver does: what nvlink 13.0 takes as built in (found by linking calls of
// them), and the loader's own. The loader (load/system-symbols) gives those it knows a meaning.

/** Names that may stay undefined. */
export const systemNames = ["vprintf", "malloc", "free", "__assertfail"] as const;

const names: ReadonlySet<string> = new Set(systemNames);

/** Beginnings of names that may stay undefined: the device runtime's entry into the driver. */
const prefixes = ["__cuda_syscall_", "cnp"] as const;

export function isSystemSymbol(name: string): boolean {
  return names.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}
