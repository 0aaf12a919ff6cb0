// Every template of the intrinsic table is PTX: our checker accepts it, and in a run of everything ptxas, if it is
// installed.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "ava";
import { inFullRun } from "../../sample.js";
import { installed, testWith } from "../../tools.js";
import { checkSource } from "../../../lib/check/check.js";
import { createSink } from "../../../lib/diag/sink.js";
import { moduleOf, templateFunctions, type TemplateFunction } from "./statements.js";

/** A template is tried for the first that accepts it. PTX 6.4 was the last version with saturation of f16 products. */
const targets = [
  ["9.0", "sm_90a"],
  ["9.0", "sm_90a, texmode_independent"],
  ["9.0", "sm_100a"],
  ["6.4", "sm_70"],
] as const;

function refusal(functions: readonly TemplateFunction[], version: string, target: string): string | undefined {
  const sink = createSink();
  checkSource({ name: "a.ptx", bytes: new TextEncoder().encode(moduleOf(functions, version, target)) }, sink);
  return sink.all.find(({ severity }) => severity === "error")?.message;
}

/** The functions by the target that accepts them, and the first target's message about the others. */
function sorted(): { readonly taken: readonly (readonly TemplateFunction[])[]; readonly refused: readonly string[] } {
  const taken: TemplateFunction[][] = targets.map(() => []);
  const refused: string[] = [];
  for (const one of templateFunctions()) {
    const index = targets.findIndex(
      ([version, target]) =>
        one.ownSampler === target.includes("independent") && refusal([one], version, target) === undefined,
    );
    if (index >= 0) taken[index]!.push(one);
    else refused.push(`${one.name}: ${refusal([one], ...targets[0])}`);
  }
  return { taken, refused };
}

const { taken, refused } = sorted();

test("every template is PTX for some target", (t) => {
  t.deepEqual(refused, []);
  t.true(taken[0]!.length > 1800, `${taken[0]!.length} for sm_90a`);
});

test("every placeholder of a template is filled in", (t) => {
  for (const { name, text } of taken.flat()) t.notRegex(text, /[$<>]/, name);
});

testWith(inFullRun, installed("ptxas"))("ptxas takes every template", (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "ptxkit-intrinsics-"));
  t.teardown(() => rmSync(folder, { recursive: true }));
  // ptxas 13 compiles for sm_75 and later.
  for (const [index, [version, target]] of targets.entries()) {
    if (target === "sm_70") continue;
    const file = path.join(folder, `${index}.ptx`);
    writeFileSync(file, moduleOf(taken[index]!, version, target));
    const { status, stderr } = spawnSync(
      "ptxas",
      ["-c", "-O0", `-arch=${target.split(",")[0]}`, file, "-o", `${file}.o`],
      {
        encoding: "utf8",
      },
    );
    t.is(status, 0, stderr.slice(0, 2000));
  }
});
