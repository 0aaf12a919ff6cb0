// Pass: places everything, and decides which relocations the image keeps (../image/relocate.ts). As in nvlink, nothing is sorted
// again: in each section, a module's bytes follow those of earlier modules in command-line order, at that section's own
// alignment. Definitions that lost keep their (dead) bytes, but not their relocations; only a .nv.global in which all definitions
// lost is omitted. Common symbols follow the last module's bytes of .nv.global; the one that was first .common anywhere is last.
// The code of a weak definition that lost is omitted, because nothing can refer to it. Offsets and sizes are bytes.
// docs/linking.md, "Layout".

import { listIn } from "../../base/lists.js";
import { LINKED_BYTE } from "../../object/relocation-types.js";
import { alignUp } from "../../object/place.js";
import { findCommons, undefinedTypes, type CommonSymbol } from "../resolve/commons.js";
import { rangesOutside, offsetIn, type KeptRanges } from "../../object/columns/kept-ranges.js";
import { ROLE, type DataRole } from "../../object/columns/codes.js";
import { isDynamic, isFromDriver, type MergedRow, type Resolution } from "../resolve/resolve.js";
import {
  isCommon,
  isReference,
  REL_WORDS,
  RELA_WORDS,
  type SectionRow,
  type SymbolRow,
  type Columns,
  isSharedVariable,
} from "../../object/columns/columns.js";
import { layOutShared, type SharedMemory } from "./shared-memory.js";
import type { Target } from "../../isa/requirement.js";
import { type DataOrder, itemsInOrder, textSectionsInOrder } from "./data-order.js";
import { sizeOfType, type TypeId } from "../../object/columns/types.js";
import { systemSharedBytes } from "./limits.js";

/** A section of the image, joined from those of all objects. */
export interface MergedSection {
  /** The objects' sections. */
  readonly inputs: SectionRow[];
  align: number;
  size: number;
  /** Number of its relocations in the image, without and with addends. */
  rel: number;
  rela: number;
}

export interface ImageLayout {
  /**
   * Sections of kept functions, in link order. Iterate them by index: until a loop is optimised, which few are during a link,
   * for-of allocates an object per iteration.
   */
  readonly textSections: readonly SectionRow[];
  /** PartialLink sections by role. */
  readonly outputSections: { readonly [Role in DataRole]: MergedSection };
  /** Common variables; `commonAt`: their offsets in the joined section of role `global`. */
  readonly commons: ReadonlyMap<MergedRow, CommonSymbol>;
  readonly commonAt: ReadonlyMap<MergedRow, number>;
  /** Types of undefined variables in the image, if they differ from the chosen declaration's. */
  readonly undefinedTypes: Map<MergedRow, TypeId>;
  /** For each section of an object: the offset of its bytes in the joined section. */
  readonly offset: Float64Array;
  /** For each section, the number of its relocations in the image, without and with addends. */
  readonly rel: Int32Array;
  readonly rela: Int32Array;
  /** Whether something in the image refers to each merged symbol. */
  readonly isReferred: Uint8Array;
  /** Whether each merged symbol is in the image. */
  readonly isInImage: Uint8Array;
  readonly shared: SharedMemory;
  /** Offset of dynamic shared memory, by section of the code that names it. */
  readonly dynamicAt: ReadonlyMap<SectionRow, number>;
  /**
   * Offset of a constant in its bank, or of a shared variable in its block's memory; otherwise -1, or DYNAMIC for dynamic shared
   * memory.
   */
  readonly linkTimeOffset: Int32Array & { readonly [row: MergedRow]: number };
  /** For sections with dead bytes: the live ranges. */
  readonly keptRanges: ReadonlyMap<SectionRow, KeptRanges>;
}

const DYNAMIC = -2;

/**
 * Returns a function that finds the live ranges of a section with dead bytes. Code has them only after a pass has moved bytes.
 */
export function rangesFinder({ role, keptRanges }: Columns, ranges: ReadonlyMap<SectionRow, KeptRanges>) {
  const areNone = ranges.size === 0;
  const isCodeWhole = keptRanges.size === 0;
  return (section: SectionRow): KeptRanges | undefined =>
    areNone || (isCodeWhole && role[section] === ROLE.text) ? undefined : ranges.get(section);
}

/** Whether a joined section is in the image. */
export const isPresent = ({ inputs, size }: MergedSection): boolean => inputs.length > 0 || size > 0;

