// The reader of object files goes on after files that it does not support. What it reads is compared with the library's
// links in images.test.ts and damaged.test.ts.

import test from "ava";
import { createNameReader, createNameRows } from "../../lib/link/resolve/shared-names.js";
import { openObjectFile } from "../../lib/object/columns/read/elf-file.js";
import { ifSupported } from "../../lib/object/columns/cursor.js";
import { stringOf } from "../../lib/object/columns/strings.js";
import { fileOf } from "./record/links.js";
import { moduleText } from "./build.js";

test("a released file leaves nothing behind in the reader of names", (t) => {
  const rows = createNameRows();
  const read = createNameReader(rows);
  const good = fileOf(moduleText(".visible .global .u32 a;\n.visible .func f() { ret; }"), 0);
  // The kind of its last symbol is unknown.
  const other = fileOf(moduleText(".visible .global .u32 b;\n.extern .global .u32 c;"), 1);
  const names = ({ start, end }: { readonly start: number; readonly end: number }): readonly string[] =>
    Array.from(rows.name.subarray(start, end), (id) => stringOf(rows.strings, id));
  t.deepEqual([...names(read(openObjectFile(good)))].sort(), ["a", "f"]);
  let left = 0;
  for (let at = 64; at < other.length; at++) {
    const spoilt = other.slice();
    spoilt[at] = 0xff;
    const before = rows.count;
    const found = ifSupported(() => read(openObjectFile(spoilt)));
    if (found !== undefined) continue;
    left++;
    t.is(rows.count, before);
    const { targets, ...range } = read(openObjectFile(good));
    t.deepEqual([...names(range)].sort(), ["a", "f"]);
    t.is(targets.length, 1);
  }
  t.true(left > 100);
});

test("texts and shapes that outgrow their buffers keep their offsets", (t) => {
  const names = Array.from({ length: 5000 }, (_, i) => `variable_with_a_long_name_${i}`);
  const body = names.map((name, i) => `.visible .global .align 4 .b8 ${name}[${i + 1}];`).join("\n");
  const rows = createNameRows();
  const read = createNameReader(rows);
  for (const file of [fileOf(moduleText(".visible .global .u32 a;"), 0), fileOf(moduleText(body), 1)])
    read(openObjectFile(file));
  const found = Array.from(rows.name.subarray(0, rows.count), (id) => stringOf(rows.strings, id));
  t.deepEqual(found.toSorted(), ["a", ...names].toSorted());
});
