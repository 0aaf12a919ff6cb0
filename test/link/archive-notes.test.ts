// Notes about names that archives define, and about archives that cannot supply them.

import test from "ava";
import { writeArchive } from "../../formats/ar/index.js";
import { writeObject } from "../../lib/object/file/write.js";
import { ptxkit } from "../cli/surroundings.js";
import { moduleText, objectOf } from "./build.js";

const main = moduleText(".extern .func a;\n.visible .entry k() { call a; ret; }");

test("an archive inside an archive is mentioned where a name that it defines is missing", async (t) => {
  const inner = writeArchive([{ name: "a.ptx", data: Buffer.from(moduleText(".visible .func a { ret; }")) }]);
  const files = {
    "main.ptx": main,
    "outer.a": writeArchive([{ name: "inner.a", data: inner }]),
  };
  const { status, err } = await ptxkit("link main.ptx outer.a -o out".split(" "), { files });
  t.is(status, 1);
  t.regex(
    err,
    /undefined symbol: a [^]*note: a is defined in outer\.a\(inner\.a\)\(a\.ptx\)\nhelp: an archive inside an archive/,
  );
});

test("a missing member of a thin archive is named", async (t) => {
  const thin = Buffer.from(
    `!<thin>\n${"//".padEnd(48)}${"8".padEnd(10)}\`\ngone.o/\n${"/0".padEnd(48)}${"64".padEnd(10)}\`\n`,
  );
  const { status, err } = await ptxkit("link main.ptx thin.a -o out".split(" "), {
    files: { "main.ptx": main, "thin.a": thin },
  });
  t.is(status, 2);
  t.regex(err, /cannot read gone\.o: .*\n.*note: thin\.a is a thin archive, and names it as a member\nhelp: /);
});

test("an undefined name in a member is reported with the reason why the member is in the link", async (t) => {
  const calls = (name: string, callee: string): string =>
    moduleText(`.extern .func ${callee};\n.visible .func ${name} { call ${callee}; ret; }`);
  const files = {
    "main.ptx": main,
    "liba.a": writeArchive([{ name: "a.o", data: writeObject(objectOf("a.ptx", calls("a", "b"))) }]),
    "libb.a": writeArchive([{ name: "b.ptx", data: Buffer.from(calls("b", "c")) }]),
  };
  const { err } = await ptxkit("link main.ptx libb.a liba.a -o out".split(" "), { files });
  t.deepEqual(
    err.split("\n").filter((line) => line.includes(" is linked because ")),
    [
      "note: libb.a(b.ptx) is linked because liba.a(a.o) refers to b",
      "note: liba.a(a.o) is linked because main.ptx refers to a",
    ],
  );
});

test("a name that only dead code refers to is reported as such, and --gc-sections links without it", async (t) => {
  const body =
    ".extern .func gone;\n.extern .global .u32 idle;\n.func dead { call gone; ret; }\n.visible .entry k() { ret; }";
  const files = {
    "a.ptx": moduleText(body),
    "b.ptx": moduleText(body.replace("dead {", "dead { call gone;").replace("k() {", "j() { call gone;")),
  };
  const dead = await ptxkit("link a.ptx -o out".split(" "), { files });
  t.is(dead.status, 1);
  t.regex(
    dead.err,
    /undefined symbol: gone [^]*note: no kernel or other root reaches what refers to it: with --gc-sections/,
  );
  t.regex(dead.err, /undefined symbol: idle [^]*note: nothing refers to it: with --gc-sections/);
  t.is((await ptxkit("link --gc-sections a.ptx -o out".split(" "), { files })).status, 0);
  const live = await ptxkit("link a.ptx b.ptx --ignore-unresolved-symbol idle -o out".split(" "), { files });
  t.is(live.status, 1);
  t.notRegex(live.err, /gc-sections/);
});

for (const [words, names] of [
  ["e.a", "e.a has"],
  ["--whole-archive e.a", "e.a has"],
  ["-r e.a", "e.a has"],
  ["--emit ptx e.a", "e.a has"],
  ["-u x e.a thin.a", "e.a, thin.a have"],
  ["--whole-archive e.a --no-whole-archive indexed.a", "e.a, indexed.a have"],
] as const)
  test(`${words}: an archive without members is named`, async (t) => {
    const files = {
      "e.a": "!<arch>\n",
      "thin.a": "!<thin>\n",
      // As ar writes an empty symbol index.
      "indexed.a": `!<arch>\n${"/".padEnd(16)}${"0".padEnd(12)}${"0".padEnd(6)}${"0".padEnd(6)}${"0".padEnd(8)}${"4".padEnd(10)}\`\n\0\0\0\0`,
      "a.ptx": moduleText(".visible .entry k() { ret; }"),
    };
    const link = (inputs: string) => ptxkit(["link", ...inputs.split(" "), "-o", "out"], { files });
    const alone = await link(words);
    t.is(alone.status, 1);
    t.regex(alone.err, /^ptxkit: error: there is nothing to link: (.*) no members \[no-input\]\nhelp: [^\n]*\n$/);
    t.true(alone.err.includes(`: ${names} no members`), alone.err);
    t.false(alone.written.has("out"));
    // An empty archive is no error if there are other inputs, as with other linkers.
    const beside = await link(`${words} a.ptx`);
    t.is(beside.status, 0);
    t.is(beside.err, "");
  });
