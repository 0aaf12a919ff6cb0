// Holds the instruction table against ptxas: writes instructions for every row and its modifiers, and others that are wrong
// by design, asks ptxas and the checker about each, and lists where they disagree. Run it by hand, with ptxas on the path:
//
//     npm run oracle:isa -- [--only OPCODE,...] [--each N] [--spoilt N] [--purpose PURPOSE,...] [--all] [--record]
//
// --each asks for N uses of every choice of every slot (2 unless given), --spoilt for N wrong uses of every kind of each row
// (8 unless given). Disagreements are shown one of a kind; --all shows each.
// --record writes testdata/isa/verdicts.json, which test/isa holds the checker against where there is no ptxas.

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { formsOf } from "../../lib/isa/opcode.js";
import { parseVersion } from "../../lib/isa/requirement.js";
import { opcodeNames } from "../../lib/isa/rows/all.table.js";
import { askChecker } from "./isa/checker.js";
import { seedOf } from "./isa/choices.js";
import { explanation } from "./isa/explained.table.js";
import { askPtxas } from "./isa/ptxas.js";
import { purposes, registerSamples, samplesOf, type Sample } from "./isa/samples.js";

// ------------------------------------------------------------------------------------------------------------ verdicts

/** ptxas 13.0 knows no later version. */
const newestOfPtxas = parseVersion("9.0");

/** Statements to a module: ptxas is asked again for each that is no instruction at all. */
const batchSize = 1000;

/** ptxas crashed, or contradicts itself: sm_100 refuses a 32-bit address here and takes it there. */
const noVerdict = /^ended by SIG|32-Bit/;

interface Judged extends Sample {
  readonly ptxas: string | undefined;
  readonly ours: string | undefined;
}

function judge(samples: readonly Sample[]): readonly Judged[] {
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) {
    const key = `${sample.version} ${sample.target}`;
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  const judged: Judged[] = [];
  for (const group of groups.values())
    for (let at = 0; at < group.length; at += batchSize) {
      const part = group.slice(at, at + batchSize);
      const batch = { version: part[0]!.version, target: part[0]!.target, statements: part.map((s) => s.statement) };
      const [ptxas, ours] = [askPtxas(batch), askChecker(batch)];
      judged.push(
        ...part
          .map((sample, i) => ({ ...sample, ptxas: ptxas[i], ours: ours[i] }))
          .filter((j) => !noVerdict.test(j.ptxas ?? "")),
      );
    }
  return judged;
}

/** A message without what differs from statement to statement. */
const grouped = (message: string | undefined): string =>
  (message ?? "accepted").replaceAll(/'[^']*'/g, "'…'").replaceAll(/%?\b[\w$.]*\d[\w$.:]*/g, "N");

function report(judged: readonly Judged[], all: boolean): void {
  for (const purpose of purposes) {
    const part = judged.filter((j) => j.purpose === purpose);
    if (part.length === 0) continue;
    const differ = part.filter((j) => (j.ptxas === undefined) !== (j.ours === undefined));
    const disagree = differ.filter((j) => j.ours === undefined || explanation(j.statement, j.ours) === undefined);
    const accepted = part.filter((j) => j.ptxas === undefined).length;
    const share = (100 * (1 - differ.length / part.length)).toFixed(2);
    console.log(
      `${purpose}: ${part.length} statements, ptxas accepts ${accepted}; agreement ${share} %; ` +
        `${disagree.length} disagreements, ${differ.length - disagree.length} more are explained`,
    );
    const kinds = new Map<string, Judged[]>();
    for (const j of disagree) {
      const key = all ? JSON.stringify(j) : `${j.form} ${grouped(j.ptxas)} ${grouped(j.ours)}`;
      kinds.set(key, [...(kinds.get(key) ?? []), j]);
    }
    for (const [first, ...others] of kinds.values()) {
      const j = first!;
      const more = others.length === 0 ? "" : ` (and ${others.length} like it)`;
      console.log(`  ${j.version} ${j.target} [${j.form}] ${j.statement}${more}`);
      console.log(`      ptxas: ${j.ptxas ?? "accepted"}; ours: ${j.ours ?? "accepted"}`);
    }
  }
}

function main(): void {
  const { values } = parseArgs({
    options: {
      only: { type: "string" },
      each: { type: "string", default: "2" },
      spoilt: { type: "string", default: "8" },
      purpose: { type: "string", default: purposes.join(",") },
      all: { type: "boolean", default: false },
      record: { type: "boolean", default: false },
    },
  });
  const names = values.only === undefined ? opcodeNames() : values.only.split(",");
  const amounts = { each: Number(values.each), spoilt: Number(values.spoilt) };
  const wanted = values.purpose.split(",");
  const samples = [
    ...names.flatMap((name) => samplesOf(formsOf(name), amounts)),
    ...(values.only === undefined || wanted.length === 1 ? registerSamples() : []),
  ].filter(({ purpose, version }) => wanted.includes(purpose) && parseVersion(version) <= newestOfPtxas);
  const unique = new Map(samples.map((s) => [`${s.version} ${s.target} ${s.statement}`, s]));
  const judged = judge([...unique.values()]);
  report(judged, values.all);
  if (values.record) record(judged);
}

/** How many statements of one row and purpose are recorded. */
const recorded = 2;

/** Keeps a part of what both sides agree on, of every row and purpose: short statements, for long ones say little more. */
function record(judged: readonly Judged[]): void {
  const taken = new Map<string, number>();
  const kept = [...judged]
    .filter((j) => (j.ptxas === undefined) === (j.ours === undefined))
    .sort((a, b) => seedOf(a.statement) - seedOf(b.statement))
    .filter(({ form, purpose, statement }) => {
      const key = `${form} ${purpose}`;
      const count = taken.get(key) ?? 0;
      taken.set(key, count + 1);
      return count < (statement.length > 250 ? 1 : recorded);
    });
  const order = new Map(judged.map((j, i) => [j, i]));
  const lines = kept
    .sort((a, b) => order.get(a)! - order.get(b)!)
    .map(({ version, target, statement, ptxas, purpose }) =>
      JSON.stringify({ version, target, purpose, statement, accepted: ptxas === undefined }),
    );
  const file = fileURLToPath(new URL("../../../testdata/isa/verdicts.json", import.meta.url));
  const head = `  "by": "ptxas 13.0 (V13.0.88), node dist/test/oracle/isa-snippets.js --record",\n`;
  writeFileSync(file, `{\n${head}  "verdicts": [\n${lines.map((line) => `    ${line}`).join(",\n")}\n  ]\n}\n`);
  console.log(`recorded ${lines.length} verdicts`);
}

main();
