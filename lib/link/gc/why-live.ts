// Why a symbol is in the image: the chain of references from a root to it, as lld's --why-live prints it, with the line of
// each. Costs nothing until it is asked: mark-live.ts has kept one step back per symbol, and only the functions on the chain are
// decoded for their lines. Names may be patterns, and demangled ones.

import { compileGlobList } from "../../base/glob-list.js";
import { createNearest } from "../../base/nearest.js";
import { listOf } from "../../base/series.js";
import { sourceName } from "../../base/source-name.js";
import type { LinePlace } from "../../diag/diagnostic.js";
import type { Roots } from "./roots.js";

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

/** Why a symbol is in the image: the chain of references from a root. */
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

/** The symbols that roots reach, with one step back for each, and the data for answers: of objects, or of columns. */
export interface LiveWays {
  readonly count: number;
  readonly roots: Roots;
  /** Of each symbol: 1 where a root reaches it. */
  readonly live: Uint8Array;
  /** Of each live symbol that is no root: the one whose definition refers to it. */
  readonly from: Int32Array;
  nameOf(symbol: number): string;
  /** "a kernel", "a .const variable". */
  whatOf(symbol: number): string;
  placeOf(symbol: number): LinePlace;
  isDeclared(symbol: number): boolean;
  /** Whether the step to a live symbol is that of an alias to its function. */
  isAliased(symbol: number): boolean;
  /** Where a live symbol that is no root is referred to from the one before it on the way. */
  referenceTo(symbol: number): LinePlace;
}

/** Answers each pattern in order, lazily; `collects`: whether the link drops dead symbols. */
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

/** Of each of the patterns the indices of the names that fit it: by symbol name; where none fits, by demangled name. */
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

/** What fits the patterns; nothing of those that nothing fits. */
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
