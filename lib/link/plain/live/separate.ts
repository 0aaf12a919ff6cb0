// Every variable in a section of its own, for an order of variables instead of modules (../../layout/symbol-order.ts): as compilers'
// -fdata-sections, only later. Nothing is lost by it, because code names variables and never what stands beside them: what no
// variable has is padding, or in an object of -r the bytes of definitions that lost. Variables that overlap stay together. A section with
// addresses outside its variables, or with variables that do not stand as their alignments say, stays whole.
// The sections' rows are numbered anew. Their bytes stay in their files (../tables/pieces.ts); records of relocations are sorted by variable,
// behind those of the file.

import type { Collected } from "../names/resolve.js";
import { listIn } from "../../shared/shared-reach.js";
import { byPlace, membersOf } from "../tables/members.js";
import { placeIn, type Pieces } from "../tables/pieces.js";
import { isDataRole, ROLE } from "../tables/codes.js";
import { forEachRecord, stepOf } from "../tables/references.js";
import { addToRuns, createRuns } from "../tables/runs.js";
import { alignOfShape, sizeOfShape } from "../tables/shapes.js";
import { RELA_WORDS, type PlainFile, type SectionRow, type SymbolRow, type Tables } from "../tables/tables.js";

/** Symbols keep their numbers. */
export function separatePlain({ tables, resolution }: Collected): Collected {
  const members = membersOf(tables);
  const parts: Part[] = [];
  const files: PlainFile[] = [];
  const firstSection = new Int32Array(tables.firstSection.length);
  const place = tables.place.slice();
  const offset = tables.offset.slice();
  /** What sections are that stay whole. */
  const numberOf = new Int32Array(tables.firstSection.at(-1)!);
  for (let file = 0; file < tables.files.length; file++) {
    const added: Added = { words: [], from: tables.files[file]! };
    for (let section = tables.firstSection[file]!; section < tables.firstSection[file + 1]!; section++) {
      const own = members.rows.subarray(members.start[section], members.start[section + 1]);
      const isData = isDataRole(tables.role[section]!) && own.length > 0;
      const groups = isData ? groupsToCut(tables, file, section, own) : undefined;
      numberOf[section] = parts.length;
      if (groups === undefined) parts.push({ section, group: undefined, records: undefined });
      else parts.push(...cut(tables, file, section, groups, added));
    }
    files.push(extended(added));
    firstSection[file + 1] = parts.length;
  }
  for (let row = 0; row < place.length; row++) if (place[row]! >= 0) place[row] = numberOf[place[row]!]!;
  parts.forEach(({ group }, i) => {
    for (const row of group?.variables ?? []) {
      place[row] = i;
      offset[row] = tables.offset[row]! - group!.start;
    }
  });
  return { tables: { ...tables, files, ...sectionsOf(tables, parts), firstSection, place, offset }, resolution };
}

/** A section from now on. */
interface Part {
  readonly section: SectionRow;
  /** Undefined for a whole one. */
  readonly group: Group | undefined;
  /** Of a group: its records of relocations. */
  readonly records: Records | undefined;
}

/** Variables that overlap, mostly one: bytes of a section from `start` up to `end`. */
interface Group {
  readonly variables: SymbolRow[];
  readonly start: number;
  end: number;
  align: number;
}

/** Where records begin and end among the words of the file, and where their runs begin. */
interface Records {
  readonly rel: number;
  readonly relEnd: number;
  readonly rela: number;
  readonly relaEnd: number;
  readonly runs: number;
}

/** What comes behind a file's words. */
interface Added {
  readonly words: number[];
  readonly from: PlainFile;
}

function extended({ words, from }: Added): PlainFile {
  if (words.length === 0) return from;
  const all = new Uint32Array(from.words.length + words.length);
  all.set(from.words);
  all.set(words, from.words.length);
  return { bytes: from.bytes, words: all };
}

/** In the order of their bytes. */
function groupsOf(tables: Tables, own: Int32Array): readonly Group[] {
  const { offset, shape, shapes } = tables;
  const groups: Group[] = [];
  for (const row of byPlace(tables, own)) {
    const last = groups.at(-1);
    const start = offset[row]!;
    const end = start + sizeOfShape(shapes, shape[row]!);
    const align = alignOfShape(shapes, shape[row]!);
    if (last === undefined || (start >= last.end && start > last.start))
      groups.push({ variables: [row], start, end, align });
    else {
      last.variables.push(row);
      last.end = Math.max(last.end, end);
      last.align = Math.max(last.align, align);
    }
  }
  return groups;
}

/** Undefined for a section that stays whole, or that one variable fills. */
function groupsToCut(tables: Tables, file: number, section: SectionRow, own: Int32Array): readonly Group[] | undefined {
  const groups = groupsOf(tables, own);
  const [align, size] = [tables.align[section]!, tables.size[section]!];
  if (groups.some((group) => group.start % group.align !== 0 || group.align > align || group.end > size))
    return undefined;
  const [first] = groups;
  if (groups.length === 1 && first!.start === 0 && first!.end === size && first!.align === align) return undefined;
  let isInside = true;
  forEachPlaced(tables, file, section, (_, code, at) => {
    const group = groups[groupAt(groups, at)];
    isInside &&= group !== undefined && at + (code >> 1) <= group.end;
  });
  return isInside ? groups : undefined;
}

