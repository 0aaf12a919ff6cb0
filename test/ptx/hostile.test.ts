// Any bytes whatever give a tree and diagnostics: no exception, and time linear in their number. Of
// prefixes, missing tokens and random texts a sample, one in 16.

import { readdirSync, readFileSync } from "node:fs";
import test from "ava";
import fc from "fast-check";
import { rounds, sample } from "../sample.js";
import { tokenize } from "../../lib/ptx/lexer.js";
import { header, parse } from "./support.js";

const testdata = new URL("../../../testdata/", import.meta.url);

/** Two modules that nvcc made, of a few kilobytes: one with control flow, one with debug data. */
const middling = ["programs/saxpy/saxpy.ptx", "programs/collatz-o0/collatz.ptx"].map((name) =>
  readFileSync(new URL(name, testdata)).subarray(0, 6000),
);

test("every file of testdata/hostile gives a result", (t) => {
  const folder = new URL("hostile/", testdata);
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ptx"));
  for (const name of names) t.notThrows(() => parse(readFileSync(new URL(name, folder))), name);
});

test("every prefix gives a result, with few messages", (t) => {
  for (const bytes of middling) {
    for (const length of sample([...bytes.keys()], 16)) {
      const { messages } = parse(bytes.subarray(0, length));
      if (messages.length > 2) t.fail(`${length}: ${messages.join("; ")}`);
    }
  }
  t.pass();
});

test("every single-token deletion gives a result, with few messages", (t) => {
  for (const bytes of middling) {
    const { tokens } = tokenize(bytes);
    for (const i of sample([...Array(tokens.count).keys()], 16)) {
      const without = Buffer.concat([bytes.subarray(0, tokens.starts[i]), bytes.subarray(tokens.ends[i])]);
      const { messages } = parse(without);
      if (messages.length > 2) t.fail(`without token ${i}: ${messages.join("; ")}`);
    }
  }
  t.pass();
});

const scraps = [
  ...'{}()[];,:@!~+-*/%<>=&^|?"#._$%\n \0\x01\xff\\',
  ..."a %r1 .u32 .global .reg .entry .func .visible .loc .file .section .version .pragma call 1 0x 0f3F800000".split(
    " ",
  ),
  ..."@@DWARF /* */ // :: .L1::a WARP_SZ generic( = {1,2} .callprototype .branchtargets L: ret;".split(" "),
];

test("any sequence of fragments gives a result", (t) => {
  const soup = fc.array(fc.constantFrom(...scraps)).map((parts) => parts.join(""));
  fc.assert(
    fc.property(soup, fc.boolean(), (text, inBody) => {
      parse(text);
      parse(inBody ? `${header}.entry k() {\n${text}` : header + text);
      return true;
    }),
    { numRuns: rounds(2000, 16) },
  );
  t.pass();
});

test("any bytes give a result", (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      parse(bytes);
      return true;
    }),
    { numRuns: rounds(1000, 16) },
  );
  t.pass();
});

const units = [
  ...';{}()[]"#.:@!-a1%$_/*\n\0\xff,<|?',
  ...'{( ([ /* // "a ret; ret mov {} {}; a: a. .a a.b a::b .a::b 1. 0x 0f1 @@ @@DWARF #1" .reg .func .visible .pragma'.split(
    " ",
  ),
  ".global .u32 a={",
  ".entry k(){",
  ".entry k(){}",
  "mov a,{b\n",
  "@p\n",
  "call (a\n",
  ".section .a {.b8 1\n",
  ".loc 1 2 3\n",
  "a<4>,",
];

for (const [place, prefix] of [
  ["a file", ""],
  ["a module", header],
  ["a body", `${header}.entry k() {\n`],
  ["an initial value", `${header}.global .u32 a = `],
] as const) {
  test(`long repetition in ${place} is parsed in linear time`, (t) => {
    for (const unit of sample(units, 12, { name: (each) => each + place })) {
      const before = process.cpuUsage();
      parse(prefix + unit.repeat(2e5 / unit.length));
      const { user } = process.cpuUsage(before);
      t.true(user < 2e6, `${unit}: ${user / 1000} ms`);
    }
  });
}
