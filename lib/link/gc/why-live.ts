// Explains why a symbol is in the image: the chain of references from a root to it, as lld's --why-live prints it, with the line
// of each. Costs nothing unless requested: mark-live.ts has stored one step back per symbol, and only the functions on the chain
// are decoded for their lines. Names may be patterns, and demangled ones.

import { compileGlobList } from "../../base/glob-list.js";
import { createNearest } from "../../base/nearest.js";
import { listOf } from "../../base/series.js";
import { sourceName } from "../../base/source-name.js";
import type { LinePlace } from "../../diag/diagnostic.js";
import type { Roots } from "./roots.js";

/** A symbol on the way from a root. */
export interface LiveStep {
  readonly name: string;
  /** The kind of symbol: "a kernel", "a .const variable". */
  readonly what: string;
  /** The place of its definition. */
  readonly place: LinePlace;
  /** The place where the previous step refers to it; absent for the root. */
  readonly reference?: LinePlace;
  /** Whether it is an alias of the next step, not a reference to it. */
  readonly isAlias?: boolean;
}

/** Why a symbol is in the image: the chain of references from a root. */
export type WhyLive =
  | {
      readonly kind: "live";
      readonly name: string;
      /** Why the first step is a root: "a kernel", "named by -u". */
      readonly root: string;
      /** From the root to the symbol. */
      readonly chain: readonly LiveStep[];
    }
  /** No root reaches it; `isKept`: it is in the image because this link drops nothing. */
  | {
      readonly kind: "unreached";
      readonly name: string;
      readonly what: string;
      readonly place: LinePlace;
      readonly isKept: boolean;
      readonly root?: undefined;
      readonly chain?: undefined;
    }
  /** No input has the name. */
  | {
      readonly kind: "unknown";
      readonly name: string;
      readonly nearest: readonly string[];
      readonly root?: undefined;
      readonly chain?: undefined;
    };

/** The symbols that roots reach, with one step back for each, and the data for explanations. */
export interface LiveWays {
  readonly count: number;
  readonly roots: Roots;
  /** For each symbol: 1 if a root reaches it. */
  readonly live: Uint8Array;
  /** For each live symbol that is no root: the symbol whose definition refers to it. */
  readonly from: Int32Array;
  nameOf(symbol: number): string;
  /** The kind of a symbol: "a kernel", "a .const variable". */
  whatOf(symbol: number): string;
  placeOf(symbol: number): LinePlace;
  isDeclared(symbol: number): boolean;
  /** Whether the step to a live symbol is from an alias to its function. */
  isAliased(symbol: number): boolean;
  /** The place where the previous symbol of the chain refers to a live symbol that is no root. */
  referenceTo(symbol: number): LinePlace;
}

/** Explains each pattern's symbols in order, lazily; `collects`: whether the link drops dead symbols. */
export function explainLive(ways: LiveWays, patterns: readonly string[], collects: boolean): Iterable<WhyLive> {
  const names = Array.from({ length: ways.count }, (_, i) => ways.nameOf(i));
  const whyOf = (symbol: number): WhyLive => {
    const [name, what, place] = [names[symbol]!, ways.whatOf(symbol), ways.placeOf(symbol)];
    if (ways.live[symbol] !== 1) {
      return { kind: "unreached", name, what, place, isKept: !collects && !ways.isDeclared(symbol) };
    }
    const path = pathTo(symbol, ways);
    const chain = path.map((at, i): LiveStep => {
      const next = path[i + 1];
      return {
        name: names[at]!,
        what: ways.whatOf(at),
        place: ways.placeOf(at),
        ...(i === 0 ? {} : { reference: ways.referenceTo(at) }),
        ...(next !== undefined && ways.isAliased(next) ? { isAlias: true } : {}),
      };
    });
    return { kind: "live", name, root: ways.roots.get(path[0]!)!, chain };
  };
  return listOf(function* (): Generator<WhyLive> {
    const nearest = createNearest(() => names);
    const matching = createMatching(names, patterns);
    for (const pattern of patterns) {
      const found = matching(pattern);
      for (const symbol of found) yield whyOf(symbol);
      if (found.length === 0) yield { kind: "unknown", name: pattern, nearest: nearest(pattern) };
    }
  });
}

/** For each pattern, the indices of the names that match: symbol names; if none matches, demangled names. */
export function createMatching(
  names: readonly string[],
  patterns: readonly string[],
): (pattern: string) => readonly number[] {
  const raw = matchesOf([...new Set(patterns)], names);
  let demangled: ReadonlyMap<string, readonly number[]> | undefined;
  return (pattern) => {
    const found = raw.get(pattern);
    if (found !== undefined) return found;
    demangled ??= matchesOf(
      [...new Set(patterns)].filter((each) => !raw.has(each)),
      names.map((name) => sourceName(name)),
    );
    return demangled.get(pattern) ?? [];
  };
}

/** The names that match the patterns; nothing for a pattern without a match. */
function matchesOf(
  patterns: readonly string[],
  names: readonly (string | undefined)[],
): ReadonlyMap<string, readonly number[]> {
  const { fitting } = compileGlobList(patterns);
  const found = new Map<string, number[]>();
  names.forEach((name, i) => {
    if (name === undefined) return;
    for (const each of fitting(name)) {
      const pattern = patterns[each]!;
      const known = found.get(pattern);
      if (known === undefined) found.set(pattern, [i]);
      else known.push(i);
    }
  });
  return found;
}

function pathTo(symbol: number, { roots, from }: LiveWays): readonly number[] {
  const path = [symbol];
  while (!roots.has(path.at(-1)!)) path.push(from[path.at(-1)!]!);
  return path.reverse();
}
