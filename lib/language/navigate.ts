// Definitions, references and renames, in one document and over the documents of a folder. Modules share a name if its linkage
// makes it global (PTX ISA section 11.6); a name without a linkage directive is local to the module.

import { opcodeNames } from "../isa/rows/all.table.js";
import { specialRegister } from "../isa/special-registers.table.js";
import type { Ranged } from "../ptx/source-text.js";
import type { LanguageDocument } from "./document.js";
import { isSame, moduleSymbols, visitNames, type NamedSymbol } from "./names.js";
import { nameAt, occurrencesOf, type Occurrence } from "./occurrences.js";

export interface Location extends Ranged {
  readonly document: LanguageDocument;
}

/** Whether other modules see the name. */
export const isShared = ({ owner, linkage }: NamedSymbol): boolean => owner === undefined && linkage !== undefined;

/** Documents that mention a name, the current one first; `others` are read one by one. */
export type Others = (text: string) => Iterable<LanguageDocument>;

/** The symbol of that name that a document shares with others. */
export function sharedSymbol(document: LanguageDocument, text: string): NamedSymbol | undefined {
  const symbol = moduleSymbols(document).get(text);
  return symbol !== undefined && isShared(symbol) ? symbol : undefined;
}

/** The definitions of the name at an offset: in this document, then in others; if there are none, its declarations. */
export function definitionsAt(document: LanguageDocument, offset: number, others: Others): readonly Location[] {
  const found = nameAt(document, offset);
  if (found === undefined) return [];
  const { symbol } = found;
  const own = declared(document, symbol, true);
  if (own.length > 0) return own;
  if (isShared(symbol)) {
    for (const other of others(symbol.text)) {
      const theirs = sharedSymbol(other, symbol.text);
      const definitions = theirs === undefined ? [] : declared(other, theirs, true);
      if (definitions.length > 0) return definitions;
    }
  }
  return declared(document, symbol, false);
}

const declared = (document: LanguageDocument, symbol: NamedSymbol, isDefinition: boolean): readonly Location[] =>
  symbol.declarations
    .filter((one) => one.isDefinition === isDefinition)
    .map(({ name: { start, end } }) => ({ document, start, end }));

interface Found extends Occurrence {
  readonly document: LanguageDocument;
}

function allOccurrences(document: LanguageDocument, symbol: NamedSymbol, others: Others): readonly Found[] {
  const found: Found[] = occurrencesOf(document, symbol).map((one) => ({ ...one, document }));
  if (!isShared(symbol)) return found;
  for (const other of others(symbol.text)) {
    const theirs = sharedSymbol(other, symbol.text);
    if (theirs !== undefined) for (const one of occurrencesOf(other, theirs)) found.push({ ...one, document: other });
  }
  return found;
}

/** Every occurrence of the symbol at an offset. */
export function referencesAt(
  document: LanguageDocument,
  offset: number,
  withDeclarations: boolean,
  others: Others,
): readonly Location[] {
  const found = nameAt(document, offset);
  if (found === undefined || found.symbol.declarations.length === 0) return [];
  return allOccurrences(document, found.symbol, others)
    .filter(({ role }) => withDeclarations || role === "reference")
    .map(({ document: where, name: { start, end } }) => ({ document: where, start, end }));
}

// ---------------------------------------------------------------------------------------------------------------- rename

export type RenameResult =
  { readonly kind: "edits"; readonly edits: readonly Location[] } | { readonly kind: "refused"; readonly why: string };

const refused = (why: string): RenameResult => ({ kind: "refused", why });

/** The range of the name that would be renamed at an offset, or the reason why it cannot be. */
export function renamableAt(
  document: LanguageDocument,
  offset: number,
): { readonly range: Ranged; readonly symbol: NamedSymbol } | string {
  const found = nameAt(document, offset);
  if (found === undefined) return "there is no name here that this file declares";
  const { name, symbol } = found;
  if (symbol.kind === "special register") return `${symbol.text} is a special register`;
  if (symbol.family !== undefined && name.text !== symbol.family.text)
    return `${symbol.text} is one of ${symbol.family.text}<${symbol.family.count}>: rename the family where it is declared`;
  return { range: { start: name.start, end: name.end }, symbol };
}

/** Identifiers: PTX ISA section 4.4. */
const identifier = /^(?:[a-zA-Z][\w$]*|[_$%][\w$]+)$/;

/** The ranges that a rename writes, or the reason why the new name is not possible. */
export function renameAt(document: LanguageDocument, offset: number, to: string, others: Others): RenameResult {
  const found = renamableAt(document, offset);
  if (typeof found === "string") return refused(found);
  const { symbol } = found;
  if (!identifier.test(to)) return refused(`'${to}' is not a PTX name`);
  if (specialRegister(to) !== undefined) return refused(`${to} is a special register`);
  if (to === "WARP_SZ" || opcodeNames().includes(to)) return refused(`'${to}' is a word of PTX`);
  if (to === symbol.text) return { kind: "edits", edits: [] };
  if (symbol.count !== undefined && /\d$/.test(to)) return refused("the name of a family does not end in a digit");
  const all = allOccurrences(document, symbol, others);
  if (all.some(({ implied }) => implied)) return refused(`'${symbol.text}' is one of a list that counts its names`);
  for (const each of new Set(all.map((one) => one.document))) {
    const own = each === document ? symbol : sharedSymbol(each, symbol.text)!;
    const clash = clashOf(each, own, to);
    if (clash !== undefined) return refused(`${each.name} has a ${clash.kind} '${clash.text}' already`);
  }
  const edits = all.map(({ document: where, name }) => {
    // The number of a family's member stays.
    const length = Math.min(name.end - name.start, symbol.text.length);
    return { document: where, start: name.start, end: name.start + length };
  });
  return { kind: "edits", edits };
}

/** A symbol that conflicts with the new name: in the symbol's function or, for a name at module scope, anywhere. */
function clashOf(document: LanguageDocument, symbol: NamedSymbol, to: string): NamedSymbol | undefined {
  const isTaken = (text: string): boolean =>
    text === to || (symbol.count !== undefined && text.startsWith(to) && /^\d+$/.test(text.slice(to.length)));
  let clash: NamedSymbol | undefined;
  visitNames(
    document,
    (name, other) => {
      if (other === undefined || clash !== undefined || isSame(other, symbol)) return;
      const isMember = other.family !== undefined && isSame(other.family, symbol);
      if (!isMember && (isTaken(name.text) || other.family?.text === to)) clash = other;
      else if (!isMember && other.count !== undefined && new RegExp(`^${escape(other.text)}\\d+$`).test(to))
        clash = other;
    },
    ({ start }) => symbol.owner === undefined || symbol.owner.start === start,
  );
  return clash;
}

const escape = (text: string): string => text.replaceAll(/[$%]/g, "\\$&");
