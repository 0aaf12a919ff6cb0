// A sample of the memory records; `npm run hardware -- memory` compares all.

import { fileURLToPath } from "node:url";
import test from "ava";
import { memorySuite } from "./memory.js";

const folder = fileURLToPath(new URL("../../../testdata/hardware/h200/memory", import.meta.url));

/** Topics whose records all agree, and the share of them that is tried. */
const topics: readonly (readonly [topic: string, every: number])[] = [
  ["bulk-copy", 3],
  ["tensor-copy", 12],
  ["tensormap-replace", 3],
  ["shared-address", 8],
  ["address", 12],
];

for (const [topic, every] of topics)
  test(`records of ${topic} agree`, async (t) => {
    let compared = 0;
    for await (const outcome of memorySuite.run({
      folder,
      engines: ["reference", "fast"],
      filter: `${topic}/`,
      every,
    })) {
      t.is(outcome.difference, undefined, outcome.name);
      compared += outcome.compared;
    }
    t.true(compared > 0);
  });
