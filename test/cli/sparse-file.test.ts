// Files that are read in parts give the same output as when read as a whole; here small files are read in parts, too.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import test from "ava";
import { isLargeFile, readSparse } from "../../cli/files/sparse-file.js";
import { isSparse, present } from "../../formats/bytes/sparse.js";
import { createSink } from "../../lib/diag/sink.js";
import { extractInside } from "../../lib/inspect/parts/extract.js";
import { inspectFile } from "../../lib/inspect/inspect.js";
import type { InspectOptions } from "../../lib/inspect/inspection.js";

const folder = fileURLToPath(new URL("../../../testdata/containers/", import.meta.url));

const options: readonly InspectOptions[] = [
  { views: [] },
  { views: [], lists: true },
  { views: ["header", "sections", "symbols", "relocations", "kernels", "info", "sizes"] },
  { views: [], hex: [".nv_fatbin", "1"] },
  { views: [], loadsOn: 90 },
];

for (const name of ["program", "scale.o", "both.o", "whole.o", "named.fatbin", "twice.speed.fatbin", "empty.fatbin"])
  test(`${name}: read in parts as a whole`, (t) => {
    const bytes = readSparse(folder + name)!;
    t.true(isSparse(bytes));
    const whole = readFileSync(folder + name);
    t.deepEqual(Buffer.from(present(bytes)), whole);
    for (const each of options) {
      const [ours, theirs] = [createSink(), createSink()];
      const parts = inspectFile({ name, bytes }, each, ours);
      t.deepEqual(parts, inspectFile({ name, bytes: whole }, each, theirs));
      t.deepEqual(ours.all, theirs.all);
    }
    const inside = (of: Uint8Array) => [...extractInside({ name, bytes: of }, createSink())].map(({ name, bytes }) => [name, bytes && Buffer.from(bytes)]); // prettier-ignore
    t.deepEqual(inside(bytes), inside(whole));
  });

test("what is not an ELF file or fatbin is read as a whole", (t) => {
  t.is(readSparse(`${folder}gnu.a`), undefined);
  t.is(readSparse(`${folder}windows.exe`), undefined);
  t.false(isLargeFile(`${folder}program`));
  t.false(isLargeFile(`${folder}no-such-file`));
});
