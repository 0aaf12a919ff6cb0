// The reader of many small files gives the bytes of each file, regardless of neighbours in memory
// (cli/files/file-reader.ts).

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "ava";
import { createFileReader, isPipeName } from "../../cli/files/file-reader.js";
import { hasNamedPipes, testWith } from "../tools.js";

const block = 2 ** 20;

/** Bytes that depend on the size, of an object file or another file. */
function contentsOf(size: number, isElf: boolean): Buffer {
  const bytes = Buffer.alloc(size, `${size} `);
  if (isElf) Buffer.from("\x7fELF", "latin1").copy(bytes);
  return bytes;
}

test("files of any size are read whole, and stay as they were read", (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "ptxkit-reader-"));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const { read, sizeOf } = createFileReader();
  const sizes = [0, 1, 3, 4, 17_001, block - 1, 5, block, block + 1, 17_003, 3 * block, 600_000, 600_001, 17_005];
  const expected = [true, false].flatMap((isElf) => sizes.map((size) => contentsOf(size, isElf)));
  const found = expected.map((contents, i) => {
    const file = path.join(folder, String(i));
    writeFileSync(file, contents);
    return read(file);
  });
  found.forEach((bytes, i) => t.true(expected[i]!.equals(bytes), `${i}`));
  t.is(sizeOf(path.join(folder, "4")), 17_001);
  // Numbers in object files are read in place, so they must be aligned.
  for (const bytes of found.slice(0, sizes.length)) if (bytes.length < block) t.is(bytes.byteOffset % 8, 0);
});

test("an ELF file is read to its end, wherever its headers say that it is", (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "ptxkit-reader-"));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const { read } = createFileReader();
  const [offset, count] = [1000, 3];
  const end = offset + count * 64;
  // A file may end at a block's end, before or after it, and continue in the next block.
  for (const size of [end, end - 1, end + 1, 60, end + block, end]) {
    const contents = contentsOf(size, true);
    if (size >= 64) {
      contents.writeBigUInt64LE(BigInt(offset), 40);
      contents.writeUInt16LE(count, 60);
    }
    const file = path.join(folder, "a.o");
    writeFileSync(file, contents);
    t.true(contents.equals(read(file)), `${size}`);
  }
});

testWith(hasNamedPipes)("a pipe is read to its end, which may be beyond a block", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "ptxkit-reader-"));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const { read, sizeOf } = createFileReader();
  for (const size of [17_007, 2 * block + 7]) {
    const contents = contentsOf(size, true);
    const [file, pipe] = [path.join(folder, `file${size}`), path.join(folder, `pipe${size}`)];
    writeFileSync(file, contents);
    spawnSync("mkfifo", [pipe]);
    const writer = spawn("sh", ["-c", 'cat "$0" > "$1"', file, pipe]);
    const ended = new Promise((resolve) => writer.on("exit", resolve));
    t.true(contents.equals(read(pipe)));
    t.is(sizeOf(pipe), undefined);
    await ended;
  }
});

test("a pipe is recognised by its name on Windows, and by its file type elsewhere", (t) => {
  const pipes = ["\\\\.\\pipe\\modules", "\\\\?\\pipe\\modules", "//./PIPE/modules", "\\\\host\\pipe\\modules"];
  const files = [
    "modules",
    "pipe\\modules",
    "C:\\pipe\\modules",
    "\\\\?\\C:\\pipe\\modules",
    "\\\\host\\share\\pipe\\modules",
  ];
  for (const name of pipes) {
    t.true(isPipeName(name, "win32"), name);
    t.false(isPipeName(name, "linux"), name);
  }
  for (const name of files) t.false(isPipeName(name, "win32"), name);
});

test("read errors are reported as node:fs reports them", (t) => {
  const { read } = createFileReader();
  t.throws(() => read(path.join(tmpdir(), "ptxkit-no-such-file")), { code: "ENOENT" });
  t.throws(() => read(tmpdir()), { code: "EISDIR" });
});
