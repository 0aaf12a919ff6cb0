// The checker against live `ptxas -c` on mutants of testdata's modules: which of them each accepts, and how many messages one
// fault costs us.
//
//   node dist/test/oracle/check-fuzz.js [--seed N] [--count N] [--kind KIND] [--show N] [--record]
//
// Prints the disagreements, grouped by what the refusing side says. --record writes a sample with ptxas's verdicts to
// testdata/check/mutants.json, which npm test holds the checker to. Not part of npm test, which has no ptxas.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkModule } from "../../lib/check/check.js";
import type { Diagnostic } from "../../lib/diag/diagnostic.js";
import { createSink } from "../../lib/diag/sink.js";
import { knownTarget } from "../../lib/isa/targets.table.js";
import { parseModule } from "../../lib/ptx/parse.js";
import { architecture, inputs, type Input } from "./inputs.js";
import { applyEdit, mutate, type Edit } from "./mutate.js";
import { randomFrom } from "./random.js";

/** Larger modules only cost time: their statements are of the same kinds. */
const largestModule = 12_000;
const largestRecorded = 3000;
/** Of a recorded sample. */
const recordedMutants = 400;

interface Verdict {
  readonly accepted: boolean;
  /** The first message of the refusing side, with its line. */
  readonly says: string;
  readonly line: number;
}

const { values: options } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "600" },
    kind: { type: "string" },
    show: { type: "string", default: "3" },
    record: { type: "boolean", default: false },
  },
});

const folder = mkdtempSync(join(tmpdir(), "ptxkit-mutants-"));

/** Mutants name targets that there are not, or none. */
function architectureFor(text: string): string {
  const target = /^\s*\.target\s+(\w+)/m.exec(text)?.[1] ?? "";
  return knownTarget(target) === undefined ? "sm_90a" : architecture(text).replace("sm_101", "sm_110");
}

/** Separate compilation came with PTX 3.1; older modules are compiled whole. */
const separate = (text: string): readonly string[] =>
  Number(/\.version\s+(\d+\.\d)/.exec(text)?.[1]) < 3.1 ? [] : ["-c"];

/** Undefined where ptxas crashes or does not come to an end. */
function askPtxas(text: string): Verdict | undefined {
  const file = join(folder, "m.ptx");
  writeFileSync(file, text);
  const run = spawnSync(
    "ptxas",
    [...separate(text), "-O0", `-arch=${architectureFor(text)}`, file, "-o", "/dev/null"],
    {
      encoding: "utf8",
      timeout: 4000,
    },
  );
  if (run.error !== undefined && "code" in run.error && run.error.code === "ENOENT") throw new Error("no ptxas here");
  if (run.status === null) return undefined;
  const said = `${run.stderr}${run.stdout}`.split("\n").find((line) => /error|fatal/.test(line)) ?? "nothing";
  const line = Number(/line (\d+);/.exec(said)?.[1] ?? 0);
  return { accepted: run.status === 0, says: said.replace(/^ptxas .*?m\.ptx, line \d+; /, ""), line };
}

function askOurs(text: string): { readonly errors: readonly Diagnostic[] } {
  const sink = createSink();
  checkModule(parseModule({ name: "m.ptx", bytes: new TextEncoder().encode(text) }, sink), sink);
  return { errors: sink.all.filter(({ severity }) => severity === "error") };
}

const lineOf = (error: Diagnostic | undefined): number => (error?.place?.kind === "text" ? error.place.line : 0);

/** A message without what differs from mutant to mutant. */
const grouped = (message: string): string =>
  message
    .replaceAll(/'[^']*'/g, "'…'")
    .replaceAll(/%?\b[\w$.]*\d[\w$.:]*/g, "N")
    .slice(0, 100);

interface Disagreement {
  readonly input: string;
  readonly edit: Edit;
  readonly before: string;
  readonly theirs: Verdict;
  readonly ours: readonly Diagnostic[];
}

