// Sums each module's contributions to an image, for maps. Computed from the rows of the map, so that the two agree.

import { valuesOf } from "../../base/series.js";
import type { Linked } from "../model/linked.js";
import type { MapFunction, MapMemoryRows, MapModule } from "./map-rows.js";

export function moduleTotals(
  { inputs, image }: Linked,
  memories: Iterable<MapMemoryRows>,
  functions: Iterable<MapFunction>,
): readonly MapModule[] {
  const sums = new Map<
    string,
    { functions: number; variables: number; bytes: Record<keyof MapModule["bytes"], number> }
  >();
  const sumOf = (of: Pick<MapModule, "file" | "object">) => {
    const key = moduleKey(of);
    const known = sums.get(key);
    if (known !== undefined) return known;
    const bytes = { code: 0, const: 0, "global-init": 0, global: 0, local: 0, shared: 0, dead: 0 };
    const made = { functions: 0, variables: 0, bytes };
    sums.set(key, made);
    return made;
  };
  for (const row of functions) {
    const sum = sumOf(row);
    sum.functions++;
    sum.bytes.code += row.size;
  }
  // Count a shared variable once, though it is in the memory of every kernel that reaches it.
  const counted = new Set<string>();
  for (const { space, entries } of memories)
    for (const entry of entries) {
      if (space === "param" || (entry.kind !== "variable" && entry.kind !== "dead")) continue;
      if (space === "shared") {
        const key = `${moduleKey(entry)}\0${entry.line}\0${entry.name}`;
        if (counted.has(key)) continue;
        counted.add(key);
      }
      const sum = sumOf(entry);
      sum.bytes[space] += entry.size;
      if (entry.kind === "dead") sum.bytes.dead += entry.size;
      else sum.variables++;
    }
  // One file may contain several modules of one name, and may be given twice.
  const modules = new Map<string, MapModule>();
  for (const input of valuesOf(inputs)) {
    const own = input.modules.map(({ name, target, version }) => ({ name, target, version }));
    if (own.length === 0 && input.symbols.length === 0) continue;
    // An object that names no module counts as one.
    const { target, version } = image;
    for (const each of own.length === 0 ? [{ name: input.name, target, version }] : own) {
      const place = { file: each.name, ...(each.name === input.name ? {} : { object: input.name }) };
      const key = moduleKey(place);
      if (!modules.has(key))
        modules.set(key, { ...place, target: each.target.name, ptxVersion: each.version, ...sumOf(place) });
    }
  }
  return [...modules.values()];
}

const moduleKey = ({ file, object }: Pick<MapModule, "file" | "object">): string => `${file}\0${object ?? ""}`;
