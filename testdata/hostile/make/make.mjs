// make.mjs: writes the hostile files and index.json from the tables beside it. Needs ptxas 13.0 and gcc; the tests do not.
//
//   node make/make.mjs            (in testdata/hostile)
//
// Every text that `check` must refuse or take is given to ptxas -c too, and what it says is kept in the index beside what
// ours must say; make.mjs fails where the two verdicts part.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { changes, containers, unknowns } from "./elf.mjs";
import { commands, files, sets } from "./link.mjs";
import {
  declarations,
  either,
  functions,
  imageTooLarge,
  instructions,
  large,
  module,
  oversized,
  text,
} from "./ptx.mjs";
import { arrays, faults, kernels, largeLaunches, launches } from "./run.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const scratch = mkdtempSync(path.join(tmpdir(), "hostile-"));
const index = [];

const write = (file, contents) => {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), contents);
};
const add = (file, command, status, says, more = {}) => index.push({ file, command, status, says, ...more });

/** What ptxas -c says of a file: its first line, or "accepts". */
const ptxas = (file) => {
  const run = spawnSync("ptxas", ["-c", "-arch=sm_80", file, "-o", "/dev/null"], {
    cwd: root,
    encoding: "utf8",
    timeout: 60000,
  });
  if (run.status === 0) return "accepts";
  if (run.signal || run.error) return "crashes or hangs";
  const line = (run.stderr + run.stdout).split("\n").find((each) => /error|fatal/.test(each)) ?? "crashes";
  return line
    .replaceAll(file, path.basename(file))
    .replace(/[^\x20-\x7e]/g, "?")
    .slice(0, 120);
};

for (const [room, rows] of Object.entries({ text, module, declarations, functions, instructions })) {
  for (const [name, contents, says] of rows) {
    const file = `${room}/${name}.ptx`;
    write(file, contents);
    const verdict = ptxas(file);
    if ((verdict === "accepts") !== (says === "")) throw new Error(`${file}: ptxas ${verdict}`);
    add(file, ["check", "$FILE"], says === "" ? 0 : 1, says, { ptxas: verdict });
  }
}
for (const [name, contents, says] of either) {
  write(`functions/${name}.ptx`, contents);
  add(`functions/${name}.ptx`, ["check", "$FILE"], [0, 1], says, { ptxas: ptxas(`functions/${name}.ptx`) });
}
for (const [name, contents, says] of oversized) {
  write(`declarations/${name}.ptx`, contents);
  add(`declarations/${name}.ptx`, ["as", "$FILE", "-o", "$OUT"], 1, says, { ptxas: ptxas(`declarations/${name}.ptx`) });
}
for (const [name, pieces, says, mayPass] of large) {
  // A verdict of ptxas is not asked for: these files are there to break parsers, and they break it.
  add(`large/${name}.ptx`, ["check", "$FILE"], mayPass ? [0, 1] : 1, says, { pieces });
}
write("declarations/image-of-300-MiB.ptx", imageTooLarge);
add(
  "declarations/image-of-300-MiB.ptx",
  ["as", "$FILE", "-o", "$OUT"],
  1,
  "error: .*(314572800|268435456|256|image|large)",
);
add(
  "declarations/image-of-300-MiB.ptx",
  ["link", "$FILE", "-o", "$OUT"],
  1,
  "error: .*(314572800|268435456|256|image|large)",
);

// Bytes from a linear congruential generator: no format begins so.
let state = 12345;
const noise = Buffer.alloc(2048);
for (let i = 0; i < noise.length; i++) noise[i] = (state = (Math.imul(state, 1103515245) + 12345) >>> 0) >>> 16;
write("text/noise.bin", noise);
const unrecognised = "error: .*(recogni|format|not |character|byte|version)";
add("text/noise.bin", ["check", "$FILE"], 1, unrecognised);
add("text/noise.bin", ["as", "$FILE", "-o", "$OUT"], 1, unrecognised);
add("text/noise.bin", ["link", "$FILE", "-o", "$OUT"], 1, unrecognised);
add("text/noise.bin", ["inspect", "$FILE"], 1, unrecognised);
add("text/noise.bin", ["run", "$FILE", "-k", "k", "-g", "1", "-b", "1"], 1, unrecognised);
for (const command of ["link", "inspect"]) {
  add(
    "text/empty.ptx",
    [command, "$FILE", ...(command === "link" ? ["-o", "$OUT"] : [])],
    1,
    "error: .*(empty|recogni|version|format)",
  );
}

