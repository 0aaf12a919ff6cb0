// Builds the input of shared-order.ts from the columns, one file at a time: functions with code, shared variables, and the
// relocations to such variables. If an address of a function is taken anywhere, it contains everything, because the order of
// functions then depends on the variables' users. Names are numbers: they are only compared. Rejected: building it for all files
// at once, which takes 100 MB for 5000 modules.

import { listIn } from "../../base/lists.js";
import { inSymbolOrder, NO_CODE_PROPERTIES } from "../../object/attributes/code-properties.js";
import type { CodeProperties, Placement, SectionRole } from "../../object/object.js";
import { SPACES, HAS_SCOPE, LINKAGES } from "../../object/file/declaration-codes.js";
import type { OrderedObject, OrderedSymbol } from "../shared/function-order.js";
import { offsetIn } from "../../object/columns/kept-ranges.js";
import { ROLE } from "../../object/columns/codes.js";
import { forEachRelocation } from "../../object/columns/relocations.js";
import { scopeOfType, sizeOfType } from "../../object/columns/types.js";
import { isEntry, isFunction, isReference, linkageOf, rowFinder, spaceOf, type SectionRow, type SymbolRow, type Columns, isSharedVariable } from "../../object/columns/columns.js"; // prettier-ignore
import { stringOf } from "../../object/columns/strings.js";

export interface Ordering {
  readonly object: OrderedObject;
  /** Rows of the object's symbols and sections. */
  readonly rows: readonly SymbolRow[];
  readonly sections: readonly SectionRow[];
}

/** Returns a function that builds the input for a file; undefined for a file without shared variables. */
export function createOrdering(columns: Columns): (file: number) => Ordering | undefined {
  const indexOf = new Int32Array(columns.firstSymbol.at(-1)!).fill(-1);
  const isWhole = columns.addressTaken.length > 0;
  const facts = isWhole ? addressFacts(columns, indexOf) : () => NO_ADDRESSES;
  return (file) => {
    const rows: SymbolRow[] = [];
    let hasShared = false;
    for (let row = columns.firstSymbol[file]!; row < columns.firstSymbol[file + 1]!; row++) {
      const isShared = isSharedVariable(columns, row);
      hasShared ||= isShared;
      if (isWhole || isShared || (columns.sectionOf[row]! >= 0 && isFunction(columns, row)))
        indexOf[row] = rows.push(row) - 1;
    }
    if (!hasShared) return undefined;
    const roles: SectionRole[] = [];
    const sections: SectionRow[] = [];
    // Index in the object of each section of the file.
    const first = columns.firstSection[file]!;
    const sectionOf: number[] = [];
    for (let section = first; section < columns.firstSection[file + 1]!; section++) {
      const role = roleOf(columns, section, indexOf, isWhole);
      sectionOf.push(role === undefined ? -1 : roles.push(role) - 1);
      if (role !== undefined) sections.push(section);
    }
    const object: OrderedObject = {
      symbols: rows.map((row) => {
        const place = columns.sectionOf[row]!;
        return symbolOf(columns, row, place < 0 ? -1 : sectionOf[place - first]!, columns.firstModule[file]!);
      }),
      sections: roles.map((role, i) => ({
        role,
        relocations:
          isWhole || role.kind === "text" ? namedIn(columns, file, sections[i]!, indexOf, isWhole) : NO_RELOCATIONS,
        ...(isWhole && role.kind === "text" ? { data: bytesOf(columns, file, sections[i]!) } : {}),
      })),
      modules: { length: columns.firstModule[file + 1]! - columns.firstModule[file]! },
      ...facts(file),
    };
    return { object, rows, sections };
  };
}

const NO_ADDRESSES: Pick<OrderedObject, "addressTaken" | "codeProperties"> = { addressTaken: [], codeProperties: [] };
const NO_RELOCATIONS: readonly { readonly symbol: number }[] = [];

