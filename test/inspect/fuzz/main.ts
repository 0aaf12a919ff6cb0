// Inspects damaged files, in processes with limits of time and memory.
//
// npm run fuzz:inspect -- [MUTANTS [FIRST]] [--seed FILE]...
//
// MUTANTS (100,000) are made from number FIRST (1) on, of the recorded files or of those that --seed names
// (fuzz/mutants.ts). It is a defect to throw, to end the process, or to take more than 3 s of CPU or 500 MB: a line has
// its number and place, and the exit status is 1. "1 NUMBER" inspects a mutant again.

import { spawn } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string", multiple: true, default: [] } },
});
const [count = 100_000, first = 1] = positionals.map(Number);
if (!Number.isInteger(count) || count < 0 || !Number.isInteger(first)) {
  process.stderr.write(
    "npm run fuzz:inspect -- [MUTANTS [FIRST]] [--seed FILE]...: how many, and the number of the first\n",
  );
  process.exit(2);
}

/** Mutants of one process. */
const CHUNK = 5000;
/**
 * CPU seconds for one mutant before its process is ended, or wall time where the system has no CPU times; MiB of heap.
 */
const MAX_SECONDS = 20;
const MAX_MILLISECONDS = 600_000;
const MAX_HEAP = 400;

const child = fileURLToPath(new URL("child.js", import.meta.url));
const progress = join(tmpdir(), `ptxkit-fuzz-inspect-${process.pid}`);
const defects = new Map<string, number[]>();

function note(number: number, what: string): void {
  const key = what.replaceAll(/\d+/g, "N");
  const known = defects.get(key);
  if (known === undefined) console.log(`${number}: ${what}`);
  defects.set(key, [...(known ?? []), number]);
}

/** CPU seconds of a process; undefined without /proc. */
function cpuSeconds(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return undefined;
  }
}

const current = (): number => Number(readFileSync(progress, "utf8"));

/** Inspects mutants from `start` on. Returns the number of the first that remains. */
function inspectChunk(start: number, end: number): Promise<number> {
  writeFileSync(progress, `${start}`);
  return new Promise((resolve) => {
    const flags = [`--max-old-space-size=${MAX_HEAP}`];
    const running = spawn(process.execPath, [...flags, child, `${start}`, `${end}`, progress, ...options.seed], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [out, err, last, isHung] = ["", "", -1, false];
    running.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    running.stderr.setEncoding("utf8").on("data", (text: string) => (err = (err + text).slice(-4000)));
    let since = { cpu: 0, time: 0 };
    const watch = setInterval(() => {
      const [now, cpu] = [current(), cpuSeconds(running.pid!)];
      if (now !== last) {
        last = now;
        since = { cpu: cpu ?? 0, time: performance.now() };
      } else if (
        cpu === undefined ? performance.now() - since.time > MAX_MILLISECONDS : cpu - since.cpu > MAX_SECONDS
      ) {
        isHung = true;
        running.kill("SIGKILL");
      }
    }, 1000);
    running.on("close", (code) => {
      clearInterval(watch);
      for (const line of out.split("\n").filter(Boolean)) {
        const [number, ...what] = line.split("\t");
        note(Number(number), what.join(" "));
      }
      if (code === 0) return resolve(end);
      note(
        current(),
        isHung
          ? "hang"
          : `its process ended with ${code}: ${err.split("\n").find((line) => /Error|FATAL/.test(line)) ?? ""}`,
      );
      return resolve(current() + 1);
    });
  });
}

const end = first + count;
for (let next = first; next < end;) next = await inspectChunk(next, Math.min(end, next + CHUNK));
rmSync(progress, { force: true });
let sum = 0;
for (const [what, numbers] of defects) {
  sum += numbers.length;
  console.log(`${numbers.length} × ${what}: ${numbers.slice(0, 5).join(", ")}`);
}
console.log(`${count} files from number ${first} on, ${sum} defects`);
process.exitCode = sum === 0 ? 0 : 1;
