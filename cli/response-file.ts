// @file on a command line: the file's words stand in its place. Quotes and backslashes as in GNU ld: either quote holds
// blanks, a backslash takes the next character as it is. A response file may name others, and `<CFGDIR>/` in one is the folder
// that it is in, as in clang's configuration files.

import path from "node:path";
import type { Host } from "./host.js";
import { readText } from "./read-text.js";
import { UsageError } from "./status.js";

/** Files that name each other several times over would multiply without end. */
const mostWords = 2_100_000;

export interface CommandLine {
  /** The arguments with every response file replaced by its words. */
  readonly words: readonly string[];
  /** The response files, in the order of reading. */
  readonly responseFiles: readonly string[];
}

/** Throws HostError and UsageError. */
export function expandResponseFiles(args: readonly string[], host: Host): CommandLine {
  const expanded: string[] = [];
  const responseFiles: string[] = [];
  const expand = (words: readonly string[], within: readonly string[]): void => {
    for (const word of words) {
      if (!word.startsWith("@") || word === "@") {
        if (expanded.push(word) > mostWords) throw new UsageError(`response files hold more than ${mostWords} words`);
        continue;
      }
      const file = word.slice(1);
      if (within.includes(file)) throw new UsageError(`response file ${file} names itself: a circle`);
      const text = readText(file, host);
      const inner = splitWords(text);
      if (inner === undefined) throw new UsageError(`a quote in the response file ${file} is not closed`);
      responseFiles.push(file);
      const folder = path.posix.dirname(file);
      const here = folder === "." ? "" : `${folder}/`;
      const placed = text.includes("<CFGDIR>/") ? inner.map((each) => each.replaceAll("<CFGDIR>/", here)) : inner;
      expand(placed, [...within, file]);
    }
  };
  expand(args, []);
  return { words: expanded, responseFiles: [...new Set(responseFiles)] };
}

/** The words of a response file; undefined when a quote is not closed. */
export function splitWords(text: string): readonly string[] | undefined {
  // Nearly all are lists of names, which may be long.
  if (!/["'\\]/.test(text)) return text.split(/\s+/).filter((word) => word !== "");
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (c === "\\" && i + 1 < text.length) word = (word ?? "") + text[++i]!;
    else if (quote !== undefined) {
      if (c === quote) quote = undefined;
      else word = (word ?? "") + c;
    } else if (c === '"' || c === "'") {
      quote = c;
      word ??= "";
    } else if (/\s/.test(c)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + c;
  }
  if (quote !== undefined) return undefined;
  if (word !== undefined) words.push(word);
  return words;
}
