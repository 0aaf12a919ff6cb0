// `npm run oracle:link`: our links against nvlink's, live. Prints every disagreement, and how many cases agree.
// `--record` writes what nvlink said to testdata/oracle/link, which test/link reads where nvlink is not installed;
// `--matrix` writes the resolution matrix (testdata/link/matrix) with nvlink's verdicts; `--random SEED COUNT` compares as many random sets of modules instead, and says how much of them agrees;
// `--ties SEED COUNT` the same of random-shared.ts;
// `--orders` is about the order of a module's functions (orders.ts).

import { writeFileSync } from "node:fs";
import { answered, comparisonOf, type Comparison, type RecordedCase } from "./compare-link.js";
import { deliberate, resolutionCases } from "./link-cases.js";
import { recordMatrix } from "./matrix.js";
import { isInstalled, nvlinkCommand } from "./nvlink.js";
import { compareOrders, recordOrders } from "./orders.js";
import { programsOfSeveralModules, testdata } from "./programs.js";
import { randomLayouts } from "./random-layouts.js";
import { randomSets } from "./random-sets.js";
import { randomShared } from "./random-shared.js";
import { sharedCases } from "./shared-cases.js";

type Question = Omit<RecordedCase, "nvlink" | "byHand">;

const ARCH = "sm_80";

const groups = (): Readonly<Record<string, readonly Question[]>> => ({
  "resolution.json": resolutionCases,
  "shared.json": sharedCases,
  "layouts.json": randomLayouts(1, 60),
  "sets.json": randomSets(2, 60),
  "ties.json": randomShared(1, 24),
  "programs.json": programsOfSeveralModules().map(({ folder, target }) => ({ name: folder, folder, arch: target })),
});

const randomQuestions: Readonly<Record<string, (seed: number, count: number) => readonly Question[]>> = {
  "--random": randomSets,
  "--ties": randomShared,
};

const numbersBehind = (words: readonly string[], option: string): [number, number] => {
  const at = words.indexOf(option);
  return [Number(words[at + 1]), Number(words[at + 2])];
};

function main(words: readonly string[]): number {
  if (!isInstalled()) {
    console.log("ptxas and nvlink are not installed");
    return 1;
  }
  if (words.includes("--matrix")) return recordMatrix() === 0 ? 0 : 1;
  const orders = words.indexOf("--orders");
  if (orders !== -1) {
    const isRecord = words.includes("--record");
    return (isRecord ? recordOrders() : compareOrders(Number(words[orders + 1]), Number(words[orders + 2]))) === 0
      ? 0
      : 1;
  }
  const kind = words.find((word) => word in randomQuestions);
  const asked = kind === undefined ? groups() : { [kind]: randomQuestions[kind]!(...numbersBehind(words, kind)) };
  let disagreements = 0;
  for (const [file, questions] of Object.entries(asked)) {
    const cases = questions.map((each) => answered(each, each.arch ?? ARCH));
    disagreements += compareGroup(file, cases);
    if (words.includes("--record")) record(file, cases);
  }
  return disagreements === 0 ? 0 : 1;
}

function compareGroup(file: string, cases: readonly RecordedCase[]): number {
  const compared = cases.map((each) => ({ name: each.name, ...comparisonOf(each) }));
  const differing = compared.filter(({ differences }) => differences.length > 0);
  for (const { name, differences } of differing) {
    const reason = deliberate.get(name);
    const head = reason === undefined ? `${name}:` : `${name}: meant, ${reason}`;
    console.log(`${head}\n  ${differences.join("\n  ")}`);
  }
  const unexplained = differing.filter(({ name }) => !deliberate.has(name)).length;
  const meant = differing.length - unexplained + compared.filter((each) => each.meant.length > 0).length;
  const more = meant === 0 ? "" : `, ${meant} differ on purpose`;
  console.log(`${file}: ${cases.length - differing.length} of ${cases.length} agree${more}; ${tallyText(compared)}`);
  return unexplained;
}

/** How much of what both accept agrees, by kind of fact; and how many both refuse. */
function tallyText(compared: readonly Comparison[]): string {
  const tallies = compared.flatMap(({ tally }) => tally ?? []);
  const keys = ["variables", "shared", "relocations", "sections", "reached", "attributes", "calls"] as const;
  const counts = keys.map((key) => {
    const sum = (what: "all" | "agreeing") => tallies.reduce((total, each) => total + each[key][what], 0);
    return `${sum("agreeing")} of ${sum("all")} ${key}`;
  });
  return [...counts, `${compared.length - tallies.length} refused`].join(", ");
}

/** One case a line. */
function record(file: string, cases: readonly RecordedCase[]): void {
  const lines = cases.map((each) => `    ${JSON.stringify(each)}`).join(",\n");
  const text = `{\n  "command": ${JSON.stringify(nvlinkCommand)},\n  "cases": [\n${lines}\n  ]\n}\n`;
  writeFileSync(new URL(`oracle/link/${file}`, testdata), text);
}

process.exitCode = main(process.argv.slice(2));
