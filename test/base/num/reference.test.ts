// The recorded results equal those of the C program, run on a machine with gcc and x86's fused multiply-add.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installed, requirement, testWith } from "../../tools.js";

const FOLDER = "testdata/numerics";
const FLAGS = ["-O1", "-frounding-math", "-ffp-contract=off", "-mfma"];
const SETS = { f32: 1500, f64: 800, convert: 400, half: 2000 } as const;

const cpuinfo = "/proc/cpuinfo";
const hasFma = requirement(
  existsSync(cpuinfo) && /^flags\s*:.* fma /m.test(readFileSync(cpuinfo, "utf8")),
  "the processor has no fused multiply-add of x86",
);

testWith(installed("gcc"), hasFma)("the recorded results are what reference.c writes", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "numerics-"));
  const program = join(folder, "reference");
  try {
    execFileSync("gcc", [...FLAGS, "-o", program, join(FOLDER, "reference.c"), "-lm"]);
    for (const [set, count] of Object.entries(SETS)) {
      const written = execFileSync(program, [set, String(count)]);
      t.true(written.equals(readFileSync(join(FOLDER, `${set}.bin`))), set);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
