// What each symbol slot of a function refers to: by its relocation, and where the linker has resolved that (constant and
// shared offsets of an image), by the variable that stands at the offset which it wrote. In shared memory one offset means
// different variables to different kernels, so those that can reach the function are asked.

import type { ObjectFile, Section, VariableSymbol } from "./object.js";
import type { SymbolText } from "./print-code.js";
import type { StoredSlot } from "./slots.js";

export interface SlotTarget {
  /** Index into ObjectFile.symbols; undefined when nothing is known to stand there. */
  readonly symbol: number | undefined;
  /** Bytes from the symbol's start; without a symbol, the offset that the slot holds. */
  readonly offset: bigint;
}

/** The targets of the slots of the function in `section`, in their order. */
export type SlotResolver = (section: Section, slots: readonly StoredSlot[]) => readonly SlotTarget[];

/** How a target is written, given what symbols are called. */
export function slotText(target: SlotTarget, nameOf: (symbol: number) => string): SymbolText {
  if (target.symbol === undefined) return { name: String(target.offset), offset: 0n };
  return { name: nameOf(target.symbol), offset: target.offset };
}

/** Makes the resolver of an object; its tables are made once, in time linear in the object but for sorting. */
export function slotResolver(object: ObjectFile): SlotResolver {
  const find = variableFinder(object);
  const kernelsOf = kernelFinder(object);
  const sharedOf = new Map(
    object.sections.flatMap(({ role }, i) => (role.kind === "shared" ? [[role.symbol, i]] : [])),
  );
  const sectionsOf = (kind: "constant" | "shared-module" | "local"): readonly number[] =>
    object.sections.flatMap(({ role }, i) => (role.kind === kind ? [i] : []));
  const [constants, common, local] = [sectionsOf("constant"), sectionsOf("shared-module"), sectionsOf("local")];
  const dynamic = object.symbols.findIndex(
    (symbol) => symbol.kind === "variable" && symbol.space === "shared" && symbol.placement.kind === "undefined",
  );

  return (section, slots) => {
    const relocations = new Map(section.relocations.map((relocation) => [relocation.offset, relocation]));
    const owner = "symbol" in section.role ? section.role.symbol : -1;
    return slots.map(({ offset, space, word }): SlotTarget => {
      const relocation = relocations.get(offset);
      if (relocation !== undefined) return { symbol: relocation.symbol, offset: relocation.addend };
      const unknown = { symbol: undefined, offset: word };
      if (space === "const") return find(constants, owner, word) ?? unknown;
      if (space === "local") return find(local, owner, word) ?? unknown;
      if (space !== "shared") return unknown;
      const own = kernelsOf(owner).flatMap((kernel) => sharedOf.get(kernel) ?? []);
      // Behind all static variables begins dynamic shared memory, whatever it is called.
      return find([...common, ...own], owner, word) ?? (dynamic < 0 ? unknown : { symbol: dynamic, offset: 0n });
    });
  };
}

interface Extent {
  readonly symbol: number;
  readonly start: number;
  readonly end: number;
}

/** Finds the variable at an offset of one of some sections; those of other functions than `owner` cannot be named. */
function variableFinder(object: ObjectFile) {
  const bySection = new Map<number, Extent[]>();
  object.symbols.forEach((symbol, i) => {
    if (symbol.kind !== "variable" || symbol.placement.kind !== "section" || symbol.alias === true) return;
    const { section, offset } = symbol.placement;
    const extents = bySection.get(section) ?? [];
    bySection.set(section, extents);
    extents.push({ symbol: i, start: offset, end: offset + Math.max(symbol.layout.size, 1) });
  });
  for (const extents of bySection.values()) extents.sort((a, b) => a.start - b.start);

  return (sections: readonly number[], owner: number, word: bigint): SlotTarget | undefined => {
    const ownerName = object.symbols[owner]?.name;
    for (const section of sections) {
      const extent = lastAtOrBefore(bySection.get(section) ?? [], Number(word));
      if (extent === undefined || Number(word) >= extent.end) continue;
      const { scope } = object.symbols[extent.symbol] as VariableSymbol;
      if (scope === undefined || scope === ownerName)
        return { symbol: extent.symbol, offset: word - BigInt(extent.start) };
    }
    return undefined;
  };
}

function lastAtOrBefore(extents: readonly Extent[], offset: number): Extent | undefined {
  let [low, high] = [0, extents.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (extents[middle]!.start <= offset) low = middle + 1;
    else high = middle;
  }
  return extents[low - 1];
}

/** The kernels from which a function can be reached; a function whose address is taken, from all. */
function kernelFinder(object: ObjectFile): (symbol: number) => readonly number[] {
  const callers = new Map<number, number[]>();
  for (const { caller, callee } of object.calls) {
    const list = callers.get(callee);
    if (list === undefined) callers.set(callee, [caller]);
    else list.push(caller);
  }
  const taken = new Set(object.addressTaken);
  const all = object.kernels.map(({ symbol }) => symbol);
  const isKernel = new Set(all);
  return (symbol) => {
    const seen = new Set([symbol]);
    for (const reached of seen) {
      if (taken.has(reached) && !isKernel.has(reached)) return all;
      for (const caller of callers.get(reached) ?? []) seen.add(caller);
    }
    return [...seen].filter((reached) => isKernel.has(reached));
  };
}
