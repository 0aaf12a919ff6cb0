// A sample of the records of approximate instructions, on both engines; everything of 16 bits, all of it. In a run of everything eight times as many.

import { fileURLToPath } from "node:url";
import test from "ava";
import { isAll } from "../sample.js";
import { approxSuite } from "./approx.js";

const folder = fileURLToPath(new URL("../../../testdata/hardware/h200/approx", import.meta.url));

test("approximate instructions give an H200's bits", async (t) => {
  const options = { folder, engines: ["reference", "fast"], filter: "", every: isAll ? 8192 : 65536 } as const;
  let groups = 0;
  for await (const { name, compared, equal, difference } of approxSuite.run(options)) {
    groups++;
    t.is(equal, compared, `${name}: ${difference ?? ""}`);
    t.true(compared > 0, name);
  }
  t.is(groups, 2 * (17 + 8 + 4 + 1));
});
