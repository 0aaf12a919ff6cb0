// Every code is explained, and its examples are real: the wrong text is reported with exactly that code, the right one
// without diagnostics.

import test from "ava";
import { checkSource } from "../../lib/check/check.js";
import { codes, type CodeName } from "../../lib/diag/codes.table.js";
import { explanations, type Example, type Explanation } from "../../lib/diag/explanations.table.js";
import { createSink } from "../../lib/diag/sink.js";
import { linkObjects } from "../../lib/link/link-objects.js";
import { assembleInput } from "../../lib/link/inputs/open-input.js";
import { exampleModules } from "../../lib/report/explain.js";

/** Codes that checking reports, and for several modules linking; each once. */
function reported(kind: Example["kind"], text: string | readonly string[]): readonly string[] {
  const sink = createSink();
  const sources = exampleModules(kind, text).map((module, i) => ({ name: `${i}.ptx`, bytes: Buffer.from(module) }));
  if (kind !== "link") checkSource(sources[0]!, sink);
  else {
    const inputs = sources.map((source) => assembleInput(source, sink));
    linkObjects(
      inputs.flatMap((input) => (input?.kind === "object" ? [input.object] : [])),
      {},
      sink,
    );
  }
  return [...new Set(sink.all.map(({ code }) => code))];
}

const all: Readonly<Record<string, Explanation>> = explanations;

for (const code of Object.keys(codes) as readonly CodeName[]) {
  test(`${code} is explained`, (t) => {
    const { about, example } = all[code]!;
    t.regex(about, /^\S[^]{60,}\.$/, "an explanation worth reading");
    t.true(about.length > codes[code].explanation.length, "it says more than the table");
    if (example.kind === "situation") {
      t.true(example.wrong !== "" && example.right !== "");
      return;
    }
    t.deepEqual(reported(example.kind, example.wrong), [code]);
    t.deepEqual(reported(example.kind, example.right), []);
  });
}

test("every explanation is of a code", (t) => {
  t.deepEqual(Object.keys(all).toSorted(), Object.keys(codes).toSorted());
});

test("every code has a remedy, but for broken-rule, which has one per file", (t) => {
  const without = (Object.keys(codes) as readonly CodeName[]).filter((code) => codes[code].remedy === undefined);
  t.deepEqual(without, ["broken-rule"]);
});
