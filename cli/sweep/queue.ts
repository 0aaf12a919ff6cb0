// The database of sweeps that several machines run. One schema contains the jobs of graphile-worker; another contains the sweeps,
// their files, the results and the live workers. graphile-worker is an optional package, loaded only here.

import { EventEmitter } from "node:events";
import type { Logger, TaskList, WorkerUtils } from "graphile-worker";
import { sha256 } from "../../formats/bytes/sha256.js";
import type { SweepResult } from "../../lib/report/sweep/sweep-rows.js";
import type { SweepPoint } from "../../lib/report/sweep/sweep-spec.js";
import type * as GraphileWorker from "./graphile-worker.js";
import type { Host } from "../files/host.js";
import { UsageError } from "../base/status.js";
import type { SweepWork } from "./work.js";
import { version } from "../version.js";

export type Values = readonly unknown[];

export interface SweepQueue {
  /** Runs a query. Throws UsageError if the database cannot be used. */
  query<Row>(text: string, values?: Values): Promise<readonly Row[]>;
  /** Runs tasks until the runner is stopped. */
  run(options: {
    readonly tasks: TaskList;
    readonly concurrency: number;
    /** Receives the name that locks the worker's jobs. */
    readonly created: (worker: string) => void;
    /** Whether errors can be ignored, because the worker is ending. */
    readonly isEnding: () => boolean;
  }): Promise<{ readonly promise: Promise<void>; stop(): Promise<void> }>;
  close(): Promise<void>;
}

/** The payload of a job. `sweep`: the digest of the specification and its files. */
export interface SweepJob {
  readonly sweep: string;
  readonly index: number;
  readonly point: SweepPoint;
}

/** Times in milliseconds. */
export interface QueueTimes {
  /** Between two polls of the gathering command. */
  readonly poll: number;
  /** Between two heartbeats of a worker. */
  readonly beat: number;
  /** A worker without a heartbeat for this long loses its jobs to others. */
  readonly lost: number;
}

export const queueTimes: QueueTimes = { poll: 500, beat: 5000, lost: 30_000 };

/** Attempts of a job before its run counts as failed. */
export const MAX_ATTEMPTS = 5;

/** Versions differ in their models, so each runs its own jobs only. */
export const taskName = (): string => `ptxkit-sweep-${version()}`;

type Library = typeof GraphileWorker;

/** Error codes for a package that is not installed: imported, and required. */
const missing: readonly unknown[] = ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"];

async function loadLibrary(): Promise<Library> {
  try {
    return await import("./graphile-worker.js");
  } catch (error) {
    if (!missing.includes((error as NodeJS.ErrnoException).code)) throw error;
    throw new UsageError(
      "--queue needs the package graphile-worker, which is not installed",
      "npm install graphile-worker@0.17 where ptxkit is installed, with -g if that was",
    );
  }
}

// The statements run in one transaction: workers that start at the same time wait for the lock.
const schema = `
select pg_advisory_xact_lock(hashtext('ptxkit_sweep'));
create schema if not exists ptxkit_sweep;
create table if not exists ptxkit_sweep.contents (hash text primary key, bytes bytea not null);
create table if not exists ptxkit_sweep.sweeps (
  digest text primary key, text text not null, files json not null, added_at timestamptz not null default now());
create table if not exists ptxkit_sweep.results (
  sweep text not null references ptxkit_sweep.sweeps on delete cascade, point integer not null, result text not null,
  has_failed boolean not null, primary key (sweep, point));
create table if not exists ptxkit_sweep.workers (worker text primary key, seen_at timestamptz not null);
`;

