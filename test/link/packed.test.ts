// Packed objects: unpacking restores the assembler's object, and a link of packed objects equals that of their files.

import { readdirSync, readFileSync } from "node:fs";
import test from "ava";
import { least, sample } from "../sample.js";
import { createSink } from "../../lib/diag/sink.js";
import { parseTarget } from "../../lib/isa/requirement.js";
import { linkObjects } from "../../lib/link/link-objects.js";
import { createPacker } from "../../lib/object/columns/packed/pack.js";
import { createTypes } from "../../lib/object/columns/types.js";
import { createStrings } from "../../lib/object/columns/strings.js";
import { createUnpacker } from "../../lib/object/columns/packed/unpack-object.js";
import { frozen } from "../../lib/object/columns/packed/dictionary.js";
import type { RelocObject } from "../../lib/object/object.js";
import { assembleSource } from "../../lib/object/assemble.js";
import { writeObject } from "../../lib/object/file/write.js";
import { testdata } from "../oracle/programs.js";
import { moduleText, objectOf } from "./build.js";
import { linkQuietly } from "./record/links.js";

const createDictionary = () => createTypes(createStrings());

/** Objects of the programs and of the matrix of link cases, in a sample one in 16. */
function* someObjects(): Generator<RelocObject, void, undefined> {
  for (const folder of ["programs/", "link/matrix/"].map((name) => new URL(name, testdata))) {
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ptx"));
    for (const file of sample(files, 16)) {
      const object = assembleSource({ name: file, bytes: readFileSync(new URL(file, folder)) }, createSink());
      if (object !== undefined) yield object;
    }
  }
}

test("a packed object unpacks to the same object, with a shared vocabulary and with one of its own", (t) => {
  const pack = createPacker();
  const unpack = createUnpacker();
  const dictionary = createDictionary();
  let count = 0;
  for (const object of someObjects()) {
    const packed = pack(object, dictionary);
    if (packed === undefined) continue;
    t.deepEqual(unpack(packed), object, object.name);
    if (count++ % 100 === 0)
      t.deepEqual(unpack({ ...packed, dictionary: frozen(dictionary) }), object, `${object.name}, handed over`);
  }
  t.true(count > least(30), `${count}`);
});

const bodies = [
  ".extern .func (.param .f64 r) f(.param .f64 a);\n.const .u32 c[9] = {7};\n.visible .global .u64 g[3] = {1, generic(c)+4, 3};\n.func never() .noreturn { exit; }\n" +
    ".visible .entry k(.param .u64 .ptr .global .align 8 out) .maxntid 32 { .reg .u64 %d; mov.u64 %d, g; ret; }",
  ".extern .global .u64 g[];\n.visible .func (.param .f64 r) f(.param .f64 a) { .reg .u64 %d; mov.u64 %d, g; ret; }",
  ".weak .global .u32 w;\n.common .global .align 8 .b8 z[40];\n.visible .shared .u32 s[5];\n.extern .func vprintf(.param .b64 f, .param .b64 a);",
];

test("a link is the same whatever vocabularies its objects use", (t) => {
  const objects = bodies.map((body, i) => objectOf(`m${i}.ptx`, moduleText(body)));
  const files = objects.map((object) => writeObject(object));
  const pack = createPacker();
  const expected = Buffer.concat(linkQuietly(files)!.image);
  const one = createDictionary();
  const together = objects.map((object) => pack(object, one)!);
  const apart = objects.map((object) => pack(object, createDictionary())!);
  const shut = frozen(one);
  const handedOver = together.map((packed) => ({ ...packed, vocabulary: shut }));
  const mixtures = [
    together,
    apart,
    handedOver,
    [files[0]!, together[1]!, handedOver[2]!],
    [apart[0]!, files[1]!, together[2]!],
  ];
  for (const [i, mixture] of mixtures.entries())
    t.is(Buffer.compare(Buffer.concat(linkQuietly(mixture)!.image), expected), 0, `mixture ${i}`);
});

test("large bounds and numbers of directives are packed", (t) => {
  const large = objectOf("a.ptx", moduleText(".extern .global .b8 x[3000000000];"));
  const many = objectOf("a.ptx", moduleText(".visible .entry k() .maxnreg 4294967295 { ret; }"));
  const unpack = createUnpacker();
  for (const object of [large, many]) t.deepEqual(unpack(createPacker()(object, createDictionary())), object);
});

test("an object compiled for a target other than its module's is linked for that target", (t) => {
  const object = objectOf("a.ptx", moduleText(".visible .entry k() { ret; }"));
  const linked = linkObjects([{ ...object, target: parseTarget("sm_90")! }], {}, createSink());
  t.is(linked?.target.name, "sm_90");
  t.is(linked?.modules[0]?.target.name, object.target.name);
});
