// A sample of the records of approximate instructions on the fast engine, with every argument of 16 bits; one instruction in four on the
// reference engine. A run of everything compares eight times as many records, all on both engines.

import { fileURLToPath } from "node:url";
import test, { type ExecutionContext } from "ava";
import type { EngineName } from "../../lib/exec/state/launch.js";
import { isAll, sample } from "../sample.js";
import { approxSuite } from "./approx.js";

const folder = fileURLToPath(new URL("../../../testdata/hardware/h200/approx", import.meta.url));

const every = isAll ? 8192 : 65536;

/** Compares on one engine, and returns the names of the instructions that were tried. */
async function compareOn(t: ExecutionContext, engine: EngineName, filter: string): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name, compared, equal, difference } of approxSuite.run({
    folder,
    engines: [engine],
    filter,
    every,
  })) {
    names.push(name.replace(/ \(.*/, ""));
    t.is(equal, compared, `${name}: ${difference ?? ""}`);
    t.true(compared > 0, name);
  }
  return names;
}

test("approximate instructions give an H200's bits", async (t) => {
  const names = await compareOn(t, "fast", "");
  t.is(names.length, 17 + 8 + 4 + 1);
  for (const name of sample(names, 4)) t.true((await compareOn(t, "reference", `${name} (`)).includes(name));
});
