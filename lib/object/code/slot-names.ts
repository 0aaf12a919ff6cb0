// Finds the target of each symbol slot of a function: from its relocation, or, if the linker has resolved that (constant and
// shared offsets of an image), the variable at the offset in the slot. In shared memory one offset belongs to different variables
// in different kernels, so the kernels that can reach the function decide.

import type { ObjectFile, ObjectSymbol, Section, VariableSymbol } from "../object.js";
import type { SymbolText } from "../print/print-code.js";
import type { StoredSlot } from "./slots.js";

export interface SlotTarget {
  /** Index into ObjectFile.symbols; undefined if the slot's symbol is unknown. */
  readonly symbol: number | undefined;
  /** Bytes from the symbol's start; without a symbol, the offset in the slot. */
  readonly offset: bigint;
}

/** Finds the targets of the slots of the function in `section`, in order. */
export type SlotResolver = (section: Section, slots: readonly StoredSlot[]) => readonly SlotTarget[];

/** A target as text, given the names of symbols. */
export function slotText(target: SlotTarget, nameOf: (symbol: number) => string): SymbolText {
  if (target.symbol === undefined) return { name: String(target.offset), offset: 0n };
  return { name: nameOf(target.symbol), offset: target.offset };
}

/** Creates the resolver of an object. Its tables are made once, in linear time plus sorting. */
export function slotResolver(object: ObjectFile): SlotResolver {
  const find = variableFinder(object);
  const reachOf = reachFinder(object);
  const sharedOf = new Map(
    object.sections.flatMap(({ role }, i) => (role.kind === "shared" ? [[role.symbol, i]] : [])),
  );
  const dynamicFrom = new Map(object.kernels.map((kernel) => [kernel.symbol, BigInt(kernel.dynamicSharedOffset)]));
  const sectionsOf = (kind: "constant" | "shared-module" | "local"): readonly number[] =>
    object.sections.flatMap(({ role }, i) => (role.kind === kind ? [i] : []));
  const [constants, common, local] = [sectionsOf("constant"), sectionsOf("shared-module"), sectionsOf("local")];
  const dynamic = object.symbols.findIndex(
    (symbol) => symbol.kind === "variable" && symbol.space === "shared" && symbol.placement.kind === "undefined",
  );

  // Variables that several kernels reach are in the common section; those that one kernel reaches are in its own section and
  // share no byte with others of the kernel. Dynamic shared memory begins after all of them, under any name.
  const findShared = (owner: number, word: bigint): SlotTarget | undefined => {
    const { kernels, isCertain } = reachOf(owner);
    const behind: SlotTarget | undefined = dynamic < 0 ? undefined : { symbol: dynamic, offset: 0n };
    if (isCertain && behind !== undefined && kernels.some((kernel) => dynamicFrom.get(kernel) === word)) return behind;
    // A variable that no kernel reaches has the same place in every kernel that contains it.
    const own = (kernels.length > 0 ? kernels : [...sharedOf.keys()]).flatMap((kernel) => sharedOf.get(kernel) ?? []);
    const isOne = isCertain && kernels.length === 1;
    return find(isOne ? [...own, ...common] : [...common, ...own], owner, word) ?? behind;
  };

  return (section, slots) => {
    const relocations = new Map(section.relocations.map((relocation) => [relocation.offset, relocation]));
    const owner = "symbol" in section.role ? section.role.symbol : -1;
    return slots.map(({ offset, space, word }): SlotTarget => {
      const relocation = relocations.get(offset);
      if (relocation !== undefined) return { symbol: relocation.symbol, offset: relocation.addend };
      const unknown = { symbol: undefined, offset: word };
      if (space === "const") return find(constants, owner, word) ?? unknown;
      if (space === "local") return find(local, owner, word) ?? unknown;
      return space === "shared" ? (findShared(owner, word) ?? unknown) : unknown;
    });
  };
}

interface Extent {
  readonly symbol: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the variable that contains an offset in one of several sections, among those that the code of `owner` can name. Of
 * several variables with the same start, no two of which belong to one kernel, the largest is chosen, because it contains the
 * others.
 */
function variableFinder(object: ObjectFile) {
  const extentsOf = new Map<string, Extent[]>();
  object.symbols.forEach((symbol, i) => {
    if (symbol.kind !== "variable" || symbol.placement.kind !== "section" || symbol.alias === true) return;
    const { section, offset } = symbol.placement;
    const key = `${section} ${scopeOf(symbol)}`;
    const extents = extentsOf.get(key) ?? [];
    extentsOf.set(key, extents);
    extents.push({ symbol: i, start: offset, end: offset + Math.max(symbol.layout.size, 1) });
  });
  for (const extents of extentsOf.values()) extents.sort((a, b) => a.start - b.start || a.end - b.end);

  return (sections: readonly number[], owner: number, word: bigint): SlotTarget | undefined => {
    const scopes = scopesIn(object.symbols[owner]);
    for (const section of sections) {
      let best: Extent | undefined;
      for (const scope of scopes) {
        const extent = lastAtOrBefore(extentsOf.get(`${section} ${scope}`) ?? [], Number(word));
        if (extent === undefined || Number(word) >= extent.end) continue;
        if (best === undefined || (extent.start - best.start || extent.end - best.end) > 0) best = extent;
      }
      if (best !== undefined) return { symbol: best.symbol, offset: word - BigInt(best.start) };
    }
    return undefined;
  };
}

/** The scope in which a variable can be named: its function, its module if it is static, or everywhere. */
function scopeOf({ linkage, scope, origin }: VariableSymbol): string {
  if (scope !== undefined) return `${origin.module} ${scope}`;
  return linkage === "static" ? String(origin.module) : "";
}

const scopesIn = (owner: ObjectSymbol | undefined): readonly string[] =>
  owner === undefined ? [""] : ["", String(owner.origin.module), `${owner.origin.module} ${owner.name}`];

function lastAtOrBefore(extents: readonly Extent[], offset: number): Extent | undefined {
  let [low, high] = [0, extents.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (extents[middle]!.start <= offset) low = middle + 1;
    else high = middle;
  }
  return extents[low - 1];
}

interface Reach {
  readonly kernels: readonly number[];
  /** Whether the list of kernels is complete: no function on the way has its address taken. */
  readonly isCertain: boolean;
}

/** Returns a function that finds the kernels that reach a function. If its address is taken, any kernel may. */
function reachFinder(object: ObjectFile): (symbol: number) => Reach {
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
      if (taken.has(reached) && !isKernel.has(reached)) return { kernels: all, isCertain: false };
      for (const caller of callers.get(reached) ?? []) seen.add(caller);
    }
    return { kernels: [...seen].filter((reached) => isKernel.has(reached)), isCertain: true };
  };
}
