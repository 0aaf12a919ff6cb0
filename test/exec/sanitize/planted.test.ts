// Each planted fault is found with its kind and place, and its correct variant has no findings.

import test from "ava";
import { sample } from "../../sample.js";
import { linesOf, pairFiles, pairsOf, runPair } from "./pairs.js";

const pairs = pairFiles.flatMap(pairsOf);

test("there are at least sixty pairs, of every kind", (t) => {
  t.true(pairs.length >= 60, `${pairs.length}`);
  t.deepEqual([...new Set(pairs.flatMap(({ expected }) => expected.map(({ kind }) => kind)))].toSorted(), [
    "barrier",
    "double-free",
    "leak",
    "mbarrier",
    "misaligned",
    "missing-wait",
    "out-of-bounds",
    "race",
    "uninitialized",
    "use-after-free",
    "warp-mask",
  ]);
});

for (const pair of sample(pairs, 6, {
  name: (each) => `${each.file} ${each.name}`,
  kind: (each) => each.expected.map(({ kind }) => kind).join(),
}))
  test(`${pair.file}: ${pair.name}`, async (t) => {
    const { findings = [] } = await runPair(pair, true);
    for (const { kind, space, line } of pair.expected)
      t.true(
        findings.some(
          (finding) =>
            finding.kind === kind &&
            (space === undefined || finding.space === space) &&
            linesOf(finding).includes(line),
        ),
        `${kind} at line ${line}`,
      );
    const kinds = new Set(pair.expected.map(({ kind }) => kind));
    for (const { kind, message } of findings) t.true(kinds.has(kind), message);
    const twin = await runPair(pair, false);
    t.deepEqual(twin.findings, []);
    t.is(twin.fault, undefined);
  });
