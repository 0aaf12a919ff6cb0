// ptxkit link where only objects and texts are given, and no option changes the image: texts are assembled to object files,
// and lib/link/plain/link.ts makes the image, if it can. If not, the ordinary linker goes on with what was read and assembled.

import { linkPlain, type PlainLinked, type PlainOptions } from "../../lib/link/plain/link.js";
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
import { helpersFor, openTextPool } from "../text-pool.js";
import type { Timeline } from "./link-observe.js";
import type { LinkCommandOptions } from "./link.js";

export interface PlainLink {
  /** The host, with what was read from it but texts, and those. */
  readonly host: Host;
  readonly assembled: ReadonlyMap<string, Assembled>;
  /** Undefined where the link is not plain. */
  readonly linked: PlainLinked | undefined;
}

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

/** Options that look on, or ask what a link has come to. */
const observing: ReadonlySet<string> = new Set([
  "json",
  "map",
  "mapFormat",
  "traceSymbol",
  "cref",
  "printDependencies",
  "printMemoryUsage",
  "printCallGraph",
  "printSymbolCounts",
  "timeTrace",
  "trace",
  "whyExtract",
  "dependencyFile",
  "saveRepro",
  "remapInputs",
  "stats",
]);

/** Options about what is not plain, and how it is linked. */
const idle: ReadonlySet<string> = new Set([
  "allowMultipleDefinition",
  "warnCommon",
  "warnUnresolvedSymbols",
  "unresolvedSymbols",
  "ignoreUnresolvedSymbol",
]);

/** What other options are where nobody gave them. */
const defaults: Readonly<Record<string, unknown>> = { emit: "elf", keepExports: true };

const areAll = (options: LinkCommandOptions, holds: (name: string) => boolean): boolean =>
  Object.entries(options).every(
    ([name, value]) => value === undefined || heeded.has(name) || defaults[name] === value || holds(name),
  );

/** Whether a plain link is all that is asked for. */
export const asksForImageOnly = (options: LinkCommandOptions): boolean => areAll(options, (name) => idle.has(name));

const isPlain = (options: LinkCommandOptions): boolean =>
  areAll(options, (name) => idle.has(name) || observing.has(name) || name === "buildId");

/** `timeline`: of a plain link, from its beginning. */
export async function linkPlainly(
  files: readonly PlacedInput[],
  options: LinkCommandOptions,
  session: Session,
  timeline: Timeline | undefined,
): Promise<PlainLink> {
  const { host } = session;
  if (!isPlain(options) || files.some(({ name, isLibrary, isLazy }) => name === "-" || isLibrary || isLazy))
    return { host, assembled: new Map(), linked: undefined };
  checkOutputs(
    [options.output],
    files.map(({ name }) => name),
    host,
  );
  const { isComplete, read, assembled } = await readFiles(files, options, session);
  timeline?.lap("open inputs");
  const given = await plainOptions(options, timeline);
  const linked = whileOptimisingLate(() =>
    isComplete ? linkPlain(objectFiles(files, read, assembled), given) : undefined,
  );
  return { host: holding(host, read), assembled, linked };
}

async function plainOptions(
  { arch, maxImageSize, buildId }: LinkCommandOptions,
  timeline: Timeline | undefined,
): Promise<PlainOptions> {
  return {
    ...(arch === undefined ? {} : { arch }),
    ...(maxImageSize === undefined ? {} : { maxImageBytes: maxImageSize }),
    ...(buildId === true ? { identify: (await import("../../lib/object/build-id.js")).buildIdOf } : {}),
    ...(timeline === undefined ? {} : { onPass: (pass: string) => timeline.lap(pass) }),
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
