// Patterns of names, compared with a shell's `case`.

import test from "ava";
import { compileGlobList, compileGlobs } from "../../lib/base/glob-list.js";
import { compileGlob, isGlob } from "../../lib/base/glob.js";

const cases: readonly (readonly [pattern: string, fits: readonly string[], others: readonly string[]])[] = [
  ["k", ["k"], ["", "kk", "K"]],
  ["*", ["", "k", "a*b"], []],
  ["k*", ["k", "kernel"], ["ak", ""]],
  ["*k", ["k", "ak", "kk"], ["ka"]],
  ["a*b*c", ["abc", "aXbYc", "abbcc", "abcbc"], ["ab", "abcd", "acb"]],
  ["?", ["a", "?"], ["", "ab"]],
  ["a?c*", ["abc", "a?cd"], ["ac", "abd"]],
  ["[abc]x", ["ax", "cx"], ["dx", "x", "abcx"]],
  ["[a-c0-9]", ["b", "7"], ["d", "-"]],
  ["[!a-c]", ["d"], ["a", ""]],
  ["[^a-c]", ["d"], ["a"]],
  ["[]]", ["]"], ["[", ""]],
  ["[!]]", ["a"], ["]"]],
  ["[-a]", ["-", "a"], ["b"]],
  ["a[", ["a["], ["a", "ab"]],
  ["$a.b", ["$a.b"], ["$aXb"]],
  ["**a**", ["a", "bab"], ["b"]],
];

for (const [pattern, fits, others] of cases)
  test(`the pattern ${pattern}`, (t) => {
    const matches = compileGlob(pattern);
    for (const name of fits) t.true(matches(name), name);
    for (const name of others) t.false(matches(name), name);
  });

test("several patterns fit what one of them fits", (t) => {
  const matches = compileGlobs(["main", "k_*", "?"]);
  for (const name of ["main", "k_", "k_1", "x"]) t.true(matches(name), name);
  for (const name of ["mai", "k1", ""]) t.false(matches(name), name);
  t.false(compileGlobs([])("x"));
});

test("only wildcards make a pattern", (t) => {
  t.deepEqual(["a", "$x_1%", "a*", "a?", "[a]"].map(isGlob), [false, false, true, true, true]);
});

test("a pattern of many stars is matched in linear time", (t) => {
  t.false(compileGlob(`${"a*".repeat(60)}b`)("a".repeat(5000)));
});

test("a list of patterns finds what each of them fits alone", (t) => {
  const letters = ["a", "b", "[ab]", "[!a]", "*", "?", "[", "]", "ab"];
  const patterns = Array.from({ length: 3000 }, (_, i) =>
    [i, i / 9, i / 81, i / 729].map((digit) => letters[Math.floor(digit) % letters.length]!).join(""),
  ).concat(cases.map(([pattern]) => pattern));
  const names = Array.from({ length: 200 }, (_, i) =>
    [...i.toString(4)].map((digit) => "ab[]"[Number(digit)]!).join(""),
  );
  const distinct = [...new Set(patterns)];
  const { fitting } = compileGlobList(distinct);
  const tests = distinct.map(compileGlob);
  for (const name of [...names, ...cases.flatMap(([, fits, others]) => [...fits, ...others])])
    t.deepEqual(
      [...fitting(name)].sort((a, b) => a - b),
      tests.flatMap((each, i) => (each(name) ? [i] : [])),
      name,
    );
});

test("of equal patterns in a list the first one counts", (t) => {
  t.deepEqual(compileGlobList(["k", "k*", "k", "k*"]).fitting("k").toSorted(), [0, 1]);
});
