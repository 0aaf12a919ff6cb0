// ptxkit link where only objects are given and nothing is asked of the link: lib/link/plain-link.ts makes the image, if it
// can. If not, the ordinary linker goes on with the files that were read.

import { linkPlain } from "../../lib/link/plain-link.js";
import { cudaFileKind } from "../../lib/object/container.js";
import type { Session } from "../common.js";
import { whileOptimisingLate } from "../engine.js";
import { HostError, type Host } from "../host.js";
import { checkOutputs } from "../outputs.js";
import type { PlacedInput } from "../placed-inputs.js";
import { status, type Status } from "../status.js";
import type { LinkCommandOptions } from "./link.js";

export type PlainLink =
  | { readonly kind: "done"; readonly status: Status }
  /** The host, with what was read from it. */
  | { readonly kind: "not-plain"; readonly host: Host };

/** Options that a plain link heeds, or that say nothing about it. */
const heeded: ReadonlySet<string> = new Set([
  "output",
  "arch",
  "maxImageSize",
  "diagnostics",
  "color",
  "errorLimit",
  "W",
  "werror",
  "jobs",
  "libraryPath",
  "library",
]);

/** What other options are where nobody gave them. */
const defaults: Readonly<Record<string, unknown>> = { emit: "elf", keepExports: true };

function isPlain(options: LinkCommandOptions): boolean {
  return Object.entries(options).every(
    ([name, value]) => value === undefined || heeded.has(name) || defaults[name] === value,
  );
}

export function linkPlainly(
  files: readonly PlacedInput[],
  options: LinkCommandOptions,
  { host }: Pick<Session, "host">,
): PlainLink {
  if (!isPlain(options) || files.some(({ name, isLibrary, isLazy }) => name === "-" || isLibrary || isLazy))
    return { kind: "not-plain", host };
  const names = files.map(({ name }) => name);
  checkOutputs([options.output], names, host);
  const read = new Map<string, Uint8Array>();
  const image = whileOptimisingLate(() =>
    readObjects(names, host, read) ? linkPlain([...read.values()], plainOptions(options)) : undefined,
  );
  if (image === undefined) return { kind: "not-plain", host: holding(host, read) };
  host.write(options.output, image);
  return { kind: "done", status: status.done };
}

function plainOptions({ arch, maxImageSize }: LinkCommandOptions) {
  return {
    ...(arch === undefined ? {} : { arch }),
    ...(maxImageSize === undefined ? {} : { maxImageBytes: maxImageSize }),
  };
}

/** Reads into `read`; whether all are objects, each named once. What cannot be read is not told of here. */
function readObjects(names: readonly string[], host: Host, read: Map<string, Uint8Array>): boolean {
  try {
    return names.every((name) => {
      if (read.has(name)) return false;
      const bytes = host.read(name);
      read.set(name, bytes);
      return cudaFileKind(bytes) === "ptxkit";
    });
  } catch (error) {
    if (error instanceof HostError) return false;
    throw error;
  }
}

/** The host, with the next reading of each of these files done already: a pipe can be read only once. */
function holding(host: Host, read: Map<string, Uint8Array>): Host {
  return {
    ...host,
    exists: (file) => read.has(file) || host.exists(file),
    read(file) {
      const held = read.get(file);
      read.delete(file);
      return held ?? host.read(file);
    },
  };
}
