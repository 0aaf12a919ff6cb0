// C's results for the cases: testdata/exec/rows/main.c, compiled if gcc is installed.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Case } from "./cases.js";
import { operandColumn, smOf, versionOf } from "./kernels.js";
import { COUNT } from "./operands.js";

const SOURCE = "testdata/exec/rows/main.c";
const MAX_OUTPUT = 1 << 30;

/** Whether there is a gcc with __float128. */
export function hasCompiler(): boolean {
  const { status } = spawnSync("gcc", ["-x", "c", "-fsyntax-only", "-mfma", "-include", "quadmath.h", "/dev/null"]);
  return status === 0;
}

function inputOf(cases: readonly Case[], seed: number): string {
  const columns = new Map<string, string>();
  const lines = cases.map((each) => {
    const names = each.operands.map(({ kind }, place) => {
      const name = `${kind}:${place}`;
      if (!columns.has(name)) {
        const values = Array.from(operandColumn(kind, place, seed), (value) => value.toString(16));
        columns.set(name, `column ${name} ${values.join(" ")}`);
      }
      return name;
    });
    return `case ${smOf(each)} ${versionOf(each)} ${each.results.length} ${names.join(",") || "-"} ${each.text}`;
  });
  return [`columns ${COUNT}`, ...columns.values(), ...lines, ""].join("\n");
}

/** A compiled program that answers for cases, until it is closed. */
export interface Oracle {
  /** For each case, COUNT values of its first result, then of its second. */
  ask(cases: readonly Case[], seed?: number): readonly BigUint64Array[];
  close(): void;
}

export function openOracle(): Oracle {
  const folder = mkdtempSync(join(tmpdir(), "ptxkit-rows-"));
  const program = join(folder, "rows");
  execFileSync("gcc", ["-O1", "-frounding-math", "-mfma", "-o", program, SOURCE, "-lquadmath", "-lm"]);
  return {
    ask(cases, seed = 0) {
      const output = execFileSync(program, { input: inputOf(cases, seed), maxBuffer: MAX_OUTPUT });
      const words = new BigUint64Array(output.buffer.slice(output.byteOffset, output.byteOffset + output.length));
      let at = 0;
      return cases.map(({ results }) => {
        const values = new BigUint64Array(COUNT * results.length);
        for (let i = 0; i < COUNT; i++) for (let r = 0; r < results.length; r++) values[COUNT * r + i] = words[at++]!;
        return values;
      });
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}
