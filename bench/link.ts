// Linking of many modules: CPU time of reading the objects, linking them and writing the image, beside nvlink on cubins of
// the same program where it is installed (`ptxas -c -O0` makes them once, in a folder that is kept). One row per program.
// Usage: node dist/bench/link.js [FOLDER [COUNT...]]; objects and cubins are made in FOLDER, and taken from there when they
// are there already. CPU time, because other work on the machine does not change it much.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkModule } from "../lib/check/check.js";
import { createSink } from "../lib/diag/sink.js";
import { linkObjects } from "../lib/link/link.js";
import type { LinkOptions } from "../lib/link/options.js";
import { assemble } from "../lib/object/assemble.js";
import { readObject } from "../lib/object/read.js";
import { writeObject } from "../lib/object/write.js";
import { parseModule } from "../lib/ptx/parse.js";
import { generateModules } from "./generate-modules.js";

const RUNS = 3;

/** Microseconds of this process's CPU so far. */
function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function makeObjects(folder: string, count: number): readonly string[] {
  mkdirSync(folder, { recursive: true });
  return generateModules(count).map(({ name, text }) => {
    const path = join(folder, name.replace(".ptx", ".o"));
    if (existsSync(path)) return path;
    const sink = createSink();
    const module = checkModule(parseModule({ name, bytes: Buffer.from(text) }, sink), sink);
    if (sink.errorCount > 0) throw new Error(sink.all[0]!.message);
    writeFileSync(path, writeObject(assemble(module)));
    return path;
  });
}

function makeCubins(folder: string, count: number): readonly string[] | undefined {
  if (spawnSync("nvlink", ["--version"]).status !== 0 || spawnSync("ptxas", ["--version"]).status !== 0)
    return undefined;
  return generateModules(count).map(({ name, text }) => {
    const path = join(folder, name.replace(".ptx", ".cubin"));
    if (existsSync(path)) return path;
    const { status, stderr } = spawnSync("ptxas", ["-c", "-O0", "-arch=sm_80", "-", "-o", path], { input: text });
    if (status !== 0) throw new Error(stderr.toString());
    return path;
  });
}

/** One link in this process: what each step took, in milliseconds of CPU. */
function linkOnce(paths: readonly string[], out: string, options: LinkOptions = {}): ReadonlyMap<string, number> {
  const steps = new Map<string, number>();
  let last = cpuMicroseconds();
  const lap = (step: string): void => {
    const now = cpuMicroseconds();
    steps.set(step, (now - last) / 1000);
    last = now;
  };
  const sink = createSink();
  const objects = paths.map((path) => readObject(readFileSync(path), path, sink)!);
  lap("read");
  const image = linkObjects(objects, { ...options, onPass: lap }, sink);
  if (image === undefined) throw new Error(sink.all[0]!.message);
  lap("rest");
  writeFileSync(out, writeObject(image));
  lap("write");
  return steps;
}

/** CPU milliseconds of a command and its children, measured by the shell; the least of a few runs. */
function cpuOfCommand(words: readonly string[]): number {
  const quoted = words.map((word) => `'${word}'`).join(" ");
  const runs = Array.from({ length: RUNS }, () => {
    const script = `TIMEFORMAT='%U %S'; time ${quoted} >&2`;
    const { stderr } = spawnSync("bash", ["-c", script], { maxBuffer: 1 << 28 });
    const [user = 0, system = 0] = (stderr.toString().trim().split("\n").at(-1) ?? "").split(" ").map(Number);
    return (user + system) * 1000;
  });
  return Math.min(...runs);
}

function measure(base: string, count: number): void {
  const folder = join(base, String(count));
  const objects = makeObjects(folder, count);
  const list = join(folder, "objects.txt");
  writeFileSync(list, objects.join("\n"));
  const own = cpuOfCommand([process.execPath, fileURLToPath(import.meta.url), "--once", list, join(folder, "image")]);
  const cubins = makeCubins(folder, count);
  const theirs =
    cubins === undefined
      ? undefined
      : cpuOfCommand(["nvlink", "-arch=sm_80", ...cubins, "-o", join(folder, "nvlink.out")]);
  linkOnce(objects, join(folder, "image"));
  const steps = linkOnce(objects, join(folder, "image"));
  // The pass alone, reachability and what remains of each object: nearly all of this program is live.
  const collecting = Array.from({ length: RUNS }, () => linkOnce(objects, join(folder, "image"), { gcSections: true }));
  const gc = Math.min(...collecting.map((passes) => passes.get("live")!));
  const ratio = theirs === undefined ? "-" : (own / theirs).toFixed(2);
  const warm = [...steps.values()].reduce((sum, step) => sum + step, 0);
  const row = [count, own.toFixed(0), theirs?.toFixed(0) ?? "-", ratio, warm.toFixed(0), gc.toFixed(0)];
  console.log(`| ${row.join(" | ")} | ${[...steps].map(([step, ms]) => `${step} ${ms.toFixed(0)}`).join(", ")} |`);
}

const words = process.argv.slice(2);
if (words[0] === "--once") linkOnce(readFileSync(words[1]!, "utf8").split("\n"), words[2]!);
else {
  const counts = words.slice(1).map(Number);
  console.log(
    "| modules | ours, whole process, CPU ms | nvlink, CPU ms | ratio | ours, warm, CPU ms | --gc-sections adds | of which |",
  );
  console.log("| --- | --- | --- | --- | --- | --- | --- |");
  for (const count of counts.length === 0 ? [10, 100, 1000] : counts)
    measure(words[0] ?? join(tmpdir(), "ptxkit-bench-link"), count);
}
