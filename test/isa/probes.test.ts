// The checker's verdicts on statements written by hand, compared with those of ptxas 13.0 (test/oracle/isa-probes.ts
// records them in testdata/isa/probes.txt).

import { readFileSync } from "node:fs";
import test from "ava";
import { sample } from "../sample.js";
import { refusalOf } from "../oracle/isa/checker.js";
import { readProbes } from "../oracle/isa/probes.js";

const file = new URL("../../../testdata/isa/probes.txt", import.meta.url);

test("statements written for the manual's sentences are accepted and refused as ptxas does", (t) => {
  const probes = readProbes(readFileSync(file, "utf8"));
  t.true(probes.length > 100);
  const some = sample(probes, 4, { name: ({ statement }) => statement, kind: ({ mark }) => mark });
  const disagreements = some.flatMap(({ mark, target, statement, text }) => {
    const refusal = refusalOf(text);
    return (mark === "+") === (refusal === undefined)
      ? []
      : [`${mark} ${target} ${statement}: ${refusal ?? "accepted"}`];
  });
  t.deepEqual(disagreements, []);
});
