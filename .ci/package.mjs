// Tests the package as its users get it: from a fresh clone, never built, `npm pack` makes it and `npm install` installs it as a
// file and as a repository. Checks that it contains exactly what its exports refer to, and that the library, its types, its
// threads and the program work. Takes a minute and needs the npm registry. Usage: node .ci/package.mjs
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath, pathToFileURL } from "node:url";
import path from "node:path";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const scratch = mkdtempSync(path.join(tmpdir(), "ptxkit-package-"));

function run(folder, command, ...args) {
  const shell = process.platform === "win32";
  return execFileSync(command, args, { cwd: folder, encoding: "utf8", shell, stdio: ["ignore", "pipe", "inherit"] });
}

const quiet = ["--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];

function projectOf(name, dependency) {
  const folder = path.join(scratch, name);
  mkdirSync(folder);
  writeFileSync(path.join(folder, "package.json"), '{ "private": true, "type": "module" }');
  run(folder, "npm", "install", ...quiet, dependency);
  return folder;
}

const program = `
import assert from "node:assert/strict";
import { linkSources, openDevice } from "ptxkit";
import * as browser from "ptxkit/browser";
import { readElf } from "ptxkit/formats/elf";

const text = \`.version 8.5
.target sm_80
.address_size 64
.visible .entry add(.param .u64 out)
{
  .reg .u64 %p; .reg .u32 %i, %old; .reg .pred %q;
  ld.param.u64 %p, [out];
  mov.u32 %i, 0;
again:
  add.u32 %i, %i, 1;
  setp.lt.u32 %q, %i, 300;
  @%q bra again;
  atom.global.add.u32 %old, [%p], 1;
  ret;
}
\`;
const image = linkSources({ "add.ptx": text });
const device = openDevice(image, { threads: 2 });
const out = device.alloc(4);
const { fault } = await device.launch("add", { grid: 8000, block: 32, args: [out] });
assert.equal(fault, undefined);
assert.equal(device.read(out, Uint32Array)[0], 256_000);
await device.close();
assert.equal(readElf(browser.writeObject(image)).ok, true);
`;

/** The package's own files in a project that uses it. */
const filesOf = (project) => {
  const folder = path.join(project, "node_modules/ptxkit");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));
  return { folder, names };
};

function tryProject(project) {
  const { folder, names } = filesOf(project);
  const unwanted = names.filter((name) =>
    /\.(?:map|cache)$|(?<!\.d)\.ts$|^(?:test|bench|dist\/(?:test|bench))(?:\/|$)/.test(name),
  );
  assert.deepEqual(unwanted, []);
  for (const name of names.filter((each) => /\.c?js$/.test(each)))
    assert.doesNotMatch(readFileSync(path.join(folder, name), "utf8").slice(-500), /\/\/# sourceMappingURL=/, name);

  writeFileSync(path.join(project, "program.js"), program);
  run(project, process.execPath, "program.js");

  const bin = path.join(folder, "dist/bundle/main.js");
  const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  assert.equal(run(project, "npx", "--no-install", "ptxkit", "--version").split("\n")[0], version);
  writeFileSync(path.join(project, "a.ptx"), ".version 8.5\n.target sm_80\n.visible .global .u32 a;\n");
  run(project, process.execPath, bin, "link", "a.ptx", "-o", "a.img");
  assert.match(run(project, process.execPath, bin, "inspect", "a.img"), /a\.img/);

  // Test the types, with the compiler and the Node types of this checkout.
  writeFileSync(path.join(project, "program.ts"), program);
  symlinkSync(path.join(root, "node_modules/@types"), path.join(project, "node_modules/@types"), "junction");
  const compiler = path.join(root, "node_modules/typescript7/bin/tsc");
  const options = ["--noEmit", "--strict", "--target", "es2023", "--module", "nodenext", "--types", "node"];
  run(project, process.execPath, compiler, ...options, "program.ts");
}

try {
  const clone = path.join(scratch, "clone");
  run(scratch, "git", "clone", "--quiet", root, clone);
  const [{ filename, files }] = JSON.parse(run(clone, "npm", "pack", "--json", "--loglevel=error"));
  assert.ok(files.length > 100);
  tryProject(projectOf("from-file", path.join(clone, filename)));

  const repository = path.join(scratch, "repository");
  run(scratch, "git", "clone", "--quiet", root, repository);
  tryProject(projectOf("from-repository", `git+${pathToFileURL(repository).href}`));
  console.log(`the package works: ${files.length} files`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
