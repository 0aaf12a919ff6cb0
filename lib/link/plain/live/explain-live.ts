// What --gc-sections leaves out, symbol by symbol in link order, with the reason, and why a symbol is live (../../live/why-live.ts). Read
// off the columns, for --print-gc-sections, maps and --why-live.

import { listOf } from "../../../base/series.js";
import type { LinePlace } from "../../../diag/diagnostic.js";
import { slotLines } from "../../../object/code/skim.js";
import { SPACES } from "../../../object/file/declaration-codes.js";
import { kindText } from "../../names/describe.js";
import { onLine } from "../../reference-place.js";
import { explainLive, type LiveWays, type WhyLive } from "../../live/why-live.js";
import type { PlainLive } from "./collect.js";
import { SECOND_NAME } from "./live.js";
import { contentsOf } from "../tables/contents.js";
import { filesOfSections } from "../tables/references.js";
import { sizeOfShape } from "../tables/shapes.js";
import {
  isCommon,
  isEntry,
  isFunction,
  isOwnReference,
  isReference,
  isSecondName,
  referenceTypes,
  spaceOf,
  type SectionRow,
  type SymbolRow,
  type Tables,
} from "../tables/tables.js";
import { textOf } from "../tables/texts.js";

/** A symbol that garbage collection left out. */
export interface RemovedSymbol {
  readonly name: string;
  /** "a function", "a .global variable". */
  readonly what: string;
  /** Bytes of data, or of encoded code; 0 for an alias, and for symbols without bytes. */
  readonly bytes: number;
  readonly place: LinePlace;
  /** The definition that was taken instead; absent where no root reaches the symbol. */
  readonly lostTo?: LinePlace;
}

/** What --gc-sections leaves out, in link order, made as it is read. `names`: those of the files. */
export function plainRemoved(
  { tables, resolution, liveness }: PlainLive,
  names: readonly string[],
): Iterable<RemovedSymbol> {
  const { mergedOf, chosen } = resolution;
  const place = placer(tables, names);
  return listOf(function* () {
    for (let row = 0; row < mergedOf.length; row++) {
      const merged = mergedOf[row]!;
      const isChosen = chosen[merged] === row;
      // Common ones are one together, and so are references.
      const isTogether = isOwnReference(tables, row) || (isCommon(tables, row) && isCommon(tables, chosen[merged]!));
      if (!isTogether && !isCommon(tables, row) && tables.place[row]! < 0) continue;
      if ((isTogether || isChosen) && liveness.live[merged] === 1) continue;
      const [name, what, bytes] = [textOf(tables.texts, tables.name[row]!), whatOf(tables, row), bytesOf(tables, row)];
      if (isTogether || isChosen) yield { name, what, bytes, place: place(row) };
      else yield { name, what, bytes, place: place(row), lostTo: place(chosen[merged]!) };
    }
  });
}

/** Answers each pattern in order, lazily; `collects`: whether the link drops dead symbols. */
export function plainWhyLive(
  { tables, resolution, liveness, roots }: PlainLive,
  names: readonly string[],
  patterns: readonly string[],
  collects: boolean,
): Iterable<WhyLive> {
  const { count, chosen } = resolution;
  const { live, from, by } = liveness;
  const place = placer(tables, names);
  const linesIn = lineFinder(tables);
  const ways: LiveWays = {
    count,
    roots,
    live,
    from,
    nameOf: (row) => textOf(tables.texts, tables.name[chosen[row]!]!),
    whatOf: (row) => whatOf(tables, chosen[row]!),
    placeOf: (row) => place(chosen[row]!),
    isDeclared: (row) => tables.place[chosen[row]!]! < 0 && !isCommon(tables, chosen[row]!),
    isAliased: (row) => by[row] === SECOND_NAME,
    referenceTo(row) {
      const before = chosen[from[row]!]!;
      const declared = place(before);
      if (by[row] === SECOND_NAME || !isFunction(tables, before)) return declared;
      const line = linesIn(tables.place[before]!).get(by[row]!)?.[0];
      return line === undefined ? declared : onLine(declared, line);
    },
  };
  return explainLive(ways, patterns, collects);
}

/** The lines of a function, of which a chain of references asks again and again; those of the last one are held. */
function lineFinder(tables: Tables): (section: SectionRow) => ReturnType<typeof slotLines> {
  const fileOf = filesOfSections(tables);
  let last: { readonly section: SectionRow; readonly lines: ReturnType<typeof slotLines> } | undefined;
  return (section) => {
    if (last?.section !== section) last = { section, lines: slotLines(contentsOf(tables, fileOf[section]!, section)) };
    return last.lines;
  };
}

/** Where symbols were declared. */
function placer(tables: Tables, names: readonly string[]): (row: SymbolRow) => LinePlace {
  const { firstModule, module, modules, moduleStart, line, column, texts } = tables;
  const fileOf = new Int32Array(firstModule.at(-1)!);
  for (let file = 0; file + 1 < firstModule.length; file++) fileOf.fill(file, firstModule[file], firstModule[file + 1]);
  const sources: (string | undefined)[] = [];
  return (row) => {
    const own = module[row]!;
    const file = (sources[own] ??= textOf(texts, -modules[moduleStart[own]!]! - 1));
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

function whatOf(tables: Tables, row: SymbolRow): string {
  if (isReference(tables, row)) return kindText({ kind: "reference", type: referenceTypes[tables.flags[row]!]! });
  if (isFunction(tables, row)) return kindText({ kind: "function", entry: isEntry(tables, row) });
  return kindText({ kind: "variable", space: SPACES[spaceOf(tables, row)]! });
}

/** Of data, or of encoded code; none of a second name. */
function bytesOf(tables: Tables, row: SymbolRow): number {
  if (isReference(tables, row)) return 0;
  if (!isFunction(tables, row)) return sizeOfShape(tables.shapes, tables.shape[row]!);
  return isSecondName(tables, row) ? 0 : tables.size[tables.place[row]!]!;
}
