// ptxkit report: shows runs on GPU models on one HTML page.

import { jsonPlace } from "../../lib/load/json-place.js";
import type { Source } from "../../lib/ptx/source-text.js";
import { reportPage } from "../../lib/report/page/page.js";
import { readRun, type ReportedRun } from "../../lib/report/page/read-run.js";
import { inSession, type CommonOptions } from "../options/common.js";
import type { Host } from "../files/host.js";
import { HostError } from "../files/host-error.js";
import { checkOutputs, writeTogether } from "../files/outputs.js";
import { status, type Status } from "../base/status.js";
import { pageScript } from "../viewer-script.js";

export interface ReportOptions extends CommonOptions {
  readonly output?: string;
}

/** Limit in bytes for source files on the page; larger ones are not shown next to their costs. */
const MAX_TEXT_BYTES = 2 ** 23;

export function report(files: readonly string[], options: ReportOptions, host: Host): Promise<Status> {
  return inSession(host, options, (session) => {
    const { sink } = session;
    const { output = "report.html" } = options;
    checkOutputs([output], files, host);
    const runs = files.flatMap((file): readonly ReportedRun[] => {
      const source: Source = { name: file, bytes: host.read(file) };
      const answer = readRun(file, new TextDecoder().decode(source.bytes));
      if (answer.ok) return [answer.run];
      session.sources.set(file, source.bytes);
      sink.report("malformed-file", answer.problem, jsonPlace(source), { remedy: answer.remedy });
      return [];
    });
    if (sink.errorCount > 0) return Promise.resolve(status.wrongInput);
    const page = reportPage({ runs, texts: textsOf(runs, host), viewer: pageScript("viewer") });
    writeTogether(host, (host) => host.write(output, page));
    return Promise.resolve(status.done);
  });
}

/** The lines of the source files of instructions, if the files are available. */
function textsOf(runs: readonly ReportedRun[], host: Host): ReadonlyMap<string, readonly string[]> {
  const texts = new Map<string, readonly string[]>();
  const names = new Set(
    runs.flatMap(({ launches }) =>
      launches.flatMap(({ timing }) =>
        timing.instructions.flatMap(({ ptx, source }) => [ptx.file, ...(source === undefined ? [] : [source.file])]),
      ),
    ),
  );
  for (const name of names) {
    const text = textOf(name, host);
    if (text !== undefined) texts.set(name, text.split(/\r?\n/));
  }
  return texts;
}

function textOf(name: string, host: Host): string | undefined {
  const size = host.sizeOf(name);
  if (size === undefined || size > MAX_TEXT_BYTES) return undefined;
  try {
    const bytes = host.read(name);
    return bytes.includes(0) ? undefined : new TextDecoder().decode(bytes);
  } catch (error) {
    if (error instanceof HostError) return undefined;
    throw error;
  }
}
