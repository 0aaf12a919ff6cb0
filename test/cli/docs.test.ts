// docs/cli.md is up to date: its tables of options are made from the program's, and every example is run; in a sample one
// in three of each command. PTXKIT_UPDATE=1 writes flags and meanings; examples are written by hand, one for each option.

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Command, Option } from "commander";
import test from "ava";
import { writeArchive } from "../../formats/ar/index.js";
import { nodeHost } from "../../cli/files/host.js";
import { createProgram } from "../../cli/program.js";
import { splitWords } from "../../cli/options/response-file.js";
import { sample } from "../sample.js";
import { ptxkit } from "./surroundings.js";

const page = fileURLToPath(new URL("../../../docs/cli.md", import.meta.url));
const folder = fileURLToPath(new URL("../../../testdata/walk/", import.meta.url));
const program = createProgram(nodeHost(), () => {});
const everyCommand = "*";

/** Options that all commands share are listed once. */
const shared = (option: Option): boolean =>
  program.commands.every((command) => command.options.some(({ flags }) => flags === option.flags));

function optionsOf(name: string): readonly Option[] {
  const command = (wanted: string): Command => program.commands.find((one) => one.name() === wanted)!;
  return name === everyCommand
    ? command("check").options.filter(shared)
    : command(name).options.filter((option) => !shared(option));
}

function meaningOf({ description, argChoices, defaultValue }: Option): string {
  const choices = argChoices === undefined ? "" : `: ${argChoices.map((choice) => `\`${choice}\``).join(", ")}`;
  const given = defaultValue === undefined || defaultValue === false ? "" : ` (default: \`${defaultValue}\`)`;
  return description + choices + given;
}

interface Row {
  readonly flags: string;
  readonly meaning: string;
  readonly example: string;
}

/** The rows of a table in the page's form. */
function rowsOf(table: string): readonly Row[] {
  return [...table.matchAll(/^\| `(.*?)` \| (.*) \| `(.*?)` \|$/gm)].map(([, flags, meaning, example]) => ({
    flags: flags!,
    meaning: meaning!,
    example: example!,
  }));
}

function tableOf(name: string, written: readonly Row[]): string {
  const options = optionsOf(name);
  const rows = options.map((option) => {
    const example = written.find(({ flags }) => flags === option.flags)?.example ?? "";
    return `| \`${option.flags}\` | ${meaningOf(option)} | \`${example}\` |\n`;
  });
  return rows.length === 0 ? "" : `| option | meaning | example |\n| --- | --- | --- |\n${rows.join("")}`;
}

const text = readFileSync(page, "utf8");
const tables = /<!-- options: (\S+) -->\n([^]*?)<!-- end -->/g;

test("the tables are those of the program's options", (t) => {
  const actual = text.replaceAll(
    tables,
    (_, name: string, table: string) => `<!-- options: ${name} -->\n${tableOf(name, rowsOf(table))}<!-- end -->`,
  );
  if (process.env["PTXKIT_UPDATE"] === "1") writeFileSync(page, actual);
  else t.is(text, actual);
  t.deepEqual(
    [...text.matchAll(tables)].map(([, name]) => name),
    [everyCommand, ...program.commands.map((command) => command.name())],
  );
});

for (const [, name, table] of text.matchAll(tables)) {
  for (const { flags, example } of sample(rowsOf(table!), 3, { name: (row) => `${name} ${row.flags}` })) {
    test.serial(`docs/cli.md: ${name} ${flags}: ${example}`, async (t) => {
      const words = splitWords(example)!;
      t.is(words[0], "ptxkit");
      if (name !== everyCommand) t.is(words[1], name);
      // A value follows a short flag immediately, a long one after an equals sign, and both as the next word.
      const uses = (flag: string) => (word: string) =>
        word === flag || word.startsWith(/^-\w$/.test(flag) ? flag : `${flag}=`);
      t.true(
        flags.split(/, | /).some((flag) => words.some(uses(flag))),
        "the example uses the option",
      );
      // This server runs until it is stopped: test/report/explore.test.ts tests it.
      if (name === "serve") return;
      // This needs a database: test/cli/sweep-queue.test.ts starts one.
      if (example.includes("postgres://")) return;
      const files = await made;
      const { status, err } = await ptxkit(words.slice(1), { folder, files, stdin: "" });
      t.is(status, 0, err);
    });
  }
}

/**
 * Files that the page's examples use: an object, an archive, an order, an image, a cubin, and a module of a future
 * version.
 */
const made = (async () => {
  const newer = readFileSync(`${folder}scale.ptx`, "utf8").replace(/\.version \S+/, ".version 9.99");
  const object = await ptxkit(["as", "scale.ptx"], { folder });
  const image = await ptxkit(["link", "scale.ptx", "table.ptx", "-o", "scale.img"], { folder });
  const scale = object.written.get("scale.o")!;
  const table = (await ptxkit(["as", "table.ptx"], { folder })).written.get("table.o")!;
  const library = writeArchive([{ name: "table.o", data: table }]);
  return {
    "scale.o": scale,
    "libscale.a": writeArchive([{ name: "scale.o", data: scale }]),
    "libtable.a": library,
    "lib/libtable.a": library,
    "scale.order": "factor\n",
    "kernels.ratchet": "registers 0\ncode 2%\n",
    "newer.ptx": newer,
    "scale.img": image.written.get("scale.img")!,
    "run.json": (await ptxkit("run scale.ptx table.ptx --launch twice.json --gpu h100 --json".split(" "), { folder }))
      .outBytes,
    "scale.cubin": readFileSync(`${folder}../cubins/linked.sm_75.cubin`),
    "saxpy.cubin": readFileSync(new URL("../../../testdata/cubins/saxpy.sm_80.cubin", import.meta.url)),
  };
})();
