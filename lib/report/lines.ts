// Long texts, line by line: the report of a program of thousands of modules is never one string.

/** Each line with its end. */
export function* ended(lines: Iterable<string>): Generator<string, void, undefined> {
  for (const line of lines) yield `${line}\n`;
}

/** Blocks of lines with an empty line in between; those without lines are left out. */
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
