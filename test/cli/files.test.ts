// Inputs and outputs: file names, standard streams, and files that appear completely or not at all.

import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import test from "ava";
import { fileError } from "../../cli/files/file-errors.table.js";
import { HostError, nodeHost } from "../../cli/files/host.js";
import { badModule, goodModule, ptxkit } from "./surroundings.js";
import { hasDevices, testWith } from "../tools.js";

const elfMagic = [0x7f, 0x45, 0x4c, 0x46];
const objectType = (bytes: Uint8Array): number => bytes[16]!;
const relocatable = 1;
const imageType = 2;

test("as names its output after the input, in the current folder", async (t) => {
  const named = async (file: string): Promise<readonly string[]> => [
    ...(await ptxkit(["as", file], { files: { [file]: goodModule } })).written.keys(),
  ];
  t.deepEqual(await named("good.ptx"), ["good.o"]);
  t.deepEqual(await named("deep/in/here.ptx"), ["here.o"]);
  t.deepEqual(await named("/abs/kernel.sm_80.ptx"), ["kernel.sm_80.o"]);
  t.deepEqual(await named("plain"), ["plain.o"]);
  t.deepEqual(await named(".hidden"), [".hidden.o"]);
});

test("as writes a relocatable object, link an image", async (t) => {
  const files = { "good.ptx": goodModule };
  const object = (await ptxkit(["as", "good.ptx", "-o", "x.bin"], { files })).written.get("x.bin")!;
  t.deepEqual([...object.subarray(0, 4)], elfMagic);
  t.is(objectType(object), relocatable);
  const image = (await ptxkit(["link", "x.bin", "-o", "y"], { files: { "x.bin": object } })).written.get("y")!;
  t.is(objectType(image), imageType);
  t.deepEqual((await ptxkit(["link", "good.ptx", "-o", "y"], { files })).written.get("y"), image, "as, then link");
});

test("- is standard input and standard output", async (t) => {
  const object = (await ptxkit(["as", "a.ptx", "-o", "a.o"], { files: { "a.ptx": goodModule } })).written.get("a.o")!;
  const piped = await ptxkit(["as", "-"], { stdin: goodModule });
  t.is(piped.status, 0);
  t.is(piped.written.size, 0);
  t.is(objectType(piped.outBytes), relocatable);
  t.is((await ptxkit(["check", "-"], { stdin: goodModule })).status, 0);
  t.regex((await ptxkit(["check", "-"], { stdin: badModule(1) })).err, /^-:4:9: error: /);
  const linked = await ptxkit(["link", "-", "-o", "-"], { stdin: object });
  t.is(linked.status, 0, linked.err);
  t.is(objectType(linked.outBytes), imageType);
  const both = await ptxkit(["as", "-", "-o", "b.o"], { stdin: goodModule });
  t.deepEqual([...both.written.keys()], ["b.o"]);
});

test("inputs are recognised by content and never by their names", async (t) => {
  const object = (await ptxkit(["as", "a.ptx", "-o", "a.o"], { files: { "a.ptx": goodModule } })).written.get("a.o")!;
  t.is((await ptxkit(["link", "a.ptx", "-o", "x"], { files: { "a.ptx": object } })).status, 0);
  t.is((await ptxkit(["link", "a.o", "-o", "x"], { files: { "a.o": goodModule } })).status, 0);
  t.is((await ptxkit(["check", "a.o"], { files: { "a.o": goodModule } })).status, 0);
});

// ---------------------------------------------------------------------------------------------------- the real host