const random = randomFrom(Number(options.seed));
const usable = inputs().filter(({ text }) => text.length <= largestModule);
const snippets = usable.filter(({ name }) => name.startsWith("snippet"));
const modules = usable.filter((input) => !snippets.includes(input));
const disagreements: Disagreement[] = [];
const messages: number[] = [];
const sample: { readonly input: Input; readonly edit: Edit; readonly theirs: Verdict }[] = [];
let [made, sameLine, bothRefuse] = [0, 0, 0];
while (made < Number(options.count)) {
  const input = random.pick(random.below(4) === 0 ? snippets : modules)!;
  const edit = mutate(input.text, random);
  if (edit === undefined || (options.kind !== undefined && edit.kind !== options.kind)) continue;
  const text = applyEdit(input.text, edit);
  const theirs = askPtxas(text);
  if (theirs === undefined) continue;
  made++;
  const { errors } = askOurs(text);
  if (errors.length > 0) messages.push(errors.length);
  if (!theirs.accepted && errors.length > 0) {
    bothRefuse++;
    if (theirs.line === lineOf(errors[0])) sameLine++;
  }
  if (theirs.accepted !== (errors.length === 0)) {
    disagreements.push({ input: input.name, edit, before: input.text, theirs, ours: errors });
  } else if (input.text.length <= largestRecorded && sample.length < recordedMutants)
    sample.push({ input, edit, theirs });
}
rmSync(folder, { recursive: true });

const groups = new Map<string, Disagreement[]>();
for (const one of disagreements) {
  const key = one.theirs.accepted
    ? `only we refuse: ${grouped(one.ours[0]!.message)}`
    : `only ptxas refuses: ${grouped(one.theirs.says)}`;
  groups.set(key, [...(groups.get(key) ?? []), one]);
}
for (const [key, members] of [...groups].sort((a, b) => b[1].length - a[1].length)) {
  console.log(`${String(members.length).padStart(4)}  ${key}`);
  for (const { input, edit, before, theirs, ours } of members.slice(0, Number(options.show))) {
    const mutant = applyEdit(before, edit);
    const from = mutant.lastIndexOf("\n", edit.start - 1) + 1;
    const to = mutant.indexOf("\n", edit.start + edit.text.length);
    console.log(
      `        ${edit.kind}, ${input.slice(0, 60)}: ${mutant
        .slice(from, to < 0 ? undefined : to)
        .trim()
        .slice(0, 220)}`,
    );
    console.log(
      `            ${theirs.accepted ? ours[0]!.message : theirs.says} (line ${theirs.accepted ? lineOf(ours[0]) : theirs.line})`,
    );
  }
}
messages.sort((a, b) => a - b);
const average = messages.reduce((sum, n) => sum + n, 0) / Math.max(1, messages.length);
console.log(
  `${made} mutants of ${usable.length} modules, ${disagreements.length} disagreements: ` +
    `${(100 - (100 * disagreements.length) / made).toFixed(2)} % agree`,
);
console.log(
  `messages for a refused mutant: ${average.toFixed(2)} on average, ${messages.at(-1 - Math.floor(messages.length / 20))} at 95 %, ` +
    `${messages.at(-1)} at most; first message on the line of ptxas's first: ${sameLine} of ${bothRefuse}`,
);

if (options.record) {
  const originals = [...new Map(sample.map(({ input }) => [input.name, input.text]))];
  const record = {
    command: "ptxas -c -O0 -arch=<target, sm_75 at least> (13.0) on each module with text[start, end) replaced",
    modules: Object.fromEntries(originals),
    mutants: sample.map(({ input, edit, theirs }) => ({
      module: input.name,
      start: edit.start,
      end: edit.end,
      text: edit.text,
      ...(theirs.accepted ? { accepted: true } : { accepted: false, says: theirs.says }),
    })),
  };
  writeFileSync("testdata/check/mutants.json", `${JSON.stringify(record, undefined, 1)}\n`);
}
