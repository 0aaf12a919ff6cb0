// Pass: the columns without dead definitions, for --gc-sections. Each module becomes what the assembler would have made of it
// without them: the same placement over fewer variables. Every later pass then works as if they had never existed, and removing
// the dead code by hand gives the same bytes.
// A definition that lost becomes a declaration if live code of its module refers to the name, and is dropped otherwise. Rows are
// renumbered; bytes remain in their files, and sections without some of their variables have retained ranges
// (../tables/pieces.ts).
// Rejected: omitting dead definitions while sections are joined, as linkers of native objects do; their holes would remain.

import type { PlainLiveness } from "./live.js";
import type { Members } from "../tables/members.js";
import type { Pieces } from "../tables/pieces.js";
import { placeAnew } from "./prune-data.js";
import { INITIALISED, isDataRole, ROLE } from "../tables/codes.js";
import { resolveLeft, type MergedRow, type PlainResolution, type Collected } from "../names/resolve.js";
import { alignOfShape, realigned } from "../tables/shapes.js";
import { stillTaken } from "./taken.js";
import {
  isCommon,
  isFunction,
  isOwnReference,
  isVariable,
  LINKAGE,
  type SectionRow,
  type SymbolRow,
  type Tables,
} from "../tables/tables.js";

/** What is left of the tables; names still mean what they meant. */
export function prunePlain(
  tables: Tables,
  resolution: PlainResolution,
  liveness: PlainLiveness,
  members: Members,
): Collected {
  const beside = besideCommons(tables, resolution);
  const fates = findFates(tables, resolution, liveness, beside);
  const isDefined = (row: SymbolRow): boolean => fates[row] === FATE.defined;
  const symbols = keep(tables.firstSymbol, (row) => fates[row] !== FATE.gone);
  const left = keepMembers(members, isDefined);
  const sections = keep(tables.firstSection, (row) => isLeft(tables, row, left, isDefined));
  const modules = keepModules(tables, fates);
  const pruned: Tables = {
    ...tables,
    isPruned: true,
    ...pruneSymbols(tables, symbols, sections, modules),
    ...pruneSections(tables, sections, symbols, isDefined),
    ...pruneModules(tables, modules),
    ...pruneFew(tables, symbols, modules, isDefined),
  };
  symbols.rows.forEach((before, row) => {
    if (fates[before] === FATE.declared && (tables.place[before]! >= 0 || isCommon(tables, before)))
      declare(pruned, row);
    if (pruned.module[row]! >= 0) return;
    // Of a module that is gone, a declaration counts as that of the one it stays for.
    const holder = liveness.referrer[before]! < 0 ? beside.get(before)! : liveness.referrer[before]!;
    pruned.module[row] = modules.numberOf[tables.module[holder]!]!;
    pruned.line[row] = tables.line[holder]!;
    pruned.column[row] = tables.column[holder]!;
  });
  completeCommons(tables, resolution, pruned, symbols);
  alignOpen(tables, resolution, pruned, symbols);
  const moved = new Map<SectionRow, Pieces>();
  for (let file = 0; file < tables.files.length; file++) {
    const isJoined = tables.firstModule[file + 1]! - tables.firstModule[file]! > 1;
    for (let section = pruned.firstSection[file]!; section < pruned.firstSection[file + 1]!; section++) {
      const before = sections.rows[section]!;
      const own = left.rows.subarray(left.start[before], left.start[before + 1]);
      const isWhole = own.length === members.start[before + 1]! - members.start[before]!;
      // What -r has joined may have bytes of symbols that it left out.
      if (!isDataRole(tables.role[before]!) || (isWhole && !isJoined)) continue;
      const variables = own.map((row) => symbols.numberOf[row]!);
      moved.set(section, placeAnew(pruned, section, variables, isJoined));
    }
  }
  const placed = { ...pruned, moved };
  return {
    tables: { ...placed, taken: stillTaken(placed) },
    resolution: resolveLeft(placed, resolution, symbols.rows),
  };
}

