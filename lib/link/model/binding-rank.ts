// The rank of a symbol's binding to its name: strong before weak before common before extern, and the earliest input among equals
// (PTX ISA 9.0 section 10.6; nvlink's matrix in docs/linking.md). For symbols as values; rows have a function of their own
// (../resolve/resolve.ts).

import type { ObjectSymbol } from "../../object/object.js";

/** How strongly a symbol is bound to its name, weakest first. */
export const RANK = { declared: 0, common: 1, weak: 2, strong: 3 } as const;
export type Rank = keyof typeof RANK;

export function rankOf(symbol: ObjectSymbol): Rank {
  const { placement, linkage } = symbol;
  switch (placement.kind) {
    case "undefined":
      if (symbol.kind !== "variable" || symbol.aliasOf === undefined) return "declared";
      return linkage === "weak" ? "weak" : "strong";
    case "common":
      return "common";
    case "section":
      return linkage === "weak" ? "weak" : "strong";
  }
}

/** Bytes of a variable; 0 for `[]`, and for symbols without a size. */
export const bytesOf = (symbol: ObjectSymbol): number => (symbol.kind === "variable" ? symbol.layout.size : 0);
