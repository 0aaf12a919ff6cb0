// --print-memory-usage: how much of each memory a link uses, of what limit, and by what. Read off the map.

import type { LinkMap, MapDefinition, MapMemory } from "./map.js";

export interface MemoryUsage {
  readonly space: MapMemory["space"];
  readonly section: string;
  readonly kernel?: string;
  /** Bytes. */
  readonly used: number;
  readonly limit?: number;
  readonly largest: readonly Pick<MapDefinition, "name" | "size" | "file" | "line">[];
}

const NAMED = 5;

export function memoryUsage({ memories }: LinkMap): readonly MemoryUsage[] {
  return memories.map((memory) => {
    const { space, section, kernel, size, limit } = memory;
    return {
      space,
      section,
      ...(kernel === undefined ? {} : { kernel }),
      used: size,
      ...(limit === undefined ? {} : { limit }),
      largest: largestOf(memory)
        .slice(0, NAMED)
        .map(({ name, size: bytes, file, line }) => ({ name, size: bytes, file, line })),
    };
  });
}

/** What takes its bytes, the largest first. */
export function largestOf({ entries }: MapMemory): readonly MapDefinition[] {
  return entries
    .flatMap((entry) => (entry.kind === "padding" || entry.kind === "dynamic" ? [] : [entry]))
    .sort((a, b) => b.size - a.size);
}
