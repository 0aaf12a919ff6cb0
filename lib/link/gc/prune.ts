// Pass: removes dead definitions from the columns, for --gc-sections. Each module becomes what the assembler would have made
// without them: the same placement over fewer variables. Every later pass then works as if they had never existed, and removing
// the dead code by hand gives the same bytes.
// A definition that lost becomes a declaration if live code of its module refers to the name, and is dropped otherwise. Rows are
// renumbered; bytes remain in their files, and sections without some of their variables have kept ranges
// (../../object/columns/kept-ranges.ts).
// Rejected: omitting dead definitions while sections are joined, as linkers of native objects do; their holes would remain.

import { INITIALISED } from "../../object/file/declaration-codes.js";
import type { Liveness } from "./mark-live.js";
import type { Members } from "../../object/columns/section-variables.js";
import type { KeptRanges } from "../../object/columns/kept-ranges.js";
import { placeRemaining } from "./prune-data.js";
import { isDataRole, ROLE } from "../../object/columns/codes.js";
import { resolveRemaining, type MergedRow, type Resolution, type ResolvedColumns } from "../resolve/resolve.js";
import { alignOfType, withAlignment } from "../../object/columns/types.js";
import { stillAddressTaken } from "./address-taken.js";
import {
  isCommon,
  isFunction,
  isReferenceDefinition,
  isVariable,
  LINKAGE,
  type SectionRow,
  type SymbolRow,
  type Columns,
} from "../../object/columns/columns.js";

/** The columns without dead definitions; names keep their meanings. */
export function pruneDead(
  columns: Columns,
  resolution: Resolution,
  liveness: Liveness,
  members: Members,
): ResolvedColumns {
  const predecessors = predecessorsOfCommons(columns, resolution);
  const outcomes = findOutcomes(columns, resolution, liveness, predecessors);
  const isDefined = (row: SymbolRow): boolean => outcomes[row] === OUTCOME.defined;
  const symbols = keepRows(columns.firstSymbol, (row) => outcomes[row] !== OUTCOME.removed);
  const left = keepMembers(members, isDefined);
  const sections = keepRows(columns.firstSection, (row) => isSectionLive(columns, row, left, isDefined));
  const modules = keepModules(columns, outcomes);
  const pruned: Columns = {
    ...columns,
    isPruned: true,
    ...pruneSymbols(columns, symbols, sections, modules),
    ...pruneSections(columns, sections, symbols, isDefined),
    ...pruneModules(columns, modules),
    ...pruneLists(columns, symbols, modules, isDefined),
  };
  symbols.rows.forEach((before, row) => {
    if (outcomes[before] === OUTCOME.declaredOnly && (columns.sectionOf[before]! >= 0 || isCommon(columns, before)))
      declare(pruned, row);
    if (pruned.module[row]! >= 0) return;
    // The module of a declaration was removed: assign it to the module of the symbol that needs it.
    const holder = liveness.referrer[before]! < 0 ? predecessors.get(before)! : liveness.referrer[before]!;
    pruned.module[row] = modules.numberOf[columns.module[holder]!]!;
    pruned.line[row] = columns.line[holder]!;
    pruned.column[row] = columns.column[holder]!;
  });
  completeCommons(columns, resolution, pruned, symbols);
  alignUndefined(columns, resolution, pruned, symbols);
  const keptRanges = new Map<SectionRow, KeptRanges>();
  for (let file = 0; file < columns.files.length; file++) {
    const isJoined = columns.firstModule[file + 1]! - columns.firstModule[file]! > 1;
    for (let section = pruned.firstSection[file]!; section < pruned.firstSection[file + 1]!; section++) {
      const before = sections.rows[section]!;
      const own = left.rows.subarray(left.start[before], left.start[before + 1]);
      const isWhole = own.length === members.start[before + 1]! - members.start[before]!;
      // Sections joined by -r may contain bytes of symbols that -r omitted.
      if (!isDataRole(columns.role[before]!) || (isWhole && !isJoined)) continue;
      const variables = own.map((row) => symbols.numberOf[row]!);
      keptRanges.set(section, placeRemaining(pruned, section, variables, isJoined));
    }
  }
  const placed: Columns = { ...pruned, keptRanges };
  return {
    columns: { ...placed, addressTaken: stillAddressTaken(placed) },
    resolution: resolveRemaining(placed, resolution, symbols.rows),
  };
}

