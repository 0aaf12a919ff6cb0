// ptxkit link: objects and PTX modules to an image.

import { NotYet } from "../../lib/base/not-yet.js";
import type { LinkOptions } from "../../lib/link/link.js";
import { openInputs, type OpenOptions } from "../../lib/link/open-input.js";
import type { ObjectFile } from "../../lib/object/object.js";
import { describeOption, inSession, type CommonOptions, type Session } from "../common.js";
import type { Host } from "../host.js";
import { checkOptions, memberReader } from "../inputs.js";
import type { NameOptions } from "../name-options.js";
import { tryReadSelected } from "../selected.js";
import { status, type Status } from "../status.js";
import {
  checkExplainOptions,
  explain,
  explainOptions,
  type ExplainFindings,
  type ExplainOptions,
} from "./link-explain.js";
import { checkLiveOptions, liveOptions, type LiveFindings, type LiveOptions } from "./link-live.js";
import { nameOptions } from "./link-names.js";
import { observe, startTimeline, type ObserveOptions, type Timeline } from "./link-observe.js";
import { checkOutputOptions, makeOutput } from "./link-output.js";
import { writeReports } from "./link-reports.js";

export interface LinkCommandOptions extends CommonOptions, LiveOptions, NameOptions, ExplainOptions, ObserveOptions {
  readonly output: string;
  readonly arch?: string;
  readonly emit: "elf" | "ptx";
  readonly json?: boolean;
  readonly relocatable?: boolean;
  readonly buildId?: boolean;
  readonly detectOdrViolations?: boolean;
  readonly [later: string]: unknown;
}

/** Options of the contract that a later version brings. */
const later: readonly (readonly [option: string, flag: string])[] = [
  ["libraryPath", "-L"],
  ["library", "-l"],
  ["wholeArchive", "--whole-archive"],
  ["dependencyFile", "--dependency-file"],
  ["jobs", "-j"],
];

/** `words`: the command line behind "link", response files opened, for --save-repro. */
export function link(
  files: readonly string[],
  options: LinkCommandOptions,
  words: readonly string[],
  host: Host,
): Promise<Status> {
  const observed = observe(host, options);
  return inSession(observed.host, options, async (session) => {
    refuseLater(options);
    checkOutputOptions(options);
    checkLiveOptions(options, session.sink);
    checkExplainOptions(options);
    const timeline = options.timeTrace === undefined ? undefined : startTimeline(observed);
    const findings: Findings = { live: {}, explain: {} };
    const output = await linkFiles(files, session, options, findings, timeline);
    if (options.saveRepro !== undefined) {
      const { saveRepro } = await import("./link-repro.js");
      saveRepro(options.saveRepro, words, observed.reads, host);
    }
    const isRight = output !== undefined && session.sink.errorCount === 0;
    await writeReports(findings.live, await explain(options, findings.explain, isRight, host), options, host);
    timeline?.lap("reports");
    if (!isRight) return status.wrongInput;
    host.write(options.output, await output());
    timeline?.lap("write");
    if (timeline !== undefined) await writeTimeTrace(options.timeTrace!, timeline, host);
    return status.done;
  });
}

interface Findings {
  readonly live: LiveFindings;
  readonly explain: ExplainFindings;
}

async function writeTimeTrace(file: string, timeline: Timeline, host: Host): Promise<void> {
  const { linkTrace } = await import("../../lib/report/link-trace.js");
  host.write(file, linkTrace(timeline.spans()));
}

function refuseLater(options: LinkCommandOptions): void {
  for (const [option, flag] of later) {
    const value = options[option];
    if (value === undefined) continue;
    throw new NotYet(`${describeOption(flag, value)} is not there yet`);
  }
}

/** Reads and links; what writes the output's bytes, or undefined after a report. */
async function linkFiles(
  files: readonly string[],
  session: Session,
  options: LinkCommandOptions,
  findings: Findings,
  timeline: Timeline | undefined,
): Promise<(() => Promise<Uint8Array>) | undefined> {
  const objects = readInputs(files, session, options);
  timeline?.lap("open inputs");
  if (session.sink.errorCount > 0) return undefined;
  const given = {
    ...linkOptions(options),
    ...liveOptions(options, findings.live),
    ...(timeline === undefined ? {} : { onPass: (pass: string) => timeline.lap(pass) }),
  };
  return makeOutput(objects, options, explainOptions(options, findings.explain, given), session.sink);
}

/** Every input that could be read; faults are in the sink. Of fatbins, what is for --arch or the first input's target. */
export function readInputs(
  files: readonly string[],
  session: Session,
  options: CommonOptions & { readonly arch?: string },
): readonly ObjectFile[] {
  const objects: ObjectFile[] = [];
  for (const file of files) {
    const source = tryReadSelected(file, session);
    const arch = options.arch ?? objects[0]?.target.name;
    const inputs = source && openInputs(source, session.sink, openOptions(session, options, arch));
    for (const input of inputs ?? []) objects.push(input.kind === "object" ? input.object : input.image);
  }
  return objects;
}

function openOptions(session: Session, options: CommonOptions, arch: string | undefined): OpenOptions {
  return {
    ...checkOptions(options),
    ...(arch === undefined ? {} : { arch }),
    readFile: memberReader(session),
    onSource: ({ name, bytes }) => void session.sources.set(name, bytes),
  };
}

function linkOptions(options: LinkCommandOptions): LinkOptions {
  const { arch, output, maxImageSize, detectOdrViolations } = options;
  return {
    ...nameOptions(options),
    name: output,
    detectOdrViolations: detectOdrViolations === true,
    ...(arch === undefined ? {} : { arch }),
    ...(maxImageSize === undefined ? {} : { maxImageBytes: maxImageSize }),
  };
}
