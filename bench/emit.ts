// Measures merged modules: CPU time of link --emit ptx and of link -r by number of modules, in this process from objects in
// memory, compared with making the image. If ptxas and nvlink are installed, also measures the savings downstream: whole-program
// ptxas of the merged module, compared with `ptxas -c` of each module and nvlink. CPU time, because other work on the machine
// hardly changes it. Usage: node dist/bench/emit.js FOLDER [COUNT...]; modules are made in FOLDER.

import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkModule } from "../lib/check/check.js";
import { createSink } from "../lib/diag/sink.js";
import { emitPtx, linkObjects, linkRelocatable } from "../lib/link/link-objects.js";
import { assemble } from "../lib/object/assemble.js";
import type { RelocObject } from "../lib/object/object.js";
import { writeObject } from "../lib/object/file/write.js";
import { parseModule } from "../lib/ptx/parse.js";
import { generateModules, type GeneratedModule } from "./generate-modules.js";

const RUNS = 3;
/** Limit of the modules for ptxas, which takes 30 ms or more for each. */
const MAX_FOR_PTXAS = 50;

function objectOf({ name, text }: GeneratedModule): RelocObject {
  const sink = createSink();
  return assemble(checkModule(parseModule({ name, bytes: Buffer.from(text) }, sink), sink));
}

/** The shortest of several runs, in milliseconds of CPU time. */
function measure(work: () => void): number {
  const times = Array.from({ length: RUNS }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

/** Milliseconds of CPU time of a shell command and its children; undefined if it fails. */
function shell(folder: string, command: string): number | undefined {
  const { status, stdout, stderr } = spawnSync("bash", ["-c", `set -e; ${command}; times`], { cwd: folder });
  if (status !== 0) {
    console.log(stderr.toString().split("\n")[0]);
    return undefined;
  }
  const children = stdout.toString().trim().split("\n").at(-1)!;
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, m, s]) => sum + 60e3 * Number(m) + 1e3 * Number(s),
    0,
  );
}

function main([folder, ...counts]: readonly string[]): void {
  if (folder === undefined) throw new Error("usage: node dist/bench/emit.js FOLDER [COUNT...]");
  mkdirSync(folder, { recursive: true });
  for (const count of counts.length === 0 ? [50, 250, 1000] : counts.map(Number)) {
    const modules = generateModules(count);
    const objects = modules.map(objectOf);
    const sink = createSink();
    let text = new Uint8Array();
    const image = measure(() => void writeObject(linkObjects(objects, {}, sink)!));
    const relocatable = measure(() => void writeObject(linkRelocatable(objects, {}, sink)!));
    const merged = measure(() => (text = new Uint8Array(emitPtx(objects, {}, sink)!)));
    const rates = [image, relocatable, merged].map((ms) => `${ms.toFixed(0)} ms`);
    console.log(
      `${count} modules: image ${rates[0]}, -r ${rates[1]}, --emit ptx ${rates[2]} for ${(text.length / 1e6).toFixed(1)} MB`,
    );
    if (count > MAX_FOR_PTXAS || spawnSync("nvlink", ["--version"]).status !== 0) continue;
    for (const { name, text: part } of modules) writeFileSync(join(folder, name), part);
    writeFileSync(join(folder, "merged.ptx"), text);
    const whole = shell(folder, "ptxas -arch=sm_80 merged.ptx -o merged.cubin");
    const parts = shell(
      folder,
      `for i in $(seq 0 ${count - 1}); do ptxas -c -arch=sm_80 m$i.ptx -o m$i.cubin; done; ` +
        "nvlink -arch=sm_80 -suppress-stack-size-warning $(seq -f 'm%g.cubin' 0 " +
        `${count - 1}) -o linked`,
    );
    if (whole === undefined || parts === undefined) continue;
    console.log(
      `  ptxas of the merged module ${whole.toFixed(0)} ms, ptxas -c of each and nvlink ${parts.toFixed(0)} ms: ` +
        `${(parts / whole).toFixed(1)} times as much`,
    );
  }
}

main(process.argv.slice(2));
