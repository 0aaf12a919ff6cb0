// The files of a link that may be plain (link-plain.ts): objects as they are; texts assembled to object files, those in fatbins
// and host files among them.

import { createSink } from "../../lib/diag/sink.js";
import { recognise, type FileKind } from "../../lib/link/recognise.js";
import { goalOf } from "../../lib/link/targets.js";
import { readObject } from "../../lib/object/read.js";
import type { Source } from "../../lib/ptx/tree.js";
import type { Assembled } from "../assembler-batch.js";
import type { AssemblerPool } from "../assembler-pool.js";
import type { Session } from "../common.js";
import { HostError, type Host } from "../host.js";
import { releaseSource } from "../inputs.js";
import type { PlacedInput } from "../placed-inputs.js";
import { helpersFor, openTextPool } from "../text-pool.js";
import type { LinkCommandOptions } from "./link-context.js";

export interface ReadFiles {
  /** Object files in command-line order; undefined unless all are there, each of what may be part of a plain link, named once. */
  readonly objects: ReadonlyMap<string, Uint8Array> | undefined;
  /** Archives and files behind --start-lib. */
  readonly waiting: readonly Source[];
  /** Files but texts and what can be read again, by name. */
  readonly read: Map<string, Uint8Array>;
  /** What came of each text, by name: "a.ptx", "a.o(1.sm_90.ptx)". */
  readonly assembled: ReadonlyMap<string, Assembled>;
}

/** What cannot be read is not told of here. */
export async function readFiles(
  files: readonly PlacedInput[],
  options: LinkCommandOptions,
  session: Session,
): Promise<ReadFiles> {
  const collection = createCollection(files, options, session);
  try {
    const isThere = await collection.addAll().catch((error: unknown) => {
      if (error instanceof HostError) return false;
      throw error;
    });
    return await collection.finish(isThere);
  } finally {
    await collection.close();
  }
}

interface Collection {
  /** False as soon as it is known that the link is not plain. Throws HostError. */
  addAll(): Promise<boolean>;
  finish(isThere: boolean): Promise<ReadFiles>;
  close(): Promise<void>;
}

function createCollection(files: readonly PlacedInput[], options: LinkCommandOptions, session: Session): Collection {
  const { host } = session;
  const read = new Map<string, Uint8Array>();
  const texts = new Map<string, number>();
  const around = new Set<string>();
  const order: string[] = [];
  const waiting = new Map<string, Source>();
  let pool: AssemblerPool | undefined;
  /** The target of the link, once something that is inside others needs it. */
  let { arch } = options;

  return { addAll, finish, close: async () => void (await pool?.close()) };

  async function addAll(): Promise<boolean> {
    for (const placed of files) if (!(await addOne(placed))) return false;
    return true;
  }

  async function addOne(placed: PlacedInput): Promise<boolean> {
    const name = placed.isLibrary ? placed.found : placed.name;
    if (name === undefined) return false;
    const isWaiting = (kind: FileKind): boolean => placed.isLazy || (kind === "archive" && !placed.isWhole);
    // An archive that is named again gives nothing more.
    if (waiting.has(name)) return isWaiting(recognise(waiting.get(name)!.bytes));
    if (read.has(name) || texts.has(name) || around.has(name)) return false;
    const source = { name, bytes: host.read(name) };
    const kind = recognise(source.bytes);
    if (isWaiting(kind)) {
      read.set(name, source.bytes);
      waiting.set(name, source);
      return true;
    }
    if (kind === "ptx") {
      session.sources.set(name, source.bytes);
      await addText(source);
      releaseSource(source, session);
      return pool!.isPlain();
    }
    if (kind === "fatbin" || kind === "host-elf") {
      around.add(name);
      if (host.sizeOf(name) === undefined) read.set(name, source.bytes);
      return addEmbedded(source, kind);
    }
    order.push(name);
    read.set(name, source.bytes);
    return kind === "ptxkit";
  }

  async function addText(source: Source, goal?: string, expansion?: number): Promise<void> {
    pool ??= await openTextPool(
      { helpers: helpersFor(files, host, options, expansion), wantsFiles: true },
      host,
      options,
    );
    order.push(source.name);
    texts.set(source.name, await pool.add({ source, goal: goalOf(goal) }));
  }

  async function addEmbedded(file: Source, kind: "fatbin" | "host-elf"): Promise<boolean> {
    const { expansionOf, modulesOf, releaseModule } = await import("../embedded-texts.js");
    const found = createSink();
    arch ??= await firstTarget();
    for (const module of modulesOf(file, kind, found, () => arch)) {
      if (recognise(module.bytes) !== "ptx") return false;
      session.sources.set(module.name, module.bytes);
      await addText(module, arch, pool === undefined ? expansionOf(file, kind) : undefined);
      releaseModule(module, file.name, session);
      if (!pool!.isPlain()) return false;
      arch ??= await firstTarget();
    }
    return found.all.length === 0;
  }

  /** Of the first input; undefined where there is none, or it is wrong. */
  async function firstTarget(): Promise<string | undefined> {
    const [name] = order;
    if (name === undefined) return undefined;
    const number = texts.get(name);
    const output = number === undefined ? read.get(name) : (await pool!.results())[number]!.output;
    const object = output instanceof Uint8Array ? readObject(output, name, createSink()) : output;
    return object?.target.name;
  }

  async function finish(isThere: boolean): Promise<ReadFiles> {
    const results = (await pool?.results()) ?? [];
    const assembled = new Map([...texts].map(([name, number]) => [name, results[number]!] as const));
    const fileOf = (name: string): Uint8Array => read.get(name) ?? (assembled.get(name)!.output as Uint8Array);
    const isPlain = isThere && (pool?.isPlain() ?? true);
    const objects = isPlain ? new Map(order.map((name) => [name, fileOf(name)] as const)) : undefined;
    return { objects, waiting: [...waiting.values()], read, assembled };
  }
}

/** The host, with the next reading of each of these files done already: a pipe can be read only once. */
export function holding(host: Host, read: Map<string, Uint8Array>): Host {
  return {
    ...host,
    exists: (file) => read.has(file) || host.exists(file),
    sizeOf: (file) => read.get(file)?.length ?? host.sizeOf(file),
    read(file) {
      const held = read.get(file);
      read.delete(file);
      return held ?? host.read(file);
    },
  };
}
