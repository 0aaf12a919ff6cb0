// Records what ptxas says of each line of versions.txt (whole modules without their heads; "\n" is a line break) under
// each of the versions and targets below: one letter each, + accepted, - refused.
//   node testdata/check/versions.mjs        (needs ptxas 13.0 on the PATH; some minutes)
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const here = import.meta.dirname;
const run = promisify(execFile);
const modules = [
  ...["1.0 sm_10", "1.1 sm_10", "1.2 sm_13", "1.3 sm_13", "1.4 sm_13", "1.5 sm_13", "2.0 sm_20", "2.1 sm_20"],
  ...["2.2 sm_20", "2.3 sm_20", "3.0 sm_30", "3.1 sm_30", "3.2 sm_30", "6.4 sm_75", "8.5 sm_75"],
];
const folder = mkdtempSync(path.join(os.tmpdir(), "versions-"));

async function accepts(file, options) {
  try {
    await run("ptxas", [...options, "-arch=sm_75", file, "-o", `${file}.o`]);
    return true;
  } catch {
    return false;
  }
}

const lines = readFileSync(path.join(here, "versions.txt"), "utf8").split("\n").filter((line) => line !== "");
const verdicts = new Array(lines.length);
let next = 0;
async function work() {
  while (next < lines.length) {
    const i = next++;
    let verdict = "";
    for (const module of modules) {
      const [version, target] = module.split(" ");
      const file = path.join(folder, `${i}.ptx`);
      writeFileSync(file, `.version ${version}\n.target ${target}\n${lines[i].replaceAll("\\n", "\n")}\n`);
      // Modules before 3.1 cannot be assembled with -c.
      verdict += (await accepts(file, [])) || (Number(version) >= 3.1 && (await accepts(file, ["-c"]))) ? "+" : "-";
    }
    verdicts[i] = verdict;
  }
}
await Promise.all([work(), work(), work()]);
rmSync(folder, { recursive: true });
const record = { command: "ptxas -arch=sm_75, with and without -c (13.0), see versions.mjs", modules, verdicts };
writeFileSync(path.join(here, "versions.json"), `${JSON.stringify(record, null, 1)}\n`);
