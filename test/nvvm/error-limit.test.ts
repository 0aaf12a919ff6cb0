// A module with a great many errors ends with the first 10,000, and a body with its first thousand.

import test from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { compileModule } from "../../lib/nvvm/compile.js";
import { parseModule } from "../../lib/nvvm/text/parse.js";
import { diagnosticsOf } from "./verify/support.js";

const many = (count: number, line: (i: number) => string): string => Array.from({ length: count }, (_, i) => line(i)).join("\n"); // prettier-ignore
const body = (text: string): string => `define void @f() {\n${text}\nret void\n}\n`;

test("errors of a module, in bodies and outside, are reported up to a bound", (t) => {
  const bodies = many(600, (i) => `define void @f${i}() {\n${many(20, () => "call void @nothing()")}\nret void\n}`);
  for (const text of [many(10_100, (i) => `declare void @f${i}(%t${i}*)`), bodies]) {
    const found = diagnosticsOf(text);
    t.true(found.length >= 10_000 && found.length < 10_100, `${found.length}`);
  }
});

test("so are those of a body, and the next is verified", (t) => {
  const early = many(1500, (i) => `%v${i} = add i32 %w${i}, 1`);
  const late = many(1500, (i) => `%w${i} = add i32 1, 1`);
  const found = diagnosticsOf(`${body(`${early}\n${late}`)}define i8 @g() {\nret void\n}\n`);
  t.is(found.length, 1002);
  t.is(found.at(-1)!.code, "nvvm-operand");
});

test("nothing is read or compiled where the sink is full", (t) => {
  const sink = createSink();
  const source = { name: "a.ll", bytes: Buffer.from(body("")) };
  const module = parseModule(source, sink)!;
  for (let i = 0; i < 10_000; i++) sink.report("nvvm-syntax", `${i}`, undefined);
  t.is(parseModule(source, sink), undefined);
  t.is(module.functions[0]!.body!.read(sink), undefined);
  t.is(compileModule(module, {}, sink), undefined);
});
