// Pass: --export and --localize, after names are resolved, as llvm's internalize is: what modules refer to in each other stays
// connected, and only what hosts, later links and --gc-sections see of a definition changes. Variables of a function's own keep to
// that function. Messages are in ../../names/visibility.ts.
// Rejected: version scripts, whose one use here is this.

import { compileRules, NO_IDLE_RULES, type IdleRules, type VisibilityRule } from "../../names/visibility-rules.js";
import { HAS_SCOPE } from "../tables/codes.js";
import type { Collected, MergedRow } from "../names/resolve.js";
import { isCommon, isEntry, isFunction, LINKAGE, linkageOf, type SymbolRow, type Tables } from "../tables/tables.js";
import { textOf, type TextId } from "../tables/texts.js";

/** The visible symbols after these options, and the diagnostics. */
export interface PlainVisible extends Collected {
  /** Rules that fit nothing. */
  readonly idle: IdleRules;
  /** What others see by a name that something else has, too. */
  readonly doubled: readonly MergedRow[];
}

/** The tables with other linkages; `leavesCommons`: a later link places `.common` variables. */
export function setPlainVisibility(
  resolved: Collected,
  given: readonly VisibilityRule[],
  leavesCommons: boolean,
): PlainVisible {
  if (given.length === 0) return { ...resolved, idle: NO_IDLE_RULES, doubled: [] };
  const { tables, resolution } = resolved;
  const rules = compileRules(given);
  const code = tables.code.slice();
  for (let row = 0; row < resolution.count; row++) {
    const symbol = resolution.chosen[row]!;
    if (!isChangeable(tables, symbol, leavesCommons)) continue;
    const name = textOf(tables.texts, tables.name[symbol]!);
    const isKernel = isFunction(tables, symbol) && isEntry(tables, symbol);
    const linkage = rules.linkageOf(name, isKernel, linkageOf(tables, symbol) === LINKAGE.static);
    if (linkage !== undefined) code[symbol] = (code[symbol]! & 0xf0) | LINKAGE[linkage];
  }
  const changed = { ...tables, code };
  const byName = new Int32Array(tables.texts.count).fill(-1);
  const doubled = new Set<TextId>();
  forEachSeen({ tables: changed, resolution }, (row, name) => {
    if (byName[name]! < 0) byName[name] = row;
    else doubled.add(name);
  });
  const rows: MergedRow[] = [];
  if (doubled.size > 0)
    forEachSeen({ tables: changed, resolution }, (row, name) => void (doubled.has(name) && rows.push(row)));
  return { tables: changed, resolution: { ...resolution, byName }, idle: rules.idle(), doubled: rows };
}

/** Shows what others see, with its name. */
function forEachSeen(
  { tables, resolution: { count, chosen } }: Collected,
  show: (row: MergedRow, name: TextId) => void,
): void {
  for (let row = 0; row < count; row++) {
    const symbol = chosen[row]!;
    if (linkageOf(tables, symbol) !== LINKAGE.static) show(row, tables.name[symbol]!);
  }
}

/** The names of what rules may change. */
export function* changeable({ tables, resolution: { count, chosen } }: Collected, leavesCommons: boolean) {
  for (let row = 0; row < count; row++) {
    const symbol = chosen[row]!;
    if (isChangeable(tables, symbol, leavesCommons)) yield { name: textOf(tables.texts, tables.name[symbol]!) };
  }
}

/** A definition, but none of a function's own, and no `.common` variable that a later link places. */
const isChangeable = (tables: Tables, symbol: SymbolRow, leavesCommons: boolean): boolean =>
  (isCommon(tables, symbol) && !leavesCommons) ||
  (tables.place[symbol]! >= 0 && (isFunction(tables, symbol) || (tables.flags[symbol]! & HAS_SCOPE) === 0));
