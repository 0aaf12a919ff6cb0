// Large sources in archives are read on demand and freed after assembly (cli/files/deferred-sources.ts). Output and
// diagnostics of a link equal those for an archive that is read as a whole.

import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import { sample } from "../sample.js";
import { createFileReader } from "../../cli/files/file-reader.js";
import { nodeHost } from "../../cli/files/host.js";
import { writeArchive } from "../../formats/ar/index.js";
import { excerptOf } from "../../lib/diag/excerpt.js";
import { openArchive } from "../../lib/link/inputs/archive.js";
import { writeObject } from "../../lib/object/file/write.js";
import { moduleText, objectOf } from "../link/build.js";
import { ptxkit, type Surroundings } from "./surroundings.js";

const LARGE = 2 ** 20;

/** A module of more than a megabyte, most of it one comment. */
const large = (text: string): Uint8Array => Buffer.from(moduleText(`// ${"x".repeat(LARGE)}\n${text}\n`));

const object = (name: string, text: string): Uint8Array => writeObject(objectOf(name, moduleText(text)));

const members = [
  { name: "small.o", data: object("lib.a(small.o)", ".visible .func small() { ret; }") },
  { name: "a.ptx", data: large(".extern .func none();\n.visible .func f() { call none; ret; }") },
  { name: "a long name of a member.ptx", data: large(".visible .func g() { ret; }\n.visible .func small() { ret; }") },
  { name: "a.ptx", data: large(".visible .global .u32 v = 5;") },
  { name: "last.o", data: object("lib.a(last.o)", ".visible .func last() { ret; }") },
];
const archive = writeArchive(members);

function folderOf(t: ExecutionContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), "ptxkit-aside-"));
  t.teardown(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, "lib.a"), archive);
  return folder;
}

test("large texts of an archive are not held in memory, and are read when needed", (t) => {
  const file = path.join(folderOf(t), "lib.a");
  const { bytes, texts } = createFileReader().readInput(file);
  t.is(texts?.size, 3);
  t.is(bytes.length, archive.length);
  const source = nodeHost().readInput(file);
  const found = openArchive(source).members.map((member) => member.read()!);
  found.forEach((each, i) => t.true(Buffer.from(members[i]!.data).equals(each.bytes), each.name));
  for (const { reread } of found) reread?.release();
  found.forEach((each, i) => t.true(Buffer.from(members[i]!.data).equals(each.bytes), each.name));
  // Kept for all readers until it is released.
  t.is(found[1]!.bytes, openArchive(source).members[1]!.read()!.bytes);
  // All other readers get the whole archive.
  t.true(Buffer.from(archive).equals(nodeHost().read(file)));
});

test("a text of an archive that has changed on disk is neither linked nor quoted", (t) => {
  const file = path.join(folderOf(t), "lib.a");
  const text = openArchive(nodeHost().readInput(file)).members[1]!.read()!;
  appendFileSync(file, "\n");
  t.throws(() => text.bytes, { message: /written to meanwhile/ });
  const place = { kind: "text", file, line: 1, column: 1, start: 400, end: 408 } as const;
  t.is(excerptOf(text.reread!.shown, place), undefined);
});

test("an archive that ends in a large text, or is cut off in one, is read as far as it goes", (t) => {
  const folder = folderOf(t);
  for (const cut of [
    members.at(-1)!.data.length + 60,
    500_000 + members.at(-1)!.data.length,
    archive.length - LARGE - 20,
  ]) {
    const file = path.join(folder, "cut.a");
    writeFileSync(file, archive.subarray(0, archive.length - cut));
    const whole = openArchive({ name: file, bytes: nodeHost().read(file) });
    const parts = openArchive(nodeHost().readInput(file));
    t.deepEqual(parts.fault, whole.fault);
    t.is(parts.members.length, whole.members.length);
    for (const [i, member] of parts.members.entries())
      t.true(Buffer.from(member.read()!.bytes).equals(whole.members[i]!.read()!.bytes), `${cut}: ${i}`);
  }
});

const ways: readonly (readonly string[])[] = [
  ["--whole-archive"],
  ["-u", "f", "-u", "g"],
  ["-u", "f", "-u", "g", "-u", "v", "--unresolved-symbols=ignore-all"],
  ["-u", "f", "-u", "v", "--unresolved-symbols=ignore-all", "--cref"],
  ["-u", "v", "-u", "last"],
  ["-u", "absent"],
  ["-r", "-u", "f", "-u", "v"],
  ["--emit", "ptx", "-u", "v"],
];

/** A thin archive as `ar rcsT` makes it, without a table of long names. */
function thinFiles(): Readonly<Record<string, Uint8Array>> {
  const files = members.map(({ data }, i) => [`m${i}`, data] as const);
  const headers = files.map(([name, { length }]) => {
    const fields = [
      [`${name}/`, 16],
      ["0", 12],
      ["0", 6],
      ["0", 6],
      ["644", 8],
      [String(length), 10],
    ] as const;
    return `${fields.map(([text, width]) => text.padEnd(width)).join("")}\`\n`;
  });
  return { ...Object.fromEntries(files), "lib.a": Buffer.from(`!<thin>\n${headers.join("")}`) };
}

for (const options of sample(ways, 4, { name: (words) => words.join(" ") }))
  test(`a thin archive's large texts are read when needed: ${options.join(" ")}`, async (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), "ptxkit-aside-"));
    t.teardown(() => rmSync(folder, { recursive: true }));
    const files = thinFiles();
    for (const [name, bytes] of Object.entries(files)) writeFileSync(path.join(folder, name), bytes);
    const link = (around: Surroundings) => ptxkit(["link", ...options, "lib.a", "-o", "out"], around);
    const [whole, parts] = [await link({ files }), await link({ folder })];
    t.is(parts.err, whole.err);
    t.is(parts.status, whole.status);
    t.deepEqual(parts.written, whole.written);
  });

test("a thin archive's large texts can be released; small ones and other files stay in memory", (t) => {
  const folder = folderOf(t);
  const [large, small] = [path.join(folder, "large.ptx"), path.join(folder, "small.ptx")];
  writeFileSync(large, members[1]!.data);
  writeFileSync(small, moduleText(""));
  const host = nodeHost();
  t.true(host.readRegular(small) instanceof Uint8Array);
  t.true(host.readRegular(path.join(folder, "lib.a")) instanceof Uint8Array);
  const found = host.readRegular(large);
  if (found instanceof Uint8Array) return t.fail();
  const bytes = found.bytes();
  found.release();
  t.is(bytes.length, 0);
  t.true(Buffer.from(members[1]!.data).equals(found.bytes()));
});

for (const options of sample(ways, 4, { name: (words) => `parts ${words.join(" ")}` }))
  test(`a link with texts read one by one is the link of the archive: ${options.join(" ")}`, async (t) => {
    const folder = folderOf(t);
    const link = (around: Surroundings) => ptxkit(["link", ...options, "lib.a", "-o", "out"], around);
    const whole = await link({ files: { "lib.a": archive } });
    const parts = await link({ folder });
    t.is(parts.err, whole.err);
    t.is(parts.status, whole.status);
    t.deepEqual(parts.written, whole.written);
  });
