// Plans the sections of the image in the order of NVIDIA's files: constants, functions, initialised data, other data, shared
// memory.

import type { AddressSize } from "../../check/address-size.js";
import type { Target } from "../../isa/requirement.js";
import type { PtxVersion } from "../../isa/targets.table.js";
import type { DebugLayout } from "../../object/columns/write/debug-layout.js";
import { DEBUG_FRAME, FRAME_NAME, HEADER_SECTIONS } from "../../object/columns/write/header-sections.js";
import type { ImageAlias } from "./aliases.js";
import { isPresent, type MergedSection, type ImageLayout } from "../layout/layout.js";
import { roleNames, ROLE, type DataRole } from "../../object/columns/codes.js";
import type { MergedRow, Resolution } from "../resolve/resolve.js";
import type { SharedMemory } from "../layout/shared-memory.js";
import type { SymbolRow, Columns } from "../../object/columns/columns.js";

export interface LinkTarget {
  readonly target: Target;
  readonly version: PtxVersion;
  readonly writesRel: boolean;
  /** Bits per address. */
  readonly addressSize: AddressSize;
}

/** Roles of joined sections before and after the code, in the image's order. */
export const before = [ROLE.constant] as const;
export const behind = [ROLE.globalInit, ROLE.global, ROLE.local] as const;

/** ELF section indices of the image's file. */
export interface SectionIndices {
  /** Index of each joined section by role; 0 if it is absent. */
  readonly outputSections: readonly number[];
  /** Index of each kept function's code, by its section row. */
  readonly textIndexOf: Int32Array;
  readonly firstText: number;
  readonly graph: number;
  readonly firstShared: number;
  /** Section index of each static shared variable in the image. */
  readonly sharedOf: ReadonlyMap<MergedRow, number>;
  readonly firstParameters: number;
}

export interface Plan {
  readonly columns: Columns;
  readonly resolution: Resolution;
  readonly layout: ImageLayout;
  readonly linkTarget: LinkTarget;
  readonly kernels: readonly SymbolRow[];
  /** Aliases after the other symbols. */
  readonly aliases: readonly ImageAlias[];
  readonly indices: SectionIndices;
  readonly firstOwn: number;
  readonly shared: readonly SharedSection[];
  readonly debug: DebugLayout;
  /** Number of applied relocations of each section, with --emit-relocs. */
  readonly applied: Int32Array | undefined;
  /** Section indices of the sections in `debug`. */
  readonly debugIndices: readonly number[];
}

/** A section of the image's shared memory. */
export interface SharedSection {
  /** Undefined for the section that all kernels share. */
  readonly kernel: MergedRow | undefined;
  /** Alignment and size in bytes. */
  readonly align: number;
  readonly size: number;
  /** Its variables. */
  readonly own: readonly MergedRow[];
}

function sharedSections({ common, commonAlign, commonSize, kernels }: SharedMemory): readonly SharedSection[] {
  const first = { kernel: undefined, align: commonAlign, size: commonSize, own: common };
  const ofKernels = [...kernels].map(([kernel, { align, size, own }]) => ({ kernel, align, size, own }));
  return [...(common.length > 0 ? [first] : []), ...ofKernels.filter(({ size }) => size > 0)];
}

export function makePlan(
  columns: Columns,
  resolution: Resolution,
  layout: ImageLayout,
  linkTarget: LinkTarget,
  kernels: readonly SymbolRow[],
  aliases: readonly ImageAlias[],
  debug: DebugLayout,
  applied?: Int32Array,
): Plan {
  const { textSections, outputSections, rel, rela } = layout;
  const isThere = (role: DataRole): boolean => isPresent(outputSections[role]);
  let relocationTables = 0;
  for (let i = 0; i < textSections.length; i++)
    relocationTables += (rel[textSections[i]!]! > 0 ? 1 : 0) + (rela[textSections[i]!]! > 0 ? 1 : 0);
  for (const role of [...before, ...behind])
    relocationTables += (outputSections[role].rel > 0 ? 1 : 0) + (outputSections[role].rela > 0 ? 1 : 0);
  for (const { records } of debug.sections) if (records.length > 0) relocationTables++;
  if (applied !== undefined) relocationTables += countTables(layout, applied);
  const graph = HEADER_SECTIONS + 1 + textSections.length;
  const firstOwn = graph + 1 + relocationTables;
  const indices = roleNames.map(() => 0);
  let next = firstOwn;
  for (const role of before) if (isThere(role)) indices[role] = next++;
  const firstText = next;
  const textOf = new Int32Array(columns.firstSection.at(-1)!);
  for (let i = 0; i < textSections.length; i++) textOf[textSections[i]!] = next++;
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
    columns,
    resolution,
    layout,
    linkTarget,
    kernels,
    aliases,
    firstOwn,
    shared,
    debug,
    applied,
    debugIndices: debug.sections.map(({ name }) => (name === FRAME_NAME ? DEBUG_FRAME : nextDebug++)),
    indices: {
      outputSections: indices,
      textIndexOf: textOf,
      firstText,
      graph,
      firstShared,
      sharedOf,
      firstParameters: next,
    },
  };
}

/** Number of applied relocations of a joined section. */
export const appliedIn = ({ inputs }: MergedSection, applied: Int32Array): number =>
  inputs.reduce((total, section) => total + applied[section]!, 0);

/** Number of tables of applied relocations. */
const countTables = ({ textSections, outputSections }: ImageLayout, applied: Int32Array): number =>
  textSections.filter((section) => applied[section]! > 0).length +
  [...before, ...behind].filter((role) => appliedIn(outputSections[role], applied) > 0).length;

/** The image's number of each merged symbol; -1 for symbols that are not in the image. */
export function imageNumbers({ layout, resolution: { count } }: Plan): Int32Array {
  const numbers = new Int32Array(count).fill(-1);
  let next = 0;
  for (let row = 0; row < count; row++) if (layout.isInImage[row] !== 0) numbers[row] = next++;
  return numbers;
}
