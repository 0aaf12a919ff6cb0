// Pass: lays out shared variables in a block's shared memory, as nvlink does (observed; docs/linking.md, "Shared memory").
// Variables that several kernels reach, or none, have one offset for all and come first. From the largest to the smallest, each
// goes into the first region none of whose variables is reached by one of its kernels, or opens a new last region. Then each
// kernel places its own variables after the regions that it uses.
// Dynamic shared memory begins after all static variables of a kernel; kernels that reach it through the same function must agree
// on its offset. The system's part of a block's memory precedes all. In a whole-program module, dynamic memory is aligned as in
// ptxas.
// Symbols are indices of merged symbols; offsets, sizes and alignments are bytes.

import { alignUp, placementOrder, type Placed } from "../../object/place.js";
import { groupKernels } from "./shared-groups.js";
import type { SharedUses } from "./shared-reach.js";
import { fillRegions } from "./shared-regions.js";

/** Alignment of dynamic shared memory in linked objects, regardless of its declaration; the minimum in a whole-program module. */
export const DYNAMIC_ALIGN = 16;

/** Properties besides the program on which the layout depends. */
export interface SharedRules {
  /** Bytes of a block's memory that the system uses, before the program's: 1024 from sm_90 on. */
  readonly systemBytes: number;
  /**
   * Whether one module is compiled as a whole. Then the largest `.align` of its `.extern .shared` arrays, named or not, applies
   * to all of its kernels, as with ptxas and the driver. Objects do not store it.
   */
  readonly wholeProgram: boolean;
}

export interface KernelShared {
  /** Bytes of the system's and static shared memory, up to the dynamic memory in kernels that use it; 0 without any. */
  readonly size: number;
  readonly align: number;
  /** Offset of dynamic shared memory; 0 if the kernel has no static memory, in which case it follows the system's. */
  readonly dynamicOffset: number;
  /** Static variables that only this kernel reaches. */
  readonly own: readonly number[];
}

export interface SharedLayout {
  /** Bytes of the system's memory, before the program's: all offsets and sizes include them. */
  readonly systemBytes: number;
  /** Offset of every static shared variable that code names. */
  readonly offsets: ReadonlyMap<number, number>;
  /** Static variables that several kernels reach, or none. */
  readonly common: readonly number[];
  /** Bytes from 0 to the end of the last common variable, and alignment. */
  readonly commonSize: number;
  readonly commonAlign: number;
  readonly kernels: ReadonlyMap<number, KernelShared>;
  /** Alignment of dynamic shared memory in bytes, counted from the end of the system's memory. */
  readonly dynamicAlign: number;
  /** Offset of dynamic shared memory for the code of each function that names it. */
  readonly dynamicOffsetIn: ReadonlyMap<number, number>;
  /** Offset of each replaced definition's unused bytes. */
  readonly dead: ReadonlyMap<number, number>;
}

/** The shared variables, as the layout needs them. */
export interface SharedVariables {
  /**
   * All variables except those of kernels' own bodies, in the order in which nvlink meets them, used or not. A replaced
   * definition keeps its position.
   */
  readonly list: () => readonly Listed[];
  /** The chosen definition of a symbol. */
  readonly chosenOf: (symbol: number) => Listed;
  readonly isDynamic: (symbol: number) => boolean;
}

/** A definition with bytes: a variable's chosen definition, or one that it replaced. */
export interface Listed extends Placed {
  readonly symbol: number;
}

interface Place {
  readonly symbol: number;
  readonly offset: number;
}

export function placeShared(
  variables: SharedVariables,
  uses: SharedUses,
  { systemBytes, wholeProgram }: SharedRules,
): SharedLayout {
  const { list, chosenOf, isDynamic } = variables;
  const listed = uses.named.size === 0 && !wholeProgram ? [] : list();
  const moduleAlign = wholeProgram ? largestDynamicAlign(isDynamic, listed) : 0;
  const programAlign = Math.max(moduleAlign, DYNAMIC_ALIGN);
  const { common, own, dynamic } = byReach(variables, listed, uses);
  const places: Place[] = [];
  const { ends, size: commonSize } = placeCommon(common, uses, places);
  const dynamicAlignOf = uses.largestOf(dynamic.map((symbol) => [symbol, programAlign]));
  // The section of common variables belongs to all variables of the modules, and every kernel inherits its alignment.
  const commonAlign = common.length === 0 ? 1 : largestAlign(isDynamic, listed);
  const statics = new Map(
    [...own].map(([kernel, items]) => {
      const size = placeFrom(ends[kernel]!, placementOrder(items), places);
      const dynamicAlign = Math.max(dynamicAlignOf[kernel]!, moduleAlign, 1);
      const align = items.reduce((most, item) => Math.max(most, item.align), Math.max(commonAlign, dynamicAlign));
      return [kernel, { kernel, size, align, dynamicAlign, own: symbolsOf(items) }] as const;
    }),
  );
  return {
    systemBytes,
    ...offsetsAt(places, chosenOf, systemBytes),
    common: symbolsOf(common),
    commonSize: systemBytes + commonSize,
    commonAlign,
    ...placeDynamic(statics, uses, systemBytes),
    dynamicAlign: programAlign,
  };
}

/** Static variables that several kernels reach, or none; those of one kernel; and dynamic variables. */
interface ByReach {
  readonly common: readonly Listed[];
  readonly own: ReadonlyMap<number, readonly Listed[]>;
  readonly dynamic: readonly number[];
}

