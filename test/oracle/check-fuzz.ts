// The checker against live ptxas on mutants of testdata's modules, or of the PTX files under folders: which of them each
// accepts, with -c or without, and how many messages one fault costs us.
//
//   node dist/test/oracle/check-fuzz.js [FOLDER...] [--seed N] [--count N] [--kind KIND] [--show N] [--record]
//
// Prints the disagreements, grouped by what the refusing side says. --record writes a sample with ptxas's verdicts to
// testdata/check/mutants.json, which npm test holds the checker to. Not part of npm test, which has no ptxas.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Diagnostic } from "../../lib/diag/diagnostic.js";
import { inputs, type Input } from "./inputs.js";
import { applyEdit, mutate, type Edit } from "./mutate.js";
import { errorsOf, grouped } from "./ours.js";
import { openPtxas, type PtxasVerdict } from "./ptxas.js";
import { randomFrom } from "./random.js";
import { filesUnder } from "./wild-files.js";

/** Larger modules only cost time: their statements are of the same kinds. */
const largestModule = 12_000;
const largestRecorded = 3000;
/** Of a recorded sample. */
const recordedMutants = 400;

const { values: options, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "600" },
    kind: { type: "string" },
    show: { type: "string", default: "3" },
    record: { type: "boolean", default: false },
  },
});

const folder = mkdtempSync(join(tmpdir(), "ptxkit-mutants-"));

const lineOf = (error: Diagnostic | undefined): number => (error?.place?.kind === "text" ? error.place.line : 0);

interface Disagreement {
  readonly input: string;
  readonly edit: Edit;
  readonly before: string;
  readonly theirs: PtxasVerdict;
  readonly ours: readonly Diagnostic[];
}

const random = randomFrom(Number(options.seed));
const all: readonly Input[] =
  folders.length === 0 ? inputs() : folders.flatMap(filesUnder).map(({ path, text }) => ({ name: path, text }));
const usable = all.filter(({ text }) => text.length <= largestModule);
const ptxas = openPtxas(folder, 4000);
const snippets = usable.filter(({ name }) => name.startsWith("snippet"));
const modules = usable.filter((input) => !snippets.includes(input));
const disagreements: Disagreement[] = [];
const messages: number[] = [];
const sample: { readonly input: Input; readonly edit: Edit; readonly theirs: PtxasVerdict }[] = [];
let [made, sameLine, bothRefuse] = [0, 0, 0];
while (made < Number(options.count)) {
  const input = random.pick(snippets.length > 0 && random.below(4) === 0 ? snippets : modules)!;
  const edit = mutate(input.text, random);
  if (edit === undefined || (options.kind !== undefined && edit.kind !== options.kind)) continue;
  const text = applyEdit(input.text, edit);
  const theirs = ptxas.ask(text);
  if (theirs === "crash") continue;
  made++;
  const errors = errorsOf(text);
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
    : `only ptxas refuses: ${grouped(one.theirs.says ?? "")}`;
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
      `            ${theirs.accepted ? ours[0]!.message : (theirs.says ?? "")} (line ${theirs.accepted ? lineOf(ours[0]) : (theirs.line ?? 0)})`,
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
    command:
      "ptxas -O0 -arch=<target, sm_75 at least>, with -c or without (13.0), on each module with text[start, end) replaced",
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
