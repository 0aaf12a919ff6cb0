// Two tables of facts, line by line.

import type { Facts } from "./facts.js";

/** What differs, one line each; empty when the tables agree. */
export function compare(ours: Facts, theirs: Facts): readonly string[] {
  const keys = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].sort();
  return keys.flatMap((key) => {
    const [our, their] = [ours[key], theirs[key]];
    return our === their ? [] : [`${key}: ours ${our ?? "nothing"}; ptxas ${their ?? "nothing"}`];
  });
}
