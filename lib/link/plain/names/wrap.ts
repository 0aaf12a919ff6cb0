// Pass: --wrap. A module's reference to SYM that it does not define itself means __wrap_SYM, and one to __real_SYM means SYM:
// GNU ld's and lld's rule, by which references inside the module that defines SYM stay what they are. The driver's functions
// can be wrapped as any other: `--wrap malloc` sends calls of malloc to __wrap_malloc, whose __real_malloc is the driver's.

import { isAlias, isCommon, LINKAGE, linkageOf, type Tables } from "../tables/tables.js";
import { internText, type TextId } from "../tables/texts.js";

/** What references to these names, and to the real ones, mean instead. */
export const wrappedNames = (wrapped: readonly string[]): ReadonlyMap<string, string> =>
  new Map(wrapped.flatMap((name) => [[name, `__wrap_${name}`] as const, [`__real_${name}`, name]]));

/** The tables with the references to `wrapped` names, and to the real ones, renamed. */
export function wrapPlain(tables: Tables, wrapped: readonly string[]): Tables {
  if (wrapped.length === 0) return tables;
  const newNames = new Map<TextId, TextId>();
  for (const [name, to] of wrappedNames(wrapped))
    newNames.set(internText(tables.texts, name), internText(tables.texts, to));
  const name = tables.name.map((own, row) => {
    if (row >= tables.firstSymbol.at(-1)! || tables.place[row]! >= 0 || isCommon(tables, row)) return own;
    if (isAlias(tables, row)) return own;
    return linkageOf(tables, row) === LINKAGE.static ? own : (newNames.get(own) ?? own);
  });
  return { ...tables, name };
}
