// Random modules give the results of libNVVM and llc, which `npm run oracle:nvvm-values` recorded. A sample has one in
// 16.

import { readFileSync } from "node:fs";
import test from "ava";
import { sample } from "../../sample.js";
import { testdata } from "../../oracle/programs.js";
import { randomModule } from "../../oracle/nvvm/random/module.js";
import { digestOf, runModule } from "../../oracle/nvvm/run-module.js";

const recorded = JSON.parse(readFileSync(new URL("nvvm/values.json", testdata), "utf8")) as Readonly<
  Record<string, string>
>;

for (const [seed, digest] of sample(Object.entries(recorded), 16, { name: ([seed]) => seed })) {
  test(`the values of random module ${seed}`, async (t) => {
    const module = randomModule(Number(seed));
    t.is(digestOf(module.text, await runModule("module.ll", module.text, module, Number(seed))), digest);
  });
}
