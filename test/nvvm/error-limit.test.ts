// Diagnostics are limited to 10,000 for a module and a thousand for a body.

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

test("so are those of a body, and the next body is verified", (t) => {
  const early = many(1500, (i) => `%v${i} = add i32 %w${i}, 1`);
  const late = many(1500, (i) => `%w${i} = add i32 1, 1`);
  const found = diagnosticsOf(`${body(`${early}\n${late}`)}define i8 @g() {\nret void\n}\n`);
  t.is(found.length, 1002);
  t.is(found.at(-1)!.code, "nvvm-operand");
});

test("a module is neither read nor compiled where the sink is full", (t) => {
  const sink = createSink();
  const source = { name: "a.ll", bytes: Buffer.from(body("")) };
  const module = parseModule(source, sink)!;
  for (let i = 0; i < 10_000; i++) sink.report("nvvm-syntax", `${i}`, undefined);
  t.is(parseModule(source, sink), undefined);
  t.is(module.functions[0]!.body!.read(sink), undefined);
  t.is(compileModule(module, {}, sink), undefined);
});

test("a text of many undefined types is read until 10,000 are certain, whatever the rest defines", (t) => {
  const uses = many(25_000, (i) => `declare void @f${i}(%t${i}*)`);
  const rest = "declare void @type(i32 %type)\nthis is not a statement\n";
  const some = many(9000, (i) => `%t${i}\t=type { i32 }`);
  const found = diagnosticsOf(`${uses}\n${some}\n${rest}`);
  t.is(found.length, 10_000);
  t.deepEqual([found[0]!.message, found.at(-1)!.message], [9000, 18_999].map((i) => `type %t${i} is used, but defined nowhere`)); // prettier-ignore
});

test("a text that defines nearly all of its types after their uses is read to its end", (t) => {
  const uses = many(25_000, (i) => `declare void @f${i}(%t${i}*)`);
  const definitions = (first: number): string => many(25_000 - first, (i) => `%t${i + first} = type { i32 }`);
  t.deepEqual(diagnosticsOf(`${uses}\n${definitions(0)}\n`), []);
  const found = diagnosticsOf(`${uses}\n${definitions(5)}\n%t1 =\ntype opaque\n%"t2" = type opaque\n`);
  t.deepEqual(found.map(({ message }) => message), [0, 3, 4].map((i) => `type %t${i} is used, but defined nowhere`)); // prettier-ignore
});

test("numbers with leading zeros and NUL bytes define types after their uses, too", (t) => {
  const uses = many(25_000, (i) => `declare void @f${i}(%${i}*)`);
  const first = (text: string): string => diagnosticsOf(`${uses}\n${text}\n`)[0]!.message;
  t.is(first("%00 = type { i32 }\n%001\t= type opaque\n%2 = type opaque"), "type %3 is used, but defined nowhere");
  t.is(first("%0 =\0type { i32 }"), "type %1 is used, but defined nowhere");
  t.is(first("%0\0= type { i32 }"), "type %1 is used, but defined nowhere");
});
