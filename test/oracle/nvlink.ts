// NVIDIA's linker as a witness: `ptxas -c` for each module, `nvlink` for all, and what came of it. Only where both are
// installed; what they said is recorded in testdata/oracle/link.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { targetFacts } from "../../formats/cuda/index.js";
import { factsOf, type ImageFacts } from "./image-facts.js";

export interface Verdict {
  /** Status of nvlink (of ptxas, when it refuses a module); negative: the signal that ended it. */
  readonly status: number;
  /** Its messages, one a line, with the modules called 0, 1, 2 ... by their order. */
  readonly says: readonly string[];
  readonly facts?: ImageFacts;
}

export const nvlinkCommand =
  "ptxas -c -arch=ARCH N.ptx -o N.cubin (each); nvlink -arch=ARCH -preserve-relocs 0.cubin 1.cubin ... (CUDA 13.0)";

export const isInstalled = (): boolean =>
  ["ptxas", "nvlink"].every((tool) => spawnSync(tool, ["--version"]).status === 0);

/** Texts of modules in link order. */
export function askNvlink(modules: readonly string[], arch: string): Verdict {
  const folder = mkdtempSync(join(tmpdir(), "oracle-"));
  try {
    for (const [i, text] of modules.entries()) {
      writeFileSync(join(folder, `${i}.ptx`), text);
      const made = spawnSync("ptxas", ["-c", "-O0", `-arch=${arch}`, `${i}.ptx`, "-o", `${i}.cubin`], { cwd: folder });
      if (made.status !== 0) return { status: 1, says: [`ptxas refuses module ${i}: ${made.stderr.toString()}`] };
    }
    const inputs = modules.map((_, i) => `${i}.cubin`);
    const { status, signal, stdout, stderr } = spawnSync(
      "nvlink",
      [`-arch=${arch}`, "-preserve-relocs", "-suppress-stack-size-warning", ...inputs, "-o", "out"],
      { cwd: folder },
    );
    const says = `${stdout.toString()}${stderr.toString()}`
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => line.replaceAll(".cubin", ""));
    if (status !== 0) return { status: status ?? (signal === null ? -1 : -11), says };
    const { reservedSharedBytes } = targetFacts(Number(/\d+/.exec(arch)![0]));
    return { status, says, facts: factsOf(readFileSync(join(folder, "out")), reservedSharedBytes) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
