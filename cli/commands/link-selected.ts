// A link with members of archives, when those that are needed are known: on columns, if it can be (link-plain.ts).

import { isPlainObject } from "../../lib/link/plain/object.js";
import { linkPlain, type PlainLinked } from "../../lib/link/plain/link.js";
import { writeObject } from "../../lib/object/write.js";
import { whileOptimisingLate } from "../engine.js";
import type { LinkInputs } from "../link-inputs.js";
import type { LinkCommandOptions } from "./link-context.js";
import { plainLiveOptions, type LiveFindings } from "./link-live.js";
import type { Timeline } from "./link-observe.js";
import { mayBePlain, plainOptions } from "./link-plain.js";

/** Undefined where the link is not plain. */
export async function linkSelected(
  { inputs, objects, leader }: LinkInputs,
  options: LinkCommandOptions,
  findings: LiveFindings,
  timeline: Timeline | undefined,
): Promise<PlainLinked | undefined> {
  if (!mayBePlain(options)) return undefined;
  const files: Uint8Array[] = [];
  for (const input of inputs) {
    const file =
      input.kind === "object" && isPlainObject(input.object)
        ? (input.file ?? writeObject(input.object, { isBare: true }))
        : undefined;
    if (file === undefined) return undefined;
    files.push(file);
  }
  // A member does not lead; an object has the first target that goes with all.
  const first = options.relocatable === true ? undefined : objects[leader]?.modules[0]?.target.name;
  const arch = options.arch ?? first;
  const heeded = await plainOptions(arch === undefined ? options : { ...options, arch }, timeline);
  const names = objects.map(({ name }) => name);
  const given = { ...heeded, ...(await plainLiveOptions(options, names, findings)) };
  return whileOptimisingLate(() => linkPlain(files, given));
}
