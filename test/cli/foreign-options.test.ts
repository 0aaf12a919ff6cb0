// Options of other linkers: the page has what the table has, no option here has such a name, and what is offered is an option.

import test from "ava";
import { FOREIGN_OPTIONS, wordsHere } from "../../cli/foreign-options.table.js";
import { holdPart } from "../page.js";
import { ptxkit } from "./surroundings.js";

test("docs/linking.md has the table", (t) => {
  const code = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(", ");
  const rows = FOREIGN_OPTIONS.map((row) => {
    const there = row.of === undefined ? code(row.there) : `${code(row.there)} of ${row.of}`;
    return `| ${there} | ${row.here === undefined ? wordsHere(row).replaceAll(/--[a-z-]+/g, "`$&`") : code(row.here)} |\n`;
  });
  holdPart(t, "linking.md", "foreign options", `\n| there | here |\n| --- | --- |\n${rows.join("")}\n`);
});

const help = async (): Promise<string> => (await ptxkit(["link", "--help"], {})).out;

for (const row of FOREIGN_OPTIONS)
  for (const word of row.there)
    test(`${word} is answered with what is here`, async (t) => {
      const { status, err } = await ptxkit(["link", ...word.split(" "), "a.ptx", "-o", "out"], {});
      t.is(status, 2);
      const name = word.split(/[ =]/)[0]!;
      t.true(err.startsWith(`ptxkit: error: unknown option '${word.split(" ")[0]}' [command-line]\n(`), err);
      const tool = `${name} of ${row.of ?? "other linkers"}`;
      const why = row.why === undefined ? "" : `: ${row.why}`;
      const hint =
        row.here === undefined
          ? row.isDone === true
            ? `what ${tool} asks for is done anyway${why}`
            : `there is nothing like ${tool}${why}`
          : `${tool} is here ${wordsHere(row)}`;
      t.true(err.includes(`(${hint})\n`), err);
    });

test("what is offered are options of link", async (t) => {
  const known = await help();
  for (const { here = [] } of FOREIGN_OPTIONS)
    for (const option of here.flatMap((words) => words.match(/(?<!\S)--?[A-Za-z-]+/g) ?? []))
      t.true(known.includes(option.startsWith("-W") ? "-W" : option), option);
});

test("a word of letters is named whole, and the letter in it that nobody knows", async (t) => {
  const { status, err } = await ptxkit(["link", "-rxZq", "a.ptx", "-o", "out"], {});
  t.is(status, 2);
  t.true(
    err.startsWith(
      "ptxkit: error: unknown option '-rxZq' [command-line]\n" +
        "(behind one '-' each letter is an option: -r -x are some, -Z is none; long options begin with '--')\n",
    ),
    err,
  );
});
