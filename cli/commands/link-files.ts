// Reads the files of a link on the fast path (link-fast.ts). Objects are kept as they are; texts, also those in fatbins and host
// files, are assembled and packed.

import { createSink } from "../../lib/diag/sink.js";
import {
  isPacked,
  targetOfPacked,
  type PackedObject,
  type LinkInput,
} from "../../lib/object/columns/packed/packed-object.js";
import {
  hasLines,
  isEmbedding,
  isModule,
  recognise,
  type EmbeddingKind,
  type FileKind,
} from "../../lib/link/inputs/recognise.js";
import { linkTargetOf } from "../../lib/link/model/targets.js";
import type { Source, RereadableText } from "../../lib/ptx/source-text.js";
import type { Assembled, Job } from "../assembly/assembler-batch.js";
import type { AssemblerPool } from "../assembly/assembler-pool.js";
import type { Session } from "../options/common.js";
import { delayOptimisation } from "../base/engine.js";
import { HostError, type Host } from "../files/host.js";
import { releaserOf } from "../inputs/inputs.js";
import { createWaiting, fileOf, type PlacedInput } from "../inputs/placed-inputs.js";
import { createAssembledMembers, type AssembledMembers } from "../assembly/assembled-members.js";
import { helpersFor, openAssemblerPool } from "../inputs/source-pool.js";
import type { LinkCommandOptions } from "../options/link-options.js";

/** The files that were read and assembled, for the following steps. */
export interface CachedFiles {
  /** Sources by name, except texts and files that can be read again. */
  readonly read: Map<string, Source>;
  /** Members of thin archives. */
  readonly members: Map<string, Uint8Array | RereadableText>;
  /** The result of each text by name: "a.ptx", "a.o(1.sm_90.ptx)". */
  readonly assembled: ReadonlyMap<string, Assembled>;
  /** The results of texts in archives. */
  readonly inside: AssembledMembers;
}

export interface ReadFiles extends CachedFiles {
  /** Object files in command-line order; undefined if the fast path does not support one, or one cannot be read. */
  readonly objects: ReadonlyMap<string, LinkInput> | undefined;
  /**
   * Whether there are other inputs: archives, files after --start-lib, repeated names. Nothing is read after one that may extract
   * several members, because the order of reading is reported.
   */
  readonly hasOthers: boolean;
}

/** Reads and assembles the inputs. Files that cannot be read are not reported here. */
export async function readFiles(
  files: readonly PlacedInput[],
  options: LinkCommandOptions,
  session: Session,
): Promise<ReadFiles> {
  const collection = createCollection(files, options, session);
  try {
    const isRead = await addAll(collection).catch((error: unknown) => {
      if (error instanceof HostError) return false;
      throw error;
    });
    return await finish(collection, isRead);
  } finally {
    collection.optimiseAsUsual();
    await collection.pool?.close();
  }
}

/** The files of a link while they are read. */
interface Collection {
  readonly files: readonly PlacedInput[];
  readonly options: LinkCommandOptions;
  readonly session: Session;
  readonly read: Map<string, Source>;
  /** Index of each text in the pool, by name. */
  readonly texts: Map<string, number>;
  /** Files that contain embedded texts. */
  readonly around: Set<string>;
  /** Names of the objects. */
  readonly order: string[];
  readonly waiting: ReturnType<typeof createWaiting>;
  hasOthers: boolean;
  /** Whether to stop reading. */
  isEnough: boolean;
  pool: AssemblerPool | undefined;
  /** Ends delayed optimisation: reading objects is too short to profit from optimised code, assembling is not. */
  optimiseAsUsual: () => void;
  /** The target of the link; undefined until an archive or a container needs it. */
  arch: string | undefined;
}

const createCollection = (
  files: readonly PlacedInput[],
  options: LinkCommandOptions,
  session: Session,
): Collection => ({
  files,
  options,
  session,
  read: new Map(),
  texts: new Map(),
  around: new Set(),
  order: [],
  waiting: createWaiting(),
  hasOthers: false,
  isEnough: false,
  pool: undefined,
  optimiseAsUsual: delayOptimisation(),
  arch: options.arch,
});

/** Reads all inputs; false as soon as the fast path does not support the link. Throws HostError. */
async function addAll(collection: Collection): Promise<boolean> {
  for (const placed of collection.files) {
    if (!(await addOne(collection, placed))) return false;
    if (collection.isEnough) break;
  }
  return true;
}

const isNvvm = (kind: FileKind): boolean => kind === "nvvm" || kind === "bitcode";

/** Whether NVVM IR is a library, of which only the needed functions are compiled. */
const isLibrary = async (source: Source): Promise<boolean> =>
  (await import("../../lib/link/archives/library.js")).isLibrary(source);

