// Some of the files that `npm run fuzz:nvvm` makes; none causes an exception.

import test from "ava";
import { rounds } from "../../sample.js";
import { deletionsOf, mutantOf, outcomeOf, prefixesOf, seeds, type Outcome } from "./mutants.js";

test("each module of the tests gives a module or a diagnostic", (t) => {
  const outcomes = new Set<Outcome>(seeds.map((seed) => outcomeOf(seed)));
  t.true(outcomes.has("compiled") && outcomes.has("refused"));
});

test("so do mutants of text and of bitcode", (t) => {
  const counts: Record<Outcome, number> = { refused: 0, right: 0, compiled: 0 };
  const total = rounds(2000, 10);
  for (let number = 1; number <= total; number++) counts[outcomeOf(mutantOf(seeds, number))]++;
  t.true(counts.refused > 0 && counts.compiled > 0, JSON.stringify(counts));
});

test("prefixes and deletions are enumerated completely", (t) => {
  const seed = { name: "a.ll", bytes: Buffer.from("@a = global i8 0\n") };
  t.is([...prefixesOf(seed)].length, 17);
  t.deepEqual(
    [...deletionsOf(seed)].map(({ bytes }) => Buffer.from(bytes).toString().trim()),
    ["= global i8 0", "@a  global i8 0", "@a =  i8 0", "@a = global  0", "@a = global i8"],
  );
});
