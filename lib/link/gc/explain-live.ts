// Lists what --gc-sections discards, symbol by symbol in link order, with the reason, and explains why a symbol is live
// (./why-live.ts). Computed from the columns, for --print-gc-sections, maps and --why-live.

import { listOf } from "../../base/series.js";
import type { LinePlace } from "../../diag/diagnostic.js";
import { slotLines } from "../../object/code/skim.js";
import { SPACES, REFERENCES } from "../../object/file/declaration-codes.js";
import { kindText } from "../model/describe.js";
import { onLine } from "../model/reference-place.js";
import type { RemovedSymbol } from "./collect-options.js";
import { explainLive, type LiveWays, type WhyLive } from "./why-live.js";
import type { LiveSymbols } from "./collect.js";
import { ALIAS } from "./mark-live.js";
import { contentsOf } from "../../object/columns/contents.js";
import { filesOfSections } from "../../object/columns/relocations.js";
import { sizeOfType } from "../../object/columns/types.js";
import {
  isCommon,
  isEntry,
  isFunction,
  isReferenceDefinition,
  isReference,
  isFunctionAlias,
  spaceOf,
  type SectionRow,
  type SymbolRow,
  type Columns,
} from "../../object/columns/columns.js";
import { stringOf } from "../../object/columns/strings.js";

/** The symbols that --gc-sections discards, in link order, created on demand. `names`: names of the files. */
export function removedSymbols(
  { columns, resolution, liveness }: LiveSymbols,
  names: readonly string[],
): Iterable<RemovedSymbol> {
  const { mergedOf, chosen } = resolution;
  const place = placer(columns, names);
  return listOf(function* () {
    for (let row = 0; row < mergedOf.length; row++) {
      const merged = mergedOf[row]!;
      const isChosen = chosen[merged] === row;
      // Common definitions of one name are one variable, and so are definitions of a reference.
      const isTogether =
        isReferenceDefinition(columns, row) || (isCommon(columns, row) && isCommon(columns, chosen[merged]!));
      if (!isTogether && !isCommon(columns, row) && columns.sectionOf[row]! < 0) continue;
      if ((isTogether || isChosen) && liveness.live[merged] === 1) continue;
      const [name, what, bytes] = [
        stringOf(columns.strings, columns.name[row]!),
        whatOf(columns, row),
        bytesOf(columns, row),
      ];
      if (isTogether || isChosen) yield { name, what, bytes, place: place(row) };
      else yield { name, what, bytes, place: place(row), lostTo: place(chosen[merged]!) };
    }
  });
}

/** Explains each pattern's symbols in order, lazily; `collects`: whether the link drops dead symbols. */
export function explainLiveness(
  { columns, resolution, liveness, roots }: LiveSymbols,
  names: readonly string[],
  patterns: readonly string[],
  collects: boolean,
): Iterable<WhyLive> {
  const { count, chosen } = resolution;
  const { live, from, referenceOffset } = liveness;
  const place = placer(columns, names);
  const linesIn = lineFinder(columns);
  const ways: LiveWays = {
    count,
    roots,
    live,
    from,
    nameOf: (row) => stringOf(columns.strings, columns.name[chosen[row]!]!),
    whatOf: (row) => whatOf(columns, chosen[row]!),
    placeOf: (row) => place(chosen[row]!),
    isDeclared: (row) => columns.sectionOf[chosen[row]!]! < 0 && !isCommon(columns, chosen[row]!),
    isAliased: (row) => referenceOffset[row] === ALIAS,
    referenceTo(row) {
      const before = chosen[from[row]!]!;
      const declared = place(before);
      if (referenceOffset[row] === ALIAS || !isFunction(columns, before)) return declared;
      const line = linesIn(columns.sectionOf[before]!).get(referenceOffset[row]!)?.[0];
      return line === undefined ? declared : onLine(declared, line);
    },
  };
  return explainLive(ways, patterns, collects);
}

/** Finds the lines of slots in a function. Caches the last function, which a chain of references requests repeatedly. */
function lineFinder(columns: Columns): (section: SectionRow) => ReturnType<typeof slotLines> {
  const fileOf = filesOfSections(columns);
  let last: { readonly section: SectionRow; readonly lines: ReturnType<typeof slotLines> } | undefined;
  return (section) => {
    if (last?.section !== section) last = { section, lines: slotLines(contentsOf(columns, fileOf[section]!, section)) };
    return last.lines;
  };
}

/** Finds the declaration of a symbol. */
function placer(columns: Columns, names: readonly string[]): (row: SymbolRow) => LinePlace {
  const { firstModule, module, modules, moduleStart, line, column, strings } = columns;
  const fileOf = new Int32Array(firstModule.at(-1)!);
  for (let file = 0; file + 1 < firstModule.length; file++) fileOf.fill(file, firstModule[file], firstModule[file + 1]);
  const sources: (string | undefined)[] = [];
  return (row) => {
    const own = module[row]!;
    const file = (sources[own] ??= stringOf(strings, -modules[moduleStart[own]!]! - 1));
    const object = names[fileOf[own]!]!;
    return {
      kind: "line",
      file,
      line: line[row]!,
      ...(column[row] === 0 ? {} : { column: column[row]! }),
      ...(object === file ? {} : { object }),
    };
  };
}

function whatOf(columns: Columns, row: SymbolRow): string {
  if (isReference(columns, row)) return kindText({ kind: "reference", type: REFERENCES[columns.flags[row]!]! });
  if (isFunction(columns, row)) return kindText({ kind: "function", entry: isEntry(columns, row) });
  return kindText({ kind: "variable", space: SPACES[spaceOf(columns, row)]! });
}

/** Bytes of data, or of encoded code; 0 for an alias. */
function bytesOf(columns: Columns, row: SymbolRow): number {
  if (isReference(columns, row)) return 0;
  if (!isFunction(columns, row)) return sizeOfType(columns.types, columns.typeId[row]!);
  return isFunctionAlias(columns, row) ? 0 : columns.size[columns.sectionOf[row]!]!;
}
