// Reports names that several modules define: conflicting strong definitions, with their first difference if they are not
// identical; and, on request, .common variables that were merged.

import type { LinePlace, Note } from "../../diag/diagnostic.js";
import type { DiagnosticSink } from "../../diag/sink.js";
import type { ObjectSymbol } from "../../object/object.js";
import { findDifference, type Difference } from "./definitions.js";
import { bytesText, describe, listText, subjectText, symbolText } from "../model/describe.js";
import { moduleName, moduleText, placeOf, type Contribution } from "../model/contributions.js";
import type { Meaning, ReadInputs } from "../model/linked.js";
import { bytesOf, rankOf } from "../model/binding-rank.js";
import type { AreTwins } from "./identical-definitions.js";
import type { NoteOptions } from "./undefined-notes.js";

/** Limit of the definitions of one name that are compared in detail. */
const MAX_DIFFERENCES = 3;

export interface DuplicateOptions extends Pick<NoteOptions, "extractionReason"> {
  /** Whether the first definition wins, with a warning instead of an error (--allow-multiple-definition). */
  readonly allowDuplicates?: boolean;
}

export function reportDuplicates(
  inputs: ReadInputs,
  areTwins: AreTwins,
  { chosen, all }: Meaning,
  { allowDuplicates: allowed = false, extractionReason = () => [] }: DuplicateOptions,
  sink: DiagnosticSink,
): void {
  const strong = all.filter(({ symbol }) => rankOf(symbol) === "strong" && sameKind(symbol, chosen.symbol));
  const [first, second] = strong;
  if (first === undefined || second === undefined || chosen.symbol.kind === "reference") return;
  const definitions = strong.map((each) => ({ place: placeOf(inputs, each), as: describe(each.symbol) }));
  const differing = strong.flatMap((each) => {
    const difference = each === first ? undefined : findDifference(inputs, each, first);
    return difference === undefined ? [] : [{ each, difference }];
  });
  const count = strong.length === 2 ? "both" : `all ${strong.length}`;
  sink.report(
    allowed ? "repeated-definition" : "duplicate-symbol",
    `duplicate symbol: ${subjectText(chosen.symbol.name)}` +
      (allowed ? `; that of ${moduleText(inputs, chosen)} counts` : ""),
    definitions[1]!.place,
    {
      definitions,
      notes: [
        ...(differing.length === 0 ? [{ message: `${count} definitions are identical` }] : []),
        ...differing.slice(0, MAX_DIFFERENCES).map(({ each, difference }) => ({
          message: `${moduleName(inputs, each)} ${difference.what}, in ${moduleText(inputs, first)}`,
          place: differencePlace(placeOf(inputs, each), difference),
        })),
        ...outlierNotes(inputs, strong, differing),
        ...strong.flatMap(({ object }) => extractionReason(inputs.at(object)!.name)),
      ],
      remedy: remedyFor(
        definitions.map(({ place }) => place),
        differing.length === 0,
        () => strong.every(({ object }) => object === first.object || areTwins(first.object, object)),
      ),
    },
  );
}

/** The line of the first instruction that differs, or the place of the definition. */
function differencePlace(place: LinePlace, { lines }: Difference): LinePlace {
  const { kind, file, object } = place;
  return lines === undefined ? place : { kind, file, line: lines[0], ...(object === undefined ? {} : { object }) };
}

/** A note for the one definition, of more than two, that differs from all others. */
function outlierNotes(
  inputs: ReadInputs,
  strong: readonly Contribution[],
  differing: readonly { readonly each: Contribution }[],
): readonly Note[] {
  const [first, second, ...others] = strong;
  const [only] = differing;
  if (others.length === 0 || only === undefined) return [];
  const isFirst =
    differing.length === strong.length - 1 &&
    others.every((each) => findDifference(inputs, each, second!) === undefined);
  const odd = differing.length === 1 ? only.each : isFirst ? first! : undefined;
  if (odd === undefined) return [];
  return [{ message: `${moduleText(inputs, odd)} is the odd one of ${strong.length}: the others are identical` }];
}

function remedyFor([first, ...others]: readonly LinePlace[], areIdentical: boolean, areOneFile: () => boolean): string {
  if (!areIdentical)
    return "they are different things: rename one, leave out .visible (static in C++), or keep one and declare it .extern elsewhere";
  if (others.every((place) => isSamePlace(place, first!)) && areOneFile())
    return `${first!.object ?? first!.file} is linked ${others.length === 1 ? "twice" : `${others.length + 1} times`}: name it once`;
  return "make them .weak (inline in C++), or give --allow-multiple-definition, which takes the first";
}

/** Whether both places are in the same file; "./" before a name does not count. */
function isSamePlace(a: LinePlace, b: LinePlace): boolean {
  const plain = (name: string | undefined): string | undefined => name?.replace(/^(?:\.\/+)+/, "");
  return a.line === b.line && plain(a.file) === plain(b.file) && plain(a.object) === plain(b.object);
}

/** Reports like --warn-common of GNU ld: a .common variable lost to a definition, or several became one. */
export function reportCommon(inputs: ReadInputs, { chosen, all }: Meaning, sink: DiagnosticSink): void {
  const commons = all.filter(({ symbol }) => rankOf(symbol) === "common");
  const [first] = commons;
  const others = all.filter((each) => each !== first && rankOf(each.symbol) !== "declared");
  if (first === undefined || others.length === 0) return;
  const isCommon = rankOf(chosen.symbol) === "common";
  const sizes = new Set(commons.map(({ symbol }) => bytesOf(symbol)));
  const modules = listText(commons.map((each) => moduleText(inputs, each)));
  const what = isCommon
    ? `is .common in ${modules}, and one variable of ${bytesText(bytesOf(chosen.symbol))} in the image` +
      (sizes.size > 1 ? ", the largest of their sizes" : "")
    : `is .common in ${modules}, and gives way to the definition in ${moduleText(inputs, chosen)}`;
  sink.report("common-symbol", `${symbolText(chosen.symbol.name)} ${what}`, placeOf(inputs, first), {
    notes: others.map((each) => ({ message: `${describe(each.symbol)} is here`, place: placeOf(inputs, each) })),
    remedy: "define it in one module and declare it .extern in the others",
  });
}

/** Whether two symbols are of the same kind: a kernel is no function, a texture no surface. */
export const sameKind = (a: ObjectSymbol, b: ObjectSymbol): boolean => {
  if (a.kind === "function" && b.kind === "function") return a.entry === b.entry;
  if (a.kind === "reference" && b.kind === "reference") return a.type === b.type;
  return a.kind === b.kind;
};
