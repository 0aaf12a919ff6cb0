// The symbol tables. System V ABI, "Symbol Table"; types 10 to 13 and the upper bits of st_other: formats/elf, under EM_CUDA.

import {
  EM,
  SPECIAL_SECTIONS,
  symbolBindingName,
  SYMBOL_OTHER_BITS,
  symbolTypeName,
  symbolVisibilityName,
  type ElfSection,
  type SymbolTable,
} from "../../../formats/elf/index.js";
import { namesOf } from "../../../formats/bytes/named.js";
import type { ElfContext } from "../context/elf-context.js";
import { flagsOf, named, wide, type Flags, type Named, type Wide } from "../context/values.js";

/** The location of a symbol: a section, or one of the reserved indices (undefined, absolute, common). */
export type SymbolSection =
  | { readonly kind: "section"; readonly index: number; readonly name: string }
  | { readonly kind: "special"; readonly special: Named };

export interface SymbolView {
  readonly index: number;
  readonly name: string;
  readonly demangled?: string;
  readonly type: Named;
  readonly binding: Named;
  readonly visibility: Named;
  /** The CUDA bits of st_other; empty in files of other machines. */
  readonly other: Flags;
  readonly section: SymbolSection;
  /** st_value: in a cubin the byte offset in the section; for a common symbol the alignment. */
  readonly value: Wide;
  /** Bytes. */
  readonly size: number;
}

export interface SymbolTableView {
  readonly section: { readonly index: number; readonly name: string };
  /** Number of symbols, including the null symbol. */
  readonly count: number;
  /** Symbols without the null symbol; fewer if the file describes more than an inspection may show. */
  readonly symbols: readonly SymbolView[];
}

const specialName = namesOf(SPECIAL_SECTIONS);

export function symbolTableViews(context: ElfContext): readonly SymbolTableView[] {
  return context.file.sections.flatMap((section) => {
    const table = context.symbols(section.index);
    return table === undefined ? [] : [tableView(context, section, table)];
  });
}

function tableView(context: ElfContext, { index, name }: ElfSection, table: SymbolTable): SymbolTableView {
  const symbols: SymbolView[] = [];
  for (let i = 1; i < table.count; i++) {
    const view = symbolView(context, table, i);
    if (!context.budget.spend(600)) break;
    symbols.push(view);
  }
  return { section: { index, name }, count: table.count, symbols };
}

function symbolView(context: ElfContext, table: SymbolTable, index: number): SymbolView {
  const { file } = context;
  const { type, binding, other, size } = table.at(index);
  const isCuda = file.header.machine === EM.CUDA;
  const { name, ...readable } = context.symbol(table.section.index, index);
  return {
    index,
    name,
    ...("demangled" in readable ? { demangled: readable.demangled } : {}),
    type: named(isCuda || type < 10 ? symbolTypeName(type) : undefined, type),
    binding: named(symbolBindingName(binding), binding),
    visibility: named(symbolVisibilityName(other & 3), other & 3),
    other: flagsOf(isCuda ? SYMBOL_OTHER_BITS : [], other & ~3),
    section: sectionOf(context, table, index),
    value: wide(table.value64(index)),
    size,
  };
}

function sectionOf({ file }: ElfContext, table: SymbolTable, index: number): SymbolSection {
  const special = table.special(index);
  const section = table.sectionIndex(index);
  if (special !== 0 || section === 0) return { kind: "special", special: named(specialName(special), special) };
  return { kind: "section", index: section, name: file.sections[section]?.name ?? "" };
}
