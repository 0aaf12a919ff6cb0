// The options of ptxkit link that report which inputs were linked, and why: --trace, --why-extract, --dependency-file.

import type { Host } from "../files/host.js";
import type { LinkInputs } from "../inputs/link-inputs.js";
import type { Explanations } from "./link-explain.js";
import type { Read } from "./link-observe.js";
import type { LinkCommandOptions } from "../options/link-options.js";

/** The inputs of a link. */
export interface SelectedInputs extends Pick<LinkInputs, "extractions"> {
  /** Names of the objects, in command-line order. */
  readonly names: readonly string[];
}

/** Reports the inputs, even if the link failed afterwards; writes a file only for a successful link. */
export async function explainSelection(
  { trace = false, whyExtract }: LinkCommandOptions,
  { names, extractions }: SelectedInputs,
  isRight: boolean,
  host: Host,
): Promise<Explanations> {
  const traced = trace ? { text: names.map((name) => `${name}\n`), json: { trace: names } } : nothing;
  if (whyExtract === undefined) return traced;
  const { whyExtractText } = await import("../../lib/report/selection-text.js");
  const text = whyExtractText(extractions);
  if (whyExtract === "-") return { text: [...traced.text, text], json: { ...traced.json, whyExtract: extractions } };
  if (isRight) host.write(whyExtract, text);
  return traced;
}

const nothing: Explanations = { text: [], json: {} };

/** Writes the files that were read as a make rule. */
export async function writeDependencies(
  { output, dependencyFile: file }: LinkCommandOptions,
  responseFiles: readonly string[],
  reads: readonly Read[],
  host: Host,
): Promise<void> {
  if (file === undefined) return;
  const { dependencyRule } = await import("../../lib/report/selection-text.js");
  const files = [...responseFiles, ...reads.map(({ place }) => place)].filter((each) => each !== "-");
  host.write(file, dependencyRule(output, files));
}
