// Regenerates the test programs: `node make.mjs [NAME...]` (no name: all of them).
// Per program, from program.json: nvcc makes the .ptx files, ptxas must accept each, and the compiled host.cpp writes
// launch.json and expected.json. README.md says what the fields mean.
//
// nvcc runs on copies in one fixed scratch folder, so that the names it derives from paths (of static variables, in
// debug information) are the same on every machine; `.file` paths are then cut down to the file's own name.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(fileURLToPath(import.meta.url));
const scratch = "/tmp/ptxkit-programs";

const run = (cwd, command, args) => execFileSync(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });

const sourceOf = (program, module) => program.sources?.[module] ?? module.replace(/\.ptx$/, ".cu");

/** Modules that are written by hand, because no compiler makes their PTX any more, are only held against ptxas, which knows none of 32-bit addresses. */
function accept(folder, program, work) {
  if (program.addressSize === 32) return;
  // Of NVVM IR it knows nothing, and modules of several refer to each other.
  const relocatable = program.modules.length > 1 ? ["-c"] : [];
  for (const module of program.modules.filter((name) => name.endsWith(".ptx")))
    run(folder, "ptxas", [...relocatable, `-arch=${program.arch}`, module, "-o", join(work, "check.cubin")]);
}

function compile(folder, program, work) {
  const flags = program.flags.split(" ").filter((flag) => flag !== "");
  for (const module of program.modules) {
    const source = sourceOf(program, module);
    const from = dirname(join(folder, source));
    for (const file of readdirSync(from).filter((name) => /\.(cu|cuh)$/.test(name)))
      copyFileSync(join(from, file), join(work, file));
    run(work, "nvcc", [`-arch=${program.arch}`, ...flags, "-ptx", basename(source), "-o", module]);
    const text = readFileSync(join(work, module), "utf8").replace(/^(\s*\.file\s+\d+ ")[^"]*\//gm, "$1");
    writeFileSync(join(folder, module), text);
    const relocatable = flags.includes("-rdc=true") ? ["-c"] : [];
    const debug = flags.includes("-G") ? ["-g"] : [];
    run(folder, "ptxas", [...relocatable, ...debug, `-arch=${program.arch}`, module, "-o", join(work, "check.cubin")]);
  }
}

function computeExpected(folder, program, work) {
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".npy"))) rmSync(join(folder, name));
  const host = join(work, "host");
  run(folder, "g++", [
    ...["-std=c++20", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-I", root],
    ...[...(program.hostFlags ?? []), program.host ?? "host.cpp", "-o", host],
  ]);
  run(folder, host, []);
}

const names = process.argv.slice(2);
const all = readdirSync(root).filter((name) => existsSync(join(root, name, "program.json")));
for (const name of names.length > 0 ? names : all) {
  const folder = join(root, name);
  const work = join(scratch, name);
  const program = JSON.parse(readFileSync(join(folder, "program.json"), "utf8"));
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  (program.written === true ? accept : compile)(folder, program, work);
  computeExpected(folder, program, work);
  console.log(name);
}