async function addOne(collection: Collection, placed: PlacedInput): Promise<boolean> {
  const { session, read, texts, around, order, waiting } = collection;
  const { host } = session;
  const name = fileOf(placed);
  if (name === undefined) return false;
  if (waiting.has(placed)) return true;
  if (read.has(name) || texts.has(name) || around.has(name)) {
    collection.hasOthers = collection.isEnough = true;
    return true;
  }
  const source = host.readInput(name);
  const kind = recognise(source.bytes);
  const isMany = kind === "archive" || (isNvvm(kind) && (await isLibrary(source)));
  if (placed.isLazy || isMany) {
    collection.hasOthers = true;
    collection.isEnough = !waiting.takes(placed, isMany);
    read.set(name, source);
    return true;
  }
  if (isModule(kind)) {
    if (hasLines(kind)) session.sources.set(name, source.bytes);
    const pool = await addText(collection, { source, onRead: releaserOf(source, session) });
    return pool.isPacked();
  }
  if (isEmbedding(kind)) {
    around.add(name);
    if (host.sizeOf(name) === undefined) read.set(name, source);
    return addEmbedded(collection, source, kind);
  }
  order.push(name);
  read.set(name, source);
  return kind === "ptxkit";
}

async function addText(collection: Collection, job: Job, expansion?: number): Promise<AssemblerPool> {
  if (collection.pool === undefined) {
    collection.optimiseAsUsual();
    collection.optimiseAsUsual = () => {};
    collection.pool = await openPool(collection, expansion);
  }
  const { pool } = collection;
  const { name } = job.source;
  collection.order.push(name);
  collection.texts.set(name, await pool.add(job));
  return pool;
}

/** What reads NVVM IR is loaded with the assembler: a link of objects starts without either. */
async function openPool(
  { files, options, session }: Collection,
  expansion: number | undefined,
): Promise<AssemblerPool> {
  const { host } = session;
  const { withNvvmPlan } = await import("../run/nvvm-plan.js");
  const helpers = helpersFor(files, host, options, expansion);
  return openAssemblerPool({ helpers, wantsPacked: true }, host, withNvvmPlan(options, files, host));
}

async function addEmbedded(collection: Collection, file: Source, kind: EmbeddingKind): Promise<boolean> {
  const { session } = collection;
  const { expansionOf, modulesOf, moduleReleaser } = await import("../inputs/embedded-sources.js");
  const found = createSink();
  collection.arch ??= await firstTarget(collection);
  for (const module of modulesOf(file, kind, found, () => collection.arch)) {
    if (recognise(module.bytes) !== "ptx") return false;
    session.sources.set(module.name, module.bytes);
    const onRead = moduleReleaser(module, file.name, session);
    const job = { source: module, linkTarget: linkTargetOf(collection.arch), onRead };
    const expansion = collection.pool === undefined ? expansionOf(file, kind) : undefined;
    const pool = await addText(collection, job, expansion);
    if (!pool.isPacked()) return false;
    collection.arch ??= await firstTarget(collection);
  }
  return found.all.length === 0;
}

/** The target of the first input; undefined if there is no input, or the first one is invalid. */
async function firstTarget({ order, texts, read, pool }: Collection): Promise<string | undefined> {
  const [name] = order;
  if (name === undefined) return undefined;
  const number = texts.get(name);
  if (number === undefined) {
    const { readObject } = await import("../../lib/object/file/read.js");
    return readObject(read.get(name)!.bytes, name, createSink())?.target.name;
  }
  const { output } = (await pool!.results())[number]!;
  return output !== undefined && isPacked(output) ? targetOfPacked(output) : output?.target.name;
}

async function finish({ read, texts, order, hasOthers, pool }: Collection, isRead: boolean): Promise<ReadFiles> {
  const results = (await pool?.results()) ?? [];
  const assembled = new Map([...texts].map(([name, number]) => [name, results[number]!] as const));
  const inputOf = (name: string): LinkInput => read.get(name)?.bytes ?? (assembled.get(name)!.output as PackedObject);
  const isSupported = isRead && (pool?.isPacked() ?? true);
  const objects = isSupported ? new Map(order.map((name) => [name, inputOf(name)] as const)) : undefined;
  return { objects, hasOthers, read, members: new Map(), assembled, inside: createAssembledMembers() };
}

/** A host that returns each of these files from memory the first time: a pipe can be read only once. */
export function withCachedFiles(host: Host, { read, members }: Pick<CachedFiles, "read" | "members">): Host {
  const readOnce =
    <T>(cached: Map<string, T>, readAgain: (file: string) => T) =>
    (file: string): T => {
      const known = cached.get(file);
      cached.delete(file);
      return known ?? readAgain(file);
    };
  const readInput = readOnce(read, (file) => host.readInput(file));
  return {
    ...host,
    exists: (file) => read.has(file) || host.exists(file),
    sizeOf: (file) => read.get(file)?.bytes.length ?? host.sizeOf(file),
    read(file) {
      const isCached = read.has(file) && read.get(file)!.deferredTexts === undefined;
      return isCached ? readInput(file).bytes : host.read(file);
    },
    readInput,
    readRegular: readOnce(members, (file) => host.readRegular(file)),
  };
}
