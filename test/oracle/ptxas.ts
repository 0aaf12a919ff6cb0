// The verdict of live ptxas on a file of PTX, remembered by the file's content in a folder outside the repository: thousands
// of files take ptxas minutes to hours, and ask for a second look after every change of ours.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { knownTarget } from "../../lib/isa/targets.table.js";
import { architecture } from "./inputs.js";

export interface PtxasVerdict {
  readonly accepted: boolean;
  /** How it was accepted: by itself (-c), or only as a whole program. */
  readonly mode?: "separate" | "whole";
  /** The first message of a refusal, without file and line. */
  readonly says?: string;
  readonly line?: number;
}

/** A run that ended by a signal or after the time limit says nothing about the text. */
export type Answer = PtxasVerdict | "crash";

/** The architecture to ask for: the module's own, sm_75 at least; sm_101 by its later name. */
export function askedArchitecture(text: string): string {
  const target = /^\s*\.target\s+(\w+)/m.exec(text)?.[1] ?? "";
  return knownTarget(target) === undefined ? "sm_90a" : architecture(text).replace("sm_101", "sm_110");
}

/** Separate compilation came with PTX 3.1; older modules are compiled whole. */
const separable = (text: string): boolean => !(Number(/\.version\s+(\d+\.\d)/.exec(text)?.[1]) < 3.1);

export interface Ptxas {
  /** What it says of a file whose text this is. */
  readonly ask: (text: string) => Answer;
  /** The object it makes of an accepted text, by the mode that accepted it. */
  readonly compile: (text: string, mode: "separate" | "whole") => Uint8Array | undefined;
  /** Removes the scratch files; what was remembered stays. */
  readonly close: () => void;
}

/** `folder` gets the remembered verdicts and scratch files. */
export function openPtxas(folder: string, timeoutMilliseconds = 600_000): Ptxas {
  mkdirSync(folder, { recursive: true });
  const memory = join(folder, `verdicts-${version()}.jsonl`);
  const known = new Map<string, Answer>();
  if (existsSync(memory))
    for (const line of readFileSync(memory, "utf8").split("\n").filter(Boolean)) {
      const [hash, answer] = JSON.parse(line) as [string, Answer];
      known.set(hash, answer);
    }
  const [source, object] = ["ptx", "o"].map((ending) => join(folder, `${process.pid}.${ending}`)) as [string, string];

  const run = (text: string, options: readonly string[]): PtxasVerdict | "crash" => {
    const arch = `-arch=${askedArchitecture(text)}`;
    const { status, stdout, stderr } = spawnSync("ptxas", [...options, "-O0", arch, source, "-o", object], {
      encoding: "utf8",
      timeout: timeoutMilliseconds,
    });
    if (status === null) return "crash";
    if (status === 0) return { accepted: true };
    const said = `${stderr}${stdout}`.split("\n").find((line) => /error|fatal/.test(line)) ?? `status ${status}`;
    const says = said.replace(/^ptxas .*?\.ptx, line \d+; /, "").replace(/^(?:error|fatal)\s*: /, "");
    return { accepted: false, says, line: Number(/line (\d+);/.exec(said)?.[1] ?? 0) };
  };
  const decide = (text: string): Answer => {
    writeFileSync(source, text, "latin1");
    const separate = separable(text) ? run(text, ["-c"]) : undefined;
    if (separate !== undefined && separate !== "crash" && separate.accepted) return { ...separate, mode: "separate" };
    const whole = run(text, []);
    if (whole !== "crash" && whole.accepted) return { ...whole, mode: "whole" };
    return separate ?? whole;
  };
  return {
    ask: (text) => {
      const hash = createHash("sha256").update(text, "latin1").digest("hex").slice(0, 24);
      const remembered = known.get(hash);
      if (remembered !== undefined) return remembered;
      const answer = decide(text);
      known.set(hash, answer);
      appendFileSync(memory, `${JSON.stringify([hash, answer])}\n`);
      return answer;
    },
    compile: (text, mode) => {
      writeFileSync(source, text, "latin1");
      const answer = run(text, mode === "separate" ? ["-c"] : []);
      return answer !== "crash" && answer.accepted ? readFileSync(object) : undefined;
    },
    close: () => {
      for (const file of [source, object]) rmSync(file, { force: true });
    },
  };
}

/** Of the ptxas on the path. */
function version(): string {
  const run = spawnSync("ptxas", ["--version"], { encoding: "utf8" });
  if (run.error !== undefined) throw new Error("no ptxas here", { cause: run.error });
  return /release (\d+\.\d+)/.exec(run.stdout)?.[1] ?? "unknown";
}
