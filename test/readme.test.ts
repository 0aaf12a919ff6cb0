// The README's walk is true: every command in its console blocks is run, and prints what stands there. With
// PTXKIT_UPDATE=1 the blocks are written anew; read the difference.

import { mkdtempSync, readFileSync, rmSync, writeFileSync, cpSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { execFileSync } from "node:child_process";
import test from "ava";

const root = fileURLToPath(new URL("../../", import.meta.url));
const readme = path.join(root, "README.md");
const program = path.join(root, "dist/cli/main.js");

/** What a command prints, both streams, as a shell would show it. */
function run(command: string, folder: string): string {
  const args = command
    .split(" ")
    .slice(1)
    .map((word) => `'${word}'`);
  return execFileSync("/bin/sh", ["-c", `'${process.execPath}' '${program}' ${args.join(" ")} 2>&1; true`], {
    cwd: folder,
    encoding: "utf8",
  });
}

test("the walk prints what the README shows", (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "walk-"));
  cpSync(path.join(root, "testdata/walk"), folder, { recursive: true });
  const text = readFileSync(readme, "utf8");
  let commands = 0;
  const actual = text.replaceAll(/```console\n([\s\S]*?)```/g, (_, block: string) => {
    const lines = block.split("\n").filter((line) => line.startsWith("$ "));
    commands += lines.length;
    return `\`\`\`console\n${lines.map((line) => `${line}\n${run(line.slice(2), folder)}`).join("")}\`\`\``;
  });
  rmSync(folder, { recursive: true });
  t.true(commands >= 5);
  if (process.env["PTXKIT_UPDATE"] === "1") writeFileSync(readme, actual);
  else t.is(text, actual);
});
