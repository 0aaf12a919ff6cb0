// `npm run accuracy` measures the hardware's error of every approximate instruction on a sample (a minute) and writes
// testdata/exec/accuracy.json, from which docs/accuracy-of-approximations.md is made. Each instruction has a process of
// its own, so that V8 compiles the loops for one function.

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { measure, measureQuotient, measureRsqrtF64, type Worst } from "./measure.js";
import { quotients, subjects } from "./subjects.js";

const PAIRS = 2 ** 23;
const ROOTS = 2 ** 18;
const root = { name: "rsqrt.approx.f64", domainText: "2^18 numbers from 1 to 4" };

/** By index: subjects, then quotients, then the square root. */
function one(index: number): Worst {
  const quotient = quotients[index - subjects.length];
  if (index < subjects.length) return measure(subjects[index]!);
  return quotient === undefined ? measureRsqrtF64(ROOTS) : measureQuotient(quotient, PAIRS);
}

const [, self, asked] = process.argv;
if (asked !== undefined) console.log(JSON.stringify(one(Number(asked))));
else {
  const results = [...subjects, ...quotients, root].map((subject, index) => {
    const output = execFileSync(process.execPath, [self!, String(index)], { encoding: "utf8" });
    const row = { name: subject.name, domain: subject.domainText, ...(JSON.parse(output) as Worst) };
    console.error(JSON.stringify(row));
    return row;
  });
  writeFileSync(
    "testdata/exec/accuracy.json",
    `[\n${results.map((row) => `  ${JSON.stringify(row)}`).join(",\n")}\n]\n`,
  );
}
