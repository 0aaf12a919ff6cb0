// The checker's verdicts on generated instructions, compared with those of ptxas (recorded by
// test/oracle/isa-snippets.ts).

import { readFileSync } from "node:fs";
import test from "ava";
import { sample } from "../sample.js";
import { askChecker } from "../oracle/isa/checker.js";

interface Verdict {
  readonly version: string;
  readonly target: string;
  readonly statement: string;
  readonly accepted: boolean;
}

const file = new URL("../../../testdata/isa/verdicts.json", import.meta.url);
const { verdicts } = JSON.parse(readFileSync(file, "utf8")) as { readonly verdicts: readonly Verdict[] };

const groups = new Map<string, Verdict[]>();
for (const verdict of verdicts) {
  const key = `${verdict.version} ${verdict.target}`;
  groups.set(key, [...(groups.get(key) ?? []), verdict]);
}

for (const [name, all] of groups) {
  const group = sample(all, 4, { name: (each) => each.statement, kind: (each) => `${each.accepted}` });
  test(`instructions are accepted and refused as ptxas does: PTX ${name}`, (t) => {
    const { version, target } = group[0]!;
    const refusals = askChecker({ version, target, statements: group.map((v) => v.statement) });
    const disagreements = group.flatMap(({ statement, accepted }, i) =>
      accepted === (refusals[i] === undefined)
        ? []
        : [`${statement}  ptxas: ${accepted ? "accepted" : "refused"}; ours: ${refusals[i] ?? "accepted"}`],
    );
    t.deepEqual(disagreements, []);
  });
}
