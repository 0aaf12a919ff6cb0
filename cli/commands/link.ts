// ptxkit link: objects and PTX modules to an image.

import { reportAgain } from "../../lib/diag/sink.js";
import { inSession } from "../options/common.js";
import { withSlowGrowthForFiles } from "../base/engine.js";
import type { Host } from "../files/host.js";
import { asksForImageOnly, type LinkCommandOptions } from "../options/link-options.js";
import { checkOutputs } from "../files/outputs.js";
import { inputFiles, locateLibraries, type PlacedInput } from "../inputs/placed-inputs.js";
import type { CommandLine } from "../options/response-file.js";
import { status, type Status } from "../base/status.js";
import { observe, startTimeline } from "./link-observe.js";
import { linkOnFastPath } from "./link-fast.js";

/** Default limit of threads: on a machine with many cores, others work, too. */
const MAX_JOBS = 8;

/** `line`: the words after "link". */
export function link(
  named: readonly PlacedInput[],
  given: LinkCommandOptions,
  line: CommandLine,
  host: Host,
): Promise<Status> {
  const saveRepro = given.saveRepro ?? reproFolder(given.output, host);
  const jobs = given.jobs ?? Math.min(host.threads.available(), MAX_JOBS);
  const options = { ...given, jobs, ...(saveRepro === undefined ? {} : { saveRepro }) };
  const observed = observe(host, options);
  const linking = () =>
    inSession(observed.host, options, async (session) => {
      const timeline = options.timeTrace === undefined ? undefined : startTimeline(observed);
      const files = locateLibraries(named, options, observed.host.exists);
      const kept = [...inputFiles(files), ...line.responseFiles];
      if (options.symbolOrderingFile !== undefined) kept.push(options.symbolOrderingFile);
      const { linked, host: caching, ...texts } = await linkOnFastPath(files, options, session, timeline);
      checkOutputs([options.output], kept, caching);
      if (linked !== undefined && asksForImageOnly(options)) {
        reportAgain(linked.found, session.sink);
        // The names of thin archives' members are known only after reading.
        checkOutputs([options.output], observed.members, observed.host);
        if (linked.linked === undefined) return status.wrongInput;
        observed.host.write(options.output, linked.linked.image);
        return status.done;
      }
      if (linked === undefined) timeline?.forget();
      // Loaded lazily: most links do not need it.
      const { linkFully } = await import("./link-ordinary.js");
      return linkFully(files, options, line, {
        host,
        observed,
        kept,
        session: { ...session, host: caching },
        ...texts,
        ...(linked && { linked }),
        ...(timeline && { timeline }),
      });
    });
  return withSlowGrowthForFiles(sizesOfFew(named, host), linking);
}

/** With up to this many files, the size of each is checked before reading. Among more, no single file dominates memory. */
const FEW_FILES = 100;

const sizesOfFew = (named: readonly PlacedInput[], host: Host): readonly (number | undefined)[] =>
  named.length > FEW_FILES ? [] : named.map(({ name, isLibrary }) => (isLibrary ? 0 : host.sizeOf(name)));

/** The folder for each output if the environment requests --save-repro, for builds whose commands cannot be changed. */
function reproFolder(output: string, host: Host): string | undefined {
  const folder = host.environment["PTXKIT_SAVE_REPRO"] ?? "";
  return folder === ""
    ? undefined
    : `${folder}/${output.replaceAll(/[^\w.+-]+/g, "_").replace(/^[._-]*/, "") || "out"}`;
}
