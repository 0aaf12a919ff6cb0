// Every program of testdata/programs, through the whole pipeline, against what its host program computed.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import test from "ava";
import { compareOutput, readExpectation } from "../../lib/report/expectation.js";
import { runProgram } from "./run-program.js";

const root = fileURLToPath(new URL("../../../testdata/programs/", import.meta.url));

for (const name of readdirSync(root).filter((each) => existsSync(path.join(root, each, "program.json")))) {
  const folder = path.join(root, name);
  test(name, async (t) => {
    const { results, outputs, printf } = await runProgram(folder, 100_000_000);
    for (const { fault } of results) t.is(fault, undefined);
    const expected = readExpectation(readFileSync(path.join(folder, "expected.json"), "utf8"), (file) =>
      readFileSync(path.join(folder, file)),
    );
    for (const output of expected.outputs) {
      const { mismatches, examples } = compareOutput(output, outputs.get(output.name)!);
      t.is(mismatches, 0, `${output.name}: ${JSON.stringify(examples)}`);
    }
    if (expected.printf !== undefined) t.is(printf, expected.printf);
  });
}