/** By name, the first `.common` variable, which represents all of them. */
function firstCommons(
  tables: Tables,
  { mergedOf, chosen }: Pick<PlainResolution, "mergedOf" | "chosen">,
): ReadonlyMap<MergedRow, SymbolRow> {
  const firsts = new Map<MergedRow, SymbolRow>();
  for (let row = 0; tables.rare.common > 0 && row < mergedOf.length; row++) {
    const merged = mergedOf[row]!;
    if (isCommon(tables, row) && isCommon(tables, chosen[merged]!) && !firsts.has(merged)) firsts.set(merged, row);
  }
  return firsts;
}

function completeCommons(tables: Tables, resolution: PlainResolution, pruned: Tables, { numberOf }: Kept): void {
  for (const [merged, first] of firstCommons(tables, resolution)) {
    const left = numberOf[first]!;
    if (left < 0) continue;
    const whole = resolution.chosen[merged]!;
    pruned.shape[left] = tables.shape[whole]!;
    pruned.flags[left] = tables.flags[whole]!;
    pruned.code[left] = tables.code[whole]!;
  }
}

/** Of what nothing defines, and of `.common` variables, dead declarations have their say in the alignment, too. */
function alignOpen(tables: Tables, { mergedOf, chosen }: PlainResolution, pruned: Tables, { numberOf }: Kept): void {
  const { shapes, shape, place } = tables;
  const aligns = new Map<MergedRow, number>();
  const isWaiting = (row: SymbolRow): boolean => place[chosen[mergedOf[row]!]!]! < 0 && isVariable(tables, row);
  for (let row = 0; row < mergedOf.length; row++) {
    if (!isWaiting(row)) continue;
    const align = alignOfShape(shapes, shape[row]!);
    aligns.set(mergedOf[row]!, Math.max(align, aligns.get(mergedOf[row]!) ?? 1));
  }
  for (let row = 0; aligns.size > 0 && row < mergedOf.length; row++) {
    const left = numberOf[row]!;
    if (left >= 0 && isWaiting(row))
      pruned.shape[left] = realigned(shapes, pruned.shape[left]!, aligns.get(mergedOf[row]!)!);
  }
}

/** The fate of a symbol: dropped; reduced to a declaration, of a defined or of an undefined symbol; or kept as a definition. */
const FATE = { gone: 0, declared: 1, open: 2, defined: 3 } as const;

/** Pairs of -r: the declaration that precedes a .common variable, and that variable. */
function besideCommons(tables: Tables, { mergedOf }: PlainResolution): ReadonlyMap<SymbolRow, SymbolRow> {
  const { firstModule, firstSymbol } = tables;
  const beside = new Map<SymbolRow, SymbolRow>();
  for (let file = 0; tables.rare.common > 0 && file < tables.files.length; file++) {
    if (firstModule[file + 1]! - firstModule[file]! === 1) continue;
    const [start, end] = [firstSymbol[file]!, firstSymbol[file + 1]!];
    const commons = new Map<MergedRow, SymbolRow>();
    for (let row = start; row < end; row++) if (isCommon(tables, row)) commons.set(mergedOf[row]!, row);
    for (let row = start; row < end; row++) {
      const common = isDeclared(tables, row) ? commons.get(mergedOf[row]!) : undefined;
      if (common !== undefined) beside.set(row, common);
    }
  }
  return beside;
}

/** Whether it is no definition of any kind. */
const isDeclared = (tables: Tables, row: SymbolRow): boolean =>
  tables.place[row]! < 0 && !isCommon(tables, row) && !isOwnReference(tables, row);

