// --export and --localize in a plain link (link.ts): visibility.ts over columns, after names are resolved. Where a rule fits
// nothing, or two definitions would be seen under one name, the link is not plain.

import { compileRules, linkageBy, type VisibilityRule } from "../visibility-rules.js";
import { notPlain } from "./cursor.js";
import { HAS_SCOPE } from "./read-declared.js";
import { sharedNames, type PlainResolution } from "./resolve.js";
import { isCommon, isEntry, isFunction, LINKAGE, linkageOf, type SymbolRow, type Tables } from "./tables.js";
import { textOf } from "./texts.js";

interface Resolved {
  readonly tables: Tables;
  readonly resolution: PlainResolution;
}

/** The tables with other linkages. */
export function setPlainVisibility(resolved: Resolved, given: readonly VisibilityRule[]): Resolved {
  if (given.length === 0) return resolved;
  const { tables, resolution } = resolved;
  const rules = compileRules(given);
  const idle = new Set(rules);
  const code = tables.code.slice();
  for (let row = 0; row < resolution.count; row++) {
    const symbol = resolution.chosen[row]!;
    if (!isChangeable(tables, symbol)) continue;
    const name = textOf(tables.texts, tables.name[symbol]!);
    const isKernel = isFunction(tables, symbol) && isEntry(tables, symbol);
    for (const rule of idle) if (rule.applies(name, isKernel)) idle.delete(rule);
    const linkage = linkageBy(rules, name, isKernel, linkageOf(tables, symbol) === LINKAGE.static);
    if (linkage !== undefined) code[symbol] = (code[symbol]! & 0xf0) | LINKAGE[linkage];
  }
  if (idle.size > 0) notPlain("a rule that fits nothing");
  const changed = { ...tables, code };
  return { tables: changed, resolution: { ...resolution, byName: sharedNames(changed, resolution) } };
}

/** A definition, but none of a function's own. */
const isChangeable = (tables: Tables, symbol: SymbolRow): boolean =>
  isCommon(tables, symbol) ||
  (tables.place[symbol]! >= 0 && (isFunction(tables, symbol) || (tables.flags[symbol]! & HAS_SCOPE) === 0));
