// Pass: where everything goes, and which relocations the image keeps (../image/relocate.ts). As nvlink does it: nothing is sorted again;
// per section each module's bytes follow those before them, in command-line order, at that section's own alignment, so that
// definitions that lost keep their (dead) bytes, without their relocations; only a .nv.global in which all have lost is left
// out. Common symbols stand after the last module's bytes of .nv.global, the one that was first .common anywhere last.
// The code of a weak definition that lost is left out, because nothing can refer to it. Offsets and sizes are bytes.
// docs/linking.md, "Layout".

import { LINKED_BYTE } from "../../../object/relocation-types.js";
import { alignUp } from "../../../object/place.js";
import { findCommons, openShapes, type PlainCommon } from "../names/commons.js";
import { piecesOutside, placeIn, type Pieces } from "../tables/pieces.js";
import { ROLE, type DataRole } from "../tables/codes.js";
import { isDynamic, isFromDriver, isSharedVariable, type MergedRow, type PlainResolution } from "../names/resolve.js";
import {
  isCommon,
  isReference,
  REL_WORDS,
  RELA_WORDS,
  type SectionRow,
  type SymbolRow,
  type Tables,
} from "../tables/tables.js";
import { layOutPlainShared, type PlainShared } from "./shared.js";
import type { Target } from "../../../isa/requirement.js";
import { type DataOrder, itemsInOrder, textsInOrder } from "./data-order.js";
import { systemSharedBytes } from "../../layout/limits.js";
import { listIn } from "../../shared/shared-reach.js";
import { sizeOfShape, type ShapeId } from "../tables/shapes.js";

/** A section of the image that is joined of all objects'. */
export interface Joined {
  /** Those of the objects. */
  readonly pieces: SectionRow[];
  align: number;
  size: number;
  /** Its relocations in the image, without and with addends. */
  rel: number;
  rela: number;
}

export interface PlainLayout {
  /**
   * Sections of functions that are kept, in link order. They are gone through by index: before a loop is optimised, which few are in
   * the time of a link, for-of makes an object in each round.
   */
  readonly texts: readonly SectionRow[];
  /** By role. */
  readonly joined: { readonly [Role in DataRole]: Joined };
  /** Common variables, and their places in the joined section of role `global`. */
  readonly commons: ReadonlyMap<MergedRow, PlainCommon>;
  readonly commonAt: ReadonlyMap<MergedRow, number>;
  /** Declarations of undefined variables in the image, where they differ from the chosen one. */
  readonly openShapes: Map<MergedRow, ShapeId>;
  /** Of each section of an object: where its bytes begin in the joined one. */
  readonly offset: Float64Array;
  /** Its relocations in the image, without and with addends. */
  readonly rel: Int32Array;
  readonly rela: Int32Array;
  /** Whether something in the image refers to each merged symbol. */
  readonly isReferred: Uint8Array;
  /** Whether each merged symbol is in the image. */
  readonly isThere: Uint8Array;
  readonly shared: PlainShared;
  /** By section of code: where dynamic shared memory begins for it, where it names that. */
  readonly dynamicAt: ReadonlyMap<SectionRow, number>;
  /** Offset of a constant in its bank, or of a shared variable in its block's memory; else -1, or DYNAMIC. */
  readonly known: Int32Array & { readonly [row: MergedRow]: number };
  /** Of sections with bytes that mean nothing: the others. */
  readonly pieces: ReadonlyMap<SectionRow, Pieces>;
}

const DYNAMIC = -2;

/** Finds of a section with bytes that mean nothing the others: code is whole but for what was moved. */
export function piecesFinder({ role, moved }: Tables, pieces: ReadonlyMap<SectionRow, Pieces>) {
  const areNone = pieces.size === 0;
  const isCodeWhole = moved.size === 0;
  return (section: SectionRow): Pieces | undefined =>
    areNone || (isCodeWhole && role[section] === ROLE.text) ? undefined : pieces.get(section);
}

/** Whether a joined section is in the image. */
export const isJoined = ({ pieces, size }: Joined): boolean => pieces.length > 0 || size > 0;

