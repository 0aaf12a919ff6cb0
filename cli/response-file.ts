// @file on a command line: the file's words stand in its place. Quotes and backslashes as in GNU ld: either quote holds
// blanks, a backslash takes the next character as it is. A response file may name others.

import type { Host } from "./host.js";
import { UsageError } from "./status.js";

/** Deeper chains of response files are a circle. */
const deepest = 16;

export function expandResponseFiles(args: readonly string[], host: Host, depth = 0): readonly string[] {
  return args.flatMap((arg) => {
    if (!arg.startsWith("@") || arg === "@") return [arg];
    if (depth === deepest) throw new UsageError(`response files name each other in a circle: ${arg}`);
    return expandResponseFiles(splitWords(Buffer.from(host.read(arg.slice(1))).toString("utf8")), host, depth + 1);
  });
}

/** The words of a response file. */
export function splitWords(text: string): readonly string[] {
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
  if (word !== undefined) words.push(word);
  return words;
}
