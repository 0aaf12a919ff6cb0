// Every text of testdata/ptx is parsed as ptxas 13.0 parses it (make.mjs recorded its verdicts): what it accepts has no
// syntax error here, what it rejects for its grammar has at least one. What it rejects for its meaning may go either way.

import { readFileSync } from "node:fs";
import test from "ava";
import { parse } from "./support.js";

interface Verdict {
  readonly text: string;
  readonly verdict: "accept" | "syntax" | "meaning";
}

const file = new URL("../../../testdata/ptx/verdicts.json", import.meta.url);
const verdicts = JSON.parse(readFileSync(file, "utf8")) as readonly Verdict[];

/** Where we are more lenient, with the reason. */
const lenient: ReadonlySet<string> = new Set([
  // The grammar of PTX ISA 1.x is read without a section's flags too; the checker refuses @@DWARF for this version anyway.
  "@@DWARF .section .debug_info\n@@DWARF .byte 1",
  // The documents have an index from which a constant is subtracted; the checker warns that ptxas refuses it.
  "ld.global.u32 %r1, arr[%r2-4];",
]);

test("texts that ptxas accepts are accepted", (t) => {
  const accepted = verdicts.filter(({ verdict }) => verdict === "accept");
  t.true(accepted.length > 200);
  for (const { text } of accepted) t.deepEqual(parse(text).messages, [], text);
});

test("texts that ptxas rejects for their grammar are rejected", (t) => {
  const rejected = verdicts.filter(({ verdict }) => verdict === "syntax");
  t.true(rejected.length > 150);
  for (const { text } of rejected) {
    const isLenient = [...lenient].some((snippet) => text.includes(snippet));
    t.is(parse(text).messages.length > 0, !isLenient, text);
  }
});

test("nearly every rejected text gives one message, not a cascade", (t) => {
  const counts = verdicts.filter(({ verdict }) => verdict === "syntax").map(({ text }) => parse(text).messages.length);
  t.true(counts.filter((count) => count > 1).length <= 5);
  t.true(Math.max(...counts) <= 2);
});