/** Whether the linker knows of no symbol where it is: there is no constant, no shared and no local memory. */
export const knowsNone = ({ rare }: Tables, { joined }: Pick<PlainLayout, "joined">): boolean =>
  rare.shared === 0 && !isJoined(joined[ROLE.constant]) && !isJoined(joined[ROLE.local]);

/** What the linker knows of a symbol that a section's relocation names: its offset, -1 where it knows none. */
export function knownAt(
  { role }: Tables,
  { known, dynamicAt }: PlainLayout,
  section: SectionRow,
  merged: MergedRow,
): number {
  const offset = known[merged]!;
  if (offset !== DYNAMIC) return offset;
  return role[section] === ROLE.text ? (dynamicAt.get(section) ?? 0) : -1;
}

export function layOutPlain(
  tables: Tables,
  resolution: PlainResolution,
  { target, writesRel }: { readonly target: Target; readonly writesRel: boolean },
  order: DataOrder = {},
  wholeProgram = false,
): PlainLayout {
  const sections = tables.firstSection.at(-1)!;
  const joined = (): Joined => ({ pieces: [], align: 1, size: 0, rel: 0, rela: 0 });
  const texts = textsInOrder(tables, keptTexts(tables, resolution), order);
  const shared = layOutPlainShared(tables, resolution, texts, {
    systemBytes: systemSharedBytes(target),
    wholeProgram,
  });
  const commonAt = new Map<MergedRow, number>();
  const layout: PlainLayout = {
    commons: findCommons(tables, resolution),
    commonAt,
    openShapes: new Map(),
    texts,
    shared,
    dynamicAt: dynamicOffsets(tables, resolution, texts, shared),
    joined: { [ROLE.global]: joined(), [ROLE.globalInit]: joined(), [ROLE.constant]: joined(), [ROLE.local]: joined() },
    offset: new Float64Array(sections),
    rel: new Int32Array(sections),
    rela: new Int32Array(sections),
    isReferred: new Uint8Array(resolution.count),
    isThere: new Uint8Array(resolution.count),
    known: new Int32Array(resolution.count).fill(-1),
    pieces: piecesLeft(tables, resolution),
  };
  const isPlaced = joinSections(tables, layout, commonAt, findUsed(tables, resolution), order);
  placeConstants(tables, resolution, layout);
  for (const [row, offset] of shared.offsets) layout.known[row] = offset;
  countRelocations(tables, resolution, layout, isPlaced, writesRel);
  markThere(tables, resolution, layout);
  for (const [row, shape] of openShapes(tables, resolution, (row) => layout.isThere[row] !== 0))
    layout.openShapes.set(row, shape);
  return layout;
}

/** Where `size` bytes go at the end of a joined section. */
function append(into: Joined, align: number, size: number): number {
  const offset = alignUp(into.size, align);
  into.align = Math.max(into.align, align);
  into.size = offset + size;
  return offset;
}

// Each pass over everything is a function of its own: the engine optimises a whole function once for each loop in it.

/** Sections with something that was chosen. */
export function findUsed(tables: Tables, { chosen, count }: PlainResolution): Uint8Array {
  const { place } = tables;
  const isUsed = new Uint8Array(tables.firstSection.at(-1)!);
  for (let row = 0; row < count; row++) {
    const section = place[chosen[row]!]!;
    if (section >= 0) isUsed[section] = 1;
  }
  return isUsed;
}

/** Gives variables their places; the sections that have one. */
function joinSections(
  tables: Tables,
  { joined, offset, commons }: PlainLayout,
  commonAt: Map<MergedRow, number>,
  isUsed: Uint8Array,
  order: DataOrder,
): Uint8Array {
  const { role, align, size } = tables;
  const isPlaced = new Uint8Array(isUsed.length);
  for (const item of itemsInOrder(tables, commons, order)) {
    if (item < 0) {
      const common = commons.get(~item)!;
      commonAt.set(~item, append(joined[ROLE.global], common.align, common.size));
      continue;
    }
    const own = role[item] as DataRole;
    const isLeftOut = own === ROLE.global || order.symbolOrder !== undefined;
    if (isLeftOut && isUsed[item] === 0) continue;
    offset[item] = append(joined[own], align[item]!, size[item]!);
    joined[own].pieces.push(item);
    isPlaced[item] = 1;
  }
  return isPlaced;
}

