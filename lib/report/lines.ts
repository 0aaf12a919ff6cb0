// Writes long texts line by line: the report of a program of thousands of modules is never one string.

/** Each line with a line end. */
export function* ended(lines: Iterable<string>): Generator<string, void, undefined> {
  for (const line of lines) yield `${line}\n`;
}

/** The lines of all blocks, with an empty line between blocks; empty blocks are omitted. */
export function* joinBlocks(blocks: Iterable<Iterable<string>>): Generator<string, void, undefined> {
  let isFirst = true;
  for (const lines of blocks) {
    let isBegun = false;
    for (const line of lines) {
      if (!isBegun && !isFirst) yield "\n";
      isBegun = true;
      yield `${line}\n`;
    }
    isFirst &&= !isBegun;
  }
}
