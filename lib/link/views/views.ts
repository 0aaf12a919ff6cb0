// Views of a link for messages and reports: the values of ../model/linked.ts, each made from the columns on demand.

import { seriesOf, valuesOf, type Series } from "../../base/series.js";
import { parseTarget, type Target } from "../../isa/requirement.js";
import { parameterBlock } from "../../object/parameters.js";
import { fromTargetWords } from "../../object/target-words.js";
import type { TargetedInput } from "../model/targets.js";
import type { Contribution } from "../model/contributions.js";
import type { Linked, LinkedNames, ReadInputs, ReadNames, ReadObject } from "../model/linked.js";
import type { ImageLayout } from "../layout/layout.js";
import { ROLE } from "../../object/columns/codes.js";
import type { ResolvedColumns, Resolution } from "../resolve/resolve.js";
import { isEntry, rowFinder, type SymbolRow, type Columns } from "../../object/columns/columns.js";
import { stringOf } from "../../object/columns/strings.js";
import { declaredFunction } from "../../object/columns/values.js";
import { type ViewContext, createViewContext, viewSection, viewSymbol } from "../../object/columns/views.js";
import { ViewedContribution } from "./contributions.js";
import type { LaidOutImage } from "../state/results.js";

/** `names`: names of the files, in order. */
export function viewNamed({ columns, resolution }: ResolvedColumns, names: readonly string[]): LinkedNames {
  const context = createViewContext(columns);
  return { inputs: viewInputs(context, names), resolution: viewNames(context, resolution) };
}

/** The symbols as contributions of their files. */
export function contributionsOf(columns: Columns, rows: readonly SymbolRow[]): readonly Contribution[] {
  const context = createViewContext(columns);
  const fileOf = rowFinder(columns.firstSymbol);
  return rows.map((row) => new ViewedContribution(context, fileOf(row), row - columns.firstSymbol[fileOf(row)]!));
}

/** `image`: the image's name. */
export function viewLinked(
  { columns, resolution, layout, linkTarget, aliases }: LaidOutImage,
  names: readonly string[],
  image: string,
): Linked {
  const { firstSection, owner } = columns;
  const fileOf = rowFinder(firstSection);
  const { outputSections } = layout;
  return {
    ...viewNamed({ columns, resolution }, names),
    texts: seriesOf(layout.textSections.length, (i) => {
      const section = layout.textSections[i]!;
      const object = fileOf(section);
      return { object, section: section - firstSection[object]!, symbol: resolution.mergedOf[owner[section]!]! };
    }),
    data: {
      outputSections: {
        "global-init": outputSections[ROLE.globalInit],
        global: outputSections[ROLE.global],
        constant: outputSections[ROLE.constant],
        local: outputSections[ROLE.local],
      },
      offsetOf: viewOffsets(columns, layout),
      commons: layout.commonAt,
    },
    shared: layout.shared,
    uses: layout.shared.uses,
    image: { name: image, target: linkTarget.target, version: linkTarget.version },
    inImage: () => (symbol) => layout.isInImage[symbol] !== 0,
    aliases,
  };
}

/** Offsets of input sections in the joined sections. */
function viewOffsets(
  { files, firstSection }: Columns,
  { outputSections, offset }: ImageLayout,
): Linked["data"]["offsetOf"] {
  const isJoined = new Uint8Array(offset.length);
  for (const role of [ROLE.global, ROLE.globalInit, ROLE.constant, ROLE.local])
    for (const section of outputSections[role].inputs) isJoined[section] = 1;
  return seriesOf(files.length, (file) => {
    const first = firstSection[file]!;
    return seriesOf(firstSection[file + 1]! - first, (i) =>
      isJoined[first + i] === 0 ? undefined : offset[first + i],
    );
  });
}

// ---------------------------------------------------------------------------------------------------------------- names

