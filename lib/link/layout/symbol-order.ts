// --symbol-ordering-file (lld's and gold's) and --sort-section (GNU ld's words): variables and functions in an order that is
// asked for, so that what is used together stands together. Shared memory keeps its own order (../shared/shared-order.ts).

import type { DiagnosticSink } from "../../diag/sink.js";

export interface SymbolOrder {
  /** What comes first, in this order. */
  readonly names?: readonly OrderedName[];
  /** Of all other variables: by name, or the most strictly aligned first. */
  readonly sort?: "name" | "alignment";
}

export interface OrderedName {
  readonly name: string;
  /** Where it was asked for, for messages. */
  readonly file: string;
  readonly line: number;
}

/** What decides a place: all names that something has, and its alignment in bytes. */
export interface OrderKey {
  readonly names: readonly string[];
  readonly align: number;
}

/** The items by the order, those that it treats alike as they came. */
export function bySymbols<T>(
  items: readonly T[],
  { names = [], sort }: SymbolOrder,
  keyOf: (item: T) => OrderKey,
): readonly T[] {
  // From the last on, so that the first of a name stays; without a pair for each name, of which there may be millions.
  const ranks = new Map<string, number>();
  for (let i = names.length - 1; i >= 0; i--) ranks.set(names[i]!.name, i - names.length);
  const keyed = items.map((item) => {
    const key = keyOf(item);
    const rank = key.names.reduce((first, name) => Math.min(first, ranks.get(name) ?? 0), 0);
    return { item, rank, align: key.align, name: key.names[0] ?? "" };
  });
  type Keyed = (typeof keyed)[number];
  const compare: Readonly<Record<NonNullable<SymbolOrder["sort"]>, (a: Keyed, b: Keyed) => number>> = {
    name: (a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)),
    alignment: (a, b) => b.align - a.align,
  };
  const rest = sort === undefined ? () => 0 : compare[sort];
  return keyed.sort((a, b) => a.rank - b.rank || (a.rank < 0 ? 0 : rest(a, b))).map(({ item }) => item);
}

/** So many names are told of one by one; millions would take longer to tell than to link, and nobody reads them. */
const ONE_BY_ONE = 10_000;

/** Warns of names that nothing has which stands in the order's reach. */
export function reportUnknown(names: readonly OrderedName[], sink: DiagnosticSink): void {
  const remedy = "take it out, or write the name as the inputs have it";
  for (const { name, file, line } of names.slice(0, ONE_BY_ONE))
    sink.report(
      "unknown-in-order",
      `the order names ${name}, and no function and no variable outside shared memory of that name is in the image`,
      { kind: "line", file, line },
      { remedy },
    );
  const next = names[ONE_BY_ONE];
  if (next === undefined) return;
  const { name, file, line } = next;
  sink.report(
    "unknown-in-order",
    `of the order's names from ${name} on, ${names.length - ONE_BY_ONE} more are no function's and no variable's outside shared memory in the image`,
    { kind: "line", file, line },
    { remedy: "take them out, or write the names as the inputs have them" },
  );
}

/** The names of a file, one a line, each where it stands first; what begins with # is a comment, as lld has it. */
export function parseOrder(file: string, text: string): readonly OrderedName[] {
  const lines = new Map<string, number>();
  for (let at = 0, line = 1; at <= text.length; line++) {
    const end = text.indexOf("\n", at);
    const name = text.slice(at, end < 0 ? undefined : end).trim();
    if (name !== "" && !name.startsWith("#") && !lines.has(name)) lines.set(name, line);
    at = end < 0 ? text.length + 1 : end + 1;
  }
  return Array.from(lines, ([name, line]) => ({ name, file, line }));
}
