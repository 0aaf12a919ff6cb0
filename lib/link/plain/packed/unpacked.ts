// A packed object (packed.ts) as a value again: what the assembler had made, name and all.

import { InternalError } from "../../../base/assert.js";
import type { CodeFacts, ObjectFile, ObjectSymbol, RelocObject, Section } from "../../../object/object.js";
import { inSymbolOrder, NO_FACTS } from "../../../object/attributes/code-facts.js";
import { kernelInfo } from "../../../object/parameters.js";
import { parseTarget } from "../../../isa/requirement.js";
import { COUNT, targetOfPacked, type PackedObject, type Vocabulary } from "./packed.js";
import type { Shapes } from "../tables/shapes.js";
import { createTables, FACT, type SectionRow, type SymbolRow, type Tables } from "../tables/tables.js";
import { textOf } from "../tables/texts.js";
import { sizedPacked, unpack } from "./unpack.js";
import { createSymbolReader, modulesOf } from "../tables/values.js";
import { viewSection } from "../tables/viewed.js";
import { opened } from "./vocabulary.js";

/** Makes tables of one object after another, opening each vocabulary once. */
function createTabulator(): (packed: PackedObject) => Tables {
  const open = new Map<Vocabulary, Shapes>();
  return (packed) => {
    const { vocabulary } = packed;
    const shapes = open.get(vocabulary) ?? opened(vocabulary);
    open.set(vocabulary, shapes);
    const tables = createTables([sizedPacked(packed)], shapes);
    unpack(tables, 0, packed);
    return tables;
  };
}

/** Makes values of them. */
export function createUnpacker(): (packed: PackedObject) => RelocObject {
  const tabulate = createTabulator();
  return (packed) => objectOf(tabulate(packed), packed);
}

function objectOf(tables: Tables, packed: PackedObject): RelocObject {
  const { firstSymbol, firstSection, calls, taken } = tables;
  const modules = modulesOf(tables);
  const readSymbol = createSymbolReader(tables);
  const symbols = Array.from({ length: firstSymbol[1]! }, (_, row) => readSymbol(row, 0, 0));
  return {
    type: "relocatable",
    name: modules[0]?.name ?? "",
    target: parseTarget(targetOfPacked(packed))!,
    version: packed.rows[COUNT.version]!,
    modules,
    sections: Array.from({ length: firstSection[1]! }, (_, row) => sectionOf(tables, row)),
    symbols,
    kernels: tables.kernels.map((row) => kernelOf(symbols, row)),
    calls: Array.from({ length: calls.length / 2 }, (_, i) => ({ caller: calls[2 * i]!, callee: calls[2 * i + 1]! })),
    addressTaken: taken,
    codeFacts: factsOf(tables),
    ...debugOf(tables),
  };
}

function sectionOf(tables: Tables, row: SectionRow): Section {
  const { role, align, size, data, relocations } = viewSection(tables, 0, row);
  const section = { role, align, size, relocations: [...relocations] };
  return data === undefined ? section : { ...section, data };
}

function kernelOf(symbols: readonly ObjectSymbol[], row: SymbolRow) {
  const symbol = symbols[row]!;
  if (symbol.kind !== "function") throw new InternalError("a kernel that is no function");
  return kernelInfo(symbol, row);
}

interface Draft extends CodeFacts {
  readonly indirectCalls: string[];
  readonly addressUses: number[];
}

function factsOf({ texts, facts, owner, addressUses, indirectCalls }: Tables): readonly CodeFacts[] {
  const found = new Map<SymbolRow, Draft>();
  const of = (symbol: SymbolRow): Draft => {
    const known = found.get(symbol) ?? { ...NO_FACTS, symbol, indirectCalls: [], addressUses: [] };
    found.set(symbol, known);
    return known;
  };
  for (let i = 0; i < indirectCalls.length; i += 2)
    of(indirectCalls[i]!).indirectCalls.push(textOf(texts, indirectCalls[i + 1]!));
  for (let i = 0; i < addressUses.length; i += 2) of(addressUses[i]!).addressUses.push(addressUses[i + 1]!);
  facts.forEach((code, section) => {
    if (code === 0) return;
    const symbol = owner[section]!;
    const readsBlockZ = (code & FACT.blockZ) !== 0;
    const usesMatrices = (code & FACT.matrices) !== 0;
    found.set(symbol, { ...of(symbol), barriers: code & 0xff, readsBlockZ, usesMatrices });
  });
  return inSymbolOrder([...found.values()]);
}

function debugOf({ texts, debug }: Tables): Pick<ObjectFile, "debugSections"> {
  if (debug.length === 0) return {};
  const debugSections = debug.map(({ name, module, data, shape }) => ({
    name: textOf(texts, name),
    module,
    data,
    shape,
  }));
  return { debugSections };
}
