// Parses types (Itanium C++ ABI, sections 5.1.5 to 5.1.9): builtins, pointers and references, qualifiers, functions, arrays,
// members, template parameters and arguments. Expressions, decltype and vectors are not supported.

import { builtinTypes, literalSuffixes } from "./names.table.js";
import { parseName, parseSubstitution } from "./name.js";
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

export const parseType = (state: State): TypeText => nested(state, typeRule);

function typeRule(state: State): TypeText {
  for (const length of [1, 2]) {
    const builtin = builtinTypes.get(state.text.slice(state.at, state.at + length));
    if (builtin === undefined) continue;
    state.at = Math.min(state.at + length, state.text.length);
    return plain(builtin);
  }
  if (/[rVK]/.test(state.text[state.at] ?? "")) return substitute(state, qualified(state));
  for (const [code, sign] of pointers)
    if (take(state, code)) return substitute(state, pointerTo(state, parseType(state), sign));
  if (take(state, "F")) return substitute(state, functionType(state));
  if (take(state, "A")) return substitute(state, arrayType(state));
  if (take(state, "M")) return substitute(state, memberPointer(state));
  if (peek(state, "T")) return templateParameter(state);
  if (take(state, "Dp")) return plain(expandPack(state));
  if (peek(state, "S") && !peek(state, "St")) {
    const { type, arguments: list } = parseSubstitution(state);
    return list === undefined ? type : substitute(state, type);
  }
  if (take(state, "u")) return substitute(state, plain(sourceText(state)));
  if (/[NZS\d]/.test(state.text[state.at] ?? "")) return substitute(state, plain(parseName(state).text));
  return wrong(state, "no type that is read here");
}

const pointers = [
  ["P", "*"],
  ["R", "&"],
  ["O", "&&"],
] as const;

/** `r`, `V` and `K` before a type: restrict, volatile and const, which are printed after it. */
function qualified(state: State): TypeText {
  const words: string[] = [];
  if (take(state, "r")) words.unshift(" __restrict__");
  if (take(state, "V")) words.unshift(" volatile");
  if (take(state, "K")) words.unshift(" const");
  const type = parseType(state);
  const suffix = words.join("");
  if (type.shape === "function") return { ...type, after: note(state, type.after + suffix) };
  return { ...type, before: note(state, type.before + suffix) };
}

