// Pass: lays out shared variables in a block's shared memory, as nvlink does (observed; docs/linking.md, "Shared memory").
// Variables that several kernels reach, or none, have one offset for all and come first: from the largest to the smallest, each
// goes into the first region none of whose variables is reached by one of its kernels, or opens a new last region. Then each
// kernel places its own after the regions that it uses.
// Dynamic shared memory begins after all static variables of a kernel; kernels that reach it through the same function must agree
// on its offset. The target system's part of a block's memory precedes all. A whole-program module has its dynamic memory aligned
// as in ptxas.
// Symbols are indices of merged symbols; offsets, sizes and alignments are bytes.

import { alignUp, placementOrder, type Placed } from "../../object/place.js";
import { groupKernels } from "./shared-groups.js";
import type { SharedUses } from "./shared-reach.js";
import { fillRegions } from "./shared-regions.js";

/** Alignment of dynamic shared memory where objects are linked, whatever its declaration says; at least that elsewhere. */
export const DYNAMIC_ALIGN = 16;

/** What the layout depends on besides the program. */
export interface SharedRules {
  /** Bytes of a block's memory that are the system's, in front of the program's: 1024 from sm_90 on. */
  readonly systemBytes: number;
  /**
   * Whether one module is compiled as a whole: then the largest `.align` of its `.extern .shared` arrays, named or not, holds for
   * all of its kernels, as with ptxas and the driver. Objects do not carry it.
   */
  readonly wholeProgram: boolean;
}

export interface KernelShared {
  /** The system's and static shared memory, up to where dynamic memory begins in kernels that use it; 0 without any. */
  readonly size: number;
  readonly align: number;
  /** Where dynamic shared memory begins; 0 where a kernel has no static one, and it begins behind the system's. */
  readonly dynamicOffset: number;
  /** Static variables that no other kernel reaches. */
  readonly own: readonly number[];
}

export interface SharedLayout {
  /** Bytes in front of the program's that are the system's: all offsets and sizes count from before them. */
  readonly systemBytes: number;
  /** Offset of every static shared variable that code names. */
  readonly offsets: ReadonlyMap<number, number>;
  /** Static variables that several kernels reach, or none. */
  readonly common: readonly number[];
  /** Bytes from 0 to the end of the last common variable, and alignment. */
  readonly commonSize: number;
  readonly commonAlign: number;
  readonly kernels: ReadonlyMap<number, KernelShared>;
  /** Bytes that dynamic shared memory is aligned to, counted from behind the system's. */
  readonly dynamicAlign: number;
  /** Where dynamic shared memory begins, for the code of each function that names it. */
  readonly dynamicOffsetIn: ReadonlyMap<number, number>;
  /** Offset of each replaced definition's bytes, which are unused. */
  readonly dead: ReadonlyMap<number, number>;
}

/** What the layout reads of shared variables. */
export interface SharedVariables {
  /**
   * Every one but those of kernels' own bodies, in the order in which nvlink meets them, used or not. A definition that was
   * replaced stays where it was.
   */
  readonly list: () => readonly Listed[];
  /** The chosen definition of a symbol. */
  readonly chosenOf: (symbol: number) => Listed;
  readonly isDynamic: (symbol: number) => boolean;
}

/** A definition with bytes: a variable's chosen one, or one that it replaced. */
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
  // The common variables' section is that of all variables of the modules, and hands its alignment on to every kernel.
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

/** Static variables that several kernels reach, or none; those of one kernel; and dynamic ones. */
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

/** A kernel whose static memory is placed; sizes and alignments count from where the program's memory begins. */
interface StaticMemory {
  readonly kernel: number;
  readonly size: number;
  readonly align: number;
  readonly dynamicAlign: number;
  readonly own: readonly number[];
}

/** Places dynamic memory behind the static one, at one offset in all kernels that must agree. */
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

/** Each once. */
const symbolsOf = (items: readonly Listed[]): readonly number[] => [...new Set(items.map(({ symbol }) => symbol))];

/** A variable with two places has, as in nvlink, the last of those that are as aligned as its definition. */
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

/** Places the common variables in the order given; `ends` says for each kernel where the last region that it uses ends. */
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
    // The first is the largest.
    size = offset + region[0]!.size;
  }
  return { ends: uses.largestOf(ends), size };
}

/** By size alone, the large ones first; ties fall as those of the usual order turned around. */
const bySize = (listed: readonly Listed[]): readonly Listed[] =>
  placementOrder(listed.map((each) => ({ each, align: 1, size: each.size })))
    .map(({ each }) => each)
    .reverse();

/** Of all static shared variables but those of kernels' own bodies, whether a kernel reaches them or not. */
const largestAlign = (isDynamic: SharedVariables["isDynamic"], listed: readonly Listed[]): number =>
  listed.reduce((most, { symbol, align }) => (isDynamic(symbol) ? most : Math.max(most, align)), 1);

/** Of all dynamic arrays of the module; 0 where it has none. */
const largestDynamicAlign = (isDynamic: SharedVariables["isDynamic"], listed: readonly Listed[]): number =>
  listed.reduce((most, { symbol, align }) => (isDynamic(symbol) ? Math.max(most, align, DYNAMIC_ALIGN) : most), 0);

/** Places the items in the order given, and returns the end of the last. */
function placeFrom(start: number, items: readonly Listed[], places: Place[]): number {
  return items.reduce((end, { symbol, align, size }) => {
    const offset = alignUp(end, align);
    places.push({ symbol, offset });
    return offset + size;
  }, start);
}
