// npm run oracle:nvvm-verify -- FOLDER...: our verifier of NVVM IR against llvm-as and libNVVM on .ll files that nobody here
// wrote. Nothing of such files is committed; docs/nvvm.md says what was run against.
//
//   node dist/test/oracle/nvvm-verify.js FOLDER... [--judge llvm-as|libnvvm] [--cache FILE] [--show N] [--cuda FOLDER]
//
// llvm-as says whether a module is well-formed: what it refuses we refuse, and of what it accepts we refuse nothing by a rule
// of LLVM's. libNVVM is one-sided: what it refuses we refuse; it accepts much that the document forbids. Modules without a
// version, a triple or a layout get libNVVM's. A difference is explained by a row of nvvm-verify-explained.table.ts, or not:
// the exit status counts the latter.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createSink } from "../../lib/diag/sink.js";
import { parseModule } from "../../lib/nvvm/text/parse.js";
import { findPointerSpelling } from "../../lib/nvvm/text/skip.js";
import { verifyBody, verifyModule } from "../../lib/nvvm/verify/verify.js";
import { openLibNvvm, type LibNvvm } from "./libnvvm.js";
import { verifyExplanation } from "./nvvm-verify-explained.table.js";
import { grouped } from "./ours.js";

const { values: options, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    judge: { type: "string", default: "llvm-as" },
    cache: { type: "string" },
    show: { type: "string", default: "3" },
    tool: { type: "string", default: "llvm-as-14" },
    cuda: { type: "string", default: process.env["CUDA_HOME"] ?? "/usr/local/cuda" },
  },
});
const cacheFile = options.cache ?? join(tmpdir(), `ptxkit-nvvm-verify-${options.judge}.json`);

/** What a judge says, without the file's name: "" where it accepts. */
const verdicts: Record<string, string> = existsSync(cacheFile)
  ? (JSON.parse(readFileSync(cacheFile, "utf8")) as Record<string, string>)
  : {};