function placeConstants(tables: Tables, { chosen, count }: PlainResolution, { known, offset }: PlainLayout): void {
  const { place, role, rare } = tables;
  for (let row = 0; row < count; row++) {
    const definition = chosen[row]!;
    const section = place[definition]!;
    if (section >= 0 && (role[section] === ROLE.constant || role[section] === ROLE.local))
      known[row] = offset[section]! + tables.offset[definition]!;
    else if (rare.shared > 0 && isDynamic(tables, definition)) known[row] = DYNAMIC;
  }
}

function markThere(tables: Tables, { chosen, count }: PlainResolution, layout: PlainLayout): void {
  const { place, rare } = tables;
  const { isThere } = layout;
  for (let row = 0; row < count; row++) {
    const symbol = chosen[row]!;
    const isOrdinary = place[symbol]! >= 0 && rare.shared === 0;
    isThere[row] = isOrdinary || isInImage(tables, symbol, row, layout) ? 1 : 0;
  }
}

export function keptTexts(tables: Tables, { chosen, mergedOf }: PlainResolution): SectionRow[] {
  const { role, owner: ownerOf } = tables;
  const texts: SectionRow[] = [];
  const sections = tables.firstSection.at(-1)!;
  for (let section = 0; section < sections; section++) {
    if (role[section] !== ROLE.text) continue;
    const owner = ownerOf[section]!;
    if (chosen[mergedOf[owner]!] === owner) texts.push(section);
  }
  return texts;
}

function dynamicOffsets(
  { owner }: Tables,
  { mergedOf }: PlainResolution,
  texts: readonly SectionRow[],
  { dynamicOffsetIn }: PlainShared,
): ReadonlyMap<SectionRow, number> {
  const offsets = new Map<SectionRow, number>();
  for (const section of dynamicOffsetIn.size === 0 ? [] : texts) {
    const offset = dynamicOffsetIn.get(mergedOf[owner[section]!]!);
    if (offset !== undefined) offsets.set(section, offset);
  }
  return offsets;
}

/**
 * References; definitions; of shared variables, which have their bytes without a definition too, those that code names, and dynamic memory;
 * and of what nothing defines that which something refers to. Another declaration says nothing.
 */
function isInImage(tables: Tables, symbol: SymbolRow, row: MergedRow, layout: PlainLayout): boolean {
  if (isReference(tables, symbol) || isCommon(tables, symbol) || isFromDriver(tables, symbol)) return true;
  if (isSharedVariable(tables, symbol)) return layout.shared.offsets.has(row);
  return tables.place[symbol]! >= 0 || layout.isReferred[row] !== 0;
}

/** The bytes that mean something, of sections with others. */
export function piecesLeft(tables: Tables, resolution: PlainResolution): ReadonlyMap<SectionRow, Pieces> {
  const left = withoutDead(tables, resolution);
  return tables.moved.size === 0 ? left : new Map([...tables.moved, ...left]);
}

/** Of sections that have some: all but the bytes of definitions that were not chosen, which stay without meaning anything. */
function withoutDead(tables: Tables, { mergedOf, chosen }: PlainResolution): ReadonlyMap<SectionRow, Pieces> {
  const { place, role, rel, rela } = tables;
  const dead = new Map<SectionRow, number[]>();
  const total = tables.firstSymbol.at(-1)!;
  for (let row = 0; row < total; row++) {
    const section = place[row]!;
    if (section < 0 || role[section] === ROLE.text) continue;
    // Only where there is something to lose.
    if ((rel[section] === 0 && rela[section] === 0) || chosen[mergedOf[row]!] === row) continue;
    const start = tables.offset[row]!;
    listIn(dead, section).push(start, start + sizeOfShape(tables.shapes, tables.shape[row]!));
  }
  const left = new Map<SectionRow, Pieces>();
  for (const [section, ranges] of dead) left.set(section, piecesOutside(byStart(ranges), tables.size[section]!));
  return left;
}

