// What shared-order.ts reads of an object, made of the columns of a plain link (../tables/tables.ts) for one file after another: functions
// with code and shared variables, and of relocations those to such variables; all of it where an address of a function is taken
// anywhere, because the order of functions depends on who deals with those. Names are numbers: they are only compared.
// Rejected: making it of all files at once, which takes 100 MB for 5000 modules.

import { inSymbolOrder, NO_FACTS } from "../../../object/attributes/code-facts.js";
import type { CodeFacts, Placement, SectionRole } from "../../../object/object.js";
import { SPACES } from "../../../object/file/declaration-codes.js";
import type { OrderedObject, OrderedSymbol } from "../../shared/function-order.js";
import { listIn } from "../../shared/shared-reach.js";
import { placeIn } from "../tables/pieces.js";
import { HAS_SCOPE, ROLE } from "../tables/codes.js";
import { forEachTarget } from "../tables/references.js";
import { isSharedVariable } from "../names/resolve.js";
import { scopeOfShape, sizeOfShape } from "../tables/shapes.js";
import { isEntry, isFunction, isReference, LINKAGE, linkageOf, linkages, rowFinder, spaceOf, type SectionRow, type SymbolRow, type Tables } from "../tables/tables.js"; // prettier-ignore
import { textOf } from "../tables/texts.js";

export interface Ordering {
  readonly object: OrderedObject;
  /** The symbols and sections of the object. */
  readonly rows: readonly SymbolRow[];
  readonly sections: readonly SectionRow[];
}

/** Of a file; undefined where it has no shared variables. */
export function createOrdering(tables: Tables): (file: number) => Ordering | undefined {
  const indexOf = new Int32Array(tables.firstSymbol.at(-1)!).fill(-1);
  const isWhole = tables.taken.length > 0;
  const facts = isWhole ? addressFacts(tables, indexOf) : () => NO_ADDRESSES;
  return (file) => {
    const rows: SymbolRow[] = [];
    let hasShared = false;
    for (let row = tables.firstSymbol[file]!; row < tables.firstSymbol[file + 1]!; row++) {
      const isShared = isSharedVariable(tables, row);
      hasShared ||= isShared;
      if (isWhole || isShared || (tables.place[row]! >= 0 && isFunction(tables, row)))
        indexOf[row] = rows.push(row) - 1;
    }
    if (!hasShared) return undefined;
    const roles: SectionRole[] = [];
    const sections: SectionRow[] = [];
    // Of each section of the file from its first one on.
    const first = tables.firstSection[file]!;
    const sectionOf: number[] = [];
    for (let section = first; section < tables.firstSection[file + 1]!; section++) {
      const role = roleOf(tables, section, indexOf, isWhole);
      sectionOf.push(role === undefined ? -1 : roles.push(role) - 1);
      if (role !== undefined) sections.push(section);
    }
    const object: OrderedObject = {
      symbols: rows.map((row) => {
        const place = tables.place[row]!;
        return symbolOf(tables, row, place < 0 ? -1 : sectionOf[place - first]!, tables.firstModule[file]!);
      }),
      sections: roles.map((role, i) => ({
        role,
        relocations:
          isWhole || role.kind === "text" ? namedIn(tables, file, sections[i]!, indexOf, isWhole) : NO_RELOCATIONS,
        ...(isWhole && role.kind === "text" ? { data: bytesOf(tables, file, sections[i]!) } : {}),
      })),
      modules: { length: tables.firstModule[file + 1]! - tables.firstModule[file]! },
      ...facts(file),
    };
    return { object, rows, sections };
  };
}

const NO_ADDRESSES: Pick<OrderedObject, "addressTaken" | "codeFacts"> = { addressTaken: [], codeFacts: [] };
const NO_RELOCATIONS: readonly { readonly symbol: number }[] = [];

