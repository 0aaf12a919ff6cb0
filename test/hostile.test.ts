// testdata/hostile through the program, in this process: every case gets its status and message in time, and leaves no
// file behind. testdata/hostile/README.md describes the index.

import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import test from "ava";
import { sample } from "./sample.js";
import { ptxkit, type Answer } from "./cli/surroundings.js";

interface Row {
  readonly file: string;
  readonly case?: string;
  readonly command: readonly string[];
  readonly status: number | readonly number[];
  readonly says?: string;
  readonly pieces?: readonly (readonly [text: string, times: number])[];
  readonly change?: string;
}

type Change = readonly [name: string, make: (base: Uint8Array) => Uint8Array, ...rest: unknown[]];

const folder = fileURLToPath(new URL("../../testdata/hostile/", import.meta.url));
const rows = JSON.parse(readFileSync(path.join(folder, "index.json"), "utf8")) as readonly Row[];
const { changes } = (await import(new URL("../../testdata/hostile/make/elf.mjs", import.meta.url).href)) as {
  changes: readonly Change[];
};

/** CONTRACT: any input under 20 MB is answered within 10 s; counted in CPU time, so that other load does not matter. */
const mostMilliseconds = 10_000;

const nameOf = (row: Row): string => `${row.command[0] ?? "(nothing)"} ${row.file}${row.case ? ` (${row.case})` : ""}`;

let ours: Uint8Array | undefined;
async function ourObject(): Promise<Uint8Array> {
  ours ??= (await ptxkit(["as", "elf/base.ptx", "-o", "base.o"], { folder })).written.get("base.o")!;
  return ours;
}

/** The bytes of a case's file, if it is not in the folder. */
async function contentsOf(row: Row): Promise<Uint8Array | undefined> {
  if (row.pieces !== undefined) return Buffer.from(row.pieces.map(([text, times]) => text.repeat(times)).join(""));
  if (row.change === undefined) return undefined;
  return changes.find(([name]) => name === row.change)![1](await ourObject());
}

async function answerTo(row: Row): Promise<Answer> {
  const contents = await contentsOf(row);
  const command = row.command.map((word) => word.replace("$FILE", row.file).replace("$OUT", "out"));
  return ptxkit(command, { folder, ...(contents === undefined ? {} : { files: { [row.file]: contents } }) });
}

/** Describes what is wrong with the answer; undefined if nothing is. */
function judge(row: Row, answer: Answer, milliseconds: number): string | undefined {
  const said = answer.err.trim().slice(0, 300);
  if (milliseconds > mostMilliseconds) return `took ${Math.round(milliseconds)} ms`;
  if (![row.status].flat().includes(answer.status)) return `status ${answer.status}, not ${row.status}: ${said}`;
  if (/\n\s+at .*[:(]\d+/.test(answer.err)) return `a stack trace: ${said}`;
  if (answer.status === 0) return /error:/.test(answer.err) ? `an error with status 0: ${said}` : undefined;
  if (!new RegExp(row.says ?? "", "i").test(answer.err)) return `does not say ${row.says}: ${said}`;
  return answer.written.size > 0 ? "left an output file" : undefined;
}

const parts = new Map<string, Row[]>();
for (const row of rows) {
  const part = path.dirname(row.file) === "." ? "command lines" : path.dirname(row.file);
  parts.set(part, [...(parts.get(part) ?? []), row]);
}

for (const [part, cases] of parts) {
  test.serial(`hostile ${part}: every case gets the recorded verdict`, async (t) => {
    const wrong: string[] = [];
    for (const row of sample(cases, 6, { name: nameOf, kind: ({ says = "" }) => says })) {
      const started = process.cpuUsage();
      const answer = await answerTo(row);
      const { user, system } = process.cpuUsage(started);
      const fault = judge(row, answer, (user + system) / 1000);
      if (fault !== undefined) wrong.push(`${nameOf(row)}\n    ${fault}`);
    }
    t.deepEqual(wrong, []);
  });
}
