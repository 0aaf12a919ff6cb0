// Queries about names: the declaration at an offset, its occurrences, and the names that are visible there.

import type { Name } from "../ptx/tree.js";
import type { AnyFunction, LanguageDocument } from "./document.js";
import { isSame, lookUp, moduleSymbols, visitNames, type NamedSymbol, type Role } from "./names.js";
import { wordAt } from "./words.js";

export interface NameAt {
  readonly name: Name;
  readonly symbol: NamedSymbol;
  readonly role: Role;
}

/** The function that contains the offset. */
export function functionAt(document: LanguageDocument, offset: number): AnyFunction | undefined {
  return document.items().find((item) => item.kind === "function" && item.start <= offset && offset <= item.end) as
    AnyFunction | undefined;
}

/** The name at an offset, or just before it, with its symbol. */
export function nameAt(document: LanguageDocument, offset: number): NameAt | undefined {
  const inside = functionAt(document, offset);
  let found: NameAt | undefined;
  visitNames(
    document,
    (name, symbol, role) => {
      if (name.start <= offset && offset <= name.end && symbol !== undefined) found ??= { name, symbol, role };
    },
    (declaration) => declaration === inside,
  );
  return found ?? wordInFault(document, offset);
}

/** A name in a statement with syntax errors, which the tree lacks: the symbol of the same word elsewhere in the function. */
function wordInFault(document: LanguageDocument, offset: number): NameAt | undefined {
  const word = wordAt(document, offset);
  const text = word?.text.split(".", 1)[0];
  if (word === undefined || text === undefined || text === "" || offset > word.start + text.length) return undefined;
  const names = new Map([
    ...moduleSymbols(document),
    ...localsAt(document, offset).map((one) => [one.text, one] as const),
  ]);
  const symbol = lookUp({ parent: undefined, names }, text);
  return symbol && { name: { text, start: word.start, end: word.start + text.length }, symbol, role: "reference" };
}

export interface Occurrence {
  readonly name: Name;
  readonly role: Role;
  readonly implied: boolean;
}

/** Every occurrence of a symbol; for a family, also those of its members. */
export function occurrencesOf(document: LanguageDocument, symbol: NamedSymbol): readonly Occurrence[] {
  const found: Occurrence[] = [];
  const isWanted = (other: NamedSymbol): boolean =>
    isSame(other, symbol) || (other.family !== undefined && isSame(other.family, symbol));
  visitNames(
    document,
    (name, other, role, implied) => {
      const isFamily = symbol.family !== undefined && other !== undefined && isSame(other, symbol.family);
      if (other !== undefined && (isWanted(other) || isFamily)) found.push({ name, role, implied });
    },
    ({ start }) => symbol.owner === undefined || symbol.owner.start === start,
  );
  return found;
}

/** The names declared in the function around an offset, including inner blocks; no names at module scope. */
export function localsAt(document: LanguageDocument, offset: number): readonly NamedSymbol[] {
  const inside = functionAt(document, offset);
  if (inside === undefined) return [];
  const found = new Map<string, NamedSymbol>();
  visitNames(
    document,
    (_, symbol) => {
      if (symbol?.owner?.start === inside.start) found.set(symbol.text, symbol);
    },
    (declaration) => declaration === inside,
  );
  return [...found.values()];
}
