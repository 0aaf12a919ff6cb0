// Parses names (Itanium C++ ABI, sections 5.1.2 to 5.1.4 and 5.1.10): nested and local names, templates, constructors, operators,
// unnamed types and lambdas, substitutions.

import { operators, standardNames } from "./names.table.js";
import { parseEncoding } from "./encoding.js";
import {
  expect,
  joined,
  nested,
  note,
  peek,
  plain,
  substitute,
  take,
  takeNumber,
  takeSequence,
  wrong,
  type State,
  type TemplateArgument,
  type TypeText,
} from "./state.js";
import { argumentFor, parseArguments, parseParameters, parseType, sourceText } from "./type.js";

export interface Name {
  readonly text: string;
  /**
   * The template arguments at the end of the name, if any. They mean that the encoding includes the return type, except for
   * constructors and conversions.
   */
  readonly arguments: readonly TemplateArgument[] | undefined;
  readonly hasNoResult: boolean;
  /** Qualifiers of a member function: " const" and the like. */
  readonly qualifiers: string;
}

export const parseName = (state: State): Name => nested(state, nameRule);

function nameRule(state: State): Name {
  if (take(state, "N")) return nestedName(state);
  if (take(state, "Z")) return localName(state);
  if (peek(state, "S") && !peek(state, "St")) {
    const { type, arguments: list } = parseSubstitution(state);
    return finish(joined(type), list);
  }
  const prefix = take(state, "St") ? "std::" : "";
  const part = unqualified(state, "");
  const text = prefix + part.text;
  if (!peek(state, "I")) return finish(text, undefined, part.hasNoResult);
  substitute(state, plain(text));
  const { text: listed, list } = parseArguments(state);
  return finish(withArguments(state, text, listed), list, part.hasNoResult);
}

const finish = (text: string, list?: readonly TemplateArgument[], hasNoResult = false, qualifiers = ""): Name => ({
  text,
  arguments: list,
  hasNoResult,
  qualifiers,
});

/** Appends template arguments; a blank separates `operator<` from them. */
const withArguments = (state: State, text: string, list: string): string =>
  note(state, `${text}${text.endsWith("<") ? " " : ""}${list}`);

function nestedName(state: State): Name {
  let qualifiers = "";
  if (take(state, "r")) qualifiers = " __restrict__";
  if (take(state, "V")) qualifiers = ` volatile${qualifiers}`;
  if (take(state, "K")) qualifiers = ` const${qualifiers}`;
  if (take(state, "R")) qualifiers += " &";
  else if (take(state, "O")) qualifiers += " &&";
  let text = "";
  /** The name that a constructor of the current class has: the last part of the scope, without arguments. */
  let last = "";
  let list: readonly TemplateArgument[] | undefined;
  let hasNoResult = false;
  while (!take(state, "E")) {
    if (take(state, "St")) {
      text = "std";
      continue;
    }
    if (peek(state, "I")) {
      if (text === "") return wrong(state);
      const parsed = parseArguments(state);
      text = withArguments(state, text, parsed.text);
      list = parsed.list;
    } else if (text === "" && peek(state, "S")) {
      const found = parseSubstitution(state);
      text = joined(found.type);
      last = found.constructorName ?? lastPart(text);
      list = found.arguments;
      if (list === undefined) continue;
    } else if (text === "" && peek(state, "T")) {
      text = joined(parseType(state));
      last = lastPart(text);
      continue;
    } else {
      const part = unqualified(state, last);
      text = note(state, text === "" ? part.text : `${text}::${part.text}`);
      last = part.text.replace(/\[abi:.*$/s, "");
      list = undefined;
      hasNoResult = part.hasNoResult;
    }
    if (!peek(state, "E")) substitute(state, plain(text));
  }
  return finish(text, list, hasNoResult, qualifiers);
}

/** The last part of a scope without arguments: "b" of "a::b<c::d>". */
function lastPart(text: string): string {
  const bare = text.replace(/<.*$/s, "");
  return bare.slice(bare.lastIndexOf(":") + 1);
}

function localName(state: State): Name {
  const scope = parseEncoding(state, true);
  expect(state, "E");
  if (take(state, "s")) {
    discriminator(state);
    return finish(note(state, `${scope}::string literal`));
  }
  const inner = parseName(state);
  discriminator(state);
  return { ...inner, text: note(state, `${scope}::${inner.text}`) };
}

/** Skips the discriminator, which distinguishes equal names in one function and is not printed. */
function discriminator(state: State): void {
  if (take(state, "__")) {
    takeNumber(state);
    expect(state, "_");
  } else if (peek(state, "_")) {
    state.at++;
    if (takeNumber(state) === undefined) wrong(state);
  }
}

interface NamePart {
  readonly text: string;
  readonly hasNoResult: boolean;
}

const part = (text: string, hasNoResult = false): NamePart => ({ text, hasNoResult });

function unqualified(state: State, owner: string): NamePart {
  take(state, "L");
  const found = unqualifiedRule(state, owner);
  let text = found.text;
  while (take(state, "B")) text += `[abi:${sourceText(state)}]`;
  return { ...found, text: note(state, text) };
}

function unqualifiedRule(state: State, owner: string): NamePart {
  if (/\d/.test(state.text[state.at] ?? "")) return part(sourceText(state));
  if (/[CD]\d/.test(state.text.slice(state.at, state.at + 2))) {
    if (owner === "") return wrong(state, "a constructor of nothing");
    const isDestructor = peek(state, "D");
    state.at += 2;
    return part(isDestructor ? `~${owner}` : owner, true);
  }
  if (take(state, "Ut")) return part(`{unnamed type#${takeSequence(state, 10) + 1}}`);
  if (take(state, "Ul")) {
    const parameters = parseParameters(state, () => peek(state, "E"));
    expect(state, "E");
    return part(`{lambda(${parameters})#${takeSequence(state, 10) + 1}}`);
  }
  if (take(state, "cv")) return part(`operator ${joined(parseType(state))}`, true);
  const operator = operators.get(state.text.slice(state.at, state.at + 2));
  if (operator === undefined) return wrong(state, "no name that is read here");
  state.at += 2;
  return part(`operator${operator}`);
}

export interface Substitution {
  readonly type: TypeText;
  /** Template arguments that followed. With them, the result is a new entity, which becomes a substitution of its own. */
  readonly arguments: readonly TemplateArgument[] | undefined;
  readonly constructorName?: string;
}

/** Parses `S_`, `S0_` ..., `Sa` ..., each optionally with template arguments. */
export function parseSubstitution(state: State): Substitution {
  expect(state, "S");
  const standard = standardNames.get(state.text[state.at] ?? "");
  if (standard !== undefined) state.at++;
  const found = standard === undefined ? state.substitutions[takeSequence(state, 36)] : plain(standard[0]);
  if (found === undefined) return wrong(state, "no such substitution");
  const type = found.parameter === undefined ? found : argumentFor(state, found.parameter);
  const named = standard === undefined ? {} : { constructorName: standard[1] };
  if (!peek(state, "I")) return { type, arguments: undefined, ...named };
  const { text, list } = parseArguments(state);
  return { type: plain(note(state, joined(type) + text)), arguments: list, ...named };
}
