// Lays out the sections of one module's object like `ptxas -c` (docs/format.md; every rule was observed in its output): the
// section of each variable, the order, the bytes and the relocations.

import { R_CUDA } from "../../formats/cuda/index.js";
import type { CheckedModule, Fixup, ModuleSymbol, Variable } from "../check/module.js";
import type { EncodedFunction } from "./code/encode.js";
import { fixupType } from "./relocation-types.js";
import type { Placement, Relocation, Section, SectionRole } from "./object.js";
import { place } from "./place.js";

/** Maps the module's symbol numbers to the object's. */
export type Renumber = (symbol: number) => number;

/** A variable (or array of references) before it is placed, with its index among the module's symbols. */
interface Item {
  readonly index: number;
  readonly variable: Variable;
  readonly align: number;
  readonly size: number;
}

/** Sections by role, in the order of NVIDIA's files. */
const sectionOrder = ["constant", "text", "global-init", "shared-module", "global", "shared", "local"] as const;

export interface LaidOut {
  readonly sections: readonly Section[];
  /** By symbol; undefined for symbols without a place in a section. */
  readonly placements: readonly (Placement | undefined)[];
}

/** The code of the module's function `symbol`. */
export interface NumberedFunction extends EncodedFunction {
  readonly symbol: number;
}

/** `functions`: in the order of their symbols; `kept`: the symbols of the object. */
export function layOut(
  module: CheckedModule,
  symbols: readonly ModuleSymbol[],
  kept: readonly number[],
  functions: readonly NumberedFunction[],
  at: Renumber,
): LaidOut {
  const sections: Section[] = [];
  const placements: (Placement | undefined)[] = new Array<undefined>(symbols.length).fill(undefined);
  const groups = groupVariables(symbols, kept, at);
  for (let i = 0; i < sectionOrder.length; i++) {
    const kind = sectionOrder[i]!;
    if (kind === "text") addTexts(functions, sections, placements, at);
    else addData(module, symbols, kind, groups, sections, placements, at);
  }
  return { sections, placements };
}

function addTexts(
  functions: readonly NumberedFunction[],
  sections: Section[],
  placements: (Placement | undefined)[],
  at: Renumber,
): void {
  for (let i = 0; i < functions.length; i++) {
    const { symbol } = functions[i]!;
    placements[symbol] = { kind: "section", section: sections.length, offset: 0 };
    sections.push(textSection(functions[i]!, at(symbol), at));
  }
}

function addData(
  module: CheckedModule,
  symbols: readonly ModuleSymbol[],
  kind: SectionRole["kind"],
  groups: readonly Group[],
  sections: Section[],
  placements: (Placement | undefined)[],
  at: Renumber,
): void {
  for (let i = 0; i < groups.length; i++)
    if (groups[i]!.role.kind === kind)
      sections.push(dataSection(module, symbols, groups[i]!, sections.length, placements, at));
}

function textSection({ bytes, slots }: EncodedFunction, symbol: number, at: Renumber): Section {
  const relocations: Relocation[] = [];
  for (let i = 0; i < slots.length; i++) {
    const { offset, symbol: of } = slots[i]!;
    relocations.push({ offset, type: R_CUDA["64"], symbol: at(of), addend: 0n, width: 8 });
  }
  return { role: { kind: "text", symbol }, align: 128, size: bytes.length, data: bytes, relocations };
}

/** The section number `index` with the variables of a group; stores their places in `placements`. */
function dataSection(
  module: CheckedModule,
  symbols: readonly ModuleSymbol[],
  { role, items }: Group,
  section: number,
  placements: (Placement | undefined)[],
  at: Renumber,
): Section {
  const { offsets, size, align } = place(items);
  const isShared = role.kind === "shared" || role.kind === "shared-module";
  for (let i = 0; i < items.length; i++)
    placements[items[i]!.index] = { kind: "section", section, offset: isShared ? 0 : offsets[i]! };
  const relocations = fixups(module, symbols, items, offsets, at);
  const hasBytes = role.kind === "global-init" || role.kind === "constant";
  return hasBytes
    ? { role, align, size, data: initialBytes(items, offsets, size), relocations }
    : { role, align, size, relocations };
}

// ----------------------------------------------------------------------------------------------------- variables and data

interface Group {
  readonly role: SectionRole;
  readonly items: Item[];
}