/** Whether no symbol has an offset that is known at link time: there is no constant, shared or local memory. */
export const hasNoKnownOffsets = (
  { featureCounts }: Columns,
  { outputSections }: Pick<ImageLayout, "outputSections">,
): boolean =>
  featureCounts.shared === 0 && !isPresent(outputSections[ROLE.constant]) && !isPresent(outputSections[ROLE.local]);

/** The link-time offset of a symbol to which a section's relocation refers; -1 if it is unknown. */
export function knownAt(
  { role }: Columns,
  { linkTimeOffset, dynamicAt }: ImageLayout,
  section: SectionRow,
  merged: MergedRow,
): number {
  const offset = linkTimeOffset[merged]!;
  if (offset !== DYNAMIC) return offset;
  return role[section] === ROLE.text ? (dynamicAt.get(section) ?? 0) : -1;
}

export function layOutImage(
  columns: Columns,
  resolution: Resolution,
  { target, writesRel }: { readonly target: Target; readonly writesRel: boolean },
  order: DataOrder = {},
  wholeProgram = false,
): ImageLayout {
  const sections = columns.firstSection.at(-1)!;
  const joined = (): MergedSection => ({ inputs: [], align: 1, size: 0, rel: 0, rela: 0 });
  const textSections = textSectionsInOrder(columns, keptTextSections(columns, resolution), order);
  const shared = layOutShared(columns, resolution, textSections, {
    systemBytes: systemSharedBytes(target),
    wholeProgram,
  });
  const commonAt = new Map<MergedRow, number>();
  const layout: ImageLayout = {
    commons: findCommons(columns, resolution),
    commonAt,
    undefinedTypes: new Map(),
    textSections,
    shared,
    dynamicAt: dynamicOffsets(columns, resolution, textSections, shared),
    outputSections: {
      [ROLE.global]: joined(),
      [ROLE.globalInit]: joined(),
      [ROLE.constant]: joined(),
      [ROLE.local]: joined(),
    },
    offset: new Float64Array(sections),
    rel: new Int32Array(sections),
    rela: new Int32Array(sections),
    isReferred: new Uint8Array(resolution.count),
    isInImage: new Uint8Array(resolution.count),
    linkTimeOffset: new Int32Array(resolution.count).fill(-1),
    keptRanges: keptRanges(columns, resolution),
  };
  const isPlaced = joinSections(columns, layout, commonAt, findUsed(columns, resolution), order);
  placeConstants(columns, resolution, layout);
  for (const [row, offset] of shared.offsets) layout.linkTimeOffset[row] = offset;
  countRelocations(columns, resolution, layout, isPlaced, writesRel);
  markInImage(columns, resolution, layout);
  for (const [row, typeId] of undefinedTypes(columns, resolution, (row) => layout.isInImage[row] !== 0))
    layout.undefinedTypes.set(row, typeId);
  return layout;
}

/** Appends `size` bytes to a joined section; returns their offset. */
function append(into: MergedSection, align: number, size: number): number {
  const offset = alignUp(into.size, align);
  into.align = Math.max(into.align, align);
  into.size = offset + size;
  return offset;
}

// Each pass over all symbols or sections is a function of its own, because the engine optimises a whole function once for each
// loop in it.

/** Marks the sections that contain a chosen definition. */
export function findUsed(columns: Columns, { chosen, count }: Resolution): Uint8Array {
  const { sectionOf } = columns;
  const isUsed = new Uint8Array(columns.firstSection.at(-1)!);
  for (let row = 0; row < count; row++) {
    const section = sectionOf[chosen[row]!]!;
    if (section >= 0) isUsed[section] = 1;
  }
  return isUsed;
}

/** Assigns offsets to variables; returns which sections have been placed. */
function joinSections(
  columns: Columns,
  { outputSections, offset, commons }: ImageLayout,
  commonAt: Map<MergedRow, number>,
  isUsed: Uint8Array,
  order: DataOrder,
): Uint8Array {
  const { role, align, size } = columns;
  const isPlaced = new Uint8Array(isUsed.length);
  for (const item of itemsInOrder(columns, commons, order)) {
    if (item < 0) {
      const common = commons.get(~item)!;
      commonAt.set(~item, append(outputSections[ROLE.global], common.align, common.size));
      continue;
    }
    const own = role[item] as DataRole;
    const isOmitted = own === ROLE.global || order.symbolOrder !== undefined;
    if (isOmitted && isUsed[item] === 0) continue;
    offset[item] = append(outputSections[own], align[item]!, size[item]!);
    outputSections[own].inputs.push(item);
    isPlaced[item] = 1;
  }
  return isPlaced;
}

