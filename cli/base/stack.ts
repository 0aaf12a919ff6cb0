// Maps the stack of an internal error to the source files: a frame in a bundled file (.ci/bundle.mjs) is mapped by the source map
// next to that file. Node can do that itself, but then every start pays for it.

import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";

const frame = /(file:\/\/[^\s()]+\.c?js):(\d+):(\d+)/g;

/** The stack with every known place replaced by that in the source; the rest is unchanged. */
export function originalStack(stack: string): string {
  const maps = new Map<string, SourceMap | undefined>();
  return stack.replace(frame, (place, file: string, line: string, column: string) => {
    if (!maps.has(file)) maps.set(file, sourceMapOf(file));
    const entry = maps.get(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (entry === undefined || !("originalSource" in entry)) return place;
    return `${new URL(entry.originalSource, file).href}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}

/** The source map of a file; undefined if there is none that can be read. */
function sourceMapOf(file: string): SourceMap | undefined {
  try {
    return new SourceMap(
      JSON.parse(readFileSync(new URL(`${file}.map`), "utf8")) as ConstructorParameters<typeof SourceMap>[0],
    );
  } catch {
    return undefined;
  }
}
