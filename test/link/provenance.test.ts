// Messages about modules from objects, archives or -r: the place is the source line, and the file that the linker was
// given follows, in lld's form where lld has one.

import test from "ava";
import { writeArchive } from "../../formats/ar/index.js";
import { createSink } from "../../lib/diag/sink.js";
import { linkRelocatable } from "../../lib/link/link-objects.js";
import { writeObject } from "../../lib/object/file/write.js";
import { ptxkit } from "../cli/surroundings.js";
import { moduleText, objectOf } from "./build.js";

const texts: Readonly<Record<string, string>> = {
  a: ".visible .global .u32 x = 1;",
  b: ".visible .global .u32 x = 2;",
  uses: ".extern .global .u32 hue;\n.global .u64 p = hue;",
  wide: ".extern .global .u64 x;",
  near: ".visible .global .u32 hues;",
  "static-y": ".global .u32 hue;",
  "weak-x": ".weak .global .u64 x = 3;",
};

const objects = (name: string) => objectOf(`${name}.ptx`, moduleText(texts[name]!));
const object = (name: string): Uint8Array => writeObject(objects(name));

const files: Readonly<Record<string, string | Uint8Array>> = {
  ...Object.fromEntries(Object.keys(texts).map((name) => [`${name}.ptx`, moduleText(texts[name]!)])),
  ...Object.fromEntries(Object.keys(texts).map((name) => [`${name}.o`, object(name)])),
  "./a.ptx": moduleText(texts["a"]!),
  "lib.a": writeArchive([{ name: "b.o", data: object("b") }]),
  "libtext.a": writeArchive([{ name: "b.ptx", data: Buffer.from(moduleText(texts["b"]!)) }]),
  // Files of one name from two folders, with one function in common.
  "named.a": writeArchive(
    ["", "\n.global .u32 own;", "\n.global .u32 own;"].map((more) => ({
      name: "b.o",
      data: writeObject(objectOf("b.ptx", moduleText(`${texts["b"]!}${more}`))),
    })),
  ),
  "both.o": writeObject(linkRelocatable([objects("wide"), objects("uses")], { name: "both.o" }, createSink())!),
};

const rows: Readonly<Record<string, { readonly line: string; readonly says: string }>> = {
  "two definitions in PTX": {
    line: "a.ptx b.ptx",
    says: `b.ptx:4:23: error: duplicate symbol: x [duplicate-symbol]
 4 | .visible .global .u32 x = 2;
   |                       ^
>>> defined at a.ptx:4
>>> defined at b.ptx:4
b.ptx:4:23: note: b.ptx has 0x02 at byte 0 and 0x01 there, in a.ptx
 4 | .visible .global .u32 x = 2;
   |                       ^
help: they are different things: rename one, leave out .visible (static in C++), or keep one and declare it .extern elsewhere
`,
  },
  "in an object and an archive's member": {
    line: "a.o --whole-archive lib.a libtext.a",
    says: `b.ptx:4:23: error: duplicate symbol: x [duplicate-symbol]
>>> defined at a.ptx:4
>>>            a.o
>>> defined at b.ptx:4
>>>            lib.a(b.o)
>>> defined at libtext.a(b.ptx):4
b.ptx:4:23: note: b.ptx has 0x02 at byte 0 and 0x01 there, in a.ptx of a.o (in lib.a(b.o))
libtext.a(b.ptx):4:23: note: libtext.a(b.ptx) has 0x02 at byte 0 and 0x01 there, in a.ptx of a.o
 4 | .visible .global .u32 x = 2;
   |                       ^
note: a.ptx of a.o is the odd one of 3: the others are identical
help: they are different things: rename one, leave out .visible (static in C++), or keep one and declare it .extern elsewhere
`,
  },
  "one file twice": {
    line: "a.ptx ./a.ptx",
    says: `./a.ptx:4:23: error: duplicate symbol: x [duplicate-symbol]
 4 | .visible .global .u32 x = 1;
   |                       ^
>>> defined at a.ptx:4
>>> defined at ./a.ptx:4
note: both definitions are identical
help: a.ptx is linked twice: name it once
`,
  },
  "one member three times": {
    line: "--whole-archive lib.a lib.a lib.a",
    says: `b.ptx:4:23: error: duplicate symbol: x [duplicate-symbol]
>>> defined at b.ptx:4
>>>            lib.a(b.o)
>>> defined at b.ptx:4
>>>            lib.a(b.o)
>>> defined at b.ptx:4
>>>            lib.a(b.o)
note: all 3 definitions are identical
help: lib.a(b.o) is linked 3 times: name it once
`,
  },
  "members of one name that are different files": {
    line: "--whole-archive named.a",
    says: `b.ptx:4:23: error: duplicate symbol: x [duplicate-symbol]
>>> defined at b.ptx:4
>>>            named.a(b.o)
>>> defined at b.ptx:4
>>>            named.a(b.o)
>>> defined at b.ptx:4
>>>            named.a(b.o)
note: all 3 definitions are identical
help: make them .weak (inline in C++), or give --allow-multiple-definition, which takes the first
`,
  },
  "references and the nearest name": {
    line: "uses.o near.o",
    says: `uses.ptx:5:14: error: undefined symbol: hue [undefined-symbol]
>>> referenced by uses.ptx:5 in 'p'
>>>               uses.o
>>> did you mean: hues
>>> defined in: near.ptx:4
>>>             near.o
uses.ptx:4:22: note: declared as .global .u32 hue (in uses.o)
note: no kernel or other root reaches what refers to it: with --gc-sections it may stay undefined
help: use the name of the definition, or link the module that defines this one
`,
  },
  "a static definition": {
    line: "uses.ptx static-y.o",
    says: `uses.ptx:5:18: error: undefined symbol: hue [undefined-symbol]
 5 | .global .u64 p = hue;
   |                  ^~~
>>> referenced by uses.ptx:5 in 'p'
uses.ptx:4:22: note: declared as .global .u32 hue
 4 | .extern .global .u32 hue;
   |                      ^~~
static-y.ptx:4:14: note: .global .u32 hue is defined without .visible in static-y.ptx (in static-y.o)
help: declare its definition .visible (nvcc makes it so with -rdc=true and without static)
`,
  },
  "two definitions of different sizes, one of them .weak": {
    line: "a.o weak-x.o",
    says: `weak-x.ptx:4:20: error: 'x' has 8 bytes here and 4 bytes there: .global .u64 x in weak-x.ptx of weak-x.o, .global .u32 x in a.ptx of a.o [symbol-size]
a.ptx:4:23: note: defined here as .global .u32 x (in a.o)
help: these are two definitions of one name (ODR): make them the same, give one another name, or hide one (-r --localize)
`,
  },
  "a conflict between an archive's member and what -r made": {
    line: "a.ptx both.o near.ptx static-y.ptx --ignore-unresolved-symbol hue",
    says: `wide.ptx:4:22: error: 'x' has 8 bytes here and 4 bytes there: .global .u64 x in wide.ptx of both.o, .global .u32 x in a.ptx [symbol-size]
a.ptx:4:23: note: defined here as .global .u32 x
 4 | .visible .global .u32 x = 1;
   |                       ^
help: give every declaration the definition's size, or \`[]\`
`,
  },
};

