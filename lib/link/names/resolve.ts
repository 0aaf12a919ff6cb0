// Pass: names to symbols. Every static symbol stays its own; every other name becomes one merged symbol, and what it stands
// for is strong before weak before common before extern, and the earliest input among equals (PTX ISA 9.0 section 10.6;
// nvlink's matrix in docs/linking.md). Merged symbols are ordered by first appearance here, and in
// the end as output-order.ts says, never by a hash table.
// Rejected: letting the first of weak and common win, as nvlink does; it crashes when the common one comes first.

import type { ObjectSymbol } from "../../object/object.js";
import { isLocal, type Contribution, type Inputs } from "../inputs.js";

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

export interface Resolution {
  readonly merged: readonly Merged[];
  /** For each input, for each of its symbols: index into `merged`. */
  readonly mergedOf: readonly Int32Array[];
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

export function resolve(inputs: Inputs): Resolution {
  const byName = new Map<string, number>();
  const groups: Contribution[][] = [];
  const mergedOf = inputs.map((input, object) => {
    const numbers = new Int32Array(input.symbols.length);
    input.symbols.forEach((symbol, index) => {
      const contribution = { object, index, symbol };
      const known = isLocal(symbol) ? undefined : byName.get(symbol.name);
      numbers[index] = known ?? groups.length;
      if (known !== undefined) groups[known]!.push(contribution);
      else {
        if (!isLocal(symbol)) byName.set(symbol.name, groups.length);
        groups.push([contribution]);
      }
    });
    return numbers;
  });
  const merged = groups.map((all) => {
    const chosen = choose(all);
    const replaced = replacedIn(all, chosen);
    const align = alignOf(chosen.symbol, all);
    return { name: chosen.symbol.name, chosen, all, align, ...(replaced === undefined ? {} : { replaced }) };
  });
  return { merged, mergedOf };
}

/** Of a name that `.common` alone defines: the first that does, which has given it its place among the others. */
export const firstCommon = ({ all, chosen }: Merged): Contribution =>
  all.find(({ symbol }) => claimOf(symbol) === "common") ?? chosen;

/** What the contributions of one name, in command-line order, make it stand for. */
export const choose = (all: readonly Contribution[]): Contribution =>
  all.reduce((best, next) => (betters(next.symbol, best.symbol) ? next : best));

function replacedIn(all: readonly Contribution[], chosen: Contribution): Contribution | undefined {
  if (all.length === 1 || claimOf(chosen.symbol) !== "strong") return undefined;
  const first = all.find(({ symbol }) => claimOf(symbol) === "weak" || claimOf(symbol) === "strong")!;
  return first === chosen ? undefined : first;
}

function betters(next: ObjectSymbol, best: ObjectSymbol): boolean {
  const claim = claimOf(next);
  const other = claimOf(best);
  const difference = claim === other ? 0 : claims.indexOf(claim) - claims.indexOf(other);
  if (difference !== 0) return difference > 0;
  if (claim === "common") return bytesOf(next) > bytesOf(best);
  // References have no place; what tells the module that has one from those that use it is `.extern`.
  if (next.kind === "reference" && next.linkage !== "extern" && best.linkage === "extern") return true;
  return claim === "declared" && detailOf(next) > detailOf(best);
}

/** How much a declaration says of its variable: `[]` has no size, and `.b32` agrees with every type. */
function detailOf(symbol: ObjectSymbol): number {
  if (bytesOf(symbol) === 0) return 0;
  return symbol.kind === "variable" && symbol.layout.type.class === "bits" ? 1 : 2;
}

/** Only what is allotted here (common), or elsewhere (declared), can still be aligned more strictly than it says. */
export function alignOf(chosen: ObjectSymbol, all: readonly Contribution[]): number {
  if (chosen.kind !== "variable") return 1;
  const claim = claimOf(chosen);
  if (all.length === 1 || claim === "weak" || claim === "strong") return chosen.layout.align;
  return all.reduce((most, { symbol }) => Math.max(most, symbol.kind === "variable" ? symbol.layout.align : 1), 1);
}

/** Bytes of a variable; 0 for `[]`, and for what has no size. */
export const bytesOf = (symbol: ObjectSymbol): number => (symbol.kind === "variable" ? symbol.layout.size : 0);
