// `link -r`: joins several objects to one relocatable object; linking it gives the same result as linking them. Names are
// resolved among the inputs; externs, commons and weak definitions remain, so that a later definition can win.
// Each module's sections stay separate and complete, dead bytes included, because their offsets in an image depend on each one's
// alignment (../layout/layout.ts). So any grouping of the inputs leads to the same image, byte for byte. docs/linking.md,
// "Relocatable output".
// A replaced weak definition that still takes shared memory (../shared/shared.ts) precedes the one that replaced it. An `.extern`
// declaration precedes the `.common` variable that it currently refers to: its size is compared with later definitions. Symbols
// and sections of the object are numbers from 0 on.
// Rejected: joining sections of one name, as ld -r does: padding would depend on the grouping.

import { place } from "../../object/place.js";
import { splitShared } from "../shared/shared-order.js";
import { declaredCommons, findCommons, undefinedTypes } from "../resolve/commons.js";
import { keptRanges } from "../layout/layout.js";
import type { OutputObject } from "../../object/columns/write/output-object.js";
import type { OutputSection } from "../../object/columns/write/output-rows.js";
import { createOrdering, type Ordering } from "../layout/shared-input.js";
import { ROLE } from "../../object/columns/codes.js";
import { type MergedRow, type Resolution } from "../resolve/resolve.js";
import { alignOfType, sizeOfType, type TypeId } from "../../object/columns/types.js";
import {
  isFunction,
  LINKAGE,
  linkageOf,
  type SectionRow,
  type SymbolRow,
  type Columns,
  isSharedVariable,
} from "../../object/columns/columns.js";

export function linkPartially(columns: Columns, resolution: Resolution, beside = findPredecessors): OutputObject {
  const { count, mergedOf, chosen } = resolution;
  const others = beside(columns, resolution);
  const symbols: SymbolRow[] = [];
  const numbers = new Int32Array(count);
  for (let row = 0; row < count; row++) {
    const other = others.get(row);
    if (other !== undefined) symbols.push(other.symbol);
    numbers[row] = symbols.push(chosen[row]!) - 1;
  }
  const numberOf = (row: SymbolRow): number => numbers[mergedOf[row]!]!;
  const definitionOf = (row: SymbolRow): number => {
    const merged = mergedOf[row]!;
    if (chosen[merged] === row) return numbers[merged]!;
    return others.get(merged)?.symbol === row ? numbers[merged]! - 1 : -1;
  };
  const sectionOf = new Int32Array(symbols.length).fill(-1);
  const sections = joinSections(columns, symbols, { numberOf, definitionOf }, sectionOf);
  const { owner } = columns;
  const shapes = [...undefinedTypes(columns, resolution, () => true)].map(
    ([row, typeId]) => [numbers[row]!, typeId] as const,
  );
  const ofOthers = [...others].map(([row, { typeId }]) => [numbers[row]! - 1, typeId] as const);
  return {
    columns,
    symbols,
    commons: new Map([...findCommons(columns, resolution)].map(([row, common]) => [numbers[row]!, common])),
    undefinedTypes: new Map([...shapes, ...ofOthers]),
    outputSectionOf: sectionOf,
    sections,
    keptRanges: keptRanges(columns, resolution),
    shared: [],
    image: undefined,
    numberOf,
    definitionOf,
    codeOf: (row) => (columns.sectionOf[row]! >= 0 && owner[columns.sectionOf[row]!] === row ? definitionOf(row) : -1),
  };
}

/** The symbol that precedes the one that the name refers to, under the same name. */
interface Predecessor {
  readonly symbol: SymbolRow;
  readonly typeId: TypeId;
}

/** For each name, the symbol that a later link must know besides the chosen one. */
function findPredecessors(columns: Columns, resolution: Resolution): ReadonlyMap<MergedRow, Predecessor> {
  const { chosen, replaced } = resolution;
  const found = new Map<MergedRow, Predecessor>();
  // After --localize has made a symbol static, no later module replaces it or refers to it.
  const isSeen = (row: MergedRow): boolean => linkageOf(columns, chosen[row]!) !== LINKAGE.static;
  for (const [row, symbol] of replaced)
    if (isSeen(row) && (isFunction(columns, symbol) || isSharedVariable(columns, symbol)))
      found.set(row, { symbol, typeId: columns.typeId[symbol]! });
  for (const [row, other] of declaredCommons(columns, resolution)) if (isSeen(row)) found.set(row, other);
  return found;
}

/** The sections of the object: all, except code and uninitialised globals of weak definitions that lost, which no image needs. */
function joinSections(
  columns: Columns,
  symbols: readonly SymbolRow[],
  { numberOf, definitionOf }: Pick<OutputObject, "numberOf" | "definitionOf">,
  sectionOf: Int32Array,
): readonly OutputSection[] {
  const { files, firstSection, role, owner, sectionOf: place, size, align } = columns;
  const sections: OutputSection[] = [];
  const isUsed = new Uint8Array(firstSection.at(-1)!);
  for (const row of symbols) if (place[row]! >= 0) isUsed[place[row]!] = 1;
  /** The object's section for each input section that is kept whole; otherwise -1. */
  const whole = new Int32Array(firstSection.at(-1)!).fill(-1);
  const orderingOf = createOrdering(columns);
  for (let file = 0; file < files.length; file++) {
    let shared: SharedParts | undefined;
    for (let row = firstSection[file]!; row < firstSection[file + 1]!; row++) {
      const own = role[row]!;
      if (own === ROLE.shared || own === ROLE.moduleShared) {
        shared ??= sharedParts(orderingOf(file), definitionOf, columns.isPruned);
        for (const members of shared.get(row) ?? []) {
          for (const member of members) sectionOf[definitionOf(member)] = sections.length;
          const part = partOf(columns, members);
          sections.push({ role: own, row, owner: own === ROLE.shared ? kernelOf(owner[row]!) : -1, ...part });
        }
        continue;
      }
      const function_ = own === ROLE.text ? definitionOf(owner[row]!) : -1;
      if (own === ROLE.text ? function_ < 0 : own === ROLE.global && isUsed[row] === 0) continue;
      whole[row] = sections.push({ role: own, row, owner: function_, size: size[row]!, align: align[row]! }) - 1;
    }
  }
  /** The kernel that owns the memory: for one that lost, the chosen one. */
  function kernelOf(row: SymbolRow): number {
    const own = definitionOf(row);
    return own < 0 ? numberOf(row) : own;
  }
  symbols.forEach((row, number) => {
    if (sectionOf[number]! < 0 && place[row]! >= 0) sectionOf[number] = whole[place[row]!]!;
  });
  return sections;
}

/** For each section of shared memory, the parts that replace it, each as a list of variables. */
type SharedParts = ReadonlyMap<SectionRow, readonly (readonly SymbolRow[])[]>;

function sharedParts(
  ordering: Ordering | undefined,
  definitionOf: (row: SymbolRow) => number,
  isPruned: boolean,
): SharedParts {
  if (ordering === undefined) return new Map();
  const { object, rows, sections } = ordering;
  const split = splitShared(object, (index) => definitionOf(rows[index]!), isPruned);
  return new Map(
    Array.from(split, ([section, parts]) => [
      sections[section]!,
      parts.map((part) => part.map((index) => rows[index]!)),
    ]),
  );
}

function partOf({ types, typeId }: Columns, members: readonly SymbolRow[]): Pick<OutputSection, "align" | "size"> {
  const { align, size } = place(
    members.map((row) => ({ align: alignOfType(types, typeId[row]!), size: sizeOfType(types, typeId[row]!) })),
  );
  return { align, size };
}
