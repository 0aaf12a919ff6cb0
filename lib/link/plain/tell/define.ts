// Pass: --defsym NAME=BASE[+OFFSET] and NAME=ADDRESS, and aliases of variables in objects. ../../names/defsym.ts resolves the definitions. Here references are
// redirected in the columns, before names are resolved, so that no later pass knows of them: symbols are renamed, a place inside
// a variable is an offset by ELF symbol (../tables/tables.ts), and a fixed address is written into a copy of the file's bytes.
// Loaded only for links with that option or such objects.

import { createSink } from "../../../diag/sink.js";
import { settleDefinitions, type SymbolDefinition, type Use } from "../../names/defsym.js";
import { meaningOf } from "../../linked.js";
import type { PlainAlias, PlainDefined } from "../image/aliases.js";
import { writeHolder, writtenValue } from "../../../object/relocation-types.js";
import { addendAt, forEachRecord } from "../tables/references.js";
import { aliasOfShape, shapeOfAliased, withLayoutOf } from "../tables/shapes.js";
import { resolvePlain } from "../names/resolve.js";
import { isAlias, isVariable, LINKAGE, linkageOf, type SymbolRow, type Tables } from "../tables/tables.js";
import { internText, textOf, type TextId } from "../tables/texts.js";
import { viewNamed } from "./view.js";

/** `names`: of the files; `options`: what --defsym says, which wins. */
export function definePlain(
  given: Tables,
  names: readonly string[],
  options: readonly SymbolDefinition[],
): PlainDefined {
  const { tables, definitions: ofObjects } = withoutAliases(given);
  const definitions = [...ofObjects, ...options];
  const before = { tables, resolution: resolvePlain(tables) };
  const view = viewNamed(before, names);
  const find = (name: string): number | undefined => {
    // A text that is new is none of theirs.
    const row = before.resolution.byName[internText(tables.texts, name)] ?? -1;
    return row < 0 ? undefined : row;
  };
  const sink = createSink();
  const { uses, aliases, settled } = settleDefinitions({ ...view, find }, definitions, sink);
  const rowOf = ({ object, index }: { readonly object: number; readonly index: number }): SymbolRow =>
    tables.firstSymbol[object]! + index;
  const withRows = aliases.map(({ name, base, module, offset, declared: as }): PlainAlias => {
    const own = find(name);
    const declared = own === undefined ? undefined : meaningOf(view.resolution, own).all[0];
    const isSized = declared?.symbol.kind === "variable" && declared.symbol.layout.size > 0;
    // Field by field: V8 makes a copy with more fields five times as large, and there may be very many.
    return {
      name,
      base,
      module,
      offset,
      declared: as,
      nameText: internText(tables.texts, name),
      baseText: internText(tables.texts, base),
      moduleText: internText(tables.texts, module),
      shape: isSized ? tables.shape[rowOf(declared)]! : -1,
    };
  });
  return { tables: redirect(tables, uses, rowOf), aliases: withRows, settled, found: sink.all };
}

/** The definitions that aliases in objects are, and tables in which they are declarations. */
function withoutAliases(tables: Tables): {
  readonly tables: Tables;
  readonly definitions: readonly SymbolDefinition[];
} {
  if (tables.rare.aliases === 0) return { tables, definitions: [] };
  const { texts, shapes, modules, moduleStart } = tables;
  const [code, shape] = [tables.code.slice(), tables.shape.slice()];
  const definitions: SymbolDefinition[] = [];
  for (let row = 0; row < tables.firstSymbol.at(-1)!; row++) {
    if (!isAlias(tables, row)) continue;
    const [base, offset] = aliasOfShape(shapes, shape[row]!);
    definitions.push({
      name: textOf(texts, tables.name[row]!),
      base: textOf(texts, base),
      offset: BigInt(offset),
      module: textOf(texts, -modules[moduleStart[tables.module[row]!]!]! - 1),
      isWeak: linkageOf(tables, row) === LINKAGE.weak,
    });
    code[row] = LINKAGE.extern;
    shape[row] = shapeOfAliased(shapes, shape[row]!);
  }
  return { tables: { ...tables, code, shape }, definitions };
}

function redirect(
  tables: Tables,
  uses: ReadonlyMap<string, Use>,
  rowOf: (contribution: Extract<Use, { readonly kind: "symbol" }>["base"]) => SymbolRow,
): Tables {
  const byText = new Map<TextId, Use>();
  for (const [name, use] of uses) byText.set(internText(tables.texts, name), use);
  const [name, shape, flags] = [tables.name.slice(), tables.shape.slice(), tables.flags.slice()];
  const symbolOf = tables.symbolOf.slice();
  const addresses = new Map<number, bigint>();
  const shifts = new Map<number, number>();
  for (let elf = 0; elf < tables.firstElf.at(-1)!; elf++) {
    const row = tables.symbolOf[elf]!;
    const use = row < 0 || linkageOf(tables, row) === LINKAGE.static ? undefined : byText.get(tables.name[row]!);
    if (use === undefined) continue;
    if (use.kind === "address") {
      addresses.set(elf, use.address);
      symbolOf[elf] = -1;
      continue;
    }
    const base = rowOf(use.base);
    name[row] = internText(tables.texts, use.name);
    if (use.offset !== 0n) shifts.set(elf, Number(use.offset));
    if (!isVariable(tables, row) || !isVariable(tables, base)) continue;
    shape[row] = withLayoutOf(tables.shapes, tables.shape[row]!, tables.shape[base]!);
    flags[row] = (tables.flags[row]! & ~IS_MANAGED) | (tables.flags[base]! & IS_MANAGED);
  }
  return { ...tables, files: withAddresses(tables, addresses), name, shape, flags, symbolOf, shifts };
}

const IS_MANAGED = 1;

/** The files with fixed addresses in their bytes. `addresses`: by ELF symbol. */
function withAddresses(tables: Tables, addresses: ReadonlyMap<number, bigint>): Tables["files"] {
  if (addresses.size === 0) return tables.files;
  return tables.files.map((file, i) => {
    const first = tables.firstElf[i]!;
    let written: Uint8Array | undefined;
    for (let section = tables.firstSection[i]!; section < tables.firstSection[i + 1]!; section++)
      forEachRecord(tables, i, section, (at, code) => {
        const { words } = file;
        const address = addresses.get(first + words[at + 3]!);
        if (address === undefined) return;
        const value = address + ((code & 1) !== 0 ? addendAt(words, at + 4) : 0n);
        written ??= new Uint8Array(file.bytes);
        writeHolder(written, tables.at[section]! + words[at]!, code >> 1, writtenValue(words[at + 2]!, value));
      });
    return written === undefined ? file : { ...file, bytes: written };
  });
}
