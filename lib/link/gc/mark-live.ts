// Pass: finds the symbols that roots reach, for --gc-sections and --why-live. Vertices are merged symbols, each function and each
// variable by itself. Edges are the relocations in a function's code and in a variable's initial value, and the link from an
// alias to its function. Calls, call tables, addresses, textures: all are relocations.
// The search is breadth first from the roots in link order, so that the chain back to a root is as short as possible; one step
// back is stored per symbol. Linear in references, plus a sort of the variables of each section that has some.
// Rejected: whole sections as vertices, as in linkers of native objects: one table of a module would keep the others.

import { byPlace, type Members } from "../../object/columns/section-variables.js";
import { ROLE } from "../../object/columns/codes.js";
import type { MergedRow, Resolution } from "../resolve/resolve.js";
import { sizeOfType } from "../../object/columns/types.js";
import { filesOfSections, forEachRelocation } from "../../object/columns/relocations.js";
import { isFunction, type Columns } from "../../object/columns/columns.js";

export interface Liveness {
  /** For each merged symbol: 1 if a root reaches it. */
  readonly live: Uint8Array;
  /** For each symbol of an object: a live symbol of the same object whose code or data refers to it; -1 if there is none. */
  readonly referrer: Int32Array;
  /** For each live merged symbol that is no root: the symbol whose definition refers to it. */
  readonly from: Int32Array;
  /** The place of that reference, in bytes from the start of its section; ALIAS if it is an alias. */
  readonly referenceOffset: Int32Array;
}

/** In place of an offset: the symbol is the function of an alias. */
export const ALIAS = -1;

export function markLive(
  columns: Columns,
  { count, chosen, mergedOf }: Resolution,
  roots: Iterable<MergedRow>,
  members: Members,
): Liveness {
  const live = new Uint8Array(count);
  const referrer = new Int32Array(columns.firstSymbol.at(-1)!).fill(-1);
  const from = new Int32Array(count).fill(-1);
  const by = new Int32Array(count);
  const queue = new Int32Array(count);
  let end = 0;
  const reach = (row: MergedRow, before: MergedRow, offset: number): void => {
    if (live[row] !== 0) return;
    live[row] = 1;
    from[row] = before;
    by[row] = offset;
    queue[end++] = row;
  };
  for (const root of roots) reach(root, -1, 0);
  const values = valueReferences(columns, members);
  const fileOf = filesOfSections(columns);
  for (let next = 0; next < end; next++) {
    const row = queue[next]!;
    const symbol = chosen[row]!;
    const place = columns.sectionOf[symbol]!;
    if (place < 0) continue;
    if (!isFunction(columns, symbol)) {
      for (let i = values.start[symbol]!; i < values.start[symbol + 1]!; i++) {
        const target = values.targets[i]!;
        if (referrer[target]! < 0) referrer[target] = symbol;
        reach(mergedOf[target]!, row, values.offsets[i]!);
      }
      continue;
    }
    const owner = columns.owner[place]!;
    if (owner !== symbol) {
      reach(mergedOf[owner]!, row, ALIAS);
      continue;
    }
    forEachRelocation(columns, fileOf[place]!, place, (offset, target) => {
      if (referrer[target]! < 0) referrer[target] = symbol;
      reach(mergedOf[target]!, row, offset);
    });
  }
  return { live, referrer, from, referenceOffset: by };
}

/**
 * The references in the initial values of variables, grouped by variable and sorted by offset; targets are symbols of the same
 * object.
 */
interface ValueReferences {
  readonly start: Int32Array;
  readonly targets: Int32Array;
  /** Bytes from the start of the section. */
  readonly offsets: Int32Array;
}

function valueReferences(columns: Columns, members: Members): ValueReferences {
  const start = new Int32Array(columns.firstSymbol.at(-1)! + 1);
  /** Triples of variable, target and offset. */
  const found: number[] = [];
  for (let file = 0; file < columns.files.length; file++)
    for (let section = columns.firstSection[file]!; section < columns.firstSection[file + 1]!; section++) {
      if (columns.role[section] === ROLE.text || (columns.rel[section] === 0 && columns.rela[section] === 0)) continue;
      const variables = byPlace(columns, members.rows.subarray(members.start[section], members.start[section + 1]));
      let near = 0;
      forEachRelocation(columns, file, section, (offset, target) => {
        near = holderOf(columns, variables, offset, near);
        // A reference in bytes outside all variables is ignored.
        if (near < 0) return;
        const holder = variables[near]!;
        found.push(holder, target, offset);
        start[holder + 1]!++;
      });
    }
  for (let row = 0; row + 1 < start.length; row++) start[row + 1]! += start[row]!;
  const targets = new Int32Array(found.length / 3);
  const offsets = new Int32Array(targets.length);
  const next = start.slice();
  for (let i = 0; i < found.length; i += 3) {
    const at = next[found[i]!]!++;
    targets[at] = found[i + 1]!;
    offsets[at] = found[i + 2]!;
  }
  const references = { start, targets, offsets };
  for (let row = 0; row + 1 < start.length; row++) orderByPlace(references, start[row]!, start[row + 1]!);
  return references;
}

/** Sorts the references of one variable, which are mostly sorted already. */
function orderByPlace({ targets, offsets }: ValueReferences, from: number, to: number): void {
  let at = from + 1;
  while (at < to && offsets[at - 1]! <= offsets[at]!) at++;
  if (at >= to) return;
  const before = { targets: targets.slice(from, to), offsets: offsets.slice(from, to) };
  const order = [...before.offsets.keys()].sort((a, b) => before.offsets[a]! - before.offsets[b]! || a - b);
  order.forEach((own, i) => {
    targets[from + i] = before.targets[own]!;
    offsets[from + i] = before.offsets[own]!;
  });
}

/** The index of the variable that contains the byte at `offset`; -1 if none does. Mostly the same as before, or the next. */
function holderOf(
  { offset: offsets, typeId, types }: Columns,
  variables: Int32Array,
  offset: number,
  near: number,
): number {
  const has = (i: number): boolean => {
    const variable = variables[i]!;
    return offsets[variable]! <= offset && offset < offsets[variable]! + sizeOfType(types, typeId[variable]!);
  };
  if (near >= 0 && near < variables.length && has(near)) return near;
  let [low, high] = [0, variables.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (offsets[variables[middle]!]! <= offset) low = middle + 1;
    else high = middle;
  }
  return low > 0 && has(low - 1) ? low - 1 : -1;
}
