// Our links compared with nvlink 13.0's of the same modules (testdata/oracle/link, recorded by `npm run oracle:link --
// --record`): which definition wins, what is refused, and each byte, offset, size and remaining relocation.

import { readFileSync } from "node:fs";
import test from "ava";
import { compareWith, type RecordedCase } from "../oracle/compare-link.js";
import { deliberate } from "../oracle/link-cases.js";
import { testdata } from "../oracle/programs.js";

const casesIn = (file: string): readonly RecordedCase[] =>
  (JSON.parse(readFileSync(new URL(`oracle/link/${file}`, testdata), "utf8")) as { cases: readonly RecordedCase[] })
    .cases;

for (const file of ["resolution.json", "shared.json", "layouts.json", "sets.json", "ties.json", "programs.json"])
  test(`as nvlink: ${file}`, (t) => {
    const differing = casesIn(file).filter((each) => compareWith(each).length > 0);
    t.deepEqual(
      differing.map(({ name }) => name),
      casesIn(file).flatMap(({ name }) => (deliberate.has(name) ? [name] : [])),
    );
  });
