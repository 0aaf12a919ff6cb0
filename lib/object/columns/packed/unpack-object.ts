// Unpacks a packed object (packed-object.ts) to the value that the assembler made.

import { InternalError } from "../../../base/assert.js";
import type { CodeProperties, ObjectFile, ObjectSymbol, RelocObject, Section } from "../../object.js";
import { inSymbolOrder, NO_CODE_PROPERTIES } from "../../attributes/code-properties.js";
import { kernelInfo } from "../../parameters.js";
import { parseTarget } from "../../../isa/requirement.js";
import { COUNT, targetOfPacked, type PackedObject, type Dictionary } from "./packed-object.js";
import type { TypeTable } from "../types.js";
import { CODE_PROPERTY, type SectionRow, type SymbolRow, type Columns } from "../columns.js";
import { stringOf } from "../strings.js";
import { columnsOfPacked } from "./unpack.js";
import { createSymbolReader, modulesOf } from "../values.js";
import { viewSection } from "../views.js";
import { growable } from "./dictionary.js";

/** Returns a function that makes the columns of single objects, opening each dictionary once. */
function createTabulator(): (packed: PackedObject) => Columns {
  const open = new Map<Dictionary, TypeTable>();
  return (packed) => {
    const { dictionary } = packed;
    const types = open.get(dictionary) ?? growable(dictionary);
    open.set(dictionary, types);
    return columnsOfPacked(packed, types);
  };
}

/** Returns a function that unpacks objects. */
export function createUnpacker(): (packed: PackedObject) => RelocObject {
  const tabulate = createTabulator();
  return (packed) => objectOf(tabulate(packed), packed);
}

function objectOf(columns: Columns, packed: PackedObject): RelocObject {
  const { firstSymbol, firstSection, calls, addressTaken } = columns;
  const modules = modulesOf(columns);
  const readSymbol = createSymbolReader(columns);
  const symbols = Array.from({ length: firstSymbol[1]! }, (_, row) => readSymbol(row, 0, 0));
  return {
    type: "relocatable",
    name: modules[0]?.name ?? "",
    target: parseTarget(targetOfPacked(packed))!,
    version: packed.rows[COUNT.version]!,
    modules,
    sections: Array.from({ length: firstSection[1]! }, (_, row) => sectionOf(columns, row)),
    symbols,
    kernels: columns.kernels.map((row) => kernelOf(symbols, row)),
    calls: Array.from({ length: calls.length / 2 }, (_, i) => ({ caller: calls[2 * i]!, callee: calls[2 * i + 1]! })),
    addressTaken,
    codeProperties: factsOf(columns),
    ...debugOf(columns),
  };
}

function sectionOf(columns: Columns, row: SectionRow): Section {
  const { role, align, size, data, relocations } = viewSection(columns, 0, row);
  const section = { role, align, size, relocations: [...relocations] };
  return data === undefined ? section : { ...section, data };
}

function kernelOf(symbols: readonly ObjectSymbol[], row: SymbolRow) {
  const symbol = symbols[row]!;
  if (symbol.kind !== "function") throw new InternalError("a kernel that is not a function");
  return kernelInfo(symbol, row);
}

interface Draft extends CodeProperties {
  readonly indirectCalls: string[];
  readonly addressUses: number[];
}

function factsOf({ strings, codeProperties, owner, addressUses, indirectCalls }: Columns): readonly CodeProperties[] {
  const found = new Map<SymbolRow, Draft>();
  const of = (symbol: SymbolRow): Draft => {
    const known = found.get(symbol) ?? { ...NO_CODE_PROPERTIES, symbol, indirectCalls: [], addressUses: [] };
    found.set(symbol, known);
    return known;
  };
  for (let i = 0; i < indirectCalls.length; i += 2)
    of(indirectCalls[i]!).indirectCalls.push(stringOf(strings, indirectCalls[i + 1]!));
  for (let i = 0; i < addressUses.length; i += 2) of(addressUses[i]!).addressUses.push(addressUses[i + 1]!);
  codeProperties.forEach((code, section) => {
    if (code === 0) return;
    const symbol = owner[section]!;
    const readsBlockZ = (code & CODE_PROPERTY.blockZ) !== 0;
    const usesMatrices = (code & CODE_PROPERTY.matrices) !== 0;
    found.set(symbol, { ...of(symbol), barriers: code & 0xff, readsBlockZ, usesMatrices });
  });
  return inSymbolOrder([...found.values()]);
}

function debugOf({ strings, debug }: Columns): Pick<ObjectFile, "debugSections"> {
  if (debug.length === 0) return {};
  const debugSections = debug.map(({ name, module, data, record }) => ({
    name: stringOf(strings, name),
    module,
    data,
    record,
  }));
  return { debugSections };
}
