// Response files: @file on a command line is replaced by the words of the file. Quotes and backslashes are as in GNU ld: either
// quote encloses blanks, and a backslash quotes the next character. A response file may name others, and `<CFGDIR>/` is replaced
// by its folder, as in clang's configuration files.

import path from "node:path";
import type { Host } from "../files/host.js";
import { readText } from "../files/read-text.js";
import { UsageError } from "../base/status.js";

/** "-optf FILE" of nvlink means "@FILE"; after `-o`, it would name the output. */
const optionFile = /^(?:-optf|--options-file)(?:=(.*))?$/s;

/** Limit of the words: files that name each other several times would multiply them without end. */
const mostWords = 2_100_000;

export interface CommandLine {
  /** The arguments with all response files replaced by their words. */
  readonly words: readonly string[];
  /** The response files, in the order of reading. */
  readonly responseFiles: readonly string[];
  /** Characters of all response files. */
  readonly length: number;
}

/** A command line without response files. */
export const plainLine = (words: readonly string[]): CommandLine => ({ words, responseFiles: [], length: 0 });

/** Expands response files. Throws HostError and UsageError. */
export function expandResponseFiles(args: readonly string[], host: Host): CommandLine {
  const expanded: string[] = [];
  const responseFiles: string[] = [];
  let length = 0;
  /** An option -optf whose file is the next word. */
  let awaiting: string | undefined;
  const expanderWithin =
    (within: readonly string[]) =>
    (given: string): void => {
      const option = given.startsWith("-") ? optionFile.exec(given) : null;
      if (awaiting === undefined && option !== null && option[1] === undefined) {
        awaiting = given;
        return;
      }
      const word = awaiting === undefined ? (option === null ? given : `@${option[1]}`) : `@${given}`;
      awaiting = undefined;
      if (!word.startsWith("@") || word === "@") {
        if (expanded.push(word) > mostWords)
          throw new UsageError(
            `response files hold more than ${mostWords} words`,
            "put the modules into archives: each is one word",
          );
        return;
      }
      const file = word.slice(1);
      if (within.includes(file))
        throw new UsageError(
          `response file ${file} includes itself`,
          `remove @${file} from it and from the files that it includes`,
        );
      const text = readText(file, host);
      responseFiles.push(file);
      length += text.length;
      const folder = path.posix.dirname(file);
      const here = folder === "." ? "" : `${folder}/`;
      const expandInner = expanderWithin([...within, file]);
      const isWhole = eachWord(
        text,
        text.includes("<CFGDIR>/") ? (each) => expandInner(each.replaceAll("<CFGDIR>/", here)) : expandInner,
      );
      if (!isWhole)
        throw new UsageError(
          `a quote in the response file ${file} is not closed`,
          "close it, or write \\ before a quote that is part of a name",
        );
    };
  args.forEach(expanderWithin([]));
  if (awaiting !== undefined) throw new UsageError(`option '${awaiting}' names no file`, "write @FILE");
  return { words: expanded, responseFiles: [...new Set(responseFiles)], length };
}

/** The words of a response file; undefined if a quote is not closed. */
export function splitWords(text: string): readonly string[] | undefined {
  const words: string[] = [];
  return eachWord(text, (word) => void words.push(word)) ? words : undefined;
}

/** Calls `take` for each word of a text, which may have millions; false if a quote is not closed. */
function eachWord(text: string, take: (word: string) => void): boolean {
  const blanks = /\s*/y;
  const plain = /[^\s"'\\]*/y;
  const past = (pattern: RegExp, from: number): number => {
    pattern.lastIndex = from;
    pattern.test(text);
    return pattern.lastIndex;
  };
  for (let at = past(blanks, 0); at < text.length; at = past(blanks, at)) {
    const start = at;
    at = past(plain, at);
    if (at === text.length || isBlank(text[at]!)) {
      take(text.slice(start, at));
      continue;
    }
    const rest = quotedWord(text, at);
    if (rest === undefined) return false;
    take(text.slice(start, at) + rest.word);
    at = rest.end;
  }
  return true;
}

const isBlank = (c: string): boolean => /\s/.test(c);

/** The rest of a word from `from` on, with quotes and backslashes removed; undefined if a quote is not closed. */
function quotedWord(text: string, from: number): { readonly word: string; readonly end: number } | undefined {
  let word = "";
  let quote: string | undefined;
  let at = from;
  for (; at < text.length; at++) {
    const c = text[at]!;
    if (c === "\\" && at + 1 < text.length) word += text[++at]!;
    else if (c === quote) quote = undefined;
    else if (quote === undefined && (c === '"' || c === "'")) quote = c;
    else if (quote === undefined && isBlank(c)) break;
    else word += c;
  }
  return quote === undefined ? { word, end: at } : undefined;
}
