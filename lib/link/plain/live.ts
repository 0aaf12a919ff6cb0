// What the roots of --gc-sections reach in a plain link (link.ts): live.ts over columns. Vertices are the symbols that names stand
// for; edges are the relocations of a function's code and of a variable's initial value, and a second name leads to its
// function. Linear in references, with a sort of the variables of each section that has some.

import { notPlain } from "./cursor.js";
import { byPlace, type Members } from "./members.js";
import { ROLE } from "./read-declared.js";
import type { MergedRow, PlainResolution } from "./resolve.js";
import { sizeOfShape } from "./shapes.js";
import { isFunction, sectionAt, sectionBytes, type SectionRow, type SymbolRow, type Tables } from "./tables.js";

export interface PlainLiveness {
  /** Of each merged symbol: 1 where a root reaches it. */
  readonly live: Uint8Array;
  /** Of each symbol of an object: 1 where live code or data of the object refers to it. */
  readonly referred: Uint8Array;
}

export function findPlainLive(
  tables: Tables,
  { count, chosen, mergedOf }: PlainResolution,
  roots: Iterable<MergedRow>,
  members: Members,
): PlainLiveness {
  const live = new Uint8Array(count);
  const referred = new Uint8Array(tables.firstSymbol.at(-1)!);
  const queue = new Int32Array(count);
  let end = 0;
  const reach = (row: MergedRow): void => {
    if (live[row] !== 0) return;
    live[row] = 1;
    queue[end++] = row;
  };
  for (const root of roots) reach(root);
  const values = valueReferences(tables, members);
  const fileOf = filesOfSections(tables);
  for (let next = 0; next < end; next++) {
    const symbol = chosen[queue[next]!]!;
    const place = tables.place[symbol]!;
    if (place < 0) continue;
    if (!isFunction(tables, symbol)) {
      for (let i = values.start[symbol]!; i < values.start[symbol + 1]!; i++) {
        const target = values.targets[i]!;
        referred[target] = 1;
        reach(mergedOf[target]!);
      }
      continue;
    }
    const owner = tables.owner[place]!;
    if (owner !== symbol) {
      if (chosen[mergedOf[owner]!] !== owner) notPlain("a second name of what was not chosen");
      reach(mergedOf[owner]!);
      continue;
    }
    forEachTarget(tables, fileOf[place]!, place, (_, target) => {
      referred[target] = 1;
      reach(mergedOf[target]!);
    });
  }
  return { live, referred };
}

/** The file of each section. */
export function filesOfSections({ files, firstSection }: Tables): Int32Array {
  const fileOf = new Int32Array(firstSection.at(-1)!);
  for (let file = 0; file < files.length; file++) fileOf.fill(file, firstSection[file]!, firstSection[file + 1]!);
  return fileOf;
}

/** Shows each relocation of a section: its offset, and the symbol of the object that it names. */
export function forEachTarget(
  tables: Tables,
  file: number,
  section: SectionRow,
  show: (offset: number, target: SymbolRow) => void,
): void {
  const plain = tables.files[file]!;
  const { words } = plain;
  const first = tables.firstElf[file]!;
  for (let table = 0; table < 2; table++) {
    const elf = (table === 0 ? tables.rel : tables.rela)[section]!;
    if (elf === 0) continue;
    const stride = table === 0 ? 4 : 6;
    const from = sectionAt(plain, elf) / 4;
    const end = from + sectionBytes(plain, elf) / 4;
    for (let at = from; at < end; at += stride) show(words[at]!, tables.symbolOf[first + words[at + 3]!]!);
  }
}

/** What the initial values of variables refer to, by variable: symbols of the same object. */
interface ValueReferences {
  readonly start: Int32Array;
  readonly targets: Int32Array;
}

function valueReferences(tables: Tables, members: Members): ValueReferences {
  const start = new Int32Array(tables.firstSymbol.at(-1)! + 1);
  /** Variable and target, one behind the other. */
  const pairs: number[] = [];
  for (let file = 0; file < tables.files.length; file++)
    for (let section = tables.firstSection[file]!; section < tables.firstSection[file + 1]!; section++) {
      if (tables.role[section] === ROLE.text || (tables.rel[section] === 0 && tables.rela[section] === 0)) continue;
      const variables = byPlace(tables, members.rows.subarray(members.start[section], members.start[section + 1]));
      let near = 0;
      forEachTarget(tables, file, section, (offset, target) => {
        near = holderOf(tables, variables, offset, near);
        const holder = variables[near]!;
        pairs.push(holder, target);
        start[holder + 1]!++;
      });
    }
  for (let row = 0; row + 1 < start.length; row++) start[row + 1]! += start[row]!;
  const targets = new Int32Array(pairs.length / 2);
  const next = start.slice();
  for (let i = 0; i < pairs.length; i += 2) targets[next[pairs[i]!]!++] = pairs[i + 1]!;
  return { start, targets };
}

/** Which of the variables has the byte at `offset`; most often that of the one before, or the next. */
function holderOf(
  { offset: offsets, shape, shapes }: Tables,
  variables: Int32Array,
  offset: number,
  near: number,
): number {
  const has = (i: number): boolean => {
    const variable = variables[i]!;
    return offsets[variable]! <= offset && offset < offsets[variable]! + sizeOfShape(shapes, shape[variable]!);
  };
  if (near < variables.length && has(near)) return near;
  let [low, high] = [0, variables.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (offsets[variables[middle]!]! <= offset) low = middle + 1;
    else high = middle;
  }
  return low > 0 && has(low - 1) ? low - 1 : notPlain("a reference of nobody");
}