/** Rows are in the order of declarations, which is seldom that of places. */
function byStart(ranges: number[]): readonly number[] {
  if (ranges.length <= FEW) return putByStart(ranges);
  const pairs = Array.from({ length: ranges.length / 2 }, (_, i) => [ranges[2 * i]!, ranges[2 * i + 1]!] as const);
  return pairs.sort(([a], [b]) => a - b).flat();
}

/** Numbers of ranges up to which they are sorted in place. */
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

/** For symbols without a place, counts references only. */
function countRelocations(
  tables: Tables,
  resolution: PlainResolution,
  layout: PlainLayout,
  isPlaced: Uint8Array,
  writesRel: boolean,
): void {
  const kept = new Uint8Array(tables.firstSection.at(-1)!);
  const { texts, joined } = layout;
  for (let i = 0; i < texts.length; i++) kept[texts[i]!] = 1;
  const count = createCounter(tables, resolution, layout, writesRel);
  const { role: roles, firstSection } = tables;
  for (let file = 0; file < tables.files.length; file++)
    for (let section = firstSection[file]!; section < firstSection[file + 1]!; section++) {
      const role = roles[section]!;
      if (role === ROLE.text && kept[section] === 0) continue;
      count(file, section);
      if (role === ROLE.text || isPlaced[section] === 0) continue;
      const into = joined[role as DataRole];
      into.rel += layout.rel[section]!;
      into.rela += layout.rela[section]!;
    }
}

/** Of the record at `at`, where symbols are shifted. */
function hasAddend({ shifts }: Tables, words: Uint32Array, at: number, isRela: boolean, firstElf: number): boolean {
  const [low, high] = isRela ? [words[at + 4]!, words[at + 5]!] : [0, 0];
  const shift = shifts.get(firstElf + words[at + 3]!) ?? 0;
  // The sum is 0 where they cancel each other out.
  return shift === 0 ? (low | high) !== 0 : high !== 0xffff_ffff || low + shift !== 2 ** 32;
}

/** Counts those of a section of a file. */
function createCounter(
  tables: Tables,
  { mergedOf }: PlainResolution,
  layout: PlainLayout,
  writesRel: boolean,
): (file: number, section: SectionRow) => void {
  const { rel, relEnd, rela, relaEnd, symbolOf } = tables;
  const { known, isReferred } = layout;
  const isNoneKnown = knowsNone(tables, layout);
  const hasShifts = tables.shifts.size > 0;
  const piecesOf = piecesFinder(tables, layout.pieces);
  // Of the section that is counted: an object for each of them would be most of the garbage of the pass.
  let words: Uint32Array = NO_WORDS;
  let first = 0;
  let section: SectionRow = 0;
  let pieces: Pieces | undefined;
  /** Those of one table. */
  const countRecords = (start: number, end: number, isRela: boolean): void => {
    const step = isRela ? RELA_WORDS : REL_WORDS;
    let without = 0;
    let withAddend = 0;
    for (let at = start; at < end; at += step) {
      const symbol: SymbolRow = symbolOf[first + words[at + 3]!]!;
      // What went with the bytes that referred to it.
      if (symbol < 0) continue;
      const merged = mergedOf[symbol]!;
      isReferred[merged] = 1;
      if (pieces !== undefined && placeIn(pieces, words[at]!) < 0) continue;
      const place = isNoneKnown || known[merged] === -1 ? -1 : knownAt(tables, layout, section, merged);
      if (place >= 0 && LINKED_BYTE[words[at + 2]!]! >= 0) continue;
      const isBare = hasShifts
        ? !hasAddend(tables, words, at, isRela, first)
        : !isRela || (words[at + 4]! | words[at + 5]!) === 0;
      if (writesRel && isBare) without++;
      else withAddend++;
    }
    layout.rel[section]! += without;
    layout.rela[section]! += withAddend;
  };
  return (file, of) => {
    if (rel[of] === 0 && rela[of] === 0) return;
    ({ words } = tables.files[file]!);
    first = tables.firstElf[file]!;
    section = of;
    pieces = piecesOf(section);
    if (rel[section] !== 0) countRecords(rel[section]!, relEnd[section]!, false);
    if (rela[section] !== 0) countRecords(rela[section]!, relaEnd[section]!, true);
  };
}

const NO_WORDS = new Uint32Array(0);
