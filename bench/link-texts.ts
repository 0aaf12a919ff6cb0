// Compares linking from PTX texts with NVIDIA's tools making the same program: `ptxas -c` on each text, then nvlink. In rounds,
// NVIDIA's tools and then ptxkit, so that both run under the same load; prints the CPU time of each, and the ratio of each round.
// Usage: node dist/bench/link-texts.js [FOLDER [COUNT [ROUNDS]]]. In each round ptxas assembles SAMPLE of the texts, evenly
// spread, and the time is scaled to all: they are alike, and all would take half a minute per thousand.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { generateModules } from "./generate-modules.js";

const SAMPLE = 40;

const [base = join(tmpdir(), "ptxkit-bench-link"), count = 1000, rounds = 9] = process.argv
  .slice(2)
  .map((word, i) => (i === 0 ? word : Number(word))) as [string?, number?, number?];

const program = fileURLToPath(new URL("../cli/main.js", import.meta.url));
const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(" ");

/** CPU time in seconds of a bash script and its children. */
function cpuOf(script: string): number {
  const { status, stderr } = spawnSync("bash", ["-c", `set -e; TIMEFORMAT='%U %S'; time { ${script}; } >&2`]);
  const said = stderr.toString().trim();
  if (status !== 0) throw new Error(`${script.slice(0, 200)}: ${said}`);
  const [user = NaN, system = NaN] = said.split("\n").at(-1)!.split(" ").map(Number);
  return user + system;
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;

if (["ptxas", "nvlink"].some((tool) => spawnSync(tool, ["--version"]).error !== undefined)) {
  console.log("ptxas and nvlink are not installed: there is nothing to compare with");
  process.exit();
}
const folder = join(base, String(count));
mkdirSync(folder, { recursive: true });
const texts = generateModules(count, undefined, "plain").map(({ name, text }) => {
  const path = join(folder, name);
  if (!existsSync(path)) writeFileSync(path, text);
  return path;
});
const compiled = (text: string): string => text.replace(/\.ptx$/, ".cubin");
const compile = (files: readonly string[], output: (text: string) => string): string =>
  files.map((file) => quoted(["ptxas", "-c", "-arch=sm_80", file, "-o", output(file)])).join("; ");
const missing = texts.filter((text) => !existsSync(compiled(text)));
// A few hundred in each script, whose length is limited.
for (let i = 0; i < missing.length; i += 200) cpuOf(compile(missing.slice(i, i + 200), compiled));
const [textList, cubinList, output] = [join(folder, "texts.txt"), join(folder, "cubins.txt"), join(folder, "output")];
writeFileSync(textList, `${texts.join("\n")}\n`);
writeFileSync(cubinList, `${texts.map(compiled).join("\n")}\n`);

const step = Math.max(1, Math.floor(count / SAMPLE));
const sample = texts.filter((_, i) => i % step === 0).slice(0, SAMPLE);
const their = compile(sample, () => output);
const nvlink = quoted(["nvlink", "-arch=sm_80", "--options-file", cubinList, "-o", output]);
const our = quoted([process.execPath, program, "link", `@${textList}`, "-j1", "-o", output]);
const all = Array.from({ length: rounds }, () => {
  const theirs = (cpuOf(their) * count) / sample.length + cpuOf(nvlink);
  return { theirs, ours: cpuOf(our) };
});
const ratios = all.map(({ theirs, ours }) => theirs / ours);
const seconds = (name: string, of: readonly number[]): void =>
  console.log(`${name.padEnd(34)} least ${Math.min(...of).toFixed(2)} s, median ${median(of).toFixed(2)} s`);
console.log(`${count} texts, ${rounds} rounds, CPU time`);
seconds(
  "ptxas -c on each, and nvlink",
  all.map(({ theirs }) => theirs),
);
seconds(
  "ptxkit link -j1",
  all.map(({ ours }) => ours),
);
console.log(
  `theirs / ours: median ${median(ratios).toFixed(1)}, from ${Math.min(...ratios).toFixed(1)} to ${Math.max(...ratios).toFixed(1)}`,
);
