// Help and version of the program and of each command.

import { readFileSync } from "node:fs";
import test from "ava";
import { nodeHost } from "../../cli/files/host.js";
import { createProgram } from "../../cli/program.js";
import { splitWords } from "../../cli/options/response-file.js";
import { status } from "../../cli/base/status.js";
import { ptxkit } from "./surroundings.js";

const commands = ["check", "as", "link", "inspect", "run", "lsp", "explain"];
const everywhere = ["--diagnostics", "--color", "--error-limit", "-W <what>", "--werror", "--max-image-size", "--help"];

test("--version is the package's on a line of its own, then Node's and the formats', with the program and with each command", async (t) => {
  const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  for (const args of [["--version"], ["-V"], ...commands.map((command) => [command, "--version"])]) {
    const answer = await ptxkit(args);
    t.like(answer, { status: 0, err: "" }, args.join(" "));
    const [first, second] = answer.out.split("\n");
    t.is(first, version);
    t.regex(second!, /^PTX ISA up to \d+\.\d, object format \d+, Node\.js \d+\.\d+\.\d+$/);
  }
});

test("--help of the program names every command, on standard output", async (t) => {
  for (const args of [["--help"], ["-h"], ["help"]]) {
    const { status, out, err } = await ptxkit(args);
    t.is(status, 0);
    t.is(err, "");
    for (const command of commands) t.regex(out, new RegExp(`^ {2}${command}\\b`, "m"));
  }
});

for (const command of commands) {
  test(`--help of ${command} has the options that every command has`, async (t) => {
    const { status, out, err } = await ptxkit([command, "--help"]);
    t.is(status, 0);
    t.is(err, "");
    t.regex(out, new RegExp(`^Usage: ptxkit ${command} `));
    for (const option of everywhere) t.true(out.includes(option), option);
    t.like(await ptxkit(["help", command]), { status: 0, out });
  });
}

test("help fits the terminal that it is written to", async (t) => {
  for (const outColumns of [80, 120]) {
    const { out } = await ptxkit(["link", "--help"], { outColumns });
    for (const line of out.split("\n")) t.true(line.length <= outColumns, `${outColumns}: ${line}`);
  }
});

test("the examples of a command's help use options that it has", async (t) => {
  const program = createProgram(nodeHost(), () => {});
  for (const command of program.commands) {
    const { out } = await ptxkit([command.name(), "--help"]);
    const examples = /\nExamples:\n([^]*)$/.exec(out)![1]!.trimEnd().split("\n");
    for (const example of examples) {
      const [name, own, ...words] = splitWords(example)!;
      t.deepEqual([name, own], ["ptxkit", command.name()]);
      t.deepEqual(command.parseOptions(words).unknown, [], example);
    }
  }
});

test("the program's help lists the exit statuses, and where to read more", async (t) => {
  const { out } = await ptxkit(["--help"]);
  for (const value of Object.values(status)) t.regex(out, new RegExp(`^ {2}${value}\\s`, "m"));
  t.regex(out, /ptxkit explain CODE/);
});
