// A link's output depends only on the contents of its inputs, their names and the options. Links in
// processes of their own, in different environments, are compared with links in this process. A sample makes one of the
// four links in each environment. jobs.test.ts tests -j.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import test from "ava";
import { readElf } from "../../formats/elf/index.js";
import { sample } from "../sample.js";
import { runInFolder } from "./in-folder.js";
import { ptxkit } from "./surroundings.js";

const main = fileURLToPath(new URL("../../cli/main.js", import.meta.url));
const testdata = fileURLToPath(new URL("../../../testdata/link/map/", import.meta.url));

/** Modules with every kind of symbol, and names whose order depends on the locale. */
const inputs: Readonly<Record<string, string>> = {
  "a.ptx": readFileSync(path.join(testdata, "a.ptx"), "utf8"),
  "b.ptx": readFileSync(path.join(testdata, "b.ptx"), "utf8"),
  "Z.ptx":
    ".version 8.5\n.target sm_80\n.address_size 64\n.visible .global .u32 Zebra = 1;\n.visible .global .u32 zebra = 2;\n.visible .global .u32 $i = 3;\n.visible .global .u32 _I = 4;\n.global .u32 i;\n.visible .global .u64 p[2] = {i, zebra};\n",
};

interface Around {
  readonly environment?: Readonly<Record<string, string>>;
  readonly umask?: string;
  /** Flags of Node that change how code is run. */
  readonly node?: readonly string[];
  readonly folder?: string;
  /** The order in which files are created, which is often that of the listing. */
  readonly order?: (names: readonly string[]) => readonly string[];
  /** Modification time in seconds. */
  readonly changed?: number;
}

const links: readonly string[] = [
  "-o x --map m --print-symbol-counts c --dependency-file d --cref -y zebra --warn-common",
  "-o x --map m.json --gc-sections --print-gc-sections --json --build-id",
  "-o x -r",
  "-o x --emit ptx",
];

type Run = (folder: string, words: readonly string[]) => Promise<string>;

/** Runs the program in a process of its own. Returns status, output and diagnostics. */
const inProcess =
  ({ umask = "022", node = [], environment }: Around): Run =>
  (folder, words) => {
    const { status, stdout, stderr } = spawnSync(
      "sh",
      ["-c", `umask ${umask}; exec "$@"`, "sh", process.execPath, ...node, main, ...words],
      { cwd: folder, env: { PATH: process.env["PATH"], ...environment } },
    );
    return Promise.resolve(`${status}\n${stdout.toString()}\n${stderr.toString()}`);
  };

const inThisProcess: Run = async (folder, words) => {
  const { status, out, err } = await runInFolder(folder, words);
  return `${status}\n${out}\n${err}`;
};

/** Every file and message of these links, with all inputs in a new folder. */
async function outcome(around: Around, made: readonly string[], run: Run): Promise<ReadonlyMap<string, string>> {
  const base = mkdtempSync(path.join(tmpdir(), "ptxkit-same-"));
  try {
    const folder = path.join(base, around.folder ?? "in");
    mkdirSync(folder, { recursive: true });
    const names = Object.keys(inputs);
    for (const name of around.order?.(names) ?? names) writeFileSync(path.join(folder, name), inputs[name]!);
    if (around.changed !== undefined)
      for (const name of names) utimesSync(path.join(folder, name), around.changed, around.changed);
    const found = new Map<string, string>();
    for (const words of made) {
      found.set(words, await run(folder, ["link", ...names, ...words.split(" ")]));
      for (const name of readdirSync(folder).filter((each) => !(each in inputs))) {
        found.set(`${words}: ${name}`, readFileSync(path.join(folder, name)).toString("latin1"));
        rmSync(path.join(folder, name));
      }
    }
    return found;
  } finally {
    rmSync(base, { recursive: true });
  }
}

const arounds: Readonly<Record<string, Around>> = {
  "another folder": { folder: "a folder/with blanks/and-a-name-of-its-own" },
  "another time zone and language": {
    environment: { TZ: "Pacific/Kiritimati", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8", LANGUAGE: "tr" },
  },
  "another user's mask and home": {
    umask: "077",
    environment: { HOME: "/nonexistent", USER: "other", HOSTNAME: "other" },
  },
  "files of another time, made in another order": { changed: 86400, order: (names) => names.toReversed() },
  "code that is never optimised": { node: ["--no-opt", "--no-sparkplug"] },
  "a garbage collector that runs often": { node: ["--max-semi-space-size=1", "--max-old-space-size=128"] },
};

let usual: ReadonlyMap<string, string> = new Map();

test.serial("the links of this test produce output and diagnostics", async (t) => {
  usual = await outcome({}, links, inThisProcess);
  t.true(
    links.every((words) => usual.get(words)!.startsWith("0\n")),
    [...usual.values()].join("\n").slice(0, 1000),
  );
  t.true(usual.size > links.length * 2);
});

for (const [what, around] of Object.entries(arounds))
  test(`the same bytes: ${what}`, async (t) => {
    const made = sample(links, 4, { name: (words) => what + words });
    const expected = [...usual].filter(([name]) => made.includes(name.split(": ")[0]!));
    t.true(expected.length > 1);
    t.deepEqual(await outcome(around, made, inProcess(around)), new Map(expected));
  });

test("names of inputs appear only in the declarations of an object or image", async (t) => {
  const contents = (name: string): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(inputs).map(([each, text]) => [name + each, text]));
  const linked = async (name: string, ...more: readonly string[]) => {
    const files = contents(name);
    const { written, err } = await ptxkit(["link", ...Object.keys(files), "-o", "x", ...more], { files });
    t.is(err, "");
    return written.get("x")!;
  };
  for (const more of [[], ["-r"], ["--gc-sections"]]) {
    const sections = async (name: string) => {
      const elf = readElf(await linked(name, ...more));
      if (!elf.ok) throw new Error(elf.error.what);
      return elf.value.sections.map(({ name: section, data, size }) => [
        section,
        section === ".ptxkit.decl" ? "" : `${size} ${Buffer.from(data ?? []).toString("hex")}`,
      ]);
    };
    t.deepEqual(await sections("./"), await sections(""), "written otherwise");
    t.deepEqual(await sections("/some/where else/"), await sections(""));
  }
  t.deepEqual(
    await linked("/else/where/", "--emit", "ptx"),
    await linked("", "--emit", "ptx"),
    "merged PTX has no names",
  );
});
