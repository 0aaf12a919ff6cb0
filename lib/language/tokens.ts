// Kinds of the names in a range, for colours that the TextMate grammar cannot give: kernels, functions, variables, parameters,
// registers, labels.

import type { Ranged } from "../ptx/source-text.js";
import type { LanguageDocument } from "./document.js";
import { visitNames, type NamedSymbol } from "./names.js";

export interface NameToken extends Ranged {
  readonly kind: NamedSymbol["kind"];
  readonly isDeclaration: boolean;
}

/** The name tokens in text order; of the whole document unless a range is given. */
export function nameTokens(document: LanguageDocument, range?: Ranged): readonly NameToken[] {
  const { start: from, end: to } = range ?? { start: 0, end: document.text.length };
  const found = new Map<number, NameToken>();
  visitNames(
    document,
    ({ start, end }, symbol, role) => {
      if (symbol === undefined || end <= from || start >= to) return;
      found.set(start, { start, end, kind: symbol.kind, isDeclaration: role === "declaration" });
    },
    ({ start, end }) => end > from && start < to,
  );
  return [...found.values()].sort((a, b) => a.start - b.start);
}
