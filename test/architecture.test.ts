// The rules of the house, held as tests: who may import whom, and what must not appear in the sources.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import test from "ava";

/** The checkout: this file runs from dist/test. */
const root = fileURLToPath(new URL("../../", import.meta.url));

/** DESIGN, "the way through the house": a room imports from itself and from those before it. */
const stages = ["base", "diag", "isa", "ptx", "check", "object", "link", "load", "exec", "timing", "inspect", "report"];

interface SourceFile {
  readonly name: string;
  readonly text: string;
  readonly imports: readonly string[];
}

function sources(folder: string): readonly SourceFile[] {
  const names = readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))
    .map((name) => {
      const file = path.posix.join(folder, name.split(path.sep).join("/"));
      const text = readFileSync(path.join(root, file), "utf8");
      const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map((match) => match[1]!);
      return { name: file, text, imports: specifiers.map((s) => path.posix.join(path.posix.dirname(file), s)) };
    });
}

const lib = sources("lib");
const formats = sources("formats");
const cli = sources("cli");

test("inside lib, imports run only towards earlier stages", (t) => {
  for (const file of lib) {
    const stage = stages.indexOf(file.name.split("/")[1]!);
    for (const target of file.imports.filter((name) => name.startsWith("lib/"))) {
      const other = stages.indexOf(target.split("/")[1]!);
      if (stage < 0) continue; // lib/index.ts lists the public names of all stages
      t.true(other >= 0 && other <= stage, `${file.name} imports ${target}`);
    }
  }
});

test("formats import nothing of lib and cli, lib nothing of cli", (t) => {
  for (const file of formats)
    t.deepEqual(
      file.imports.filter((name) => !name.startsWith("formats/")),
      [],
      file.name,
    );
  for (const file of lib)
    t.deepEqual(
      file.imports.filter((name) => name.startsWith("cli/") || name.startsWith("test/")),
      [],
      file.name,
    );
});

test("every folder of lib is a stage of the design", (t) => {
  const rooms = new Set(lib.map((file) => file.name.split("/")[1]!).filter((name) => !name.endsWith(".ts")));
  t.deepEqual(
    [...rooms].filter((room) => !stages.includes(room)),
    [],
  );
});

test("every source file opens by saying what it is", (t) => {
  for (const file of [...lib, ...formats, ...cli]) {
    t.regex(file.text.replace(/^#!.*\n/, ""), /^\/\//, file.name);
  }
});

test("the library neither prints nor reads clocks, chance, files or the environment", (t) => {
  for (const file of [...lib, ...formats]) {
    t.notRegex(
      file.text,
      /\bconsole\.|\bDate\.now\b|new Date\(|Math\.random|\bprocess\.(?:env|argv|exit|exitCode|cwd|std\w+|hrtime|cpuUsage|platform|on)\b|from "node:(fs|process|os|child_process)"/,
      file.name,
    );
  }
});

test("sources end with one newline and have neither tabs nor carriage returns", (t) => {
  for (const file of [...lib, ...formats, ...cli, ...sources("bench")]) {
    t.notRegex(file.text, /\r|\t|\n\n$|[^\n]$/, file.name);
  }
});
