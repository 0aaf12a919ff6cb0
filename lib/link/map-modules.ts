// What each module has put into an image: for maps. Sums over the rows of the map, so that they cannot tell another story.

import type { Linked, MapFunction, MapMemory, MapModule } from "./map.js";

export function moduleTotals(
  { image }: Linked,
  memories: readonly MapMemory[],
  functions: readonly MapFunction[],
): readonly MapModule[] {
  const sums = new Map<
    string,
    { functions: number; variables: number; bytes: Record<keyof MapModule["bytes"], number> }
  >();
  const sumOf = (file: string) => {
    const known = sums.get(file);
    if (known !== undefined) return known;
    const bytes = { code: 0, const: 0, "global-init": 0, global: 0, local: 0, shared: 0, dead: 0 };
    const made = { functions: 0, variables: 0, bytes };
    sums.set(file, made);
    return made;
  };
  for (const { file, size } of functions) {
    const sum = sumOf(file);
    sum.functions++;
    sum.bytes.code += size;
  }
  // A shared variable stands in the memory of every kernel that reaches it, and counts once.
  const counted = new Set<string>();
  for (const { space, entries } of memories)
    for (const entry of entries) {
      if (space === "param" || (entry.kind !== "variable" && entry.kind !== "dead")) continue;
      const key = `${entry.file}\0${entry.line}\0${entry.name}`;
      if (space === "shared" && counted.has(key)) continue;
      counted.add(key);
      const sum = sumOf(entry.file);
      sum.bytes[space] += entry.size;
      if (entry.kind === "dead") sum.bytes.dead += entry.size;
      else sum.variables++;
    }
  // One file may hold several modules of one name, and may be named twice.
  const first = new Map(image.modules.toReversed().map((module) => [module.name, module]));
  // An object that names no module stands for one.
  return [...new Set([...image.modules.map(({ name }) => name), ...sums.keys()])].map((file) => {
    const { target, version } = first.get(file) ?? image;
    return { file, target: target.name, ptxVersion: version, ...sumOf(file) };
  });
}
