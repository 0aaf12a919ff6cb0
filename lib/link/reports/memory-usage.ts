// --print-memory-usage: used bytes and limit of each memory, and its largest variables. Computed from the map.

import type { LinkMapRows } from "./map.js";
import type { MapDefinition, MapMemoryRows } from "./map-rows.js";

export interface MemoryUsage {
  readonly space: MapMemoryRows["space"];
  readonly section: string;
  readonly kernel?: string;
  /** Used and available bytes. */
  readonly used: number;
  readonly limit?: number;
  readonly largest: readonly Pick<MapDefinition, "name" | "size" | "file" | "line">[];
}

const NAMED = 5;

export function memoryUsage({ memories }: LinkMapRows): readonly MemoryUsage[] {
  return Array.from(memories, (memory) => {
    const { space, section, kernel, size, limit } = memory;
    return {
      space,
      section,
      ...(kernel === undefined ? {} : { kernel }),
      used: size,
      ...(limit === undefined ? {} : { limit }),
      largest: largestOf(memory, NAMED).map(({ name, size: bytes, file, line }) => ({ name, size: bytes, file, line })),
    };
  });
}

/** The `count` largest definitions, largest first; equal sizes stay in the order of their offsets. */
export function largestOf({ entries }: MapMemoryRows, count: number): readonly MapDefinition[] {
  const largest: MapDefinition[] = [];
  for (const entry of entries) {
    if (entry.kind === "padding" || entry.kind === "system" || entry.kind === "dynamic") continue;
    let at = largest.length;
    while (at > 0 && largest[at - 1]!.size < entry.size) at--;
    if (at === count) continue;
    largest.splice(at, 0, entry);
    if (largest.length > count) largest.pop();
  }
  return largest;
}
