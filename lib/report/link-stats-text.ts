// --stats as text: one line for each number.

import type { LinkStats } from "../link/reports/stats.js";

const rows: readonly (readonly [what: string, key: keyof LinkStats])[] = [
  ["files read", "files"],
  ["bytes read", "bytesRead"],
  ["objects", "objects"],
  ["modules", "modules"],
  ["sections", "sections"],
  ["symbols", "symbols"],
  ["relocations", "relocations"],
  ["bytes written", "bytesWritten"],
  ["bytes of memory at most", "peakMemory"],
];

export function linkStatsText(stats: LinkStats): string {
  const texts = rows.map(([what, key]) => [String(stats[key]), what] as const);
  const width = Math.max(...texts.map(([number]) => number.length));
  return `Statistics\n${texts.map(([number, what]) => `  ${number.padStart(width)}  ${what}\n`).join("")}`;
}