/** What objects say of functions' addresses, by file. `indexOf`: of the file that is asked for. */
function addressFacts(
  { taken, addressUses, indirectCalls, texts, firstSymbol }: Tables,
  indexOf: Int32Array,
): (file: number) => Pick<OrderedObject, "addressTaken" | "codeFacts"> {
  const fileOf = rowFinder(firstSymbol);
  const byFile = (rows: readonly SymbolRow[], step: number) => {
    const places = new Map<number, number[]>();
    for (let i = 0; i < rows.length; i += step) listIn(places, fileOf(rows[i]!)).push(i);
    return (file: number): readonly number[] => places.get(file) ?? [];
  };
  const [takenIn, callsIn, usesIn] = [byFile(taken, 1), byFile(indirectCalls, 2), byFile(addressUses, 2)];
  return (file) => {
    const codeFacts = new Map<number, Draft>();
    const factsOf = (row: SymbolRow): Draft => {
      const symbol = indexOf[row]!;
      const known = codeFacts.get(symbol) ?? { ...NO_FACTS, symbol, indirectCalls: [], addressUses: [] };
      codeFacts.set(symbol, known);
      return known;
    };
    for (const i of callsIn(file)) factsOf(indirectCalls[i]!).indirectCalls.push(textOf(texts, indirectCalls[i + 1]!));
    for (const i of usesIn(file)) factsOf(addressUses[i]!).addressUses.push(indexOf[addressUses[i + 1]!]!);
    return {
      addressTaken: takenIn(file).map((i) => indexOf[taken[i]!]!),
      codeFacts: inSymbolOrder([...codeFacts.values()]),
    };
  };
}

interface Draft extends CodeFacts {
  readonly indirectCalls: string[];
  readonly addressUses: number[];
}

function bytesOf({ files, at, size }: Tables, file: number, section: SectionRow): Uint8Array {
  return files[file]!.bytes.subarray(at[section], at[section]! + size[section]!);
}

const dataRoles = {
  [ROLE.global]: "global",
  [ROLE.globalInit]: "global-init",
  [ROLE.constant]: "constant",
  [ROLE.local]: "local",
} as const;

/** Undefined for sections of data, unless those are wanted. */
function roleOf(
  { role, owner }: Tables,
  section: SectionRow,
  indexOf: Int32Array,
  wantsData: boolean,
): SectionRole | undefined {
  const data = dataRoles[role[section] as keyof typeof dataRoles];
  if (data !== undefined) return wantsData ? { kind: data } : undefined;
  if (role[section] === ROLE.moduleShared) return { kind: "shared-module" };
  if (role[section] === ROLE.text) return { kind: "text", symbol: indexOf[owner[section]!]! };
  if (role[section] !== ROLE.shared) return undefined;
  const symbol = indexOf[owner[section]!]!;
  return { kind: "shared", symbol };
}

const NOWHERE: Placement = { kind: "undefined" };

/** `section`: of the object, where the symbol is in one; `first`: the file's first module. */
function symbolOf(tables: Tables, row: SymbolRow, section: number, first: number): OrderedSymbol {
  const { place, name, offset, module, shapes, shape, flags } = tables;
  const common = {
    name: String(name[row]!),
    linkage: linkages[linkageOf(tables, row)] ?? linkages[LINKAGE.extern],
    placement: place[row]! < 0 ? NOWHERE : ({ kind: "section", section, offset: offset[row]! } as const),
    origin: { module: module[row]! - first, line: 0 },
  };
  if (isFunction(tables, row)) return { kind: "function", ...common, entry: isEntry(tables, row) };
  if (isReference(tables, row)) return { kind: "reference", ...common };
  const scope = (flags[row]! & HAS_SCOPE) === 0 ? undefined : String(scopeOfShape(shapes, shape[row]!));
  return {
    kind: "variable",
    ...common,
    space: SPACES[spaceOf(tables, row)]!,
    layout: { size: sizeOfShape(shapes, shape[row]!) },
    ...(scope === undefined ? {} : { scope }),
  };
}

/** The symbols of the object that a section's relocations name, in the order of its runs. */
function namedIn(tables: Tables, file: number, section: SectionRow, indexOf: Int32Array, wantsAll: boolean) {
  const found: { readonly symbol: number; readonly offset: number }[] = [];
  const pieces = tables.moved.get(section);
  forEachTarget(tables, file, section, (before, row) => {
    const offset = placeIn(pieces, before);
    if (offset >= 0 && (wantsAll || isSharedVariable(tables, row))) found.push({ symbol: indexOf[row]!, offset });
  });
  return found;
}
