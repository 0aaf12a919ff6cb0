// ptxkit sweep: one program over GPU models and parameters.

import path from "node:path";
import { sha256 } from "../../formats/bytes/sha256.js";
import { sweepPage } from "../../lib/report/page/sweep-page.js";
import { csvOf, rowsOf, type SweepResult } from "../../lib/report/sweep/sweep-rows.js";
import { pointKey, pointsOf, readSweep, type SweepSpec } from "../../lib/report/sweep/sweep-spec.js";
import { inSession, type CommonOptions } from "../common.js";
import type { Host } from "../host.js";
import { checkOutputs, writeTogether } from "../outputs.js";
import { status, type Status } from "../status.js";
import { sweepLocally } from "../sweep-local.js";
import { fileWithin, gatherWork, type SweepWork } from "../sweep-work.js";
import { pageScript } from "../viewer-script.js";

export type SweepFormat = "csv" | "json" | "ndjson" | "html";

export interface SweepOptions extends CommonOptions {
  readonly output?: string;
  readonly format?: SweepFormat;
  /** Threads; as many as can run at a time unless given. */
  readonly jobs?: number;
  /** Begins anew although there are results. */
  readonly restart?: boolean;
}

export function sweep(file: string, options: SweepOptions, host: Host): Promise<Status> {
  return inSession(host, options, async (session) => {
    const text = new TextDecoder().decode(host.read(file));
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
    const work = gatherWork(text, spec, (name) => host.read(fileWithin(folder, name)));
    const output = options.output ?? "-";
    const journal = output === "-" ? undefined : `${output}.journal`;
    checkOutputs([output, journal], [file, ...Object.keys(work.files).map((name) => fileWithin(folder, name))], host);
    const format = formatOf(output, options);
    // A missing script is reported before hours of work.
    const viewer = format === "html" ? pageScript("viewer") : "";

    const plan = { work, digest: digestOf(work), points: pointsOf(spec), restart: options.restart === true };
    const results = await sweepLocally(plan, { jobs: options.jobs, journal }, host);
    if (results === undefined) return status.fault;
    const written = render(format, spec, results, viewer);
    if (output === "-") host.out(written);
    else writeTogether(host, (host) => host.write(output, written));
    const failed = results.filter(({ problem }) => problem !== undefined);
    for (const { point, problem } of failed.slice(0, 5)) host.err(`ptxkit: note: ${pointKey(point)}: ${problem}\n`);
    return failed.length > 0 ? status.fault : status.done;
  });
}

/** Equal for equal specifications whose files have equal contents. */
function digestOf({ text, files }: SweepWork): string {
  const encoder = new TextEncoder();
  const parts = Object.entries(files).flatMap(([name, bytes]) => [
    encoder.encode(`\n${JSON.stringify(name)} ${bytes.length}\n`),
    bytes,
  ]);
  return Buffer.from(sha256([encoder.encode(text), ...parts])).toString("hex");
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
