// Reads attributes of debug-information entries, following references: an abstract origin or a specification has the name and
// type of a variable or function.

import { qualifiedName } from "../../base/source-name.js";
import { AT, type DebugAttribute, type DebugEntry, type DebugUnit } from "../../../formats/dwarf/index.js";

/** Finds the entry at an offset in `.debug_info`. */
export type EntryFinder = (offset: number) => DebugEntry | undefined;

/** Indexes the entries of a module's units by offset. */
export function createEntryFinder(units: readonly DebugUnit[]): EntryFinder {
  const entries = new Map<number, DebugEntry>();
  for (const { root } of units) for (const entry of entriesBelow(root)) entries.set(entry.offset, entry);
  return (offset) => entries.get(offset);
}

/** The entry and all below it, parents first. */
export function* entriesBelow(entry: DebugEntry): Generator<DebugEntry, void, undefined> {
  const waiting = [entry];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield next;
    for (let i = next.children.length - 1; i >= 0; i--) waiting.push(next.children[i]!);
  }
}

/** Largest number of references that are followed. */
const MAX_LINKS = 4;

/** The attribute of the entry, or of the entry that it refers to. */
export function attributeOf(entry: DebugEntry, name: number, entryAt: EntryFinder): DebugAttribute | undefined {
  let at: DebugEntry | undefined = entry;
  for (let links = 0; at !== undefined && links <= MAX_LINKS; links++) {
    const found = at.attributes.get(name);
    if (found !== undefined) return found;
    const next: number | undefined = numberIn(at, AT.abstractOrigin) ?? numberIn(at, AT.specification);
    at = next === undefined ? undefined : entryAt(next);
  }
  return undefined;
}

/** An integer; undefined if it is too large for a number. */
export function numberIn({ attributes }: DebugEntry, name: number): number | undefined {
  const content = attributes.get(name)?.content;
  const number = typeof content === "bigint" ? Number(content) : undefined;
  return Number.isSafeInteger(number) ? number : undefined;
}

/**
 * The C++ name of an entity for which nvcc writes the mangled name: enumerators of scoped enumerations, variables of namespaces.
 */
export const sourceWord = (name: string): string => qualifiedName(name) ?? name;

export function textIn({ attributes }: DebugEntry, name: number): string | undefined {
  const content = attributes.get(name)?.content;
  return typeof content === "string" ? content : undefined;
}
