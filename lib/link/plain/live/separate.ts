// The tables of a plain link (../link.ts) with every variable in a section of its own, for an order of variables: separate.ts over
// columns. The sections' rows are numbered anew; their bytes stay in their files, of which each has a run (../tables/pieces.ts).

import type { Collected } from "../names/resolve.js";
import { notPlain } from "../tables/cursor.js";
import { byPlace, membersOf } from "../tables/members.js";
import { placeIn, type Pieces } from "../tables/pieces.js";
import { isDataRole, ROLE } from "../tables/codes.js";
import { forEachTarget } from "../tables/references.js";
import { alignOfShape, sizeOfShape } from "../tables/shapes.js";
import type { SectionRow, SymbolRow, Tables } from "../tables/tables.js";

/** The relocations of a section are gone through once for each of its variables that has some; so many steps, at most. */
const MOST_STEPS = 2 ** 26;
/** Bytes of the largest holder of an address. */
const WIDEST = 8;

/** Symbols keep their numbers. */
export function separatePlain({ tables, resolution }: Collected): Collected {
  const members = membersOf(tables);
  const parts: Part[] = [];
  const firstSection = new Int32Array(tables.firstSection.length);
  const place = tables.place.slice();
  const offset = tables.offset.slice();
  /** What sections are that stay whole. */
  const numberOf = new Int32Array(tables.firstSection.at(-1)!);
  let steps = 0;
  for (let file = 0; file < tables.files.length; file++) {
    for (let section = tables.firstSection[file]!; section < tables.firstSection[file + 1]!; section++) {
      const own = members.rows.subarray(members.start[section], members.start[section + 1]);
      const cut =
        isDataRole(tables.role[section]!) && own.length > 0 ? cutSection(tables, file, section, own) : undefined;
      numberOf[section] = parts.length;
      if (cut === undefined) {
        parts.push({ section, symbol: -1, hasRelocations: true });
        continue;
      }
      steps += cut.steps;
      if (steps > MOST_STEPS) notPlain("many variables with addresses");
      for (const part of cut.parts) parts.push(part);
    }
    firstSection[file + 1] = parts.length;
  }
  for (let row = 0; row < place.length; row++) if (place[row]! >= 0) place[row] = numberOf[place[row]!]!;
  parts.forEach(({ symbol }, i) => {
    if (symbol < 0) return;
    place[symbol] = i;
    offset[symbol] = 0;
  });
  return { tables: { ...tables, ...sectionsOf(tables, parts), firstSection, place, offset }, resolution };
}

/** A section from now on: a whole one, or one variable's part. */
interface Part {
  readonly section: SectionRow;
  /** -1 for a whole one. */
  readonly symbol: SymbolRow;
  readonly hasRelocations: boolean;
}

interface Cut {
  /** By their places. */
  readonly parts: readonly Part[];
  readonly steps: number;
}

/** Undefined for a section with addresses outside its variables, with variables that do not stand as their alignments say, or with one that fills it. */
function cutSection(tables: Tables, file: number, section: SectionRow, own: Int32Array): Cut | undefined {
  const { offset, shape, shapes, align, size } = tables;
  const variables = byPlace(tables, own);
  const endOf = (row: SymbolRow): number => offset[row]! + sizeOfShape(shapes, shape[row]!);
  for (let i = 0; i < variables.length; i++) {
    const row = variables[i]!;
    if (i > 0 && offset[variables[i - 1]!] === offset[row]) notPlain("two variables in one place");
    const wanted = alignOfShape(shapes, shape[row]!);
    if (offset[row]! % wanted !== 0 || wanted > align[section]! || endOf(row) > size[section]!) return undefined;
  }
  const [first] = variables;
  const isFull = variables.length === 1 && offset[first!] === 0 && endOf(first!) === size[section];
  if (isFull && alignOfShape(shapes, shape[first!]!) === align[section]) return undefined;
  // A fixed address is written, and is no reference.
  const holds = new Uint8Array(variables.length).fill(tables.addresses.size > 0 ? 1 : 0);
  const pieces = tables.moved.get(section);
  let isInside = true;
  let count = 0;
  forEachTarget(tables, file, section, (before) => {
    const at = placeIn(pieces, before);
    if (at < 0) return;
    const holder = lastFrom(variables, (row) => offset[row]! <= at);
    isInside &&= holder >= 0 && at < endOf(variables[holder]!);
    if (!isInside) return;
    if (at + WIDEST > endOf(variables[holder]!)) notPlain("a holder that may be narrow");
    holds[holder] = 1;
    count++;
  });
  if (!isInside) return undefined;
  const parts = Array.from(variables, (symbol, i) => ({ section, symbol, hasRelocations: holds[i] === 1 }));
  return { parts, steps: count * parts.filter(({ hasRelocations }) => hasRelocations).length };
}

/** The last place up to which `holds` is true, in a list where it is false behind; -1 where it is nowhere. */
function lastFrom(list: Int32Array, holds: (item: number) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(list[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The columns of sections, with the parts as rows. */
function sectionsOf(tables: Tables, parts: readonly Part[]) {
  const { offset, shape, shapes } = tables;
  const column = (of: (part: Part) => number): Int32Array => Int32Array.from(parts, of);
  const records = (of: Int32Array) => column(({ section, hasRelocations }) => (hasRelocations ? of[section]! : 0));
  const isPart = ({ symbol }: Part): boolean => symbol >= 0;
  const moved = new Map<SectionRow, Pieces>();
  const pieceAt = createPieceFinder(tables);
  parts.forEach((part, i) => {
    const { section, symbol } = part;
    const before = tables.moved.get(section);
    const hasBytes = tables.role[section] !== ROLE.global;
    if (isPart(part) && hasBytes) moved.set(i, pieceAt(section, offset[symbol]!, sizeOfShape(shapes, shape[symbol]!)));
    else if (!isPart(part) && before !== undefined) moved.set(i, before);
  });
  return {
    moved,
    role: Uint8Array.from(parts, ({ section }) => tables.role[section]!),
    facts: Uint16Array.from(parts, ({ section }) => tables.facts[section]!),
    owner: column(({ section }) => tables.owner[section]!),
    at: column(({ section }) => tables.at[section]!),
    runs: column(({ section }) => tables.runs[section]!),
    rel: records(tables.rel),
    relEnd: records(tables.relEnd),
    rela: records(tables.rela),
    relaEnd: records(tables.relaEnd),
    size: column((part) => (isPart(part) ? sizeOfShape(shapes, shape[part.symbol]!) : tables.size[part.section]!)),
    align: column((part) => (isPart(part) ? alignOfShape(shapes, shape[part.symbol]!) : tables.align[part.section]!)),
  };
}

/** Of a variable's bytes in a section, asked for section after section: their run in the file. */
function createPieceFinder({ moved }: Tables): (section: SectionRow, start: number, size: number) => Pieces {
  let last = -1;
  let byPlaceNow = new Map<number, number>();
  return (section, start, size) => {
    const pieces = moved.get(section);
    if (size === 0) return [];
    if (pieces === undefined) return [start, start + size, 0];
    if (section !== last) {
      last = section;
      byPlaceNow = new Map();
      for (let i = 0; i < pieces.length; i += 3) byPlaceNow.set(pieces[i + 2]!, pieces[i]!);
    }
    const from = byPlaceNow.get(start) ?? notPlain("a variable in several pieces");
    return [from, from + size, 0];
  };
}
