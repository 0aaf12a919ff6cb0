// ELF files of this machine, if there are any: objects and libraries of /usr/lib have the sections that readelf finds.
// Files of other classes and byte orders are refused, and the message says which.

import test from "ava";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { ET, readElf, SHT, writeElf } from "../../../formats/elf/index.js";
import { installed, requirement, testWith } from "../../tools.js";

const FOLDERS = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/gcc/x86_64-linux-gnu/12", "/usr/lib", "/usr/bin"];
const MOST = 12;

/** Some small ELF files of a folder. */
function samples(folder: string): readonly string[] {
  const names = ((): readonly string[] => {
    try {
      return readdirSync(folder).sort();
    } catch {
      return [];
    }
  })();
  const found: string[] = [];
  for (const name of names) {
    if (found.length === MOST) break;
    const path = join(folder, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isFile() !== true || stat.size < 64 || stat.size > 1 << 20) continue;
    if (readFileSync(path).subarray(0, 4).toString("latin1") === "\x7fELF") found.push(path);
  }
  return found;
}

const files = FOLDERS.flatMap(samples);
const hasFiles = requirement(files.length > 0, "this system has no ELF files in /usr");

testWith(hasFiles, installed("readelf"))("files of this machine have the sections that readelf finds", (t) => {
  const dump = spawnSync("readelf", ["-SW", ...files], { encoding: "utf8", maxBuffer: 1 << 26 }).stdout;
  const sections = new Map(
    dump
      .split(/^File: /m)
      .slice(1)
      .map((part) => {
        const rows = [...part.matchAll(/^ +\[ *(\d+)\] (\S+) +\S+ +[0-9a-f]{16} [0-9a-f]+ ([0-9a-f]+) /gm)];
        return [
          part.slice(0, part.indexOf("\n")),
          rows.map(([, , name, size]) => `${name} ${Number.parseInt(size!, 16)}`),
        ];
      }),
  );
  for (const path of files) {
    const file = readElf(readFileSync(path));
    t.true(file.ok, path);
    if (!file.ok) continue;
    const own = file.value.sections.slice(1).map(({ name, size }) => `${name} ${size}`);
    t.deepEqual(own, sections.get(path) ?? [], path);
    t.true(own.length > 2, path);
  }
});

const small = writeElf({
  ...{ type: ET.REL, machine: 62, osabi: 0, abiVersion: 0, flags: 0 },
  sections: [{ name: ".shstrtab", type: SHT.STRTAB, contents: { kind: "section-names" } }],
});
for (const [offset, value, says] of [
  [4, 1, /ELF32 .*only ELF64/],
  [5, 2, /big-endian .*only little-endian/],
] as const)
  test(`a file with ${value} at ${offset} is refused: ${says.source}`, (t) => {
    const file = readElf(small.with(offset, value));
    t.regex(file.ok ? "" : file.error.what, says);
  });
