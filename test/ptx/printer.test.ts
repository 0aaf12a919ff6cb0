// What is printed parses to the tree it was printed from: on every module of testdata, and on generated trees. A sample,
// some of each folder.

import { readdirSync, readFileSync } from "node:fs";
import test from "ava";
import fc from "fast-check";
import { rounds, sample, topFolder } from "../sample.js";
import { printModule } from "../../lib/ptx/printer.js";
import type { Module } from "../../lib/ptx/tree.js";
import { modules } from "./generate.js";
import { bare, header, parse } from "./support.js";

const testdata = new URL("../../../testdata/", import.meta.url);

test("every module of testdata that parses prints to the same tree", (t) => {
  const all = readdirSync(testdata, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ptx"));
  const names = sample(all, 48, { kind: topFolder });
  let compared = 0;
  for (const name of names) {
    const { module, messages } = parse(readFileSync(new URL(name, testdata)));
    if (messages.length > 0) continue;
    const again = parse(printModule(module));
    t.deepEqual(again.messages, [], name);
    t.true(JSON.stringify(bare(again.module)) === JSON.stringify(bare(module)), name);
    compared++;
  }
  t.true(compared > 50);
});

test("every accepted text of the grammar's record prints to the same tree", (t) => {
  const verdicts = JSON.parse(readFileSync(new URL("ptx/verdicts.json", testdata), "utf8")) as { text: string }[];
  for (const { text } of sample(verdicts, 12, { name: (each) => each.text })) {
    const { module, messages } = parse(text);
    if (messages.length > 0) continue;
    t.deepEqual(bare(parse(printModule(module)).module), bare(module), text);
  }
});

test("generated trees are parsed back from their print", (t) => {
  fc.assert(
    fc.property(modules, (module) => {
      const text = printModule(module as Module);
      const { module: again, messages } = parse(text);
      return messages.length === 0 && JSON.stringify(bare(again)) === JSON.stringify(bare(module));
    }),
    { numRuns: rounds(300, 8) },
  );
  t.pass();
});

test("printing twice gives the same text", (t) => {
  const { module } = parse(`${header}.entry k() { { L: add .s32 a , b,0x10 ; } } .global .f32 a = 1e400;`);
  const once = printModule(module);
  t.is(printModule(parse(once).module), once);
  t.regex(once, /add\.s32 a, b, 16;/);
});
