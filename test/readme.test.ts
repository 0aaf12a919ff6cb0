// The README's walk and the tutorial are true: every command in their console blocks is run, and prints what the page
// shows. PTXKIT_UPDATE=1 writes the blocks again, so review the difference.

import { mkdtempSync, readFileSync, rmSync, writeFileSync, cpSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import test from "ava";
import { runInFolder } from "./cli/in-folder.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** Each page, and the folder of testdata with the files of its commands; they run in a copy. */
const pages = { "README.md": "walk", "docs/tutorial.md": "tutorial" };

for (const [page, files] of Object.entries(pages))
  test.serial(`${page} shows what its commands print`, async (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), "walk-"));
    t.teardown(() => rmSync(folder, { recursive: true }));
    cpSync(path.join(root, "testdata", files), folder, { recursive: true });
    const file = path.join(root, page);
    const text = readFileSync(file, "utf8");
    let actual = "";
    let commands = 0;
    for (const [i, part] of text.split(/(?<=```console\n)([\s\S]*?)(?=```)/).entries()) {
      // Every second part is the inside of a block.
      if (i % 2 === 0) {
        actual += part;
        continue;
      }
      for (const line of part.split("\n").filter((each) => each.startsWith("$ "))) {
        commands++;
        actual += `${line}\n${(await runInFolder(folder, line.split(" ").slice(2))).text}`;
      }
    }
    t.true(commands >= 5);
    if (process.env["PTXKIT_UPDATE"] === "1") writeFileSync(file, actual);
    else t.is(actual, text);
  });