function placeConstants(
  columns: Columns,
  { chosen, count }: Resolution,
  { linkTimeOffset, offset }: ImageLayout,
): void {
  const { sectionOf, role, featureCounts } = columns;
  for (let row = 0; row < count; row++) {
    const definition = chosen[row]!;
    const section = sectionOf[definition]!;
    if (section >= 0 && (role[section] === ROLE.constant || role[section] === ROLE.local))
      linkTimeOffset[row] = offset[section]! + columns.offset[definition]!;
    else if (featureCounts.shared > 0 && isDynamic(columns, definition)) linkTimeOffset[row] = DYNAMIC;
  }
}

function markInImage(columns: Columns, { chosen, count }: Resolution, layout: ImageLayout): void {
  const { sectionOf, featureCounts } = columns;
  const { isInImage } = layout;
  for (let row = 0; row < count; row++) {
    const symbol = chosen[row]!;
    const isOrdinary = sectionOf[symbol]! >= 0 && featureCounts.shared === 0;
    isInImage[row] = isOrdinary || belongsInImage(columns, symbol, row, layout) ? 1 : 0;
  }
}

export function keptTextSections(columns: Columns, { chosen, mergedOf }: Resolution): SectionRow[] {
  const { role, owner: ownerOf } = columns;
  const textSections: SectionRow[] = [];
  const sections = columns.firstSection.at(-1)!;
  for (let section = 0; section < sections; section++) {
    if (role[section] !== ROLE.text) continue;
    const owner = ownerOf[section]!;
    if (chosen[mergedOf[owner]!] === owner) textSections.push(section);
  }
  return textSections;
}

function dynamicOffsets(
  { owner }: Columns,
  { mergedOf }: Resolution,
  textSections: readonly SectionRow[],
  { dynamicOffsetIn }: SharedMemory,
): ReadonlyMap<SectionRow, number> {
  const offsets = new Map<SectionRow, number>();
  for (const section of dynamicOffsetIn.size === 0 ? [] : textSections) {
    const offset = dynamicOffsetIn.get(mergedOf[owner[section]!]!);
    if (offset !== undefined) offsets.set(section, offset);
  }
  return offsets;
}

/**
 * Whether a symbol is in the image. References, definitions and dynamic memory are; a shared variable is if code names it,
 * because it may have bytes without being defined. Of other declarations, only those are that something refers to.
 */
function belongsInImage(columns: Columns, symbol: SymbolRow, row: MergedRow, layout: ImageLayout): boolean {
  if (isReference(columns, symbol) || isCommon(columns, symbol) || isFromDriver(columns, symbol)) return true;
  if (isSharedVariable(columns, symbol)) return layout.shared.offsets.has(row);
  return columns.sectionOf[symbol]! >= 0 || layout.isReferred[row] !== 0;
}

/** The live ranges of the sections that also have dead bytes. */
export function keptRanges(columns: Columns, resolution: Resolution): ReadonlyMap<SectionRow, KeptRanges> {
  const left = withoutDiscarded(columns, resolution);
  return columns.keptRanges.size === 0 ? left : new Map([...columns.keptRanges, ...left]);
}

/** For sections with dead definitions: all ranges except the bytes of those definitions, which stay in the image. */
function withoutDiscarded(columns: Columns, { mergedOf, chosen }: Resolution): ReadonlyMap<SectionRow, KeptRanges> {
  const { sectionOf, role, rel, rela } = columns;
  const dead = new Map<SectionRow, number[]>();
  const total = columns.firstSymbol.at(-1)!;
  for (let row = 0; row < total; row++) {
    const section = sectionOf[row]!;
    if (section < 0 || role[section] === ROLE.text) continue;
    // Only sections with relocations matter: in others, dead bytes need no treatment.
    if ((rel[section] === 0 && rela[section] === 0) || chosen[mergedOf[row]!] === row) continue;
    const start = columns.offset[row]!;
    listIn(dead, section).push(start, start + sizeOfType(columns.types, columns.typeId[row]!));
  }
  const left = new Map<SectionRow, KeptRanges>();
  for (const [section, ranges] of dead) left.set(section, rangesOutside(byStart(ranges), columns.size[section]!));
  return left;
}

/** Sorts ranges by start. Rows are in the order of declarations, which often differs from that of offsets. */
function byStart(ranges: number[]): readonly number[] {
  if (ranges.length <= FEW) return putByStart(ranges);
  const pairs = Array.from({ length: ranges.length / 2 }, (_, i) => [ranges[2 * i]!, ranges[2 * i + 1]!] as const);
  return pairs.sort(([a], [b]) => a - b).flat();
}

/** Limit of the ranges that are sorted by insertion. */
const FEW = 32;

