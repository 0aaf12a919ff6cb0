// --wrap in a plain link (../link.ts): wrap.ts over columns.

import { wrappedNames } from "../../names/wrap.js";
import { isCommon, LINKAGE, linkageOf, type Tables } from "../tables/tables.js";
import { internText, type TextId } from "../tables/texts.js";

/** The tables with the references to `wrapped` names, and to the real ones, renamed. */
export function wrapPlain(tables: Tables, wrapped: readonly string[]): Tables {
  if (wrapped.length === 0) return tables;
  const newNames = new Map<TextId, TextId>();
  for (const [name, to] of wrappedNames(wrapped))
    newNames.set(internText(tables.texts, name), internText(tables.texts, to));
  const name = tables.name.map((own, row) => {
    if (row >= tables.firstSymbol.at(-1)! || tables.place[row]! >= 0 || isCommon(tables, row)) return own;
    return linkageOf(tables, row) === LINKAGE.static ? own : (newNames.get(own) ?? own);
  });
  return { ...tables, name };
}
