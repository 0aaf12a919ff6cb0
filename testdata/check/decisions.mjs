// Asks ptxas about the lines of decisions.txt and writes its verdicts to decisions.json: node testdata/check/decisions.mjs.
// A line is a statement of a kernel in the frame below, or, behind '@', a module behind its head; "VERSION TARGET | " may stand
// before it (9.0 and sm_90a otherwise).

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const here = (name) => new URL(name, import.meta.url);
const frame = readFileSync(here("decisions.ptx"), "utf8");
const folder = mkdtempSync(path.join(tmpdir(), "ptxkit-decisions-"));
const source = path.join(folder, "a.ptx");

export function moduleOf(line) {
  const [, version = "9.0", target = "sm_90a", text] = /^(?:(\d\.\d) (sm_\w+) \| )?(.*)$/.exec(line);
  const head = `.version ${version}\n.target ${target}\n.address_size 64\n`;
  const body = text.replaceAll("\\n", "\n");
  return { target, text: head + (body.startsWith("@") ? `${body.slice(1)}\n` : frame.replace("STATEMENT", () => body)) };
}

const verdicts = readFileSync(here("decisions.txt"), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => {
    const { target, text } = moduleOf(line);
    writeFileSync(source, text);
    const arch = `-arch=${Number(/\d+/.exec(target)) < 75 ? "sm_75" : target}`;
    const run = (options) => spawnSync("ptxas", [...options, "-O0", arch, source, "-o", path.join(folder, "a.o")], { encoding: "utf8" }); // prettier-ignore
    const accepted = run(["-c"]).status === 0 || run([]).status === 0;
    return { line, accepted };
  });
rmSync(folder, { recursive: true });
const version = /V[\d.]+/.exec(spawnSync("ptxas", ["--version"], { encoding: "utf8" }).stdout)[0];
writeFileSync(here("decisions.json"), `${JSON.stringify({ by: `ptxas ${version}`, verdicts }, undefined, 1)}\n`);
console.log(`${verdicts.length} verdicts, ${verdicts.filter(({ accepted }) => accepted).length} accepted`);
