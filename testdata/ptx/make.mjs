// Records what ptxas makes of each line of grammar.txt: where the text stands (a whole file, a module item, or a statement of
// the kernel in body.txt; `@target@version` where not sm_75 and 8.5) and the text as a JSON string, one byte a character.
// The verdict is "accept", "syntax" for a fault of grammar, or "meaning" for any other.
//   node testdata/ptx/make.mjs        (needs ptxas 13.0 on the PATH; a few seconds)
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const here = new URL(".", import.meta.url);
const body = readFileSync(new URL("body.txt", here), "latin1");
const folder = mkdtempSync(join(tmpdir(), "grammar-"));
const input = join(folder, "a.ptx");

const records = readFileSync(new URL("grammar.txt", here), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => {
    const space = line.indexOf(" ");
    const [where, target = "sm_75", version = "8.5"] = line.slice(0, space).split("@");
    const snippet = JSON.parse(line.slice(space + 1));
    const header = `.version ${version}\n.target ${target}\n.address_size 64\n`;
    const text =
      where === "file" ? snippet : where === "item" ? header + snippet : header + body.replace("// HERE", () => snippet);
    writeFileSync(input, Buffer.from(text, "latin1"));
    const run = spawnSync("ptxas", ["-c", `-arch=${target}`, input, "-o", join(folder, "a.o")], { encoding: "latin1" });
    const said = run.stdout + run.stderr;
    const isSyntax = /Parsing error|Missing \.(version|target)|Unexpected (EOF|non-ASCII)/.test(said);
    return { text, verdict: run.status === 0 ? "accept" : isSyntax ? "syntax" : "meaning" };
  });
rmSync(folder, { recursive: true });
const lines = records.map((record) => JSON.stringify(record));
writeFileSync(new URL("verdicts.json", here), `[\n${lines.join(",\n")}\n]\n`);
