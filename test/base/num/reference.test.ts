// An extra that runs where gcc targets a machine with a fused multiply-add: the recorded results are the C program's.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";

const FOLDER = "testdata/numerics";
const FLAGS = ["-O1", "-frounding-math", "-ffp-contract=off", "-mfma"];
const SETS = { f32: 1500, f64: 800, convert: 400, half: 2000 } as const;

function compile(program: string): boolean {
  try {
    execFileSync("gcc", [...FLAGS, "-o", program, join(FOLDER, "reference.c"), "-lm"], { stdio: "ignore" });
    execFileSync(program, ["f32", "1"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

test("the recorded results are what reference.c writes", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "numerics-"));
  const program = join(folder, "reference");
  try {
    if (!compile(program)) {
      t.pass("no gcc, or no fused multiply-add");
      return;
    }
    for (const [set, count] of Object.entries(SETS)) {
      const written = execFileSync(program, [set, String(count)]);
      t.true(written.equals(readFileSync(join(FOLDER, `${set}.bin`))), set);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