function findFates(
  tables: Tables,
  { mergedOf, chosen }: PlainResolution,
  { live, referrer }: PlainLiveness,
  beside: ReadonlyMap<SymbolRow, SymbolRow>,
): Uint8Array {
  const fates = new Uint8Array(mergedOf.length);
  const firsts = firstCommons(tables, { mergedOf, chosen });
  for (let row = 0; row < fates.length; row++) {
    const merged = mergedOf[row]!;
    if (live[merged] === 0) continue;
    const isChosen = chosen[merged] === row;
    // Common ones are one together, of which each module has its own.
    const isOneCommon = isCommon(tables, row) && isCommon(tables, chosen[merged]!);
    if (isOneCommon) {
      if (referrer[row]! >= 0 || firsts.get(merged) === row) fates[row] = FATE.defined;
      continue;
    }
    const isAwaited = beside.has(row) && isCommon(tables, chosen[merged]!);
    if (isOwnReference(tables, row) || (isChosen && tables.place[row]! >= 0)) fates[row] = FATE.defined;
    else if (isChosen || isAwaited || referrer[row]! >= 0)
      fates[row] = isDeclared(tables, chosen[merged]!) ? FATE.open : FATE.declared;
  }
  return fates;
}

/** The definition of a symbol of these tables becomes a declaration. */
function declare(tables: Tables, row: SymbolRow): void {
  const { code, flags, place, offset } = tables;
  if (!isFunction(tables, row)) flags[row]! &= ~INITIALISED;
  code[row] = (code[row]! & 0xf0) | LINKAGE.extern;
  place[row] = -1;
  offset[row] = 0;
}

// ----------------------------------------------------------------------------------------------------------------- rows

interface Kept {
  /** The rows before, by what they are now. */
  readonly rows: Int32Array;
  /** The rows now, by what they were; -1 for those that are gone. */
  readonly numberOf: Int32Array;
  /** Of each file, and behind the last one of the last. */
  readonly first: Int32Array;
}

/** `before`: the first row of each file, and behind the last one of the last. */
function keep(before: Int32Array, isKept: (row: number) => boolean): Kept {
  const numberOf = new Int32Array(before.at(-1)!).fill(-1);
  const first = new Int32Array(before.length);
  const rows = new Int32Array(numberOf.length);
  let count = 0;
  for (let file = 0; file + 1 < before.length; file++) {
    for (let row = before[file]!; row < before[file + 1]!; row++) {
      if (!isKept(row)) continue;
      numberOf[row] = count;
      rows[count++] = row;
    }
    first[file + 1] = count;
  }
  return { rows: rows.slice(0, count), numberOf, first };
}

function keepMembers({ rows, start }: Members, isKept: (row: SymbolRow) => boolean): Members {
  const kept = new Int32Array(rows.length);
  const first = new Int32Array(start.length);
  let count = 0;
  for (let section = 0; section + 1 < start.length; section++) {
    for (let i = start[section]!; i < start[section + 1]!; i++) if (isKept(rows[i]!)) kept[count++] = rows[i]!;
    first[section + 1] = count;
  }
  return { rows: kept.subarray(0, count), start: first };
}

/** Whether anything is left of a section. */
function isLeft(
  { role, owner }: Tables,
  section: SectionRow,
  { start }: Members,
  isDefined: (row: SymbolRow) => boolean,
): boolean {
  if (role[section] === ROLE.text) return isDefined(owner[section]!);
  if (start[section + 1] === start[section]) return false;
  return true;
}

/** Modules of which something is left. */
function keepModules({ firstModule, module }: Tables, fates: Uint8Array): Kept {
  const isUsed = new Uint8Array(firstModule.at(-1)!);
  for (let row = 0; row < fates.length; row++)
    if (fates[row] === FATE.defined || fates[row] === FATE.open) isUsed[module[row]!] = 1;
  return keep(firstModule, (row) => isUsed[row] !== 0);
}

// -------------------------------------------------------------------------------------------------------------- columns

type Column = Float64Array | Int32Array | Uint8Array | Uint16Array;

/** A column's values in these rows. */
function pick<T extends Column>(column: T, rows: Int32Array): T {
  const picked = column.slice(0, rows.length) as T;
  for (let row = 0; row < rows.length; row++) picked[row] = column[rows[row]!]!;
  return picked;
}

