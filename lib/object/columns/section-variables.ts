// Lists the variables of each section, for passes that remove some of them.

import { isFunction, type SectionRow, type SymbolRow, type Columns } from "./columns.js";

/** Variables grouped by section, in the order of symbols. */
export interface Members {
  readonly rows: Int32Array & { readonly [index: number]: SymbolRow };
  /** First index in `rows` of each section, and the end. */
  readonly start: Int32Array & { readonly [row: SectionRow]: number };
}

export function membersOf(columns: Columns): Members {
  const { sectionOf, firstSymbol, firstSection } = columns;
  const symbols = firstSymbol.at(-1)!;
  const sections = firstSection.at(-1)!;
  const start = new Int32Array(sections + 1);
  const isMember = (row: SymbolRow): boolean => sectionOf[row]! >= 0 && !isFunction(columns, row);
  for (let row = 0; row < symbols; row++) if (isMember(row)) start[sectionOf[row]! + 1]!++;
  for (let section = 0; section < sections; section++) start[section + 1]! += start[section]!;
  const rows = new Int32Array(start[sections]!);
  const next = start.slice();
  for (let row = 0; row < symbols; row++) if (isMember(row)) rows[next[sectionOf[row]!]!++] = row;
  return { rows, start };
}

/** Sorts the variables of one section by offset. */
export function byPlace({ offset }: Columns, variables: Int32Array): Int32Array {
  const sorted = variables.slice();
  let isSorted = true;
  for (let i = 1; i < sorted.length; i++) isSorted &&= offset[sorted[i - 1]!]! < offset[sorted[i]!]!;
  if (!isSorted) sorted.sort((a, b) => offset[a]! - offset[b]! || a - b);
  return sorted;
}
