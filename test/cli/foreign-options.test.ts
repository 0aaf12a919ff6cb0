// Options of other linkers: page and table have the same rows, none is the name of an option here, and each suggestion
// is an option.

import test from "ava";
import { FOREIGN_OPTIONS, wordsHere } from "../../cli/options/foreign-options.table.js";
import { holdPart } from "../page.js";
import { ptxkit } from "./surroundings.js";

test("docs/linking.md has the table", (t) => {
  const code = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(", ");
  const rows = FOREIGN_OPTIONS.map((row) => {
    const there = row.of === undefined ? code(row.there) : `${code(row.there)} of ${row.of}`;
    return `| ${there} | ${row.isTaken === true || row.isDone === true ? "accepted: " : ""}${row.here === undefined ? wordsHere(row).replaceAll(/--[a-z-]+/g, "`$&`") : code(row.here)} |\n`;
  });
  holdPart(t, "linking.md", "foreign options", `\n| there | here |\n| --- | --- |\n${rows.join("")}\n`);
});

const help = async (): Promise<string> => (await ptxkit(["link", "--help"], {})).out;

/** Options that read a file get the name of an empty one. */
const files = { FILE: "", "a.ptx": ".version 8.5\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n" };

for (const row of FOREIGN_OPTIONS)
  for (const word of row.there)
    if (row.isTaken === true || row.isDone === true)
      test(`${word} is accepted as ptxkit's equivalent`, async (t) => {
        const line = (words: string | undefined) => ["link", ...(words?.split(" ") ?? []), "a.ptx", "-o", "out"];
        const [theirs, ours] = [await ptxkit(line(word), { files }), await ptxkit(line(row.here?.[0]), { files })];
        t.is(theirs.status, 0, theirs.err);
        t.deepEqual([theirs.out, theirs.err, [...theirs.written]], [ours.out, ours.err, [...ours.written]]);
      });
    else
      test(`${word} is refused with ptxkit's equivalent`, async (t) => {
        const given = word.replace("...", "12");
        const { status, err } = await ptxkit(["link", ...given.split(" "), "a.ptx", "-o", "out"], {});
        t.is(status, 2);
        const name = word.split(/[ =]/)[0]!;
        t.true(err.startsWith(`ptxkit: error: unknown option '${given.split(" ")[0]}' [command-line]\n(`), err);
        const tool = `${name} of ${row.of ?? "other linkers"}`;
        const why = row.why === undefined ? "" : `: ${row.why}`;
        const hint = row.here === undefined ? `${tool} has no equivalent${why}` : `use ${wordsHere(row)} for ${tool}`;
        t.true(err.includes(`(${hint})\n`), err);
      });

test("a value may be joined or separate, as the other tool allows; ambiguous forms are refused", async (t) => {
  for (const line of ["-Map=x.map", "-Map x.map"]) {
    const { written } = await ptxkit(["link", ...line.split(" "), "a.ptx", "-o", "out"], { files });
    t.deepEqual([...written.keys()].sort(), ["out", "x.map"]);
  }
  const plain = await ptxkit(["link", "a.ptx", "-o", "out"], { files });
  const without = await ptxkit(["link", "--build-id=sha1", "--build-id=none", "a.ptx", "-o", "out"], { files });
  t.deepEqual([...without.written], [...plain.written]);
  t.is((await ptxkit(["link", "-z", "now", "a.ptx", "-o", "out"], { files })).status, 2);
  t.is((await ptxkit(["link", "--print-map=x", "a.ptx", "-o", "out"], { files })).status, 2);
});

test("a long option with one dash is answered with two", async (t) => {
  for (const word of ["-gc-sections", "-why-live=k"]) {
    const { status, err } = await ptxkit(["link", word, "a.ptx", "-o", "out"], { files });
    t.is(status, 2);
    t.is(
      err.split("\n").slice(0, 2).join("\n"),
      `ptxkit: error: unknown option '${word}' [command-line]\n(write -${word})`,
    );
  }
  const { written } = await ptxkit(["link", "-arch=sm_86", "a.ptx", "-o", "out"], { files });
  const { written: ours } = await ptxkit(["link", "--arch=sm_86", "a.ptx", "-o", "out"], { files });
  t.deepEqual([...written], [...ours]);
});

test("suggestions are options of link", async (t) => {
  const known = await help();
  for (const { here = [] } of FOREIGN_OPTIONS)
    for (const option of here.flatMap((words) => words.match(/(?<!\S)--?[A-Za-z-]+/g) ?? []))
      t.true(known.includes(option.startsWith("-W") ? "-W" : option), option);
});

test("a cluster of letters is quoted whole, with the unknown letter named", async (t) => {
  const { status, err } = await ptxkit(["link", "-rxZq", "a.ptx", "-o", "out"], {});
  t.is(status, 2);
  t.true(
    err.startsWith(
      "ptxkit: error: unknown option '-rxZq' [command-line]\n" +
        "(after one '-' each letter is an option: -r -x are some, -Z is none; long options begin with '--')\n",
    ),
    err,
  );
});
