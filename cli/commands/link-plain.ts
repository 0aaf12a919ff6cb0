// ptxkit link where only objects and texts are given and nothing is asked of the link: texts are assembled to object files,
// and lib/link/plain/link.ts makes the image, if it can. If not, the ordinary linker goes on with what was read and assembled.

import { linkPlain } from "../../lib/link/plain/link.js";
import { recognise } from "../../lib/link/recognise.js";
import { cudaFileKind } from "../../lib/object/container.js";
import type { Assembled } from "../assembler-batch.js";
import type { AssemblerPool } from "../assembler-pool.js";
import type { Session } from "../common.js";
import { whileOptimisingLate } from "../engine.js";
import { HostError, type Host } from "../host.js";
import { releaseSource } from "../inputs.js";
import { checkOutputs } from "../outputs.js";
import type { PlacedInput } from "../placed-inputs.js";
import { status, type Status } from "../status.js";
import { helpersFor, openTextPool } from "../text-pool.js";
import type { LinkCommandOptions } from "./link.js";

export type PlainLink =
  | { readonly kind: "done"; readonly status: Status }
  /** The host, with what was read from it but texts, and those. */
  | { readonly kind: "not-plain"; readonly host: Host; readonly assembled: ReadonlyMap<string, Assembled> };

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

export async function linkPlainly(
  files: readonly PlacedInput[],
  options: LinkCommandOptions,
  session: Session,
): Promise<PlainLink> {
  const { host } = session;
  if (!isPlain(options) || files.some(({ name, isLibrary, isLazy }) => name === "-" || isLibrary || isLazy))
    return { kind: "not-plain", host, assembled: new Map() };
  checkOutputs(
    [options.output],
    files.map(({ name }) => name),
    host,
  );
  const { isComplete, read, assembled } = await readFiles(files, options, session);
  const image = whileOptimisingLate(() =>
    isComplete ? linkPlain(objectFiles(files, read, assembled), plainOptions(options)) : undefined,
  );
  if (image === undefined) return { kind: "not-plain", host: holding(host, read), assembled };
  host.write(options.output, image);
  return { kind: "done", status: status.done };
}

function plainOptions({ arch, maxImageSize }: LinkCommandOptions) {
  return {
    ...(arch === undefined ? {} : { arch }),
    ...(maxImageSize === undefined ? {} : { maxImageBytes: maxImageSize }),
  };
}

/** In command-line order; all have files where all are plain. */
const objectFiles = (
  files: readonly PlacedInput[],
  read: ReadonlyMap<string, Uint8Array>,
  assembled: ReadonlyMap<string, Assembled>,
): readonly Uint8Array[] =>
  files.flatMap(({ name }) => {
    const file = read.get(name) ?? assembled.get(name)?.output;
    return file instanceof Uint8Array ? [file] : [];
  });

interface ReadFiles {
  /** Whether all are there, each an object or a text that may be part of a plain link, named once. */
  readonly isComplete: boolean;
  /** Files but texts, by name. */
  readonly read: Map<string, Uint8Array>;
  readonly assembled: ReadonlyMap<string, Assembled>;
}

/** What cannot be read is not told of here. */
async function readFiles(
  files: readonly PlacedInput[],
  options: LinkCommandOptions,
  session: Session,
): Promise<ReadFiles> {
  const { host } = session;
  const read = new Map<string, Uint8Array>();
  const texts = new Map<string, number>();
  let pool: AssemblerPool | undefined;
  const readOne = async (name: string): Promise<boolean> => {
    if (read.has(name) || texts.has(name)) return false;
    const bytes = host.read(name);
    if (recognise(bytes) !== "ptx") {
      read.set(name, bytes);
      return cudaFileKind(bytes) === "ptxkit";
    }
    pool ??= await openTextPool({ helpers: helpersFor(files, host, options), wantsFiles: true }, host, options);
    const source = { name, bytes };
    session.sources.set(name, bytes);
    texts.set(name, await pool.add(source));
    releaseSource(source, session);
    return pool.isPlain();
  };
  const readAll = async (): Promise<boolean> => {
    for (const { name } of files) if (!(await readOne(name))) return false;
    return true;
  };
  try {
    const isThere = await readAll().catch((error: unknown) => {
      if (error instanceof HostError) return false;
      throw error;
    });
    const results = (await pool?.results()) ?? [];
    const assembled = new Map([...texts].map(([name, number]) => [name, results[number]!] as const));
    return { isComplete: isThere && (pool?.isPlain() ?? true), read, assembled };
  } finally {
    await pool?.close();
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
