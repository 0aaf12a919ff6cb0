// ptxkit sweep: runs one program over GPU models and parameters.

import path from "node:path";
import { sha256 } from "../../formats/bytes/sha256.js";
import { jsonPlace } from "../../lib/load/json-place.js";
import type { Source } from "../../lib/ptx/source-text.js";
import { sweepPage } from "../../lib/report/page/sweep-page.js";
import { checkLaunch } from "../../lib/report/sweep/run-point.js";
import { csvOf, rowsOf, type SweepResult } from "../../lib/report/sweep/sweep-rows.js";
import { pointKey, pointsOf, readSweep, type SweepSpec } from "../../lib/report/sweep/sweep-spec.js";
import { inSession, type CommonOptions } from "../options/common.js";
import { isModelName, modelRemedy } from "../run/gpu.js";
import type { Host } from "../files/host.js";
import { checkOutputs, writeTogether } from "../files/outputs.js";
import { status, UsageError, type Status } from "../base/status.js";
import { sweepOverQueue } from "../sweep/gather.js";
import { sweepLocally } from "../sweep/local.js";
import { openQueue, queueTimes } from "../sweep/queue.js";
import { serveQueue } from "../sweep/serve.js";
import { createSweepProgram, fileWithin, gatherWork, type SweepWork } from "../sweep/work.js";
import { version } from "../version.js";
import { pageScript } from "../viewer-script.js";

export type SweepFormat = "csv" | "json" | "ndjson" | "html";

export interface SweepOptions extends CommonOptions {
  readonly output?: string;
  readonly format?: SweepFormat;
  /** Threads. Default: the available parallelism. */
  readonly jobs?: number;
  /** Starts again, even if there are results. */
  readonly restart?: boolean;
  /** URL of a PostgreSQL database. */
  readonly queue?: string;
  readonly worker?: boolean;
  readonly drain?: boolean;
}

export function sweep(file: string | undefined, options: SweepOptions, host: Host): Promise<Status> {
  return inSession(host, options, async (session) => {
    if (options.drain === true && options.worker !== true) throw new UsageError("--drain is for --worker");
    if (options.worker === true) return serve(file, options, host);
    if (file === undefined) throw new UsageError("sweep: the specification is missing");
    const source: Source = { name: file, bytes: host.read(file) };
    const text = new TextDecoder().decode(source.bytes);
    const refuse = (problem: string, path: readonly (string | number)[], remedy: string): Status => {
      session.sources.set(file, source.bytes);
      session.sink.report("malformed-file", problem, jsonPlace(source, [...path]), { remedy });
      return status.wrongInput;
    };
    const answer = readSweep(text);
    if (!answer.ok) return refuse(answer.problem, answer.path, 'docs/cli.md, "ptxkit sweep", shows one');
    const { spec } = answer;
    const unknown = spec.gpus.findIndex((gpu) => !isModelName(gpu));
    if (unknown >= 0) {
      const gpu = spec.gpus[unknown]!;
      refuse(`there is no GPU model '${gpu}'`, ["gpus", unknown], modelRemedy(gpu));
      // Reported like run --gpu.
      return status.usage;
    }
    const folder = file === "-" ? "." : path.dirname(file);
    const work = gatherWork(text, spec, (name) => host.read(fileWithin(folder, name)));
    const output = options.output ?? "-";
    const journal = output === "-" || options.queue !== undefined ? undefined : `${output}.journal`;
    checkOutputs([output, journal], [file, ...Object.keys(work.files).map((name) => fileWithin(folder, name))], host);
    const format = formatOf(output, options);
    // A missing script is reported before hours of work.
    const viewer = format === "html" ? pageScript("viewer") : "";

    const program = createSweepProgram(work);
    session.sources.set(file, source.bytes);
    if (!checkLaunch(program, source, session.sink)) return status.wrongInput;
    const plan = { work, program, digest: digestOf(work), points: pointsOf(spec), restart: options.restart === true };
    const results =
      options.queue === undefined
        ? await sweepLocally(plan, { jobs: options.jobs, journal }, host)
        : await sweepOverQueue(plan, { url: options.queue, jobs: options.jobs ?? 0, times: queueTimes }, host);
    if (results === undefined) return status.fault;
    const written = render(format, spec, results, viewer);
    if (output === "-") host.out(written);
    else writeTogether(host, (host) => host.write(output, written));
    const failed = results.filter(({ problem }) => problem !== undefined);
    for (const { point, problem } of failed.slice(0, 5)) host.err(`ptxkit: note: ${pointKey(point)}: ${problem}\n`);
    return failed.length > 0 ? status.fault : status.done;
  });
}

/** Runs jobs of the queue until it is interrupted. */
async function serve(file: string | undefined, { queue: url, jobs, drain }: SweepOptions, host: Host): Promise<Status> {
  if (file !== undefined) throw new UsageError("--worker takes no specification: it runs the jobs in the queue");
  if (url === undefined) throw new UsageError("--worker needs --queue");
  const queue = await openQueue(url, host);
  const stop = new AbortController();
  const release = host.onInterrupt(() => stop.abort(), ["SIGINT", "SIGTERM"]);
  try {
    const options = { jobs: jobs ?? host.threads.available(), drain: drain === true, times: queueTimes };
    const done = await serveQueue(queue, { ...options, stop: stop.signal }, host);
    host.err(`ptxkit: note: ${done} runs done\n`);
    return status.done;
  } finally {
    release();
    await queue.close();
  }
}

/** Digest of the work: equal for equal specifications whose files have equal contents, in one version of ptxkit. */
function digestOf({ text, files }: SweepWork): string {
  const encoder = new TextEncoder();
  const parts = Object.entries(files).flatMap(([name, bytes]) => [
    encoder.encode(`\n${JSON.stringify(name)} ${bytes.length}\n`),
    bytes,
  ]);
  return Buffer.from(sha256([encoder.encode(`${version()}\n${text}`), ...parts])).toString("hex");
}

function formatOf(output: string, { format }: SweepOptions): SweepFormat {
  const ending = /\.(json|ndjson|html)$/i.exec(output)?.[1]?.toLowerCase();
  return format ?? (ending as SweepFormat | undefined) ?? "csv";
}

function render(format: SweepFormat, spec: SweepSpec, results: readonly SweepResult[], viewer: string): string {
  if (format === "html") return sweepPage({ spec, results, viewer });
  const rows = rowsOf(results);
  if (format === "csv") return csvOf(rows);
  if (format === "json") return `${JSON.stringify({ rows })}\n`;
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}
