// Converts objects to text and back: a sample has one in 20 of testdata's programs.

import test from "ava";
import { sample } from "../sample.js";
import { assemble } from "../../lib/object/assemble.js";
import { decodeObject } from "../../lib/object/file/read.js";
import { writeObject } from "../../lib/object/file/write.js";
import { corners } from "./corners.js";
import { essence, textOf } from "./essence.js";
import { asMade } from "./made-here.js";
import { check, checkFile, nameInTestdata, ptxFiles } from "./pipeline.js";

test("a module of every kind of declaration survives object, file and text", (t) => {
  const object = assemble(check(corners));
  const bytes = writeObject(object);
  const read = decodeObject(bytes, object.name);
  if (!read.ok) return t.fail(read.error.what);
  t.deepEqual(asMade(read.value, bytes), object);
  const text = textOf(read.value);
  const again = assemble(check(text));
  t.deepEqual(essence(again), essence(object));
  t.is(textOf(again), text);
});

test("text, object, text, object gives the same object for every program of testdata", (t) => {
  const files = sample(ptxFiles(), 20, { name: nameInTestdata });
  for (const file of files) {
    const object = assemble(checkFile(file));
    t.deepEqual(essence(assemble(check(textOf(object), file))), essence(object), file);
  }
  t.true(files.length > 5);
});

test("a module older than .address_size is printed without it", (t) => {
  const text = textOf(assemble(check(".version 1.4\n.target sm_10\n.entry k() { exit; }\n")));
  t.false(text.includes(".address_size"));
  t.is(textOf(assemble(check(text))), text);
});

test("texture coordinates beyond those of the geometry are kept", (t) => {
  const fetch = "tex.1d.v4.f32.f32 {a, a, a, a}, [t, {a, a, a, a}];";
  const text = `.version 8.5\n.target sm_75\n.address_size 64\n.global .texref t;\n.entry k() { .reg .f32 a; ${fetch} ret; }\n`;
  const read = decodeObject(writeObject(assemble(check(text))), "k.o");
  if (!read.ok) return t.fail(read.error.what);
  t.true(textOf(read.value).includes(fetch));
});

test("code without names is printed with generated names", (t) => {
  const text = textOf(assemble(check(corners), { names: false }));
  t.deepEqual(essence(assemble(check(text))), essence(assemble(check(text))));
  t.false(text.includes("loop"));
  t.regex(text, /bra\.uni \$L\d+;/);
});
