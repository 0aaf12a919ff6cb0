// Samples: some of each kind, the same ones each time, independent of the other items.

import test from "ava";
import { sampleFor } from "./choose.js";
import { topFolder } from "./sample.js";

const items = Array.from({ length: 1000 }, (_, i) => ({ name: `add.${i % 7}.case ${i}`, kind: `${i % 7}` }));
const taken = (of: "all" | "sample" | "quick", from = items, every = 10): readonly string[] =>
  sampleFor(
    of,
    from,
    every,
    ({ name }) => name,
    ({ kind }) => kind,
  ).map(({ name }) => name);

test("PTXKIT_TESTS=all samples everything", (t) => {
  t.deepEqual(
    taken("all"),
    items.map(({ name }) => name),
  );
});

test("of each kind some are sampled, at least one, in the order of the list", (t) => {
  const some = taken("sample");
  t.is(some.length, 7 * 15);
  t.is(new Set(some.map((name) => name.split(".")[1])).size, 7);
  t.deepEqual(
    some,
    items.map(({ name }) => name).filter((name) => some.includes(name)),
  );
  t.is(taken("sample", items, 1_000_000).length, 7);
});

test("the sample depends on names, not on positions", (t) => {
  const some = taken("sample");
  t.deepEqual(taken("sample", items.toReversed()).toReversed(), some);
  const fewer = items.filter(({ name }) => some.includes(name));
  t.true(taken("sample", fewer, 1).every((name) => some.includes(name)));
  // They are spread over the list, without a pattern.
  const places = some.map((name) => Number(name.split(" ")[1]));
  t.true(places.some((place) => place < 300) && places.some((place) => place > 700));
  t.true(new Set(places.map((place) => place % 10)).size > 5);
});

test("the minimum is a quarter of a sample, at least one", (t) => {
  t.is(taken("quick").length, 25);
  t.is(taken("quick", items.slice(0, 3), 10).length, 1);
  t.deepEqual(taken("quick", []), []);
});

test("a file of testdata has the kind of its folder", (t) => {
  t.is(topFolder("programs/saxpy/saxpy.ptx"), "programs");
  t.is(topFolder("link\\map\\a.ptx"), "link");
});
