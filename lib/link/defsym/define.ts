// Pass: --defsym NAME=BASE[+OFFSET] and NAME=ADDRESS, and aliases of variables in objects. ./defsym.ts resolves the definitions.
// This file redirects references in the columns before names are resolved, so that no later pass needs to know. Symbols are
// renamed, a place inside a variable is an offset per ELF symbol (../../object/columns/columns.ts), and a fixed address is
// written into a copy of the file's bytes. Loaded only for links with that option or such objects.

import { createSink } from "../../diag/sink.js";
import { type Use, settleDefinitions } from "./defsym.js";
import { meaningOf } from "../model/linked.js";
import type { AliasRow, DefinedSymbols } from "../image/aliases.js";
import { writeHolder, writtenValue } from "../../object/relocation-types.js";
import { addendAt, forEachRecord } from "../../object/columns/relocations.js";
import { aliasOfType, typeOfAliased, withLayoutOf } from "../../object/columns/types.js";
import { resolveNames } from "../resolve/resolve.js";
import {
  isVariableAlias,
  isVariable,
  LINKAGE,
  linkageOf,
  type SymbolRow,
  type Columns,
} from "../../object/columns/columns.js";
import { internString, stringOf, type StringId } from "../../object/columns/strings.js";
import { viewNamed } from "../views/views.js";
import type { SymbolDefinition } from "../model/symbol-definition.js";

/** `names`: of the files; `options`: the definitions of --defsym, which override aliases. */
export function defineSymbols(
  given: Columns,
  names: readonly string[],
  options: readonly SymbolDefinition[],
): DefinedSymbols {
  const { columns, definitions: ofObjects } = withoutAliases(given);
  const definitions = [...ofObjects, ...options];
  const before = { columns, resolution: resolveNames(columns) };
  const view = viewNamed(before, names);
  const find = (name: string): number | undefined => {
    // Strings that were added later are not names of these symbols.
    const row = before.resolution.byName[internString(columns.strings, name)] ?? -1;
    return row < 0 ? undefined : row;
  };
  const sink = createSink();
  const { uses, aliases, settled } = settleDefinitions({ ...view, find }, definitions, sink);
  const rowOf = ({ object, index }: { readonly object: number; readonly index: number }): SymbolRow =>
    columns.firstSymbol[object]! + index;
  const withRows = aliases.map(({ name, base, module, offset, declared: as }): AliasRow => {
    const own = find(name);
    const declared = own === undefined ? undefined : meaningOf(view.resolution, own).all[0];
    const isSized = declared?.symbol.kind === "variable" && declared.symbol.layout.size > 0;
    // Copy field by field: V8 makes a spread copy with more fields five times as large, and there may be very many.
    return {
      name,
      base,
      module,
      offset,
      declared: as,
      nameId: internString(columns.strings, name),
      baseId: internString(columns.strings, base),
      moduleId: internString(columns.strings, module),
      typeId: isSized ? columns.typeId[rowOf(declared)]! : -1,
    };
  });
  return { columns: redirect(columns, uses, rowOf), aliases: withRows, settledNames: settled, found: sink.all };
}

/** The aliases in objects as definitions, and columns in which they are declarations. */
function withoutAliases(columns: Columns): {
  readonly columns: Columns;
  readonly definitions: readonly SymbolDefinition[];
} {
  if (columns.featureCounts.aliases === 0) return { columns, definitions: [] };
  const { strings, types, modules, moduleStart } = columns;
  const [code, typeId] = [columns.code.slice(), columns.typeId.slice()];
  const definitions: SymbolDefinition[] = [];
  for (let row = 0; row < columns.firstSymbol.at(-1)!; row++) {
    if (!isVariableAlias(columns, row)) continue;
    const [base, offset] = aliasOfType(types, typeId[row]!);
    definitions.push({
      name: stringOf(strings, columns.name[row]!),
      base: stringOf(strings, base),
      offset: BigInt(offset),
      module: stringOf(strings, -modules[moduleStart[columns.module[row]!]!]! - 1),
      isWeak: linkageOf(columns, row) === LINKAGE.weak,
    });
    code[row] = LINKAGE.extern;
    typeId[row] = typeOfAliased(types, typeId[row]!);
  }
  return { columns: { ...columns, code, typeId }, definitions };
}

function redirect(
  columns: Columns,
  uses: ReadonlyMap<string, Use>,
  rowOf: (contribution: Extract<Use, { readonly kind: "symbol" }>["base"]) => SymbolRow,
): Columns {
  const byText = new Map<StringId, Use>();
  for (const [name, use] of uses) byText.set(internString(columns.strings, name), use);
  const [name, typeId, flags] = [columns.name.slice(), columns.typeId.slice(), columns.flags.slice()];
  const symbolOf = columns.symbolOf.slice();
  const addresses = new Map<number, bigint>();
  const shifts = new Map<number, number>();
  for (let elf = 0; elf < columns.firstElfSymbol.at(-1)!; elf++) {
    const row = columns.symbolOf[elf]!;
    const use = row < 0 || linkageOf(columns, row) === LINKAGE.static ? undefined : byText.get(columns.name[row]!);
    if (use === undefined) continue;
    if (use.kind === "address") {
      addresses.set(elf, use.address);
      symbolOf[elf] = -1;
      continue;
    }
    const base = rowOf(use.base);
    name[row] = internString(columns.strings, use.name);
    if (use.offset !== 0n) shifts.set(elf, Number(use.offset));
    if (!isVariable(columns, row) || !isVariable(columns, base)) continue;
    typeId[row] = withLayoutOf(columns.types, columns.typeId[row]!, columns.typeId[base]!);
    flags[row] = (columns.flags[row]! & ~IS_MANAGED) | (columns.flags[base]! & IS_MANAGED);
  }
  return { ...columns, files: withAddresses(columns, addresses), name, typeId, flags, symbolOf, shifts };
}

const IS_MANAGED = 1;

/** The files with fixed addresses stored in their bytes. `addresses`: by ELF symbol. */
function withAddresses(columns: Columns, addresses: ReadonlyMap<number, bigint>): Columns["files"] {
  if (addresses.size === 0) return columns.files;
  return columns.files.map((file, i) => {
    const first = columns.firstElfSymbol[i]!;
    let written: Uint8Array | undefined;
    for (let section = columns.firstSection[i]!; section < columns.firstSection[i + 1]!; section++)
      forEachRecord(columns, i, section, (at, code) => {
        const { words } = file;
        const address = addresses.get(first + words[at + 3]!);
        if (address === undefined) return;
        const value = address + ((code & 1) !== 0 ? addendAt(words, at + 4) : 0n);
        written ??= new Uint8Array(file.bytes);
        writeHolder(written, columns.contentsAt[section]! + words[at]!, code >> 1, writtenValue(words[at + 2]!, value));
      });
    return written === undefined ? file : { ...file, bytes: written };
  });
}
