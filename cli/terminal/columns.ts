// Columns of PTX instructions, for findings. Objects store line numbers only, so the column is found in the source, if it is a
// file.

import type { Host } from "../files/host.js";

/** Finds the first column, counted from 1, of a line's instruction; undefined if the file is unavailable. */
export function columnsIn(host: Host): (file: string, line: number) => number | undefined {
  const files = new Map<string, readonly string[] | undefined>();
  const linesOf = (file: string): readonly string[] | undefined => {
    if (files.has(file)) return files.get(file);
    let lines: readonly string[] | undefined;
    try {
      lines = new TextDecoder().decode(host.read(file)).split("\n");
    } catch {
      lines = undefined;
    }
    files.set(file, lines);
    return lines;
  };
  return (file, line) => {
    const text = linesOf(file)?.[line - 1];
    if (text === undefined) return undefined;
    const label = /^\s*(?:[\w$]+:\s*)*/.exec(text)![0];
    return label.length + 1;
  };
}
