// Lists the definitions, declarations and references of each name with file and line: for --trace-symbol and --cref, as in GNU
// ld. It reads the inputs before anything is discarded, so it works for failing links, too. Lines of references require decoded
// code; if only some names are requested, only code that refers to them is decoded.

import { listOf, valuesOf, type Series } from "../../base/series.js";
import { describe } from "../model/describe.js";
import { isSame, sourceLineOf, type Contribution, type SourceLine } from "../model/contributions.js";
import type { LinkedNames, ReadInputs } from "../model/linked.js";
import { joinFields, mapName } from "./map-rows.js";
import { createReferencePlacer } from "../model/reference-place.js";
import { rankOf, type Rank } from "../model/binding-rank.js";

export interface Mention extends SourceLine {
  readonly role: "definition" | "declaration" | "reference";
  /** For definitions: the binding rank. */
  readonly claim?: Exclude<Rank, "declared">;
  /** For definitions and declarations: ".global .u32 x". */
  readonly declaration?: string;
  /** For definitions that lost: the place of the chosen one. */
  readonly lostTo?: SourceLine;
  /** For references: the function or variable that contains it. */
  readonly by?: string;
}

export interface CrossReference {
  readonly name: string;
  readonly demangled?: string;
  /** The chosen definition, other definitions, declarations, references; each group in link order. */
  readonly mentions: readonly Mention[];
}

/**
 * Cross references of the merged symbols that `wanted` selects (default: all), in the order of their names; made again in each
 * iteration.
 */
export function crossReferences(
  linked: LinkedNames,
  wanted: (symbol: number) => boolean = () => true,
): Iterable<CrossReference> {
  const symbols: number[] = [];
  for (let i = 0; i < linked.resolution.merged.length; i++) if (wanted(i)) symbols.push(i);
  return crossReferencer(linked, wanted)(symbols);
}

/** For several lists of the symbols that `wanted` selects: references are collected once. */
export function crossReferencer(
  linked: LinkedNames,
  wanted: (symbol: number) => boolean,
): (symbols: Iterable<number>) => Iterable<CrossReference> {
  const { inputs, resolution } = linked;
  const { merged } = resolution;
  const references = findReferences(linked, wanted);
  return (symbols) => {
    const names = Array.from(symbols, (symbol) => ({ name: merged.at(symbol)!.name, symbol }));
    names.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    return listOf(function* () {
      for (const { name, symbol } of names) {
        const { chosen } = merged.at(symbol)!;
        const all = resolution.allOf(symbol);
        const mentions = [...declarations(inputs, chosen, all), ...once(inputs, references.of(symbol))];
        yield joinFields(mapName(name), { mentions });
      }
    });
  };
}

/** A line with a reference: the place of the referring declaration, and the line in its source. */
interface ReferenceLine {
  /** Index into the inputs. `holder`: index of the declaration there. */
  readonly object: number;
  readonly holder: number;
  readonly line: number;
}

/** Numbers per reference: the merged symbol, and those of its line. */
const STRIDE = 4;

/** The references to each symbol in link order, as numbers, because a program of thousands of modules has a million. */
function findReferences({ inputs, resolution }: LinkedNames, wanted: (symbol: number) => boolean) {
  let found = new Int32Array(1 << 12);
  let length = 0;
  // First reference of each symbol, and the end.
  const first = new Int32Array(resolution.merged.length + 1);
  for (let object = 0; object < inputs.length; object++) {
    const mergedOf = resolution.mergedOf.at(object)!;
    // A placer for each input, because its cache is useless for other inputs.
    const placesOf = createReferencePlacer(inputs);
    const { sections } = inputs.at(object)!;
    for (let section = 0; section < sections.length; section++)
      for (const relocation of sections.at(section)!.relocations) {
        const symbol = mergedOf[relocation.symbol]!;
        if (!wanted(symbol)) continue;
        for (const { place, holder, index } of placesOf({ object, section, relocation })) {
          if (place === undefined || holder === undefined) continue;
          if (length === found.length) found = larger(found);
          found[length++] = symbol;
          found[length++] = object;
          found[length++] = index;
          found[length++] = place.line;
          first[symbol + 1]!++;
        }
      }
  }
  for (let symbol = 0; symbol < resolution.merged.length; symbol++) first[symbol + 1]! += first[symbol]!;
  const next = first.slice();
  const order = new Int32Array(length / STRIDE);
  for (let at = 0; at < length; at += STRIDE) order[next[found[at]!]!++] = at;
  return {
    *of(symbol: number): Generator<ReferenceLine, void, undefined> {
      for (let i = first[symbol]!; i < first[symbol + 1]!; i++) {
        const at = order[i]!;
        yield { object: found[at + 1]!, holder: found[at + 2]!, line: found[at + 3]! };
      }
    },
  };
}

function larger(numbers: Int32Array): Int32Array<ArrayBuffer> {
  const all = new Int32Array(2 * numbers.length);
  all.set(numbers);
  return all;
}

function declarations(inputs: ReadInputs, chosen: Contribution, all: Series<Contribution>): readonly Mention[] {
  const [taken, others, declared]: [Mention[], Mention[], Mention[]] = [[], [], []];
  for (const each of valuesOf(all)) {
    const claim = rankOf(each.symbol);
    const place = sourceLineOf(inputs, each);
    const declaration = { declaration: describe(each.symbol) };
    if (claim === "declared" && each.symbol.kind !== "reference") {
      declared.push(joinFields({ role: "declaration" as const }, place, declaration));
      continue;
    }
    const role = { role: "definition", claim: claim === "declared" ? "strong" : claim } as const;
    const own: Mention = joinFields({}, role, place, declaration);
    // Tentative definitions of one name are one variable.
    const isPart = claim === "common" && rankOf(chosen.symbol) === "common";
    if (isSame(each, chosen)) taken.push(own);
    else others.push(isPart ? own : joinFields(own, { lostTo: sourceLineOf(inputs, chosen) }));
  }
  return [...taken, ...others, ...declared];
}

/** Up to this many mentions are compared one by one, which is faster than a table: most symbols have few. */
const FEW = 8;

/** The lines, each once. */
function once(inputs: ReadInputs, lines: Iterable<ReferenceLine>): readonly Mention[] {
  const mentions: Mention[] = [];
  let known: Set<string> | undefined;
  for (const { object, holder: index, line } of lines) {
    const mention = referenceOn(inputs, object, index, line);
    if (known === undefined ? mentions.some((each) => isAlike(each, mention)) : known.has(keyOf(mention))) continue;
    mentions.push(mention);
    if (known !== undefined) known.add(keyOf(mention));
    else if (mentions.length === FEW) known = new Set(mentions.map(keyOf));
  }
  return mentions;
}

function referenceOn(inputs: ReadInputs, object: number, index: number, line: number): Mention {
  const symbol = inputs.at(object)!.symbols.at(index)!;
  const { file, object: from } = sourceLineOf(inputs, { object, index, symbol });
  const by = symbol.name;
  return from === undefined
    ? { role: "reference", file, line, by }
    : { role: "reference", file, line, object: from, by };
}

const isAlike = (a: Mention, b: Mention): boolean =>
  a.line === b.line && a.by === b.by && a.file === b.file && a.object === b.object;

const keyOf = ({ file, line, object, by }: Mention): string => `${file}\0${line}\0${object}\0${by}`;

/** The result of --trace-symbol for one name or pattern; without references if no input has the name. */
export interface SymbolTrace {
  readonly pattern: string;
  readonly symbols: Iterable<CrossReference>;
  /** Similar names, if no input has the name. */
  readonly nearest: readonly string[];
}