function viewNames(context: ViewContext, { count, mergedOf, chosen, replaced }: Resolution): ReadNames {
  const { files, firstSymbol, name } = context.columns;
  const fileOf = rowFinder(firstSymbol);
  const contribution = (row: SymbolRow): Contribution => {
    const object = fileOf(row);
    return new ViewedContribution(context, object, row - firstSymbol[object]!);
  };
  let groups: Groups | undefined;
  const grouped = (): Groups => (groups ??= groupRows(mergedOf, count));
  return {
    mergedOf: seriesOf(files.length, (file) => mergedOf.subarray(firstSymbol[file], firstSymbol[file + 1])),
    merged: seriesOf(count, (symbol) => {
      const own = contribution(chosen[symbol]!);
      const before = replaced.get(symbol);
      const called = context.nameOf(name[chosen[symbol]!]!);
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

/** Symbols grouped by merged symbol. */
interface Groups {
  /** First index in `rows` of each merged symbol, and the end. */
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

/** The small properties of an input are made once, because every row of a report reads its name. */
function viewInputs(context: ViewContext, names: readonly string[]): ReadInputs {
  const { columns } = context;
  const { files, strings, firstSymbol, firstSection, kernels, calls, addressTaken, indirectCalls } = columns;
  const targets = new Map<number, Target>();
  const kernelsIn = byFile(columns, kernels, 1);
  const callsIn = byFile(columns, calls, 2);
  const takenIn = byFile(columns, addressTaken, 1);
  const indirectIn = byFile(columns, indirectCalls, 2);
  const make = (file: number): ReadObject => {
    const [symbol, section] = [firstSymbol[file]!, firstSection[file]!];
    return {
      name: names[file]!,
      modules: modulesOf(columns, file, targets),
      symbols: seriesOf(firstSymbol[file + 1]! - symbol, (i) => viewSymbol(context, file, symbol + i)),
      sections: seriesOf(firstSection[file + 1]! - section, (i) => viewSection(columns, file, section + i)),
      kernels: kernelsIn(file, (at) => kernelValue(columns, kernels[at]!, symbol)),
      calls: callsIn(file, (at) => ({ caller: calls[at]! - symbol, callee: calls[at + 1]! - symbol })),
      addressTaken: takenIn(file, (at) => addressTaken[at]! - symbol),
      codeProperties: indirectIn(file, (at) => ({
        symbol: indirectCalls[at]! - symbol,
        indirectCalls: [stringOf(strings, indirectCalls[at + 1]!)],
      })),
    };
  };
  const known: ReadObject[] = [];
  return seriesOf(files.length, (file) => (known[file] ??= make(file)));
}

/**
 * Splits a list of symbol rows, ordered by file with `step` numbers per entry, by file; returns a function that makes a file's
 * elements by index.
 */
function byFile({ firstSymbol }: Columns, rows: readonly number[], step: number) {
  const first = new Int32Array(firstSymbol.length);
  for (let file = 0, at = 0; file < firstSymbol.length; file++) {
    while (at < rows.length && rows[at]! < firstSymbol[file]!) at += step;
    first[file] = at;
  }
  return <T>(file: number, make: (at: number) => T): Series<T> =>
    seriesOf((first[file + 1]! - first[file]!) / step, (i) => make(first[file]! + step * i));
}

type ReadModule = ReadObject["modules"][number];

/** The modules of all files, in order. */
export const viewModules = (columns: Columns): readonly ReadModule[] =>
  columns.moduleStart.map(moduleReader(columns, new Map()));

/**
 * The inputs with the targets for which their modules are linked. An object from which --gc-sections removed everything has a
 * target, too.
 */
export function targetedInputs({ strings, otherTargets }: Columns, inputs: ReadInputs): readonly TargetedInput[] {
  return Array.from(valuesOf(inputs), (input, file): TargetedInput => {
    const { name, modules } = input;
    const other = otherTargets.get(file);
    if (other === undefined) return { name, modules };
    const target = parseTarget(stringOf(strings, other.target))!;
    const rest = { name, version: other.version, target, targetLine: 0, addressSize: "any" as const };
    return { name, modules: modules.length === 0 ? [rest] : modules.map((module) => ({ ...module, target })) };
  });
}

function modulesOf(columns: Columns, file: number, targets: Map<number, Target>): readonly ReadModule[] {
  const { moduleStart, firstModule } = columns;
  return moduleStart.slice(firstModule[file], firstModule[file + 1]).map(moduleReader(columns, targets));
}

/** Makes a module from its start in `modules`. `targets`: cache of parsed targets, by string. */
function moduleReader({ strings, modules }: Columns, targets: Map<number, Target>): (start: number) => ReadModule {
  return (start) => {
    const text = -modules[start + 2]! - 1;
    const target = targets.get(text) ?? parseTarget(stringOf(strings, text))!;
    targets.set(text, target);
    // It follows the options.
    const targetLine = modules[start + 4 + modules[start + 3]!]!;
    const options = Array.from({ length: modules[start + 3]! }, (_, i) =>
      stringOf(strings, -modules[start + 4 + i]! - 1),
    );
    const { addressSize } = fromTargetWords(options);
    const module = { name: stringOf(strings, -modules[start]! - 1), version: modules[start + 1]!, target, targetLine };
    return addressSize === undefined ? module : { ...module, addressSize };
  };
}

function kernelValue(columns: Columns, row: SymbolRow, firstSymbol: number) {
  const { prototype } = declaredFunction(columns.types, columns.typeId[row]!, isEntry(columns, row));
  const { offsets, bytes } = parameterBlock(prototype);
  return { symbol: row - firstSymbol, parameterOffsets: offsets, parameterBytes: bytes };
}
