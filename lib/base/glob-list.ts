// Matches very many patterns (glob.ts) with very many names: scripts generate lists of hundreds of thousands. Each pattern is
// indexed by a literal part that a name must have at its start, at its end or inside: the rarest of its parts. A name looks up
// its own parts, and is compared only with the patterns found there. Rejected: one automaton for all parts, which takes more
// memory than the patterns and is no faster for names of some tens of letters.

import { compileGlob, isGlob, type NameTest } from "./glob.js";

/**
 * Returns the numbers of the patterns that match a name, in no order. A repeated pattern has the number of its first occurrence.
 */
export type FittingPatterns = (name: string) => readonly number[];

export interface GlobList {
  readonly fitting: FittingPatterns;
  /** The number of a pattern of the list; undefined if it is not in the list. */
  readonly numberOf: (pattern: string) => number | undefined;
}

/** The position of a part in a name. */
type Side = "start" | "end" | "inside";

interface GlobPart {
  readonly side: Side;
  readonly text: string;
}

/** Patterns by a part that every matching name has. */
interface PartIndex {
  readonly byText: Map<string, number[]>;
  /** Lengths of the parts, in characters. */
  readonly lengths: Set<number>;
}

/** Longest pattern that is split into parts, in characters; longer ones match almost nothing, and are rare. */
const LONGEST = 4096;

/** Lengths of parts inside: few, because each is looked up at every offset of a name. */
const INSIDE_LENGTHS = [64, 32, 16, 8, 4, 2, 1];

/** A test for any of several patterns. */
export function compileGlobs(patterns: readonly string[]): NameTest {
  const { fitting } = compileGlobList(patterns);
  return (name) => fitting(name).length > 0;
}

export function compileGlobList(patterns: readonly string[]): GlobList {
  const names = new Map<string, number>();
  const globs = new Map<string, number>();
  patterns.forEach((pattern, i) => {
    const list = isGlob(pattern) ? globs : names;
    if (!list.has(pattern)) list.set(pattern, i);
  });
  const fittingGlobs = globs.size === 0 ? undefined : compileByParts(globs);
  return {
    fitting(name) {
      const own = names.get(name);
      const found = fittingGlobs?.(name) ?? [];
      return own === undefined ? found : [own, ...found];
    },
    numberOf: (pattern) => names.get(pattern) ?? globs.get(pattern),
  };
}

function compileByParts(globs: ReadonlyMap<string, number>): FittingPatterns {
  const counts = new Map<string, number>();
  const keyOf = ({ side, text }: GlobPart): string => `${side} ${text}`;
  for (const pattern of globs.keys())
    for (const part of partsOf(pattern)) counts.set(keyOf(part), (counts.get(keyOf(part)) ?? 0) + 1);
  const shelf = (): PartIndex => ({ byText: new Map(), lengths: new Set() });
  const shelves: Readonly<Record<Side, PartIndex>> = { start: shelf(), end: shelf(), inside: shelf() };
  const texts: string[] = [];
  const numbers: number[] = [];
  /** Patterns without any such part. */
  const rest: number[] = [];
  for (const [pattern, number] of globs) {
    const index = texts.push(pattern) - 1;
    numbers.push(number);
    const rare = (part: GlobPart): number => counts.get(keyOf(part))!;
    let best: GlobPart | undefined;
    for (const part of partsOf(pattern)) if (best === undefined || rare(part) < rare(best)) best = part;
    if (best === undefined) {
      rest.push(index);
      continue;
    }
    const { byText, lengths } = shelves[best.side];
    const kept = byText.get(best.text);
    if (kept === undefined) byText.set(best.text, [index]);
    else kept.push(index);
    lengths.add(best.text.length);
  }
  // A pattern is compiled on its first comparison with a name.
  const tests: (NameTest | undefined)[] = [];
  return (name) => {
    const found: number[] = [];
    const meet = (index: number): void => {
      if ((tests[index] ??= compileGlob(texts[index]!))(name)) found.push(numbers[index]!);
    };
    for (const [side, { byText, lengths }] of Object.entries(shelves) as [Side, PartIndex][])
      for (const length of lengths)
        for (const text of placesIn(name, side, length)) byText.get(text)?.forEach((index) => meet(index));
    for (const index of rest) meet(index);
    return found;
  };
}

/** The literal parts that every name matching this pattern has. */
function partsOf(pattern: string): readonly GlobPart[] {
  if (pattern.length > LONGEST) return [];
  const parts: GlobPart[] = [];
  // An unclosed `[` is a literal (glob.ts). Splitting at it is harmless: every matching name contains the parts.
  const texts = pattern.split(/\*|\?|\[[!^]?[^][^\]]*\]|\[/);
  const [first, last] = [texts[0]!, texts.at(-1)!];
  if (first !== "") parts.push({ side: "start", text: first });
  if (last !== "") parts.push({ side: "end", text: last });
  for (const text of texts.slice(1, -1)) {
    const length = INSIDE_LENGTHS.find((each) => each <= text.length);
    if (length !== undefined) parts.push({ side: "inside", text: text.slice(-length) });
  }
  return parts;
}

/** The substrings of that length that a name has on that side, each once. */
function placesIn(name: string, side: Side, length: number): Iterable<string> {
  if (length > name.length) return [];
  if (side === "start") return [name.slice(0, length)];
  if (side === "end") return [name.slice(-length)];
  const found = new Set<string>();
  for (let at = 0; at + length <= name.length; at++) found.add(name.slice(at, at + length));
  return found;
}
