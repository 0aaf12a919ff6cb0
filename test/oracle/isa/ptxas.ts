// Asks ptxas for its verdict on many statements at once. It reports all faults of one phase and stops before the next, so the
// faulty lines are taken out and it is asked again, until it is content.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { moduleText, type Batch, type Verdicts } from "./checker.js";
import { preludeLines } from "./operands.js";

/** What ptxas says. A fault for which it names no line is found by halving. */
export function askPtxas(batch: Batch): Verdicts {
  const folder = mkdtempSync(path.join(tmpdir(), "isa-"));
  const file = path.join(folder, "a.ptx");
  const first = preludeLines(batch.version, batch.target) + 1;
  const sm = Number(/\d+/.exec(batch.target)![0]);
  const arch = sm < 75 ? "sm_75" : batch.target.replace("sm_101", "sm_110");
  const refused = new Map<number, string>();

  /** Lines that are faulty among those of `live`; all of them are taken out of it. */
  const sift = (live: readonly number[]): void => {
    const left = new Set(live);
    for (;;) {
      const absent = new Map(batch.statements.flatMap((_, i) => (left.has(i) ? [] : [[i, ""] as const])));
      writeFileSync(file, moduleText(batch, absent));
      const run = spawnSync("ptxas", ["-O0", `-arch=${arch}`, "-o", `${file}.o`, file], { encoding: "utf8" });
      if (run.status === 0) return;
      const output = `${run.stdout}${run.stderr}`;
      const before = left.size;
      for (const match of output.matchAll(/a\.ptx, line (\d+); (?:error|fatal) *: (.*)/g)) {
        const index = Number(match[1]) - first;
        if (left.delete(index)) refused.set(index, match[2]!);
      }
      if (left.size < before) continue;
      const message =
        output.split("\n").find((line) => /error|fatal/.test(line)) ?? `ended by ${run.signal ?? run.status}`;
      if (left.size === 0) throw new Error(`ptxas ${batch.version} ${batch.target}: ${message}`);
      const rest = [...left];
      if (rest.length === 1) refused.set(rest[0]!, message);
      else {
        sift(rest.slice(0, rest.length / 2));
        sift(rest.slice(rest.length / 2));
      }
      return;
    }
  };
  try {
    sift(batch.statements.map((_, i) => i));
  } finally {
    rmSync(folder, { recursive: true });
  }
  return batch.statements.map((_, i) => refused.get(i));
}