/** The same of a column of rows, which have other numbers now; -1 stays. */
function pickRows(column: Int32Array, rows: Int32Array, { numberOf }: Kept): Int32Array {
  const picked = pick(column, rows);
  for (let row = 0; row < rows.length; row++) if (picked[row]! >= 0) picked[row] = numberOf[picked[row]!]!;
  return picked;
}

function pruneSymbols(tables: Tables, { rows, numberOf, first }: Kept, sections: Kept, modules: Kept) {
  const symbolOf = tables.symbolOf.slice();
  for (let elf = 0; elf < symbolOf.length; elf++) if (symbolOf[elf]! >= 0) symbolOf[elf] = numberOf[symbolOf[elf]!]!;
  return {
    firstSymbol: first,
    symbolOf,
    name: pick(tables.name, rows),
    code: pick(tables.code, rows),
    flags: pick(tables.flags, rows),
    shape: pick(tables.shape, rows),
    place: pickRows(tables.place, rows, sections),
    offset: pick(tables.offset, rows),
    module: pickRows(tables.module, rows, modules),
    line: pick(tables.line, rows),
    column: pick(tables.column, rows),
  };
}

function pruneSections(tables: Tables, { rows, first }: Kept, symbols: Kept, isDefined: (row: SymbolRow) => boolean) {
  const [role, owner] = [pick(tables.role, rows), pickRows(tables.owner, rows, symbols)];
  rows.forEach((before, row) => {
    if (role[row] !== ROLE.shared || isDefined(tables.owner[before]!)) return;
    // Shared memory of a dead kernel's body is the module's.
    role[row] = ROLE.moduleShared;
    owner[row] = -1;
  });
  return {
    firstSection: first,
    role,
    owner,
    at: pick(tables.at, rows),
    size: pick(tables.size, rows),
    align: pick(tables.align, rows),
    rel: pick(tables.rel, rows),
    relEnd: pick(tables.relEnd, rows),
    rela: pick(tables.rela, rows),
    relaEnd: pick(tables.relaEnd, rows),
    facts: pick(tables.facts, rows),
    runs: pick(tables.runs, rows),
  };
}

function pruneModules({ modules, moduleStart, moduleVersion, otherTargets }: Tables, { rows, first }: Kept) {
  const words: number[] = [];
  const starts: number[] = [];
  for (const row of rows) {
    starts.push(words.length);
    for (let at = moduleStart[row]!; at < (moduleStart[row + 1] ?? modules.length); at++) words.push(modules[at]!);
  }
  return {
    firstModule: first,
    modules: words,
    moduleStart: starts,
    moduleVersion: Array.from(rows, (row) => moduleVersion[row]!),
    otherTargets: new Map([...otherTargets].filter(([file]) => first[file]! < first[file + 1]!)),
  };
}

/** What files have few of. */
function pruneFew(tables: Tables, symbols: Kept, modules: Kept, isDefined: (row: SymbolRow) => boolean) {
  const { owner, place } = tables;
  const numberOf = (row: SymbolRow): SymbolRow => symbols.numberOf[row]!;
  /** What code says, under whose it is. `target`: -1 where it is gone. */
  const ofCode = (pairs: readonly number[], target: (other: number) => number): number[] => {
    const kept: number[] = [];
    for (let i = 0; i < pairs.length; i += 2) {
      const from = place[pairs[i]!]! < 0 ? -1 : owner[place[pairs[i]!]!]!;
      const other = from === pairs[i] && isDefined(from) ? target(pairs[i + 1]!) : -1;
      if (other >= 0) kept.push(numberOf(from), other);
    }
    return kept;
  };
  return {
    kernels: tables.kernels.filter(isDefined).map(numberOf),
    calls: ofCode(tables.calls, numberOf),
    addressUses: ofCode(tables.addressUses, numberOf),
    indirectCalls: ofCode(tables.indirectCalls, (text) => text),
    taken: tables.taken.map(numberOf).filter((row) => row >= 0),
    debug: tables.debug.flatMap((each) => {
      const module = modules.numberOf[each.module]!;
      return module < 0 ? [] : [{ ...each, module }];
    }),
  };
}
