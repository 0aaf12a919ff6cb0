// A link with members of archives, when those that are needed are known: on columns, if it can be (link-plain.ts).

import type { DataOrder } from "../../lib/link/layout.js";
import { isPlainObject } from "../../lib/link/plain/object.js";
import { writeObject } from "../../lib/object/write.js";
import { inputFacts, type LinkInputs } from "../link-inputs.js";
import type { LinkCommandOptions, ToldLink } from "./link-context.js";
import { plainLiveOptions, type LiveFindings } from "./link-live.js";
import type { Timeline } from "./link-observe.js";
import { defineOptions, linkAndTell, mayBePlain, plainOptions } from "./link-plain.js";

/** Undefined where the link is not plain. */
export async function linkSelected(
  selected: LinkInputs,
  options: LinkCommandOptions,
  order: DataOrder,
  findings: LiveFindings,
  timeline: Timeline | undefined,
): Promise<ToldLink | undefined> {
  if (!mayBePlain(options)) return undefined;
  const files: Uint8Array[] = [];
  for (const input of selected.inputs) {
    const file =
      input.kind === "object" && (input.isPlain ?? isPlainObject(input.object))
        ? (input.file ?? writeObject(input.object, { isBare: true }))
        : undefined;
    if (file === undefined) return undefined;
    files.push(file);
  }
  const { names } = selected;
  const given = {
    ...inputFacts(selected),
    ...(await plainOptions(options, timeline)),
    ...(await plainLiveOptions(options, names, findings)),
    ...(await defineOptions(options, names)),
    ...order,
  };
  return linkAndTell(files, names, given, options);
}