/** Visits the records of present variables: the place of each record, its code, and its new offset. */
function forEachPlaced(
  tables: Tables,
  file: number,
  section: SectionRow,
  show: (record: number, code: number, at: number) => void,
): void {
  const { words } = tables.files[file]!;
  const pieces = tables.moved.get(section);
  forEachRecord(tables, file, section, (record, code) => {
    const at = placeIn(pieces, words[record]!);
    if (at >= 0 && tables.symbolOf[tables.firstElf[file]! + words[record + 3]!]! >= 0) show(record, code, at);
  });
}

/** The last group that begins at that byte or before; -1 for none. */
function groupAt(groups: readonly Group[], at: number): number {
  let [low, high] = [0, groups.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (groups[middle]!.start <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function cut(tables: Tables, file: number, section: SectionRow, groups: readonly Group[], added: Added): Part[] {
  const { words } = tables.files[file]!;
  /** Record and code of each of a group's, one behind the other. */
  const recordsOf = new Map<number, number[]>();
  forEachPlaced(tables, file, section, (record, code, at) => {
    listIn(recordsOf, groupAt(groups, at)).push(record, code);
  });
  return groups.map((group, i) => ({ section, group, records: copyRecords(words, recordsOf.get(i), added) }));
}

function copyRecords(words: Uint32Array, own: readonly number[] | undefined, added: Added): Records | undefined {
  if (own === undefined) return undefined;
  const runs = createRuns();
  const tables: readonly [rel: number[], rela: number[]] = [[], []];
  for (let i = 0; i < own.length; i += 2) {
    const [at, code] = [own[i]!, own[i + 1]!];
    const into = tables[stepOf(code) === RELA_WORDS ? 1 : 0];
    for (let word = 0; word < stepOf(code); word++) into.push(words[at + word]!);
    addToRuns(runs, code);
  }
  const first = added.from.words.length + added.words.length;
  const second = first + tables[0].length;
  for (const table of tables) for (const word of table) added.words.push(word);
  const place = added.from.words.length + added.words.length;
  added.words.push(runs.length / 2, ...runs.words.subarray(0, runs.length));
  const [hasRel, hasRela] = [tables[0].length > 0, tables[1].length > 0];
  return {
    rel: hasRel ? first : 0,
    relEnd: hasRel ? second : 0,
    rela: hasRela ? second : 0,
    relaEnd: hasRela ? second + tables[1].length : 0,
    runs: place,
  };
}

/** The columns of sections, with the parts as rows. */
function sectionsOf(tables: Tables, parts: readonly Part[]) {
  const column = (of: (part: Part) => number): Int32Array => Int32Array.from(parts, of);
  const records = (key: keyof Records) =>
    column(({ section, group, records }) => (group === undefined ? tables[key][section]! : (records?.[key] ?? 0)));
  const moved = new Map<SectionRow, Pieces>();
  const piecesOf = createPieceFinder(tables);
  parts.forEach(({ section, group }, i) => {
    const before = tables.moved.get(section);
    const hasBytes = tables.role[section] === ROLE.globalInit || tables.role[section] === ROLE.constant;
    if (group !== undefined && hasBytes) moved.set(i, piecesOf(section, group));
    else if (group === undefined && before !== undefined) moved.set(i, before);
  });
  return {
    moved,
    role: Uint8Array.from(parts, ({ section }) => tables.role[section]!),
    facts: Uint16Array.from(parts, ({ section }) => tables.facts[section]!),
    owner: column(({ section }) => tables.owner[section]!),
    at: column(({ section }) => tables.at[section]!),
    runs: records("runs"),
    rel: records("rel"),
    relEnd: records("relEnd"),
    rela: records("rela"),
    relaEnd: records("relaEnd"),
    size: Float64Array.from(parts, ({ section, group }) =>
      group === undefined ? tables.size[section]! : group.end - group.start,
    ),
    align: Float64Array.from(parts, ({ section, group }) => group?.align ?? tables.align[section]!),
  };
}

/** The bytes of groups in their file, asked for section after section, in the order of groups. */
function createPieceFinder({ moved }: Tables): (section: SectionRow, group: Group) => Pieces {
  let last = -1;
  /** Of the section's pieces: start, end and place now, by the last. */
  let sorted: (readonly [from: number, to: number, now: number])[] = [];
  let next = 0;
  return (section, { start, end }) => {
    const pieces = moved.get(section);
    if (start === end) return [];
    if (pieces === undefined) return [start, end, 0];
    if (section !== last) {
      last = section;
      next = 0;
      sorted = Array.from({ length: pieces.length / 3 }, (_, i) => [
        pieces[3 * i]!,
        pieces[3 * i + 1]!,
        pieces[3 * i + 2]!,
      ]);
      sorted.sort((a, b) => a[2] - b[2]);
    }
    while (next < sorted.length && sorted[next]![2] + sorted[next]![1] - sorted[next]![0] <= start) next++;
    const own: (readonly [from: number, to: number, now: number])[] = [];
    for (let i = next; i < sorted.length && sorted[i]![2] < end; i++) {
      const [from, to, now] = sorted[i]!;
      const first = Math.max(start, now);
      const behind = Math.min(end, now + to - from);
      own.push([from + first - now, from + behind - now, first - start]);
    }
    return own.sort((a, b) => a[0] - b[0]).flat();
  };
}
