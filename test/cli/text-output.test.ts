// Outputs that are written while they are made, and may fail half-way: the merged text of --emit ptx.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import test from "ava";
import { nodeHost } from "../../cli/files/host.js";
import { openOutputs } from "../../cli/files/outputs.js";
import { need } from "../../formats/bytes/malformed.js";
import { readElf, sectionNamed } from "../../formats/elf/index.js";
import { goodModule } from "./surroundings.js";

const main = fileURLToPath(new URL("../../cli/main.js", import.meta.url));

function withFolder(work: (folder: string) => void): void {
  const folder = mkdtempSync(path.join(tmpdir(), "ptxkit-text-"));
  try {
    work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run(folder: string, words: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words.split(" ")], { cwd: folder });
  return { status, stdout, stderr: stderr.toString() };
}

const names = (folder: string): readonly string[] => readdirSync(folder).toSorted();

test("a text that turns out wrong while it is written appears nowhere; one that is right appears at the end", (t) =>
  withFolder((folder) => {
    const at = (name: string): string => path.join(folder, name);
    writeFileSync(at("a"), "old");
    for (const isRight of [false, true]) {
      const outputs = openOutputs(nodeHost());
      function* parts() {
        yield Buffer.from("ne");
        t.is(names(folder).length, 2, "written as it is made");
        yield Buffer.from("w");
      }
      t.is(
        outputs.tryLast(at("a"), parts(), () => isRight),
        isRight ? 3 : false,
      );
      t.is(names(folder).length, isRight ? 2 : 1);
      outputs.commit();
      t.is(readFileSync(at("a"), "utf8"), isRight ? "new" : "old");
    }
    t.deepEqual(names(folder), ["a"]);
  }));

test("code without PTX text is reported, and the old text stays", (t) =>
  withFolder((folder) => {
    const at = (name: string): string => path.join(folder, name);
    writeFileSync(at("a.ptx"), goodModule.replace("ret;", "bar.sync 0; ret;"));
    t.is(run(folder, "as a.ptx -o a.o").status, 0);
    t.is(run(folder, "link --emit ptx a.o -o x").status, 0);
    const text = readFileSync(at("x"), "utf8");
    t.is(run(folder, "link --emit ptx a.o -o -").stdout.toString(), text);
    const bytes = readFileSync(at("a.o"));
    const code = sectionNamed(need(readElf(bytes)), ".text.k")!.data;
    bytes.fill(0xff, bytes.indexOf(code) + code.length - 4, bytes.indexOf(code) + code.length);
    writeFileSync(at("b.o"), bytes);
    for (const output of ["x", "-"]) {
      const { status, stdout, stderr } = run(folder, `link --emit ptx b.o -o ${output}`);
      t.is(status, 1, stderr);
      t.regex(stderr, /\[malformed-file\]/);
      t.is(stdout.length, 0);
    }
    t.is(readFileSync(at("x"), "utf8"), text);
    t.deepEqual(names(folder), ["a.o", "a.ptx", "b.o", "x"]);
  }));
