// The offsets of variables: for each data section its variables by offset. For ptxkit's files, declarations add types and
// modules. Linked machine code has no symbols for shared variables: those sections show their size only.

import { ET, EM, SHN, STT, symbolBindingName, type ElfSection } from "../../../formats/elf/index.js";
import { knownSection } from "../../../formats/cuda/index.js";
import { typeText } from "../../check/symbols.js";
import type { ObjectFile, VariableSymbol } from "../../object/object.js";
import { roleShape } from "../../object/section-shape.js";
import type { Demangle } from "../context/demangler.js";
import type { ElfContext } from "../context/elf-context.js";
import { purposeOf } from "./sections.js";

export interface PlacedVariable {
  readonly name: string;
  readonly demangled?: string;
  /** Byte offset in the section; absent before the linker has assigned it (shared variables of an object). */
  readonly offset?: number;
  /** Bytes. */
  readonly size: number;
  readonly align?: number;
  readonly linkage: string;
  /** The type in PTX. */
  readonly type?: string;
  /** The module of the variable, and the line there. */
  readonly file?: string;
  readonly line?: number;
}

export interface MemoryView {
  readonly section: string;
  readonly description?: string;
  /** The function that owns the memory. */
  readonly function?: string;
  /** Bytes. */
  readonly size: number;
  readonly align: number;
  readonly variables: readonly PlacedVariable[];
}

export interface LayoutView {
  readonly memories: readonly MemoryView[];
  /** Variables that the linker allocates (.common), and variables defined elsewhere. */
  readonly common: readonly PlacedVariable[];
  readonly undefined: readonly PlacedVariable[];
}

const VARIABLE_TYPES: ReadonlySet<number> = new Set([STT.OBJECT, STT.COMMON, STT.CUDA_OBJECT]);

export function layoutView(context: ElfContext): LayoutView {
  const { header, sections } = context.file;
  const common: PlacedVariable[] = [];
  const missing: PlacedVariable[] = [];
  const placed = new Map<number, PlacedVariable[]>();
  const table = context.symbols(context.tableFor(0));
  for (let i = 1; i < (table?.count ?? 0); i++) {
    if (!VARIABLE_TYPES.has(table!.type(i))) continue;
    if (!context.budget.spend(300 + 2 * table!.name(i).length)) break;
    const { name, demangled } = context.symbol(table!.section.index, i);
    const section = sections[table!.sectionIndex(i)];
    const value = table!.value(i);
    const variable = {
      name,
      ...(demangled === undefined ? {} : { demangled }),
      size: table!.size(i),
      linkage: symbolBindingName(table!.binding(i))?.slice("STB_".length).toLowerCase() ?? "unknown",
    };
    if (table!.special(i) === SHN.COMMON) common.push({ ...variable, align: value });
    else if (section === undefined || section.index === 0) missing.push(variable);
    else {
      // Symbol values are addresses in host images, otherwise offsets.
      const base = header.machine !== EM.CUDA && header.type !== ET.REL ? Number(section.address) : 0;
      const isUnplaced = header.type === ET.REL && isShared(section);
      const list = placed.get(section.index) ?? [];
      list.push({ ...variable, ...(isUnplaced ? { align: value } : { offset: value - base }) });
      placed.set(section.index, list);
    }
  }
  const memories = sections.flatMap((section): readonly MemoryView[] => {
    const { group, description, function: owner } = purposeOf(header.machine, section);
    const role = header.machine === EM.CUDA ? knownSection(section.name)?.facts.role : undefined;
    const variables = placed.get(section.index) ?? [];
    const isData = header.machine === EM.CUDA ? group === "data" && role !== "parameters" : variables.length > 0;
    if (!isData) return [];
    return [
      {
        section: section.name,
        ...(description === undefined ? {} : { description }),
        ...(owner === undefined ? {} : { function: owner }),
        size: section.size,
        align: section.addralign,
        variables: variables.sort((a, b) => (a.offset ?? 0) - (b.offset ?? 0)),
      },
    ];
  });
  return { memories, common, undefined: missing };
}

function isShared(section: ElfSection): boolean {
  const role = knownSection(section.name)?.facts.role;
  return role === "shared" || role === "module-shared";
}

/** The layout of a ptxkit file. */
export function ownLayoutView(object: ObjectFile, demangle: Demangle): LayoutView {
  const variables = object.symbols.filter((symbol) => symbol.kind === "variable");
  const view = (symbol: VariableSymbol): PlacedVariable => placedVariable(object, symbol, demangle);
  const bySection = new Map<number, PlacedVariable[]>();
  for (const symbol of variables) {
    if (symbol.placement.kind !== "section") continue;
    const list = bySection.get(symbol.placement.section) ?? [];
    list.push(view(symbol));
    bySection.set(symbol.placement.section, list);
  }
  return {
    memories: object.sections.flatMap(({ role, size, align }, index): readonly MemoryView[] => {
      if (role.kind === "text") return [];
      const placed = bySection.get(index) ?? [];
      return [
        {
          section: roleShape(role, object).name,
          ...(role.kind === "shared" ? { function: object.symbols[role.symbol]!.name } : {}),
          size,
          align,
          variables: placed.sort((a, b) => (a.offset ?? 0) - (b.offset ?? 0)),
        },
      ];
    }),
    common: variables.filter(({ placement }) => placement.kind === "common").map(view),
    undefined: variables
      .filter(({ placement, aliasOf }) => placement.kind === "undefined" && aliasOf === undefined)
      .map(view),
  };
}

function placedVariable(object: ObjectFile, symbol: VariableSymbol, demangle: Demangle): PlacedVariable {
  const { name, linkage, layout, origin, placement, space } = symbol;
  const demangled = demangle(name);
  const module = object.modules[origin.module];
  const isPlaced = placement.kind === "section" && (object.type === "executable" || space !== "shared");
  return {
    name,
    ...(demangled === undefined ? {} : { demangled }),
    ...(isPlaced ? { offset: placement.offset } : {}),
    size: layout.size,
    align: layout.align,
    linkage,
    type: typeText(layout),
    ...(module === undefined ? {} : { file: module.name, line: origin.line }),
  };
}
