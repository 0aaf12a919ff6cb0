// Completion scripts and the manual page are made from the program's options, so they have all of them. Installed
// shells can read the scripts. PTXKIT_UPDATE=1 writes docs/ptxkit.1.

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import test from "ava";
import { manualPage } from "../../cli/completion.js";
import { nodeHost } from "../../cli/files/host.js";
import { createProgram } from "../../cli/program.js";
import { ptxkit } from "./surroundings.js";
import { installed, testWith } from "../tools.js";

const program = createProgram(nodeHost(), () => {});

for (const shell of ["bash", "zsh", "fish"]) {
  test(`${shell}: every command and every long option`, async (t) => {
    const { status, out } = await ptxkit(["completion", shell]);
    t.is(status, 0);
    for (const command of program.commands) {
      t.true(out.includes(command.name()));
      for (const { long } of command.options)
        if (typeof long === "string")
          t.true(out.includes(shell === "fish" ? `-l ${long.slice(2)}` : long), `${command.name()} ${long}`);
    }
  });

  testWith(installed(shell))(`${shell} can read its script`, async (t) => {
    const { out } = await ptxkit(["completion", shell]);
    const { status, stderr } = spawnSync(shell, ["-n"], { input: out, encoding: "utf8" });
    t.is(status, 0, stderr);
  });
}

testWith(installed("bash"))("bash completes commands, options and choices", async (t) => {
  const { out } = await ptxkit(["completion", "bash"]);
  const complete = (...words: readonly string[]): readonly string[] => {
    const script = `${out}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _ptxkit; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return spawnSync("bash", ["-c", script], { encoding: "utf8" }).stdout.trim().split("\n");
  };
  t.deepEqual(complete("ptxkit", "insp"), ["inspect"]);
  t.deepEqual(complete("ptxkit", "inspect", "--resource"), ["--resource-usage"]);
  t.deepEqual(complete("ptxkit", "run", "--engine", "f"), ["fast"]);
  t.deepEqual(complete("ptxkit", "completion", "z"), ["zsh"]);
});

test("docs/ptxkit.1 is the manual page of the program's options", (t) => {
  const file = fileURLToPath(new URL("../../../docs/ptxkit.1", import.meta.url));
  const page = manualPage(program);
  if (process.env["PTXKIT_UPDATE"] === "1") writeFileSync(file, page);
  t.is(page, readFileSync(file, "utf8"));
});
