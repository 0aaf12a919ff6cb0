// Writes testdata/exec/rows.txt: checksums of C's results for every case of every row. --check SEEDS writes nothing,
// and compares ptxkit with C on operands from that many seeds; --halves compares cases with one 16-bit operand on all
// its 65536 values. "reference" at the end selects the reference engine instead of the fast one, which compiles
// everything it can.

import { writeFileSync } from "node:fs";
import type { EngineName } from "../../../lib/exec/state/launch.js";
import { type Case, casesOf } from "./cases.js";
import { openOracle } from "./c-oracle.js";
import { run } from "./kernels.js";
import { COUNT, HALF_SEEDS, HALVES } from "./operands.js";
import { checksum, differences, RECORD, valueForms } from "./values.js";

const BATCH = 1000;

async function compare(cases: readonly Case[], seeds: readonly number[], engine: EngineName): Promise<void> {
  let wrong = 0;
  for (const seed of seeds)
    for (let from = 0; from < cases.length; from += BATCH) {
      const batch = cases.slice(from, from + BATCH);
      const expected = oracle.ask(batch, seed);
      const outcomes = await run(batch, seed, engine);
      const found = outcomes.flatMap((outcome, i) => [
        ...(outcome.complaint === undefined ? [] : [`${outcome.case.text}: ${outcome.complaint}`]),
        ...differences(outcome, expected[i]!, seed),
      ]);
      wrong += found.length;
      for (const line of found.slice(0, 50)) console.log(line);
    }
  console.log(`${cases.length} cases, ${COUNT} values of ${seeds.length} seeds each: ${wrong} differences`);
  process.exitCode = wrong === 0 ? 0 : 1;
}

function record(): void {
  const lines = valueForms.map((form) => {
    const cases = casesOf(form);
    const values = oracle.ask(cases);
    return [form.id, ...cases.map((each, i) => checksum(each, values[i]!))].join(" ");
  });
  writeFileSync(RECORD, `${lines.join("\n")}\n`);
}

const oracle = openOracle();
const [option, ...rest] = process.argv.slice(2);
const engine = rest.includes("reference") ? "reference" : "fast";
const count = rest.find((text) => /^\d+$/.test(text)) ?? "1";
const range = (length: number, from: number, step: number): readonly number[] =>
  Array.from({ length }, (_, i) => from + step * i);
const all = valueForms.flatMap(casesOf);

if (option === "--check") await compare(all, range(Number(count), 1, 1), engine);
else if (option === "--halves") {
  const halves = all.filter(({ operands }) => operands.length === 1 && HALVES.has(operands[0]!.kind));
  await compare(halves, range(HALF_SEEDS, -1, -1), engine);
} else record();
oracle.close();
