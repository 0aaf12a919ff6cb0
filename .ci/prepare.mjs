// Makes a checkout ready to run: installs the locked packages, compiles the sources, and bundles the program. `npm run build`
// runs it, and `npm test` and `npm run demo` start with it, so that a fresh clone needs only Node. As the package's `prepare`
// script, npm runs it before `npm pack` and when the package is installed from a repository. It alone decides which steps to
// repeat, by contents alone: a step is skipped if its inputs and outputs are unchanged since it last ran (dist/.prepared.json).
// Modification times are not used: a checkout changes them, and an archive keeps them.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import path from "node:path";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`ptxkit needs Node 20.19 or newer; this is ${process.version}\n`);
  process.exit(1);
}

function step(title, command, args) {
  process.stderr.write(`${title} …\n`);
  const started = Date.now();
  const result = spawnSync(command, args, { cwd: root, encoding: "utf8", shell: process.platform === "win32" });
  if (result.error !== undefined || result.status !== 0) {
    process.stderr.write(`${result.stdout ?? ""}${result.stderr ?? ""}`);
    process.stderr.write(`${title} failed: ${result.error?.message ?? `exit status ${result.status}`}\n`);
    process.exit(1);
  }
  process.stderr.write(`${title}: done in ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
}

/** The files of a folder, or the file itself, by name relative to the root. */
function filesOf(name) {
  const at = path.join(root, name);
  if (!existsSync(at)) return [];
  if (path.extname(name) !== "") return [name];
  return readdirSync(at, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)).replaceAll("\\", "/"));
}

const isSource = (name) => /\.ts$/.test(name) && !name.endsWith(".d.ts");

/** A digest of the contents of these files and folders. */
function digest(names, isWanted) {
  const hash = createHash("sha256");
  for (const name of names.flatMap(filesOf).filter(isWanted).sort())
    hash
      .update(`${name}\0`)
      .update(readFileSync(path.join(root, name)))
      .update("\0");
  return hash.digest("hex");
}

const sources = ["lib", "cli", "formats"];
const compiled = [...sources, "test", "bench"];

/** The steps, each with its inputs and outputs. */
const steps = {
  compile: {
    reads: () =>
      digest([...compiled, "tsconfig.json", "package-lock.json"], (name) => isSource(name) || name.endsWith(".json")),
    makes: () =>
      digest(
        compiled.map((name) => `dist/${name}`),
        (name) => name.endsWith(".js") && !name.startsWith("dist/test/groups/"),
      ),
    /** The compiler detects changed sources, but not changed outputs. */
    run(sameSources) {
      step("compiling", process.execPath, [
        "node_modules/typescript7/bin/tsc",
        ...["-b", ".", "cli/viewer"],
        ...(sameSources && existsSync(path.join(root, "dist/.tsbuildinfo")) ? ["--force"] : []),
      ]);
      removeOrphans();
    },
  },
  bundle: {
    reads: () =>
      process.version +
      digest([...sources, "bench/generate-modules.ts", ".ci", "package.json", "package-lock.json"], () => true),
    makes: () => digest(["dist/bundle"], () => true),
    run: () => step("bundling", process.execPath, [".ci/bundle.mjs"]),
  },
};

/** Removes outputs of deleted sources, which would otherwise be tested and published. */
function removeOrphans() {
  for (const name of compiled.map((folder) => `dist/${folder}`).flatMap(filesOf)) {
    const source = name.replace(/^dist\//, "").replace(/(?:\.d\.ts|\.js)(?:\.map)?$/, ".ts");
    if (!name.startsWith("dist/test/groups/") && source.endsWith(".ts") && !existsSync(path.join(root, source)))
      rmSync(path.join(root, name));
  }
}

/** npm stores a copy of the installed lock file in node_modules/.package-lock.json. */
function isInstalled() {
  const marker = path.join(root, "node_modules", ".package-lock.json");
  if (!existsSync(marker)) return false;
  const versions = (file) =>
    Object.entries(JSON.parse(readFileSync(file, "utf8")).packages)
      .filter(([name]) => name !== "")
      .map(([name, entry]) => [name, entry.version, entry.optional === true]);
  const have = new Map(versions(marker).map(([name, version]) => [name, version]));
  const lock = path.join(root, "package-lock.json");
  return versions(lock).every(([name, version, optional]) => optional || have.get(name) === version);
}

// Without scripts: npm would run this script, which is `prepare`, recursively.
if (!isInstalled()) step("installing packages", "npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);

const recordFile = path.join(root, "dist/.prepared.json");
const record = existsSync(recordFile) ? JSON.parse(readFileSync(recordFile, "utf8")) : {};
for (const [name, { reads, makes, run }] of Object.entries(steps)) {
  const before = reads();
  const sameSources = record[name]?.reads === before;
  if (sameSources && record[name].makes === makes()) continue;
  run(sameSources);
  record[name] = { reads: before, makes: makes() };
  mkdirSync(path.dirname(recordFile), { recursive: true });
  writeFileSync(recordFile, `${JSON.stringify(record, undefined, 2)}\n`);
}
// The program treats a bundle that is older than the compiler's output as stale (cli/main.ts), but this one was checked.
const now = new Date();
utimesSync(path.join(root, "dist/bundle/program.cjs"), now, now);
