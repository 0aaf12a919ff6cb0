// Small programs with faults that public reports describe: they are found, except for those that docs/sanitizer.md
// explains, and corrected programs have no findings. Sampled.

import { readFileSync } from "node:fs";
import test from "ava";
import { sample } from "../../sample.js";
import { linesOf, pairsOf, reportFiles, runPair } from "./pairs.js";

const reports = reportFiles.flatMap(pairsOf);
const page = readFileSync(new URL("../../../../docs/sanitizer.md", import.meta.url), "utf8");

test("each report has its address, and a row of docs/sanitizer.md", (t) => {
  t.true(reports.length >= 40, `${reports.length}`);
  for (const { name, about, expected } of reports) {
    const [address = ""] = about;
    t.regex(address, /^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/(?:pull|issues)\/\d+$/, name);
    const row = page.split("\n").find((line) => line.includes(`(${address})`));
    const kinds = [...new Set(expected.map(({ kind }) => `\`${kind}\``))].join(", ");
    t.true(row?.endsWith(kinds === "" ? "not found |" : `${kinds} |`), `${name}: ${row ?? "no row"}`);
  }
});

for (const report of sample(reports, 10, { name: ({ name }) => name, kind: ({ file }) => file }))
  test(`${report.name}: ${report.about[0]}`, async (t) => {
    const { findings = [] } = await runPair(report, true);
    for (const { kind, space, line } of report.expected)
      t.true(
        findings.some(
          (finding) =>
            finding.kind === kind &&
            (space === undefined || finding.space === space) &&
            linesOf(finding).includes(line),
        ),
        `${kind} at line ${line}`,
      );
    const kinds = new Set(report.expected.map(({ kind }) => kind));
    t.deepEqual(
      findings.filter(({ kind }) => !kinds.has(kind)).map(({ message }) => message),
      [],
    );
    const twin = await runPair(report, false);
    t.deepEqual(twin.findings, []);
    t.is(twin.fault, undefined);
  });
