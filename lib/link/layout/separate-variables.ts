// Puts every variable into a section of its own, for an order of variables instead of modules (./symbol-order.ts), like
// -fdata-sections of compilers, but at link time. This is safe because code refers to variables and never to neighbouring bytes:
// bytes outside variables are padding, or in an object of -r definitions that lost. Variables that overlap stay together. A
// section with relocations outside its variables, or with misaligned variables, stays whole.
// Sections are renumbered. Their bytes stay in their files (../../object/columns/kept-ranges.ts); relocation records are copied,
// sorted by variable, and appended to the file's words.

import { listIn } from "../../base/lists.js";
import type { ResolvedColumns } from "../resolve/resolve.js";
import { byPlace, membersOf } from "../../object/columns/section-variables.js";
import { offsetIn, type KeptRanges } from "../../object/columns/kept-ranges.js";
import { isDataRole, ROLE } from "../../object/columns/codes.js";
import { forEachRecord, stepOf } from "../../object/columns/relocations.js";
import { addToRuns, createRuns } from "../../object/columns/relocation-runs.js";
import { alignOfType, sizeOfType } from "../../object/columns/types.js";
import {
  RELA_WORDS,
  type ColumnFile,
  type SectionRow,
  type SymbolRow,
  type Columns,
} from "../../object/columns/columns.js";

/** Separates variables. Symbols keep their rows. */
export function separateVariables({ columns, resolution }: ResolvedColumns): ResolvedColumns {
  const members = membersOf(columns);
  const parts: Part[] = [];
  const files: ColumnFile[] = [];
  const firstSection = new Int32Array(columns.firstSection.length);
  const place = columns.sectionOf.slice();
  const offset = columns.offset.slice();
  /** The first new row of each old section. */
  const numberOf = new Int32Array(columns.firstSection.at(-1)!);
  for (let file = 0; file < columns.files.length; file++) {
    const added: Added = { words: [], from: columns.files[file]! };
    for (let section = columns.firstSection[file]!; section < columns.firstSection[file + 1]!; section++) {
      const own = members.rows.subarray(members.start[section], members.start[section + 1]);
      const isData = isDataRole(columns.role[section]!) && own.length > 0;
      const groups = isData ? groupsToCut(columns, file, section, own) : undefined;
      numberOf[section] = parts.length;
      if (groups === undefined) parts.push({ section, group: undefined, records: undefined });
      else parts.push(...cut(columns, file, section, groups, added));
    }
    files.push(extended(added));
    firstSection[file + 1] = parts.length;
  }
  for (let row = 0; row < place.length; row++) if (place[row]! >= 0) place[row] = numberOf[place[row]!]!;
  parts.forEach(({ group }, i) => {
    for (const row of group?.variables ?? []) {
      place[row] = i;
      offset[row] = columns.offset[row]! - group!.start;
    }
  });
  return {
    columns: { ...columns, files, ...sectionColumns(columns, parts), firstSection, sectionOf: place, offset },
    resolution,
  };
}

/** A new section: a whole old section, or a group of its variables. */
interface Part {
  readonly section: SectionRow;
  /** Undefined for a whole section. */
  readonly group: Group | undefined;
  /** For a group: its relocation records. */
  readonly records: Records | undefined;
}

/** Variables that overlap, mostly a single one: the bytes of a section from `start` up to `end`. */
interface Group {
  readonly variables: SymbolRow[];
  readonly start: number;
  end: number;
  align: number;
}

/** Start and end of each table's records in the words of the file, and the start of their runs. */
interface Records {
  readonly rel: number;
  readonly relEnd: number;
  readonly rela: number;
  readonly relaEnd: number;
  readonly runs: number;
}

/** Words to append to a file's words. */
interface Added {
  readonly words: number[];
  readonly from: ColumnFile;
}

function extended({ words, from }: Added): ColumnFile {
  if (words.length === 0) return from;
  const all = new Uint32Array(from.words.length + words.length);
  all.set(from.words);
  all.set(words, from.words.length);
  return { bytes: from.bytes, words: all };
}

