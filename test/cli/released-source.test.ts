// Quoting lines of sources that were freed (cli/files/released-source.ts), and the memory freed
// (cli/files/file-reader.ts).

import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import { giveBack } from "../../cli/files/file-reader.js";
import { nodeHost } from "../../cli/files/host.js";
import { compressedSource } from "../../cli/files/compressed-source.js";
import { releasedFile } from "../../cli/files/released-source.js";
import { excerptOf, lineStartsOf, placeOfLine, type ShownText } from "../../lib/diag/excerpt.js";
import { sample } from "../sample.js";
import { ptxkit } from "./surroundings.js";

const LARGE = 17 * 2 ** 20;

/** Numbered lines of different lengths, one of them very long. */
function linesOf(size: number): Buffer {
  const lines: string[] = [];
  for (let i = 0, length = 0; length < size; i++) {
    const line = `${i} ${"x".repeat(i % 500)}${i === 1000 ? "y".repeat(size / 4) : ""};\n`;
    lines.push(line);
    length += line.length;
  }
  return Buffer.from(lines.join(""));
}

function fileOf(t: ExecutionContext, bytes: Uint8Array): string {
  const folder = mkdtempSync(path.join(tmpdir(), "ptxkit-released-"));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "a.ptx");
  writeFileSync(file, bytes);
  return file;
}

const excerptAt = (text: ShownText, start: number) =>
  excerptOf(text, { kind: "text", file: "a.ptx", line: 1, column: 1, start, end: start + 9 });

for (const size of [5000, LARGE])
  test(`a message about a text of ${size} bytes that is read again quotes the same line`, (t) => {
    const bytes = linesOf(size);
    const text = releasedFile({ name: fileOf(t, bytes), bytes }, nodeHost())!()!;
    const starts = lineStartsOf(text);
    t.deepEqual(starts, lineStartsOf(bytes));
    // More lines than one part of the file has.
    for (let i = 0; i < 400; i++) {
      const start = (i * 7_654_321) % bytes.length;
      t.deepEqual(excerptAt(text, start), excerptAt(bytes, start));
      const place = { kind: "line", file: "a.ptx", line: (i * 7919) % starts.length, symbol: String(i) } as const;
      t.deepEqual(placeOfLine(text, starts, place), placeOfLine(bytes, starts, place));
    }
  });

for (const size of [5000, LARGE])
  test(`a message about a file of ${size} bytes that has changed on disk quotes no line`, (t) => {
    const bytes = linesOf(size);
    const file = fileOf(t, bytes);
    const again = releasedFile({ name: file, bytes }, nodeHost())!;
    writeFileSync(file, size === LARGE ? bytes.fill("z") : "z");
    utimesSync(file, 1, 1);
    const text = again();
    t.is(text && excerptAt(text, 100), undefined);
    rmSync(file);
    t.is(text && excerptAt(text, 200), undefined);
  });

for (const size of [5000, LARGE])
  test(`a message about a text of ${size} bytes that is kept in chunks quotes the same line`, (t) => {
    const bytes = linesOf(size);
    const text = compressedSource(Buffer.from(bytes));
    const starts = lineStartsOf(text);
    t.is(text.length, bytes.length);
    t.deepEqual(starts, lineStartsOf(bytes));
    for (let i = 0; i < 200; i++) {
      const start = (i * 7_654_321) % bytes.length;
      t.deepEqual(excerptAt(text, start), excerptAt(bytes, start));
      const place = { kind: "line", file: "a.ptx", line: (i * 7919) % starts.length, symbol: String(i) } as const;
      t.deepEqual(placeOfLine(text, starts, place), placeOfLine(bytes, starts, place));
    }
    const parts = [
      [0, 0],
      [0, bytes.length + 9],
      [bytes.length - 3, bytes.length],
      [bytes.length, bytes.length],
      [9, 9],
    ] as const;
    for (const [start, end] of parts)
      t.true(bytes.subarray(start, end).equals(text.subarray(start, end)), `${start} ${end}`);
  });

test("a message about a large text from a pipe quotes the same line as for a small one; the text itself is not kept", async (t) => {
  const head = ".version 8.5\n.target sm_90\n.address_size 64\n.extern .func g();\n.func f() { call f; ret; }\n";
  const kernel = ".visible .entry k() { call f; call g; ret; }\n";
  const said = async (size: number, options: readonly string[]): Promise<string> => {
    const stdin = `${head}// ${"x".repeat(size)}\n${kernel}`;
    return (await ptxkit(["link", "-", "-o", "a.out", ...options], { stdin })).err;
  };
  for (const options of [[], ["--unresolved-symbols=ignore-all", "--cref"]]) {
    const expected = await said(10, options);
    t.regex(expected, /\n 5 \| |\n 7 \| /, options.join(" "));
    t.is(await said(LARGE, options), expected, options.join(" "));
  }
});

test("an input that can be read only once is not read again", (t) => {
  t.is(releasedFile({ name: "-", bytes: new Uint8Array(9) }, nodeHost()), undefined);
  t.is(releasedFile({ name: tmpdir(), bytes: new Uint8Array(9) }, nodeHost()), undefined);
});

test("links of each kind quote the same lines of a large text that was released as of a small one", async (t) => {
  const head = ".version 8.5\n.target sm_90\n.address_size 64\n.extern .func g();\n.func f() { call f; ret; }\n";
  const kernel = ".visible .entry k() { call f; call g; ret; }\n";
  // Everything on one line, so that only offsets differ.
  const withComment = (size: number): string => `${head}// ${"x".repeat(size)}\n${kernel}`;
  const said = async (text: string, options: readonly string[]): Promise<string> =>
    (await ptxkit(["link", "a.ptx", "-o", "a.out", ...options], { files: { "a.ptx": Buffer.from(text) } })).err;
  const lenient = "--unresolved-symbols=ignore-all";
  for (const options of sample([[], [lenient], [lenient, "--cref"]], 3)) {
    const expected = await said(withComment(10), options);
    t.regex(expected, /\n 5 \| |\n 7 \| /, options.join(" "));
    t.is(await said(withComment(LARGE), options), expected, options.join(" "));
  }
});

test("releasing large memory detaches it for every holder; shared memory, small buffers and parts stay", (t) => {
  const whole = new Uint8Array(2 ** 20);
  const other = whole.subarray(5);
  const ended = new Uint8Array(2 ** 20 + 1).subarray(0, 2 ** 20);
  for (const bytes of [whole, ended]) giveBack(bytes);
  for (const bytes of [whole, other, ended]) t.is(bytes.length, 0);
  const left = [
    new Uint8Array(2 ** 20 - 1),
    new Uint8Array(new SharedArrayBuffer(2 ** 20)),
    new Uint8Array(2 ** 20 + 1).subarray(1),
    new Uint8Array(2 ** 20 + 9).subarray(0, 2 ** 20),
  ];
  for (const bytes of left) {
    giveBack(bytes);
    t.true(bytes.length > 0);
  }
});
