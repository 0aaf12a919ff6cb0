// Analyses the text around an offset without a tree: the word there, and its position in the statement. It works in unfinished
// text, where completion is usually requested.

import { tokenize } from "../ptx/lexer.js";
import type { Ranged } from "../ptx/source-text.js";
import * as kind from "../ptx/token.js";
import type { LanguageDocument } from "./document.js";

export interface Word extends Ranged {
  readonly text: string;
}

const inWord = /[\w$%.:]/;

/** The word that an offset is in or at the end of: a name, an opcode with its modifiers, or a directive. */
export function wordAt({ text }: LanguageDocument, offset: number): Word | undefined {
  const start = wordStart(text, offset);
  let end = Math.max(offset, start);
  while (end < text.length && isInWord(text, end)) end++;
  return start === end ? undefined : { start, end, text: text.slice(start, end) };
}

/** Start of the word that contains the offset or ends at it. */
export function wordStart(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && isInWord(text, start - 1)) start--;
  return start;
}

/** A single colon ends a label; `::` belongs to a modifier. */
const isInWord = (text: string, at: number): boolean =>
  inWord.test(text[at]!) && (text[at] !== ":" || text[at + 1] === ":" || text[at - 1] === ":");

/** The position of a word in its statement. */
export interface StatementPlace {
  /** The statement's tokens before the word, without labels. */
  readonly before: readonly Word[];
  /** The word is the first of the statement, after labels and a guard. */
  readonly isFirst: boolean;
  /** The word is in a comment or a string. */
  readonly isInComment: boolean;
}

/** Number of bytes that are examined before a word: statements are shorter. */
const FAR = 8192;

/** Directives that end with their line. */
export const endWithLine: ReadonlySet<string> = new Set([".loc", ".file", ".version", ".target", ".address_size"]);

export function statementAt({ text, source }: LanguageDocument, wordBegin: number): StatementPlace {
  const from = wordBegin <= FAR ? 0 : text.indexOf("\n", wordBegin - FAR) + 1;
  const { tokens, faults } = tokenize(source.bytes.subarray(from, wordBegin));
  const statement: Word[] = [];
  let depth = 0;
  let last = from;
  for (let i = 0; i < tokens.count; i++) {
    const [start, end] = [from + tokens.starts[i]!, from + tokens.ends[i]!];
    const token = { start, end, text: text.slice(start, end) };
    const endsLine = endWithLine.has(statement[0]?.text ?? "") && statement.at(-1)!.text !== ",";
    if (endsLine && text.slice(last, start).includes("\n")) statement.length = 0;
    last = end;
    switch (tokens.kinds[i]) {
      case kind.SEMICOLON:
        depth = 0;
        statement.length = 0;
        continue;
      case kind.COLON:
        if (statement.length !== 1) break;
        statement.length = 0;
        continue;
      case kind.BRACE_OPEN:
        if (depth > 0 || !opensBlock(statement)) depth++;
        else {
          statement.length = 0;
          continue;
        }
        break;
      case kind.BRACE_CLOSE:
        if (depth > 0) depth--;
        else {
          statement.length = 0;
          continue;
        }
        break;
      default:
    }
    statement.push(token);
  }
  const rest = text.slice(last, wordBegin);
  if (endWithLine.has(statement[0]?.text ?? "") && statement.at(-1)!.text !== "," && rest.includes("\n"))
    statement.length = 0;
  return {
    before: statement,
    isFirst: withoutGuard(statement).length === 0 && !endsInGuard(statement),
    isInComment: /\/\/[^\n]*$/.test(rest.replace(/\/\*[^]*?\*\//g, "")) || faults.length > 0,
  };
}

/**
 * Whether a brace opens a block: it follows nothing or a function's header. Other braces belong to vectors and initial values.
 */
export const opensBlock = (statement: readonly { readonly text: string }[]): boolean =>
  statement.length === 0 || (statement[0]!.text.startsWith(".") && !statement.some(({ text }) => text === "="));

/** The statement without `@p` or `@!p`. */
export function withoutGuard(statement: readonly Word[]): readonly Word[] {
  if (statement[0]?.text !== "@") return statement;
  return statement.slice(statement[1]?.text === "!" ? 3 : 2);
}

/** Whether the statement ends where the guard's predicate is expected. */
const endsInGuard = (statement: readonly Word[]): boolean => {
  const text = statement.map((token) => token.text).join("");
  return text === "@" || text === "@!";
};
