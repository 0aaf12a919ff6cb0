// Names that are used before their definition, spellings of names, and identity of equal types.

import test from "ava";
import { createSink } from "../../../lib/diag/sink.js";
import { typeText } from "../../../lib/nvvm/ir/type.js";
import type { Module } from "../../../lib/nvvm/ir/module.js";
import { parseModule } from "../../../lib/nvvm/text/parse.js";

/** The module with its bodies, and `LINE: MESSAGE` of each error. */
function read(lines: readonly string[]): { readonly module: Module | undefined; readonly faults: readonly string[] } {
  const sink = createSink();
  const module = parseModule({ name: "a.ll", bytes: Buffer.from(lines.join("\n")) }, sink);
  for (const { body } of module?.functions ?? []) body?.read(sink);
  const faults = sink.all.map(({ place, message }) => `${place?.kind === "text" ? place.line : 0}: ${message}`);
  return { module, faults };
}

test("a number is a valid type name, too", (t) => {
  const { module, faults } = read(["@x = external global %7", '%"7" = type { i32 }', "@y = external global %7"]);
  t.deepEqual(faults, []);
  const [x, y] = module!.variables;
  t.is(x!.valueType, y!.valueType);
  t.deepEqual(module!.types.structs.map(typeText), ["%7"]);
  t.deepEqual(read(["%7 = type { i32 }", '%"7" = type { i8 }']).faults, ["2: type %7 is defined twice"]);
  const large = ["%2000000000 = type { i32 }", '%"2000000000" = type { i8 }'];
  t.deepEqual(read(large).faults, ["2: type %2000000000 is defined twice"]);
});

test("quoted digits that are not a canonical number are separate names", (t) => {
  const { module, faults } = read(["%7 = type { i32 }", '%"007" = type { i8 }', '%"2147483648" = type { i16 }']);
  t.deepEqual(faults, []);
  t.deepEqual(
    module!.types.structs.map(({ name }) => name),
    ["7", "007", "2147483648"],
  );
});

test("equal types are one object, whatever they are made of", (t) => {
  const types = ["{ i32, i8* }", "<{ i32, i8* }>", "{ i32 }", "{}", "[2 x { i32 }]", "void (i32, ...)*", "void (i32)*"];
  const other = ["{ i8*, i32 }", "i32 ()*", "i32 (i32)*", "i8 addrspace(3)*", "<2 x i8*>", "void ()*", "{ i8* }"];
  const all = [...types, ...other];
  const lines = [...all, ...all].map((type, i) => `@g${i} = external global ${type}`);
  const made = read(lines).module!.variables.map(({ valueType }) => valueType);
  t.deepEqual(made.slice(0, all.length).map(typeText), all);
  all.forEach((_, i) => t.is(made[i], made[i + all.length]));
  t.is(new Set(made).size, all.length);
});

test("uses before a definition get its type, and are reported in their order", (t) => {
  t.deepEqual(
    read([
      "define void @f(i1 %c) {",
      "  br i1 %c, label %a, label %b",
      "a:",
      "  %x = add i64 %v, 1",
      "  %y = add i8 %v, 1",
      "  %z = add i16 %v, 1",
      "  br label %b",
      "b:",
      "  %v = add i32 1, 1",
      "  ret void",
      "}",
    ]).faults,
    ["i64", "i8", "i16"].map((type, i) => `${i + 4}: %v is of type i32, but used as ${type}`),
  );
  t.deepEqual(
    read([
      "@p = global i32* @v",
      "@q = global i8* @v",
      "@r = global i32* @w",
      "@v = global i32 0",
      "@s = global i8* @v",
      "@v = global i32 1",
    ]).faults,
    [
      "2: @v is of type i32*, but used as i8*",
      "5: @v is of type i32*, but used as i8*",
      "6: @v is declared twice",
      "3: @w is used, but declared nowhere",
    ],
  );
});

test("variables and functions are in the text's order, wherever they are used first", (t) => {
  const { module, faults } = read([
    "@a = global void ()* @f",
    "@b = global i32** @d",
    "@c = global i32 0",
    "@d = global i32* @c",
    "declare void @f()",
    "declare void @e()",
  ]);
  t.deepEqual(faults, []);
  t.deepEqual(
    module!.variables.map(({ name }) => name),
    ["a", "b", "c", "d"],
  );
  t.deepEqual(
    module!.functions.map(({ name }) => name),
    ["f", "e"],
  );
  for (const { initializer, name } of module!.variables.slice(0, 2))
    t.is(initializer as unknown, module!.globals.get(name === "a" ? "f" : "d"));
});