/** The first `.common` variable of each name, which represents all of them. */
function firstCommons(
  columns: Columns,
  { mergedOf, chosen }: Pick<Resolution, "mergedOf" | "chosen">,
): ReadonlyMap<MergedRow, SymbolRow> {
  const firsts = new Map<MergedRow, SymbolRow>();
  for (let row = 0; columns.featureCounts.common > 0 && row < mergedOf.length; row++) {
    const merged = mergedOf[row]!;
    if (isCommon(columns, row) && isCommon(columns, chosen[merged]!) && !firsts.has(merged)) firsts.set(merged, row);
  }
  return firsts;
}

function completeCommons(columns: Columns, resolution: Resolution, pruned: Columns, { numberOf }: KeptRows): void {
  for (const [merged, first] of firstCommons(columns, resolution)) {
    const left = numberOf[first]!;
    if (left < 0) continue;
    const whole = resolution.chosen[merged]!;
    pruned.typeId[left] = columns.typeId[whole]!;
    pruned.flags[left] = columns.flags[whole]!;
    pruned.code[left] = columns.code[whole]!;
  }
}

/** Aligns undefined and `.common` variables as strictly as any declaration requires, dead ones included. */
function alignUndefined(
  columns: Columns,
  { mergedOf, chosen }: Resolution,
  pruned: Columns,
  { numberOf }: KeptRows,
): void {
  const { types, typeId, sectionOf } = columns;
  const aligns = new Map<MergedRow, number>();
  const isUnplaced = (row: SymbolRow): boolean => sectionOf[chosen[mergedOf[row]!]!]! < 0 && isVariable(columns, row);
  for (let row = 0; row < mergedOf.length; row++) {
    if (!isUnplaced(row)) continue;
    const align = alignOfType(types, typeId[row]!);
    aligns.set(mergedOf[row]!, Math.max(align, aligns.get(mergedOf[row]!) ?? 1));
  }
  for (let row = 0; aligns.size > 0 && row < mergedOf.length; row++) {
    const left = numberOf[row]!;
    if (left >= 0 && isUnplaced(row))
      pruned.typeId[left] = withAlignment(types, pruned.typeId[left]!, aligns.get(mergedOf[row]!)!);
  }
}

/**
 * The outcome for a symbol: dropped; reduced to a declaration, of a defined or of an undefined symbol; or kept as a definition.
 */
const OUTCOME = { removed: 0, declaredOnly: 1, stillUndefined: 2, defined: 3 } as const;

/** In objects of -r: each declaration that precedes a .common variable, with that variable. */
function predecessorsOfCommons(columns: Columns, { mergedOf }: Resolution): ReadonlyMap<SymbolRow, SymbolRow> {
  const { firstModule, firstSymbol } = columns;
  const beside = new Map<SymbolRow, SymbolRow>();
  for (let file = 0; columns.featureCounts.common > 0 && file < columns.files.length; file++) {
    if (firstModule[file + 1]! - firstModule[file]! === 1) continue;
    const [start, end] = [firstSymbol[file]!, firstSymbol[file + 1]!];
    const commons = new Map<MergedRow, SymbolRow>();
    for (let row = start; row < end; row++) if (isCommon(columns, row)) commons.set(mergedOf[row]!, row);
    for (let row = start; row < end; row++) {
      const common = isDeclared(columns, row) ? commons.get(mergedOf[row]!) : undefined;
      if (common !== undefined) beside.set(row, common);
    }
  }
  return beside;
}