function putByStart(ranges: number[]): readonly number[] {
  for (let i = 2; i < ranges.length; i += 2) {
    const [start, end] = [ranges[i]!, ranges[i + 1]!];
    let at = i;
    for (; at > 0 && ranges[at - 2]! > start; at -= 2) {
      ranges[at] = ranges[at - 2]!;
      ranges[at + 1] = ranges[at - 1]!;
    }
    ranges[at] = start;
    ranges[at + 1] = end;
  }
  return ranges;
}

// ---------------------------------------------------------------------------------------------------------- relocations

/** Counts the relocations that the image keeps. For sections that are not placed, only marks the symbols referred to. */
function countRelocations(
  columns: Columns,
  resolution: Resolution,
  layout: ImageLayout,
  isPlaced: Uint8Array,
  writesRel: boolean,
): void {
  const kept = new Uint8Array(columns.firstSection.at(-1)!);
  const { textSections, outputSections } = layout;
  for (let i = 0; i < textSections.length; i++) kept[textSections[i]!] = 1;
  const count = createCounter(columns, resolution, layout, writesRel);
  const { role: roles, firstSection } = columns;
  for (let file = 0; file < columns.files.length; file++)
    for (let section = firstSection[file]!; section < firstSection[file + 1]!; section++) {
      const role = roles[section]!;
      if (role === ROLE.text && kept[section] === 0) continue;
      count(file, section);
      if (role === ROLE.text || isPlaced[section] === 0) continue;
      const into = outputSections[role as DataRole];
      into.rel += layout.rel[section]!;
      into.rela += layout.rela[section]!;
    }
}

/** Whether the record at `at` has an addend, if symbols have offsets (`shifts`). */
function hasAddend({ shifts }: Columns, words: Uint32Array, at: number, isRela: boolean, firstElf: number): boolean {
  const [low, high] = isRela ? [words[at + 4]!, words[at + 5]!] : [0, 0];
  const shift = shifts.get(firstElf + words[at + 3]!) ?? 0;
  // The addend may be the negated shift; then the sum is 0.
  return shift === 0 ? (low | high) !== 0 : high !== 0xffff_ffff || low + shift !== 2 ** 32;
}

/** Returns a function that counts the relocations of a section. */
function createCounter(
  columns: Columns,
  { mergedOf }: Resolution,
  layout: ImageLayout,
  writesRel: boolean,
): (file: number, section: SectionRow) => void {
  const { rel, relEnd, rela, relaEnd, symbolOf } = columns;
  const { linkTimeOffset, isReferred } = layout;
  const isNoneKnown = hasNoKnownOffsets(columns, layout);
  const hasShifts = columns.shifts.size > 0;
  const piecesOf = rangesFinder(columns, layout.keptRanges);
  // State for the counted section: an object for each section would be most of the garbage of the pass.
  let words: Uint32Array = NO_WORDS;
  let first = 0;
  let section: SectionRow = 0;
  let ranges: KeptRanges | undefined;
  /** Counts the records of one table. */
  const countRecords = (start: number, end: number, isRela: boolean): void => {
    const step = isRela ? RELA_WORDS : REL_WORDS;
    let without = 0;
    let withAddend = 0;
    for (let at = start; at < end; at += step) {
      const symbol: SymbolRow = symbolOf[first + words[at + 3]!]!;
      // The symbol was removed together with the bytes that referred to it.
      if (symbol < 0) continue;
      const merged = mergedOf[symbol]!;
      isReferred[merged] = 1;
      if (ranges !== undefined && offsetIn(ranges, words[at]!) < 0) continue;
      const place = isNoneKnown || linkTimeOffset[merged] === -1 ? -1 : knownAt(columns, layout, section, merged);
      if (place >= 0 && LINKED_BYTE[words[at + 2]!]! >= 0) continue;
      const isBare = hasShifts
        ? !hasAddend(columns, words, at, isRela, first)
        : !isRela || (words[at + 4]! | words[at + 5]!) === 0;
      if (writesRel && isBare) without++;
      else withAddend++;
    }
    layout.rel[section]! += without;
    layout.rela[section]! += withAddend;
  };
  return (file, of) => {
    if (rel[of] === 0 && rela[of] === 0) return;
    ({ words } = columns.files[file]!);
    first = columns.firstElfSymbol[file]!;
    section = of;
    ranges = piecesOf(section);
    if (rel[section] !== 0) countRecords(rel[section]!, relEnd[section]!, false);
    if (rela[section] !== 0) countRecords(rela[section]!, relaEnd[section]!, true);
  };
}

const NO_WORDS = new Uint32Array(0);
