import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import test from "ava";
import { readNameLines } from "../../lib/link/layout/name-lines.js";

/** The lines as a Map has them. */
function mapOf(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  text.split("\n").forEach((each, i) => {
    const name = each.trim();
    if (name !== "" && !name.startsWith("#") && !lines.has(name)) lines.set(name, i + 1);
  });
  return lines;
}

test("a list has each name with its first line, like a map of its trimmed lines", (t) => {
  const many = Array.from(
    { length: 3000 },
    (_, i) => `${" ".repeat(i % 3)}n${(i * 7919) % 2003}${"\t\r".slice(i % 3)}`,
  );
  for (const text of ["", "\n\n", "a", "a\n#b\n a\n#\n", "\uFEFFä\n\u00A0名\u2003\nä\n名前", many.join("\n")]) {
    const expected = mapOf(text);
    for (const found of [readNameLines(text), readNameLines(text, 1)]) {
      t.deepEqual([...found], [...expected]);
      t.is(found.size, expected.size);
      for (const [name, line] of expected) t.is(found.get(name), line);
      for (const other of ["", "n", "n2003", "#b", " a", "名前後"]) t.is(found.get(other), undefined);
    }
  }
});

test("many names of a list take little memory besides its text", (t) => {
  // A Map and its keys take over 100 bytes for each line.
  const text = Array.from({ length: 2 ** 17 }, (_, i) => `name_${i}`).join("\n");
  // Only retained memory counts, whenever garbage is collected.
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  const before = process.memoryUsage();
  const names = readNameLines(text);
  collect();
  const after = process.memoryUsage();
  t.is(names.size, 2 ** 17);
  t.true(after.heapUsed - before.heapUsed < 32 * 2 ** 17);
});