/** Addresses of functions in objects, by file. `indexOf`: the object's index of each symbol of the requested file. */
function addressFacts(
  { addressTaken, addressUses, indirectCalls, strings, firstSymbol }: Columns,
  indexOf: Int32Array,
): (file: number) => Pick<OrderedObject, "addressTaken" | "codeProperties"> {
  const fileOf = rowFinder(firstSymbol);
  const byFile = (rows: readonly SymbolRow[], step: number) => {
    const places = new Map<number, number[]>();
    for (let i = 0; i < rows.length; i += step) listIn(places, fileOf(rows[i]!)).push(i);
    return (file: number): readonly number[] => places.get(file) ?? [];
  };
  const [takenIn, callsIn, usesIn] = [byFile(addressTaken, 1), byFile(indirectCalls, 2), byFile(addressUses, 2)];
  return (file) => {
    const codeProperties = new Map<number, Draft>();
    const factsOf = (row: SymbolRow): Draft => {
      const symbol = indexOf[row]!;
      const known = codeProperties.get(symbol) ?? { ...NO_CODE_PROPERTIES, symbol, indirectCalls: [], addressUses: [] };
      codeProperties.set(symbol, known);
      return known;
    };
    for (const i of callsIn(file))
      factsOf(indirectCalls[i]!).indirectCalls.push(stringOf(strings, indirectCalls[i + 1]!));
    for (const i of usesIn(file)) factsOf(addressUses[i]!).addressUses.push(indexOf[addressUses[i + 1]!]!);
    return {
      addressTaken: takenIn(file).map((i) => indexOf[addressTaken[i]!]!),
      codeProperties: inSymbolOrder([...codeProperties.values()]),
    };
  };
}

interface Draft extends CodeProperties {
  readonly indirectCalls: string[];
  readonly addressUses: number[];
}

function bytesOf({ files, contentsAt, size }: Columns, file: number, section: SectionRow): Uint8Array {
  return files[file]!.bytes.subarray(contentsAt[section], contentsAt[section]! + size[section]!);
}

const dataRoles = {
  [ROLE.global]: "global",
  [ROLE.globalInit]: "global-init",
  [ROLE.constant]: "constant",
  [ROLE.local]: "local",
} as const;

/** The role of a section; undefined for data sections, unless they are requested. */
function roleOf(
  { role, owner }: Columns,
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

const UNDEFINED: Placement = { kind: "undefined" };

/** `section`: the object's section of the symbol, if any; `first`: the file's first module. */
function symbolOf(columns: Columns, row: SymbolRow, section: number, first: number): OrderedSymbol {
  const { sectionOf, name, offset, module, types, typeId, flags } = columns;
  const common = {
    name: String(name[row]!),
    linkage: LINKAGES[linkageOf(columns, row)] ?? "extern",
    placement: sectionOf[row]! < 0 ? UNDEFINED : ({ kind: "section", section, offset: offset[row]! } as const),
    origin: { module: module[row]! - first, line: 0 },
  };
  if (isFunction(columns, row)) return { kind: "function", ...common, entry: isEntry(columns, row) };
  if (isReference(columns, row)) return { kind: "reference", ...common };
  const scope = (flags[row]! & HAS_SCOPE) === 0 ? undefined : String(scopeOfType(types, typeId[row]!));
  return {
    kind: "variable",
    ...common,
    space: SPACES[spaceOf(columns, row)]!,
    layout: { size: sizeOfType(types, typeId[row]!) },
    ...(scope === undefined ? {} : { scope }),
  };
}

/** The object's symbols in a section's relocations, in the order of its runs. */
function namedIn(columns: Columns, file: number, section: SectionRow, indexOf: Int32Array, wantsAll: boolean) {
  const found: { readonly symbol: number; readonly offset: number }[] = [];
  const ranges = columns.keptRanges.get(section);
  forEachRelocation(columns, file, section, (before, row) => {
    const offset = offsetIn(ranges, before);
    if (offset >= 0 && (wantsAll || isSharedVariable(columns, row))) found.push({ symbol: indexOf[row]!, offset });
  });
  return found;
}