function pointerTo(state: State, type: TypeText, sign: string): TypeText {
  if (sign !== "*" && type.shape === "plain") {
    // References collapse: `& &&` and `&& &` are `&`.
    const inner = /&+$/.exec(type.before)?.[0];
    if (inner !== undefined)
      return sign === "&" && inner === "&&" ? { ...type, before: type.before.slice(0, -1) } : type;
  }
  if (type.shape === "plain") return { ...type, before: note(state, type.before + sign) };
  // A function that returns a pointer to a function already contains its sign.
  const gap = /\([*&]+$/.test(type.before) ? "" : " ";
  return { before: note(state, `${type.before}${gap}(${sign}`), after: note(state, `)${type.after}`), shape: "plain" };
}

function functionType(state: State): TypeText {
  take(state, "Y");
  const result = parseType(state);
  const parameters = parseParameters(state, () => peek(state, "E"));
  expect(state, "E");
  return { before: result.before, after: note(state, `(${parameters})${result.after}`), shape: "function" };
}

function arrayType(state: State): TypeText {
  const count = takeNumber(state);
  expect(state, "_");
  const element = parseType(state);
  const bounds = note(state, `[${count ?? ""}]${element.after.trimStart()}`);
  return { before: element.before, after: ` ${bounds}`, shape: "array" };
}

function memberPointer(state: State): TypeText {
  const owner = joined(parseType(state));
  const member = parseType(state);
  const sign = `${owner}::*`;
  if (member.shape === "plain") return { ...member, before: note(state, `${member.before} ${sign}`) };
  return { before: note(state, `${member.before} (${sign}`), after: `)${member.after}`, shape: "plain" };
}

/** Parses parameters until `isEnd` is true; a single `void` is an empty list. */
export function parseParameters(state: State, isEnd: () => boolean): string {
  const parameters: string[] = [];
  while (!isEnd()) {
    const text = joined(parseType(state));
    if (text !== "") parameters.push(text);
  }
  const text = parameters.join(", ");
  return note(state, text === "void" ? "" : text);
}

// ------------------------------------------------------------------------------------------------------------ templates

function templateParameter(state: State): TypeText {
  expect(state, "T");
  const parameter = takeSequence(state, 10);
  const type = argumentFor(state, parameter);
  substitute(state, { ...type, parameter });
  if (!peek(state, "I")) return type;
  return substitute(state, plain(joined(type) + parseArguments(state).text));
}

/** The argument of a template parameter. */
export function argumentFor(state: State, parameter: number): TypeText {
  const argument = state.arguments[parameter];
  if (argument === undefined) return wrong(state, "no such template argument");
  return isPack(argument) ? packElement(state, argument) : argument;
}

const isPack = (argument: TemplateArgument): argument is readonly TypeText[] => Array.isArray(argument);

function packElement(state: State, pack: readonly TypeText[]): TypeText {
  if (state.packIndex !== undefined) return pack[state.packIndex] ?? plain("");
  return plain(pack.map(joined).join(", "));
}

/** Parses `Dp` and a pattern: repeats the pattern for each element of the packs in it. */
function expandPack(state: State): string {
  const count = state.arguments.find(isPack)?.length;
  if (count === undefined || state.packIndex !== undefined) return wrong(state, "a pack expansion without a pack");
  const start = state.at;
  const known = state.substitutions.length;
  const texts: string[] = [];
  for (let i = 0; i < Math.max(count, 1); i++) {
    state.at = start;
    state.substitutions.length = known;
    state.packIndex = i;
    const text = joined(parseType(state));
    if (i < count) texts.push(text);
  }
  state.packIndex = undefined;
  return note(state, texts.join(", "));
}

export interface Arguments {
  /** The arguments with their angle brackets. */
  readonly text: string;
  readonly list: readonly TemplateArgument[];
}

export function parseArguments(state: State): Arguments {
  expect(state, "I");
  const list: TemplateArgument[] = [];
  while (!take(state, "E")) list.push(nested(state, argumentRule));
  const text = list
    .flatMap((argument) => (isPack(argument) ? argument : [argument]))
    .map(joined)
    .join(", ");
  return { text: note(state, `<${text}${text.endsWith(">") ? " " : ""}>`), list };
}

function argumentRule(state: State): TemplateArgument {
  if (take(state, "J")) {
    const pack: TypeText[] = [];
    while (!take(state, "E")) {
      const argument = nested(state, argumentRule);
      if (isPack(argument)) pack.push(...argument);
      else pack.push(argument);
    }
    return pack;
  }
  return take(state, "L") ? plain(literal(state)) : parseType(state);
}

function literal(state: State): string {
  const type = joined(parseType(state));
  const sign = take(state, "n") ? "-" : "";
  const digits = /[0-9]{1,40}/y;
  digits.lastIndex = state.at;
  const match = digits.exec(state.text);
  if (match === null) return wrong(state, "a literal without a number");
  state.at += match[0].length;
  expect(state, "E");
  if (type === "bool" && sign === "" && match[0] === "0") return "false";
  if (type === "bool" && sign === "" && match[0] === "1") return "true";
  const suffix = literalSuffixes.get(type);
  return suffix === undefined ? `(${type})${sign}${match[0]}` : `${sign}${match[0]}${suffix}`;
}

/** Parses `<length><text>`; a compiler's name for an unnamed namespace is printed as such. */
export function sourceText(state: State): string {
  const length = takeNumber(state);
  if (length === undefined || length === 0 || state.at + length > state.text.length)
    return wrong(state, "a name longer than the symbol");
  const text = state.text.slice(state.at, state.at + length);
  state.at += length;
  return /^_GLOBAL_[._$]N/.test(text) ? "(anonymous namespace)" : text;
}
