// A sample of the tensor records; `npm run hardware -- tensor` compares all.

import { fileURLToPath } from "node:url";
import test from "ava";
import { tensorSuite } from "./tensor.js";

const folder = fileURLToPath(new URL("../../../testdata/hardware/h200/tensor", import.meta.url));

test("random tiles agree", async (t) => {
  let compared = 0;
  const options = { folder, engines: ["reference", "fast"], filter: "random/", every: 9 } as const;
  for await (const outcome of tensorSuite({ tiles: 16 }).run(options)) {
    t.is(outcome.difference, undefined, outcome.name);
    compared += outcome.compared;
  }
  t.is(compared, 17 * 11 * 2);
});
