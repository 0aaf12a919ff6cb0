// Symbols, types and modules of the columns as the values of object/object.ts.

import { assert } from "../../base/assert.js";
import { parseTarget } from "../../isa/requirement.js";
import { fromTargetWords } from "../target-words.js";
import type { Layout, Parameter } from "../../isa/code.js";
import { opaqueFields, type OpaqueField } from "../../isa/opaque-fields.table.js";
import { dataType } from "../../isa/types.table.js";
import type { AliasTarget, CodeSymbol, ModuleOrigin, ObjectSymbol, Placement } from "../object.js";
import { SPACES, HAS_SCOPE, INITIALISED, IS_UNIFIED, LINKAGES, REFERENCES } from "../file/declaration-codes.js";
import { unsupported } from "./cursor.js";
import { aliasOfType, largeNumber, unifiedOfType, WIDE, wideAt, type TypeId, type TypeTable } from "./types.js";
import { COMMON as COMMON_PLACE, isVariableAlias, isEntry, isFunction, isManaged, isReference, linkageOf, spaceOf, type SectionRow, type SymbolRow, type Columns } from "./columns.js"; // prettier-ignore
import { stringOf } from "./strings.js";

function reader({ strings, words }: TypeTable, from: number) {
  let at = from;
  const number = (): number => {
    const word = words[at++]!;
    if (word >= 0) return word;
    if (word !== WIDE) return largeNumber(strings, -word - 1)!;
    at += 3;
    return Number(wideAt(words, at - 4));
  };
  const text = (): string => stringOf(strings, -words[at++]! - 1);
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

/** The layout of a variable of that type, and the function that declares it. */
export function declaredVariable(types: TypeTable, typeId: TypeId, hasScope: boolean) {
  const { layout, text } = reader(types, types.start[typeId]!);
  return { layout: layout(), ...(hasScope ? { scope: text() } : {}) };
}

/** The target of an alias. */
export function aliasTargetOf({ strings, types, typeId }: Columns, row: SymbolRow): AliasTarget {
  const [base, offset] = aliasOfType(types, typeId[row]!);
  return { base: stringOf(strings, base), offset };
}

/** The fields of a reference of that type. */
export function declaredFields(types: TypeTable, typeId: TypeId): readonly OpaqueField[] {
  const { number, list } = reader(types, types.start[typeId]!);
  return list(() => ({ name: opaqueFields[number()]!.name, value: number() }));
}

/** A function of that type, without a name. */
export function declaredFunction(types: TypeTable, typeId: TypeId, entry: boolean): CodeSymbol {
  const { number, text, list, layout } = reader(types, types.start[typeId]!);
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
export function modulesOf({ strings, modules, moduleStart }: Columns): readonly ModuleOrigin[] {
  return moduleStart.map((start) => {
    const text = (at: number): string => stringOf(strings, -modules[at]! - 1);
    const options = modules[start + 3]!;
    const line = start + 4 + options;
    return {
      name: text(start),
      version: modules[start + 1]!,
      target: parseTarget(text(start + 2)) ?? unsupported("an unknown target"),
      ...fromTargetWords(Array.from({ length: options }, (_, i) => text(start + 4 + i))),
      targetLine: modules[line]!,
      files: Array.from({ length: modules[line + 1]! }, (_, i) => ({
        index: modules[line + 2 + 2 * i]!,
        path: text(line + 3 + 2 * i),
      })),
    };
  });
}

const UNDEFINED: Placement = { kind: "undefined" };
const COMMON: Placement = { kind: "common" };

/** Returns a function that makes symbols as they are in their files; `firstModule`, `firstSection`: first rows of the file. */
export function createSymbolReader(columns: Columns) {
  const { strings, types, typeId, flags } = columns;
  // Neighbours often have the same type. Only the last is cached: objects that live longer are collected late.
  let lastType: TypeId = -1;
  let last: CodeSymbol | undefined;
  const functionOf = (row: SymbolRow): CodeSymbol => {
    if (last !== undefined && typeId[row] === lastType) return last;
    lastType = typeId[row]!;
    return (last = declaredFunction(types, lastType, isEntry(columns, row)));
  };
  return (row: SymbolRow, firstModule: number, firstSection: SectionRow): ObjectSymbol => {
    const place = columns.sectionOf[row]!;
    const name = stringOf(strings, columns.name[row]!);
    const linkage = LINKAGES[linkageOf(columns, row)]!;
    const placement: Placement =
      place < 0
        ? place === COMMON_PLACE
          ? COMMON
          : UNDEFINED
        : { kind: "section", section: place - firstSection, offset: columns.offset[row]! };
    const origin = {
      module: columns.module[row]! - firstModule,
      line: columns.line[row]!,
      column: columns.column[row]!,
    };
    const own = { name, linkage, placement, origin };
    const isUnified = !isReference(columns, row) && (flags[row]! & IS_UNIFIED) !== 0;
    const common = isUnified ? { unified: unifiedOfType(types, typeId[row]!), ...own } : own;
    if (isFunction(columns, row)) {
      const { prototype, directives } = functionOf(row);
      return { kind: "function", entry: isEntry(columns, row), prototype, directives, ...common };
    }
    if (isReference(columns, row)) {
      const fields = declaredFields(types, typeId[row]!);
      const reference = { kind: "reference", type: REFERENCES[flags[row]!]!, ...common } as const;
      return fields.length === 0 ? reference : { fields, ...reference };
    }
    const { layout, scope } = declaredVariable(types, typeId[row]!, (flags[row]! & HAS_SCOPE) !== 0);
    const variable = {
      kind: "variable",
      space: SPACES[spaceOf(columns, row)]!,
      layout,
      managed: isManaged(columns, row),
      initialised: (flags[row]! & INITIALISED) !== 0,
      ...common,
    } as const;
    if (isVariableAlias(columns, row)) return { ...variable, aliasOf: aliasTargetOf(columns, row) };
    return scope === undefined ? variable : { scope, ...variable };
  };
}
