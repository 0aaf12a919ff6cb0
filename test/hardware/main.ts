// Compares ptxkit with what an H200 computed, over all records.
//
//   npm run hardware                              every suite
//   npm run hardware -- scalar tensor             some of them
//   npm run hardware -- --records DIR             records from another folder of the same layout
//   npm run hardware -- --engine reference        one engine; both unless given
//   npm run hardware -- --filter atom --every 10  groups whose name contains that, one in ten of them
//   npm run hardware -- --whole                   all arguments on the reference engine too (approx.ts): hours

import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Outcome, SuiteOptions } from "./suite.js";
import { suites } from "./suites.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    records: { type: "string" },
    engine: { type: "string" },
    filter: { type: "string", default: "" },
    every: { type: "string", default: "1" },
    whole: { type: "boolean", default: false },
  },
});

const unknown = positionals.filter((name) => !suites.some((suite) => suite.name === name));
if (unknown.length > 0 || ![undefined, "reference", "fast"].includes(values.engine)) {
  const names = suites.map(({ name }) => name).join(", ");
  process.stderr.write(
    `npm run hardware -- [${names}] [--records DIR] [--engine reference|fast] [--filter TEXT] [--every N] [--whole]\n`,
  );
  process.exit(2);
}

const records = path.resolve(
  values.records ?? fileURLToPath(new URL("../../../testdata/hardware/h200", import.meta.url)),
);
const engines =
  values.engine === undefined ? (["reference", "fast"] as const) : [values.engine as "reference" | "fast"];

/** Differences of one suite that are printed in full. */
const SHOWN = 40;

let failed = false;
for (const suite of suites) {
  if (positionals.length > 0 && !positionals.includes(suite.name)) continue;
  const options: SuiteOptions = {
    folder: path.join(records, suite.name),
    engines,
    filter: values.filter,
    every: Number(values.every),
    whole: values.whole,
  };
  const differing: Outcome[] = [];
  let [groups, compared, equal, optional] = [0, 0, 0, 0];
  for await (const outcome of suite.run(options)) {
    groups++;
    compared += outcome.compared;
    equal += outcome.equal;
    const differs = outcome.equal < outcome.compared || outcome.difference !== undefined;
    if (differs && outcome.optional === true) optional++;
    else if (differs) differing.push(outcome);
    if (process.stderr.isTTY) process.stderr.write(`\r${suite.name}: ${groups} groups, ${differing.length} differ `);
  }
  if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
  for (const { name, compared, equal, difference } of differing.slice(0, SHOWN))
    console.log(
      `  ${name}: ${compared - equal} of ${compared} differ${difference === undefined ? "" : `: ${difference}`}`,
    );
  if (differing.length > SHOWN) console.log(`  and ${differing.length - SHOWN} more`);
  const also = optional === 0 ? "" : `; ${optional} optional groups differ`;
  console.log(
    `${suite.name} (${suite.title}): ${groups - differing.length} of ${groups} groups agree, ${equal} of ${compared} results${also}`,
  );
  failed ||= differing.length > 0 || groups === 0;
}
process.exit(failed ? 1 : 0);
