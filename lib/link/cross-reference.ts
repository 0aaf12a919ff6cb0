// Who defines, declares and refers to each name, file and line: for --trace-symbol and --cref, as GNU ld has them. Looks at
// the inputs as they were given, before anything is dropped, so that it also tells of links that fail. The lines of
// references need the code decoded; where only some names are asked for, only the code that refers to them is.

import { describe } from "./describe.js";
import { placeOf, sourceLine, type Inputs, type SourceLine } from "./inputs.js";
import { mapName } from "./map.js";
import { createReferencePlacer } from "./reference-place.js";
import { claimOf, type Claim, type Merged, type Resolution } from "./resolve.js";

export interface Mention extends SourceLine {
  readonly role: "definition" | "declaration" | "reference";
  /** Of definitions. */
  readonly claim?: Exclude<Claim, "declared">;
  /** Of definitions and declarations: ".global .u32 x". */
  readonly declaration?: string;
  /** Of definitions that lost: where the one stands that was taken. */
  readonly lostTo?: SourceLine;
  /** Of references: the function or variable that refers. */
  readonly by?: string;
}

export interface CrossReference {
  readonly name: string;
  readonly demangled?: string;
  /** The definition that was taken, others, declarations, references; each group in link order. */
  readonly mentions: readonly Mention[];
}

/** Of the merged symbols that `wanted` takes (all unless given), in the order of their names. */
export function crossReferences(
  inputs: Inputs,
  { merged, mergedOf }: Resolution,
  wanted: (symbol: number) => boolean = () => true,
): readonly CrossReference[] {
  const references = new Map<number, Mention[]>();
  merged.forEach((_, i) => void (wanted(i) && references.set(i, [])));
  const placesOf = createReferencePlacer(inputs);
  inputs.forEach(({ sections }, object) =>
    sections.forEach(({ relocations }, section) => {
      for (const relocation of relocations) {
        const list = references.get(mergedOf[object]![relocation.symbol]!);
        if (list === undefined) continue;
        for (const { place, holder } of placesOf({ object, section, relocation })) {
          if (place === undefined || holder === undefined) continue;
          list.push({ role: "reference", ...sourceLine(place), by: holder.name });
        }
      }
    }),
  );
  return [...references]
    .map(([i, list]) => ({
      ...mapName(merged[i]!.name),
      mentions: [...declarations(inputs, merged[i]!), ...once(list)],
    }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function declarations(inputs: Inputs, { chosen, all }: Merged): readonly Mention[] {
  const mentions = all.map((each): Mention & { readonly rank: number } => {
    const claim = claimOf(each.symbol);
    const common = { ...sourceLine(placeOf(inputs, each)), declaration: describe(each.symbol) };
    if (claim === "declared" && each.symbol.kind !== "reference") return { rank: 2, role: "declaration", ...common };
    const own = { role: "definition", claim: claim === "declared" ? "strong" : claim, ...common } as const;
    // Tentative definitions of one name are one together.
    const isPart = claim === "common" && claimOf(chosen.symbol) === "common";
    if (each === chosen || isPart) return { rank: each === chosen ? 0 : 1, ...own };
    return { rank: 1, ...own, lostTo: sourceLine(placeOf(inputs, chosen)) };
  });
  return mentions.sort((a, b) => a.rank - b.rank).map(({ rank: _, ...mention }) => mention);
}

/** Each line once, however often it refers. */
function once(mentions: readonly Mention[]): readonly Mention[] {
  return [
    ...new Map(
      mentions.map((mention) => [`${mention.file}\0${mention.line}\0${mention.object}\0${mention.by}`, mention]),
    ).values(),
  ];
}

/** What --trace-symbol says of one name or pattern; no references where no input has it. */
export interface SymbolTrace {
  readonly pattern: string;
  readonly symbols: readonly CrossReference[];
  /** Names like it, where there is none. */
  readonly nearest: readonly string[];
}
