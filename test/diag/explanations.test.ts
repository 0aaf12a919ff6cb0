// Every code is explained, and no example is made up: the wrong text is reported with exactly that code, the right one with
// nothing at all.

import test from "ava";
import { checkSource } from "../../lib/check/check.js";
import { codes, type CodeName } from "../../lib/diag/codes.table.js";
import { explanations, type Example, type Explanation } from "../../lib/diag/explanations.table.js";
import { createSink } from "../../lib/diag/sink.js";
import { linkObjects } from "../../lib/link/link.js";
import { assembleInput } from "../../lib/link/inputs/open-input.js";
import { exampleModules } from "../../lib/report/explain.js";

/** The codes that checking, and for several modules linking, reports; each once. */
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

test("what is explained is a code", (t) => {
  t.deepEqual(Object.keys(all).toSorted(), Object.keys(codes).toSorted());
});

/** What is said of files, command lines and links has a remedy where one can be given: the message knows the file or the symbol. */
const saidByMessages: readonly string[] = [
  ...["command-line", "file-access", "not-supported", "unknown-format", "broken-rule", "machine-code"],
  ...["no-embedded-ptx", "embedded-left-out", "no-input", "already-linked", "unknown-target", "incompatible-target"],
  ...["not-in-version", "debug-dropped", "name-dropped", "duplicate-symbol", "undefined-symbol", "unresolved-symbol"],
  ...["repeated-definition", "common-symbol", "symbol-assignment", "symbol-kind", "symbol-space", "symbol-managed"],
  ...["symbol-unified", "symbol-size", "symbol-prototype", "driver-prototype", "symbol-type", "odr-violation"],
  ...["symbol-align", "unknown-root", "nothing-live", "unknown-in-order", "no-effect", "kernels-left-out"],
  ...["ambiguous-kernel", "unknown-stack", "shared-limit"],
];

test("what is wrong with a text, and why a kernel stopped, never comes without a remedy", (t) => {
  const without = (Object.keys(codes) as readonly CodeName[]).filter((code) => codes[code].remedy === undefined);
  t.deepEqual(without, saidByMessages);
});
