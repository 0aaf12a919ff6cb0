// The layout of the image: its sections in the order of NVIDIA's files: constants, functions, initialised data, other data,
// shared memory.

import type { AddressSize } from "../../../check/address-size.js";
import type { PtxVersion, Target } from "../../../isa/requirement.js";
import type { PlainDebugLayout } from "./debug-layout.js";
import { DEBUG_FRAME, FRAME_NAME, HEADS } from "./heads.js";
import type { ImageAlias } from "./aliases.js";
import { isJoined, type Joined, type PlainLayout } from "../layout/layout.js";
import { plainRoles, ROLE, type DataRole } from "../tables/codes.js";
import type { MergedRow, PlainResolution } from "../names/resolve.js";
import type { PlainShared } from "../layout/shared.js";
import type { PlainIndices } from "./symbols.js";
import { rowFinder, type SectionRow, type SymbolRow, type Tables } from "../tables/tables.js";

export interface PlainGoal {
  readonly target: Target;
  readonly version: PtxVersion;
  readonly writesRel: boolean;
  /** Bits of an address. */
  readonly addressSize: AddressSize;
}

/** Joined sections before and behind the code, in the image's order. */
export const before = [ROLE.constant] as const;
export const behind = [ROLE.globalInit, ROLE.global, ROLE.local] as const;

export interface Plan {
  readonly tables: Tables;
  readonly resolution: PlainResolution;
  readonly layout: PlainLayout;
  readonly goal: PlainGoal;
  readonly kernels: readonly SymbolRow[];
  /** Symbols behind the others. */
  readonly aliases: readonly ImageAlias[];
  readonly indices: PlainIndices;
  readonly firstOwn: number;
  readonly shared: readonly SharedSection[];
  readonly debug: PlainDebugLayout;
  /** Of each section how many of its relocations are applied, where the image tells (--emit-relocs). */
  readonly applied: Int32Array | undefined;
  /** ELF sections of those in `debug`. */
  readonly debugIndices: readonly number[];
}

/** A section of shared memory of the image. */
export interface SharedSection {
  /** Undefined for that of all kernels. */
  readonly kernel: MergedRow | undefined;
  /** Bytes. */
  readonly align: number;
  readonly size: number;
  /** Its variables. */
  readonly own: readonly MergedRow[];
}

function sharedSections({ common, commonAlign, commonSize, kernels }: PlainShared): readonly SharedSection[] {
  const first = { kernel: undefined, align: commonAlign, size: commonSize, own: common };
  const ofKernels = [...kernels].map(([kernel, { align, size, own }]) => ({ kernel, align, size, own }));
  return [...(common.length > 0 ? [first] : []), ...ofKernels.filter(({ size }) => size > 0)];
}

export function makePlan(
  tables: Tables,
  resolution: PlainResolution,
  layout: PlainLayout,
  goal: PlainGoal,
  kernels: readonly SymbolRow[],
  aliases: readonly ImageAlias[],
  debug: PlainDebugLayout,
  applied?: Int32Array,
): Plan {
  const { texts, joined, rel, rela } = layout;
  const isThere = (role: DataRole): boolean => isJoined(joined[role]);
  let relocationTables = 0;
  for (let i = 0; i < texts.length; i++)
    relocationTables += (rel[texts[i]!]! > 0 ? 1 : 0) + (rela[texts[i]!]! > 0 ? 1 : 0);
  for (const role of [...before, ...behind])
    relocationTables += (joined[role].rel > 0 ? 1 : 0) + (joined[role].rela > 0 ? 1 : 0);
  for (const { records } of debug.sections) if (records.length > 0) relocationTables++;
  if (applied !== undefined) relocationTables += countTables(layout, applied);
  const graph = HEADS + 1 + texts.length;
  const firstOwn = graph + 1 + relocationTables;
  const indices = plainRoles.map(() => 0);
  let next = firstOwn;
  for (const role of before) if (isThere(role)) indices[role] = next++;
  const firstText = next;
  const textOf = new Int32Array(tables.firstSection.at(-1)!);
  for (let i = 0; i < texts.length; i++) textOf[texts[i]!] = next++;
  for (const role of behind) if (isThere(role)) indices[role] = next++;
  const firstShared = next;
  const shared = sharedSections(layout.shared);
  const sharedOf = new Map<MergedRow, number>();
  for (const { own } of shared) {
    for (const row of own) sharedOf.set(row, next);
    next++;
  }
  let nextDebug = next + kernels.length;
  return {
    tables,
    resolution,
    layout,
    goal,
    kernels,
    aliases,
    firstOwn,
    shared,
    debug,
    applied,
    debugIndices: debug.sections.map(({ name }) => (name === FRAME_NAME ? DEBUG_FRAME : nextDebug++)),
    indices: { joined: indices, textOf, firstText, graph, firstShared, sharedOf, firstParameters: next },
  };
}

/** How many applied relocations a joined section has. */
export const appliedIn = ({ pieces }: Joined, applied: Int32Array): number =>
  pieces.reduce((total, section) => total + applied[section]!, 0);

/** How many tables of applied relocations there are. */
const countTables = ({ texts, joined }: PlainLayout, applied: Int32Array): number =>
  texts.filter((section) => applied[section]! > 0).length +
  [...before, ...behind].filter((role) => appliedIn(joined[role], applied) > 0).length;

/** The image's number of each merged symbol, -1 for those that are left out. */
export function imageNumbers({ layout, resolution: { count } }: Plan): Int32Array {
  const numbers = new Int32Array(count).fill(-1);
  let next = 0;
  for (let row = 0; row < count; row++) if (layout.isThere[row] !== 0) numbers[row] = next++;
  return numbers;
}

/** The file of a section; quick where the one before was of the same. */
export const fileFinder = ({ firstSection }: Tables): ((section: SectionRow) => number) => rowFinder(firstSection);
