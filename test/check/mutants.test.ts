// Verdicts on mutants of testdata's modules, compared with those of ptxas 13.0. test/oracle/check-fuzz.ts records them,
// except for known disagreements.

import { readFileSync } from "node:fs";
import test from "ava";
import { sample } from "../sample.js";
import { check } from "./support.js";

interface Mutant {
  readonly module: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly accepted: boolean;
  readonly says?: string;
}

const record = JSON.parse(readFileSync(new URL("../../../testdata/check/mutants.json", import.meta.url), "utf8")) as {
  readonly modules: Readonly<Record<string, string>>;
  readonly mutants: readonly Mutant[];
};

const mutants = sample(record.mutants, 3, {
  name: ({ module, start, text }) => `${module} ${start} ${text}`,
  kind: ({ module, accepted }) => `${module} ${accepted}`,
});

test("mutants are accepted and refused as ptxas does", (t) => {
  const disagreements = mutants.flatMap(({ module, start, end, text, accepted, says }) => {
    const original = record.modules[module]!;
    const { errors } = check(original.slice(0, start) + text + original.slice(end));
    if (accepted === (errors.length === 0)) return [];
    return [`${module} ${start} '${text}'  ptxas: ${says ?? "accepted"}; ptxkit: ${errors[0]?.message ?? "accepted"}`];
  });
  t.deepEqual(disagreements, []);
  t.true(record.mutants.length >= 390);
});

test("most faulty mutants get one message, and nearly all at most two", (t) => {
  const counts = mutants
    .map(({ module, start, end, text }) => {
      const original = record.modules[module]!;
      return check(original.slice(0, start) + text + original.slice(end)).errors.length;
    })
    .filter((count) => count > 0)
    .sort((a, b) => a - b);
  t.is(counts[Math.floor(counts.length * 0.8)], 1);
  t.true(counts[Math.floor(counts.length * 0.94)]! <= 2);
});
