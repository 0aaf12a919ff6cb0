// `npm run oracle:emit`: ptxas of our merged module against ptxas -c and nvlink of its parts, live: the same kernels,
// parameters and data. All programs of testdata, then random ones: `--random SEED COUNT` (60 of seed 1 unless said). Of a program
// of elsewhere: `--files FILE...`, texts of one link, for the target of the first.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSink } from "../../lib/diag/sink.js";
import { emitPtx } from "../../lib/link/link-objects.js";
import { objectOf } from "../link/build.js";
import { modulesOf } from "./compare-link.js";
import { mergedFactsOf, wordsOf, type MergedFacts } from "./merged-facts.js";
import { deliberate, resolutionCases } from "./link-cases.js";
import { isDefinedAgain } from "./link-explained.js";
import { isInstalled } from "./nvlink.js";
import { readProgram, testdata } from "./programs.js";
import { randomLayouts } from "./random-layouts.js";
import { randomSets } from "./random-sets.js";

const folder = mkdtempSync(join(tmpdir(), "oracle-"));
const run = (tool: string, ...words: readonly string[]): void => {
  const { status, stdout, stderr } = spawnSync(tool, words, { cwd: folder });
  if (status !== 0) throw new Error(`${tool}: ${stdout.toString()}${stderr.toString()}`.slice(0, 300));
};

/** ptxas 13.0 has none older. */
const archFor = (target: string): string => (Number(/\d+/.exec(target)![0]) < 75 ? "sm_75" : target);

/** What differs, or why there is nothing to compare. */
function compare(names: readonly string[], texts: readonly string[], target: string): readonly string[] {
  const sink = createSink();
  const objects = texts.map((text, i) => objectOf(names[i]!, text));
  const merged = emitPtx(objects, {}, sink);
  const words = wordsOf(objects);
  const arch = archFor(target);
  const ask = (): string | undefined => {
    try {
      texts.forEach((text, i) => {
        writeFileSync(join(folder, `${i}.ptx`), text);
        run("ptxas", "-c", "-O0", `-arch=${arch}`, `${i}.ptx`, "-o", `${i}.cubin`);
      });
      const inputs = texts.map((_, i) => `${i}.cubin`);
      run("nvlink", `-arch=${arch}`, "-preserve-relocs", "-suppress-stack-size-warning", ...inputs, "-o", "linked");
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  };
  const refused = ask();
  if (merged === undefined) return refused === undefined ? [`only we refuse: ${sink.all[0]?.message}`] : [];
  if (refused !== undefined) return refused.includes("Internal error") ? [] : [`only nvlink refuses: ${refused}`];
  try {
    writeFileSync(join(folder, "merged.ptx"), merged);
    run("ptxas", "-O0", `-arch=${arch}`, "-preserve-relocs", "merged.ptx", "-o", "whole");
    run("ptxas", "-c", "-O0", `-arch=${arch}`, "merged.ptx", "-o", "merged.cubin");
    run("nvlink", `-arch=${arch}`, "-preserve-relocs", "-suppress-stack-size-warning", "merged.cubin", "-o", "alone");
  } catch (error) {
    return [(error as Error).message];
  }
  const facts = (name: string, functions: boolean) => mergedFactsOf(readFileSync(join(folder, name)), words, functions);
  // nvlink drops some references in constant data, and leaves 0 there: they are not held against a merged module.
  const kept = (facts: MergedFacts): MergedFacts => ({
    ...facts,
    variables: facts.variables.map((fact) =>
      !fact.startsWith("const ")
        ? fact
        : fact.replaceAll(/ \+\d+:(\S+?)\/-?\d+(?: byte \d)?/g, (reference, name: string) =>
            isDefinedAgain(texts, name) ? "" : reference,
          ),
    ),
  });
  return [
    ...differences("whole-program ptxas", kept(facts("whole", false)), kept(facts("linked", false))),
    ...differences("ptxas -c and nvlink", kept(facts("alone", true)), kept(facts("linked", true))),
  ];
}

function differences(of: string, merged: MergedFacts, parts: MergedFacts): readonly string[] {
  return (["kernels", "variables"] as const).flatMap((key) => {
    const mine = beyond(merged[key], parts[key]);
    // What is inside a function that lost to another definition is dead: nvlink keeps its bytes, a merged module does not.
    const theirs = beyond(parts[key], merged[key]).filter((fact) => !/ \$__\S+_ /.test(fact));
    const same = mine.length === 0 && theirs.length === 0;
    return same ? [] : [`${of}, ${key}: merged ${mine.join("; ") || "-"}, parts ${theirs.join("; ") || "-"}`];
  });
}

/** The facts that are oftener in the first list, as often as they are more there. */
function beyond(facts: readonly string[], others: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const fact of others) left.set(fact, (left.get(fact) ?? 0) + 1);
  return facts.filter((fact) => {
    const count = left.get(fact) ?? 0;
    left.set(fact, count - 1);
    return count <= 0;
  });
}

function main(words: readonly string[]): number {
  if (!isInstalled()) {
    console.log("ptxas and nvlink are not installed");
    return 1;
  }
  if (words[0] === "--files") {
    const texts = words.slice(1).map((file) => readFileSync(file, "latin1"));
    const found = compare(words.slice(1), texts, /^\s*\.target\s+(\w+)/m.exec(texts[0] ?? "")?.[1] ?? "sm_80");
    console.log(found.length === 0 ? "agree" : found.join("\n"));
    return found.length === 0 ? 0 : 1;
  }
  const random = words.indexOf("--random");
  const [seed, count] = random === -1 ? [1, 60] : [Number(words[random + 1]), Number(words[random + 2])];
  const programs = readdirSync(new URL("programs/", testdata), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => readProgram(`programs/${name}/`));
  const cases = [
    ...(random === -1 ? [readProgram("demo/"), ...programs] : []).map((each) => ({ ...each, names: each.files })),
    ...[
      ...(random === -1 ? resolutionCases : []),
      ...randomLayouts(seed, count / 2),
      ...randomSets(seed, count / 2),
    ].map((each) => ({ ...modulesOf(each), folder: each.name, target: "arch" in each ? each.arch : "sm_80" })),
  ];
  let [differing, skipped] = [0, 0];
  for (const { folder: name, names, texts, target } of cases) {
    // "'Compile only(-c)' requires PTX ISA .version 3.1 or later": there are no parts.
    if (texts.some((text) => Number(/^\s*\.version\s+([\d.]+)/m.exec(text)?.[1]) < 3.1)) {
      skipped++;
      continue;
    }
    const found = compare(names, texts, target);
    if (found.length === 0 || deliberate.has(name)) continue;
    differing++;
    console.log(`${name}:\n  ${found.join("\n  ")}`);
  }
  const compared = cases.length - skipped;
  console.log(`${compared - differing} of ${compared} agree; ${skipped} are too old for ptxas -c`);
  return differing === 0 ? 0 : 1;
}

try {
  process.exitCode = main(process.argv.slice(2));
} finally {
  rmSync(folder, { recursive: true });
}