function byReach({ chosenOf, isDynamic }: SharedVariables, listed: readonly Listed[], uses: SharedUses): ByReach {
  const { firstKernel, secondKernel } = uses;
  const common: Listed[] = [];
  const own = new Map(uses.kernels.map((kernel) => [kernel, (uses.bodies.get(kernel) ?? []).map(chosenOf)]));
  const dynamic: number[] = [];
  for (const each of bySize(listed)) {
    const { symbol } = each;
    if (!uses.named.has(symbol)) continue;
    if (isDynamic(symbol)) dynamic.push(symbol);
    else if (firstKernel[symbol] === -1 || secondKernel[symbol] !== -1) common.push(each);
    else own.get(firstKernel[symbol]!)!.push(each);
  }
  return { common, own, dynamic };
}

/** A kernel whose static memory is placed; sizes and alignments are relative to the start of the program's memory. */
interface StaticMemory {
  readonly kernel: number;
  readonly size: number;
  readonly align: number;
  readonly dynamicAlign: number;
  readonly own: readonly number[];
}

/** Places dynamic memory after the static memory, at the same offset in all kernels of a group. */
function placeDynamic(
  statics: ReadonlyMap<number, StaticMemory>,
  uses: SharedUses,
  systemBytes: number,
): Pick<SharedLayout, "kernels" | "dynamicOffsetIn"> {
  const kernels = new Map<number, KernelShared>();
  const dynamicAt = new Map<number, number>();
  for (const group of groupKernels(uses)) {
    const members = group.map((kernel) => statics.get(kernel)!);
    const dynamicAlign = members.reduce((most, member) => Math.max(most, member.dynamicAlign), DYNAMIC_ALIGN);
    const end = members.reduce((most, { size }) => Math.max(most, size), 0);
    const dynamicOffset = alignUp(end, dynamicAlign);
    for (const member of members) {
      const { kernel, align, own } = member;
      const size = member.dynamicAlign > 1 ? dynamicOffset : member.size;
      const before = size === 0 ? 0 : systemBytes;
      kernels.set(kernel, { size: before + size, align, dynamicOffset: before + dynamicOffset, own });
      dynamicAt.set(kernel, systemBytes + dynamicOffset);
    }
  }
  const { firstKernel, dynamicUsers } = uses;
  const dynamicOffsetIn = new Map(dynamicUsers.map((user) => [user, dynamicAt.get(firstKernel[user]!)!]));
  return { kernels, dynamicOffsetIn };
}

/** The symbols of the items, each once. */
const symbolsOf = (items: readonly Listed[]): readonly number[] => [...new Set(items.map(({ symbol }) => symbol))];

/** Chooses offsets. A variable with two places gets, as in nvlink, the last one that is as aligned as its definition. */
function offsetsAt(
  places: readonly Place[],
  chosenOf: SharedVariables["chosenOf"],
  systemBytes: number,
): Pick<SharedLayout, "offsets" | "dead"> {
  const offsets = new Map<number, number>();
  for (const { symbol, offset } of places)
    if (offset % chosenOf(symbol).align === 0) offsets.set(symbol, systemBytes + offset);
  const dead = new Map<number, number>();
  for (const { symbol, offset } of places)
    if (systemBytes + offset !== offsets.get(symbol)) dead.set(symbol, systemBytes + offset);
  return { offsets, dead };
}

/** Places the common variables in the given order; `ends`: for each kernel, the end of the last region that it uses. */
function placeCommon(items: readonly Listed[], uses: SharedUses, places: Place[]) {
  const ends: [symbol: number, end: number][] = [];
  let size = 0;
  for (const region of fillRegions(items, uses)) {
    const offset = alignUp(
      size,
      region.reduce((most, { align }) => Math.max(most, align), 1),
    );
    for (const item of region) {
      places.push({ symbol: item.symbol, offset });
      ends.push([item.symbol, offset + item.size]);
    }
    // The first variable of a region is the largest.
    size = offset + region[0]!.size;
  }
  return { ends: uses.largestOf(ends), size };
}

/** Sorts by size alone, largest first; equal sizes are in the reverse of the usual order. */
const bySize = (listed: readonly Listed[]): readonly Listed[] =>
  placementOrder(listed.map((each) => ({ each, align: 1, size: each.size })))
    .map(({ each }) => each)
    .reverse();

/**
 * The largest alignment of all static shared variables except those of kernels' own bodies, whether a kernel reaches them or not.
 */
const largestAlign = (isDynamic: SharedVariables["isDynamic"], listed: readonly Listed[]): number =>
  listed.reduce((most, { symbol, align }) => (isDynamic(symbol) ? most : Math.max(most, align)), 1);

/** The largest alignment of all dynamic arrays of the module; 0 if it has none. */
const largestDynamicAlign = (isDynamic: SharedVariables["isDynamic"], listed: readonly Listed[]): number =>
  listed.reduce((most, { symbol, align }) => (isDynamic(symbol) ? Math.max(most, align, DYNAMIC_ALIGN) : most), 0);

/** Places the items in the given order, and returns the end of the last. */
function placeFrom(start: number, items: readonly Listed[], places: Place[]): number {
  return items.reduce((end, { symbol, align, size }) => {
    const offset = alignUp(end, align);
    places.push({ symbol, offset });
    return offset + size;
  }, start);
}
