// A sample of the tensor records; `npm run hardware -- tensor` compares all.

import { fileURLToPath } from "node:url";
import test from "ava";
import { tensorSuite } from "./tensor.js";

const folder = fileURLToPath(new URL("../../../testdata/hardware/h200/tensor", import.meta.url));

interface Sample {
  readonly what: string;
  readonly filter: string;
  /** One group in that many, and the number of tiles of each. */
  readonly every: number;
  readonly most: number;
  /** The number of results compared, on both engines. */
  readonly compared: number;
}

const samples: readonly Sample[] = [
  { what: "random tiles", filter: "random/", every: 12, most: 6, compared: 13 * 4 * 2 },
  { what: "probes", filter: "probes/", every: 24, most: 10, compared: 3 * 10 * 2 },
  { what: "tiles of selectors, metadata and wmma", filter: "gaps/", every: 8, most: 3, compared: 48 },
  { what: "registers that no load made", filter: "raw/", every: 12, most: 1, compared: 40 },
  { what: "descriptors of wgmma", filter: "descriptors/", every: 177, most: 1, compared: 2 },
];

for (const { what, filter, every, most, compared } of samples)
  test(`${what} agree`, async (t) => {
    const options = { folder, engines: ["reference", "fast"], filter, every } as const;
    let count = 0;
    for await (const outcome of tensorSuite({ most }).run(options)) {
      t.is(outcome.difference, undefined, outcome.name);
      count += outcome.compared;
    }
    t.is(count, compared);
  });
