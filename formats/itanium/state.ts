// State that the parts of the demangler share: the mangled text and the position in it, the substitutions so far, the current
// template arguments, and the limits on the work for a malicious name.

import { malformed } from "../bytes/malformed.js";

/**
 * A type as text, in two halves, because declarators surround the name: `void (*` and `)(int)`. `shape` determines how another
 * `*` or `&` is added.
 */
export interface TypeText {
  readonly before: string;
  readonly after: string;
  readonly shape: "plain" | "function" | "array";
  /** The index of a template parameter; as a substitution it refers to the arguments of the function that uses it. */
  readonly parameter?: number;
}

/** A template argument: one type, or a pack of several. */
export type TemplateArgument = TypeText | readonly TypeText[];

export interface State {
  readonly text: string;
  at: number;
  depth: number;
  /** Characters written so far, in all parts. */
  written: number;
  readonly substitutions: TypeText[];
  /** Template arguments of the function whose parameters are parsed: the meaning of `T_`. */
  arguments: readonly TemplateArgument[];
  /** Index of the pack element while a pack expansion is printed. */
  packIndex: number | undefined;
}

/** Limit of nesting; no compiler makes deeper names. */
const MAX_DEPTH = 128;
/** Limit of printed characters: substitutions can double a name with every few characters. */
const MAX_WRITTEN = 1 << 20;

export function createState(text: string): State {
  return { text, at: 0, depth: 0, written: 0, substitutions: [], arguments: [], packIndex: undefined };
}

export function wrong(state: State, what = "not a name of the ABI"): never {
  return malformed("malformed", state.at, what);
}

export const plain = (text: string): TypeText => ({ before: text, after: "", shape: "plain" });
export const joined = ({ before, after, shape }: TypeText): string =>
  `${before}${shape === "function" ? " " : ""}${after}`;

/** Counts printed characters; every text of relevant size passes through here. */
export function note(state: State, text: string): string {
  state.written += text.length;
  if (state.written > MAX_WRITTEN) malformed("limit", state.at, "the name grows too long");
  return text;
}

/** Runs a rule one nesting level deeper. */
export function nested<T>(state: State, rule: (state: State) => T): T {
  if (++state.depth > MAX_DEPTH) malformed("limit", state.at, "nested too deep");
  const value = rule(state);
  state.depth--;
  return value;
}

export const peek = (state: State, text: string): boolean => state.text.startsWith(text, state.at);

/** Skips `text` if it is next. */
export function take(state: State, text: string): boolean {
  if (!peek(state, text)) return false;
  state.at += text.length;
  return true;
}

export function expect(state: State, text: string): void {
  if (!take(state, text)) wrong(state, `${text} expected`);
}

/** Parses digits in the given base (10 or 36), without a sign; undefined if there are none. */
export function takeNumber(state: State, base: 10 | 36 = 10): number | undefined {
  const digits = base === 10 ? /[0-9]{1,9}/y : /[0-9A-Z]{1,5}/y;
  digits.lastIndex = state.at;
  const match = digits.exec(state.text);
  if (match === null) return undefined;
  state.at += match[0].length;
  return parseInt(match[0], base);
}

/** Parses a sequence id: `_` is 0, `0_` is 1, `1_` is 2 and so on. */
export function takeSequence(state: State, base: 10 | 36): number {
  const number = takeNumber(state, base);
  expect(state, "_");
  return number === undefined ? 0 : number + 1;
}

export function substitute(state: State, type: TypeText): TypeText {
  state.substitutions.push(type);
  return type;
}
