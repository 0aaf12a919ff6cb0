// Shapes of a plain link (shapes.ts) as the values that other parts of the linker take.

import { assert } from "../../../base/assert.js";
import { parseTarget } from "../../../isa/requirement.js";
import { fromTargetWords } from "../../../object/target-words.js";
import type { Layout, Parameter } from "../../../isa/code.js";
import { opaqueFields, type OpaqueField } from "../../../isa/opaque-fields.table.js";
import { dataType } from "../../../isa/types.table.js";
import type { AliasTarget, CodeSymbol, ModuleOrigin, ObjectSymbol, Placement } from "../../../object/object.js";
import { SPACES } from "../../../object/file/declaration-codes.js";
import { notPlain } from "./cursor.js";
import { HAS_SCOPE, INITIALISED, IS_UNIFIED } from "./codes.js";
import { aliasOfShape, largeNumber, unifiedOfShape, WIDE, wideAt, type ShapeId, type Shapes } from "./shapes.js";
import { COMMON as COMMON_PLACE, isAlias, isEntry, isFunction, isManaged, isReference, linkageOf, linkages, referenceTypes, spaceOf, type SectionRow, type SymbolRow, type Tables } from "./tables.js"; // prettier-ignore
import { textOf } from "./texts.js";

function reader({ texts, words }: Shapes, from: number) {
  let at = from;
  const number = (): number => {
    const word = words[at++]!;
    if (word >= 0) return word;
    if (word !== WIDE) return largeNumber(texts, -word - 1)!;
    at += 3;
    return Number(wideAt(words, at - 4));
  };
  const text = (): string => textOf(texts, -words[at++]! - 1);
  // A loop, because reports make a list for every function.
  const list = <T>(item: () => T): readonly T[] => {
    const items: T[] = [];
    for (let left = number(); left > 0; left--) items.push(item());
    return items;
  };
  const dimension = (): number | undefined => {
    const extent = number();
    return extent === 0 ? undefined : extent - 1;
  };
  const layout = (): Layout => {
    const type = dataType(text());
    assert(type !== undefined, "a shape has a type that is none");
    const packed = number();
    const dimensions = list(dimension);
    const vector = ([1, 2, 4, 8] as const)[packed & 3]!;
    return { type, vector, dimensions, align: 2 ** (packed >> 2), size: number() };
  };
  return { number, text, list, layout };
}

/** The layout of a variable of that shape, and the function in which it was declared. */
export function declaredVariable(shapes: Shapes, shape: ShapeId, hasScope: boolean) {
  const { layout, text } = reader(shapes, shapes.start[shape]!);
  return { layout: layout(), ...(hasScope ? { scope: text() } : {}) };
}

/** What an alias refers to. */
export function aliasTargetOf({ texts, shapes, shape }: Tables, row: SymbolRow): AliasTarget {
  const [base, offset] = aliasOfShape(shapes, shape[row]!);
  return { base: textOf(texts, base), offset };
}

/** What a reference of that shape sets. */
export function declaredFields(shapes: Shapes, shape: ShapeId): readonly OpaqueField[] {
  const { number, list } = reader(shapes, shapes.start[shape]!);
  return list(() => ({ name: opaqueFields[number()]!.name, value: number() }));
}

/** A function of that shape without a name. */
export function declaredFunction(shapes: Shapes, shape: ShapeId, entry: boolean): CodeSymbol {
  const { number, text, list, layout } = reader(shapes, shapes.start[shape]!);
  const noreturn = number() !== 0;
  const parameter = (): Parameter => {
    const flags = number();
    const common = { name: text(), space: (flags & 1) !== 0 ? "reg" : "param", layout: layout() } as const;
    if ((flags & 2) === 0) return common;
    const space = (flags & 4) !== 0 ? text() : undefined;
    return { ...common, pointer: { space, align: (flags & 8) !== 0 ? number() : undefined } };
  };
  const returns = list(parameter);
  const prototype = { returns, parameters: list(parameter), noreturn };
  const directives = list(() => ({ name: text(), values: list(number), strings: list(text) }));
  return {
    kind: "function",
    name: "",
    linkage: "visible",
    placement: { kind: "undefined" },
    origin: { module: 0, line: 0 },
    entry,
    prototype,
    directives,
  };
}

/** All modules. */
export function modulesOf({ texts, modules, moduleStart }: Tables): readonly ModuleOrigin[] {
  return moduleStart.map((start) => {
    const text = (at: number): string => textOf(texts, -modules[at]! - 1);
    const options = modules[start + 3]!;
    const line = start + 4 + options;
    return {
      name: text(start),
      version: modules[start + 1]!,
      target: parseTarget(text(start + 2)) ?? notPlain("an unknown target"),
      ...fromTargetWords(Array.from({ length: options }, (_, i) => text(start + 4 + i))),
      targetLine: modules[line]!,
      files: Array.from({ length: modules[line + 1]! }, (_, i) => ({
        index: modules[line + 2 + 2 * i]!,
        path: text(line + 3 + 2 * i),
      })),
    };
  });
}

const NOWHERE: Placement = { kind: "undefined" };
const COMMON: Placement = { kind: "common" };

/** Makes symbols as their files have them; `firstModule`, `firstSection`: rows of that file. */
export function createSymbolReader(tables: Tables) {
  const { texts, shapes, shape, flags } = tables;
  // Neighbours are often declared alike. More are not held: what lives on for a while is not soon forgotten by the engine.
  let lastShape: ShapeId = -1;
  let last: CodeSymbol | undefined;
  const functionOf = (row: SymbolRow): CodeSymbol => {
    if (last !== undefined && shape[row] === lastShape) return last;
    lastShape = shape[row]!;
    return (last = declaredFunction(shapes, lastShape, isEntry(tables, row)));
  };
  return (row: SymbolRow, firstModule: number, firstSection: SectionRow): ObjectSymbol => {
    const place = tables.place[row]!;
    const name = textOf(texts, tables.name[row]!);
    const linkage = linkages[linkageOf(tables, row)]!;
    const placement: Placement =
      place < 0
        ? place === COMMON_PLACE
          ? COMMON
          : NOWHERE
        : { kind: "section", section: place - firstSection, offset: tables.offset[row]! };
    const origin = { module: tables.module[row]! - firstModule, line: tables.line[row]!, column: tables.column[row]! };
    const own = { name, linkage, placement, origin };
    const isUnified = !isReference(tables, row) && (flags[row]! & IS_UNIFIED) !== 0;
    const common = isUnified ? { unified: unifiedOfShape(shapes, shape[row]!), ...own } : own;
    if (isFunction(tables, row)) {
      const { prototype, directives } = functionOf(row);
      return { kind: "function", entry: isEntry(tables, row), prototype, directives, ...common };
    }
    if (isReference(tables, row)) {
      const fields = declaredFields(shapes, shape[row]!);
      const reference = { kind: "reference", type: referenceTypes[flags[row]!]!, ...common } as const;
      return fields.length === 0 ? reference : { fields, ...reference };
    }
    const { layout, scope } = declaredVariable(shapes, shape[row]!, (flags[row]! & HAS_SCOPE) !== 0);
    const variable = {
      kind: "variable",
      space: SPACES[spaceOf(tables, row)]!,
      layout,
      managed: isManaged(tables, row),
      initialised: (flags[row]! & INITIALISED) !== 0,
      ...common,
    } as const;
    if (isAlias(tables, row)) return { ...variable, aliasOf: aliasTargetOf(tables, row) };
    return scope === undefined ? variable : { scope, ...variable };
  };
}
