// A sample of the records of scalar operations on both engines; `npm run hardware -- scalar` tries all of them.

import { fileURLToPath } from "node:url";
import test from "ava";
import { scalar } from "./scalar.js";

const folder = fileURLToPath(new URL("../../../testdata/hardware/h200/scalar", import.meta.url));

test("one operation in 23 gives what an H200 gave", async (t) => {
  let groups = 0;
  for await (const outcome of scalar.run({ folder, engines: ["reference", "fast"], filter: "", every: 23 })) {
    groups++;
    if (outcome.optional !== true) t.is(outcome.difference, undefined, outcome.name);
  }
  t.true(groups > 50);
});
