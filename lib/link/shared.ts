// Pass: where shared variables stand in a block's shared memory, as nvlink does it (observed; docs/linking.md, "Shared
// memory"). Variables reached by several kernels have one offset for all of them and come first, large ones before small
// ones; each kernel places its own behind the last of those that it uses. Dynamic shared memory begins behind all static
// variables of a kernel; kernels that reach it through the same function must agree on where.
// Differs from nvlink in that dynamic memory has the alignment it was declared with, where that is above 16.
// Symbols are indices of merged symbols; offsets, sizes and alignments are bytes.

import { alignUp, placementOrder, type Placed } from "../object/place.js";
import type { SharedUses } from "./callgraph.js";
import { isDynamicShared } from "./inputs.js";
import type { Merged } from "./resolve.js";

/** Least alignment of dynamic shared memory, whatever its declaration says. */
const DYNAMIC_ALIGN = 16;

export interface KernelShared {
  /** Static shared memory, up to where dynamic memory begins in kernels that use it. */
  readonly size: number;
  /** Where dynamic shared memory begins. */
  readonly dynamicOffset: number;
  /** Static variables that no other kernel reaches. */
  readonly own: readonly number[];
}

export interface SharedLayout {
  /** Offset of every static shared variable that a kernel reaches. */
  readonly offsets: ReadonlyMap<number, number>;
  /** Static variables that several kernels reach. */
  readonly common: readonly number[];
  /** Bytes from 0 to the end of the last common variable. */
  readonly commonSize: number;
  readonly kernels: ReadonlyMap<number, KernelShared>;
  /** Where dynamic shared memory begins, for the code of each function that names it. */
  readonly dynamicOffsetIn: ReadonlyMap<number, number>;
  /** Of the shared memory of every kernel: the largest alignment of all. */
  readonly align: number;
}

interface Item extends Placed {
  readonly symbol: number;
}

export function layOutShared(merged: readonly Merged[], uses: SharedUses): SharedLayout {
  const reachedBy = countKernels(uses);
  const items = new Map<number, Item>();
  const dynamicAligns = new Map<number, number>();
  for (const symbol of [...reachedBy.keys()].sort((a, b) => a - b)) {
    const variable = merged[symbol]!.chosen.symbol;
    if (variable.kind !== "variable") continue;
    const { align, size } = variable.layout;
    if (isDynamicShared(variable)) dynamicAligns.set(symbol, Math.max(align, DYNAMIC_ALIGN));
    else items.set(symbol, { symbol, align, size });
  }

  const offsets = new Map<number, number>();
  const common = [...items.values()].filter(({ symbol }) => reachedBy.get(symbol)! > 1);
  const commonSize = placeFrom(0, commonOrder(common), offsets);
  const statics = new Map(
    [...uses.byKernel].map(([kernel, symbols]) => {
      const used = symbols.flatMap((symbol) => items.get(symbol) ?? []);
      const own = used.filter(({ symbol }) => reachedBy.get(symbol) === 1);
      const start = used
        .filter(({ symbol }) => reachedBy.get(symbol)! > 1)
        .reduce((end, { symbol, size }) => Math.max(end, offsets.get(symbol)! + size), 0);
      const size = placeFrom(start, placementOrder(own), offsets);
      const dynamicAlign = symbols.reduce((most, symbol) => Math.max(most, dynamicAligns.get(symbol) ?? 1), 1);
      return [kernel, { size, dynamicAlign, own: own.map(({ symbol }) => symbol) }] as const;
    }),
  );

  const groups = groupKernels([...uses.byKernel.keys()], [...uses.dynamicUsers.values()]);
  const kernels = new Map<number, KernelShared>();
  for (const group of groups) {
    const members = group.map((kernel) => ({ kernel, ...statics.get(kernel)! }));
    const align = members.reduce((most, { dynamicAlign }) => Math.max(most, dynamicAlign), DYNAMIC_ALIGN);
    const dynamicOffset = alignUp(
      members.reduce((most, { size }) => Math.max(most, size), 0),
      align,
    );
    for (const { kernel, size, dynamicAlign, own } of members)
      kernels.set(kernel, { size: dynamicAlign > 1 ? dynamicOffset : size, dynamicOffset, own });
  }
  const aligns = [...[...items.values()].map(({ align }) => align), ...dynamicAligns.values()];
  return {
    offsets,
    common: common.map(({ symbol }) => symbol),
    commonSize,
    kernels,
    dynamicOffsetIn: new Map(
      [...uses.dynamicUsers].map(([user, [kernel]]) => [user, kernels.get(kernel!)!.dynamicOffset]),
    ),
    align: aligns.reduce((most, align) => Math.max(most, align), 1),
  };
}

/** How many kernels reach each shared variable. */
function countKernels({ byKernel }: SharedUses): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const symbols of byKernel.values())
    for (const symbol of symbols) counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
  return counts;
}

/** By size alone, the large ones first; ties fall as those of the usual order, turned around. */
function commonOrder(items: readonly Item[]): readonly Item[] {
  return [...placementOrder(items.map((item) => ({ align: 1, size: item.size, item })))]
    .reverse()
    .map(({ item }) => item);
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
