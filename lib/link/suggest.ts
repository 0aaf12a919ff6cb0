// What may have been meant by a name that nothing defines: the same name defined for its own module only, the same name
// with or without C++ mangling, the library that such names come from, or the nearest name. Looked up only for errors.

import type { Note } from "../diag/diagnostic.js";
import { describe, symbolText } from "./describe.js";
import { isLocal, moduleName, placeOf, type Contribution, type Inputs } from "./inputs.js";
import type { Merged } from "./resolve.js";
import { claimOf } from "./resolve.js";
import { libraries } from "./system-symbols.table.js";

export interface Suggestion {
  readonly notes: readonly Note[];
  readonly remedy: string;
}

export type Suggester = (name: string) => Suggestion;

/** Names further off than this many edits are no suggestion. */
const MOST_EDITS = 3;
/** Nearest names are sought for so many missing ones, because each search reads every name. */
const MOST_SEARCHES = 20;

export function createSuggester(inputs: Inputs, merged: readonly Merged[]): Suggester {
  const defined = merged.filter(({ chosen }) => claimOf(chosen.symbol) !== "declared").map(({ chosen }) => chosen);
  const statics = groupBy(
    defined.filter(({ symbol }) => isLocal(symbol)),
    ({ symbol }) => symbol.name,
  );
  const visible = defined.filter(({ symbol }) => !isLocal(symbol));
  const byPlainName = groupBy(visible, ({ symbol }) => plainName(symbol.name));
  let searches = 0;

  const definedAt =
    (what: string) =>
    (each: Contribution): Note => ({
      message: `${describe(each.symbol)} is ${what} in ${moduleName(inputs, each)}`,
      place: placeOf(inputs, each),
    });
  return (name) => {
    const hidden = statics.get(name);
    if (hidden !== undefined)
      return { notes: hidden.map(definedAt("defined without .visible")), remedy: "declare its definition .visible" };
    const otherMangling = byPlainName.get(plainName(name));
    if (otherMangling !== undefined)
      return {
        notes: otherMangling.map(definedAt("defined under this name")),
        remedy: 'the names differ in C++ mangling: check extern "C" and the parameter types on both sides',
      };
    const library = libraries.find(({ prefix }) => name.startsWith(prefix));
    if (library !== undefined) return { notes: [], remedy: `names in ${library.prefix}* come from ${library.library}` };
    const near = searches++ < MOST_SEARCHES ? nearest(name, visible) : undefined;
    if (near !== undefined)
      return { notes: [definedAt("defined")(near)], remedy: `did you mean ${symbolText(near.symbol.name)}?` };
    return {
      notes: [],
      remedy: "link the module or library that defines it; its definition must be .visible or .weak",
    };
  };
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = key(item);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  return groups;
}

/** `_Z5shadeif` is "shade"; a name without mangling is itself. Nested names keep their mangling. */
function plainName(name: string): string {
  const match = /^_ZL?(\d{1,4})/.exec(name);
  if (match === null) return name;
  const start = match[0].length;
  const length = Number(match[1]);
  return start + length <= name.length ? name.slice(start, start + length) : name;
}

function nearest(name: string, candidates: readonly Contribution[]): Contribution | undefined {
  const most = Math.min(MOST_EDITS, Math.floor(name.length / 3));
  let [best, edits]: [Contribution | undefined, number] = [undefined, most + 1];
  for (const candidate of candidates) {
    const other = candidate.symbol.name;
    if (Math.abs(other.length - name.length) >= edits) continue;
    const distance = editDistance(name, other, edits);
    if (distance < edits) [best, edits] = [candidate, distance];
  }
  return best;
}

/** Levenshtein distance; `limit` or more means only "at least that". */
export function editDistance(a: string, b: string, limit: number): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = row[j - 1]! + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1);
      next.push(Math.min(changed, row[j]! + 1, next[j - 1]! + 1));
    }
    if (next.every((n) => n >= limit)) return limit;
    row = next;
  }
  return row[b.length]!;
}
