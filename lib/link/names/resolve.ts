// Pass: names to symbols. Every static symbol stays its own; every other name becomes one merged symbol, and what it stands
// for is strong before weak before common before extern, and the earliest input among equals (PTX ISA 9.0 section 10.6;
// nvlink's matrix in docs/linking.md). Merged symbols are ordered by first appearance here, and in
// the end as output-order.ts says, never by a hash table.
// Rejected: letting the first of weak and common win, as nvlink does; it crashes when the common one comes first.

import type { ObjectSymbol } from "../../object/object.js";
import type { Contribution } from "../inputs.js";

/** All that the inputs say of one name. */
export interface Merged {
  readonly name: string;
  /** What the name stands for in the image. */
  readonly chosen: Contribution;
  /** Every contribution in command-line order, the chosen one among them. */
  readonly all: readonly Contribution[];
  /** The weak definition that counted until `chosen`, of a later input, took its place. */
  readonly replaced?: Contribution;
  /** Bytes: a definition's own alignment; of what nothing defines yet, the largest that any asks for. 1 for functions. */
  readonly align: number;
}

/** How strongly contributions claim their names, weakest first. */
export const claims = ["declared", "common", "weak", "strong"] as const;
export type Claim = (typeof claims)[number];

export function claimOf({ placement, linkage }: ObjectSymbol): Claim {
  switch (placement.kind) {
    case "undefined":
      return "declared";
    case "common":
      return "common";
    case "section":
      return linkage === "weak" ? "weak" : "strong";
  }
}

/** Bytes of a variable; 0 for `[]`, and for what has no size. */
export const bytesOf = (symbol: ObjectSymbol): number => (symbol.kind === "variable" ? symbol.layout.size : 0);
