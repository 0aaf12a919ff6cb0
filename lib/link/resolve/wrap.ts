// Pass: --wrap. A module's reference to SYM that it does not define itself refers to __wrap_SYM, and one to __real_SYM refers to
// SYM. This is the rule of GNU ld and lld, so references inside the module that defines SYM do not change. Functions of the
// driver can be wrapped, too: `--wrap malloc` redirects calls of malloc to __wrap_malloc, whose __real_malloc is the driver's.

import { isVariableAlias, isCommon, LINKAGE, linkageOf, type Columns } from "../../object/columns/columns.js";
import { internString, type StringId } from "../../object/columns/strings.js";

/** The names to which references to these names, and to their __real_ names, are redirected. */
export const wrappedNames = (wrapped: readonly string[]): ReadonlyMap<string, string> =>
  new Map(wrapped.flatMap((name) => [[name, `__wrap_${name}`] as const, [`__real_${name}`, name]]));

/** The columns with the references to `wrapped` names, and to the real ones, renamed. */
export function wrapNames(columns: Columns, wrapped: readonly string[]): Columns {
  if (wrapped.length === 0) return columns;
  const newNames = new Map<StringId, StringId>();
  for (const [name, to] of wrappedNames(wrapped))
    newNames.set(internString(columns.strings, name), internString(columns.strings, to));
  const name = columns.name.map((own, row) => {
    if (row >= columns.firstSymbol.at(-1)! || columns.sectionOf[row]! >= 0 || isCommon(columns, row)) return own;
    if (isVariableAlias(columns, row)) return own;
    return linkageOf(columns, row) === LINKAGE.static ? own : (newNames.get(own) ?? own);
  });
  return { ...columns, name };
}