for (const [what, { line, says }] of Object.entries(rows))
  test(what, async (t) => {
    const { err, status } = await ptxkit(`link ${line} -o out`.split(" "), { files: without(files, line) });
    t.is(status, 1);
    t.is(err, says);
  });

/** Only names are available: an object does not contain its source. */
function without(all: typeof files, line: string): typeof files {
  const words = new Set(line.split(" "));
  return Object.fromEntries(Object.entries(all).filter(([name]) => words.has(name)));
}

test("JSON has each place with its object, and every other definition as a note", async (t) => {
  const { err } = await ptxkit("link a.o --whole-archive lib.a -o out --diagnostics json".split(" "), { files });
  const { diagnostics } = JSON.parse(err) as { readonly diagnostics: readonly Record<string, unknown>[] };
  t.is(diagnostics.length, 1);
  t.deepEqual(diagnostics[0]!["place"], { kind: "line", file: "b.ptx", line: 4, column: 23, object: "lib.a(b.o)" });
  t.deepEqual((diagnostics[0]!["notes"] as readonly unknown[])[0], {
    message: "first defined here as .global .u32 x",
    place: { kind: "line", file: "a.ptx", line: 4, column: 23, object: "a.o" },
  });
});

test("SARIF has the same in the text of the related location", async (t) => {
  const { err } = await ptxkit("link a.o --whole-archive lib.a -o out --diagnostics sarif".split(" "), { files });
  t.regex(err, /first defined here as \.global \.u32 x \(in a\.o\)/);
});

test("maps and the other reports name the object or member that a module came from", async (t) => {
  const given = {
    "k.ptx": moduleText(".extern .global .u32 x;\n.visible .entry k() { .reg .b32 %r; ld.global.u32 %r, [x]; ret; }"),
    "lib.a": files["lib.a"]!,
    "more.a": writeArchive([{ name: "b.o", data: writeObject(objectOf("b.ptx", moduleText(".global .u32 own;"))) }]),
  };
  const line =
    "link k.ptx lib.a --whole-archive more.a --gc-sections --print-gc-sections -y x --why-live x --map - -o out";
  const { out, status } = await ptxkit([...line.split(" "), "--print-symbol-counts", "counts"], { files: given });
  t.is(status, 0);
  for (const line of [
    "b.ptx:4: removed 'own', a .global variable, 4 bytes: no root reaches it (in more.a(b.o))",
    "b.ptx:4: definition of x: .global .u32 x (in lib.a(b.o))",
    "b.ptx:4: 'x', a .global variable, is live (in lib.a(b.o))",
  ])
    t.true(out.split("\n").includes(line), line);
  t.regex(out, /^ {2}b\.ptx +sm_80 +8\.5 +0 +1 .* lib\.a\(b\.o\)$/m);
  const json = await ptxkit("link k.ptx lib.a --map m.json -o out".split(" "), { files: given });
  const map = JSON.parse(Buffer.from(json.written.get("m.json")!).toString()) as {
    readonly modules: readonly Record<string, unknown>[];
  };
  t.deepEqual(
    map.modules.map(({ file, object }) => [file, object]),
    [
      ["k.ptx", undefined],
      ["b.ptx", "lib.a(b.o)"],
    ],
  );
});