/** Whether the symbol is only a declaration. */
const isDeclared = (columns: Columns, row: SymbolRow): boolean =>
  columns.sectionOf[row]! < 0 && !isCommon(columns, row) && !isReferenceDefinition(columns, row);

function findOutcomes(
  columns: Columns,
  { mergedOf, chosen }: Resolution,
  { live, referrer }: Liveness,
  beside: ReadonlyMap<SymbolRow, SymbolRow>,
): Uint8Array {
  const outcomes = new Uint8Array(mergedOf.length);
  const firsts = firstCommons(columns, { mergedOf, chosen });
  for (let row = 0; row < outcomes.length; row++) {
    const merged = mergedOf[row]!;
    if (live[merged] === 0) continue;
    const isChosen = chosen[merged] === row;
    // Common definitions of one name are one variable, which each module declares.
    const isOneCommon = isCommon(columns, row) && isCommon(columns, chosen[merged]!);
    if (isOneCommon) {
      if (referrer[row]! >= 0 || firsts.get(merged) === row) outcomes[row] = OUTCOME.defined;
      continue;
    }
    const isAwaited = beside.has(row) && isCommon(columns, chosen[merged]!);
    if (isReferenceDefinition(columns, row) || (isChosen && columns.sectionOf[row]! >= 0))
      outcomes[row] = OUTCOME.defined;
    else if (isChosen || isAwaited || referrer[row]! >= 0)
      outcomes[row] = isDeclared(columns, chosen[merged]!) ? OUTCOME.stillUndefined : OUTCOME.declaredOnly;
  }
  return outcomes;
}

/** Turns the definition of a symbol into a declaration, in these columns. */
function declare(columns: Columns, row: SymbolRow): void {
  const { code, flags, sectionOf, offset } = columns;
  if (!isFunction(columns, row)) flags[row]! &= ~INITIALISED;
  code[row] = (code[row]! & 0xf0) | LINKAGE.extern;
  sectionOf[row] = -1;
  offset[row] = 0;
}

// ----------------------------------------------------------------------------------------------------------------- rows

interface KeptRows {
  /** The old row of each new row. */
  readonly rows: Int32Array;
  /** The new row of each old row; -1 for removed rows. */
  readonly numberOf: Int32Array;
  /** First row of each file, and the end. */
  readonly first: Int32Array;
}

