// The README's walk and the tutorial are true: every command in their console blocks is run, and prints what the page shows.
// With PTXKIT_UPDATE=1 the blocks are written anew; read the difference.

import { mkdtempSync, readFileSync, rmSync, writeFileSync, cpSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { execFileSync } from "node:child_process";
import test from "ava";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** Each page, and the folder of testdata that a copy of its commands' files is made of. */
const pages = { "README.md": "walk", "docs/tutorial.md": "tutorial" };
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

for (const [page, files] of Object.entries(pages))
  test(`${page} shows what its commands print`, (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), "walk-"));
    t.teardown(() => rmSync(folder, { recursive: true }));
    cpSync(path.join(root, "testdata", files), folder, { recursive: true });
    const file = path.join(root, page);
    const text = readFileSync(file, "utf8");
    let commands = 0;
    const actual = text.replaceAll(/```console\n([\s\S]*?)```/g, (_, block: string) => {
      const lines = block.split("\n").filter((line) => line.startsWith("$ "));
      commands += lines.length;
      return `\`\`\`console\n${lines.map((line) => `${line}\n${run(line.slice(2), folder)}`).join("")}\`\`\``;
    });
    t.true(commands >= 5);
    if (process.env["PTXKIT_UPDATE"] === "1") writeFileSync(file, actual);
    else t.is(actual, text);
  });
