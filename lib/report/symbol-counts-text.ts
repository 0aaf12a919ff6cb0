// --print-symbol-counts: a line for each input in link order, "symbols FILE DEFINED USED DROPPED". The first four words are
// gold's, which tools parse. DROPPED counts definitions that lost to another one, were not selected, or were garbage-collected.

import type { LinkMapRows } from "../link/reports/map.js";

export function symbolCountsText(map: Pick<LinkMapRows, "discarded" | "modules">): string {
  const dropped = new Map<string, number>();
  for (const { file, object = file, reason } of map.discarded)
    if (reason === "lost" || reason === "unreached" || reason === "unnamed")
      dropped.set(object, (dropped.get(object) ?? 0) + 1);
  const files = new Map<string, number>();
  for (const { file, object = file, functions, variables } of map.modules)
    files.set(object, (files.get(object) ?? 0) + functions + variables);
  // A module whose definitions were all dropped has a line, too.
  for (const file of dropped.keys()) if (!files.has(file)) files.set(file, 0);
  return [...files]
    .map(([file, used]) => {
      const lost = dropped.get(file) ?? 0;
      return `symbols ${file} ${used + lost} ${used} ${lost}\n`;
    })
    .join("");
}
