// The sections of one module's object, as `ptxas -c` lays them out (docs/format.md; every rule observed in its output): which
// section a variable stands in, in which order, with which bytes and relocations.

import { R_CUDA } from "../../formats/cuda/index.js";
import type { CheckedModule, Fixup, ModuleSymbol, Variable } from "../check/module.js";
import type { EncodedFunction } from "./encode.js";
import { fixupType } from "./fixup-type.js";
import type { Placement, Relocation, Section, SectionRole } from "./object.js";
import { place } from "./place.js";

/** Numbers of the module's symbols to those of the object's. */
export type Renumber = (symbol: number) => number;

/** A variable (or array of references) on its way into a section, with its index among the module's symbols. */
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
  /** By symbol; undefined for what has no place in a section. */
  readonly placements: readonly (Placement | undefined)[];
}

/** `parts` is the code of functions, by symbol; `kept` are the symbols that the object has. */
export function layOut(
  module: CheckedModule,
  symbols: readonly ModuleSymbol[],
  kept: readonly number[],
  parts: ReadonlyMap<number, EncodedFunction>,
  at: Renumber,
): LaidOut {
  const sections: Section[] = [];
  const placements: (Placement | undefined)[] = new Array<undefined>(symbols.length).fill(undefined);
  const groups = groupVariables(symbols, kept, at);
  for (const kind of sectionOrder) {
    if (kind !== "text") {
      for (const group of groups)
        if (group.role.kind === kind)
          sections.push(dataSection(module, symbols, group, sections.length, placements, at));
      continue;
    }
    for (const symbol of kept) {
      const part = parts.get(symbol);
      if (part === undefined) continue;
      placements[symbol] = { kind: "section", section: sections.length, offset: 0 };
      sections.push(textSection(part, at(symbol), at));
    }
  }
  return { sections, placements };
}

function textSection({ bytes, slots }: EncodedFunction, symbol: number, at: Renumber): Section {
  const relocations: Relocation[] = [];
  for (const { offset, symbol: of } of slots)
    relocations.push({ offset, type: R_CUDA["64"], symbol: at(of), addend: 0n, width: 8 });
  return { role: { kind: "text", symbol }, align: 128, size: bytes.length, data: bytes, relocations };
}

/** The section of that index with the variables of a group, whose places are noted in `placements`. */
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
  readonly items: readonly Item[];
}

/** The variables of each section in the order that placement takes: non-static ones as declared, then static ones. */
function groupVariables(symbols: readonly ModuleSymbol[], kept: readonly number[], at: Renumber): readonly Group[] {
  const kernels = new Map<string, number>();
  const shared: Item[] = [];
  const own: Item[] = [];
  for (const index of kept) {
    const symbol = symbols[index]!;
    if (symbol.kind === "function" && symbol.entry) kernels.set(symbol.name, index);
    if (symbol.kind !== "variable" || !isPlaced(symbol)) continue;
    const { align, size } = symbol.layout;
    (symbol.linkage === "static" ? own : shared).push({ index, variable: symbol, align, size });
  }
  const groups = new Map<SectionRole["kind"] | number, { readonly role: SectionRole; readonly items: Item[] }>();
  for (const item of shared.concat(own)) {
    const { variable } = item;
    const kernel = variable.scope === undefined ? undefined : kernels.get(variable.scope);
    const kind = roleOf(variable, kernel !== undefined);
    const key = kind === "shared" ? at(kernel!) : kind;
    const group = groups.get(key);
    if (group !== undefined) group.items.push(item);
    else groups.set(key, { role: kind === "shared" ? { kind, symbol: at(kernel!) } : { kind }, items: [item] });
  }
  return [...groups.values()];
}

/** Whether the variable has a place in a section: not .extern, and not a tentative definition. */
function isPlaced({ linkage, initial }: Variable): boolean {
  return linkage !== "extern" && (linkage !== "common" || initial !== undefined);
}

/** A kernel's own shared variables have a section of their own; those of device functions stand with the module's. */
function roleOf({ space, initial }: Variable, isKernels: boolean): Exclude<SectionRole["kind"], "text"> {
  switch (space) {
    case "global":
      return initial === undefined ? "global" : "global-init";
    case "local":
    case "reg":
      return "local";
    case "shared":
      return isKernels ? "shared" : "shared-module";
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

/** Variables in order of declaration, the fix-ups of each last to first. */
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
      const type = fixupType(fixups[j]!, symbols[symbol]!, module.target.sm);
      relocations.push({ offset: offsets[i]! + offset, type, symbol: at(symbol), addend, width });
    }
  }
  return relocations;
}

const noFixups: readonly Fixup[] = [];
