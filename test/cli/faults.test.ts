// Failures while a command writes: a full disk, a limit, missing rights, a signal at any moment. Either the old output remains or
// the new one is complete, and no other file remains, except after a signal that no program can catch. A sample tries fewer
// moments.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import test from "ava";
import { rounds, sample } from "../sample.js";
import { HostError, nodeHost } from "../../cli/files/host.js";
import { openOutputs } from "../../cli/files/outputs.js";
import { writeArchive } from "../../formats/ar/index.js";
import { runInFolder } from "./in-folder.js";
import { goodModule, ptxkit } from "./surroundings.js";
import { hasDevices, hasNamedPipes, testWith } from "../tools.js";

const main = fileURLToPath(new URL("../../cli/main.js", import.meta.url));
const host = new URL("../../cli/files/host.js", import.meta.url).href;

async function withFolder(work: (folder: string) => void | Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "ptxkit-faults-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs the program in a folder; `before` are words of the shell in front of it. */
function run(folder: string, words: string, before = "") {
  const { status, stdout, stderr } = spawnSync(
    "sh",
    ["-c", `${before} exec "$0" "$1" ${words}`, process.execPath, main],
    {
      cwd: folder,
    },
  );
  return { status, stdout, stderr: stderr.toString() };
}

/** The same without a process of its own, for words that need no shell. Only for serial tests: it changes the current folder. */
async function runHere(folder: string, words: string) {
  const { status, text } = await runInFolder(folder, words.split(" "));
  return { status, stderr: text };
}

const names = (folder: string): readonly string[] => readdirSync(folder).toSorted();

// ---------------------------------------------------------------------------------------------------------- several files

// Runs first, because other tests block the thread while this one loads its commands.
test.serial("of several outputs all appear or none, whichever cannot be written", async (t) => {
  const files = { "a.ptx": goodModule };
  const reports = ["--map", "m", "--dependency-file", "d", "--time-trace", "t", "--print-symbol-counts", "c"];
  const args = ["link", "a.ptx", "-o", "x", ...reports];
  const right = await ptxkit(args, { files });
  t.deepEqual([...right.written.keys()].toSorted(), ["c", "d", "m", "t", "x"], right.err);
  for (const name of ["x", "m", "d", "t", "c"]) {
    const { status, err, written } = await ptxkit(args, { files, unwritable: [name] });
    t.is(status, 2, name);
    t.is(err.split("\n")[0], `ptxkit: error: cannot write ${name}: refused [file-access]`);
    t.deepEqual([...written.keys()], [], name);
  }
});

test("staged files: old outputs stay until all new ones are complete, and stay if one cannot be written", (t) =>
  withFolder((folder) => {
    const at = (name: string): string => path.join(folder, name);
    writeFileSync(at("a"), "old");
    const outputs = openOutputs(nodeHost());
    outputs.host.write(at("a"), "new");
    outputs.host.write(at("b"), "other");
    t.is(readFileSync(at("a"), "utf8"), "old");
    t.throws(() => outputs.host.write(at("absent/c"), ""), { instanceOf: HostError });
    outputs.discard();
    t.deepEqual(names(folder), ["a"]);
    t.is(readFileSync(at("a"), "utf8"), "old");

    const again = openOutputs(nodeHost());
    again.host.write(at("a"), "new");
    again.host.write(at("b"), "other");
    again.commit();
    again.discard();
    t.deepEqual(names(folder), ["a", "b"]);
    t.is(readFileSync(at("a"), "utf8"), "new");
  }));

testWith(hasDevices("/dev/full"))("a stream that takes nothing keeps the files from appearing", (t) =>
  withFolder((folder) => {
    writeFileSync(path.join(folder, "a.ptx"), goodModule);
    const { status, stderr } = run(folder, "link a.ptx -o x --map /dev/full");
    t.is(status, 2);
    t.is(
      stderr,
      "ptxkit: error: cannot write /dev/full: no space left on the device [file-access]\nhelp: free some space (df shows how much is left), or write it elsewhere\n",
    );
    t.deepEqual(names(folder), ["a.ptx"]);
  }),
);

// ------------------------------------------------------------------------------------------------------------- the disk

test("a file that grows over a limit leaves the old one", (t) =>
  withFolder((folder) => {
    const big = goodModule.replace("counter = 7", `counter[16384] = {${"7, ".repeat(16383)}7}`);
    writeFileSync(path.join(folder, "a.ptx"), big);
    writeFileSync(path.join(folder, "x"), "old");
    const { status, stderr } = run(folder, "link a.ptx -o x", "ulimit -f 16;");
    t.is(status, 2, stderr);
    t.is(
      stderr,
      "ptxkit: error: cannot write x: the file would be too large [file-access]\nhelp: raise the limit (ulimit -f), or write it elsewhere\n",
    );
    t.deepEqual(names(folder), ["a.ptx", "x"]);
    t.is(readFileSync(path.join(folder, "x"), "utf8"), "old");
    t.is(run(folder, "link a.ptx -o x").status, 0);
    t.true(statSync(path.join(folder, "x")).size > 65536);
  }));

test("a folder created for outputs that fail is removed, together with nothing else", (t) =>
  withFolder((folder) => {
    const at = (name: string): string => path.join(folder, name);
    const big = goodModule.replace("counter = 7", `counter[16384] = {${"7, ".repeat(16383)}7}`);
    writeFileSync(at("a.ptx"), big);
    writeFileSync(at("file"), "");
    mkdirSync(at("old/deep"), { recursive: true });
    writeFileSync(
      at("lib.a"),
      writeArchive([
        { name: "a.ptx", data: Buffer.from(goodModule) },
        { name: "c.ptx", data: Buffer.from(big) },
      ]),
    );
    const before = names(folder);
    const tried = [
      ["link a.ptx -o x --save-repro new/deep", /cannot write new\/deep\/a\.ptx: the file would be too large/],
      ["link a.ptx -o x --save-repro old/deep/er", /cannot write old\/deep\/er\/a\.ptx: the file would be too large/],
      ["link a.ptx -o x --save-repro old/deep", /cannot write old\/deep\/a\.ptx: the file would be too large/],
      ["link a.ptx -o x --save-repro file/in", /cannot make folder file\/in: /],
      [
        "link a.ptx -o old/response.txt --save-repro old",
        /: old\/response\.txt is a file of --save-repro: nothing else/,
      ],
      ["link a.ptx -o x --map new/a.ptx --save-repro new", /: new\/a\.ptx is a file of --save-repro: nothing else/],
      ["link a.ptx -o x --save-repro file", /cannot make folder file: a file has that name \[/],
      ["link a.ptx -o x --save-repro x", /^ptxkit: error: -o and --save-repro cannot both be written to x \[/],
      [
        "link a.ptx -o x --save-repro x/r",
        /-o cannot be written to a folder that --save-repro x\/r needs \[command-line\]/,
      ],
      [
        "run a.ptx -k k -g 1 -b 1 -a u32[99999]=0 --out new",
        /cannot write new\/arg0\.npy: the file would be too large/,
      ],
      ["inspect lib.a --extract new", /cannot write new\/c\.ptx: the file would be too large/],
    ] as const;
    for (const [words, said] of sample(tried, 4, { name: ([each]) => each })) {
      const { status, stderr } = run(folder, words, "ulimit -f 16;");
      t.is(status, 2, words + stderr);
      t.regex(stderr, said, words);
      t.deepEqual(names(folder), before, words);
      t.deepEqual(readdirSync(at("old"), { recursive: true }), ["deep"], words);
    }
    t.is(run(folder, "link a.ptx -o x --save-repro new/deep").status, 0);
    t.deepEqual(names(at("new/deep")), ["a.ptx", "response.txt"]);
  }));

test("a folder without write permission is reported, and its old file stays", (t) =>
  withFolder((folder) => {
    const inside = path.join(folder, "closed");
    mkdirSync(inside);
    chmodSync(folder, 0o755);
    writeFileSync(path.join(inside, "x"), "old");
    writeFileSync(path.join(folder, "secret"), goodModule);
    chmodSync(path.join(folder, "secret"), 0);
    chmodSync(inside, 0o555);
    const write = `
      import { nodeHost } from ${JSON.stringify(host)};
      // To root every folder is open. What is tested is loaded before: nobody else may be able to read this checkout.
      if (process.getuid?.() === 0) {
        process.setgroups([]);
        process.setgid(65534);
        process.setuid(65534);
      }
      for (const act of [(h) => h.write("closed/x", "new"), (h) => h.read("secret")])
        try { act(nodeHost()); } catch (error) { console.log(error.name + ": " + error.message); }`;
    const child = spawnSync(process.execPath, ["--input-type=module", "-e", write], { cwd: folder });
    chmodSync(inside, 0o755);
    const [first, second] = child.stdout.toString().split("\n");
    t.is(first, "HostError: cannot write closed/x: permission denied", child.stderr.toString());
    t.is(second, "HostError: cannot read secret: permission denied");
    t.is(readFileSync(path.join(inside, "x"), "utf8"), "old");
    t.deepEqual(names(inside), ["x"]);
  }));

test("an output keeps the permissions of the file that it replaces", (t) =>
  withFolder((folder) => {
    const file = path.join(folder, "x");
    for (const mode of [0o600, 0o640, 0o755]) {
      writeFileSync(file, "old");
      chmodSync(file, mode);
      nodeHost().write(file, "new");
      t.is(statSync(file).mode & 0o777, mode);
    }
  }));

// -------------------------------------------------------------------------------------------------------- names and pipes

test.serial(
  "two outputs are not written to one file, by whatever names; messages and images go to different streams",
  (t) =>
    withFolder(async (folder) => {
      writeFileSync(path.join(folder, "a.ptx"), goodModule);
      writeFileSync(path.join(folder, "x"), "old");
      symlinkSync("x", path.join(folder, "soft"));
      const pairs = [
        "-o x --map soft",
        "-o new --map ./new",
        `-o new --time-trace ${folder}/new`,
        "-o /dev/stdout --map -",
      ];
      for (const words of pairs) {
        const { status, stderr } = await runHere(folder, `link a.ptx ${words}`);
        t.is(status, 2, words);
        t.regex(
          stderr,
          /^ptxkit: error: -o and --\S+ cannot both be written to .* \[command-line\]\nhelp: name another file for one of them\n$/,
          words,
        );
      }
      t.deepEqual(names(folder), ["a.ptx", "soft", "x"]);
      const { stdout: image } = run(folder, "link a.ptx -o -");
      for (const name of sample(["-", "/dev/stdout", "/dev/fd/1"], 3)) {
        const { stdout, stderr } = run(folder, `link a.ptx --cref -o ${name}`);
        t.is(Buffer.compare(stdout, image), 0, name);
        t.regex(stderr, /^Cross-reference table/, name);
      }
    }),
);

const OVERWRITTEN =
  /^ptxkit: error: \S+ is an input: it would be overwritten \[command-line\]\nhelp: give the output another name\n$/;

test.serial("an input is not overwritten, by whatever name", (t) =>
  withFolder(async (folder) => {
    const at = (name: string): string => path.join(folder, name);
    writeFileSync(at("a.ptx"), goodModule);
    linkSync(at("a.ptx"), at("hard"));
    symlinkSync("a.ptx", at("soft"));
    const ways = ["link a.ptx -o a.ptx", "link a.ptx -o ./hard", "link soft -o a.ptx", "link a.ptx -o soft"];
    for (const words of ways) {
      const { status, stderr } = await runHere(folder, words);
      t.is(status, 2, words);
      t.regex(stderr, OVERWRITTEN, words);
    }
    const others = ["link a.ptx -o x --map hard", "link a.ptx -o x --dependency-file a.ptx", "as a.ptx -o soft"];
    for (const words of others) t.is((await runHere(folder, words)).status, 2, words);
    t.is(readFileSync(at("a.ptx"), "utf8"), goodModule);
    t.deepEqual(names(folder), ["a.ptx", "hard", "soft"]);
  }),
);

test.serial("nor is a file that an option, or a part of a name, makes an input", (t) =>
  withFolder(async (folder) => {
    const archive = writeArchive([{ name: "a.ptx", data: Buffer.from(goodModule) }]);
    const held = { "liba.a": archive, order: "counter\n", words: "liba.a(a.ptx) -o" };
    for (const [name, contents] of Object.entries(held)) writeFileSync(path.join(folder, name), contents);
    const ways = [
      "link liba.a(a.ptx) -o liba.a",
      "link liba.a(a.ptx) -o x --map liba.a",
      "link -L. -la -o liba.a",
      "link -L. -la -o x --map liba.a",
      "link liba.a --symbol-ordering-file order -o order",
      "link @words words",
    ];
    for (const words of ways) {
      const { status, stderr } = await runHere(folder, words);
      t.is(status, 2, words);
      t.regex(stderr, OVERWRITTEN, words);
    }
    t.deepEqual(names(folder), Object.keys(held).toSorted());
  }),
);

test.serial("nor is a member of a thin archive, which is known only after the archive has been read", (t) =>
  withFolder(async (folder) => {
    const parts = [
      "!<thin>\n",
      ...(["//", "/0"] as const).map((name, i) => {
        const size = i === 0 ? "8" : String(Buffer.byteLength(goodModule));
        return `${name.padEnd(48)}${size.padEnd(10)}\`\n${i === 0 ? "m.ptx/\n\n" : ""}`;
      }),
    ];
    writeFileSync(path.join(folder, "m.ptx"), goodModule);
    writeFileSync(path.join(folder, "thin.a"), parts.join(""));
    const link = "link --whole-archive thin.a";
    for (const words of [`${link} -o m.ptx`, `${link} -o x --map m.ptx`, `${link} -r -o ./m.ptx`]) {
      const { status, stderr } = await runHere(folder, words);
      t.is(status, 2, words);
      t.regex(stderr, OVERWRITTEN, words);
    }
    t.is((await runHere(folder, `${link} -o x`)).status, 0);
    t.is(readFileSync(path.join(folder, "m.ptx"), "utf8"), goodModule);
    t.deepEqual(names(folder), ["m.ptx", "thin.a", "x"]);
  }),
);

testWith(hasNamedPipes)("pipes are read and written; an open file is written to, not replaced", async (t) =>
  withFolder(async (folder) => {
    const at = (name: string): string => path.join(folder, name);
    writeFileSync(at("a.ptx"), goodModule);
    const { stdout: image } = run(folder, "link a.ptx -o -");
    t.true(image.length > 1000);
    t.is(spawnSync("mkfifo", [at("in"), at("out")]).status, 0);
    const piped = run(folder, "link /dev/stdin -o /dev/stdout", "cat a.ptx |");
    t.is(piped.status, 0, piped.stderr);
    t.deepEqual(piped.stdout.length > 1000, true);
    const open = openSync(at("opened"), "w");
    t.is(
      spawnSync(process.execPath, [main, "link", at("a.ptx"), "-o", "/dev/stdout"], { stdio: ["ignore", open] }).status,
      0,
    );
    closeSync(open);
    t.true(statSync(at("opened")).size > 1000);

    const feeder = spawn("sh", ["-c", "cat a.ptx > in & cat out > got"], { cwd: folder, stdio: "ignore" });
    t.is(run(folder, "link in -o out").status, 0);
    await once(feeder, "close");
    t.true(readFileSync(at("got")).length > 1000);
    t.deepEqual(names(folder), ["a.ptx", "got", "in", "opened", "out"]);
    t.true(statSync(at("out")).isFIFO());
  }),
);

// ------------------------------------------------------------------------------------------------------------- signals

/** Replaces a file repeatedly, alternating between two contents. */
const writer = (file: string, size: number): string => `
  import { setImmediate } from "node:timers/promises";
  import { nodeHost } from ${JSON.stringify(host)};
  import { openOutputs } from ${JSON.stringify(new URL("../../cli/files/outputs.js", import.meta.url).href)};
  process.send("ready");
  for (let i = 0; ; i++) {
    const outputs = openOutputs(nodeHost());
    for (const name of [${JSON.stringify(`${file}.map`)}, ${JSON.stringify(file)}]) {
      outputs.host.write(name, Buffer.alloc(${size}, i % 2 === 0 ? "a" : "b"));
      await setImmediate();
    }
    outputs.commit();
    outputs.discard();
  }`;

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"] as const)
  test(`${signal} at any moment leaves whole files`, (t) =>
    withFolder(async (folder) => {
      const size = 1 << 20;
      const file = path.join(folder, "x");
      for (let round = 0; round < rounds(8, 8); round++) {
        const child = spawn(process.execPath, ["--input-type=module", "-e", writer(file, size)], {
          stdio: ["ignore", "ignore", "inherit", "ipc"],
        });
        await once(child, "message");
        await sleep(5 + 3 * round);
        child.kill(signal);
        const [, endedBy] = (await once(child, "close")) as [number | null, string | null];
        t.is(endedBy, signal);
        const left = names(folder);
        if (signal !== "SIGKILL")
          t.deepEqual(
            left.filter((name) => name.startsWith(".")),
            [],
          );
        for (const name of left.filter((each) => !each.startsWith("."))) {
          const bytes = readFileSync(path.join(folder, name));
          t.is(bytes.length, size);
          t.true(
            bytes.every((byte) => byte === bytes[0]),
            `${name} is of one piece`,
          );
        }
      }
    }));
