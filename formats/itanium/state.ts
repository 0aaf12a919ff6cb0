// What the parts of the demangler share: the mangled text with a position in it, the substitutions found so far and the
// template arguments in force, and the bounds that keep a hostile name from costing more than it is worth.

import { malformed } from "../bytes/malformed.js";

/**
 * A type as text, in two halves, because declarators surround what they declare: `void (*` and `)(int)`. `shape` determines how a
 * further `*` or `&` is added.
 */
export interface TypeText {
  readonly before: string;
  readonly after: string;
  readonly shape: "plain" | "function" | "array";
  /** It is a template parameter; as a substitution it means that of the function where it is used. */
  readonly parameter?: number;
}

/** A template argument: one text, or a pack of several. */
export type TemplateArgument = TypeText | readonly TypeText[];

export interface State {
  readonly text: string;
  at: number;
  depth: number;
  /** Characters written so far, in all parts. */
  written: number;
  readonly substitutions: TypeText[];
  /** Arguments of the function whose parameters are read; what `T_` means. */
  arguments: readonly TemplateArgument[];
  /** Which element of a pack is meant while a pack expansion is written. */
  packIndex: number | undefined;
}

/** Nesting beyond this is no name that a compiler makes. */
const MAX_DEPTH = 128;
/** Substitutions can double a name with every few characters. */
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

/** Counts what was written; every text of a size that matters passes here. */
export function note(state: State, text: string): string {
  state.written += text.length;
  if (state.written > MAX_WRITTEN) malformed("limit", state.at, "the name grows too long");
  return text;
}

/** Runs a rule one level deeper. */
export function nested<T>(state: State, rule: (state: State) => T): T {
  if (++state.depth > MAX_DEPTH) malformed("limit", state.at, "nested too deep");
  const value = rule(state);
  state.depth--;
  return value;
}

export const peek = (state: State, text: string): boolean => state.text.startsWith(text, state.at);

/** Steps over `text` if it is next. */
export function take(state: State, text: string): boolean {
  if (!peek(state, text)) return false;
  state.at += text.length;
  return true;
}

export function expect(state: State, text: string): void {
  if (!take(state, text)) wrong(state, `${text} expected`);
}

/** Digits in the given base (10 or 36), without a sign; undefined when there are none. */
export function takeNumber(state: State, base: 10 | 36 = 10): number | undefined {
  const digits = base === 10 ? /[0-9]{1,9}/y : /[0-9A-Z]{1,5}/y;
  digits.lastIndex = state.at;
  const match = digits.exec(state.text);
  if (match === null) return undefined;
  state.at += match[0].length;
  return parseInt(match[0], base);
}

/** `_` is 0, `0_` is 1, `1_` is 2 and so on. */
export function takeSequence(state: State, base: 10 | 36): number {
  const number = takeNumber(state, base);
  expect(state, "_");
  return number === undefined ? 0 : number + 1;
}

export function substitute(state: State, type: TypeText): TypeText {
  state.substitutions.push(type);
  return type;
}
