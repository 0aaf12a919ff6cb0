// Makes a checkout ready to run: installs the locked packages when they are missing or out of date, then builds.
// `npm test` and `npm run demo` begin with it, so that a fresh clone needs nothing but Node. As the package's `prepare` npm runs it
// before `npm pack` and where the package is installed from a repository.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import path from "node:path";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

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

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`ptxkit needs Node 20.19 or newer; this is ${process.version}\n`);
  process.exit(1);
}

/** npm leaves a copy of what it installed in node_modules/.package-lock.json; older than the lock means stale. */
function installed() {
  const marker = path.join(root, "node_modules", ".package-lock.json");
  const lock = path.join(root, "package-lock.json");
  if (!existsSync(marker)) return false;
  if (statSync(marker).mtimeMs >= statSync(lock).mtimeMs) return true;
  // A checkout touches the lock file without changing it: compare what counts, the versions.
  const versions = (file) =>
    Object.entries(JSON.parse(readFileSync(file, "utf8")).packages)
      .filter(([name]) => name !== "")
      .map(([name, entry]) => [name, entry.version, entry.optional === true]);
  const have = new Map(versions(marker).map(([name, version]) => [name, version]));
  return versions(lock).every(([name, version, optional]) => optional || have.get(name) === version);
}

// Without scripts: npm would run this one, which is `prepare`, inside of itself.
if (!installed()) step("installing packages", "npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
step("compiling to WebAssembly", process.execPath, [".ci/wasm.mjs"]);
step("building", process.execPath, ["node_modules/typescript7/bin/tsc", "-b"]);
step("bundling", process.execPath, [".ci/bundle.mjs"]);
