// The target of each symbol slot of a function: from its relocation, or, if the linker has resolved that (constant and shared
// offsets of an image), the variable at the offset in the slot. In shared memory one offset means different variables to
// different kernels, so the kernels that can reach the function decide.

import type { ObjectFile, ObjectSymbol, Section, VariableSymbol } from "../object.js";
import type { SymbolText } from "../print/print-code.js";
import type { StoredSlot } from "./slots.js";

export interface SlotTarget {
  /** Index into ObjectFile.symbols; undefined if no symbol is known for the slot. */
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

  // What several kernels reach is in the section of all, what one reaches in its own, where it shares no byte with what else the
  // kernel has; behind all that begins dynamic shared memory, whatever it is called.
  const findShared = (owner: number, word: bigint): SlotTarget | undefined => {
    const { kernels, isCertain } = reachOf(owner);
    const behind: SlotTarget | undefined = dynamic < 0 ? undefined : { symbol: dynamic, offset: 0n };
    if (isCertain && behind !== undefined && kernels.some((kernel) => dynamicFrom.get(kernel) === word)) return behind;
    // Of what no kernel reaches the place is that in any that has the variable.
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
 * Finds the variable at an offset of one of some sections, of those that the code of `owner` can name. Of several that begin
 * there, of which no kernel has two, the largest has room for all.
 */
function variableFinder(object: ObjectFile) {
  const extentsOf = new Map<string, Extent[]>();
  object.symbols.forEach((symbol, i) => {
    if (symbol.kind !== "variable" || symbol.placement.kind !== "section" || symbol.alias === true) return;
    const { section, offset } = symbol.placement;
    const key = `${section} ${audienceOf(symbol)}`;
    const extents = extentsOf.get(key) ?? [];
    extentsOf.set(key, extents);
    extents.push({ symbol: i, start: offset, end: offset + Math.max(symbol.layout.size, 1) });
  });
  for (const extents of extentsOf.values()) extents.sort((a, b) => a.start - b.start || a.end - b.end);

  return (sections: readonly number[], owner: number, word: bigint): SlotTarget | undefined => {
    const audiences = audiencesWith(object.symbols[owner]);
    for (const section of sections) {
      let best: Extent | undefined;
      for (const audience of audiences) {
        const extent = lastAtOrBefore(extentsOf.get(`${section} ${audience}`) ?? [], Number(word));
        if (extent === undefined || Number(word) >= extent.end) continue;
        if (best === undefined || (extent.start - best.start || extent.end - best.end) > 0) best = extent;
      }
      if (best !== undefined) return { symbol: best.symbol, offset: word - BigInt(best.start) };
    }
    return undefined;
  };
}

/** Who can name a variable: its function, its module when it is static, or everybody. */
function audienceOf({ linkage, scope, origin }: VariableSymbol): string {
  if (scope !== undefined) return `${origin.module} ${scope}`;
  return linkage === "static" ? String(origin.module) : "";
}

const audiencesWith = (owner: ObjectSymbol | undefined): readonly string[] =>
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
  /** Whether it is known to be those: nothing on the way has its address taken. */
  readonly isCertain: boolean;
}

/** The kernels from which a function can be reached; a function whose address is taken, perhaps from all. */
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
