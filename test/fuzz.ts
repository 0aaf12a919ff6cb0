// Runs the property tests on other values in each round. Prints failures as ava does, with the seed of the round.
//
// npm run fuzz runs ten rounds with seeds from the clock.
//
// npm run fuzz -- ROUNDS [SEED] runs that many rounds with seeds from SEED on; "1 SEED" repeats a round that failed.

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Files that import fast-check, as arguments for ava. */
function properties(): readonly string[] {
  const names = readdirSync(path.join(root, "test"), { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => path.join("test", name))
    .filter((name) => readFileSync(path.join(root, name), "utf8").includes('from "fast-check"'));
}

const [rounds = 10, first = Math.floor(Date.now() / 1000) % 2 ** 31] = process.argv.slice(2).map(Number);
if (!Number.isInteger(rounds) || rounds < 1 || !Number.isInteger(first) || Math.abs(first) >= 2 ** 31) {
  process.stderr.write(
    "npm run fuzz -- [ROUNDS [SEED]]: how many rounds, at least 1, and the 32-bit seed of the first one\n",
  );
  process.exit(2);
}

const files = properties();
const failed: number[] = [];
for (let seed = first; seed < first + rounds; seed++) {
  const ava = ["node_modules/ava/entrypoints/cli.mjs", ...files];
  const { status, stdout, stderr } = spawnSync(process.execPath, ava, {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, PTXKIT_SEED: String(seed), PTXKIT_TESTS: "all" },
    maxBuffer: 2 ** 30,
  });
  process.stdout.write(`seed ${seed}: ${files.length} files, ${status === 0 ? "all hold" : "failed"}\n`);
  if (status === 0) continue;
  failed.push(seed);
  process.stdout.write(`${stdout}${stderr}\n`);
}
process.stdout.write(`${rounds - failed.length} rounds passed, ${failed.length} failed\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