/** The groups in the order of their bytes. */
function groupsOf(columns: Columns, own: Int32Array): readonly Group[] {
  const { offset, typeId, types } = columns;
  const groups: Group[] = [];
  for (const row of byPlace(columns, own)) {
    const last = groups.at(-1);
    const start = offset[row]!;
    const end = start + sizeOfType(types, typeId[row]!);
    const align = alignOfType(types, typeId[row]!);
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

/** The groups of a section; undefined if it stays whole, or is a single variable. */
function groupsToCut(
  columns: Columns,
  file: number,
  section: SectionRow,
  own: Int32Array,
): readonly Group[] | undefined {
  const groups = groupsOf(columns, own);
  const [align, size] = [columns.align[section]!, columns.size[section]!];
  if (groups.some((group) => group.start % group.align !== 0 || group.align > align || group.end > size))
    return undefined;
  const [first] = groups;
  if (groups.length === 1 && first!.start === 0 && first!.end === size && first!.align === align) return undefined;
  let isInside = true;
  forEachPlaced(columns, file, section, (_, code, at) => {
    const group = groups[groupAt(groups, at)];
    isInside &&= group !== undefined && at + (code >> 1) <= group.end;
  });
  return isInside ? groups : undefined;
}

/** Visits the records of live variables, with the position of each record, its code, and its new offset. */
function forEachPlaced(
  columns: Columns,
  file: number,
  section: SectionRow,
  show: (record: number, code: number, at: number) => void,
): void {
  const { words } = columns.files[file]!;
  const ranges = columns.keptRanges.get(section);
  forEachRecord(columns, file, section, (record, code) => {
    const at = offsetIn(ranges, words[record]!);
    if (at >= 0 && columns.symbolOf[columns.firstElfSymbol[file]! + words[record + 3]!]! >= 0) show(record, code, at);
  });
}

/** The last group that starts at or before an offset; -1 for none. */
function groupAt(groups: readonly Group[], at: number): number {
  let [low, high] = [0, groups.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (groups[middle]!.start <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function cut(columns: Columns, file: number, section: SectionRow, groups: readonly Group[], added: Added): Part[] {
  const { words } = columns.files[file]!;
  /** The records of each group, as pairs of record and code. */
  const recordsOf = new Map<number, number[]>();
  forEachPlaced(columns, file, section, (record, code, at) => {
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

/** The columns of sections, with one row for each part. */
function sectionColumns(columns: Columns, parts: readonly Part[]): Partial<Columns> {
  const column = (of: (part: Part) => number): Int32Array => Int32Array.from(parts, of);
  const records = (key: keyof Records) =>
    column(({ section, group, records }) => (group === undefined ? columns[key][section]! : (records?.[key] ?? 0)));
  const keptRanges = new Map<SectionRow, KeptRanges>();
  const rangesOf = createRangesFinder(columns);
  parts.forEach(({ section, group }, i) => {
    const before = columns.keptRanges.get(section);
    const hasBytes = columns.role[section] === ROLE.globalInit || columns.role[section] === ROLE.constant;
    if (group !== undefined && hasBytes) keptRanges.set(i, rangesOf(section, group));
    else if (group === undefined && before !== undefined) keptRanges.set(i, before);
  });
  return {
    keptRanges,
    role: Uint8Array.from(parts, ({ section }) => columns.role[section]!),
    codeProperties: Uint16Array.from(parts, ({ section }) => columns.codeProperties[section]!),
    owner: column(({ section }) => columns.owner[section]!),
    contentsAt: column(({ section }) => columns.contentsAt[section]!),
    runs: records("runs"),
    rel: records("rel"),
    relEnd: records("relEnd"),
    rela: records("rela"),
    relaEnd: records("relaEnd"),
    size: Float64Array.from(parts, ({ section, group }) =>
      group === undefined ? columns.size[section]! : group.end - group.start,
    ),
    align: Float64Array.from(parts, ({ section, group }) => group?.align ?? columns.align[section]!),
  };
}

/** Returns a function that finds the bytes of groups in their file. Call it section by section, and for groups in order. */
function createRangesFinder({ keptRanges }: Columns): (section: SectionRow, group: Group) => KeptRanges {
  let last = -1;
  /** The section's ranges: start, end and current offset, sorted by the latter. */
  let sorted: (readonly [from: number, to: number, now: number])[] = [];
  let next = 0;
  return (section, { start, end }) => {
    const ranges = keptRanges.get(section);
    if (start === end) return [];
    if (ranges === undefined) return [start, end, 0];
    if (section !== last) {
      last = section;
      next = 0;
      sorted = Array.from({ length: ranges.length / 3 }, (_, i) => [
        ranges[3 * i]!,
        ranges[3 * i + 1]!,
        ranges[3 * i + 2]!,
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
