// The options of ptxkit link for garbage collection: --gc-sections and those that limit or explain it.

import type { RemovedSymbol } from "../../lib/link/gc/collect-options.js";
import type { LinkOptions } from "../../lib/link/options.js";
import type { GcOptions } from "../../lib/link/gc/collect.js";
import type { RootOptions } from "../../lib/link/gc/roots.js";
import type { WhyLive } from "../../lib/link/gc/why-live.js";
import type { GivenOptions } from "../options/link-options.js";
import { wantsLinked } from "./link-explain.js";

/** The linker's results for the requested reports. */
export interface LiveFindings {
  removed?: Iterable<RemovedSymbol>;
  whyLive?: Iterable<WhyLive>;
}

/** The linker's options; the linker stores its results in `findings`. */
export function liveOptions(options: GivenOptions, findings: LiveFindings): LinkOptions {
  const { gcSections = false, printGcSections = false, whyLive } = options;
  return {
    gcSections,
    roots: rootOptions(options),
    ...(printGcSections ? { onRemoved: (removed) => (findings.removed = removed) } : {}),
    ...(whyLive === undefined ? {} : { whyLive, onWhyLive: (answers) => (findings.whyLive = answers) }),
  };
}

/** The same for the fast path, which has the results before the image is made. `names`: the names of the input files. */
export async function liveGcOptions(
  options: GivenOptions,
  names: readonly string[],
  findings: LiveFindings,
): Promise<GcOptions> {
  const { gcSections = false, printGcSections = false, whyLive } = options;
  const given = { gcSections, roots: rootOptions(options) };
  // The map also lists discarded symbols.
  const wantsRemoved = gcSections && (printGcSections || wantsLinked(options));
  if (whyLive === undefined && !wantsRemoved) return given;
  const { removedSymbols, explainLiveness } = await import("../../lib/link/gc/explain-live.js");
  return {
    ...given,
    onLive(found) {
      if (wantsRemoved) findings.removed = removedSymbols(found, names);
      if (whyLive !== undefined) findings.whyLive = explainLiveness(found, names, whyLive, gcSections);
    },
  };
}

/**
 * Splits a comma-separated list of names, but not at the commas between a C++ name's parameters: "j,k(char*, int),pair<int,
 * int>". An unclosed angle bracket is an ordinary character, as in operator<.
 */
export function splitNames(list: string): readonly string[] {
  const names: string[] = [];
  const lastClose = list.lastIndexOf(">");
  let [start, depth] = [0, 0];
  for (let i = 0; i < list.length; i++) {
    const c = list[i]!;
    if (c === "(" || (c === "<" && i < lastClose)) depth++;
    else if ((c === ")" || (c === ">" && list[i - 1] !== "-")) && depth > 0) depth--;
    else if (c === "," && depth === 0) {
      names.push(list.slice(start, i));
      start = i + 1;
    }
  }
  return [...names, list.slice(start)];
}

/** The roots of --gc-sections. */
function rootOptions(options: GivenOptions): RootOptions {
  const { keepExports, undefined: names, undefinedGlob, requireDefined, kernelsUsed, variablesUsed } = options;
  const patterns = (lists: readonly string[]) => lists.flatMap(splitNames).filter((each) => each !== "");
  return {
    ...(keepExports === undefined ? {} : { keepExports }),
    ...(names === undefined ? {} : { undefined: names }),
    ...(undefinedGlob === undefined ? {} : { undefinedGlobs: undefinedGlob }),
    ...(requireDefined === undefined ? {} : { required: requireDefined }),
    ...(kernelsUsed === undefined ? {} : { kernelsUsed: patterns(kernelsUsed) }),
    ...(variablesUsed === undefined ? {} : { variablesUsed: patterns(variablesUsed) }),
  };
}
