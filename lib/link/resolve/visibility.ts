// Pass: --export and --localize, after names are resolved, as llvm's internalize is: what modules refer to in each other stays
// connected, and only what hosts, later links and --gc-sections see of a definition changes. Variables of a function's own keep to
// that function. Messages are in ../messages/visibility.ts.
// Rejected: version scripts, whose one use here is this.

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

/** The visible symbols after these options, and the diagnostics. */
export interface VisibleNames extends ResolvedColumns {
  /** Rules that fit nothing. */
  readonly unusedRules: IdleRules;
  /** What others see by a name that something else has, too. */
  readonly ambiguousExports: readonly MergedRow[];
}

/** The columns with other linkages; `keepsCommons`: a later link places `.common` variables. */
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

/** Shows what others see, with its name. */
function forEachSeen(
  { columns, resolution: { count, chosen } }: ResolvedColumns,
  show: (row: MergedRow, name: StringId) => void,
): void {
  for (let row = 0; row < count; row++) {
    const symbol = chosen[row]!;
    if (linkageOf(columns, symbol) !== LINKAGE.static) show(row, columns.name[symbol]!);
  }
}

/** The names of what rules may change. */
export function* changeable({ columns, resolution: { count, chosen } }: ResolvedColumns, leavesCommons: boolean) {
  for (let row = 0; row < count; row++) {
    const symbol = chosen[row]!;
    if (isChangeable(columns, symbol, leavesCommons)) yield { name: stringOf(columns.strings, columns.name[symbol]!) };
  }
}

/** A definition outside functions, and not a `.common` variable that a later link allocates. */
const isChangeable = (columns: Columns, symbol: SymbolRow, leavesCommons: boolean): boolean =>
  (isCommon(columns, symbol) && !leavesCommons) ||
  (columns.sectionOf[symbol]! >= 0 && (isFunction(columns, symbol) || (columns.flags[symbol]! & HAS_SCOPE) === 0));