/** `before`: first row of each file, and the end. */
function keepRows(before: Int32Array, isKept: (row: number) => boolean): KeptRows {
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

/** Whether anything of a section remains. */
function isSectionLive(
  { role, owner }: Columns,
  section: SectionRow,
  { start }: Members,
  isDefined: (row: SymbolRow) => boolean,
): boolean {
  if (role[section] === ROLE.text) return isDefined(owner[section]!);
  if (start[section + 1] === start[section]) return false;
  return true;
}

/** The modules of which anything remains. */
function keepModules({ firstModule, module }: Columns, outcomes: Uint8Array): KeptRows {
  const isUsed = new Uint8Array(firstModule.at(-1)!);
  for (let row = 0; row < outcomes.length; row++)
    if (outcomes[row] === OUTCOME.defined || outcomes[row] === OUTCOME.stillUndefined) isUsed[module[row]!] = 1;
  return keepRows(firstModule, (row) => isUsed[row] !== 0);
}

// -------------------------------------------------------------------------------------------------------------- columns

type Column = Float64Array | Int32Array | Uint8Array | Uint16Array;

/** The values of a column in these rows. */
function pick<T extends Column>(column: T, rows: Int32Array): T {
  const picked = column.slice(0, rows.length) as T;
  for (let row = 0; row < rows.length; row++) picked[row] = column[rows[row]!]!;
  return picked;
}

/** The same for a column of row numbers, which are renumbered; -1 stays. */
function pickRows(column: Int32Array, rows: Int32Array, { numberOf }: KeptRows): Int32Array {
  const picked = pick(column, rows);
  for (let row = 0; row < rows.length; row++) if (picked[row]! >= 0) picked[row] = numberOf[picked[row]!]!;
  return picked;
}

function pruneSymbols(
  columns: Columns,
  { rows, numberOf, first }: KeptRows,
  sections: KeptRows,
  modules: KeptRows,
): Partial<Columns> {
  const symbolOf = columns.symbolOf.slice();
  for (let elf = 0; elf < symbolOf.length; elf++) if (symbolOf[elf]! >= 0) symbolOf[elf] = numberOf[symbolOf[elf]!]!;
  return {
    firstSymbol: first,
    symbolOf,
    name: pick(columns.name, rows),
    code: pick(columns.code, rows),
    flags: pick(columns.flags, rows),
    typeId: pick(columns.typeId, rows),
    sectionOf: pickRows(columns.sectionOf, rows, sections),
    offset: pick(columns.offset, rows),
    module: pickRows(columns.module, rows, modules),
    line: pick(columns.line, rows),
    column: pick(columns.column, rows),
  };
}

function pruneSections(
  columns: Columns,
  { rows, first }: KeptRows,
  symbols: KeptRows,
  isDefined: (row: SymbolRow) => boolean,
): Partial<Columns> {
  const [role, owner] = [pick(columns.role, rows), pickRows(columns.owner, rows, symbols)];
  rows.forEach((before, row) => {
    if (role[row] !== ROLE.shared || isDefined(columns.owner[before]!)) return;
    // Shared memory of a dead kernel's body becomes the module's.
    role[row] = ROLE.moduleShared;
    owner[row] = -1;
  });
  return {
    firstSection: first,
    role,
    owner,
    contentsAt: pick(columns.contentsAt, rows),
    size: pick(columns.size, rows),
    align: pick(columns.align, rows),
    rel: pick(columns.rel, rows),
    relEnd: pick(columns.relEnd, rows),
    rela: pick(columns.rela, rows),
    relaEnd: pick(columns.relaEnd, rows),
    codeProperties: pick(columns.codeProperties, rows),
    runs: pick(columns.runs, rows),
  };
}

function pruneModules(
  { modules, moduleStart, moduleVersion, otherTargets }: Columns,
  { rows, first }: KeptRows,
): Partial<Columns> {
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

/** Renumbers the short lists of the columns. */
function pruneLists(
  columns: Columns,
  symbols: KeptRows,
  modules: KeptRows,
  isDefined: (row: SymbolRow) => boolean,
): Partial<Columns> {
  const { owner, sectionOf } = columns;
  const numberOf = (row: SymbolRow): SymbolRow => symbols.numberOf[row]!;
  /** Pairs of a code's function and another number; pairs of removed code are dropped. `target`: -1 for a removed target. */
  const ofCode = (pairs: readonly number[], target: (other: number) => number): number[] => {
    const kept: number[] = [];
    for (let i = 0; i < pairs.length; i += 2) {
      const from = sectionOf[pairs[i]!]! < 0 ? -1 : owner[sectionOf[pairs[i]!]!]!;
      const other = from === pairs[i] && isDefined(from) ? target(pairs[i + 1]!) : -1;
      if (other >= 0) kept.push(numberOf(from), other);
    }
    return kept;
  };
  return {
    kernels: columns.kernels.filter(isDefined).map(numberOf),
    calls: ofCode(columns.calls, numberOf),
    addressUses: ofCode(columns.addressUses, numberOf),
    indirectCalls: ofCode(columns.indirectCalls, (text) => text),
    addressTaken: columns.addressTaken.map(numberOf).filter((row) => row >= 0),
    debug: columns.debug.flatMap((each) => {
      const module = modules.numberOf[each.module]!;
      return module < 0 ? [] : [{ ...each, module }];
    }),
  };
}
