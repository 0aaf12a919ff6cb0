// Which of three or more modules differs from the others: in a definition, or in its target, with a remedy.

import test from "ava";
import { writeArchive } from "../../formats/ar/index.js";
import { allNotes, type Diagnostic } from "../../lib/diag/diagnostic.js";
import { ptxkit } from "../cli/surroundings.js";
import { linkAll, linkBodies, moduleText, objectOf } from "./build.js";

/** Messages of notes that have no place. */
const placeless = (diagnostic: Diagnostic): readonly string[] =>
  allNotes(diagnostic).flatMap(({ message, place }) => (place === undefined ? [message] : []));

const sets = {
  "the last of three": { values: [1, 1, 2], says: ["c.ptx is the odd one of 3: the others are identical"] },
  "the first of three": { values: [2, 1, 1], says: ["a.ptx is the odd one of 3: the others are identical"] },
  "one of four": { values: [1, 1, 2, 1], says: ["c.ptx is the odd one of 4: the others are identical"] },
  "two and two": { values: [1, 2, 1, 2], says: [] },
  "three of which none is like another": { values: [1, 2, 3], says: [] },
  two: { values: [1, 2], says: [] },
  "four that say the same": { values: [1, 1, 1, 1], says: ["all 4 definitions are identical"] },
} as const;

for (const [what, { values, says }] of Object.entries(sets))
  test(`conflicting definitions of one name: ${what}`, (t) => {
    const forms = {
      variable: (value: number) => `.visible .global .u32 x = ${value};`,
      function: (value: number) => `.visible .func x() { .reg .b32 %r; mov.u32 %r, ${value}; ret; }`,
    };
    for (const form of Object.values(forms)) {
      const { diagnostics } = linkBodies(...values.map(form));
      t.is(diagnostics.length, 1);
      t.deepEqual(placeless(diagnostics[0]!), says);
    }
  });

test("a line in a body does not get the column of the definition's name", async (t) => {
  const body = (value: number) =>
    moduleText(`.visible .func f() {\n  .reg .b32 %r;\n  mov.u32 %r, ${value};\n  ret;\n}`);
  const { err } = await ptxkit("link a.ptx b.ptx -o out".split(" "), { files: { "a.ptx": body(1), "b.ptx": body(2) } });
  t.is(
    err,
    "b.ptx:4:16: error: duplicate symbol: f [duplicate-symbol]\n" +
      " 4 | .visible .func f() {\n   |                ^\n" +
      ">>> defined at a.ptx:4\n>>> defined at b.ptx:4\n" +
      "b.ptx:6:3: note: b.ptx has other operands in instruction 1, mov.u32, than there, in a.ptx\n" +
      " 6 |   mov.u32 %r, 2;\n   |   ^~~~~~~~~~~~~~\n" +
      "help: they are different things: rename one, leave out .visible (static in C++), or keep one and declare it .extern elsewhere\n",
  );
});

test("for definitions from archives the message says why their members are in the link", async (t) => {
  const member = (name: string, text: string) => writeArchive([{ name, data: Buffer.from(moduleText(text)) }]);
  const { err } = await ptxkit("link main.ptx one.a two.a -o out".split(" "), {
    files: {
      "main.ptx": moduleText(".extern .func f();\n.extern .func g();\n.visible .entry k() { call f; call g; ret; }"),
      "one.a": member("f.ptx", ".visible .func f() { ret; }"),
      "two.a": member("g.ptx", ".visible .func f() { ret; }\n.visible .func g() { ret; }"),
    },
  });
  t.is(
    err,
    "two.a(g.ptx):4:16: error: duplicate symbol: f [duplicate-symbol]\n" +
      " 4 | .visible .func f() { ret; }\n   |                ^\n" +
      ">>> defined at one.a(f.ptx):4\n>>> defined at two.a(g.ptx):4\n" +
      "note: both definitions are identical\n" +
      "note: one.a(f.ptx) is linked because main.ptx refers to f\n" +
      "note: two.a(g.ptx) is linked because main.ptx refers to g\n" +
      "help: make them .weak (inline in C++), or give --allow-multiple-definition, which takes the first\n",
  );
});

test("the odd target is the one that conflicts with all others, even if they differ", (t) => {
  const said = (...targets: readonly string[]) =>
    linkAll(
      targets.map((target, i) => objectOf(`${"abcd"[i]}.ptx`, moduleText(`.global .u32 v${i};`, target))),
    ).diagnostics.map(({ message }) => /; (\w)\.ptx is the odd one of \d$/.exec(message)?.[1]);
  t.deepEqual(said("sm_80", "sm_90a", "sm_90"), ["a", "a"]);
  t.deepEqual(said("sm_80", "sm_75", "sm_90"), [undefined, undefined]);
  t.deepEqual(said("sm_80", "sm_80", "sm_90"), ["c"]);
  t.deepEqual(said("sm_80", "sm_80", "sm_75", "sm_90"), [undefined, undefined]);
});

test("the remedy names the target for which all modules link, if there is one", (t) => {
  const said = (arch: string | undefined, ...targets: readonly string[]) =>
    linkAll(
      targets.map((target, i) =>
        objectOf(`${"abcd"[i]}.ptx`, moduleText(`.global .u32 v${i};`, target).replace("8.5", "8.6")),
      ),
      arch === undefined ? {} : { arch },
    ).diagnostics.map(({ remedy }) => remedy);
  const other = "compile every module for one target: code for one of these does not run on another";
  const merged = (arch: string) =>
    `compile every module for one target, or merge them as PTX, which runs on later ones too: --emit ptx --arch ${arch}`;
  t.deepEqual(said(undefined, "sm_80", "sm_86"), ["give --arch sm_86, which all can be linked for"]);
  t.deepEqual(said("sm_75", "sm_80", "sm_80"), ["give --arch sm_80, which all can be linked for"]);
  t.deepEqual(said(undefined, "sm_80", "sm_90"), [merged("sm_90")]);
  t.deepEqual(said("sm_90", "sm_80", "sm_90"), [merged("sm_90")]);
  t.deepEqual(said("sm_100", "sm_80", "sm_90"), [merged("sm_100"), merged("sm_100")]);
  t.deepEqual(said(undefined, "sm_90a", "sm_100"), [other]);
});
