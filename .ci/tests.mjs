// Runs the tests: `npm test` a sample, `npm run test:all` everything, `npm run test:quick` the least (test/sample.ts explains
// these). Names of files and folders of test/ select those; other words are ava's, such as `--tap` and `--match`. `--times`
// writes the CPU time of each test to times.log and prints the files that take longest.
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { availableParallelism, tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import path from "node:path";

const { sampleFor } = await import("../dist/test/choose.js");

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
/** A folder for this run alone. */
const folder = path.join(root, "dist/test/groups", String(process.pid));
const [extent, ...given] = process.argv.slice(2);
const isTimed = given.includes("--times");
const isPlace = (word) => /^test(?:$|[\\/])/.test(word);
const places = given.filter(isPlace).map((word) => word.replaceAll("\\", "/").replace(/\/$/, ""));
const words = given.filter((word) => word !== "--times" && !isPlace(word));

/** Later versions count calls, and have other flags. */
const isNode20 = process.versions.node.startsWith("20.");

/** Number of groups, each of which loads the library: as many as cores, from two to four. */
const count = Math.min(4, Math.max(2, availableParallelism()));

function writeGroups() {
  const names = readdirSync(path.join(root, "test"), { recursive: true, encoding: "utf8" });
  const all = names
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `test/${name.replaceAll("\\", "/")}`)
    .filter((name) => places.length === 0 || places.some((place) => name === place || name.startsWith(`${place}/`)))
    .sort();
  // A third of the files, some of each folder.
  const files = extent === "quick" && places.length === 0 ? sampleFor("sample", all, 3, String, path.dirname) : all;
  mkdirSync(folder, { recursive: true });
  for (let group = 0; group < Math.min(count, files.length); group++) {
    // Distribute neighbours, which are alike, over the groups.
    const own = files.filter((_, i) => i % count === group);
    writeFileSync(
      path.join(folder, `${String(group + 1).padStart(2, "0")}.js`),
      `import { runTogether } from "../../grouped.js";\n\nawait runTogether(${JSON.stringify(own, undefined, 2)});\n`,
    );
  }
  const { require } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")).ava;
  const config = {
    files: [`dist/test/groups/${process.pid}/*.js`],
    require,
    workerThreads: false,
    // Tests run much code a few times. Optimising later and collecting garbage less often takes two thirds of the time of V8's
    // defaults.
    nodeArguments: [
      ...(isNode20 ? ["--interrupt-budget=1000000"] : []),
      "--always-sparkplug",
      "--max-semi-space-size=128",
    ],
    // If no test ends within this time, even on the busiest machine, something hangs.
    timeout: "20m",
  };
  const file = path.join(folder, "ava.config.mjs");
  writeFileSync(file, `export default ${JSON.stringify(config, undefined, 2)};\n`);
  return file;
}

const ava = ["node_modules/ava/entrypoints/cli.mjs", "--config", writeGroups()];
const times = path.join(root, "times.log");
rmSync(times, { force: true });
// A temporary folder, in which the tests must leave nothing.
const temporary = mkdtempSync(path.join(tmpdir(), "ptxkit-tests-"));
const env = {
  ...process.env,
  ...{ TMPDIR: temporary, TMP: temporary, TEMP: temporary, PTXKIT_TESTS: extent },
  ...(isTimed && { PTXKIT_TEST_TIMES: times }),
};
try {
  const { status } = spawnSync(process.execPath, [...ava, ...words], { cwd: root, stdio: "inherit", env });
  const left = readdirSync(temporary);
  if (left.length > 0) console.log(`left in the temporary folder: ${left.join(", ")}`);
  process.exitCode = status !== 0 || left.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
  rmSync(temporary, { recursive: true, force: true });
}

if (isTimed) {
  const seconds = new Map();
  for (const line of readFileSync(times, "utf8").trim().split("\n")) {
    const test = JSON.parse(line);
    seconds.set(test.file, (seconds.get(test.file) ?? 0) + test.seconds);
  }
  const files = [...seconds].sort(([, a], [, b]) => b - a);
  const sum = files.reduce((total, [, one]) => total + one, 0);
  console.log(`${sum.toFixed(0)} CPU seconds in tests; most of them:`);
  for (const [file, one] of files.slice(0, 40)) console.log(`${one.toFixed(1).padStart(8)} ${file}`);
}
