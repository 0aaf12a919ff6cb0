// Records what ptxas says of each line of whole-modules.txt, "VERSION TARGET TEXT": accepted, with -c or as a whole program,
// or the first message with -c. The lines were written for faults that PTX of elsewhere showed (npm run oracle:wild), and for the directives of
// chapter 11, the declarations of chapter 5 and the prototypes of chapter 7, right and wrong (from ".maxntid" on).
//   node testdata/check/make-whole-modules.mjs        (needs ptxas 13.0 on the PATH)
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

const here = import.meta.dirname;
const folder = mkdtempSync(path.join(os.tmpdir(), "verdict-"));

function ask(text, target, options) {
  const file = path.join(folder, "a.ptx");
  writeFileSync(file, text);
  const arch = Number(/\d+/.exec(target)[0]) < 75 ? "sm_75" : target.replace("sm_101", "sm_110");
  const run = spawnSync("ptxas", [...options, "-O0", `-arch=${arch}`, file, "-o", path.join(folder, "a.cubin")], { encoding: "utf8" });
  if (run.status === 0) return { accepted: true };
  const said = `${run.stderr}${run.stdout}`.split("\n").find((line) => /error|fatal/.test(line)) ?? `ended by ${run.signal}`;
  return { accepted: false, says: said.replace(/^ptxas (.*?a\.ptx, )?/, "") };
}

const record = {
  command: "ptxas [-c] -O0 -arch=TARGET (13.0), see make-whole-modules.mjs",
  modules: readFileSync(path.join(here, "whole-modules.txt"), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [, version, target, body] = /^(\S+) (\S+) (.*)$/.exec(line);
      const text = `.version ${version}\n.target ${target}\n${Number(version) < 2.3 ? "" : ".address_size 64\n"}${body.replaceAll("\\n", "\n")}\n`;
      const separate = ask(text, target, ["-c"]);
      return { text, ...(separate.accepted || !ask(text, target, []).accepted ? separate : { accepted: true, as: "a whole program" }) };
    }),
};
rmSync(folder, { recursive: true });
writeFileSync(path.join(here, "whole-modules.json"), `${JSON.stringify(record, null, 1)}\n`);
