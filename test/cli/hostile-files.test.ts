// Files that cannot be read or written: endless devices, lists larger than a string, empty names, a standard output or error that
// accepts nothing. Each gives one message, and status 2.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import test from "ava";
import { sample } from "../sample.js";
import { HostError } from "../../cli/files/host.js";
import { readText } from "../../cli/files/read-text.js";
import { parseOrder } from "../../lib/link/layout/symbol-order.js";
import { goodModule } from "./surroundings.js";
import { hasDevices, testWith } from "../tools.js";

const main = fileURLToPath(new URL("../../cli/main.js", import.meta.url));

/** Runs the program in a folder with a.ptx; `after` is shell text after the command. */
function run(words: string, after = "") {
  const folder = mkdtempSync(path.join(tmpdir(), "ptxkit-hostile-"));
  try {
    writeFileSync(path.join(folder, "a.ptx"), goodModule);
    const command = `exec "$0" "$1" ${words} ${after}`;
    const { status, stderr } = spawnSync("sh", ["-c", command, process.execPath, main], { cwd: folder });
    return { status, said: stderr.toString(), left: readdirSync(folder).filter((name) => name !== "a.ptx") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const withDevices = testWith(hasDevices("/dev/zero", "/dev/full"));

withDevices("a device without end is refused, whatever it is given as", (t) => {
  const said =
    "ptxkit: error: cannot read /dev/zero: it is a device without an end [file-access]\nhelp: name a file, or a pipe that ends\n";
  const ways = [
    "/dev/zero",
    "@/dev/zero",
    "a.ptx --symbol-ordering-file /dev/zero",
    "a.ptx --remap-inputs a.ptx=/dev/zero",
  ];
  for (const words of sample(ways, 8)) t.deepEqual(run(`link ${words} -o x`), { status: 2, said, left: [] }, words);
});

withDevices("a standard output that takes nothing is told, and a standard error that takes nothing is not", (t) => {
  const said =
    "ptxkit: error: cannot write standard output: no space left on the device [file-access]\nhelp: free some space (df shows how much is left), or write it elsewhere\n";
  for (const words of sample(["link --help", "link a.ptx -o x --cref", "link a.ptx -o -", "inspect a.ptx"], 4))
    t.deepEqual(run(words, ">/dev/full"), { status: 2, said, left: [] }, words);
  t.deepEqual(run("link b.ptx -o x", "2>/dev/full"), { status: 2, said: "", left: [] });
});

test("an output with an empty name leaves no output at all", (t) => {
  const said =
    "ptxkit: error: cannot write '': the name is empty [file-access]\nhelp: give a name; in a script, check for an unset variable\n";
  for (const option of sample(["--map", "--time-trace", "--dependency-file", "--print-symbol-counts"], 4))
    t.deepEqual(run(`link a.ptx -o x ${option} ''`), { status: 2, said, left: [] }, option);
  t.deepEqual(run("link a.ptx -o '' --map m"), { status: 2, said, left: [] });
});

test("a list file larger than the longest string is refused", (t) => {
  const host = { read: () => new Uint8Array(2 ** 28 + 1) };
  const error = t.throws(() => readText("names", host), { instanceOf: HostError });
  t.is(error.message, "cannot read names: it has 268435457 bytes, and a list may have 268435456");
});

test("a name repeated in an order file counts once, at its first line", (t) => {
  const file = "order";
  const order = parseOrder(file, "\n# x\nf\n  g \r\nf\ng\n#f\nh");
  t.is(order.file, file);
  t.deepEqual(
    [...order.lines],
    [
      ["f", 3],
      ["g", 4],
      ["h", 8],
    ],
  );
  t.deepEqual([...parseOrder(file, "").lines], []);
  t.is(parseOrder(file, "f\n".repeat(1_000_000)).lines.size, 1);
});