for (const [name, modules, says] of sets) {
  const names = Object.entries(modules).map(([part, contents]) => {
    write(`link/${name}.${part}`, contents);
    return `link/${name}.${part}`;
  });
  add(names[0], ["link", "$FILE", ...names.slice(1), "-o", "$OUT"], 1, says, { nvlink: nvlink(names) });
}
for (const [name, contents, says, status = 1, prefix = ""] of files) {
  if (contents !== null) write(`link/${name}`, contents);
  add(`link/${name}`, ["link", `${prefix}$FILE`, "-o", "$OUT"], status, says);
}

/** What nvlink says of the modules that ptxas -c has made: its first line, or "accepts". */
function nvlink(names) {
  const objects = names.map((name, i) => {
    const object = path.join(scratch, `${i}.o`);
    const arch = readFileSync(path.join(root, name), "latin1").match(/sm_\d+/)[0];
    const run = spawnSync("ptxas", ["-c", `-arch=${arch}`, name, "-o", object], { cwd: root });
    return run.status === 0 ? object : undefined;
  });
  if (objects.includes(undefined)) return "ptxas refuses one";
  const run = spawnSync("nvlink", ["-arch=sm_80", ...objects, "-o", path.join(scratch, "out")], { encoding: "utf8" });
  const line = (run.stderr + run.stdout).split("\n").find((each) => /error|fatal/.test(each));
  return run.status === 0 ? "accepts" : (line ?? "crashes").replaceAll(`${scratch}/`, "").trim();
}

const compile = (output, ...options) =>
  execFileSync("ptxas", ["-arch=sm_80", ...options, "elf/base.ptx", "-o", output], { cwd: root });
compile("elf/nvidia.o", "-c");
compile("elf/nvidia.cubin");
const base = readFileSync(path.join(root, "elf/nvidia.o"));
for (const [name, change, view, what, status = 1] of changes) {
  write(`elf/${name}.o`, change(base));
  add(`elf/${name}.o`, ["inspect", view, "$FILE"], status, `error: .*(${what})`);
}
// The same changes to an object of our own, which does not lie here: the runner makes it with `as elf/base.ptx`.
const harmlessToLink = /^(segments|info)-/;
for (const [name, , , what, status = 1] of changes) {
  add(
    `ours/${name}.o`,
    ["link", "$FILE", "-o", "$OUT"],
    harmlessToLink.test(name) ? [0, 1] : status,
    `error: .*(${what})`,
    { change: name },
  );
}
for (const [name, change, view] of unknowns) {
  write(`elf/${name}.o`, change(base));
  add(`elf/${name}.o`, ["inspect", view, "$FILE"], 0, "");
}
for (const [name, bytes, what] of containers) {
  write(`elf/${name}`, bytes);
  add(`elf/${name}`, ["inspect", "$FILE"], 1, `error: .*(${what})`);
}
const machineCode = "error: .*(SASS|machine code|NVIDIA|cubin)";
for (const file of ["elf/nvidia.o", "elf/nvidia.cubin"]) {
  add(file, ["inspect", "$FILE"], 0, "");
  add(file, ["link", "$FILE", "-o", "$OUT"], 1, machineCode);
  add(file, ["run", "$FILE", "-k", "k", "-g", "1", "-b", "1"], 1, machineCode);
}
write("elf/host.c", "int shade = 1;\nint twice(int x)\n{\n\treturn shade + 2 * x;\n}\n");
execFileSync("gcc", ["-Os", "-fno-asynchronous-unwind-tables", "-fno-ident", "-c", "elf/host.c", "-o", "elf/x86.o"], {
  cwd: root,
});
const noDeviceCode = "error: .*(x86|host|machine|device|CUDA|GPU)";
add("elf/x86.o", ["link", "$FILE", "-o", "$OUT"], 1, noDeviceCode);
add("elf/x86.o", ["run", "$FILE", "-k", "k", "-g", "1", "-b", "1"], 1, noDeviceCode);

write("run/faults.ptx", faults);
for (const [name, contents] of arrays) write(`run/${name}`, contents);
for (const [name, contents, what] of launches) {
  write(`run/${name}.json`, contents);
  const status = name === "file-absent" ? [1, 2] : 1; // wrong, or unreadable: both are fair
  add(`run/${name}.json`, ["run", "run/faults.ptx", "--launch", "$FILE"], status, `error: .*(${what})`);
}
for (const [name, pieces, what] of largeLaunches) {
  add(`large/${name}.json`, ["run", "run/faults.ptx", "--launch", "$FILE"], 1, `error: .*(${what})`, { pieces });
}
for (const [name, command, what] of kernels)
  add("run/faults.ptx", ["run", "$FILE", ...command], 3, what, { case: name });
for (const [name, command, what, status = 2] of commands) add("", command, status, what, { case: name });

write("index.json", "[\n" + index.map((row) => "  " + JSON.stringify(row)).join(",\n") + "\n]\n");
rmSync(scratch, { recursive: true });
console.log(`${index.length} cases`);
