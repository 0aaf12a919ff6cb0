// Pass: where shared variables stand in a block's shared memory, as nvlink does it (observed; docs/linking.md, "Shared
// memory"). Variables that several kernels reach, or none, have one offset for all and come first: from the largest to the
// smallest, each goes into the first region none of whose variables is reached by one of its kernels, or opens a region
// behind the last. Then each kernel places its own behind the regions that it uses. Dynamic shared memory begins behind all
// static variables of a kernel; kernels that reach it through the same function must agree on where.
// Differs from nvlink in that dynamic memory has the alignment it was declared with, where that is more.
// Symbols are indices of merged symbols; offsets, sizes and alignments are bytes.

import { alignUp, placementOrder, type Placed } from "../object/place.js";
import { isShared, type SharedUses } from "./callgraph.js";
import { byModule, isDynamicShared } from "./inputs.js";
import type { VariableSymbol } from "../object/object.js";
import type { Merged } from "./resolve.js";
import { findOwners, type Owner } from "./shared-owners.js";

/** Least alignment of dynamic shared memory, whatever its declaration says. */
const DYNAMIC_ALIGN = 16;

export interface KernelShared {
  /** Static shared memory, up to where dynamic memory begins in kernels that use it. */
  readonly size: number;
  readonly align: number;
  /** Where dynamic shared memory begins. */
  readonly dynamicOffset: number;
  /** Static variables that no other kernel reaches. */
  readonly own: readonly number[];
}

export interface SharedLayout {
  /** Offset of every static shared variable that code names. */
  readonly offsets: ReadonlyMap<number, number>;
  /** Static variables that several kernels reach, or none. */
  readonly common: readonly number[];
  /** Bytes from 0 to the end of the last common variable, and alignment. */
  readonly commonSize: number;
  readonly commonAlign: number;
  readonly kernels: ReadonlyMap<number, KernelShared>;
  /** Where dynamic shared memory begins, for the code of each function that names it. */
  readonly dynamicOffsetIn: ReadonlyMap<number, number>;
}

interface Item extends Placed {
  readonly symbol: number;
  /** The kernels that reach it. */
  readonly kernels: readonly number[];
}

/** Common variables that lie over each other, because no kernel reaches two of them. The first is the largest. */
interface Region {
  readonly items: Item[];
  readonly kernels: Set<number>;
}

export function layOutShared(merged: readonly Merged[], uses: SharedUses): SharedLayout {
  const kernelsOf = kernelsReaching(uses);
  const dynamicAligns = new Map<number, number>();
  const common: Item[] = [];
  const own = new Map<number, Item[]>([...uses.byKernel.keys()].map((kernel) => [kernel, []]));
  for (const symbol of uses.named) {
    const kernels = kernelsOf.get(symbol) ?? [];
    const variable = merged[symbol]!.chosen.symbol;
    if (variable.kind !== "variable") continue;
    const { align } = merged[symbol]!;
    const { size } = variable.layout;
    if (isDynamicShared(variable)) dynamicAligns.set(symbol, Math.max(align, DYNAMIC_ALIGN));
    else (kernels.length === 1 ? own.get(kernels[0]!)! : common).push({ symbol, align, size, kernels });
  }

  const offsets = new Map<number, number>();
  const ownerOf = findOwners(merged);
  const order = symbolOrder(merged, uses.named, ownerOf);
  const { ends, size: commonSize } = placeCommon(
    common.toSorted((a, b) => order.get(a.symbol)! - order.get(b.symbol)!),
    offsets,
  );
  // The common variables' section is that of all variables of the modules, and hands its alignment on to every kernel.
  const commonAlign = common.length === 0 ? 1 : largestAlign(merged, ownerOf);
  const statics = new Map(
    [...own].map(([kernel, items]) => {
      const size = placeFrom(ends.get(kernel) ?? 0, placementOrder(items), offsets);
      const dynamicAlign = uses.byKernel.get(kernel)!.reduce((most, v) => Math.max(most, dynamicAligns.get(v) ?? 1), 1);
      const align = items.reduce((most, item) => Math.max(most, item.align), Math.max(commonAlign, dynamicAlign));
      return [kernel, { kernel, size, align, dynamicAlign, own: items.map(({ symbol }) => symbol) }] as const;
    }),
  );

  const kernels = new Map<number, KernelShared>();
  for (const group of groupKernels([...statics.keys()], [...uses.dynamicUsers.values()])) {
    const members = group.map((kernel) => statics.get(kernel)!);
    const dynamicAlign = members.reduce((most, member) => Math.max(most, member.dynamicAlign), DYNAMIC_ALIGN);
    const end = members.reduce((most, { size }) => Math.max(most, size), 0);
    const dynamicOffset = alignUp(end, dynamicAlign);
    for (const member of members) {
      const { kernel, align, own } = member;
      kernels.set(kernel, { size: member.dynamicAlign > 1 ? dynamicOffset : member.size, align, dynamicOffset, own });
    }
  }
  const dynamicOffsetIn = [...uses.dynamicUsers].map(
    ([user, [kernel]]) => [user, kernels.get(kernel!)!.dynamicOffset] as const,
  );
  return {
    offsets,
    common: common.map(({ symbol }) => symbol),
    commonSize,
    commonAlign,
    kernels,
    dynamicOffsetIn: new Map(dynamicOffsetIn),
  };
}

