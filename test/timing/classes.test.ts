// The table of timing classes covers the instruction table, and nothing else.

import test from "ava";
import { allRows } from "../../lib/isa/rows/all.table.js";
import { classRows } from "../../lib/timing/lowering/classes.table.js";
import { gpuFacts } from "../../lib/timing/gpus/gpus.js";
import { classRowOf, readRecipe } from "../../lib/timing/lowering/recipe.js";
import { sources } from "../../lib/timing/gpus/sources.table.js";

test("every form of the instruction table has a timing class", (t) => {
  t.deepEqual(
    allRows.map((row) => row.id).filter((id) => classRowOf(id) === undefined),
    [],
  );
});

test("every timing class classifies a form", (t) => {
  const used = new Set(allRows.map((row) => classRowOf(row.id)?.key));
  t.deepEqual(
    Object.keys(classRows).filter((key) => !used.has(key)),
    [],
  );
});

test("every recipe can be read, and the last line of a class has no condition", (t) => {
  for (const row of Object.values(classRows)) {
    const lines = typeof row === "string" ? [row] : row;
    for (const line of lines) t.notThrows(() => readRecipe(line.replace(/^.*->/, "")), line);
    t.false(lines.at(-1)!.includes("->"), lines.at(-1));
  }
});

test("every number of a model names a source", (t) => {
  let numbers = 0;
  const walk = (part: unknown, at: string): void => {
    if (Array.isArray(part)) {
      numbers++;
      t.is(part.length, 2, at);
      t.true(Object.hasOwn(sources, part[1] as string), at);
    } else if (typeof part === "object" && part !== null) {
      for (const [key, value] of Object.entries(part)) walk(value, `${at}.${key}`);
    } else t.not(typeof part, "number", at);
  };
  for (const facts of gpuFacts) walk(facts, facts.name);
  t.true(numbers > 400, `${numbers}`);
});