/** State while variables are grouped. */
interface Grouping {
  readonly symbols: readonly ModuleSymbol[];
  readonly kept: readonly number[];
  readonly at: Renumber;
  /** In order of creation. */
  readonly groups: Group[];
  /** The group for each kind of section. `ofKernel`: the group of each kernel's own variables. */
  readonly ofKind: Map<SectionRole["kind"], Group>;
  readonly ofKernel: Map<number, Group>;
  /** Kernels by name; made by the first lookup. */
  kernels: ReadonlyMap<string, number> | undefined;
}

/**
 * The variables of each section in the order that placement expects: non-static ones in order of declaration, then static ones.
 */
function groupVariables(symbols: readonly ModuleSymbol[], kept: readonly number[], at: Renumber): readonly Group[] {
  const groups: Group[] = [];
  const grouping = { symbols, kept, at, groups, ofKind: new Map(), ofKernel: new Map(), kernels: undefined };
  addToGroups(grouping, false);
  addToGroups(grouping, true);
  return groups;
}

function addToGroups(grouping: Grouping, areStatic: boolean): void {
  const { symbols, kept } = grouping;
  for (let i = 0; i < kept.length; i++) {
    const symbol = symbols[kept[i]!]!;
    if (symbol.kind === "variable" && (symbol.linkage === "static") === areStatic && isPlaced(symbol))
      groupOf(grouping, symbol).items.push(itemOf(symbol, kept[i]!));
  }
}

const itemOf = (variable: Variable, index: number): Item => ({
  index,
  variable,
  align: variable.layout.align,
  size: variable.layout.size,
});

function groupOf(grouping: Grouping, variable: Variable): Group {
  const { groups, ofKind, ofKernel, at } = grouping;
  const kernel = variable.space === "shared" ? kernelOf(grouping, variable.scope) : undefined;
  if (kernel !== undefined) {
    const symbol = at(kernel);
    return ofKernel.get(symbol) ?? begin(groups, ofKernel, symbol, { kind: "shared", symbol });
  }
  const kind = kindOf(variable);
  return ofKind.get(kind) ?? begin(groups, ofKind, kind, { kind });
}

function begin<Key>(groups: Group[], known: Map<Key, Group>, key: Key, role: SectionRole): Group {
  const group: Group = { role, items: [] };
  known.set(key, group);
  groups.push(group);
  return group;
}

/** The kernel of that name. */
function kernelOf(grouping: Grouping, name: string | undefined): number | undefined {
  if (name === undefined) return undefined;
  grouping.kernels ??= kernelsByName(grouping);
  return grouping.kernels.get(name);
}

function kernelsByName({ symbols, kept }: Grouping): ReadonlyMap<string, number> {
  const kernels = new Map<string, number>();
  for (const index of kept) {
    const symbol = symbols[index]!;
    if (symbol.kind === "function" && symbol.entry) kernels.set(symbol.name, index);
  }
  return kernels;
}

/** Whether the variable has a place in a section: it is neither .extern nor a tentative definition. */
function isPlaced({ linkage, initial }: Variable): boolean {
  return linkage !== "extern" && (linkage !== "common" || initial !== undefined);
}

/** The section for variables that are not a kernel's own: shared variables of device functions are placed with the module's. */
function kindOf({ space, initial }: Variable): Exclude<SectionRole["kind"], "text" | "shared"> {
  switch (space) {
    case "global":
      return initial === undefined ? "global" : "global-init";
    case "local":
    case "reg":
      return "local";
    case "shared":
      return "shared-module";
    default:
      return "constant";
  }
}

function initialBytes(items: readonly Item[], offsets: readonly number[], size: number): Uint8Array {
  const data = new Uint8Array(size);
  for (let i = 0; i < items.length; i++) {
    const { initial } = items[i]!.variable;
    if (initial !== undefined) data.set(initial.bytes, offsets[i]!);
  }
  return data;
}

/** The fix-ups of the variables, in order of declaration; those of each variable from last to first. */
function fixups(
  module: CheckedModule,
  symbols: readonly ModuleSymbol[],
  items: readonly Item[],
  offsets: readonly number[],
  at: Renumber,
): readonly Relocation[] {
  const relocations: Relocation[] = [];
  for (let i = 0; i < items.length; i++) {
    const fixups = items[i]!.variable.initial?.fixups ?? noFixups;
    for (let j = fixups.length - 1; j >= 0; j--) {
      const { offset, symbol, addend, width } = fixups[j]!;
      const type = fixupType(fixups[j]!, symbols[symbol]!, module);
      relocations.push({ offset: offsets[i]! + offset, type, symbol: at(symbol), addend, width });
    }
  }
  return relocations;
}

const noFixups: readonly Fixup[] = [];
