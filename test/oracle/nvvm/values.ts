// Random modules through ptxkit's lowering, libNVVM and llc, all run by ptxkit:
//
//   npm run oracle:nvvm-values -- [SEED] [COUNT] [--kernels N] [--ptxas] [--record] [--faults]
//
// --kernels: so many in each module (4). Differences that values-explained.table.ts explains are counted apart.
// A line for every 25 modules has the seed reached and the counts; SIGTERM and SIGINT end the run with the summary, so that a long one can be
// continued from its last seed.
// --record keeps what modules without a difference leave in testdata/nvvm/values.json, for tests without these compilers.
// A difference is written to a folder that the message names. --ptxas asks ptxas too whether it takes our PTX;
// --faults names the modules where another compiler's code has a fault, as that of llc 14 for misaligned parameters.

import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { InputError } from "../../../lib/index.js";
import { openCompilers } from "./compilers.js";
import { ptxOfModule } from "./ptx-of-module.js";
import { randomModule } from "./random/module.js";
import { digestOf, runModule } from "./run-module.js";
import { explanations } from "./values-explained.table.js";
import { testdata } from "../programs.js";

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kernels: { type: "string", default: "4" },
    ptxas: { type: "boolean", default: false },
    record: { type: "boolean", default: false },
    faults: { type: "boolean", default: false },
  },
});
const [first = 1, count = 20] = positionals.map(Number);
const kernelCount = Number(flags.kernels);
const folder = join(tmpdir(), "ptxkit-nvvm");
mkdirSync(folder, { recursive: true });
const compilers = openCompilers(process.env["CUDA_HOME"] ?? "/usr/local/cuda", folder);

function refusedByPtxas(ptx: string): string | undefined {
  const file = join(folder, `ours-${process.pid}.ptx`);
  writeFileSync(file, ptx);
  const made = spawnSync("ptxas", ["-O0", "-c", "-arch=sm_80", file, "-o", "/dev/null"], { encoding: "utf8" });
  return made.status === 0 || made.status === null ? undefined : `${made.stderr}${made.stdout}`;
}

let differences = 0;
const explained = new Map<string, readonly number[]>();
const faulty: string[] = [];
const agreed = new Map<number, string>();
const refused = new Map<string, number>();
const note = (what: string): void => void refused.set(what, (refused.get(what) ?? 0) + 1);
let compared = 0;
let runs = 0;
let isEnded = false;
for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => (isEnded = true));
let seed = first;
for (; seed < first + count && !isEnded; seed++) {
  // The event loop has to turn for signals.
  await new Promise(setImmediate);
  if (seed > first && (seed - first) % 25 === 0)
    console.log(`up to ${seed - 1}: ${compared} modules compared, ${runs} runs, ${differences} differences`);
  const module = randomModule(seed, kernelCount);
  const keep = (what: string): void => {
    differences++;
    const file = join(folder, `${seed}.ll`);
    writeFileSync(file, module.text);
    console.log(`${file}: ${what}`);
  };
  let ours: readonly string[];
  try {
    if (flags.ptxas) {
      const message = refusedByPtxas(ptxOfModule(module.text));
      if (message !== undefined) keep(`ptxas: ${message}`);
    }
    ours = await runModule("module.ll", module.text, module, seed);
  } catch (error) {
    keep(error instanceof InputError ? error.message : String((error as Error).stack));
    continue;
  }
  const before = differences;
  let answers = 0;
  for (const { name, compile } of compilers.filter(({ level }) => level >= module.level)) {
    const { ptx, message } = compile(module.text);
    if (ptx === undefined) {
      note(`${name}: ${message.split("\n")[0]!.slice(0, 100)}`);
      continue;
    }
    let theirs: readonly string[];
    try {
      theirs = await runModule("module.ptx", ptx, module, seed);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      // Now and then llc writes what ptxas refuses, too.
      note(
        `${name}: its PTX is wrong: ${error.message
          .split("\n")[0]!
          .replace(/.*?error: /, "")
          .replace(/%\w+/g, "%")}`,
      );
      continue;
    }
    const faults = theirs.flatMap((result, i) =>
      ours[i]!.includes(":") ? [] : (/^([\w-]+): /.exec(result)?.[1] ?? []),
    );
    if (faults.length > 0) {
      note(`${name}: its code has a fault: ${faults[0]}`);
      faulty.push(`${seed} ${name} ${theirs.find((result) => result.includes(":"))}`);
      continue;
    }
    answers++;
    const explanation = ours.some((result, i) => result !== theirs[i])
      ? explanations.find(
          ({ compiler, text, ptx: part }) => compiler.test(name) && text.test(module.text) && part.test(ptx),
        )
      : undefined;
    if (explanation !== undefined) {
      explained.set(explanation.why, [...(explained.get(explanation.why) ?? []), seed]);
      continue;
    }
    ours.forEach((result, i) => {
      if (result === theirs[i]) return;
      const at = [...result].findIndex((letter, k) => letter !== theirs[i]![k]) >> 1;
      const [thread, offset] = [Math.floor(at / module.outBytes), at % module.outBytes];
      const bytes = (hex: string): string => hex.slice((at & ~15) * 2, (at & ~15) * 2 + 32);
      keep(
        `${name}, ${module.kernels[i]}, thread ${thread}, byte ${offset}: ours ${bytes(result)}, theirs ${bytes(theirs[i]!)}`,
      );
      writeFileSync(join(folder, `${seed}.${name.replace(/\W+/g, "")}.ptx`), ptx);
    });
  }
  runs += answers;
  if (answers > 0) compared++;
  if (answers < 2 || differences > before) continue;
  agreed.set(seed, digestOf(module.text, ours));
  if (!flags.record) continue;
  const text = JSON.stringify(Object.fromEntries(agreed), undefined, 2);
  writeFileSync(new URL("nvvm/values.json", testdata), `${text}\n`);
}
if (flags.faults) for (const line of faulty) console.log(line);
for (const [message, times] of refused) console.log(`${times} × ${message}`);
for (const [why, seeds] of explained)
  console.log(`${seeds.length} explained (${[...new Set(seeds)].join(" ")}): ${why}`);
console.log(
  `seeds ${first} to ${seed - 1}: ${compared} modules of ${kernelCount} kernels compared, ${runs} runs of other compilers' code, ${differences} differences`,
);
process.exitCode = differences === 0 ? 0 : 1;