const filesUnder = (path: string): readonly string[] =>
  statSync(path).isFile()
    ? [path]
    : readdirSync(path, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ll"))
        .map((name) => join(path, name))
        .sort();

function askLlvm(bytes: Buffer, opaque: boolean): string {
  const args = [...(opaque ? ["-opaque-pointers"] : []), "-o", "/dev/null", "-"];
  const { status, signal, stderr } = spawnSync(options.tool, args, {
    input: bytes,
    encoding: "utf8",
    timeout: 600_000,
  });
  if (status === 0) return "";
  if (signal !== null || status !== 1) return `died of ${signal ?? status}`;
  return stderr.replaceAll(/^\S*llvm-as\S*: |<stdin>:/gm, "").trim() || "refused";
}

const layout =
  "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64";

/** With the layout, triple and version that libNVVM asks for, and all on the lines where it was. */
function completed(bytes: Buffer): Buffer {
  const text = bytes.toString("latin1");
  const isOther = /^target triple = "(?!nvptx)/m.test(text);
  const bits = /^target (?:triple = "nvptx-|datalayout = "[^"]*\bp:32)/m.test(text) ? 32 : 64;
  const head =
    `target datalayout = "${layout.replace("p:64:64:64", `p:${bits}:${bits}:${bits}`)}" ` +
    (isOther ? "" : `target triple = "nvptx${bits === 64 ? 64 : ""}-nvidia-cuda" `);
  const rest = text
    .replaceAll(/^target datalayout = "[^"]*"/gm, "")
    .replaceAll(isOther ? /^$./gm : /^target triple = "[^"]*"/gm, "")
    .replaceAll(/^!nvvmir\.version = .*$/gm, "");
  return Buffer.from(`${head}${rest}\n!nvvmir.version = !{!987654}\n!987654 = !{i32 2, i32 0}\n`, "latin1");
}

function askTheirs(bytes: Buffer, libNvvm: LibNvvm | undefined): string {
  const opaque = findPointerSpelling(bytes)?.spelling === "opaque";
  const key = createHash("sha256")
    .update(bytes)
    .update(options.judge + options.tool)
    .digest("hex")
    .slice(0, 24);
  return (verdicts[key] ??=
    libNvvm === undefined ? askLlvm(bytes, opaque) : libNvvm.ask(bytes, opaque ? "compute_100" : "compute_90"));
}

/** Whether LLVM has the rule as well, which a citation of the document denies. */
const isGeneral = (message: string, code: string): boolean =>
  !own.has(code) && (!message.includes("(NVVM IR ") || message.includes("section 3.9)"));
const own: ReadonlySet<string> = new Set(["nvvm-triple", "nvvm-initializer", "nvvm-limit", "nvvm-annotation"]);

interface Ours {
  /** "" where we accept. */
  readonly says: string;
  readonly code: string;
  readonly line: number;
}

function askOurs(name: string, bytes: Buffer): Ours {
  const sink = createSink();
  try {
    const module = parseModule({ name, bytes }, sink);
    if (module !== undefined) verifyModule(module, {}, sink);
    for (const fn of module?.functions ?? []) {
      const body = fn.body?.read(sink);
      if (body !== undefined) verifyBody(fn, body, { module: module! }, sink);
    }
  } catch (error) {
    return { says: `a defect: ${(error as Error).stack}`, code: "", line: 0 };
  }
  const errors = sink.all.filter(({ severity }) => severity === "error");
  // Against llvm-as, a general rule's word counts more than one of NVVM IR.
  const first =
    (options.judge === "libnvvm" ? undefined : errors.find(({ code, message }) => isGeneral(message, code))) ??
    errors[0];
  if (first === undefined) return { says: "", code: "", line: 0 };
  return { says: `${first.message} [${first.code}]`, code: first.code, line: first.place?.line ?? 0 };
}

interface Difference {
  readonly file: string;
  readonly line: number;
  readonly cause: string;
  readonly says: string;
  readonly text: string;
}

type Outcome = Difference | "accepted" | "refused" | "NVVM IR's own rule" | "no verdict" | "a matter of grammar";

function compare(file: string, libNvvm: LibNvvm | undefined): Outcome {
  const bytes = libNvvm === undefined ? readFileSync(file) : completed(readFileSync(file));
  const ours = askOurs(file, bytes);
  const theirs = askTheirs(bytes, libNvvm);
  if (theirs.startsWith("died of")) return "no verdict";
  const lines = (line: number): string => bytes.toString("latin1").split("\n")[line - 1]?.trim().slice(0, 160) ?? "";
  if (ours.says === "" && theirs === "") return "accepted";
  if (ours.says !== "" && theirs !== "") return "refused";
  if (ours.says !== "") {
    if (ours.code !== "" && !isGeneral(ours.says, ours.code) && libNvvm === undefined) return "NVVM IR's own rule";
    return {
      file,
      line: ours.line,
      cause: `only we refuse: ${grouped(ours.says)}`,
      says: ours.says,
      text: lines(ours.line),
    };
  }
  // What the grammar refuses is for nvvm-text.ts.
  if (libNvvm === undefined && !theirs.includes("does not verify as correct")) return "a matter of grammar";
  const line = Number(/^(?:module )?\(?(\d+)[:,]/.exec(theirs)?.[1] ?? 0);
  const says = theirs.replace(/^(?:\d+:\d+: (?:error: )?|assembly parsed, but does not verify as correct!\n)/, "");
  const cause = `only they refuse: ${grouped(says.split("\n").slice(0, 2).join(" "))}`;
  return { file, line, cause, says, text: lines(line) };
}

if (folders.length === 0) throw new Error("name the folders of .ll files");
const libNvvm = options.judge === "libnvvm" ? openLibNvvm(options.cuda, join(tmpdir(), "ptxkit-libnvvm")) : undefined;
if (options.judge === "libnvvm" && libNvvm === undefined) throw new Error(`no libNVVM, or no gcc: ${options.cuda}`);
const counts = new Map<string, number>();
const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
const open = new Map<string, Difference[]>();
for (const file of folders.flatMap(filesUnder)) {
  const outcome = compare(file, libNvvm);
  if (typeof outcome === "string") {
    count(outcome);
    continue;
  }
  const why = verifyExplanation(outcome.cause, outcome.says, outcome.text);
  if (why !== undefined) count(`explained: ${why}`);
  else open.set(outcome.cause, [...(open.get(outcome.cause) ?? []), outcome]);
}
writeFileSync(cacheFile, JSON.stringify(verdicts));

for (const [cause, list] of [...open].sort((a, b) => b[1].length - a[1].length)) {
  console.log(`${String(list.length).padStart(5)}  ${cause}`);
  for (const { file, line, says, text } of list.slice(0, Number(options.show)))
    console.log(
      `         ${file}:${line}: ${text}\n             ${says.split("\n").slice(0, 4).join("\n             ")}`,
    );
}
for (const [what, number] of [...counts].sort((a, b) => b[1] - a[1]))
  console.log(`${String(number).padStart(5)}  ${what}`);
const others = [...open.values()].reduce((sum, list) => sum + list.length, 0);
console.log(`${others} differ`);
process.exitCode = others === 0 ? 0 : 1;
