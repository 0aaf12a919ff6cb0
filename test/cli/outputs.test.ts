// A command never overwrites a file that it has read, under any name.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import test from "ava";
import { writeNpy } from "../../formats/npy/index.js";
import { sample } from "../sample.js";
import { nodeHost } from "../../cli/files/host.js";
import { guardReads } from "../../cli/files/outputs.js";
import { goodModule, ptxkit } from "./surroundings.js";

const main = fileURLToPath(new URL("../../cli/main.js", import.meta.url));

test("inputs of run, sweep, report and inspect are not overwritten", (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "ptxkit-outputs-"));
  try {
    const npy = Buffer.from(writeNpy({ type: "u4", shape: [2], data: new Uint8Array(8) }));
    const launches = [{ kernel: "none", grid: [1], block: [1], args: [] }];
    const held = {
      "m.ptx": `${goodModule}\n.visible .entry none() { ret; }\n`,
      "x.npy": npy,
      "launch.json": JSON.stringify({ buffers: { x: { file: "x.npy" } }, launches, outputs: ["x"] }),
      "sweep.json": JSON.stringify({ inputs: ["m.ptx"], gpus: ["h100"], parameters: {}, launch: { launches } }),
      "run.json": "{}",
    };
    for (const [name, contents] of Object.entries(held)) writeFileSync(path.join(folder, name), contents);
    const ways = [
      "run m.ptx --launch launch.json --gpu h100 --trace m.ptx",
      "run m.ptx --launch launch.json --gpu h100 --trace ./launch.json",
      "run m.ptx --launch launch.json --dump x.npy",
      "run m.ptx --launch launch.json --out .",
      "sweep sweep.json -o m.ptx",
      "sweep sweep.json -o sweep.json",
      "report run.json -o ./run.json",
    ];
    for (const words of sample(ways, 8)) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words.split(" ")], {
        cwd: folder,
        encoding: "utf8",
      });
      t.is(status, 2, words);
      t.is(stdout, "", words);
      t.regex(stderr, /^ptxkit: error: \S+ is an input: it would be overwritten \[command-line\]/, words);
    }
    t.deepEqual(readdirSync(folder).toSorted(), Object.keys(held).toSorted());
    for (const [name, contents] of Object.entries(held))
      t.true(
        readFileSync(path.join(folder, name)).equals(typeof contents === "string" ? Buffer.from(contents) : contents),
        name,
      );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("--dump and --trace with a path that cannot be written are refused before anything runs", async (t) => {
  const files = { "a.ptx": goodModule };
  for (const option of ["--dump", "--trace"]) {
    const words = ["run", "a.ptx", "-k", "k", "-g", "1", "-b", "1", option, "no/such/x.json"];
    const { status, err } = await ptxkit(words, { files });
    t.is(status, 2);
    t.regex(
      err,
      /error: cannot write no\/such\/x\.json: there is no folder no\/such \[command-line\]\nhelp: make it first/,
    );
  }
});

test("a host that guards inputs also guards against files written at once", (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "ptxkit-outputs-"));
  try {
    const file = path.join(folder, "in.txt");
    writeFileSync(file, "input");
    const { host } = guardReads(nodeHost(), []);
    host.read(file);
    t.throws(() => host.write(file, "output"), { message: /would be overwritten/ });
    t.is(readFileSync(file, "utf8"), "input");
    host.write(path.join(folder, "out.txt"), "output");
    t.is(readFileSync(path.join(folder, "out.txt"), "utf8"), "output");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
