// What messages and reports read of a link: the values of ../../linked.ts, each made of the columns on demand.

import { seriesOf, valuesOf, type Series } from "../../../base/series.js";
import { parseTarget, type Target } from "../../../isa/requirement.js";
import { parameterBlock } from "../../../object/parameters.js";
import { fromTargetWords } from "../../../object/target-words.js";
import type { TargetedInput } from "../../targets.js";
import type { Contribution } from "../../inputs.js";
import type { Linked, LinkedNames, ReadInputs, ReadNames, ReadObject } from "../../linked.js";
import type { PlainLayout } from "../layout/layout.js";
import type { PlainKept } from "../link.js";
import { ROLE } from "../tables/codes.js";
import type { Collected, PlainResolution } from "../names/resolve.js";
import { isEntry, rowFinder, type SymbolRow, type Tables } from "../tables/tables.js";
import { textOf } from "../tables/texts.js";
import { declaredFunction } from "../tables/values.js";
import { createViewing, ViewedContribution, viewSection, viewSymbol, type Viewing } from "../tables/viewed.js";

/** `names`: of the files, in their order. */
export function viewNamed({ tables, resolution }: Collected, names: readonly string[]): LinkedNames {
  const viewing = createViewing(tables);
  return { inputs: viewInputs(viewing, names), resolution: viewNames(viewing, resolution) };
}

/** Symbols of the files. */
export function contributionsOf(tables: Tables, rows: readonly SymbolRow[]): readonly Contribution[] {
  const viewing = createViewing(tables);
  const fileOf = rowFinder(tables.firstSymbol);
  return rows.map((row) => new ViewedContribution(viewing, fileOf(row), row - tables.firstSymbol[fileOf(row)]!));
}

/** `image`: what the image is called. */
export function viewLinked(
  { tables, resolution, layout, goal, aliases }: PlainKept,
  names: readonly string[],
  image: string,
): Linked {
  const { firstSection, owner } = tables;
  const fileOf = rowFinder(firstSection);
  const { joined } = layout;
  return {
    ...viewNamed({ tables, resolution }, names),
    texts: seriesOf(layout.texts.length, (i) => {
      const section = layout.texts[i]!;
      const object = fileOf(section);
      return { object, section: section - firstSection[object]!, symbol: resolution.mergedOf[owner[section]!]! };
    }),
    data: {
      joined: {
        "global-init": joined[ROLE.globalInit],
        global: joined[ROLE.global],
        constant: joined[ROLE.constant],
        local: joined[ROLE.local],
      },
      offsetOf: viewOffsets(tables, layout),
      commons: layout.commonAt,
    },
    shared: layout.shared,
    uses: layout.shared.uses,
    image: { name: image, target: goal.target, version: goal.version },
    inImage: () => (symbol) => layout.isThere[symbol] !== 0,
    aliases,
  };
}

/** Where the bytes of sections that are joined begin in the joined one. */
function viewOffsets({ files, firstSection }: Tables, { joined, offset }: PlainLayout): Linked["data"]["offsetOf"] {
  const isJoined = new Uint8Array(offset.length);
  for (const role of [ROLE.global, ROLE.globalInit, ROLE.constant, ROLE.local])
    for (const section of joined[role].pieces) isJoined[section] = 1;
  return seriesOf(files.length, (file) => {
    const first = firstSection[file]!;
    return seriesOf(firstSection[file + 1]! - first, (i) =>
      isJoined[first + i] === 0 ? undefined : offset[first + i],
    );
  });
}

// ---------------------------------------------------------------------------------------------------------------- names

function viewNames(viewing: Viewing, { count, mergedOf, chosen, replaced }: PlainResolution): ReadNames {
  const { files, firstSymbol, name } = viewing.tables;
  const fileOf = rowFinder(firstSymbol);
  const contribution = (row: SymbolRow): Contribution => {
    const object = fileOf(row);
    return new ViewedContribution(viewing, object, row - firstSymbol[object]!);
  };
  let groups: Groups | undefined;
  const grouped = (): Groups => (groups ??= groupRows(mergedOf, count));
  return {
    mergedOf: seriesOf(files.length, (file) => mergedOf.subarray(firstSymbol[file], firstSymbol[file + 1])),
    merged: seriesOf(count, (symbol) => {
      const own = contribution(chosen[symbol]!);
      const before = replaced.get(symbol);
      const called = viewing.nameOf(name[chosen[symbol]!]!);
      return before === undefined
        ? { name: called, chosen: own }
        : { name: called, chosen: own, replaced: contribution(before) };
    }),
    allOf(symbol) {
      const { first, rows } = grouped();
      const from = first[symbol]!;
      return seriesOf(first[symbol + 1]! - from, (i) => contribution(rows[from + i]!));
    },
    countOf(symbol) {
      const { first } = grouped();
      return first[symbol + 1]! - first[symbol]!;
    },
  };
}

/** Symbols by what they are merged into. */
interface Groups {
  /** Of each merged symbol, where its own begin in `rows`; those of the next begin behind them. */
  readonly first: Int32Array;
  readonly rows: Int32Array;
}

