// The remedy for an unexpected token: the nearest keyword of the grammar, the spelling of a number, or PTX's equivalent of
// another language's syntax. Used only after a syntax error.

import { nearest } from "../base/nearest.js";
import { otherModifiers } from "../isa/foreign-words.table.js";
import * as kind from "./token.js";
import {
  functionDirectives,
  linkages,
  moduleStarters,
  spaces,
  statementStarters,
  types,
  vectors,
} from "./words.table.js";

/** A sentence for a token of that kind and text in place of `expected`; undefined without a hint. */
export function hintFor(token: number, text: string, expected: string): string | undefined {
  switch (token) {
    case kind.BAD_NUMBER:
      return numberHint(text);
    case kind.DIRECTIVE:
      return directiveHint(text, expected);
    case kind.WORD:
      return wordHint(text, expected);
    case kind.STRING:
      return expected === "a constant" ? "PTX has no strings as values: list their bytes, {97, 98, 0}" : undefined;
    case kind.AND:
      return expected === "a constant"
        ? "a variable's name is its address; generic(name) is its generic one"
        : undefined;
    case kind.EQUALS:
      return "PTX has no assignments: an instruction begins with its opcode, mov.b32 d, a";
    case kind.INVALID_BYTES:
      return byteHint(text);
    case kind.PAREN_OPEN:
      return parenthesisHint(expected);
    case kind.SEMICOLON:
      return expected === "a statement" ? "remove this ';': each statement ends with one" : undefined;
    case kind.INTEGER:
      return /^the kernel's body|^a directive for/.test(expected)
        ? "write ',' between the numbers of a directive: .maxntid 16, 16"
        : undefined;
    default:
      return undefined;
  }
}

/** Probable intentions of wrong numbers, by their beginning and end (PTX ISA 4.5.1 and 4.5.2). */
const numberHints: readonly (readonly [RegExp, string])[] = [
  [/^0x/i, "hexadecimal numbers have the digits 0 to 9 and a to f, and at most a U after them"],
  [/^0b/i, "binary numbers have the digits 0 and 1, and at most a U after them"],
  [/^0f/i, "0f is followed by exactly eight hexadecimal digits, the bits of an .f32"],
  [/^0d/i, "0d is followed by exactly sixteen hexadecimal digits, the bits of an .f64"],
  [/\..*f$/i, "floats have no suffix: leave out the f"],
  [/^\d+[ul]+$/i, "the only suffix of integers is U"],
  [/^0\d/, "a number that begins with 0 is octal and has the digits 0 to 7"],
  [/^\d/, "names do not begin with a digit"],
];

const numberHint = (text: string): string | undefined => numberHints.find(([pattern]) => pattern.test(text))?.[1];

const words: readonly string[] = [
  ...new Set([
    ...[...linkages.keys(), ...spaces.keys(), ...types.keys(), ...vectors.keys(), ...functionDirectives.keys()],
    ...[...moduleStarters, ...statementStarters, ".target", ".callprototype", ".branchtargets", ".calltargets", ".ptr"],
  ]),
];

function directiveHint(text: string, expected: string): string | undefined {
  if (text === ".align" && expected === "a name to declare") return "'.align' comes before the type";
  if (types.has(text))
    return expected.startsWith("a state space") ? `name the state space first: .param ${text}` : undefined;
  if (functionDirectives.has(text)) return "it belongs between the parameters and the body of a function";
  const near = meantDirectives(text);
  return near.length === 0 ? undefined : `did you mean ${near.map((one) => `'${one}'`).join(" or ")}?`;
}

/** The words of the grammar that a wrong directive was probably meant to be. */
export function meantDirectives(text: string): readonly string[] {
  if (words.includes(text)) return [];
  const meant = (otherModifiers[text.slice(1).toLowerCase()] ?? []).map((name) => `.${name}`);
  const known = meant.filter((name) => types.has(name));
  return known.length > 0 ? known : nearest(text, words);
}

function wordHint(text: string, expected: string): string | undefined {
  if (expected.startsWith("a state space")) {
    const type = otherModifiers[text]?.[0];
    return type === undefined ? undefined : `write .param .${type}`;
  }
  return expected === "a constant" && text.startsWith("%")
    ? "parentheses contain constants, or the operands of a call; an address is in brackets: [%rd1]"
    : undefined;
}

/** Of a character that no token begins with. */
function byteHint(text: string): string | undefined {
  if (text === "#") return "comments begin with // or stand between /* and */";
  if (text === "'") return "PTX has no character constants: write the number, such as 97 or 0x61";
  return text.charCodeAt(0) < 0x20 ? "remove this byte: only spaces, tabs and line ends separate words" : undefined;
}

/** Hints for parentheses where PTX allows none, by the expected token. */
const parenthesisHints: Readonly<Record<string, string>> = {
  "a predicate register after '@'": "a guard is written without parentheses: @%p1",
  "';' after the instruction": "a comma separates a function and its arguments: call f, (a, b)",
  "the kernel's name": "a kernel has no results",
};

const parenthesisHint = (expected: string): string | undefined => parenthesisHints[expected];