/** The kernels that reach each shared variable. */
function kernelsReaching({ byKernel }: SharedUses): ReadonlyMap<number, readonly number[]> {
  const reaching = new Map<number, number[]>();
  for (const [kernel, symbols] of byKernel)
    for (const symbol of symbols) {
      const kernels = reaching.get(symbol);
      if (kernels === undefined) reaching.set(symbol, [kernel]);
      else kernels.push(kernel);
    }
  return reaching;
}

/** Places the common variables in the order given; `ends` says for each kernel where the last region that it uses ends. */
function placeCommon(items: readonly Item[], offsets: Map<number, number>) {
  const regions: Region[] = [];
  for (const item of items) {
    const free = regions.find(({ kernels }) => !item.kernels.some((kernel) => kernels.has(kernel)));
    const region = free ?? { items: [], kernels: new Set<number>() };
    if (free === undefined) regions.push(region);
    region.items.push(item);
    for (const kernel of item.kernels) region.kernels.add(kernel);
  }
  const ends = new Map<number, number>();
  let size = 0;
  for (const { items: over } of regions) {
    const offset = alignUp(
      size,
      over.reduce((most, { align }) => Math.max(most, align), 1),
    );
    for (const { symbol } of over) offsets.set(symbol, offset);
    size = offset + over[0]!.size;
    for (const item of over) for (const kernel of item.kernels) ends.set(kernel, offset + item.size);
  }
  return { ends, size };
}

/**
 * By size alone, the large ones first; ties fall as those of the usual order turned around, module by module in the order
 * of the symbols in NVIDIA's objects. Everything but kernels' own variables takes part, though only the common ones need
 * the order, and so do variables of functions that lost to other definitions: where ties fall depends on all of them.
 */
function symbolOrder(
  merged: readonly Merged[],
  named: readonly number[],
  ownerOf: ReadonlyMap<number, Owner>,
): ReadonlyMap<number, number> {
  const lost = [...ownerOf].flatMap(([symbol, { isLost }]) => (isLost ? [symbol] : []));
  const sorted = [...named, ...lost].flatMap((symbol) => {
    const { chosen } = merged[symbol]!;
    const owner = ownerOf.get(symbol);
    if (chosen.symbol.kind !== "variable" || isDynamicShared(chosen.symbol) || owner?.isKernel === true) return [];
    const rank = rankInModule(chosen.symbol, owner);
    return [{ symbol, align: 1, size: chosen.symbol.layout.size, chosen, rank }];
  });
  sorted.sort((a, b) => byModule(a.chosen, b.chosen) || a.rank - b.rank || a.symbol - b.symbol);
  return new Map([...placementOrder(sorted)].reverse().map(({ symbol }, i) => [symbol, i]));
}

/** Where a shared variable's symbol stands among its object's in NVIDIA's files; equals by declaration. */
function rankInModule({ linkage }: VariableSymbol, owner: Owner | undefined): number {
  if (owner !== undefined) return owner.isStatic ? 3 : 1;
  return linkage === "static" ? 2 : linkage === "weak" ? 0 : 4;
}

/** Of all static shared variables but those of kernels' own bodies, whether a kernel reaches them or not. */
function largestAlign(merged: readonly Merged[], ownerOf: ReadonlyMap<number, Owner>): number {
  return merged.reduce((most, each, i) => {
    const { symbol } = each.chosen;
    const counts = symbol.kind === "variable" && isShared(each) && !isDynamicShared(symbol);
    return counts && ownerOf.get(i)?.isKernel !== true ? Math.max(most, symbol.layout.align) : most;
  }, 1);
}

/** Places the items in the order given, and returns the end of the last. */
function placeFrom(start: number, items: readonly Item[], offsets: Map<number, number>): number {
  return items.reduce((end, { symbol, align, size }) => {
    const offset = alignUp(end, align);
    offsets.set(symbol, offset);
    return offset + size;
  }, start);
}

/** The kernels in groups, such that those in one of `together` are in one group. */
function groupKernels(
  kernels: readonly number[],
  together: readonly (readonly number[])[],
): Iterable<readonly number[]> {
  const groupOf = new Map(kernels.map((kernel) => [kernel, [kernel]]));
  for (const [first, ...others] of together) {
    for (const other of others) {
      const [into, from] = [groupOf.get(first!)!, groupOf.get(other)!];
      if (into === from) continue;
      for (const kernel of from) {
        into.push(kernel);
        groupOf.set(kernel, into);
      }
    }
  }
  return new Set(groupOf.values());
}