function groupRows(mergedOf: Int32Array, count: number): Groups {
  const first = new Int32Array(count + 1);
  for (const symbol of mergedOf) first[symbol + 1]!++;
  for (let symbol = 0; symbol < count; symbol++) first[symbol + 1]! += first[symbol]!;
  const next = first.slice();
  const rows = new Int32Array(mergedOf.length);
  for (let row = 0; row < mergedOf.length; row++) rows[next[mergedOf[row]!]!++] = row;
  return { first, rows };
}

// --------------------------------------------------------------------------------------------------------------- inputs

/** What is small of an input is made once, because every row of a report asks for its name. */
function viewInputs(viewing: Viewing, names: readonly string[]): ReadInputs {
  const { tables } = viewing;
  const { files, texts, firstSymbol, firstSection, kernels, calls, taken, indirectCalls } = tables;
  const targets = new Map<number, Target>();
  const kernelsIn = byFile(tables, kernels, 1);
  const callsIn = byFile(tables, calls, 2);
  const takenIn = byFile(tables, taken, 1);
  const indirectIn = byFile(tables, indirectCalls, 2);
  const make = (file: number): ReadObject => {
    const [symbol, section] = [firstSymbol[file]!, firstSection[file]!];
    return {
      name: names[file]!,
      modules: modulesOf(tables, file, targets),
      symbols: seriesOf(firstSymbol[file + 1]! - symbol, (i) => viewSymbol(viewing, file, symbol + i)),
      sections: seriesOf(firstSection[file + 1]! - section, (i) => viewSection(tables, file, section + i)),
      kernels: kernelsIn(file, (at) => kernelValue(tables, kernels[at]!, symbol)),
      calls: callsIn(file, (at) => ({ caller: calls[at]! - symbol, callee: calls[at + 1]! - symbol })),
      addressTaken: takenIn(file, (at) => taken[at]! - symbol),
      codeFacts: indirectIn(file, (at) => ({
        symbol: indirectCalls[at]! - symbol,
        indirectCalls: [textOf(texts, indirectCalls[at + 1]!)],
      })),
    };
  };
  const known: ReadObject[] = [];
  return seriesOf(files.length, (file) => (known[file] ??= make(file)));
}

/**
 * Splits a list of symbols' rows, in the order of files and `step` numbers each, by file; makes the elements of a file by index.
 */
function byFile({ firstSymbol }: Tables, rows: readonly number[], step: number) {
  const first = new Int32Array(firstSymbol.length);
  for (let file = 0, at = 0; file < firstSymbol.length; file++) {
    while (at < rows.length && rows[at]! < firstSymbol[file]!) at += step;
    first[file] = at;
  }
  return <T>(file: number, make: (at: number) => T): Series<T> =>
    seriesOf((first[file + 1]! - first[file]!) / step, (i) => make(first[file]! + step * i));
}

type ReadModule = ReadObject["modules"][number];

/** The modules of all files, one behind the other. */
export const viewModules = (tables: Tables): readonly ReadModule[] =>
  tables.moduleStart.map(moduleReader(tables, new Map()));

/** The inputs with the targets that their modules are linked for. An object of which --gc-sections left nothing has one, too. */
export function targetedInputs({ texts, otherTargets }: Tables, inputs: ReadInputs): readonly TargetedInput[] {
  return Array.from(valuesOf(inputs), (input, file): TargetedInput => {
    const { name, modules } = input;
    const other = otherTargets.get(file);
    if (other === undefined) return { name, modules };
    const target = parseTarget(textOf(texts, other.target))!;
    const rest = { name, version: other.version, target, targetLine: 0, addressSize: "any" as const };
    return { name, modules: modules.length === 0 ? [rest] : modules.map((module) => ({ ...module, target })) };
  });
}

function modulesOf(tables: Tables, file: number, targets: Map<number, Target>): readonly ReadModule[] {
  const { moduleStart, firstModule } = tables;
  return moduleStart.slice(firstModule[file], firstModule[file + 1]).map(moduleReader(tables, targets));
}

/** By where they begin. `targets`: those that were met before, by their texts. */
function moduleReader({ texts, modules }: Tables, targets: Map<number, Target>): (start: number) => ReadModule {
  return (start) => {
    const text = -modules[start + 2]! - 1;
    const target = targets.get(text) ?? parseTarget(textOf(texts, text))!;
    targets.set(text, target);
    // Behind its options.
    const targetLine = modules[start + 4 + modules[start + 3]!]!;
    const options = Array.from({ length: modules[start + 3]! }, (_, i) => textOf(texts, -modules[start + 4 + i]! - 1));
    const { addressSize } = fromTargetWords(options);
    const module = { name: textOf(texts, -modules[start]! - 1), version: modules[start + 1]!, target, targetLine };
    return addressSize === undefined ? module : { ...module, addressSize };
  };
}

function kernelValue(tables: Tables, row: SymbolRow, firstSymbol: number) {
  const { prototype } = declaredFunction(tables.shapes, tables.shape[row]!, isEntry(tables, row));
  const { offsets, bytes } = parameterBlock(prototype);
  return { symbol: row - firstSymbol, parameterOffsets: offsets, parameterBytes: bytes };
}
