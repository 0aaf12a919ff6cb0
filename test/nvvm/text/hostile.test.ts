// Any bytes give a module or an error, within linear time: every prefix, every deletion of one token, random mutants (a
// sample has one in 32 of each), deep nesting.

import test from "ava";
import { rounds, sample } from "../../sample.js";
import { codes } from "../../../lib/diag/codes.table.js";
import { createSink } from "../../../lib/diag/sink.js";
import type { Diagnostic } from "../../../lib/diag/diagnostic.js";
import { createNames } from "../../../lib/ptx/names.js";
import { parseModule } from "../../../lib/nvvm/text/parse.js";
import { advance, createScanner } from "../../../lib/nvvm/text/scanner.js";
import { kind } from "../../../lib/nvvm/text/token.js";
import { modules } from "./modules.js";

/** Reads the module with its bodies, and returns the diagnostics. */
function read(bytes: Uint8Array): readonly Diagnostic[] {
  const sink = createSink();
  const module = parseModule({ name: "a.ll", bytes }, sink);
  for (const { body } of module?.functions ?? []) body?.read(sink);
  if (module === undefined && sink.errorCount === 0) throw new Error("refused without a word");
  for (const { code, message, place, remedy } of sink.all) {
    // Every construct has a remedy of its own.
    if (code === "nvvm-syntax" && remedy === codes[code].remedy) throw new Error(`no remedy: ${message}`);
    if (place?.kind !== "text" || place.start > bytes.length || place.end > bytes.length || place.end < place.start)
      throw new Error(`a place outside of the text: ${JSON.stringify(place)}`);
  }
  return sink.all;
}

function tokensOf(bytes: Uint8Array): readonly (readonly [start: number, end: number])[] {
  const scanner = createScanner(createNames(bytes), 0, bytes.length);
  const tokens: (readonly [number, number])[] = [];
  for (advance(scanner); scanner.kind !== kind.END; advance(scanner)) tokens.push([scanner.start, scanner.end]);
  return tokens;
}

/** Random numbers, the same on every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

for (const [name, text] of modules) {
  const bytes = Buffer.from(text);

  test(`dialect ${name} is read without a fault`, (t) => {
    t.deepEqual(
      read(bytes).map(({ message, place }) => `${place?.line}:${place?.column} ${message}`),
      [],
    );
  });

  test(`every prefix of dialect ${name} gives a module or a diagnostic`, (t) => {
    const ends = Array.from({ length: Math.ceil(bytes.length / 3) }, (_, i) => 3 * i);
    for (const end of sample(ends, 32)) read(bytes.subarray(0, end));
    t.pass();
  });

  test(`every single-token deletion of dialect ${name} gives a module or a diagnostic`, (t) => {
    let refused = 0;
    const tokens = sample(tokensOf(bytes), 32);
    for (const [start, end] of tokens)
      if (read(Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)])).length > 0) refused++;
    t.true(refused > tokens.length / 2, `${refused} of ${tokens.length} are needed`);
  });

  test(`mutants of dialect ${name} give a module or a diagnostic`, (t) => {
    const below = numbers(name.charCodeAt(0));
    const tokens = tokensOf(bytes);
    const token = (): Buffer => {
      const [start, end] = tokens[below(tokens.length)]!;
      return bytes.subarray(start, end);
    };
    for (let round = 0; round < rounds(700, 32); round++) {
      const parts: Buffer[] = [];
      let at = 0;
      for (const [start, end] of tokens) {
        if (below(60) !== 0) continue;
        parts.push(bytes.subarray(at, start));
        const what = below(4);
        if (what === 0) parts.push(token());
        else if (what === 1) parts.push(token(), Buffer.from(" "), bytes.subarray(start, end));
        else if (what === 2) parts.push(Buffer.from([below(256)]));
        at = end;
      }
      read(Buffer.concat([...parts, bytes.subarray(at)]));
    }
    t.pass();
  });
}

test("nesting is limited", (t) => {
  const deep = 100_000;
  const texts = [
    `@a = global ${"[1 x ".repeat(deep)}i8${"]".repeat(deep)} zeroinitializer\n`,
    `@a = global i8${"*".repeat(deep)} null\n`,
    `@a = global ${"{".repeat(deep)}\n`,
    `@a = global i8 ${"add (i8 ".repeat(deep)}\n`,
    `!0 = ${"!{".repeat(deep)}\n`,
    `!0 = ${"!DIExpression(".repeat(deep)}\n`,
    `declare ${"void (".repeat(deep)}\n`,
    `define void @f() ${"{".repeat(deep)}\n`,
    `@a = global [1 x i8] ${"[".repeat(deep)}\n`,
    `${Array.from({ length: 5000 }, (_, i) => `%s${i} = type { %s${i + 1} }\n`).join("")}%s5000 = type {}\n`,
    `%t0 = type i8*\n${Array.from({ length: 5000 }, (_, i) => `%t${i + 1} = type %t${i}*\n`).join("")}@a = global %t5000 null\n`,
  ];
  for (const text of texts) t.true(read(Buffer.from(text)).length > 0, text.slice(0, 40));
});

test("long text is read in linear time", (t) => {
  const many = 20_000;
  const lines = (line: (i: number) => string): string => Array.from({ length: many }, (_, i) => line(i)).join("\n");
  const texts = [
    lines((i) => `@g${i} = global i8* @g${(i * 7919) % many}`),
    lines((i) => `!${i} = !{!${(i + 1) % many}, !${(i * 31) % many}}`),
    lines((i) => `declare void @f${i}() #${i % 9}`),
    `define void @f(i32 %x) {\n${lines((i) => `%${i + 1} = add i32 %x, ${i}`)}\nret void\n}`,
    `define void @f(i32 %x) {\nbr label %b0\n${lines((i) => `b${i}:\nbr label %b${(i + 1) % many}`)}\n}`,
    `@"${"x".repeat(500_000)}" = global i8 0`,
    `"`.repeat(50_001),
    ";{".repeat(100_000),
  ];
  for (const text of texts) {
    const start = process.cpuUsage();
    read(Buffer.from(text));
    const { user } = process.cpuUsage(start);
    t.true(user < 5e6, `${text.slice(0, 40)}: ${user / 1000} ms`);
  }
});