const withFolder = (work: (folder: string) => void): void => {
  const folder = mkdtempSync(path.join(tmpdir(), "ptxkit-"));
  try {
    work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

test("an output replaces the old file at once, and leaves nothing beside it", (t) =>
  withFolder((folder) => {
    const file = path.join(folder, "out");
    const long = path.join(folder, "n".repeat(255));
    const host = nodeHost();
    for (const contents of ["old", "new and longer", ""]) {
      host.write(file, contents);
      t.is(readFileSync(file, "utf8"), contents);
    }
    host.write(long, "x");
    t.is(readdirSync(folder).length, 2);
  }));

test("an output that cannot be written leaves the old file", (t) =>
  withFolder((folder) => {
    const host = nodeHost();
    mkdirSync(path.join(folder, "taken"));
    writeFileSync(path.join(folder, "file"), "kept");
    const impossible = ["taken", "file/below", "absent/out", "n".repeat(256)];
    for (const name of impossible) {
      t.throws(
        () => host.write(path.join(folder, name), "x"),
        { instanceOf: HostError, message: /^cannot write / },
        name,
      );
    }
    t.deepEqual(readdirSync(folder).toSorted(), ["file", "taken"]);
    t.is(readFileSync(path.join(folder, "file"), "utf8"), "kept");
  }));

test("writing through a symbolic link replaces its target", (t) =>
  withFolder((folder) => {
    const host = nodeHost();
    writeFileSync(path.join(folder, "real"), "old");
    symlinkSync("real", path.join(folder, "link"));
    host.write(path.join(folder, "link"), "new");
    t.is(readFileSync(path.join(folder, "real"), "utf8"), "new");
    t.deepEqual(readdirSync(folder).toSorted(), ["link", "real"]);
  }));

testWith(hasDevices("/dev/null"))("a device is written to and stays one", (t) => {
  nodeHost().write("/dev/null", "x");
  t.is(readFileSync("/dev/null", "utf8"), "");
});

test("a dangling symbolic link stays a link, and its target is created", (t) =>
  withFolder((folder) => {
    const host = nodeHost();
    mkdirSync(path.join(folder, "far"));
    symlinkSync("second", path.join(folder, "first"));
    symlinkSync("far/real", path.join(folder, "second"));
    host.write(path.join(folder, "first"), "new");
    t.is(readFileSync(path.join(folder, "far", "real"), "utf8"), "new");
    t.is(readlinkSync(path.join(folder, "first")), "second");
    symlinkSync("none/x", path.join(folder, "astray"));
    t.throws(() => host.write(path.join(folder, "astray"), "x"), { message: /astray: no such file or folder$/ });
    t.deepEqual(readdirSync(folder).toSorted(), ["astray", "far", "first", "second"]);
  }));

test("a file that cannot be read is named, with the reason", (t) =>
  withFolder((folder) => {
    const host = nodeHost();
    t.throws(() => host.read(path.join(folder, "absent")), { message: /absent: no such file or folder$/ });
    t.throws(() => host.read(folder), { message: /: it is a folder$/ });
    t.throws(() => host.read(""), { instanceOf: HostError, message: "cannot read '': the name is empty" });
    t.throws(() => host.write("", "x"), { instanceOf: HostError, message: "cannot write '': the name is empty" });
    t.throws(() => host.read("a\0b"), { instanceOf: HostError, message: /zero byte$/ });
  }));

test("every message about a file has a remedy", (t) =>
  withFolder((folder) => {
    const host = nodeHost();
    const at = (name: string): string => path.join(folder, name);
    symlinkSync("nowhere/x", at("astray"));
    symlinkSync("circle", at("circle"));
    writeFileSync(at("file"), "");
    const remedyOf = (work: () => unknown): string | undefined => t.throws(work, { instanceOf: HostError })?.remedy;
    t.regex(
      remedyOf(() => host.read(at("absent")))!,
      /^check the name/,
    );
    t.is(
      remedyOf(() => host.read(at("astray"))),
      "it is a broken link: create its target, or name another file",
    );
    t.is(
      remedyOf(() => host.read(folder)),
      `name a file in it, such as those of: ls ${folder}`,
    );
    t.is(
      remedyOf(() => host.read(at("circle"))),
      `ls -l ${at("circle")} shows the link's target: remove the link, or point it to a file`,
    );
    t.regex(
      remedyOf(() => host.read(at("file/x")))!,
      /^a part of .*file is a file/,
    );
    t.regex(
      remedyOf(() => host.read(at("x".repeat(300))))!,
      /^a name between two slashes has at most 255 bytes/,
    );
    t.is(
      remedyOf(() => host.write(at("none/x"), "")),
      `make its folder first: mkdir -p ${at("none")}`,
    );
    t.regex(
      remedyOf(() => host.write(at("astray"), ""))!,
      /^it is a link into a missing folder/,
    );
    t.regex(
      remedyOf(() => host.readRegular(folder))!,
      /^replace it by a regular file/,
    );
    t.regex(
      remedyOf(() => host.makeFolder(at("file/y")))!,
      /^a part of .* is a file/,
    );
    for (const action of ["read", "write", "make folder"] as const)
      t.truthy(fileError(action, "x", { code: "EUNHEARD", message: "unheard of" }).remedy);
  }));

const main = fileURLToPath(new URL("../../cli/main.js", import.meta.url));

test("a reader that closes the pipe early is not an error", async (t) => {
  const child = spawn(process.execPath, [main, "--help"], { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  let said = "";
  child.stderr.on("data", (chunk) => (said += String(chunk)));
  const [code] = (await once(child, "close")) as [number | null];
  t.is(code, 0);
  t.is(said, "");
});

test("the program itself: standard input to standard output, in a process of its own", async (t) => {
  const child = spawn(process.execPath, [main, "as", "-"], { stdio: ["pipe", "pipe", "pipe"] });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stdin.end(goodModule);
  const [code] = (await once(child, "close")) as [number | null];
  t.is(code, 0);
  t.is(objectType(Buffer.concat(chunks)), relocatable);
});
