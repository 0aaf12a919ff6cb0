// Pass: --export and --localize, after names are resolved, like LLVM's internalize. References between modules stay resolved;
// only the visibility of a definition to hosts, later links and --gc-sections changes, by the rules of visibility-rules.ts.
// Variables declared in a function stay local to it. Messages are in ../messages/visibility.ts. Rejected: version scripts, whose
// only use here would be this.

import { HAS_SCOPE } from "../../object/file/declaration-codes.js";
import { compileRules, NO_IDLE_RULES, type IdleRules, type VisibilityRule } from "./visibility-rules.js";
import type { ResolvedColumns, MergedRow } from "./resolve.js";
import {
  isCommon,
  isEntry,
  isFunction,
  LINKAGE,
  linkageOf,
  type SymbolRow,
  type Columns,
} from "../../object/columns/columns.js";
import { stringOf, type StringId } from "../../object/columns/strings.js";

/** The symbols with their new visibility, and the diagnostics. */
export interface VisibleNames extends ResolvedColumns {
  /** Rules without a match. */
  readonly unusedRules: IdleRules;
  /** Visible symbols whose name another visible symbol has, too. */
  readonly ambiguousExports: readonly MergedRow[];
}

/** The columns with the new linkages; `keepsCommons`: whether a later link places `.common` variables. */
export function setVisibility(
  resolved: ResolvedColumns,
  given: readonly VisibilityRule[],
  leavesCommons: boolean,
): VisibleNames {
  if (given.length === 0) return { ...resolved, unusedRules: NO_IDLE_RULES, ambiguousExports: [] };
  const { columns, resolution } = resolved;
  const rules = compileRules(given);
  const code = columns.code.slice();
  for (let row = 0; row < resolution.count; row++) {
    const symbol = resolution.chosen[row]!;
    if (!isChangeable(columns, symbol, leavesCommons)) continue;
    const name = stringOf(columns.strings, columns.name[symbol]!);
    const isKernel = isFunction(columns, symbol) && isEntry(columns, symbol);
    const linkage = rules.linkageOf(name, isKernel, linkageOf(columns, symbol) === LINKAGE.static);
    if (linkage !== undefined) code[symbol] = (code[symbol]! & 0xf0) | LINKAGE[linkage];
  }
  const changed = { ...columns, code };
  const byName = new Int32Array(columns.strings.count).fill(-1);
  const doubled = new Set<StringId>();
  forEachSeen({ columns: changed, resolution }, (row, name) => {
    if (byName[name]! < 0) byName[name] = row;
    else doubled.add(name);
  });
  const rows: MergedRow[] = [];
  if (doubled.size > 0)
    forEachSeen({ columns: changed, resolution }, (row, name) => void (doubled.has(name) && rows.push(row)));
  return { columns: changed, resolution: { ...resolution, byName }, unusedRules: rules.idle(), ambiguousExports: rows };
}

/** Visits the visible symbols with their names. */
function forEachSeen(
  { columns, resolution: { count, chosen } }: ResolvedColumns,
  show: (row: MergedRow, name: StringId) => void,
): void {
  for (let row = 0; row < count; row++) {
    const symbol = chosen[row]!;
    if (linkageOf(columns, symbol) !== LINKAGE.static) show(row, columns.name[symbol]!);
  }
}

/** The names of symbols that rules may change. */
export function* changeable({ columns, resolution: { count, chosen } }: ResolvedColumns, leavesCommons: boolean) {
  for (let row = 0; row < count; row++) {
    const symbol = chosen[row]!;
    if (isChangeable(columns, symbol, leavesCommons)) yield { name: stringOf(columns.strings, columns.name[symbol]!) };
  }
}

/** Whether it is a definition outside functions, and not a `.common` variable that a later link allocates. */
const isChangeable = (columns: Columns, symbol: SymbolRow, leavesCommons: boolean): boolean =>
  (isCommon(columns, symbol) && !leavesCommons) ||
  (columns.sectionOf[symbol]! >= 0 && (isFunction(columns, symbol) || (columns.flags[symbol]! & HAS_SCOPE) === 0));