/** Opens the database and creates its missing tables. Throws UsageError. */
export async function openQueue(url: string, host: Host): Promise<SweepQueue> {
  if (!/^postgres(?:ql)?:\/\//.test(url))
    throw new UsageError(
      "--queue: the URL of a PostgreSQL database is expected",
      "such as postgres://user@host/database",
    );
  const library = await loadLibrary();
  const options = { connectionString: url, schema: "ptxkit_jobs" };
  const utils: WorkerUtils = await guarded(() =>
    library.makeWorkerUtils({ ...options, logger: loggerOf(library, host) }),
  );
  const query = async <Row>(text: string, values: Values = []): Promise<readonly Row[]> =>
    guarded(() =>
      utils.withPgClient(async (client) => {
        // A query without values may contain several statements.
        const { rows } = values.length === 0 ? await client.query(text) : await client.query(text, [...values]);
        return rows as readonly Row[];
      }),
    );
  try {
    await guarded(() => utils.migrate());
    await query(schema);
  } catch (error) {
    await utils.release();
    throw error;
  }
  return {
    query,
    run: ({ tasks, concurrency, created, isEnding }) =>
      guarded(async () => {
        const events = new EventEmitter();
        // Jobs are locked under the name of the pool.
        events.on("pool:create", ({ workerPool }: { readonly workerPool: { readonly id: string } }) =>
          created(workerPool.id),
        );
        return library.run({
          ...options,
          logger: loggerOf(library, host, isEnding),
          events,
          taskList: tasks,
          concurrency,
          noHandleSignals: true,
          pollInterval: 1000,
        });
      }),
    close: async () => utils.release(),
  };
}

/** Reports errors as notes and drops the rest, which does not concern users. */
const loggerOf = ({ Logger }: Library, host: Host, isQuiet = (): boolean => false): Logger =>
  new Logger(() => (level, message) => {
    if (level === "error" && !isQuiet()) host.err(`ptxkit: note: queue: ${message.split("\n")[0]}\n`);
  });

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `--queue: the database cannot be used: ${message || code || "no answer"}`,
      "check that the server runs and that the user of the URL may create schemas",
    );
  }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** Stores a sweep and the contents of its files, unless the database already has them. */
export async function storeWork(queue: SweepQueue, digest: string, { text, files }: SweepWork): Promise<void> {
  const hashes: Record<string, string> = {};
  for (const [name, bytes] of Object.entries(files)) {
    const hash = (hashes[name] = hex(sha256([bytes])));
    const known = await queue.query("select 1 from ptxkit_sweep.contents where hash = $1", [hash]);
    if (known.length > 0) continue;
    const insert = "insert into ptxkit_sweep.contents (hash, bytes) values ($1, $2) on conflict do nothing";
    await queue.query(insert, [hash, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)]);
  }
  await queue.query(
    "insert into ptxkit_sweep.sweeps (digest, text, files) values ($1, $2, $3) on conflict do nothing",
    [digest, text, JSON.stringify(hashes)],
  );
}

/** The work of a sweep; undefined if it has been deleted. */
export async function loadWork(queue: SweepQueue, digest: string): Promise<SweepWork | undefined> {
  const [sweep] = await queue.query<{ readonly text: string; readonly files: Readonly<Record<string, string>> }>(
    "select text, files from ptxkit_sweep.sweeps where digest = $1",
    [digest],
  );
  if (sweep === undefined) return undefined;
  const files: Record<string, Uint8Array> = {};
  for (const [name, hash] of Object.entries(sweep.files)) {
    const [row] = await queue.query<{ readonly bytes: Uint8Array }>(
      "select bytes from ptxkit_sweep.contents where hash = $1",
      [hash],
    );
    if (row === undefined) return undefined;
    files[name] = Uint8Array.from(row.bytes);
  }
  return { text: sweep.text, files };
}

/** Stores the result of a point. The first result counts; later ones are equal. */
export async function storeResult(queue: SweepQueue, sweep: string, index: number, result: SweepResult): Promise<void> {
  await queue.query(
    `insert into ptxkit_sweep.results (sweep, point, result, has_failed)
      select $1, $2, $3, $4 where exists (select from ptxkit_sweep.sweeps where digest = $1) on conflict do nothing`,
    [sweep, index, JSON.stringify(result), result.problem !== undefined],
  );
}

/** Releases the jobs of workers without a heartbeat. Times are those of the database's clock. */
export async function reclaimJobs(queue: SweepQueue, { lost }: QueueTimes): Promise<void> {
  const rows = await queue.query<{ readonly worker: string }>(
    `select distinct locked_by as worker from ptxkit_jobs.jobs
      where locked_at < now() - $1 * interval '1 ms' and not exists (
        select from ptxkit_sweep.workers where worker = locked_by and seen_at > now() - $1 * interval '1 ms')`,
    [lost],
  );
  if (rows.length === 0) return;
  await queue.query("select ptxkit_jobs.force_unlock_workers($1::text[])", [rows.map(({ worker }) => worker)]);
}
