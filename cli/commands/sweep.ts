// ptxkit sweep: one program over GPU models and parameters.

import path from "node:path";
import { sha256 } from "../../formats/bytes/sha256.js";
import { csvOf, journalOf, readJournal, rowsOf, type SweepResult } from "../../lib/report/sweep/sweep-rows.js";
import { pointKey, pointsOf, readSweep } from "../../lib/report/sweep/sweep-spec.js";
import { inSession, type CommonOptions } from "../common.js";
import { modelNamed } from "../gpu.js";
import type { Host } from "../host.js";
import { checkOutputs, writeTogether } from "../outputs.js";
import { createProgress } from "../progress.js";
import { status, type Status } from "../status.js";
import { runOnThreads } from "../sweep-pool.js";
import { createSweepRunner, fileWithin, type SweepWork } from "../sweep-work.js";

export type SweepFormat = "csv" | "json" | "ndjson";

export interface SweepOptions extends CommonOptions {
  readonly output?: string;
  readonly format?: SweepFormat;
  /** Threads; as many as can run at a time unless given. */
  readonly jobs?: number;
  /** Begins anew although a journal holds results. */
  readonly restart?: boolean;
}

/** Milliseconds between two writings of the journal. */
const PAUSE = 2000;

export function sweep(file: string, options: SweepOptions, host: Host): Promise<Status> {
  return inSession(host, options, async (session) => {
    const bytes = host.read(file);
    const text = new TextDecoder().decode(bytes);
    const answer = readSweep(text);
    if (!answer.ok) {
      session.sink.report(
        "malformed-file",
        answer.problem,
        { kind: "file", file },
        { remedy: 'docs/cli.md, "ptxkit sweep", shows one' },
      );
      return status.wrongInput;
    }
    const { spec } = answer;
    const folder = file === "-" ? "." : path.dirname(file);
    const within = (name: string): Uint8Array => host.read(fileWithin(folder, name));
    for (const gpu of spec.gpus) modelNamed(gpu, within);
    const sources = Object.fromEntries(spec.inputs.map((name) => [name, Uint8Array.from(within(name))]));
    const work: SweepWork = { text, folder, sources };
    const run = createSweepRunner(work, (name) => host.read(name));

    const output = options.output ?? "-";
    const journal = output === "-" ? undefined : `${output}.journal`;
    checkOutputs(
      [output, journal],
      [file, ...[...spec.inputs, ...spec.gpus].map((name) => fileWithin(folder, name))],
      host,
    );
    const digest = digestOf([bytes, ...Object.values(sources)]);
    const points = pointsOf(spec);
    const results = new Map<string, SweepResult>();
    if (journal !== undefined && options.restart !== true && host.exists(journal))
      for (const [key, result] of readJournal(digest, new TextDecoder().decode(host.read(journal))))
        results.set(key, result);
    if (results.size > 0) host.err(`ptxkit: note: ${results.size} of ${points.length} runs are in ${journal}\n`);

    const interrupt = new AbortController();
    const release = host.onInterrupt(() => interrupt.abort());
    const progress = createProgress(host, "runs");
    const save = (): void => {
      if (journal !== undefined)
        writeTogether(host, (host) => host.write(journal, journalOf(digest, [...results.values()])));
    };
    let saved = host.now();
    const done = (result: SweepResult): void => {
      results.set(pointKey(result.point), result);
      progress.update("sweep", results.size, points.length);
      if (host.now() - saved < PAUSE) return;
      saved = host.now();
      save();
    };
    const left = points.filter((point) => !results.has(pointKey(point)));
    const threads = Math.min(options.jobs ?? host.threads.available(), left.length);
    const isStopped = (): boolean => interrupt.signal.aborted;
    try {
      if (threads > 1) await runOnThreads(left, work, threads, { done, isStopped });
      else for (const point of left) if (!isStopped()) done(await run(point));
    } finally {
      progress.clear();
      release();
      if (results.size > 0) save();
    }
    if (isStopped()) {
      host.err(
        `ptxkit: note: ${results.size} of ${points.length} runs are done; the same command goes on with the rest\n`,
      );
      return status.fault;
    }
    const ordered = points.map((point) => results.get(pointKey(point))!);
    const written = render(formatOf(output, options), ordered);
    if (output === "-") host.out(written);
    else writeTogether(host, (host) => host.write(output, written));
    const failed = ordered.filter(({ problem }) => problem !== undefined);
    for (const { point, problem } of failed.slice(0, 5)) host.err(`ptxkit: note: ${pointKey(point)}: ${problem}\n`);
    return failed.length > 0 ? status.fault : status.done;
  });
}

const digestOf = (parts: readonly Uint8Array[]): string => Buffer.from(sha256(parts)).toString("hex");

const formatOf = (output: string, { format }: SweepOptions): SweepFormat =>
  format ?? (/\.(json|ndjson)$/i.exec(output)?.[1]?.toLowerCase() as SweepFormat | undefined) ?? "csv";

function render(format: SweepFormat, results: readonly SweepResult[]): string {
  const rows = rowsOf(results);
  if (format === "csv") return csvOf(rows);
  if (format === "json") return `${JSON.stringify({ rows })}\n`;
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}
