// Parses a whole entity: a variable's name, or a function's with its parameters. The return type is included if the name ends
// with template arguments (Itanium C++ ABI, section 5.1.1).

import { specialNames } from "./names.table.js";
import { joined, nested, note, peek, take, type State } from "./state.js";
import { parseName } from "./name.js";
import { parseParameters, parseType } from "./type.js";

/** `isScope`: the entity is the scope of a local name, which is written without its return type. */
export function parseEncoding(state: State, isScope = false): string {
  return nested(state, () => encodingRule(state, isScope));
}

function encodingRule(state: State, isScope: boolean): string {
  const special = specialNames.get(state.text.slice(state.at, state.at + 2));
  if (special !== undefined) {
    state.at += 2;
    return note(state, special + joined(parseType(state)));
  }
  if (take(state, "GV")) return note(state, `guard variable for ${parseName(state).text}`);
  const { text, arguments: list, hasNoResult, qualifiers } = parseName(state);
  const isEnd = (): boolean => state.at >= state.text.length || peek(state, "E") || peek(state, ".");
  if (isEnd()) return text + qualifiers;
  const outer = state.arguments;
  state.arguments = list ?? outer;
  const result = list !== undefined && !hasNoResult ? parseType(state) : undefined;
  const declared = `${text}(${parseParameters(state, isEnd)})${qualifiers}`;
  state.arguments = outer;
  if (result === undefined || isScope) return note(state, declared);
  const gap = result.after === "" ? " " : "";
  return note(state, `${result.before}${gap}${declared}${result.after}`);
}
