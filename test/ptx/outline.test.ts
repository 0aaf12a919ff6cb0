// The fast way through a module, with bodies stepped over and read one by one, gives what reading it as a whole gives.

import { readdirSync, readFileSync } from "node:fs";
import test from "ava";
import fc from "fast-check";
import type { Source } from "../../lib/ptx/source-text.js";
import { rounds, sample, topFolder } from "../sample.js";
import { createSink, type DiagnosticSink } from "../../lib/diag/sink.js";
import { openModule, parseDeclarations, parseModule, parseWhole } from "../../lib/ptx/parse.js";
import type { Module } from "../../lib/ptx/tree.js";
import { bodyEnd, createSkipper } from "../../lib/ptx/skip.js";
import { header } from "./support.js";

const testdata = new URL("../../../testdata/", import.meta.url);
const names = readdirSync(testdata, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ptx"));
const files = sample(names, 24, { kind: topFolder }).map((name) => ({
  name,
  bytes: readFileSync(new URL(name, testdata)),
}));

/** All of a tree, places too, and all that was told. */
function outcome(parse: (source: Source, sink: DiagnosticSink) => Module<unknown>, source: Source): string {
  const sink = createSink();
  const { items, incomplete } = parse(source, sink);
  return JSON.stringify([items, incomplete, sink.all], (_, value: unknown) =>
    typeof value === "bigint" ? `${value}n` : value,
  );
}

test("every file of testdata gives the same tree and messages both ways", (t) => {
  for (const source of files) t.is(outcome(parseModule, source), outcome(parseWhole, source), source.name);
});

const scraps = [
  "{", "}", ".entry k()", ".func f(.param .b32 a)", ";", "add.s32 %r1, %r2, 3;", ".reg .b32 %r<4>;", "\n", "// } \" \n", "/* { */",
  "/*", "*/", '"', '.pragma "}";', ".global .u32 x[2]", "=", "1", ",", '# 3 "a{.cu"\n', ".section .debug_info", ".section", ".b8 1", "/", "L:", ".noreturn",
]; // prettier-ignore

test("any sequence of fragments gives the same both ways", (t) => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...scraps), { maxLength: 24 }), (parts) => {
      const source = { name: "a.ptx", bytes: Buffer.from(header + parts.join(" ")) };
      return outcome(parseModule, source) === outcome(parseWhole, source);
    }),
    { numRuns: rounds(3000, 8) },
  );
  t.pass();
});

test("declarations equal the tree without bodies, in valid text and invalid", (t) => {
  for (const source of files) {
    const bare = (source: Source, sink: DiagnosticSink): Module<unknown> => {
      const module = parseModule(source, sink);
      const items = module.items.map((item) =>
        item.kind === "function" && item.body !== undefined
          ? { ...item, body: { kind: "unread", start: item.body.start, end: item.body.end } }
          : item,
      );
      return { ...module, items };
    };
    const sink = createSink();
    parseModule(source, sink);
    if (sink.all.length === 0 || openModule(source) === undefined)
      t.is(outcome(parseDeclarations, source), outcome(bare, source), source.name);
  }
});

test("declarations are available although a body has a fault, which the body reports", (t) => {
  const text = `${header}.entry a() { ret }\n.entry b() { ret; }\n.func c;`;
  const source = { name: "a.ptx", bytes: Buffer.from(text) };
  const sink = createSink();
  const functions = parseDeclarations(source, sink).items.slice(3);
  t.deepEqual(
    functions.map((item) => item.kind === "function" && [item.name.text, item.body?.kind]),
    [
      ["a", "unread"],
      ["b", "unread"],
      ["c", undefined],
    ],
  );
  t.is(sink.errorCount, 0);
  const { outline, readBody } = openModule(source)!;
  const read = outline.items.map((item) => item.kind === "function" && item.body && readBody(item.body)?.kind);
  t.deepEqual(read.slice(3), [undefined, "block", undefined]);
});

test("braces in comments and strings do not count", (t) => {
  const end = (text: string): number => bodyEnd(createSkipper(Buffer.from(text)), 0);
  for (const body of ["{}", "{{}{}}", "{//}\n}", "{/*}*/}", "{/*/}*/}", '{"}"}', '{"//"}', '{/*"*/}', '{//"\n}', "{/}", "{/**/}"])
    t.is(end(`${body} } /`), body.length, body); // prettier-ignore
  for (const open of ["{", "{{}", "{/*}", "{/*/}", '{"}', "{//}", "{/"]) t.is(end(open), -1, open);
});

test("a released item holds nothing, and the others stay in place", (t) => {
  const bytes = Buffer.from(
    ".version 8.0\n.target sm_80\n.address_size 64\n.global .u32 x;\n.func f() { ret; }\n.global .u32 y;\n",
  );
  const { outline, readBody, forget } = openModule({ name: "a.ptx", bytes })!;
  const function_ = outline.items[4]!;
  forget(3);
  forget(4);
  t.deepEqual(
    outline.items.map(({ kind }) => kind),
    ["version", "target", "address-size", "location", "location", "variable"],
  );
  t.is(function_.kind === "function" && function_.body !== undefined && readBody(function_.body)?.statements.length, 1);
});
