// Asks ptxas about every statement of testdata/isa/probes.txt and lists where the checker disagrees. Run it by hand, with
// ptxas 13.0 on the path:
//
//     node dist/test/oracle/isa-probes.js [--record]
//
// --record writes the verdicts into the file; ~ stays where ptxas accepts, since it says that we refuse on purpose.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { refusalOf } from "./isa/checker.js";
import { readProbes, type Mark, type Probe } from "./isa/probes.js";

const file = fileURLToPath(new URL("../../../testdata/isa/probes.txt", import.meta.url));

/** What ptxas says against it; undefined: nothing. */
function askPtxas({ target, text }: Probe, source: string): string | undefined {
  writeFileSync(source, text);
  const arch = Number(/\d+/.exec(target)![0]) < 75 ? "sm_75" : target.replace("sm_101", "sm_110");
  // Separate compilation came with PTX 3.1.
  const mode = Number(/\d+\.\d/.exec(text)![0]) < 3.1 ? [] : ["-c"];
  const run = spawnSync("ptxas", [...mode, "-O0", `-arch=${arch}`, "-o", `${source}.o`, source], { encoding: "utf8" });
  if (run.status === 0) return undefined;
  return `${run.stderr}${run.stdout}`.split("\n").find((line) => /error|fatal/.test(line)) ?? `ended by ${run.signal}`;
}

function main(): void {
  const { values } = parseArgs({ options: { record: { type: "boolean" } } });
  const lines = readFileSync(file, "utf8").split("\n");
  const folder = mkdtempSync(path.join(tmpdir(), "probes-"));
  const probes = readProbes(lines.join("\n"));
  let disagreements = 0;
  for (const probe of probes) {
    const said = askPtxas(probe, path.join(folder, "a.ptx"));
    const ours = refusalOf(probe.text);
    const mark: Mark = said !== undefined ? "-" : probe.mark === "~" ? "~" : "+";
    if ((mark === "+") !== (ours === undefined)) {
      disagreements++;
      console.log(
        `${probe.line + 1}: ${probe.statement}\n    ptxas: ${said ?? "accepted"}; ours: ${ours ?? "accepted"}`,
      );
    }
    lines[probe.line] = `${mark} ${probe.statement}`;
  }
  rmSync(folder, { recursive: true });
  console.log(`${probes.length} probes, ${disagreements} disagreements`);
  if (values.record === true) writeFileSync(file, lines.join("\n"));
}

main();
