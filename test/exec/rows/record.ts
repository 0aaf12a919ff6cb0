// Writes testdata/exec/rows.txt: checksums of what C gives for every case of every row. With --check SEEDS it writes nothing,
// and compares ptxkit with C live, on operands from that many seeds.

import { writeFileSync } from "node:fs";
import { casesOf } from "./cases.js";
import { askC } from "./c-oracle.js";
import { run } from "./kernels.js";
import { checksum, differences, RECORD, valueForms } from "./values.js";

const BATCH = 1000;

async function compare(seeds: number): Promise<void> {
  const cases = valueForms.flatMap(casesOf);
  let wrong = 0;
  for (let seed = 1; seed <= seeds; seed++)
    for (let from = 0; from < cases.length; from += BATCH) {
      const batch = cases.slice(from, from + BATCH);
      const expected = askC(batch, seed);
      const outcomes = await run(batch, seed);
      const found = outcomes.flatMap((outcome, i) => [
        ...(outcome.complaint === undefined ? [] : [`${outcome.case.text}: ${outcome.complaint}`]),
        ...differences(outcome, expected[i]!, seed),
      ]);
      wrong += found.length;
      for (const line of found.slice(0, 50)) console.log(line);
    }
  console.log(`${seeds} seeds of ${cases.length} cases: ${wrong} differences`);
  process.exitCode = wrong === 0 ? 0 : 1;
}

function record(): void {
  const lines = valueForms.map((form) => {
    const cases = casesOf(form);
    const values = askC(cases);
    return [form.id, ...cases.map((each, i) => checksum(each, values[i]!))].join(" ");
  });
  writeFileSync(RECORD, `${lines.join("\n")}\n`);
}

const [option, seeds] = process.argv.slice(2);
if (option === "--check") await compare(Number(seeds ?? 1));
else record();
