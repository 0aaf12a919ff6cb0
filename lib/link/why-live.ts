// Why a symbol is in the image: the chain of references from a root to it, as lld's --why-live tells it, with the line of
// each. Costs nothing until it is asked: live.ts has kept one step back per symbol, and only the functions on the chain are
// decoded for their lines. Names may be patterns, and demangled ones.

import { demangle } from "../../formats/itanium/index.js";
import { compileGlob } from "../base/glob.js";
import { nearest } from "../base/nearest.js";
import type { LinePlace } from "../diag/diagnostic.js";
import { kindText } from "./describe.js";
import { placeOf, type Contribution, type Inputs } from "./inputs.js";
import { ALIAS, type Liveness } from "./live.js";
import { createReferencePlacer } from "./reference-place.js";
import { claimOf, type Resolution } from "./resolve.js";

/** A symbol on the way from a root. */
export interface LiveStep {
  readonly name: string;
  /** "a kernel", "a .const variable". */
  readonly what: string;
  /** Where it is defined. */
  readonly place: LinePlace;
  /** Where the step before refers to it; absent for the root. */
  readonly reference?: LinePlace;
  /** Stands for the next step's code, rather than referring to it. */
  readonly isAlias?: boolean;
}

export type WhyLive =
  | {
      readonly kind: "live";
      readonly name: string;
      /** What makes the first step a root: "a kernel", "named by -u". */
      readonly root: string;
      /** From the root to the symbol. */
      readonly chain: readonly LiveStep[];
    }
  /** No root reaches it; `isKept` because nothing is dropped in this link. */
  | {
      readonly kind: "unreached";
      readonly name: string;
      readonly what: string;
      readonly place: LinePlace;
      readonly isKept: boolean;
    }
  /** No input has the name. */
  | { readonly kind: "unknown"; readonly name: string; readonly nearest: readonly string[] };

/** Answers for each pattern in order; `collects`: whether the link drops what is dead. */
export function explainLive(
  inputs: Inputs,
  { merged }: Resolution,
  liveness: Liveness,
  patterns: readonly string[],
  collects: boolean,
): readonly WhyLive[] {
  const names = merged.map(({ name }) => name);
  const { live, roots, by } = liveness;
  const placeReference = createReferencePlacer(inputs);
  /** Where a live symbol is referred to from the one before it on the way. */
  const referenceTo = (symbol: number, { object, index, symbol: holder }: Contribution): LinePlace => {
    const declared = placeOf(inputs, { object, index, symbol: holder });
    if (by[symbol] === ALIAS || holder.placement.kind !== "section") return declared;
    const { section } = holder.placement;
    const relocation = inputs[object]!.sections[section]!.relocations[by[symbol]!]!;
    return placeReference({ object, section, relocation })[0].place ?? declared;
  };
  const whyOf = (symbol: number): WhyLive => {
    const { name, chosen } = merged[symbol]!;
    if (live[symbol] !== 1) {
      const isKept = !collects && claimOf(chosen.symbol) !== "declared";
      return { kind: "unreached", name, what: kindText(chosen.symbol), place: placeOf(inputs, chosen), isKept };
    }
    const path = pathTo(symbol, liveness);
    const chain = path.map((at, i): LiveStep => {
      const { chosen: here } = merged[at]!;
      const before = path[i - 1];
      const next = path[i + 1];
      return {
        name: here.symbol.name,
        what: kindText(here.symbol),
        place: placeOf(inputs, here),
        ...(before === undefined ? {} : { reference: referenceTo(at, merged[before]!.chosen) }),
        ...(next !== undefined && by[next] === ALIAS ? { isAlias: true } : {}),
      };
    });
    return { kind: "live", name, root: roots.get(path[0]!)!, chain };
  };
  return patterns.flatMap((pattern) => {
    const found = matching(names, pattern);
    return found.length > 0
      ? found.map(whyOf)
      : [{ kind: "unknown", name: pattern, nearest: nearest(pattern, [...new Set(names)]) } as const];
  });
}

/** Indices of the names that fit a pattern: by symbol name; where none fits, by demangled name. */
export function matching(names: readonly string[], pattern: string): readonly number[] {
  const test = compileGlob(pattern);
  const raw = names.flatMap((name, i) => (test(name) ? [i] : []));
  if (raw.length > 0) return raw;
  return names.flatMap((name, i) => {
    const demangled = demangle(name);
    return demangled !== undefined && test(demangled) ? [i] : [];
  });
}

function pathTo(symbol: number, { roots, from }: Liveness): readonly number[] {
  const path = [symbol];
  while (!roots.has(path.at(-1)!)) path.push(from[path.at(-1)!]!);
  return path.reverse();
}
