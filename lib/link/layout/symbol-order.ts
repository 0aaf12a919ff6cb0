// --symbol-ordering-file (lld's and gold's) and --sort-section (GNU ld's keywords): a given order of variables and functions, so
// that those used together are adjacent. Shared memory keeps its own order (../shared/shared-order.ts).

import type { DiagnosticSink } from "../../diag/sink.js";
import { readNameLines, type NameLines } from "./name-lines.js";

export interface SymbolOrder {
  /** The names that come first. */
  readonly names?: OrderedNames;
  /** The order of all other variables: by name, or by alignment, strictest first. */
  readonly sort?: "name" | "alignment";
}

/** The names in an order file, possibly millions. */
export interface OrderedNames {
  readonly file: string;
  /** Names in order, each with its first line number. */
  readonly lines: NameLines;
}

export const NO_NAMES: OrderedNames = { file: "", lines: new Map() };

/** The properties that decide an item's position: all of its names, and its alignment in bytes. */
export interface OrderKey {
  readonly names: readonly string[];
  readonly align: number;
}

/** Sorts the items by the order; equal items keep their order. */
export function bySymbols<T>(
  items: readonly T[],
  { names: { lines } = NO_NAMES, sort }: SymbolOrder,
  keyOf: (item: T) => OrderKey,
): readonly T[] {
  const keyed = items.map((item) => {
    const key = keyOf(item);
    const rank = key.names.reduce((first, name) => Math.min(first, lines.get(name) ?? UNNAMED), UNNAMED);
    return { item, rank, align: key.align, name: key.names[0] ?? "" };
  });
  type Keyed = (typeof keyed)[number];
  const compare: Readonly<Record<NonNullable<SymbolOrder["sort"]>, (a: Keyed, b: Keyed) => number>> = {
    name: (a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)),
    alignment: (a, b) => b.align - a.align,
  };
  const rest = sort === undefined ? () => 0 : compare[sort];
  return keyed.sort((a, b) => a.rank - b.rank || (a.rank < UNNAMED ? 0 : rest(a, b))).map(({ item }) => item);
}

/** Rank of items that the order does not name, after all lines. */
const UNNAMED = Number.MAX_SAFE_INTEGER;

/** Limit of unknown names that are reported one by one: reporting millions would take longer than linking. */
const ONE_BY_ONE = 10_000;

/** Names of an order file that no symbol subject to the order has. */
export interface UnknownNames {
  readonly count: number;
  /** The names that are reported, and one more. */
  readonly first: readonly { readonly name: string; readonly file: string; readonly line: number }[];
}

export const NO_UNKNOWN_NAMES: UnknownNames = { count: 0, first: [] };

export function unknownNames({ file, lines }: OrderedNames, isKnown: (name: string) => boolean): UnknownNames {
  const first: { name: string; file: string; line: number }[] = [];
  let count = 0;
  for (const [name, line] of lines) if (!isKnown(name) && count++ <= ONE_BY_ONE) first.push({ name, file, line });
  return { count, first };
}

/** Warns of unknown names. */
export function reportUnknown({ count, first }: UnknownNames, sink: DiagnosticSink): void {
  const remedy = "take it out, or write the name as the inputs have it";
  for (const { name, file, line } of first.slice(0, ONE_BY_ONE))
    sink.report(
      "unknown-in-order",
      `the order names ${name}, and no function and no variable outside shared memory of that name is in the image`,
      { kind: "line", file, line },
      { remedy },
    );
  const next = first[ONE_BY_ONE];
  if (next === undefined) return;
  const { name, file, line } = next;
  sink.report(
    "unknown-in-order",
    `of the order's names from ${name} on, ${count - ONE_BY_ONE} more are neither functions nor variables outside shared memory in the image`,
    { kind: "line", file, line },
    { remedy: "take them out, or write the names as the inputs have them" },
  );
}

/** Parses a file of names, one per line; text after # is a comment, as in lld. */
export const parseOrder = (file: string, text: string): OrderedNames => ({ file, lines: readNameLines(text) });
