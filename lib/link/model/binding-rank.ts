// The rank of a symbol's binding to its name: strong before weak before common before extern, and the earliest input among equals
// (PTX ISA 9.0 section 10.6; nvlink's matrix in docs/linking.md). link/resolve/resolve.ts has the same for columns.

import type { ObjectSymbol } from "../../object/object.js";

/** How strongly contributions claim their names, weakest first. */
export type Claim = "declared" | "common" | "weak" | "strong";

export function rankOf(symbol: ObjectSymbol): Claim {
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
