// npm run oracle:nvvm -- FOLDER...: the parser of IR text against live llvm-as on text that nobody here wrote: every .ll
// file under the folders, whoever made it. Nothing of such files is committed; docs/nvvm-text.md says what was run against.
//
//   node dist/test/oracle/nvvm-text.js FOLDER... [--cache FILE] [--show N] [--tool llvm-as-14] [--unexplained] [--no-print]
//
// llvm-as runs without its verifier, so that the grammar alone is compared, and with opaque pointers where the text has
// `ptr`. A file that differs is explained by a row of nvvm-explained.table.ts, or not: the exit status counts the latter.
// Each module that we accept is printed in its own spelling, which we and llvm-as must accept, and printed again from that:
// the two texts are equal.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createSink } from "../../lib/diag/sink.js";
import type { Module } from "../../lib/nvvm/ir/module.js";
import { parseModule } from "../../lib/nvvm/text/parse.js";
import { printModule } from "../../lib/nvvm/text/print.js";
import { findPointerSpelling } from "../../lib/nvvm/text/skip.js";
import { nvvmExplanation } from "./nvvm-explained.table.js";
import { grouped } from "./ours.js";

const { values: options, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    cache: { type: "string", default: join(tmpdir(), "ptxkit-nvvm-text.json") },
    show: { type: "string", default: "3" },
    tool: { type: "string", default: "llvm-as-14" },
    "no-print": { type: "boolean", default: false },
    unexplained: { type: "boolean", default: false },
  },
});

/** What llvm-as says, without the file's name: "" where it accepts. */
type Verdicts = Record<string, string>;

const verdicts: Verdicts = existsSync(options.cache)
  ? (JSON.parse(readFileSync(options.cache, "utf8")) as Verdicts)
  : {};

const filesUnder = (path: string): readonly string[] =>
  statSync(path).isFile()
    ? [path]
    : readdirSync(path, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ll"))
        .map((name) => join(path, name))
        .sort();

function askTheirs(bytes: Buffer): string {
  const opaque = findPointerSpelling(bytes)?.spelling === "opaque";
  const key = createHash("sha256").update(bytes).update(options.tool).digest("hex").slice(0, 24);
  return (verdicts[key] ??= runTheirs(bytes, opaque));
}

function runTheirs(bytes: Buffer, opaque: boolean): string {
  const args = ["-disable-verify", ...(opaque ? ["-opaque-pointers"] : []), "-o", "/dev/null", "-"];
  const { status, signal, stderr } = spawnSync(options.tool, args, {
    input: bytes,
    encoding: "utf8",
    timeout: 600_000,
  });
  if (status === 0) return "";
  if (signal !== null || status !== 1) return `died of ${signal ?? status}`;
  return stderr.replaceAll(/^\S*llvm-as\S*: |<stdin>:/gm, "").trim() || "refused";
}

interface Ours {
  readonly module: Module | undefined;
  /** "" where we accept. */
  readonly says: string;
  readonly line: number;
}

function askOurs(name: string, bytes: Buffer): Ours {
  const sink = createSink();
  try {
    const module = parseModule({ name, bytes }, sink);
    for (const { body } of module?.functions ?? []) body?.read(sink);
    const [first] = sink.all;
    if (first === undefined) return { module, says: "", line: 0 };
    return { module: undefined, says: `${first.message} [${first.code}]`, line: first.place?.line ?? 0 };
  } catch (error) {
    return { module: undefined, says: `a defect: ${(error as Error).stack}`, line: 0 };
  }
}

interface Difference {
  readonly file: string;
  readonly line: number;
  readonly cause: string;
  readonly says: string;
  readonly text: string;
}

/** What is wrong with the printed text of a module that both accept; "" if nothing. */
function roundTrip(module: Module): string {
  const opaque = module.spellings.opaque !== undefined;
  const spelling = { version: 14, opaque, upgrade: false } as const;
  const text = printModule(module, spelling);
  if (text === undefined) return "";
  const again = askOurs("printed.ll", Buffer.from(text, "latin1"));
  if (again.module === undefined) return `our own text is refused: ${again.says}: ${text.split("\n")[again.line - 1]}`;
  if (printModule(again.module, spelling) !== text) return "the text printed again is another";
  const says = runTheirs(Buffer.from(text, "latin1"), opaque);
  return says === "" ? "" : `llvm-as refuses our text: ${says}`;
}

function compare(file: string): Difference | undefined | "both accept" {
  const bytes = readFileSync(file);
  const ours = askOurs(file, bytes);
  const theirs = askTheirs(bytes);
  const lines = (line: number): string => bytes.toString("latin1").split("\n")[line - 1]?.trim() ?? "";
  if (ours.says === "" && theirs === "") {
    const says = options["no-print"] ? "" : roundTrip(ours.module!);
    return says === ""
      ? "both accept"
      : { file, line: 0, cause: `printing: ${grouped(says.split("\n")[0]!)}`, says, text: "" };
  }
  if (ours.says !== "" && theirs !== "") return undefined;
  if (ours.says !== "") {
    const text = lines(ours.line);
    return { file, line: ours.line, cause: `only we refuse: ${grouped(ours.says)}`, says: ours.says, text };
  }
  const line = Number(/^(\d+):/.exec(theirs)?.[1] ?? 0);
  const says = theirs.split("\n")[0]!.replace(/^\d+:\d+: (error: )?/, "");
  return { file, line, cause: `only llvm-as refuses: ${grouped(says)}`, says, text: lines(line) };
}

if (folders.length === 0) throw new Error("name the folders of .ll files");
const files = folders.flatMap(filesUnder);
let accepted = 0;
let agree = 0;
const explained = new Map<string, number>();
const open = new Map<string, Difference[]>();
for (const file of files) {
  const difference = compare(file);
  if (difference === "both accept") accepted++;
  if (difference === undefined || difference === "both accept") {
    agree++;
    continue;
  }
  const why = nvvmExplanation(difference.cause, difference.says, difference.text);
  if (why !== undefined) explained.set(why, (explained.get(why) ?? 0) + 1);
  else open.set(difference.cause, [...(open.get(difference.cause) ?? []), difference]);
}
writeFileSync(options.cache, JSON.stringify(verdicts));

for (const [cause, list] of [...open].sort((a, b) => b[1].length - a[1].length)) {
  console.log(`${String(list.length).padStart(5)}  ${cause}`);
  for (const { file, line, says, text } of list.slice(0, Number(options.show)))
    console.log(
      `         ${file}:${line}: ${text.slice(0, 160)}\n             ${says.split("\n").slice(0, 4).join("\n             ")}`,
    );
}
if (!options.unexplained)
  for (const [why, count] of [...explained].sort((a, b) => b[1] - a[1]))
    console.log(`${String(count).padStart(5)}  explained: ${why}`);
const others = [...open.values()].reduce((sum, list) => sum + list.length, 0);
console.log(
  `${files.length} files: ${accepted} accepted by both, ${agree - accepted} refused by both, ` +
    `${files.length - agree - others} differ and are explained, ${others} differ`,
);
process.exitCode = others === 0 ? 0 : 1;
